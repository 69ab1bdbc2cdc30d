//! Runs without an end, written down as a trace that comes back to where it was.
//!
//! Such a run violates a spec that is hot in it and never cold, if it is fair: whoever can act all the time acts, and where `$$` is asked
//! again and again in the same situation, every answer is given. That is checked here for the part of a trace that is repeated, on
//! whatever program there is: one in which `$` has become `$$` since then is not accused.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::configuration::{Configuration, Settings, Step};
use crate::domain::Choice;
use crate::failure::{Failure, Fault};
use crate::identity::MachineId;
use crate::program::{MonitorId, Program, Temperature};
use crate::run::{Choices, Script};
use crate::trace::Trace;

/// The violation of a spec that is hot all the way round from this decision on, if the trace comes back to where it was then and is fair.
pub fn hot_for_ever(program: &Program, settings: &Settings, trace: &Trace, from: usize) -> Option<Failure> {
    let mut configuration = Configuration::initial(program, settings).ok()?;
    let mut beginning = None;
    let (mut hot, mut left_out): (Vec<MonitorId>, Vec<MachineId>) = (Vec::new(), Vec::new());
    let mut fair = FairChoices::default();
    for (number, decision) in trace.decisions.iter().enumerate() {
        let enabled = configuration.enabled(program, settings);
        if !enabled.contains(&decision.step) {
            return None;
        }
        if number == from {
            hot = configuration.hot_monitors(program).map(|(monitor, _)| monitor).collect();
            left_out = enabled.iter().map(|step| step.machine.clone()).collect();
            beginning = Some(configuration.clone());
        }
        let can_act = |id: &MachineId| enabled.iter().any(|step| step.machine == *id);
        left_out.retain(|id| can_act(id) && *id != decision.step.machine);
        let before = (number >= from).then(|| Arc::new(configuration.clone()));
        let mut answers = Listed { script: Script::new(&decision.answers), asked: Vec::new() };
        let (happened, result) = configuration.apply(program, settings, &decision.step, &mut answers);
        result.ok()?;
        if let Some(before) = before {
            fair.note(&before, &decision.step, &answers.asked);
        }
        let is_cold = |id: &MonitorId| {
            let local = &configuration.monitors[id.index()];
            program.state(local.machine, local.state).temperature == Temperature::Cold
        };
        hot.retain(|monitor| !is_cold(monitor) && !happened.cooled.contains(monitor));
    }
    let is_round = beginning == Some(configuration.clone()) && left_out.is_empty() && fair.are_all_answered();
    let still_hot: Vec<MonitorId> = configuration.hot_monitors(program).map(|(monitor, _)| monitor).collect();
    let monitor = hot.into_iter().find(|monitor| is_round && still_hot.contains(monitor))?;
    let local = &configuration.monitors[monitor.index()];
    let (state, who) = (program.state(local.machine, local.state), program.machine(local.machine).name.to_string());
    Some(Failure { fault: Fault::HotForever, who, state: state.name.clone(), place: Some(state.place) })
}

/// Answers that are known beforehand, and what they were given to.
struct Listed<'a> {
    script: Script<'a>,
    asked: Vec<(Choice, u32)>,
}

impl Choices for Listed<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let answer = self.script.choose(choice)?;
        self.asked.push((choice, answer));
        Some(answer)
    }
}

/// A fair choice: in which situation, in which step, after which answers.
type Question = (Arc<Configuration>, Step, Vec<u32>);

/// Fair choices that are met again and again, with how many answers they have and which were given.
#[derive(Default)]
struct FairChoices {
    met: FxHashMap<Question, (u32, BTreeSet<u32>)>,
}

impl FairChoices {
    fn note(&mut self, before: &Arc<Configuration>, step: &Step, asked: &[(Choice, u32)]) {
        let mut given = Vec::new();
        for (choice, answer) in asked {
            if choice.is_fair {
                let question = (before.clone(), step.clone(), given.clone());
                self.met.entry(question).or_insert_with(|| (choice.options, BTreeSet::new())).1.insert(*answer);
            }
            given.push(*answer);
        }
    }

    fn are_all_answered(&self) -> bool {
        let mut all = self.met.values();
        all.all(|(options, given)| given.len() == *options as usize)
    }
}
