//! Runs that stay hot for ever.
//!
//! A spec is violated by a run without an end in which it is hot again and again and never cold again, not
//! even for a moment within a step, since that sets P's count back too. Only *fair* runs count: a machine
//! that can move all the time moves some time, and where `$$` is asked again and again in the same situation, every answer comes. A
//! plain choice can be answered the same way for ever.
//!
//! Such a run exists if and only if there is one that repeats itself, and it repeats itself within a strongly connected part of the graph of
//! states in which the spec is not cold. A part is no such run if some machine could move in all its states and never does in it; then
//! no smaller part is either. If a fair choice has answers that lead out of the part, whoever stays cannot ask it again and again: those steps
//! are taken away, and what is left of the part is looked at again.

mod graph;
mod lasso;
mod parts;

use lockstep_runtime::{Failure, Fault, Program, Temperature, hot_for_ever};

use crate::counterexample::{self, Next};
use crate::options::Budgets;
use crate::report::{Bug, Why};
use crate::steps::Shared;
use crate::store::Store;
use crate::worker::Worker;
use graph::Graph;

/// Whether some spec has a hot state.
pub fn is_asked(program: &Program) -> bool {
    (0..program.monitors.len()).any(|monitor| has_hot_states(program, monitor))
}

fn has_hot_states(program: &Program, monitor: usize) -> bool {
    let monitor = &program.monitors[monitor];
    let mut states = program.machine(monitor.machine).states.iter();
    !monitor.is_scenario && states.any(|state| state.temperature == Temperature::Hot)
}

/// A fair run that stays hot for ever, if there is one among states that have all been looked at.
pub(crate) fn find(
    program: &Program,
    shared: &Shared<'_>,
    worker: &mut Worker<'_>,
    store: &Store,
    budgets: &Budgets,
) -> Result<Option<Bug>, Why> {
    for monitor in (0..program.monitors.len()).filter(|monitor| has_hot_states(program, *monitor)) {
        let mut graph = Graph::of(program, shared, worker, store, monitor, budgets)?;
        let Some(part) = parts::fair_part(&mut graph) else { continue };
        let (start, steps) = lasso::around(&graph, store, &part);
        let stem = counterexample::trace(shared, worker, store, start, None);
        let steps: Vec<Next> = steps.into_iter().map(|number| Next { number, keeps_names: true }).collect();
        let (cycle, _) = counterexample::follow(shared, worker, store.state(start), &steps);
        let repeats_from = stem.decisions.len();
        let mut trace = stem;
        trace.decisions.extend(cycle.decisions);
        // The plain interpreter has to agree.
        let Some(failure) = hot_for_ever(program, &shared.settings, &trace, repeats_from) else {
            let who = program.machine(program.monitors[monitor].machine).name.to_string();
            let failure = Failure { fault: Fault::HotForever, who, state: "".into(), place: None };
            return Err(Why::NotReplayed(Box::new(failure)));
        };
        return Ok(Some(Bug { failure, trace, repeats_from: Some(repeats_from) }));
    }
    Ok(None)
}
