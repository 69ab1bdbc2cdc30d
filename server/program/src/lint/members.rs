//! Variables, functions and states of machines, specs and scenarios; small things about other declarations.

use lockstep_syntax::p::ast::{BodyId, Decl as AstDecl, FunctionCode, Machine, MachineKind, StateItemKind, Type, Wise};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::Lint;
use super::mentions::{Mentions, Role, body_mentions, decl_mentions};
use super::moves::Moves;
use super::unknown::{machine_unknown, may_mean};
use crate::db::Purpose;
use crate::declaration::{DeclKind, codes};
use crate::problem::{Code, Problem, Where};

impl Lint<'_, '_> {
    pub(super) fn members(&mut self) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        let bodies: Vec<&Mentions> = codes(self.db, self.decl).iter().map(|code| body_mentions(self.db, *code)).collect();
        self.fields(machine, &bodies);
        self.functions(machine, &bodies);
        self.unreachable_states(machine);
    }

    fn fields(&mut self, machine: &Machine, bodies: &[&Mentions]) {
        // Proofs read variables of machines, and so can code in another language.
        let is_foreign = |code: &FunctionCode| matches!(code, FunctionCode::Foreign { .. });
        if self.project.purpose(self.db) == Purpose::Verifying || machine.functions.iter().any(|it| is_foreign(&it.code)) {
            return;
        }
        let all =
            |role: Role| -> FxHashSet<&str> { bodies.iter().flat_map(|body| body.in_role(role)).map(SmolStr::as_str).collect() };
        let (read, assigned) = (all(Role::Read), all(Role::Assigned));
        let unknown = machine_unknown(self.db, self.decl);
        for var in &machine.vars {
            for id in &var.names {
                let name = self.name(*id);
                if name.is_empty() || name.starts_with('_') || read.contains(name) || may_mean(unknown, name) {
                    continue;
                }
                if assigned.contains(name) {
                    let message = format!("the variable `{name}` is assigned, but never read");
                    self.report(Code::UnreadField, *id, message);
                } else {
                    let message = format!("the variable `{name}` is never used");
                    let mut problem = Problem::new(Code::UnusedField, *id, message);
                    if var.names.len() == 1 {
                        problem = problem.with_fix("remove the variable", var.part, Where::Instead, "");
                    }
                    self.problems.push(problem);
                }
            }
        }
    }

    fn functions(&mut self, machine: &Machine, bodies: &[&Mentions]) {
        let handlers = decl_mentions(self.db, self.decl);
        // A body that calls the function, and whether others do too.
        let mut callers: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
        for (body, mentions) in bodies.iter().enumerate() {
            for name in mentions.in_role(Role::Called) {
                callers.entry(name).and_modify(|(_, are_more)| *are_more = true).or_insert((body, false));
            }
        }
        for function in &machine.functions {
            // Code in another language may be there for more code in that language.
            let FunctionCode::Body(BodyId(own)) = function.code else { continue };
            let name = self.name(function.name);
            let is_called = callers.get(name).is_some_and(|(body, are_more)| *are_more || *body != own as usize);
            let is_used = is_called || handlers.contains(Role::Handler, name);
            let is_doubtful = || may_mean(machine_unknown(self.db, self.decl), name);
            if !is_used && !name.is_empty() && !name.starts_with('_') && !is_doubtful() {
                let message = format!("the function `{name}` is never called, and no handler");
                self.report(Code::UnusedFunction, function.name, message);
            }
        }
    }

    fn unreachable_states(&mut self, machine: &Machine) {
        let Some(start) = machine.states.iter().position(|state| state.is_start) else { return };
        let moves = Moves::new(self.db, self.decl, self.item, machine);
        if !moves.are_certain {
            return;
        }
        let reachable = moves.reachable(start);
        for (state, is_reachable) in machine.states.iter().zip(reachable) {
            let name = self.name(state.name);
            if !is_reachable && !name.is_empty() {
                let problem = Problem::new(Code::UnreachableState, state.name, format!("the state `{name}` is never entered"));
                self.problems.push(problem.with_help("no `goto` leads here from the start state"));
            }
        }
    }

    /// An event that every state defers is never handled: it stays in the queue for ever.
    pub(super) fn deferred_forever(&mut self) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        let Some(first) = machine.states.first().filter(|_| machine.kind == MachineKind::Machine) else { return };
        let deferred = |item: &StateItemKind| match item {
            StateItemKind::Defer(events) => events.clone(),
            _ => Vec::new(),
        };
        for event in first.items.iter().flat_map(|item| deferred(&item.kind)) {
            let name = self.name(event.name);
            let is_deferred = machine
                .states
                .iter()
                .all(|state| state.items.iter().flat_map(|item| deferred(&item.kind)).any(|other| self.name(other.name) == name));
            // A receive takes it in spite of that, in the machine or in a global function that it calls.
            let uses = self.uses(name);
            let is_received = uses.by(Role::Received).any(|by| by == self.decl || by.kind(self.db) == DeclKind::Function);
            if is_deferred && !is_received && !uses.is_uncertain && !name.is_empty() {
                let problem =
                    Problem::new(Code::DeferredForever, event.name, format!("every state of this machine defers `{name}`"));
                self.problems.push(problem.with_help("it is never handled: handle it in some state, or ignore it"));
            }
        }
    }

    /// Enums, tests and types.
    pub(super) fn declarations(&mut self) {
        match &self.item.decl {
            AstDecl::Enum { elements, .. } => {
                let mut seen: Vec<(i32, SmolStr)> = Vec::new();
                for element in elements {
                    let Some(id) = element.value else { continue };
                    let Ok(value) = self.name(id).parse::<i32>() else { continue };
                    let name = SmolStr::new(self.name(element.name));
                    match seen.iter().find(|(known, _)| *known == value) {
                        Some((_, other)) => {
                            let message =
                                format!("`{other}` has the number {value} already: P takes `{name}` for no element of this enum");
                            self.report(Code::DuplicateEnumValue, id, message);
                        }
                        None => seen.push((value, name)),
                    }
                }
            }
            AstDecl::Test(test) if test.wise == Some(Wise::Pairwise) && test.params.len() < 2 => {
                let message = format!("there are no pairs of {} parameters: P makes no test of this", test.params.len());
                let problem = Problem::new(Code::PairwiseTooFew, test.name, message);
                self.problems.push(problem.with_help("leave `pairwise` out"));
            }
            _ => {}
        }
        self.events_as_types();
    }

    fn events_as_types(&mut self) {
        if !self.is_for_checking() {
            return;
        }
        for (id, ty) in self.item.nodes.types.iter() {
            if let Type::Named(name) = ty
                && let Some(message) = super::generated::event_as_type(self.db, self.project, self.name(*name))
            {
                self.report(Code::EventAsType, id, message);
            }
        }
    }
}
