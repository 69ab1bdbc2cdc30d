//! Traces of small programs: told, made short, written and read, drawn.

use expect_test::{Expect, expect};
use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_runtime::{Delivery, Options, Outcome, Place, Program, ReplayEnd, Sampling, Settings, Trace, lower, replay, sample};
use lockstep_syntax::{Language, Parse};

use crate::*;

const RELAY: &str = "
event Go: int;
event Note: (by: machine, round: int);
event Done;
machine Main {
    var left: machine;
    var i: int;
    start state Init {
        entry {
            left = new Worker((next = this, limit = 2));
            new Idler();
            while (i < 4) { send left, Go, i; i = i + 1; }
        }
        ignore Note;
        on Done do { print format(\"done\"); }
    }
}
machine Idler {
    var turns: int;
    start state Turn { entry { send this, Done; } on Done do { turns = turns + 1; if (turns < 5) send this, Done; } }
}
machine Worker {
    var next: machine;
    var seen: int;
    start state Work {
        entry (given: (next: machine, limit: int)) { next = given.next; seen = seen + given.limit; }
        on Go do (round: int) {
            seen = seen + 1;
            send next, Note, (by = this, round = round);
            if ($) goto Tired;
        }
    }
    state Tired { on Go do (round: int) { assert round < 3, \"too late\"; } }
}
spec Rounds observes Note {
    var last: int;
    start state Watch { on Note do (note: (by: machine, round: int)) { last = note.round; } }
}
test tc [main=Main]: assert Rounds in { Main, Worker, Idler };
";

fn program(text: &str) -> Program {
    let db = Database::default();
    let file = SourceFile::open(&db, "relay.p", Parse::new(Language::P, text));
    let project = Project::open(&db, "relay", vec![Member::from(file)], Purpose::Checking);
    let cases = project_tests(&db, project);
    lower(&db, project, &cases[0], &Options::default()).expect("the program has no errors")
}

fn located(text: &str, place: Place) -> Option<Located> {
    let at = |offset| {
        let before = &text[..usize::from(offset)];
        let column = before.chars().rev().take_while(|character| *character != '\n').count();
        (u32::try_from(before.matches('\n').count()).unwrap() + 1, u32::try_from(column).unwrap() + 1)
    };
    let ((line, column), (end_line, end_column)) = (at(place.range.start()), at(place.range.end()));
    Some(Located { path: "relay.p".to_owned(), line, column, end_line, end_column })
}

fn failing(program: &Program, settings: &Settings, seed: u64) -> Trace {
    let sampling = Sampling { seed, schedules: 1_000, ..Sampling::default() };
    match sample(program, settings, &sampling).outcome {
        Outcome::Failed(_, trace) => trace,
        other => panic!("no bug was found: {other:?}"),
    }
}

fn network() -> Settings {
    Settings { delivery: Delivery::Network, ..Settings::default() }
}

fn short(program: &Program, settings: &Settings, seed: u64) -> Minimized {
    minimize(program, settings, &failing(program, settings, seed), 1_000_000).expect("the trace shows a bug")
}

fn check(settings: &Settings, expected: Expect) {
    let program = program(RELAY);
    let found = short(&program, settings, 1);
    let (story, _) = tell(&program, settings, &found.trace, None, &|place| located(RELAY, place));
    assert!(story.is_whole());
    expected.assert_eq(&text(&story));
}

#[test]
fn a_short_trace_as_text() {
    check(
        &Settings::default(),
        expect![[r#"
              1  Main(1) starts                                                            relay.p:9
              2  Main(1) creates Worker(1.1)                                               relay.p:10
                   left: null -> Worker(1.1)
              3  Main(1) creates Idler(1.2)                                                relay.p:11
              4  Main(1) sends Go(0) to Worker(1.1)                                        relay.p:12
                   i: 0 -> 1
              5  Main(1) sends Go(1) to Worker(1.1)                                        relay.p:12
                   i: 1 -> 2
              6  Main(1) sends Go(2) to Worker(1.1)                                        relay.p:12
                   i: 2 -> 3
              7  Main(1) sends Go(3) to Worker(1.1)                                        relay.p:12
                   i: 3 -> 4
              8  Worker(1.1) starts with (next = Main(1), limit = 2)                       relay.p:26
                   next: null -> Main(1)
                   seen: 0 -> 2
              9  Worker(1.1) takes Go(0) from Main(1)                                      relay.p:27
                   seen: 2 -> 3
             10  Rounds sees Note(by = Worker(1.1), round = 0) of Worker(1.1)              relay.p:37
             11  Worker(1.1) sends Note(by = Worker(1.1), round = 0) to Main(1), which ignores it  relay.p:29
                   chooses true, possibility 2 of 2
                   state: Work -> Tired
             12  Worker(1.1) takes Go(1) from Main(1)                                      relay.p:33
             13  Worker(1.1) takes Go(2) from Main(1)                                      relay.p:33
             14  Worker(1.1) takes Go(3) from Main(1)                                      relay.p:33
            bug at relay.p:33 [LS3001]
                 Worker(1.1) in Tired: this assertion does not hold: too late
        "#]],
    );
}

#[test]
fn the_same_with_messages_on_a_network() {
    check(
        &network(),
        expect![[r#"
              1  Main(1) starts                                                            relay.p:9
              2  Main(1) creates Worker(1.1)                                               relay.p:10
                   left: null -> Worker(1.1)
              3  Main(1) creates Idler(1.2)                                                relay.p:11
              4  Main(1) sends Go(0) to Worker(1.1)                                        relay.p:12
                   i: 0 -> 1
              5  Main(1) sends Go(1) to Worker(1.1)                                        relay.p:12
                   i: 1 -> 2
              6  Main(1) sends Go(2) to Worker(1.1)                                        relay.p:12
                   i: 2 -> 3
              7  Main(1) sends Go(3) to Worker(1.1)                                        relay.p:12
                   i: 3 -> 4
              8  Worker(1.1) starts with (next = Main(1), limit = 2)                       relay.p:26
                   next: null -> Main(1)
                   seen: 0 -> 2
              9  Worker(1.1) takes Go(0) from Main(1)                                      relay.p:27
                   seen: 2 -> 3
             10  Rounds sees Note(by = Worker(1.1), round = 0) of Worker(1.1)              relay.p:37
             11  Worker(1.1) sends Note(by = Worker(1.1), round = 0) to Main(1) (not taken before the end)  relay.p:29
                   chooses true, possibility 2 of 2
                   state: Work -> Tired
             12  Worker(1.1) takes Go(1) from Main(1)                                      relay.p:33
             13  Worker(1.1) takes Go(2) from Main(1)                                      relay.p:33
             14  Worker(1.1) takes Go(3) from Main(1)                                      relay.p:33
            bug at relay.p:33 [LS3001]
                 Worker(1.1) in Tired: this assertion does not hold: too late
        "#]],
    );
}

#[test]
fn every_seed_leads_to_a_bug_of_the_same_length() {
    let program = program(RELAY);
    for settings in [Settings::default(), network()] {
        let lengths: Vec<usize> = (0..10).map(|seed| short(&program, &settings, seed).trace.decisions.len()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    }
}

#[test]
fn what_is_short_still_fails_in_the_same_place() {
    let program = program(RELAY);
    for seed in 0..10 {
        let settings = Settings::default();
        let long = failing(&program, &settings, seed);
        let ReplayEnd::Failed(failure) = replay(&program, &settings, &long).end else { panic!("it fails") };
        let found = minimize(&program, &settings, &long, 1_000_000).unwrap();
        assert!(is_same_bug(&found.failure, &failure));
        assert!(found.is_complete);
        assert!(found.trace.decisions.len() <= long.decisions.len());
        let ReplayEnd::Failed(again) = replay(&program, &settings, &found.trace).end else { panic!("it still fails") };
        assert_eq!(again, Box::new(found.failure));
    }
}

#[test]
fn without_work_a_trace_stays_as_it_is() {
    let program = program(RELAY);
    let long = failing(&program, &Settings::default(), 3);
    let found = minimize(&program, &Settings::default(), &long, 0).unwrap();
    assert_eq!(found.trace, long);
    assert!(!found.is_complete);
}

#[test]
fn a_run_without_a_bug_is_not_made_short() {
    assert_eq!(minimize(&program(RELAY), &Settings::default(), &Trace::default(), 1_000), None);
}

fn kept(settings: &Settings) -> TraceFile {
    let program = program(RELAY);
    let found = short(&program, settings, 1);
    let (story, _) = tell(&program, settings, &found.trace, None, &|place| located(RELAY, place));
    let by = Found { by: "random schedules".to_owned(), seed: Some(1), schedule: Some(2), decisions: 40 };
    TraceFile {
        test: program.name.clone(),
        paths: vec!["relay.p".to_owned()],
        fingerprint: program.fingerprint().to_string(),
        settings: *settings,
        found: by,
        trace: found.trace,
        repeats_from: None,
        story,
        original: None,
    }
}

/// The same with the run that it was made of.
fn kept_with_original(settings: &Settings) -> TraceFile {
    let program = program(RELAY);
    let (file, long) = (kept(settings), failing(&program, settings, 1));
    let (whole, _) = tell(&program, settings, &long, None, &|place| located(RELAY, place));
    let original = Original::kept(&long, whole, &file.trace);
    assert!(original.is_some(), "something was left out");
    TraceFile { original, ..file }
}

#[test]
fn what_is_written_can_be_read() {
    for settings in [Settings { most_hot_steps: Some(7), ..Settings::default() }, network()] {
        let file = kept(&settings);
        assert_eq!(TraceFile::from_json(&file.to_json()), Ok(file.clone()));
        assert!(!file.to_json().contains("\"original\""), "as files were before there was one");
        let with_original = kept_with_original(&settings);
        assert_eq!(TraceFile::from_json(&with_original.to_json()), Ok(with_original));
        assert!(file.is_of(&program(RELAY)));
        assert!(file.is_of(&program(&RELAY.replace("machine Idler", "// A comment.\nmachine Idler"))));
        assert!(!file.is_of(&program(&RELAY.replace("turns < 5", "turns < 6"))));
    }
}

#[test]
fn the_run_as_it_was_found_is_kept() {
    let settings = Settings::default();
    let program = program(RELAY);
    let long = failing(&program, &settings, 1);
    let file = kept_with_original(&settings);
    let whole = file.as_found().expect("it is kept");
    assert_eq!((&whole.trace, &whole.original), (&long, &None));
    assert!(whole.story.moments.len() > file.story.moments.len());
    assert!(matches!(replay(&program, &settings, &whole.trace).end, ReplayEnd::Failed(_)));
    // Without it there is only what is left.
    assert_eq!(TraceFile { original: None, ..file.clone() }.as_found(), None);
    // And what was never made short is whole.
    let found = Found { decisions: long.decisions.len(), ..file.found.clone() };
    let untouched = TraceFile { trace: long.clone(), story: whole.story.clone(), original: None, found, ..file.clone() };
    assert_eq!(untouched.as_found(), Some(untouched.clone()));
    assert_eq!(Original::kept(&long, whole.story.clone(), &long), None, "nothing was left out");
}

#[test]
fn a_run_that_is_too_long_is_not_kept() {
    let file = kept_with_original(&Settings::default());
    let Original { trace, mut story } = file.original.expect("it is kept");
    let moments = story.moments.clone();
    while story.moments.len() < 100_000 {
        story.moments.extend_from_slice(&moments);
    }
    assert_eq!(Original::kept(&trace, story, &file.trace), None);
}

#[test]
fn a_page_has_both_runs() {
    let file = kept_with_original(&Settings::default());
    let whole = &file.original.as_ref().unwrap().story;
    let page = html(&file.story, Some(whole), "t", "about");
    let (few, many) = (file.story.moments.len(), whole.moments.len());
    assert_eq!(page.matches("<li data-moment=").count(), few + many);
    assert_eq!((page.matches("<main>").count(), page.matches("<main hidden>").count()), (1, 1));
    assert!(page.contains(&format!("show all {many} moments, not only the {few} that the bug needs")));
    assert!(!html(&file.story, None, "t", "about").contains("show all"));
}

#[test]
fn what_is_no_trace_is_refused() {
    let good = kept(&Settings::default()).to_json();
    let refused = |text: &str| TraceFile::from_json(text).expect_err("it is no trace").to_string();
    expect![[r#"
        it is not JSON: EOF while parsing an object at line 1 column 1
        it is no trace: the field `format` should be "lockstep-trace"
        it is a trace of version 2, and this Lockstep reads version 1: find the bug again
        the trace is damaged: a machine has a name that is no path of numbers
        the trace is damaged: its story mentions what is not in it
        the trace is damaged: its story mentions what is not in it
        the trace is damaged: unknown field `tset`, expected one of `format`, `version`, `test`, `paths`, `fingerprint`, `settings`, `found`, `decisions`, `repeatsFrom`, `story`, `original` at line 4 column 8
    "#]].assert_eq(&format!(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
        refused("{"),
        refused("[]"),
        refused(&good.replace("\"version\": 1", "\"version\": 2")),
        refused(&good.replace("\"machine\": \"1.1\"", "\"machine\": \"0.1\"")),
        refused(&good.replace("\"actor\": 1,", "\"actor\": 100,")),
        refused(&damaged_original()),
        refused(&good.replace("\"test\"", "\"tset\"")),
    ));
}

/// A whole file, but for the run that it was made of.
fn damaged_original() -> String {
    let mut file = kept_with_original(&Settings::default());
    file.original.as_mut().unwrap().story.moments[0].actor = 100;
    file.to_json()
}

#[test]
fn pictures_are_well_formed_and_hold_everything() {
    let mut file = kept(&Settings::default());
    file.story.actors[0].name = "<&\"\u{1}".to_owned();
    for picture in [svg(&file.story, "a <test>"), html(&file.story, None, "a <test>", "about")] {
        assert!(picture.contains("&lt;&amp;&quot;□"));
        assert!(!picture.contains("<test>"));
        for number in 0..file.story.moments.len() {
            assert!(picture.contains(&format!("data-moment=\"{number}\"")));
        }
        assert!(picture.contains("too late"));
        assert!(picture.contains("prefers-color-scheme: dark"));
        assert!(!picture.contains("http://") || picture.contains("http://www.w3.org/2000/svg"));
    }
}

#[test]
fn the_same_story_gives_the_same_picture() {
    let file = kept(&Settings::default());
    assert_eq!(svg(&file.story, "t"), svg(&kept(&Settings::default()).story, "t"));
}
