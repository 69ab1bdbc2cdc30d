//! `cargo xtask bench ide`: how long an editor waits for its features in a large project, first and again after typed letters.

use std::fmt::Write;
use std::time::{Duration, Instant};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_ide::p;
use lockstep_program::{Database, Project, ProjectFile, SourceFile, project_files};
use lockstep_tests::{Report, Row, generated_project, p_project};

const LINES: usize = 100_000;
const EVENTS: usize = 100;
const ROUNDS: usize = 50;

/// What an editor asks for.
struct Feature {
    name: &'static str,
    /// The text behind which the cursor is, in one of the two files.
    place: &'static str,
    /// The number of answers, which a feature that does nothing would not have.
    run: fn(&Database, ProjectFile<'_>, TextSize) -> usize,
}

const EVENT: &str = "event eBusy";

const FEATURES: [Feature; 12] = [
    Feature { name: "lenses", place: EVENT, run: |db, file, _| p::lenses(db, file, &|_, _| None).len() },
    Feature { name: "references", place: EVENT, run: |db, file, at| p::references(db, file, at, true).len() },
    Feature { name: "hover", place: EVENT, run: |db, file, at| usize::from(p::hover(db, file, at).is_some()) },
    Feature { name: "definition", place: EVENT, run: |db, file, at| usize::from(p::definition(db, file, at).is_some()) },
    Feature { name: "highlights", place: EVENT, run: |db, file, at| p::highlights(db, file, at).len() },
    Feature { name: "tokens", place: EVENT, run: |db, file, _| p::tokens(db, file).len() },
    Feature {
        name: "rename",
        place: EVENT,
        run: |db, file, at| p::rename(db, file, at, "eOther").map_or(0, |places| places.len()),
    },
    Feature { name: "types completed", place: "event eBusy0: ", run: |db, file, at| p::completions(db, file, at).items.len() },
    Feature { name: "values completed", place: "letters = ", run: |db, file, at| p::completions(db, file, at).items.len() },
    Feature {
        name: "signature",
        place: "send this, eBusy0, ",
        run: |db, file, at| usize::from(p::signature_help(db, file, at).is_some()),
    },
    Feature {
        name: "hints",
        place: "send this, eBusy0",
        run: |db, file, _| {
            let all = TextRange::up_to(file.file(db).parse(db).text().len());
            let wanted = p::WantedHints { payload_types: true, handlers: true, handlers_at_events: true, creates: true };
            p::hints(db, file, all, wanted).len()
        },
    },
    Feature {
        name: "incoming calls",
        place: EVENT,
        run: |db, file, at| {
            let items = p::prepare_calls(db, file, at);
            let calls = |item: &p::CallItem| p::incoming_calls(db, file, item.place.range.start(), &item.name);
            items.iter().filter_map(calls).flatten().count()
        },
    },
];

fn main() {
    let mut report = Report::new("ide");
    let mut texts = generated_project(LINES);
    let (events, user) = busy_files();
    texts.extend([("Busy.p".to_owned(), events), ("User.p".to_owned(), user)]);
    let mut db = Database::default();
    let (project, files) = p_project(&db, texts);
    let (events, user) = (files[files.len() - 2], files[files.len() - 1]);
    events.expect_edits(&mut db);
    user.expect_edits(&mut db);
    for Feature { name, place, run } in FEATURES {
        let is_there = |file: &&SourceFile| file.parse(&db).text().to_string().contains(place);
        let file = *[events, user].iter().find(is_there).expect("the place is in one of the files");
        let (first, answers) = timed(&db, project, file, place, run);
        assert!(answers > 0, "{name} gives nothing");
        report.add(Row::new(format!("{name}, first time, {answers} answers"), "ms", ms(first)));
        let again: Vec<Duration> = (0..ROUNDS).map(|_| timed(&db, project, file, place, run).0).collect();
        report.add(Row::new(format!("{name}, again, p95"), "ms", ms(at_share(again, 95))));
        let mut typed = Vec::new();
        for _ in 0..ROUNDS {
            type_letter(&mut db, user);
            typed.push(timed(&db, project, file, place, run).0);
        }
        report.add(Row::new(format!("{name}, after a typed letter, p95"), "ms", ms(at_share(typed, 95))));
    }
    report.finish();
}

/// A file with many events, and a machine that sends and handles them all.
fn busy_files() -> (String, String) {
    let (mut events, mut user) =
        (String::new(), String::from("machine BusyUser {\n  var letters: int;\n  start state Busy {\n    entry {\n"));
    let mut handlers = String::new();
    for number in 0..EVENTS {
        writeln!(events, "event eBusy{number}: int;").expect("strings take everything");
        writeln!(user, "      send this, eBusy{number}, {number};").expect("strings take everything");
        writeln!(handlers, "    on eBusy{number} do (n: int) {{ letters = n; }}").expect("strings take everything");
    }
    (events, format!("{user}    }}\n{handlers}  }}\n}}\n"))
}

fn timed(
    db: &Database,
    project: Project,
    file: SourceFile,
    place: &str,
    run: fn(&Database, ProjectFile<'_>, TextSize) -> usize,
) -> (Duration, usize) {
    let text = file.parse(db).text().to_string();
    let at = text.find(place).expect("the place is there") + place.len();
    let file = project_files(db, project).find(|other| other.file(db) == file).expect("a file of the project");
    let start = Instant::now();
    let answers = run(db, file, TextSize::try_from(at).expect("a small text"));
    (start.elapsed(), answers)
}

fn at_share(mut times: Vec<Duration>, share: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * share / 100]
}

fn type_letter(db: &mut Database, file: SourceFile) {
    let text = file.parse(db).text().to_string();
    let at = TextSize::try_from(text.find("letters = ").expect("it is there")).expect("a small text");
    let edited = file.parse(db).edit(&[Edit { range: TextRange::empty(at), insert: "x".to_owned() }]);
    file.update(db, edited);
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
