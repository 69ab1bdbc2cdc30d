//! A trace, run again on the program as it is now.

use lockstep_runtime::{Ending, Failure, Fault, ReplayEnd, Settings};
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
    if matches!(&end, ReplayEnd::Failed(failure) if !matches!(failure.fault, Fault::HotForever)) {
        file.repeats_from = None;
    }
    file.original = match &end {
        ReplayEnd::Failed(failure) => {
            file.original.and_then(|original| original_of(test, texts, &file.settings, original, failure))
        }
        _ => None,
    };
    let judged = match end {
        ReplayEnd::Failed(failure) => Judged::with_bug(test, Effort::default(), *failure, file.clone()),
        ReplayEnd::Fine => {
            let why = "the recorded decisions were followed to their end, no bug: it is gone from this run, and `lockstep run` looks for \
                       it in others";
            Judged::one_schedule(test, why)
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

#[cfg(test)]
mod tests {
    use lockstep_base::Text;
    use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
    use lockstep_runtime::{Options, Sampling, lower};
    use lockstep_syntax::{Language, Parse};

    use super::*;
    use crate::{MINIMIZING, Sample, sample_test};

    /// The bug needs nothing of what the idler does.
    const PROGRAM: &str = "event eGo;
machine Main {
    start state S { entry { new Idler(); send this, eGo; } on eGo do { assert false; } }
}
machine Idler {
    var turns: int;
    start state T { entry { send this, eGo; } on eGo do { turns = turns + 1; if (turns < 3) send this, eGo; } }
}
test tc [main=Main]: { Main, Idler };
";

    fn test(text: &str) -> Test {
        let db = Database::default();
        let file = SourceFile::open(&db, "test.p", Parse::new(Language::P, text));
        let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
        let program = lower(&db, project, &project_tests(&db, project)[0], &Options::default()).expect("there are no errors");
        Test::plain("test".to_owned(), program)
    }

    /// A trace of the program in which the idler was not left out.
    fn trace() -> TraceFile {
        let mut files = (0..50).map(|seed| {
            let sampling = Sampling { seed, schedules: 10, ..Sampling::default() };
            let settings = Settings::default();
            let sample = Sample { settings, sampling, time: None, minimizing: MINIMIZING, paths: Vec::new() };
            let judged = sample_test(&test(PROGRAM), &|_| Some(Text::from(PROGRAM)), &sample, &mut |_| true);
            judged.bug.expect("it always goes wrong").file
        });
        files.find(|file| file.original.as_ref().is_some_and(|it| it.story.moments.len() > 8)).expect("the idler acts early")
    }

    fn replayed(text: &str) -> Replayed {
        replay_test(&test(text), &|_| Some(Text::from(text)), trace())
    }

    #[test]
    fn the_whole_run_is_told_anew_too() {
        let replayed = replayed(&format!("// A comment.\n{PROGRAM}"));
        assert!(replayed.is_same_program && replayed.judged.bug.is_some());
        let original = replayed.file.original.expect("it is still a run of the program");
        let (before, after) = (trace().original.unwrap().story, original.story);
        assert_eq!(before.moments.len(), after.moments.len());
        for (before, after) in before.places().zip(after.places()) {
            assert_eq!(before.line + 1, after.line);
        }
    }

    #[test]
    fn a_run_that_fails_does_not_repeat_itself() {
        let file = TraceFile { repeats_from: Some(0), ..trace() };
        let replayed = replay_test(&test(PROGRAM), &|_| Some(Text::from(PROGRAM)), file);
        let bug = replayed.judged.bug.expect("it goes wrong");
        assert_eq!((bug.file.repeats_from, bug.file.story.repeats_from), (None, None));
        let message = bug.file.story.bug.expect("it is told").message;
        assert!(!message.contains("happens again"), "{message}");
    }

    #[test]
    fn a_whole_run_that_cannot_happen_any_more_is_dropped() {
        let replayed = replayed(&PROGRAM.replace("entry { send this, eGo; } on", "entry { } on"));
        assert!(!replayed.is_same_program);
        let bug = replayed.judged.bug.expect("what the bug needs is still there");
        assert_eq!((bug.file.original, replayed.file.original), (None, None));
    }
}
