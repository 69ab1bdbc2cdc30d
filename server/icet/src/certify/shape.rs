//! What each statement assigns, and whether it concerns its process alone.

use crate::program::{Pattern, Place, Program, Root, StmtId, StmtKind, VarId};
use crate::stack::level;

/// By statement number.
pub(super) struct Shape {
    /// Sends or receives, or something in it does.
    talks: Vec<bool>,
    /// Leaves a loop around it.
    breaks: Vec<bool>,
    assigned: Vec<Vec<VarId>>,
}

impl Shape {
    pub(super) fn of(program: &Program) -> Self {
        let count = program.stmts.len();
        let mut shape = Self { talks: vec![false; count], breaks: vec![false; count], assigned: vec![Vec::new(); count] };
        let mut is_known = vec![false; count];
        for nth in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            // From the inside to the outside, without recursion: a statement waits for those in it.
            let mut open = vec![StmtId(nth)];
            while let Some(&stmt) = open.last() {
                let inner: Vec<StmtId> = program.blocks(stmt).into_iter().flat_map(|block| block.iter().copied()).collect();
                let before = open.len();
                open.extend(inner.iter().filter(|stmt| !is_known[stmt.index()]));
                if open.len() == before {
                    shape.look_at(program, stmt, &inner);
                    is_known[stmt.index()] = true;
                    open.pop();
                }
            }
        }
        shape
    }

    /// Neither sends nor receives, nor leaves a loop around it.
    pub(super) fn is_local(&self, stmt: StmtId) -> bool {
        !self.talks[stmt.index()] && !self.breaks[stmt.index()]
    }

    pub(super) fn assigned(&self, stmt: StmtId) -> &[VarId] {
        &self.assigned[stmt.index()]
    }

    fn look_at(&mut self, program: &Program, stmt: StmtId, inner: &[StmtId]) {
        use StmtKind::{Break, Foreach, Parallel, Receive, Rounds, Send, While};
        let kind = &program.stmt(stmt).kind;
        let is_talk = matches!(kind, Send { .. } | Receive { .. } | Foreach(_) | Rounds { .. } | Parallel { .. });
        let nth = stmt.index();
        self.talks[nth] = is_talk || inner.iter().any(|stmt| self.talks[stmt.index()]);
        let breaks_inside = inner.iter().any(|stmt| self.breaks[stmt.index()]);
        self.breaks[nth] = matches!(kind, Break) || breaks_inside && !matches!(kind, While { .. });
        let mut assigned: Vec<VarId> = inner.iter().flat_map(|stmt| self.assigned(*stmt).iter().copied()).collect();
        let own = places(kind).into_iter().filter_map(|place| match place.root {
            Root::Own(var) => Some(var),
            _ => None,
        });
        assigned.extend(own);
        assigned.sort_unstable();
        assigned.dedup();
        self.assigned[nth] = assigned;
    }
}

/// What a statement itself stores to.
fn places(kind: &StmtKind) -> Vec<&Place> {
    let mut found = Vec::new();
    match kind {
        StmtKind::Assign { target, .. } => places_in(target, &mut found),
        StmtKind::Pick { target, .. } | StmtKind::Havoc { target } => found.push(target),
        StmtKind::Receive { cases, .. } => {
            for case in cases {
                case.patterns.iter().for_each(|pattern| places_in(pattern, &mut found));
                found.extend(&case.sender);
            }
        }
        StmtKind::Match { arms, .. } => {
            arms.iter().flat_map(|arm| &arm.patterns).for_each(|pattern| places_in(pattern, &mut found));
        }
        _ => {}
    }
    found
}

fn places_in<'p>(pattern: &'p Pattern, found: &mut Vec<&'p Place>) {
    match pattern {
        Pattern::Wildcard => {}
        Pattern::Place(place) => found.push(place),
        Pattern::Tuple(patterns) => level(|| patterns.iter().for_each(|pattern| places_in(pattern, found))),
    }
}
