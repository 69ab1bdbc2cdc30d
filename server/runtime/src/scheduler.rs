//! Random runs of a test.
//!
//! Everything random comes from one seed: the same seed gives the same runs.

mod strategy;
#[cfg(test)]
mod tests;

use crate::configuration::{Configuration, Ending, Settings, Step};
use crate::domain::Choice;
use crate::failure::{Failure, Limit, Unsupported};
use crate::heat::Heat;
use crate::program::Program;
use crate::run::Choices;
use crate::trace::{Decision, Trace};

pub use strategy::Strategy;
use strategy::{Random, Scheduler};

/// How a test is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    pub seed: u64,
    pub schedules: u32,
    /// A schedule that has made so many steps is given up; it counts as one without a bug.
    pub most_steps: u64,
    pub strategy: Strategy,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { seed: 0, schedules: 100, most_steps: 10_000, strategy: Strategy::Random }
    }
}

/// What sampling found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampled {
    pub outcome: Outcome,
    /// How many schedules were run, with the one that failed.
    pub schedules: u32,
    /// How many of them were given up.
    pub given_up: u32,
    pub steps: u64,
    /// Most options that a choice had.
    pub widest: u32,
    /// Whether it ended early because nobody wanted more. The schedule that was under way does not count.
    pub was_stopped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    NoBug,
    Failed(Box<Failure>, Trace),
    Limited(Limit, Trace),
    Unsupported(Unsupported),
}

/// How many decisions are made between two questions whether to go on.
const WATCHED: usize = 64;

/// Runs random schedules until one fails.
pub fn sample(program: &Program, settings: &Settings, sampling: &Sampling) -> Sampled {
    sample_while(program, settings, sampling, &mut |_| true)
}

/// Runs random schedules until one fails or `wants_more`, which is asked again and again with what there is so far, says no.
pub fn sample_while(
    program: &Program,
    settings: &Settings,
    sampling: &Sampling,
    wants_more: &mut dyn FnMut(&Sampled) -> bool,
) -> Sampled {
    sample_watched(program, settings, sampling, wants_more, &mut |_, _| {})
}

/// The same, and `watch` is shown every step with what it has led to.
pub fn sample_watched(
    program: &Program,
    settings: &Settings,
    sampling: &Sampling,
    wants_more: &mut dyn FnMut(&Sampled) -> bool,
    watch: &mut dyn FnMut(&Step, &Configuration),
) -> Sampled {
    let mut random = Random::new(sampling.seed);
    let mut scheduler = Scheduler::new(sampling.strategy);
    let mut sampled = Sampled { outcome: Outcome::NoBug, schedules: 0, given_up: 0, steps: 0, widest: 0, was_stopped: false };
    while sampled.schedules < sampling.schedules {
        scheduler.begin(&mut random);
        let mut schedule =
            Schedule { program, settings, sampling, random: &mut random, scheduler: &mut scheduler, steps: 0, widest: 0 };
        let end = schedule.run(&mut || wants_more(&sampled), watch);
        sampled.steps += schedule.steps;
        sampled.widest = sampled.widest.max(schedule.widest);
        sampled.schedules += 1;
        match end {
            ScheduleEnd::Finished => {}
            ScheduleEnd::GivenUp => sampled.given_up += 1,
            ScheduleEnd::Stopped => {
                sampled.schedules -= 1;
                sampled.was_stopped = true;
                break;
            }
            ScheduleEnd::Ended(outcome) => {
                sampled.outcome = outcome;
                break;
            }
        }
    }
    sampled
}

enum ScheduleEnd {
    Stopped,
    Finished,
    GivenUp,
    Ended(Outcome),
}

struct Schedule<'a> {
    program: &'a Program,
    settings: &'a Settings,
    sampling: &'a Sampling,
    random: &'a mut Random,
    scheduler: &'a mut Scheduler,
    steps: u64,
    widest: u32,
}

impl Schedule<'_> {
    fn run(&mut self, wants_more: &mut dyn FnMut() -> bool, watch: &mut dyn FnMut(&Step, &Configuration)) -> ScheduleEnd {
        let mut trace = Trace::default();
        let mut configuration = match Configuration::initial(self.program, self.settings) {
            Ok(configuration) => configuration,
            Err(ending) => return ScheduleEnd::Ended(outcome(ending, trace)),
        };
        let mut heat = Heat::new(self.program);
        loop {
            if trace.decisions.len().is_multiple_of(WATCHED) && !wants_more() {
                return ScheduleEnd::Stopped;
            }
            let enabled = configuration.enabled(self.program, self.settings);
            if enabled.is_empty() {
                return match configuration.stuck(self.program) {
                    Some(failure) => ScheduleEnd::Ended(Outcome::Failed(Box::new(failure), trace)),
                    None => ScheduleEnd::Finished,
                };
            }
            if self.steps >= self.sampling.most_steps {
                return ScheduleEnd::GivenUp;
            }
            let step = enabled[self.scheduler.pick(&enabled, self.random)].clone();
            let mut answers =
                Answers { random: self.random, scheduler: self.scheduler, given: Vec::new(), widest: self.widest, wants_more };
            let (happened, result) = configuration.apply(self.program, self.settings, &step, &mut answers);
            watch(&step, &configuration);
            self.widest = answers.widest;
            let answers = answers.given;
            let queries = 1 + answers.len() as u64;
            self.steps += queries;
            trace.decisions.push(Decision { step, answers });
            match result {
                Ok(()) => {}
                Err(Ending::Limited(Limit::Interrupted)) => return ScheduleEnd::Stopped,
                Err(ending) => return ScheduleEnd::Ended(outcome(ending, trace)),
            }
            if self.scheduler.counts_heat()
                && let Some(failure) = heat.after_step(self.program, self.settings, &configuration, &happened, queries)
            {
                return ScheduleEnd::Ended(Outcome::Failed(Box::new(failure), trace));
            }
        }
    }
}

fn outcome(ending: Ending, trace: Trace) -> Outcome {
    match ending {
        Ending::Failed(failure) => Outcome::Failed(failure, trace),
        Ending::Limited(limit) => Outcome::Limited(limit, trace),
        Ending::Unsupported(what) => Outcome::Unsupported(what),
        // Random answers never end.
        Ending::NeedsChoice(_) => Outcome::NoBug,
    }
}

/// Random answers, written down.
struct Answers<'a> {
    random: &'a mut Random,
    scheduler: &'a Scheduler,
    given: Vec<u32>,
    widest: u32,
    wants_more: &'a mut dyn FnMut() -> bool,
}

impl Choices for Answers<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let answer = self.scheduler.answer(choice.options, self.given.len(), self.random);
        self.given.push(answer);
        self.widest = self.widest.max(choice.options);
        Some(answer)
    }

    fn is_over(&mut self) -> bool {
        !(self.wants_more)()
    }
}
