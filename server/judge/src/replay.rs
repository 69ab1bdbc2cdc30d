//! A trace, run again on the program as it is now.

use lockstep_runtime::{Ending, Failure, ReplayEnd, Settings};
use lockstep_trace::{Original, TraceFile, is_same_bug, tell};

use crate::judged::{Effort, Judged};
use crate::{Test, Texts, located};

/// What came of a trace.
pub struct Replayed {
    pub judged: Judged,
    /// With the story as it is now.
    pub file: TraceFile,
    /// Whether the program is the one the trace was made of, which it then has to follow.
    pub is_same_program: bool,
}

impl Replayed {
    /// Whether a trace of this very program does not do what it says.
    pub fn is_damaged(&self) -> bool {
        self.is_same_program && self.judged.bug.is_none()
    }
}

/// Runs a trace again. A bug that happens again is the same bug of the program as it is now.
pub fn replay_test(test: &Test, texts: Texts<'_>, mut file: TraceFile) -> Replayed {
    let program = &test.program;
    let is_same_program = file.is_of(program);
    let locate = |place| located(program, texts, place);
    let (story, end) = tell(program, &file.settings, &file.trace, file.repeats_from, &locate);
    file.story = story;
    file.original = match &end {
        ReplayEnd::Failed(failure) => {
            file.original.and_then(|original| original_of(test, texts, &file.settings, original, failure))
        }
        _ => None,
    };
    let judged = match end {
        ReplayEnd::Failed(failure) => Judged::with_bug(test, Effort::default(), *failure, file.clone()),
        ReplayEnd::Fine => {
            Judged::one_schedule(test, "1 schedule, no bug: it is gone from this run, and `lockstep run` looks for it in others")
        }
        ReplayEnd::Diverged(decision) => {
            let why = format!(
                "the program does not do any more what the trace says at step {}: `lockstep run` looks for the bug again",
                decision + 1
            );
            Judged::unknown(test, why)
        }
        ReplayEnd::Stopped(ending) => match *ending {
            Ending::Unsupported(what) => Judged::unsupported(test, Effort::default(), &what),
            Ending::Limited(limit) => Judged::limited(test, Effort::default(), limit, None),
            Ending::Failed(_) | Ending::NeedsChoice(_) => Judged::unknown(test, "the run ends before the trace does".to_owned()),
        },
    };
    Replayed { judged, file, is_same_program }
}

/// The run that the trace was made of, on the program as it is now. `None` if it does not end in the same bug any more.
fn original_of(test: &Test, texts: Texts<'_>, settings: &Settings, original: Original, failure: &Failure) -> Option<Original> {
    let program = &test.program;
    let (story, end) = tell(program, settings, &original.trace, None, &|place| located(program, texts, place));
    matches!(end, ReplayEnd::Failed(whole) if is_same_bug(&whole, failure)).then(|| Original { story, ..original })
}
