//! From a state back to the run that reached it, and the check that the plain interpreter agrees.

use lockstep_runtime::{Action, Decision, Failure, MachineId, Program, ReplayEnd, Settings, Step, Trace, replay};
use rustc_hash::FxHashMap;

use crate::steps::Shared;
use crate::store::{StateId, Store};
use crate::tables::{MONITORS, Who};
use crate::worker::Worker;

/// The run that reaches a state, and one step more if a step is given.
pub(crate) fn trace(shared: &Shared<'_>, worker: &mut Worker<'_>, store: &Store, to: StateId, last: Option<u32>) -> Trace {
    let mut steps: Vec<Next> = last.into_iter().map(|number| Next { number, keeps_names: true }).collect();
    let mut at = to;
    while let Some(way) = store.way(at) {
        steps.push(Next { number: way.step, keeps_names: store.has_own_names(at) });
        at = way.from;
    }
    steps.reverse();
    let Ok(initial) = shared.initial() else { return Trace::default() };
    follow(shared, worker, initial, &steps).0
}

/// A step by its number, and whether the state after it has the names with which it is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub(crate) number: u32,
    pub(crate) keeps_names: bool,
}

/// The decisions of these steps from a state on, and the state after them. Where states stand for others with other names, the decisions
/// are those of a run in which everybody has the name that it was created with.
pub(crate) fn follow(shared: &Shared<'_>, worker: &mut Worker<'_>, from: Vec<u32>, steps: &[Next]) -> (Trace, Vec<u32>) {
    let mut state = from;
    let mut trace = Trace::default();
    let mut names = Names::default();
    names.add_new(shared, worker, &state);
    for &Next { number, keeps_names } in steps {
        let made = worker.step(&state, number, keeps_names);
        if made.is_empty() {
            break;
        }
        for (who, steps, index) in made {
            let transition = &steps.all[index];
            let tables = shared.tables();
            let machine = names.real(tables.machine_id(who));
            let action = match tables.action_of(transition.action) {
                Action::Take { from: Some(from) } => Action::Take { from: Some(names.real(from)) },
                action => action.clone(),
            };
            trace.decisions.push(Decision { step: Step { machine, action }, answers: transition.outcome.answers.to_vec() });
        }
        state.clear();
        state.extend_from_slice(worker.after_step());
        let renames = worker.renames().to_vec();
        if renames.is_empty() {
            names.add_new(shared, worker, &state);
        } else {
            names.exchange(shared, &renames);
        }
    }
    (trace, state)
}

/// The names machines really have, by the names they have in the states of the search.
#[derive(Default)]
struct Names {
    real: FxHashMap<MachineId, MachineId>,
}

impl Names {
    /// A machine that was created just now is known by its creator.
    fn real(&self, id: &MachineId) -> MachineId {
        if let Some(known) = self.real.get(id) {
            return known.clone();
        }
        id.creator().map_or_else(MachineId::main, |(creator, before)| self.real(&creator).child(before))
    }

    fn add_new(&mut self, shared: &Shared<'_>, worker: &mut Worker<'_>, state: &[u32]) {
        for number in state {
            let Some(who) = worker.component(*number).map(|component| component.who).filter(|who| *who < MONITORS) else { break };
            let id = shared.tables().machine_id(who).clone();
            let real = self.real(&id);
            self.real.insert(id, real);
        }
    }

    fn exchange(&mut self, shared: &Shared<'_>, renames: &[(Who, Who)]) {
        let tables = shared.tables();
        let named = renames.iter().map(|(old, new)| (tables.machine_id(*new).clone(), self.real(tables.machine_id(*old))));
        self.real = named.collect();
    }
}

/// The failure that the plain interpreter shows at the end of this run, if it is the one that was found. Machines can have other names
/// in it.
pub(crate) fn shown(program: &Program, settings: &Settings, trace: &Trace, failure: &Failure) -> Option<Failure> {
    match replay(program, settings, trace).end {
        ReplayEnd::Failed(shown) => {
            let is_same =
                shown.fault.kind() == failure.fault.kind() && shown.place == failure.place && shown.state == failure.state;
            is_same.then_some(*shown)
        }
        ReplayEnd::Fine | ReplayEnd::Diverged(_) | ReplayEnd::Stopped(_) => None,
    }
}
