//! A test with random schedules.

use std::time::{Duration, Instant};

use lockstep_runtime::{Fault, Outcome as Ended, Sampled, Sampling, Settings, Strategy, sample_while};
use lockstep_trace::Found;

use crate::judged::{Effort, Judged, Keeping, Way};
use crate::{Test, Texts};

/// What is sampled, and for how long.
#[derive(Clone, Debug)]
pub struct Sample {
    pub settings: Settings,
    pub sampling: Sampling,
    pub time: Option<Duration>,
    /// How many steps may be made to make a trace short.
    pub minimizing: u64,
    /// The paths the program was read from, for traces.
    pub paths: Vec<String>,
}

/// Runs random schedules until there is a bug, there were enough, time is over or `wants_more` says no.
pub fn sample_test(test: &Test, texts: Texts<'_>, sample: &Sample, wants_more: &mut dyn FnMut(&Sampled) -> bool) -> Judged {
    let Sample { settings, sampling, time, .. } = sample;
    let begun = Instant::now();
    let mut is_unwanted = false;
    let sampled = sample_while(&test.program, settings, sampling, &mut |so_far| {
        is_unwanted = !wants_more(so_far);
        !is_unwanted && time.is_none_or(|time| begun.elapsed() < time)
    });
    let effort = Effort { schedules: sampled.schedules, cut_off: sampled.given_up, steps: sampled.steps };
    match &sampled.outcome {
        Ended::NoBug => {
            let time = time.filter(|_| !is_unwanted);
            Judged::sampled(test, settings, sampling, &sampled, time)
        }
        Ended::Limited(limit, trace) => Judged::limited(test, effort, *limit, Some((settings, trace))),
        Ended::Unsupported(what) => Judged::unsupported(test, effort, what),
        Ended::Failed(failure, trace) => {
            let by = match sampling.strategy {
                Strategy::Pct { .. } => "random schedules with priorities",
                Strategy::Sticky { .. } => "random schedules with few changes",
                _ => "random schedules",
            };
            // Heat counts in some schedules only, and if it was no reason it must not become one.
            let most_hot_steps = settings.most_hot_steps.filter(|_| matches!(failure.fault, Fault::HotForLong { .. }));
            let settings = Settings { most_hot_steps, ..*settings };
            let schedule = Some(sampled.schedules.into());
            let found = Found { by: by.to_owned(), seed: Some(sampling.seed), schedule, decisions: trace.decisions.len() };
            let keeping = Keeping { texts, minimizing: sample.minimizing, paths: &sample.paths };
            Judged::refuted(test, &settings, Way { trace, repeats_from: None, found }, effort, &keeping)
        }
    }
}
