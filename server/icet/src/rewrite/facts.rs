//! What is read off a program once, before it is rewritten.

use crate::program::{Block, Expr, Pattern, Place, Program, Root, SetId, StmtId, StmtKind, VarId};
use lockstep_syntax::icet::ast::BinaryOp;

/// By statement number.
pub struct Facts {
    /// Whether neither the statement nor anything in it sends or receives, or leaves a loop around it.
    is_local: Vec<bool>,
    /// The variables of the process that the statement, or anything in it, may change.
    assigned: Vec<Vec<VarId>>,
    /// Sets that an `assume` says are not empty.
    nonempty: Vec<SetId>,
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Self {
        let count = program.stmts.len();
        let mut facts = Self { is_local: vec![true; count], assigned: vec![Vec::new(); count], nonempty: Vec::new() };
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

    pub(crate) fn is_nonempty(&self, set: SetId) -> bool {
        self.nonempty.contains(&set)
    }

    fn look_at(&mut self, program: &Program, id: StmtId) {
        let kind = &program.stmt(id).kind;
        let inner: Vec<StmtId> = program.blocks(id).into_iter().flat_map(|block: &Block| block.iter().copied()).collect();
        let mut assigned: Vec<VarId> = inner.iter().flat_map(|stmt| self.assigned[stmt.index()].iter().copied()).collect();
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

fn places_of<'p>(pattern: &'p Pattern, places: &mut Vec<&'p Place>) {
    match pattern {
        Pattern::Wildcard => {}
        Pattern::Place(place) => places.push(place),
        Pattern::Tuple(patterns) => patterns.iter().for_each(|pattern| places_of(pattern, places)),
    }
}
