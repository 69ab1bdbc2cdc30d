//! What is read off a program once, before it is rewritten.

use std::cell::OnceCell;

use super::kernel::can_hold;
use crate::program::{Block, Expr, MessageId, Pattern, Place, Program, Root, SetId, Stmt, StmtId, StmtKind, Type, VarId};
use lockstep_syntax::icet::ast::BinaryOp;

/// By statement number.
pub struct Facts {
    /// Whether neither the statement nor anything in it sends or receives, or leaves a loop around it.
    is_local: Vec<bool>,
    /// The variables of the process that the statement, or anything in it, may change.
    assigned: Vec<Vec<VarId>>,
    /// The messages that the statement, or anything in it, sends; and those that it receives.
    sent: Vec<Vec<MessageId>>,
    received: Vec<Vec<MessageId>>,
    /// Sets that an `assume` says are not empty.
    nonempty: Vec<SetId>,
    /// Statements that divide by something that may be zero.
    divisions: Vec<StmtId>,
    /// By set, whether its members can be named; looked up when it is asked for.
    named: Vec<OnceCell<bool>>,
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Self {
        let count = program.stmts.len();
        let named = vec![OnceCell::new(); program.sets.len()];
        let mut facts = Self {
            is_local: vec![true; count],
            assigned: vec![Vec::new(); count],
            sent: vec![Vec::new(); count],
            received: vec![Vec::new(); count],
            nonempty: Vec::new(),
            divisions: Vec::new(),
            named,
        };
        // Statements are numbered before those they contain, so going backwards sees what is inside first.
        for nth in (0..count).rev() {
            let Ok(nth) = u32::try_from(nth) else { continue };
            facts.look_at(program, StmtId(nth));
        }
        for claim in &program.assumes {
            if let Expr::Binary(BinaryOp::Gt, left, right) = &claim.condition
                && let (Expr::Card(set), Expr::Int(0)) = (&**left, &**right)
                && let Expr::Set(set) = &**set
            {
                facts.nonempty.push(*set);
            }
        }
        facts
    }

    pub(crate) fn is_local(&self, stmt: StmtId) -> bool {
        self.is_local[stmt.index()]
    }

    pub(crate) fn assigned(&self, stmt: StmtId) -> &[VarId] {
        &self.assigned[stmt.index()]
    }

    pub(crate) fn divisions(&self) -> &[StmtId] {
        &self.divisions
    }

    pub(crate) fn is_nonempty(&self, set: SetId) -> bool {
        self.nonempty.contains(&set)
    }

    /// Whether somebody can name members of the set without having been told of them: in a loop that gives them a name, by choosing one,
    /// by any value, or as a parameter.
    pub(crate) fn names_members(&self, program: &Program, set: SetId) -> bool {
        *self.named[set.index()].get_or_init(|| names_members(program, set))
    }

    fn look_at(&mut self, program: &Program, id: StmtId) {
        let kind = &program.stmt(id).kind;
        let inner: Vec<StmtId> = program.blocks(id).into_iter().flat_map(|block: &Block| block.iter().copied()).collect();
        let mut assigned: Vec<VarId> = inner.iter().flat_map(|stmt| self.assigned[stmt.index()].iter().copied()).collect();
        if program.expressions(id).into_iter().any(divides) {
            self.divisions.push(id);
        }
        let mut places = Vec::new();
        match kind {
            StmtKind::Assign { target, .. } => places_of(target, &mut places),
            StmtKind::Pick { target, .. } | StmtKind::Havoc { target } => places.push(target),
            StmtKind::Receive { cases, .. } => {
                for case in cases {
                    case.patterns.iter().for_each(|pattern| places_of(pattern, &mut places));
                    places.extend(&case.sender);
                }
            }
            StmtKind::Match { arms, .. } => {
                arms.iter().flat_map(|arm| &arm.patterns).for_each(|pattern| places_of(pattern, &mut places));
            }
            _ => {}
        }
        assigned.extend(places.into_iter().filter_map(|place| match place.root {
            Root::Own(var) => Some(var),
            _ => None,
        }));
        assigned.sort_unstable();
        assigned.dedup();
        self.note_messages(program, id, &inner);
        let talks = matches!(
            kind,
            StmtKind::Send { .. } | StmtKind::Receive { .. } | StmtKind::Foreach(_) | StmtKind::Rounds { .. } | StmtKind::Break
        );
        // A `break` inside of its own loop stays inside.
        let is_while = matches!(kind, StmtKind::While { .. });
        let is_inner_local = |stmt: &StmtId| self.is_local[stmt.index()] || is_while && self.only_breaks(program, *stmt);
        let is_local = !talks && inner.iter().all(is_inner_local);
        self.is_local[id.index()] = is_local;
        self.assigned[id.index()] = assigned;
    }

    fn note_messages(&mut self, program: &Program, id: StmtId, inner: &[StmtId]) {
        let mut sent: Vec<MessageId> = inner.iter().flat_map(|stmt| &self.sent[stmt.index()]).copied().collect();
        let mut received: Vec<MessageId> = inner.iter().flat_map(|stmt| &self.received[stmt.index()]).copied().collect();
        match &program.stmt(id).kind {
            StmtKind::Send { message, .. } => sent.push(*message),
            StmtKind::Receive { cases, .. } => received.extend(cases.iter().map(|case| case.message)),
            _ => {}
        }
        for (all, own) in [(&mut self.sent, sent), (&mut self.received, received)] {
            all[id.index()] = own;
            all[id.index()].sort_unstable();
            all[id.index()].dedup();
        }
    }

    /// Whether a block begins with a receive that can give up, or with something else than a receive.
    pub(crate) fn can_give_up(&self, program: &Program, block: &Block) -> bool {
        let mut first = block.first();
        while let Some(stmt) = first {
            match &program.stmt(*stmt).kind {
                StmtKind::Atomic(inside) => first = inside.first(),
                StmtKind::Receive { timeout, .. } => return timeout.is_some(),
                _ => return true,
            }
        }
        true
    }

    /// Whether one of two statements sends what the other receives.
    pub(crate) fn talk(&self, one: StmtId, other: StmtId) -> bool {
        let tells = |from: StmtId, to: StmtId| {
            self.sent[from.index()].iter().any(|message| self.received[to.index()].binary_search(message).is_ok())
        };
        tells(one, other) || tells(other, one)
    }

    /// Whether all that keeps a statement from being local is that it leaves the loop around it.
    fn only_breaks(&self, program: &Program, id: StmtId) -> bool {
        let mut open = vec![id];
        while let Some(stmt) = open.pop() {
            if self.is_local[stmt.index()] || matches!(program.stmt(stmt).kind, StmtKind::Break) {
                continue;
            }
            let blocks = program.blocks(stmt);
            if blocks.is_empty() {
                return false;
            }
            if matches!(program.stmt(stmt).kind, StmtKind::Receive { .. } | StmtKind::Foreach(_) | StmtKind::Rounds { .. }) {
                return false;
            }
            open.extend(blocks.into_iter().flat_map(|block| block.iter().copied()));
        }
        true
    }
}

/// Whether an expression divides by something that may be zero.
fn divides(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if let Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) = expr
            && !matches!(**divisor, Expr::Int(divisor) if divisor != 0)
        {
            return true;
        }
        open.extend(expr.children());
    }
    false
}

fn names_members(program: &Program, set: SetId) -> bool {
    let holds = |ty: &Type| can_hold(program, ty, set);
    let is_set = |of: SetId| program.code_of(of) == program.code_of(set);
    let mentions = |expr: &Expr| {
        let mut open = vec![expr];
        let mut is_met = false;
        while let Some(expr) = open.pop() {
            is_met |= matches!(expr, Expr::Set(of) if is_set(*of)) || matches!(expr, Expr::Comprehension { ty, .. } if holds(ty));
            // How many there are says nothing about who they are.
            if !matches!(expr, Expr::Card(_)) {
                open.extend(expr.children());
            }
        }
        is_met
    };
    let by_stmt = |stmt: &Stmt| {
        let holder = |var: VarId| {
            let declared = stmt.process.and_then(|process| program.process(process).code.vars.get(var.index()));
            declared.is_none_or(|var| holds(&var.ty))
        };
        match &stmt.kind {
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                (set_loop.member.is_some() || set_loop.done.is_some()) && mentions(&set_loop.set)
            }
            StmtKind::Pick { set, .. } => mentions(set),
            StmtKind::Havoc { target } => !matches!(target.root, Root::Own(var) if !holder(var)),
            StmtKind::Assign { value, .. } => mentions(value),
            StmtKind::Send { args, target, .. } => args.iter().chain([target]).any(mentions),
            StmtKind::Match { value, .. } => mentions(value),
            StmtKind::Parallel { .. } => true,
            _ => false,
        }
    };
    let declared = program.consts.iter().map(|constant| &constant.ty).chain(program.shared.iter().map(|var| &var.ty));
    let initial = program.processes.iter().flat_map(|process| &process.code.vars).filter_map(|var| var.value.as_ref());
    declared.into_iter().any(holds) || initial.into_iter().any(mentions) || program.stmts.iter().any(by_stmt)
}

fn places_of<'p>(pattern: &'p Pattern, places: &mut Vec<&'p Place>) {
    match pattern {
        Pattern::Wildcard => {}
        Pattern::Place(place) => places.push(place),
        Pattern::Tuple(patterns) => patterns.iter().for_each(|pattern| places_of(pattern, places)),
    }
}
