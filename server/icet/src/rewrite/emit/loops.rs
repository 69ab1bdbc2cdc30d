//! What stands for many turns or many members becomes a loop.

use super::{Emitter, Refusal, Step};
use crate::program::{BinaryOp, Condition, Expr, LocalId, Pattern, Place, Root, SetId, SetLoop, StmtId, StmtKind, Type, Whose};
use crate::rewrite::kernel::Done;
use crate::rewrite::value::Who;

impl Emitter<'_> {
    pub(super) fn set_loop(&mut self, drivers: &[Who], focus: Who, steps: &[Step], block: &mut Vec<StmtId>) -> Done {
        let first = drivers.first().ok_or(Refusal::NotNow)?;
        let (head, StmtKind::For(own) | StmtKind::Foreach(own)) = self.kernel.head(*first).ok_or(Refusal::NotNow)? else {
            return Err(Refusal::NotNow);
        };
        let Expr::Set(set) = own.set else { return Err(Refusal::NotNow) };
        let named = drivers.iter().find_map(|driver| match self.kernel.head(*driver)?.1 {
            StmtKind::For(own) | StmtKind::Foreach(own) => own.member.map(|member| (*driver, member)),
            _ => None,
        });
        let name = self.member_name(set, named);
        let member = self.local_named(&name, Type::Pid(Whose::Member(set)));
        let done = own.done.map(|done| {
            let name = self.local_name(*first, done);
            self.local_named(&name, Type::Set(Box::new(Type::Pid(Whose::Member(set)))))
        });
        for driver in drivers {
            let Some((stmt, StmtKind::For(own) | StmtKind::Foreach(own))) = self.kernel.head(*driver) else { continue };
            self.note_changes(*driver, stmt);
            self.bind_member(*driver, Expr::Local(member))?;
            if let (Some(local), Some(done)) = (own.done, done) {
                self.bound.insert((*driver, local), Expr::Local(done));
            }
        }
        let invariants = self.claims(*first, &own.invariants);
        let opened = self.kernel.open_loop(drivers)?;
        if opened != focus {
            return Err(Refusal::NotNow);
        }
        self.chosen.remove(&focus);
        self.names.insert(focus, member);
        self.enter_scope(Some((set, focus)));
        let body = self.block(steps)?;
        self.kernel.close()?;
        self.leave_scope(Some((set, focus)), true);
        let set_loop = SetLoop { member: Some(member), set: Expr::Set(set), done, invariants, body: body.into() };
        let stmt = self.add(StmtKind::For(set_loop), &[head]);
        block.push(stmt);
        Ok(())
    }

    pub(super) fn parallel(&mut self, set: SetId, focus: Who, steps: &[Step], block: &mut Vec<StmtId>) -> Done {
        let name = self.member_name(set, None);
        let member = self.local_named(&name, Type::Pid(Whose::Member(set)));
        if self.kernel.open_parallel(set)? != focus {
            return Err(Refusal::NotNow);
        }
        self.chosen.remove(&focus);
        self.names.insert(focus, member);
        self.enter_scope(Some((set, focus)));
        let was_parallel = std::mem::replace(&mut self.is_parallel, true);
        let mut body = self.block(steps)?;
        self.is_parallel = was_parallel;
        self.kernel.close()?;
        self.leave_scope(Some((set, focus)), true);
        let is_one_part =
            body.len() == 1 && matches!(&self.out.stmts[body[0].index()].kind, StmtKind::Atomic(_) | StmtKind::Assign { .. });
        let kind = if is_one_part {
            if let StmtKind::Atomic(inside) = &self.out.stmts[body[0].index()].kind {
                body = inside.to_vec();
            }
            let invariants = Vec::new();
            StmtKind::For(SetLoop { member: Some(member), set: Expr::Set(set), done: None, invariants, body: body.into() })
        } else {
            StmtKind::Parallel { member: Some(member), set: Expr::Set(set), body: body.into() }
        };
        let stmt = self.add(kind, &[]);
        block.push(stmt);
        Ok(())
    }

    pub(super) fn pick(&mut self, set: SetId, chosen: Option<u32>, focus: Who, steps: &[Step], block: &mut Vec<StmtId>) -> Done {
        let name = self.member_name(set, None);
        let target = self.var_named(&name, Type::Pid(Whose::Member(set)));
        let place = Place { root: Root::Own(target), path: Vec::new() };
        match chosen.and_then(|chosen| self.chosen_variable(set, chosen)) {
            Some(value) => {
                let stmt = self.add(StmtKind::Assign { target: Pattern::Place(place), value }, &[]);
                block.push(stmt);
            }
            None => {
                let stmt = self.add(StmtKind::Pick { target: place, set: Expr::Set(set) }, &[]);
                block.push(stmt);
            }
        }
        if self.kernel.open_pick(set, chosen)? != focus {
            return Err(Refusal::NotNow);
        }
        self.chosen.insert(focus, Expr::Own(target));
        self.enter_scope(Some((set, focus)));
        let body = self.block(steps)?;
        for (channel, queue) in &self.queues {
            // What it leaves behind belongs to a bag.
            if channel.0 == focus {
                self.kept.bags.extend(queue.iter().map(|pending| pending.number));
            }
        }
        self.queues.retain(|channel, _| channel.0 != focus);
        self.kernel.close()?;
        self.leave_scope(Some((set, focus)), false);
        block.extend(body);
        Ok(())
    }

    pub(super) fn repeat(&mut self, drivers: &[Who], steps: &[Step], block: &mut Vec<StmtId>) -> Done {
        let first = drivers.first().ok_or(Refusal::NotNow)?;
        let (head, kind) = self.kernel.head(*first).ok_or(Refusal::NotNow)?;
        let (count, invariants) = match kind {
            StmtKind::Repeat { count, invariants, .. } => (Some(count), invariants),
            StmtKind::Rounds { count, invariants, .. } => (count.as_ref(), invariants),
            _ => return Err(Refusal::NotNow),
        };
        let count = count.map(|count| self.expr(*first, count));
        let index = self.common_index(drivers, count.is_none());
        for driver in drivers {
            let Some((stmt, StmtKind::Repeat { .. } | StmtKind::Rounds { .. })) = self.kernel.head(*driver) else { continue };
            self.note_changes(*driver, stmt);
            if let (Some(own), Some(index)) = (self.own_index(*driver), &index) {
                self.bound.insert((*driver, own), index.clone());
            }
        }
        let invariants = self.claims(*first, invariants);
        self.kernel.open_repeat(drivers)?;
        self.enter_scope(None);
        let mut body = self.block(steps)?;
        for (channel, queue) in &mut self.queues {
            // What is not received in its round is lost.
            queue.retain(|pending| {
                !matches!(kind, StmtKind::Rounds { .. })
                    || pending.scope != self.scopes[self.scopes.len() - 1]
                    || !drivers.contains(&channel.1)
            });
        }
        self.queues.retain(|_, queue| !queue.is_empty());
        self.kernel.close()?;
        self.leave_scope(None, false);
        let kind = match (count, index) {
            (Some(count), index) => {
                let index = match index {
                    Some(Expr::Local(index)) => Some(index),
                    _ => None,
                };
                StmtKind::Repeat { count, index, invariants, body: body.into() }
            }
            (None, index) => {
                if let Some(Expr::Own(round)) = index {
                    let target = Pattern::Place(Place { root: Root::Own(round), path: Vec::new() });
                    let value = Expr::Binary(BinaryOp::Add, Box::new(Expr::Own(round)), Box::new(Expr::Int(1)));
                    body.push(self.add(StmtKind::Assign { target, value }, &[head]));
                }
                StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), invariants, body: body.into() }
            }
        };
        let stmt = self.add(kind, &[head]);
        block.push(stmt);
        Ok(())
    }

    /// How the sequential program calls the number of the turn: in rounds without end, by a variable.
    pub(super) fn common_index(&mut self, drivers: &[Who], is_endless: bool) -> Option<Expr> {
        let (driver, index) = drivers.iter().find_map(|driver| Some((*driver, self.own_index(*driver)?)))?;
        let name = self.local_name(driver, index);
        Some(if is_endless {
            Expr::Own(self.var_named(&name, Type::Int))
        } else {
            Expr::Local(self.local_named(&name, Type::Int))
        })
    }

    pub(super) fn own_index(&self, driver: Who) -> Option<LocalId> {
        match self.kernel.head(driver)?.1 {
            StmtKind::Repeat { index, .. } => *index,
            StmtKind::Rounds { index, .. } => Some(*index),
            _ => None,
        }
    }

    pub(super) fn while_loop(&mut self, driver: Who, steps: &[Step], block: &mut Vec<StmtId>) -> Done {
        let Some((head, StmtKind::While { condition, invariants, .. })) = self.kernel.head(driver) else {
            return Err(Refusal::NotNow);
        };
        self.note_changes(driver, head);
        let condition = self.condition(driver, condition);
        let invariants = self.claims(driver, invariants);
        self.kernel.open_while(driver)?;
        self.enter_scope(None);
        let body = self.block(steps)?;
        self.kernel.close()?;
        self.leave_scope(None, false);
        let stmt = self.add(StmtKind::While { condition, invariants, body: body.into() }, &[head]);
        block.push(stmt);
        Ok(())
    }
}
