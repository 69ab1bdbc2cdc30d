//! How long specs have been hot in a single run, as P counts it.

use crate::configuration::{Configuration, Happened, Settings};
use crate::failure::{Failure, Fault};
use crate::program::{MonitorId, Program, Temperature};

/// A count for each monitor. Only coming into a cold state sets it back, even if the state is left in the same step; one that is
/// neither hot nor cold stops it.
#[derive(Clone, Debug)]
pub(crate) struct Heat(Vec<u64>);

impl Heat {
    pub(crate) fn new(program: &Program) -> Self {
        Self(vec![0; program.monitors.len()])
    }

    /// Counts a step with so many decisions in it. Gives a spec that has been hot for too long.
    pub(crate) fn after_step(
        &mut self,
        program: &Program,
        settings: &Settings,
        configuration: &Configuration,
        happened: &Happened,
        decisions: u64,
    ) -> Option<Failure> {
        let most = settings.most_hot_steps?;
        let monitors = configuration.monitors.iter().zip(&program.monitors).zip(&mut self.0);
        for (id, ((local, monitor), heat)) in (0..).map(MonitorId).zip(monitors) {
            if happened.cooled.contains(&id) {
                *heat = 0;
            }
            let state = program.state(local.machine, local.state);
            match state.temperature {
                Temperature::Cold => *heat = 0,
                Temperature::Hot if !monitor.is_scenario => *heat += decisions,
                Temperature::Hot | Temperature::Warm => {}
            }
            if *heat > most {
                let who = program.machine(local.machine).name.to_string();
                let (state, place) = (state.name.clone(), Some(state.place));
                return Some(Failure { fault: Fault::HotForLong { steps: *heat }, who, state, place });
            }
        }
        None
    }
}
