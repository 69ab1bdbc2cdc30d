//! Specs and scenarios: what they watch, and whether they can ever be content.

use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, EventRef, Machine, MachineKind, Temperature};
use smol_str::SmolStr;

use super::Lint;
use super::flow::is_handled_by_machines;
use super::mentions::Role;
use super::moves::Moves;
use super::owner::events;
use crate::problem::{Code, Problem};

impl Lint<'_, '_> {
    pub(super) fn specs(&mut self) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        if machine.kind == MachineKind::Machine {
            return;
        }
        self.start(machine);
        self.temperatures(machine);
    }

    pub(super) fn observed_events(&mut self) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        if machine.kind != MachineKind::Machine {
            self.observed(machine);
            self.not_observed(machine);
        }
    }

    fn start(&mut self, machine: &Machine) {
        if !machine.states.iter().any(|state| state.is_start) {
            let message = format!("`{}` has no start state: every test with it fails at once", self.name(machine.name));
            self.report(Code::SpecWithoutStart, machine.name, message);
        }
    }

    /// Events that are observed for nothing.
    fn observed(&mut self, machine: &Machine) {
        let handled: Vec<SmolStr> = handled_events(machine).map(|event| SmolStr::new(self.name(event.name))).collect();
        let is_open = self.is_open();
        for event in machine.observes.iter().filter(|event| event.kind == EventKind::Declared) {
            let name = SmolStr::new(self.name(event.name));
            if name.is_empty() {
                continue;
            }
            if !handled.contains(&name) {
                let problem = Problem::new(Code::ObservedNotHandled, event.name, format!("no state handles or ignores `{name}`"));
                self.problems.push(problem.with_help("a spec fails when it sees an event that its state does not handle"));
                continue;
            }
            let uses = self.uses(&name);
            let is_seen = uses.any(&[Role::Value, Role::Sent, Role::SentToSelf, Role::Announced]);
            // Said where the event is declared.
            let is_reported = is_handled_by_machines(self.db, &uses) && !uses.any(&[Role::Raised]);
            if !is_seen && !is_reported && !uses.is_uncertain && !is_open {
                let mut problem =
                    Problem::new(Code::ObservedNeverSent, event.name, format!("nothing sends or announces `{name}`"));
                if uses.any(&[Role::Raised]) {
                    problem = problem.with_help("it is raised, and specs do not see that");
                }
                self.problems.push(problem);
            }
        }
    }

    /// Events that are handled and never seen. What the spec raises itself it need not observe.
    fn not_observed(&mut self, machine: &Machine) {
        let mut seen: Vec<SmolStr> = machine.observes.iter().map(|event| SmolStr::new(self.name(event.name))).collect();
        for event in handled_events(machine).filter(|event| event.kind != EventKind::Null) {
            let name = SmolStr::new(self.name(event.name));
            let uses = self.uses(&name);
            let is_own = uses.is_uncertain || uses.by(Role::Value).chain(uses.by(Role::Raised)).any(|by| by == self.decl);
            if name.is_empty() || seen.contains(&name) || is_own {
                continue;
            }
            let problem =
                Problem::new(Code::HandledNotObserved, event.name, format!("`{name}` is handled here, but not observed"));
            let who = self.name(machine.name);
            self.problems.push(problem.with_help(format!("add it to the events after `observes` of `{who}`")));
            seen.push(name);
        }
    }

    fn temperatures(&mut self, machine: &Machine) {
        let is_cold = |temperature: Option<Temperature>| temperature == Some(Temperature::Cold);
        let name = self.name(machine.name);
        if machine.kind == MachineKind::Scenario {
            let start = machine.states.iter().find(|state| state.is_start);
            if !machine.states.iter().any(|state| is_cold(state.temperature)) {
                let problem =
                    Problem::new(Code::ScenarioNeverCold, machine.name, format!("the scenario `{name}` can never be satisfied"));
                self.problems.push(problem.with_help("mark the state that says it has happened with `cold`"));
            } else if let Some(start) = start.filter(|state| is_cold(state.temperature)) {
                let problem =
                    Problem::new(Code::ScenarioStartsCold, start.name, "the scenario is satisfied before anything happened");
                self.problems.push(problem.with_help("P does not count this: leave `cold` out here"));
            }
            return;
        }
        let moves = Moves::new(self.db, self.decl, self.item, machine);
        let is_hot = |number: usize| machine.states[number].temperature == Some(Temperature::Hot);
        let stays_hot = |number: &usize| {
            let reachable = moves.reachable(*number);
            is_hot(*number) && reachable.iter().enumerate().all(|(other, is_reachable)| !is_reachable || is_hot(other))
        };
        if let Some(number) = (0..machine.states.len()).find(stays_hot).filter(|_| moves.are_certain) {
            let state = &machine.states[number];
            let message = format!("once in `{}` the spec stays hot for ever", self.name(state.name));
            let problem = Problem::new(Code::HotForever, state.name, message);
            self.problems.push(problem.with_help("every run that comes here fails: no state that is not hot follows"));
        }
    }
}

/// The events that some state handles or ignores.
fn handled_events(machine: &Machine) -> impl Iterator<Item = &EventRef> {
    machine.states.iter().flat_map(|state| &state.items).flat_map(|item| events(&item.kind))
}
