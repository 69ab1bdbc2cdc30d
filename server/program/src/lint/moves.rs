//! How a machine can move: which code runs in which state, and which states follow which.

use lockstep_syntax::p::ast::{BodyId, FunctionCode, HandlerKind, Item, Machine, State, StateItemKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::mentions::{Mentions, Role, body_mentions, decl_mentions};
use super::tree::handlers;
use super::unknown::machine_unknown;
use crate::db::Db;
use crate::declaration::{Decl, codes};

pub(crate) struct Moves<'a> {
    pub(crate) bodies: Vec<&'a Mentions>,
    /// The states each state can lead to, by number, sorted.
    pub(crate) next: Vec<Vec<usize>>,
    /// The states each body can run in, by number, sorted.
    pub(crate) runs_in: Vec<Vec<usize>>,
    /// Whether everything that is named is there. Otherwise there may be more ways than these.
    pub(crate) are_certain: bool,
}

impl<'a> Moves<'a> {
    pub(crate) fn new<'db: 'a>(db: &'db dyn Db, decl: Decl<'db>, item: &'a Item, machine: &'a Machine) -> Self {
        let bodies: Vec<&Mentions> = codes(db, decl).iter().map(|code| body_mentions(db, *code)).collect();
        let mut functions: FxHashMap<&str, BodyId> = FxHashMap::default();
        for function in &machine.functions {
            if let FunctionCode::Body(body) = function.code {
                functions.entry(item.nodes[function.name].as_str()).or_insert(body);
            }
        }
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, state) in machine.states.iter().enumerate() {
            numbers.entry(item.nodes[state.name].as_str()).or_insert(number);
        }
        let own = decl_mentions(db, decl);
        let mut targets = bodies.iter().copied().chain([own]).flat_map(|mentions| mentions.in_role(Role::Target));
        let are_certain = targets.all(|name| numbers.contains_key(name.as_str()))
            && own.in_role(Role::Handler).all(|name| functions.contains_key(name.as_str()))
            && machine_unknown(db, decl).is_empty();
        let mut moves = Self { next: Vec::new(), runs_in: vec![Vec::new(); bodies.len()], bodies, are_certain };
        for (number, state) in machine.states.iter().enumerate() {
            let running = moves.running(item, state, &functions);
            let mut next: Vec<usize> = Vec::new();
            for body in running {
                moves.runs_in[body].push(number);
                next.extend(moves.bodies[body].in_role(Role::Target).filter_map(|name| numbers.get(name.as_str())));
            }
            for item_of_state in &state.items {
                if let StateItemKind::OnGoto { target, .. } = &item_of_state.kind {
                    next.extend(numbers.get(item.nodes[*target].as_str()));
                }
            }
            next.sort_unstable();
            next.dedup();
            moves.next.push(next);
        }
        moves
    }

    /// The bodies that can run while the machine is in `state`, by number.
    fn running(&self, item: &Item, state: &State, functions: &FxHashMap<&str, BodyId>) -> Vec<usize> {
        let mut open: Vec<BodyId> = Vec::new();
        for handler in state.items.iter().flat_map(|item| handlers(&item.kind)) {
            match handler.kind {
                HandlerKind::Inline { body, .. } => open.push(body),
                HandlerKind::Named(name) => open.extend(functions.get(item.nodes[name].as_str())),
                HandlerKind::Missing => {}
            }
        }
        let mut seen: FxHashSet<BodyId> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            let body = id.0 as usize;
            if seen.insert(id)
                && let Some(mentions) = self.bodies.get(body)
            {
                found.push(body);
                open.extend(mentions.in_role(Role::Called).filter_map(|name| functions.get(name.as_str())));
            }
        }
        found
    }

    /// The states that can be reached from `from`, itself included.
    pub(crate) fn reachable(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.next.len()];
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                open.extend(&self.next[state]);
            }
        }
        seen
    }
}
