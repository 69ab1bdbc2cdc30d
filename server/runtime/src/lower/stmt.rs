//! Statements.

use lockstep_syntax::p::ast::{Block as AstBlock, Expr, ExprId, NameId, ReceiveCase, Stmt, StmtId};

use super::body::{Builder, Exit};
use super::machine::state_named;
use super::{NotRunnable, live};
use crate::code::{Access, Case, Op, Operand, Root, Slot, Target, Terminator};
use crate::program::Place;
use crate::value::Value;

impl Builder<'_, '_> {
    pub(super) fn block(&mut self, block: &AstBlock) -> Result<(), NotRunnable> {
        self.declare(&block.vars);
        block.stmts.iter().try_for_each(|stmt| self.stmt(*stmt))
    }

    /// One statement. Statements can be nested thousands of levels deep.
    fn stmt(&mut self, id: StmtId) -> Result<(), NotRunnable> {
        stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, || self.stmt_here(id))
    }

    fn stmt_here(&mut self, id: StmtId) -> Result<(), NotRunnable> {
        let place = self.place(self.body.value.spans[id]);
        match &self.nodes()[id] {
            Stmt::Missing | Stmt::Empty => {}
            Stmt::Compound(stmts) => stmts.iter().try_for_each(|stmt| self.stmt(*stmt))?,
            Stmt::Assert { condition, message } => self.assert(*condition, *message, place)?,
            Stmt::Assume { .. } => {
                let what = "`assume`, which P's checker does not know".into();
                self.end_for_good(Terminator::Unsupported(what), place);
            }
            Stmt::Print { message } => {
                let text = self.expr(*message)?;
                self.emit(Op::Print { text }, place);
            }
            Stmt::Return { value } => {
                let value = value.map(|value| self.expr(value)).transpose()?;
                // In a case of `receive` this leaves the function all the same.
                self.end_for_good(Terminator::Return(value), place);
            }
            Stmt::Break | Stmt::Continue => self.leave(id, place),
            Stmt::Assign { target, value } => self.assign(*target, *value, place)?,
            Stmt::Insert { target, key, value } => {
                let target = self.target(*target)?;
                let following: Vec<ExprId> = key.iter().chain([value]).copied().collect();
                let operands = self.operands(&following)?;
                let (key, value) = match operands[..] {
                    [key, value] => (Some(key), value),
                    [value] => (None, value),
                    _ => return Ok(()),
                };
                self.emit(Op::Insert { target, key, value }, place);
            }
            Stmt::Remove { target, value } => {
                let target = self.target(*target)?;
                let key = self.expr(*value)?;
                self.emit(Op::Remove { target, key }, place);
            }
            Stmt::While { condition, body } => self.while_loop(*condition, *body, place)?,
            Stmt::Foreach { variable, collection, body, .. } => self.foreach(*variable, *collection, *body, place)?,
            Stmt::If { condition, then, otherwise } => self.branch(*condition, *then, *otherwise, place)?,
            Stmt::New { interface, args } => {
                self.create(None, *interface, args, place)?;
            }
            Stmt::Call { function, args } => {
                self.call(None, *function, args, place)?;
            }
            Stmt::Receive { cases } => self.receive(cases, place)?,
            Stmt::Raise { .. } | Stmt::Send { .. } | Stmt::Announce { .. } | Stmt::Goto { .. } => self.message(id, place)?,
        }
        Ok(())
    }

    /// A statement with a value for somebody else, or for another state.
    fn message(&mut self, id: StmtId, place: Place) -> Result<(), NotRunnable> {
        match &self.nodes()[id] {
            Stmt::Raise { event, payload } => {
                let event = self.expr(*event)?;
                let payload = self.first_of(payload)?;
                self.end_for_good(Terminator::Raise { event, payload }, place);
            }
            Stmt::Send { target, event, payload } => {
                let operands: Vec<ExprId> = [*target, *event].into_iter().chain(payload.iter().copied()).collect();
                let operands = self.operands(&operands)?;
                let [target, event, payload @ ..] = &operands[..] else { return Ok(()) };
                self.emit(Op::Send { target: *target, event: *event, payload: payload.first().copied() }, place);
            }
            Stmt::Announce { event, payload } => {
                let event = self.expr(*event)?;
                let payload = self.first_of(payload)?;
                self.emit(Op::Announce { event, payload }, place);
            }
            Stmt::Goto { target, payload } => {
                let payload = self.first_of(payload)?;
                if let Some(state) = state_named(self.declared, self.nodes()[*target].as_str()) {
                    self.end_for_good(Terminator::Goto { state, payload }, place);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// All are computed, and the first is what an event carries: P forgets the others.
    fn first_of(&mut self, values: &[ExprId]) -> Result<Option<Operand>, NotRunnable> {
        Ok(self.operands(values)?.first().copied())
    }

    fn assert(&mut self, condition: ExprId, message: Option<ExprId>, place: Place) -> Result<(), NotRunnable> {
        let condition = self.expr(condition)?;
        let (holds, fails) = (self.new_block(), self.new_block());
        self.end(Terminator::Branch { condition, then: holds, otherwise: fails }, place);
        self.begin(fails);
        let message = message.map(|message| self.expr(message)).transpose()?;
        self.end(Terminator::Fail { message }, place);
        self.begin(holds);
        Ok(())
    }

    fn leave(&mut self, id: StmtId, place: Place) {
        let is_break = self.nodes()[id] == Stmt::Break;
        let to = self.exits.iter().rev().find_map(|exit| match exit {
            Exit::Loop { after, .. } | Exit::Case { after } if is_break => Some(*after),
            Exit::Loop { again, .. } => Some(*again),
            Exit::Case { .. } => None,
        });
        if let Some(to) = to {
            self.end_for_good(Terminator::Jump(to), place);
        }
    }

    fn assign(&mut self, target: ExprId, value: ExprId, place: Place) -> Result<(), NotRunnable> {
        let target = self.target(target)?;
        let kept = self.lowering.kept_at(place);
        self.is_abstracting = !kept.is_empty();
        let from = self.expr(value);
        self.is_abstracting = false;
        let mut from = from?;
        for abstraction in kept {
            let to = self.temporary();
            self.emit(Op::Abstract { to, from, abstraction }, place);
            from = Operand::Slot(to);
        }
        match (&target, from) {
            (Target { root: Root::Slot(to), path }, from) if path.is_empty() => self.store_slot(*to, from, place),
            _ => self.emit(Op::Store { target, from }, place),
        }
        Ok(())
    }

    /// Stores a value in a variable: where it was computed just now, it is computed right into it.
    fn store_slot(&mut self, to: Slot, from: Operand, place: Place) {
        if let Operand::Slot(temporary) = from
            && self.is_temporary(temporary)
            && let Some(last) = self.blocks[self.current].instrs.last_mut()
            && let Some(written) = live::written_mut(&mut last.op)
            && *written == temporary
        {
            *written = to;
            return;
        }
        self.emit(Op::Copy { to, from }, place);
    }

    /// A place that is changed. The indexes in it are computed first.
    fn target(&mut self, id: ExprId) -> Result<Target, NotRunnable> {
        let mut steps = Vec::new();
        let mut at = id;
        let root = loop {
            match &self.nodes()[at] {
                Expr::Name(name) => break self.name(*name),
                Expr::Paren(inner) => at = *inner,
                Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } => {
                    steps.push(at);
                    at = *value;
                }
                _ => return Err(NotRunnable::Missing("a variable that is changed".to_owned())),
            }
        };
        let root = match self.variable(&root) {
            Some(Operand::Slot(slot)) => Root::Slot(slot),
            Some(Operand::Field(field)) => Root::Field(field),
            _ => return Err(NotRunnable::Missing(format!("the variable `{root}`"))),
        };
        let mut path = Vec::new();
        for step in steps.into_iter().rev() {
            path.push(match &self.nodes()[step] {
                Expr::Field { field, .. } => Access::Field(self.lowering.field(self.name(*field))),
                Expr::Element { index, .. } => Access::Element(self.nodes()[*index].as_str().parse().unwrap_or(u32::MAX)),
                Expr::Index { index, .. } => Access::Index(self.expr(*index)?),
                _ => continue,
            });
        }
        Ok(Target { root, path: path.into() })
    }

    fn while_loop(&mut self, condition: ExprId, body: StmtId, place: Place) -> Result<(), NotRunnable> {
        let (again, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        self.end(Terminator::Jump(again), place);
        self.begin(again);
        let at = self.expr_place(condition);
        let condition = self.expr(condition)?;
        self.end(Terminator::Branch { condition, then: inside, otherwise: after }, at);
        self.begin(inside);
        self.exits.push(Exit::Loop { after, again });
        self.stmt(body)?;
        self.exits.pop();
        self.end(Terminator::Jump(again), place);
        self.begin(after);
        Ok(())
    }

    /// Goes through a copy of the collection by number.
    fn foreach(&mut self, variable: NameId, collection: ExprId, body: StmtId, place: Place) -> Result<(), NotRunnable> {
        let name = self.name(variable);
        let Some(item) = self.variable(&name) else {
            let what = format!("`foreach` with the test parameter `{name}` as its variable").into();
            self.end_for_good(Terminator::Unsupported(what), place);
            return Ok(());
        };
        let collection = self.expr(collection)?;
        let (elements, count, index, is_more) = (self.temporary(), self.temporary(), self.temporary(), self.temporary());
        self.emit(Op::Elements { to: elements, collection }, place);
        self.emit(Op::Size { to: count, collection: Operand::Slot(elements) }, place);
        let (zero, one) = (self.constant(Value::Int(0)), self.constant(Value::Int(1)));
        self.emit(Op::Copy { to: index, from: zero }, place);
        let (check, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        self.end(Terminator::Jump(check), place);
        self.begin(check);
        let (index_value, count) = (Operand::Slot(index), Operand::Slot(count));
        self.emit(Op::Binary { to: is_more, op: crate::code::Binary::Lt, left: index_value, right: count }, place);
        self.end(Terminator::Branch { condition: Operand::Slot(is_more), then: inside, otherwise: after }, place);
        self.begin(inside);
        let element = self.temporary();
        self.emit(Op::Index { to: element, collection: Operand::Slot(elements), index: index_value }, place);
        self.emit(Op::Binary { to: index, op: crate::code::Binary::Add, left: index_value, right: one }, place);
        let root = match item {
            Operand::Field(field) => Root::Field(field),
            Operand::Slot(slot) => Root::Slot(slot),
            Operand::Const(_) => return Ok(()),
        };
        let target = Target { root, path: Box::default() };
        self.emit(Op::Store { target, from: Operand::Slot(element) }, place);
        self.exits.push(Exit::Loop { after, again: check });
        self.stmt(body)?;
        self.exits.pop();
        self.end(Terminator::Jump(check), place);
        self.begin(after);
        Ok(())
    }

    fn branch(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>, place: Place) -> Result<(), NotRunnable> {
        let at = self.expr_place(condition);
        let condition = self.expr(condition)?;
        let (yes, after) = (self.new_block(), self.new_block());
        let no = if otherwise.is_some() { self.new_block() } else { after };
        self.end(Terminator::Branch { condition, then: yes, otherwise: no }, at);
        self.begin(yes);
        self.stmt(then)?;
        self.end(Terminator::Jump(after), place);
        if let Some(otherwise) = otherwise {
            self.begin(no);
            self.stmt(otherwise)?;
            self.end(Terminator::Jump(after), place);
        }
        self.begin(after);
        Ok(())
    }

    fn receive(&mut self, cases: &[ReceiveCase], place: Place) -> Result<(), NotRunnable> {
        let after = self.new_block();
        let waiting = self.current;
        let mut lowered = Vec::new();
        for case in cases {
            let block = self.new_block();
            self.begin(block);
            self.scopes.push(Vec::new());
            let param = case.param.map(|param| self.declare_one(param));
            for slot in self.declare(&case.block.vars) {
                // They are new each time.
                let initial = self.slots[slot.0 as usize].initial.clone();
                let from = self.constant(initial);
                self.emit(Op::Copy { to: slot, from }, place);
            }
            self.exits.push(Exit::Case { after });
            case.block.stmts.iter().try_for_each(|stmt| self.stmt(*stmt))?;
            self.exits.pop();
            self.scopes.pop();
            self.end(Terminator::Jump(after), place);
            let param = param.map(|slot| (slot, self.slots[slot.0 as usize].ty));
            for event in &case.events {
                if let Some(event) = self.lowering.event(self.nodes(), event) {
                    lowered.push(Case { event, param, block });
                }
            }
        }
        self.current = waiting;
        self.end(Terminator::Receive(lowered.into()), place);
        self.begin(after);
        Ok(())
    }
}
