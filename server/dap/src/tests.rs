//! Sessions over small programs, told as text: where the debugger stands, and what it shows there.

mod walks;

use std::fmt::Write;

use expect_test::expect;
use lockstep_base::Text;
use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_runtime::{Delivery, FileId, Options, Outcome, Place, Program, Sampling, Settings, lower, sample};
use lockstep_syntax::{Language, Parse};
use lockstep_trace::tell;

use crate::evaluate::evaluate;
use crate::frames::frames;
use crate::recording::{Actor, Kind};
use crate::session::{Cursor, Reason, Session};
use crate::stops::{named, statements_from};
use crate::variables::{Opens, scopes};

fn program(text: &str) -> Program {
    let db = Database::default();
    let file = SourceFile::open(&db, "test.p", Parse::new(Language::P, text));
    let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
    let cases = project_tests(&db, project);
    lower(&db, project, &cases[0], &Options::default()).expect("the program has no errors")
}

/// A program, a run of it that fails, and its text.
struct Fixture {
    text: Text,
    session: Session,
}

impl Fixture {
    fn new(text: &str) -> Self {
        Self::with(text, Settings::default())
    }

    fn with(text: &str, settings: Settings) -> Self {
        let program = program(text);
        let sampling = Sampling { seed: 1, schedules: 1000, ..Sampling::default() };
        let Outcome::Failed(failure, trace) = sample(&program, &settings, &sampling).outcome else { panic!("there is a bug") };
        let (story, _) = tell(&program, &settings, &trace, None, &|_| None);
        let session = Session::new(program, settings, trace, story, Some(*failure));
        Self { text: Text::from(text), session }
    }

    /// From 1.
    fn line_of(&self, place: Place) -> u32 {
        self.text.line_of(place.range.start()) + 1
    }

    fn written(&self, place: Place) -> String {
        let text = self.text.slice(place.range);
        text.lines().next().unwrap_or_default().to_owned()
    }

    /// Who is next, with what.
    fn here(&self) -> String {
        let point = self.session.point();
        let what = match point.kind {
            Kind::Moment(Some(_)) => self.session.step_words(self.session.step()).lines().next().unwrap_or_default().to_owned(),
            Kind::Moment(None) => "finds no event".to_owned(),
            Kind::Statement(place) => format!("  {}: {}", self.session.name(&point.actor), self.written(place)),
            Kind::End => format!("end: {}", self.session.step_words(self.session.step())),
        };
        format!("{} {what}", self.session.step())
    }

    /// Everything that an actor shows.
    fn looks(&self, actor: &Actor) -> String {
        let mut out = format!("{}\n", self.session.name(actor));
        for frame in frames(&self.session, actor) {
            let place = frame.place.map(|place| format!(" at line {}: {}", self.line_of(place), self.written(place)));
            let _ = writeln!(out, "  {}{}", frame.name, place.unwrap_or_default());
            for (name, opens) in scopes(&self.session, actor, frame.depth) {
                // Those of the machine are shown once.
                if frame.depth.is_none() || matches!(opens, Opens::Locals { .. }) {
                    self.list(&mut out, 2, name, &opens);
                }
            }
        }
        out
    }

    fn list(&self, out: &mut String, level: usize, name: &str, opens: &Opens) {
        let rows = self.session.rows(opens, 0, usize::MAX);
        if !rows.is_empty() {
            let _ = writeln!(out, "{}{name}:", "  ".repeat(level));
        }
        for row in rows {
            let ty = if row.ty.is_empty() { String::new() } else { format!(": {}", row.ty) };
            let _ = writeln!(out, "{}{}{ty} = {}", "  ".repeat(level + 1), row.name, row.value);
        }
    }

    fn actor(&self, name: &str) -> Actor {
        let found = self.session.actors().iter().find(|actor| self.session.name(actor) == name);
        found.expect("there is such a machine").clone()
    }

    /// Places a breakpoint on a line, from 1.
    fn break_at(&mut self, line: u32) -> Option<u32> {
        let text = self.text.clone();
        let (found, places) = statements_from(&self.session, FileId(0), line - 1, &|place| text.line_of(place.range.start()))?;
        self.session.stops.lines.push((u64::from(line), places));
        Some(found + 1)
    }

    fn all_points(&mut self) -> String {
        self.session.go_to(Cursor::default());
        let mut out = self.here() + "\n";
        while self.session.step_in().reason != Reason::Bug {
            out += &(self.here() + "\n");
        }
        out + &self.here() + "\n"
    }
}

const COUNTER: &str = "
event eAdd: (from: machine, by: int);
event eTotal: int;

spec Small observes eTotal {
    start state Watching {
        on eTotal do (total: int) {
            assert total < 5, format(\"{0} is too much\", total);
        }
    }
}

machine Counter {
    var total: int;
    var seen: seq[int];

    fun add(by: int): int {
        seen += (sizeof(seen), by);
        return total + by;
    }

    start state Counting {
        on eAdd do (request: (from: machine, by: int)) {
            var answer: int;
            answer = add(request.by);
            total = answer;
            send request.from, eTotal, total;
        }
    }
}

machine Main {
    var counter: machine;

    start state Begin {
        entry {
            var i: int;
            counter = new Counter();
            while (i < 2) {
                send counter, eAdd, (from = this, by = 3);
                i = i + 1;
            }
        }
        on eTotal do (total: int) {
            print format(\"total {0}\", total);
        }
    }
}

test tcCount [main=Main]: assert Small in { Main, Counter };
";

#[test]
fn every_statement_and_every_moment_is_a_point() {
    let mut fixture = Fixture::new(COUNTER);
    let points = fixture.all_points();
    expect![[r#"
        1 Main(1) starts
        1   Main(1): counter = new Counter();
        2 Main(1) creates Counter(1.1)
        2   Main(1): i < 2
        2   Main(1): send counter, eAdd, (from = this, by = 3);
        3 Counter(1.1) starts
        4 Main(1) sends eAdd(from = Main(1), by = 3) to Counter(1.1)
        4   Main(1): i + 1
        4   Main(1): i < 2
        4   Main(1): send counter, eAdd, (from = this, by = 3);
        5 Main(1) sends eAdd(from = Main(1), by = 3) to Counter(1.1)
        5   Main(1): i + 1
        5   Main(1): i < 2
        6 Counter(1.1) takes eAdd(from = Main(1), by = 3) from Main(1)
        6   Counter(1.1): add(request.by)
        6   Counter(1.1): seen += (sizeof(seen), by);
        6   Counter(1.1): return total + by;
        6   Counter(1.1): total = answer;
        6   Counter(1.1): send request.from, eTotal, total;
        7 Small sees eTotal(3) of Counter(1.1)
        7   Small: assert total < 5, format("{0} is too much", total);
        8 Counter(1.1) sends eTotal(3) to Main(1) (not taken before the end)
        9 Counter(1.1) takes eAdd(from = Main(1), by = 3) from Main(1)
        9   Counter(1.1): add(request.by)
        9   Counter(1.1): seen += (sizeof(seen), by);
        9   Counter(1.1): return total + by;
        9   Counter(1.1): total = answer;
        9   Counter(1.1): send request.from, eTotal, total;
        10 Small sees eTotal(6) of Counter(1.1)
        10   Small: assert total < 5, format("{0} is too much", total);
        11 end: this assertion does not hold: 6 is too much
    "#]]
    .assert_eq(&points);
}

#[test]
fn a_machine_shows_its_functions_variables_and_messages() {
    let mut fixture = Fixture::new(COUNTER);
    assert_eq!(fixture.break_at(18), Some(18));
    assert_eq!(fixture.session.resume().reason, Reason::Lines(vec![18]));
    let inside = fixture.looks(&fixture.actor("Counter(1.1)"));
    expect![[r#"
        Counter(1.1)
          add at line 18: seen += (sizeof(seen), by);
            Locals:
              by: int = 3
          Counting: on eAdd at line 25: add(request.by)
            Locals:
              request: (from: machine, by: int) = (from = Main(1), by = 3)
              answer: int = 0
          state Counting at line 22: Counting
            Fields:
              total: int = 0
              seen: seq[int] = []
            Inbox:
              [0] = eAdd(from = Main(1), by = 3) from Main(1)
            What happens next:
              next = Counter(1.1) goes on
              in step 6 of 10 = Counter(1.1) takes eAdd(from = Main(1), by = 3) from Main(1); total: 0 -> 3; seen: [] -> [3]
    "#]]
    .assert_eq(&inside);
    assert_eq!(fixture.session.step_out(&fixture.actor("Counter(1.1)")).reason, Reason::Step);
    expect!["6   Counter(1.1): total = answer;"].assert_eq(&fixture.here());
    fixture.session.next(&fixture.actor("Counter(1.1)"));
    let paused = fixture.looks(&fixture.actor("Counter(1.1)"));
    expect![[r#"
        Counter(1.1)
          Counting: on eAdd at line 27: send request.from, eTotal, total;
            Locals:
              request: (from: machine, by: int) = (from = Main(1), by = 3) (not used from here on)
              answer: int = 3 (not used from here on)
          state Counting at line 22: Counting
            Fields:
              total: int = 3
              seen: seq[int] = [3]
            Inbox:
              [0] = eAdd(from = Main(1), by = 3) from Main(1)
            In flight:
              about to be sent = eTotal(3) to Main(1)
            What happens next:
              step 8 of 10 = Counter(1.1) sends eTotal(3) to Main(1) (not taken before the end)
    "#]]
    .assert_eq(&paused);
}

const ANSWERS: &str = "
event eAsk: (from: machine, what: string);
event eYes: int;
event eNo: int;
event eBye;

enum tMood { GOOD = 1, BAD = 7 }

machine Asker {
    var mood: tMood;
    var answers: map[string, (int, bool)];
    var friends: seq[machine];

    start state Asking {
        entry {
            var other: machine;
            var count: int;
            mood = GOOD;
            other = new Answerer();
            friends += (0, other);
            while (count < 2) {
                send other, eAsk, (from = this, what = \"it\");
                receive {
                    case eYes: (n: int) { answers[\"it\"] = (n, true); }
                    case eNo: (n: int) { answers[\"it\"] = (n, false); mood = BAD; }
                }
                count = count + 1;
            }
            print \"done\";
            raise eBye;
        }
        on eBye goto Parting;
    }

    state Parting {
        entry {
            assert mood == GOOD, \"in a bad mood\";
        }
    }
}

machine Answerer {
    var asked: int;

    start state Answering {
        on eAsk do (question: (from: machine, what: string)) {
            asked = asked + 1;
            if (asked == 1 && question.what == \"it\") {
                send question.from, eYes, asked;
            } else {
                send question.from, eNo, asked;
            }
        }
    }
}

test tcAsk [main=Asker]: { Asker, Answerer };
";

#[test]
fn a_machine_that_receives_shows_where_it_waits() {
    let mut fixture = Fixture::new(ANSWERS);
    let asker = fixture.actor("Asker(1)");
    assert_eq!(fixture.break_at(49), Some(49));
    assert_eq!(fixture.session.resume().reason, Reason::Lines(vec![49]));
    expect![[r#"
        Asker(1)
          Asking: entry at line 23: receive {
            Locals:
              other: machine = Answerer(1.1)
              count: int = 0
              n: int = 0 (not used from here on)
          state Asking at line 14: Asking
            Fields:
              mood: tMood = GOOD
              answers: map[string, (int, bool)] = {}
              friends: seq[machine] = [Answerer(1.1)]
            What happens next:
              next = Answerer(1.1) goes on
              in step 5 of 12 = Answerer(1.1) takes eAsk(from = Asker(1), what = "it") from Asker(1); asked: 0 -> 1
    "#]]
    .assert_eq(&fixture.looks(&asker));
    // Of two variables with one name the one of the case that was taken.
    fixture.session.stops.lines.clear();
    assert_eq!(fixture.break_at(25), Some(25));
    assert_eq!(fixture.session.resume().reason, Reason::Lines(vec![25]));
    let value = |text: &str| match evaluate(&fixture.session, &asker, Some(0), text) {
        Ok(value) => fixture.session.shown(&value),
        Err(why) => why,
    };
    let texts =
        ["n", "mood", "answers", "answers[\"it\"].1", "friends[0]", "friends[1]", "friends[count]", "asked", "3", "mood.", "a[["];
    let told: String = texts.iter().map(|text| format!("{text}: {}\n", value(text))).collect();
    expect![[r#"
        n: 2
        mood: GOOD
        answers: {"it" -> (1, true)}
        answers["it"].1: true
        friends[0]: Answerer(1.1)
        friends[1]: there is no `friends[1]`
        friends[count]: there is no `friends[count]`
        asked: `asked` is no variable here
        3: only variables and their parts can be looked at, such as `lease.epoch` or `queue[0]`
        mood.: `.` is not understood behind `mood`
        a[[: `a` is no variable here
    "#]]
    .assert_eq(&told);
}

#[test]
fn events_functions_and_variables_stop_the_run() {
    let mut fixture = Fixture::new(ANSWERS);
    let program = fixture.session.program();
    fixture.session.stops.names = vec![(1, named(program, "eYes")), (2, named(program, "eBye"))];
    let mut told = String::new();
    loop {
        let stopped = fixture.session.resume();
        told += &format!("{:?} {:?} {}\n", stopped.reason, stopped.printed, fixture.here());
        if stopped.reason == Reason::Bug {
            break;
        }
    }
    expect![[r#"
        Names([1]) [] 6 Answerer(1.1) sends eYes(1) to Asker(1)
        Names([1]) [] 7 Asker(1) takes eYes(1) from Answerer(1.1)
        Names([2]) ["done"] 11   Asker(1): raise eBye;
        Bug [] 13 end: this assertion does not hold: in a bad mood
    "#]]
    .assert_eq(&told);
    assert_eq!(named(fixture.session.program(), "eNothing"), []);

    fixture.session.stops.names.clear();
    let answerer = fixture.actor("Answerer(1.1)");
    fixture.session.stops.data =
        vec![(3, answerer, "asked".to_owned()), (4, fixture.actor("Asker(1)"), "answers[\"it\"].0".to_owned())];
    let mut told = String::new();
    for is_forward in [false, true] {
        loop {
            let stopped = if is_forward { fixture.session.resume() } else { fixture.session.reverse() };
            told += &format!("{:?} {}\n", stopped.reason, fixture.here());
            if matches!(stopped.reason, Reason::Bug | Reason::Entry) {
                break;
            }
        }
    }
    expect![[r#"
        Data([4]) 11   Asker(1): answers["it"] = (n, false);
        Data([3]) 9   Answerer(1.1): asked = asked + 1;
        Data([4]) 7   Asker(1): answers["it"] = (n, true);
        Data([3]) 5   Answerer(1.1): asked = asked + 1;
        Entry 1 Asker(1) starts
        Data([3]) 5   Answerer(1.1): asked == 1 && question.what == "it"
        Data([4]) 7   Asker(1): count + 1
        Data([3]) 9   Answerer(1.1): asked == 1 && question.what == "it"
        Data([4]) 11   Asker(1): mood = BAD;
        Bug 13 end: this assertion does not hold: in a bad mood
    "#]]
    .assert_eq(&told);
}

#[test]
fn functions_are_stopped_at_and_entered_again() {
    let mut fixture = Fixture::new(COUNTER);
    fixture.session.stops.names = vec![(1, named(fixture.session.program(), "add"))];
    assert_eq!(fixture.session.resume().reason, Reason::Names(vec![1]));
    let entered = fixture.session.at();
    fixture.session.step_in();
    let counter = fixture.actor("Counter(1.1)");
    assert_eq!(fixture.session.restart(&counter, 1).expect("it is known").reason, Reason::Goto);
    assert_eq!(fixture.session.at(), entered);
    fixture.session.restart(&counter, 0);
    expect!["6   Counter(1.1): add(request.by)"].assert_eq(&fixture.here());
    assert_eq!(fixture.session.restart(&fixture.actor("Main(1)"), 3), None);
}

#[test]
fn on_the_network_messages_are_in_flight() {
    let settings = Settings { delivery: Delivery::Network, ..Settings::default() };
    let mut fixture = Fixture::with(ANSWERS, settings);
    fixture.session.stops.names = vec![(1, named(fixture.session.program(), "eAsk"))];
    fixture.session.resume();
    fixture.session.resume();
    expect![[r#"
        Answerer(1.1)
          state Answering at line 45: Answering
            Fields:
              asked: int = 0
            In flight:
              [0] = eAsk(from = Asker(1), what = "it") from Asker(1)
            What happens next:
              step 5 of 12 = Answerer(1.1) takes eAsk(from = Asker(1), what = "it") from Asker(1); asked: 0 -> 1
    "#]]
    .assert_eq(&fixture.looks(&fixture.actor("Answerer(1.1)")));
}

#[test]
fn breakpoints_move_to_the_next_line_with_code() {
    let mut fixture = Fixture::new(COUNTER);
    let moved: Vec<(u32, Option<u32>)> = [1, 7, 8, 9, 17, 36, 44].map(|line| (line, fixture.break_at(line))).to_vec();
    expect!["[(1, Some(8)), (7, Some(8)), (8, Some(8)), (9, Some(18)), (17, Some(18)), (36, Some(38)), (44, Some(45))]"]
        .assert_eq(&format!("{moved:?}"));
}

#[test]
fn without_the_filter_the_end_is_only_the_end() {
    let mut fixture = Fixture::new(COUNTER);
    fixture.session.stops.at_bug = false;
    assert_eq!(fixture.session.resume().reason, Reason::End);
    assert_eq!(fixture.session.resume().reason, Reason::End);
    fixture.session.stops.at_bug = true;
    assert_eq!(fixture.session.step_in().reason, Reason::Bug);
    assert_eq!(fixture.session.reverse().reason, Reason::Entry);
    assert_eq!(fixture.session.step_back().reason, Reason::Entry);
}

/// The points that lead to the end, and what the machine that fails shows there.
fn ending(text: &str) -> String {
    let mut fixture = Fixture::new(text);
    assert_eq!(fixture.session.resume().reason, Reason::Bug);
    let end = fixture.session.at();
    let looks = fixture.looks(&fixture.session.point().actor.clone());
    let mut told = vec![fixture.here()];
    for _ in 0..3 {
        fixture.session.step_back();
        told.insert(0, fixture.here());
    }
    assert_eq!(fixture.session.resume().reason, Reason::Bug);
    assert_eq!(fixture.session.at(), end);
    told.dedup();
    format!("{}\n{looks}", told.join("\n"))
}

#[test]
fn a_deadlock_shows_who_waits() {
    let text = "event e; machine Main {
        var x: int;
        start state S { entry { x = 1; receive { case e: { x = 2; } } } }
    }
    test t [main=Main]: { Main };";
    expect![[r#"
        1 Main(1) starts
        1   Main(1): x = 1;
        1   Main(1): receive { case e: { x = 2; } }
        2 end: deadlock: Main(1) waits for events that nobody can send any more
        Main(1)
          S: entry at line 3: receive { case e: { x = 2; } }
          state S at line 3: S
            Fields:
              x: int = 1
            What happens next:
              the trace ends = deadlock: Main(1) waits for events that nobody can send any more
    "#]]
    .assert_eq(&ending(text));
}

#[test]
fn an_event_that_nobody_handles_shows_the_state() {
    let text = "event e: int; machine Main {
        var x: int;
        start state S { entry { send this, e, 3; goto T; } exit { x = 7; } }
        state T { exit { x = x + 1; } }
    }
    test t [main=Main]: { Main };";
    expect![[r#"
        2   Main(1): x = 7;
        3 Main(1) takes e(3) from Main(1)
        3   Main(1): x = x + 1;
        4 end: `e` arrives, and the state neither handles, defers nor ignores it
        Main(1)
          state T at line 4: T
            Fields:
              x: int = 8
            What happens next:
              the trace ends = `e` arrives, and the state neither handles, defers nor ignores it
    "#]]
    .assert_eq(&ending(text));
}

#[test]
fn a_spec_that_fails_at_once_is_shown() {
    let text = "event e; machine Main { start state S { } }
    spec Bad observes e { var n: int; start state S { entry { n = 1; assert n == 2; } } }
    test t [main=Main]: assert Bad in { Main };";
    expect![[r#"
        1 end: this assertion does not hold
        Bad
          S: entry at line 2: assert n == 2;
          state S at line 2: S
            Fields:
              n: int = 1
            What happens next:
              the trace ends = this assertion does not hold
    "#]]
    .assert_eq(&ending(text));
}

#[test]
fn long_loops_and_deep_calls_are_cut_short() {
    let long = "machine Main { var s: seq[int]; start state S { entry {
        var i: int;
        while (i < 200000) { i = i + 1; s += (0, i); if (i > 100) { s -= (0); } }
        assert false;
    } } }
    test t [main=Main]: { Main };";
    let deep = "machine Main { start state S { entry { down(9000); assert false; } }
        fun down(n: int) { var m: int; m = n - 1; if (m > 0) { down(m); } }
    }
    test t [main=Main]: { Main };";
    for text in [long, deep] {
        let mut fixture = Fixture::new(text);
        assert_eq!(fixture.session.resume().reason, Reason::Bug);
        fixture.session.step_back();
        assert!(fixture.session.point().is_cut);
        let count = fixture.session.at().index;
        assert!((1000..=10_000).contains(&count), "{count}");
    }
}
