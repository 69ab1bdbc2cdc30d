//! What is known of a test in the end.
//!
//! Invariant: `Refuted` comes with a trace that `tell` has run again on this program; what does not happen again is `Unknown`.

use std::time::Duration;

use lockstep_base::verdict::{Outcome, Scope, Verdict};
use lockstep_explore::{Exhausted, Hints, Stats};
use lockstep_runtime::{
    Abstraction, Delivery, Failure, Fault, Limit, Program, ReplayEnd, Sampled, Sampling, Settings, Trace, Unsupported, last_mover,
};
use lockstep_trace::{Found, Original, TraceFile, minimize, tell};

use crate::words::{grouped, number, seconds};
use crate::{Test, Texts, config, located};

/// How many steps are made to make a trace short, if nobody says otherwise.
pub const MINIMIZING: u64 = 2_000_000;

/// What is known of a test.
pub struct Judged {
    pub project: String,
    pub test: String,
    /// The verdict, its scope, and why in words. The trace of a bug gets its name from who keeps it.
    pub outcome: Outcome,
    pub effort: Effort,
    pub bug: Option<Bug>,
    /// Why a search may not have come to an end.
    pub hints: Option<Hints>,
    /// If the engine was left open, or was not the one that was asked for: which one it was, and why.
    pub picked: Option<String>,
    /// Whether the same work on the same program would say the same: no clock, no memory and nobody's wish has ended it.
    pub is_final: bool,
}

/// How much was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub schedules: u32,
    pub cut_off: u32,
    pub steps: u64,
}

/// A bug with its run.
pub struct Bug {
    pub failure: Failure,
    pub file: TraceFile,
}

/// A run to a bug.
pub(crate) struct Way<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) repeats_from: Option<usize>,
    pub(crate) found: Found,
}

/// How traces are made.
pub(crate) struct Keeping<'a> {
    pub(crate) texts: Texts<'a>,
    /// How many steps may be made to make one short; none for one that stays as it was found.
    pub(crate) minimizing: u64,
    /// The paths the program was read from.
    pub(crate) paths: &'a [String],
}

impl Judged {
    fn plain(test: &Test, effort: Effort, verdict: Verdict, scope: Option<Scope>, why: String) -> Self {
        let outcome = Outcome { verdict, scope, ..Outcome::not_run(why) };
        let (project, name) = (test.project.clone(), test.program.name.clone());
        let is_final = verdict != Verdict::Unknown;
        Self { project, test: name, outcome, effort, bug: None, hints: None, picked: None, is_final }
    }

    /// Some schedules were run and there is no bug in them. `time` is what they were given, if nobody else has stopped them.
    pub(crate) fn sampled(
        test: &Test,
        settings: &Settings,
        sampling: &Sampling,
        sampled: &Sampled,
        time: Option<Duration>,
    ) -> Self {
        let (planned, most_steps, delivery) = (sampling.schedules, sampling.most_steps, delivered(settings));
        let effort = Effort { schedules: sampled.schedules, cut_off: sampled.given_up, steps: sampled.steps };
        let cut = match sampled.given_up {
            0 => String::new(),
            cut => format!("; {} cut off after {} steps", grouped(cut.into()), grouped(most_steps)),
        };
        let runs = number(sampled.schedules.into(), "schedule");
        if !sampled.was_stopped {
            let scope = Scope::Schedules { count: sampled.schedules.into() };
            return Self::plain(test, effort, Verdict::Sampled, Some(scope), format!("{runs}, no bug{cut} ({delivery})"));
        }
        let planned = grouped(planned.into());
        match time {
            Some(time) if sampled.schedules > 0 => {
                let scope = Scope::Schedules { count: sampled.schedules.into() };
                let longer = seconds(time);
                let why = format!("{runs}, no bug{cut}; {planned} would have taken longer than {longer} ({delivery})");
                Self { is_final: false, ..Self::plain(test, effort, Verdict::Sampled, Some(scope), why) }
            }
            Some(time) => {
                let why = format!("not even one schedule ended within {}", seconds(time));
                Self::plain(test, effort, Verdict::Unknown, None, why)
            }
            None => {
                let why = format!("interrupted after {runs} of {planned}, no bug in them{cut}");
                Self::plain(test, effort, Verdict::Unknown, None, why)
            }
        }
    }

    /// A search was not finished, but there is no bug in the random schedules before it.
    pub(crate) fn some_schedules(test: &Test, effort: Effort, schedules: u64, why: String) -> Self {
        let scope = Some(Scope::Schedules { count: schedules });
        Self { is_final: false, ..Self::plain(test, effort, Verdict::Sampled, scope, why) }
    }

    /// One run, and no bug in it.
    pub(crate) fn one_schedule(test: &Test, why: &str) -> Self {
        let effort = Effort { schedules: 1, ..Effort::default() };
        Self::plain(test, effort, Verdict::Sampled, Some(Scope::Schedules { count: 1 }), why.to_owned())
    }

    /// A bound of ours was reached, in the last step of this run.
    pub(crate) fn limited(test: &Test, effort: Effort, limit: Limit, run: Option<(&Settings, &Trace)>) -> Self {
        Self::plain(test, effort, Verdict::Unknown, None, format!("{limit}{}", whose_step(test, run)))
    }

    /// Everything there is was looked at.
    pub(crate) fn exhausted(test: &Test, settings: &Settings, stats: &Stats, found: &Exhausted) -> Self {
        let Exhausted { states, transitions, depth, certainty } = *found;
        let (machines, delivery) = (stats.machines, delivered(settings));
        let effort = Effort { steps: transitions, ..Effort::default() };
        let steps = number(transitions, "step");
        let leaves_out = stats.reduction.symmetry || stats.reduced + stats.asleep > 0;
        let why = match states {
            states if stats.symbolic.is_some() && leaves_out => format!(
                "every behaviour; {} as sets of states stand for all of them, no bug ({delivery}, {}, {certainty})",
                number(states, "state"),
                reduced(stats)
            ),
            states if stats.symbolic.is_some() => format!(
                "all {} as sets of states, none further than {} away, no bug ({delivery}, {certainty})",
                number(states, "state"),
                number(depth.into(), "step")
            ),
            1 => format!("there is one state, and no bug in it ({delivery}, {certainty})"),
            states if leaves_out => format!(
                "every behaviour; {} states and {steps} stand for all of them, no bug ({delivery}, {}, {certainty})",
                grouped(states),
                reduced(stats)
            ),
            states => format!(
                "all {} states with {steps} between them, none further than {} away, no bug ({delivery}, {certainty})",
                grouped(states),
                number(depth.into(), "step")
            ),
        };
        Self::plain(test, effort, Verdict::Exhausted, Some(Scope::Bounded { machines, states }), why)
    }

    /// Nothing is wrong, whatever values are that were taken together.
    pub(crate) fn proved(test: &Test, program: &Program, settings: &Settings, stats: &Stats, found: &Exhausted) -> Self {
        let kept = |one: &Abstraction| {
            let values: Vec<String> = one.values.iter().map(i64::to_string).collect();
            let field = one.field.as_deref().map_or_else(|| "numbers".to_owned(), |field| format!("`{field}`"));
            if values.is_empty() { field } else { format!("{field} but {}", values.join(", ")) }
        };
        let effective = stats.together.iter().filter_map(|id| program.abstractions.get(id.index()));
        let together: Vec<String> = effective.map(kept).collect();
        let Exhausted { states, transitions, certainty, .. } = *found;
        let why = format!(
            "for every value of what was taken together ({}): {} and {} stand for all behaviours, no bug ({}, {certainty})",
            together.join("; "),
            number(states, "state"),
            number(transitions, "step"),
            delivered(settings)
        );
        let effort = Effort { steps: transitions, ..Effort::default() };
        Self::plain(test, effort, Verdict::Proved, Some(Scope::Bounded { machines: stats.machines, states }), why)
    }

    pub(crate) fn unknown(test: &Test, why: String) -> Self {
        Self::plain(test, Effort::default(), Verdict::Unknown, None, why)
    }

    /// A search was given up.
    pub(crate) fn given_up(test: &Test, effort: Effort, why: String, hints: Option<Hints>) -> Self {
        Self { hints, ..Self::plain(test, effort, Verdict::Unknown, None, why) }
    }

    pub(crate) fn unsupported(test: &Test, effort: Effort, unsupported: &Unsupported) -> Self {
        let foreign = test.program.functions.iter().find(|function| {
            function.is_foreign()
                && function.place == unsupported.place
                && unsupported.what.contains(&format!("`{}`", function.name))
        });
        let help = foreign.map(|function| config::advice(&function.name));
        let why = match &help {
            Some(help) => format!("{}: {help}", unsupported.what),
            None => format!("{}, which cannot be run", unsupported.what),
        };
        Self::plain(test, effort, Verdict::Unsupported, None, why)
    }

    /// A bug that a trace shows: made short and told.
    pub(crate) fn refuted(
        test: &Test,
        settings: &Settings,
        Way { trace, repeats_from, found }: Way<'_>,
        effort: Effort,
        keeping: &Keeping<'_>,
    ) -> Self {
        let program = &test.program;
        let short = (keeping.minimizing > 0).then(|| minimize(program, settings, trace, keeping.minimizing)).flatten();
        let locate = |place| located(program, keeping.texts, place);
        let (trace, original) = match short {
            Some(short) => {
                let (whole, _) = tell(program, settings, trace, None, &locate);
                let original = Original::kept(trace, whole, &short.trace);
                (short.trace, original)
            }
            None => (trace.clone(), None),
        };
        let (story, end) = tell(program, settings, &trace, repeats_from, &locate);
        let ReplayEnd::Failed(failure) = end else {
            // The truth of a bug is that it happens again.
            let why = "a bug was found that does not happen again when its run is repeated: please report this".to_owned();
            return Self::plain(test, effort, Verdict::Unknown, None, why);
        };
        let file = TraceFile {
            test: program.name.clone(),
            paths: keeping.paths.to_vec(),
            fingerprint: program.fingerprint().to_string(),
            settings: *settings,
            found,
            trace,
            repeats_from,
            story,
            original,
        };
        Self::with_bug(test, effort, *failure, file)
    }

    /// A bug whose trace is there already. That a spec has been hot for long is no bug yet.
    pub(crate) fn with_bug(test: &Test, effort: Effort, failure: Failure, file: TraceFile) -> Self {
        let (verdict, why) = match failure.fault {
            Fault::HotForLong { .. } => {
                (Verdict::Unknown, format!("{}; that is a guess, and `lockstep explore` can tell", failure.fault))
            }
            _ => (Verdict::Refuted, failure.fault.to_string()),
        };
        let mut judged = Self::plain(test, effort, verdict, None, why);
        judged.outcome.code = Some(failure.fault.code().to_owned());
        judged.bug = Some(Bug { failure, file });
        judged
    }
}

/// Which behaviours of messages a verdict is about.
fn delivered(settings: &Settings) -> &'static str {
    match settings.delivery {
        Delivery::Inbox => "inbox delivery",
        Delivery::Network => "network delivery",
    }
}

/// What need not be looked at because something else shows the same.
fn reduced(stats: &Stats) -> &'static str {
    match (stats.reduced + stats.asleep > 0, stats.reduction.symmetry) {
        (true, true) => "reduced by order and symmetry",
        (true, false) => "reduced by order",
        (false, _) => "reduced by symmetry",
    }
}

/// Who made the last step of a run, for messages.
pub(crate) fn whose_step(test: &Test, run: Option<(&Settings, &Trace)>) -> String {
    let mover = run.and_then(|(settings, trace)| last_mover(&test.program, settings, trace));
    mover.map(|(who, state)| format!(", in a step of `{who}` in state `{state}`")).unwrap_or_default()
}
