//! `cargo xtask bench parse`: how fast texts are parsed from scratch, and again after one typed character.

use std::time::{Duration, Instant};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Random, Report, Row, programs};

const LINES: usize = 10_000;
const EDITS: usize = 2_000;

/// What the parser is meant to reach: at least so many megabytes per second from scratch, at most so many milliseconds for 95 of
/// 100 letters typed.
const AIM_COLD: f64 = 10.0;
const AIM_LETTER: f64 = 1.0;

fn main() {
    let mut report = Report::new("parse");
    for language in [Language::P, Language::Icet] {
        let text = text_of(language, LINES);
        cold(&mut report, language, &text);
        edits(&mut report, language, &text, ("one letter in a name", Some(AIM_LETTER)), name_edit);
        edits(&mut report, language, &text, ("one `{` anywhere, with its errors", None), brace_edit);
    }
    report.finish();
}

/// The test programs one after another until there are enough lines.
fn text_of(language: Language, lines: usize) -> String {
    let programs: Vec<_> = programs().into_iter().filter(|program| program.language == language).collect();
    let mut text = String::new();
    for program in programs.iter().cycle() {
        if text.lines().count() >= lines {
            break;
        }
        text.push_str(&program.text);
        text.push('\n');
    }
    text
}

fn cold(report: &mut Report, language: Language, text: &str) {
    let times: Vec<Duration> = (0..15).map(|_| timed(|| drop(Parse::new(language, text)))).collect();
    let best = times.iter().min().expect("some runs").as_secs_f64();
    #[allow(clippy::cast_precision_loss)]
    let megabytes = text.len() as f64 / 1e6;
    print_aim(Some(AIM_COLD));
    report.add(Row::new(format!("{}, {LINES} lines from scratch", language.name()), "MB/s", megabytes / best));
}

/// The first column of the row that is added next. For people only: the JSON has measured figures, nothing else.
#[allow(clippy::print_stdout)]
fn print_aim(aim: Option<f64>) {
    print!("{:<9} ", aim.map_or(String::new(), |aim| format!("(aim {aim})")));
}

/// `what` is the name of the edits, with the aim for 95 of 100.
fn edits(
    report: &mut Report,
    language: Language,
    text: &str,
    (what, aim): (&str, Option<f64>),
    edit: fn(&str, &mut Random) -> Edit,
) {
    let original = Parse::new(language, text);
    let mut random = Random::new(7);
    let mut times: Vec<Duration> = (0..EDITS)
        .map(|_| {
            let edit = edit(text, &mut random);
            timed(|| {
                let parse = original.edit(&[edit]);
                let _ = parse.errors();
            })
        })
        .collect();
    times.sort();
    for (name, share) in [("p50", 50), ("p95", 95), ("p99", 99)] {
        print_aim(aim.filter(|_| share == 95));
        let time = times[(times.len() - 1) * share / 100];
        report.add(Row::new(format!("{}, {what}, {name}", language.name()), "ms", time.as_secs_f64() * 1e3));
    }
}

/// A letter after some letter.
fn name_edit(text: &str, random: &mut Random) -> Edit {
    loop {
        let at = random.below(text.len());
        let before_comment = text[text[..at].rfind('\n').map_or(0, |line| line + 1)..at].find("//").is_none();
        if before_comment && text.as_bytes()[at].is_ascii_lowercase() {
            return insert(at + 1, "x");
        }
    }
}

fn brace_edit(text: &str, random: &mut Random) -> Edit {
    loop {
        let at = random.below(text.len());
        if text.as_bytes()[at] == b'\n' {
            return insert(at, "{");
        }
    }
}

fn insert(at: usize, text: &str) -> Edit {
    let at = TextSize::try_from(at).expect("a small text");
    Edit { range: TextRange::empty(at), insert: text.to_owned() }
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
