//! `cargo xtask bench format`: how fast a text is laid out as a whole, and on save after a small edit.

use std::time::{Duration, Instant};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_format::{Options, format, format_on_type};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Random, Report, Row, programs};

const LINES: usize = 10_000;
const SAVES: usize = 200;

/// At most so many milliseconds for a whole file.
const AIM_WHOLE: f64 = 50.0;

fn main() {
    let mut report = Report::new("format");
    for language in [Language::P, Language::Icet] {
        let text = text_of(language);
        let spoilt = text.replace("    ", "   ").replace(" = ", "=");
        for (what, text) in [("laid out already", &text), ("to be laid out", &spoilt)] {
            let times = (0..15).map(|_| timed(|| drop(format(&Parse::new(language, text.as_str()), &Options::default(), None))));
            let best = times.min().expect("some runs");
            add(&mut report, Some(AIM_WHOLE), format!("{}, {LINES} lines {what}, with parsing", language.name()), best);
            let parse = Parse::new(language, text.as_str());
            let times = (0..15).map(|_| timed(|| drop(format(&parse, &Options::default(), None))));
            let best = times.min().expect("some runs");
            add(&mut report, Some(AIM_WHOLE), format!("{}, {LINES} lines {what}", language.name()), best);
        }
        saves(&mut report, language, &text);
    }
    report.finish();
}

/// The test programs one after another until there are enough lines.
fn text_of(language: Language) -> String {
    let programs: Vec<_> = programs().into_iter().filter(|program| program.language == language).collect();
    let (mut text, mut lines) = (String::new(), 0);
    for program in programs.iter().cycle() {
        if lines >= LINES {
            break;
        }
        lines += program.text.lines().count() + 1;
        text.push_str(&program.text);
        text.push('\n');
    }
    text
}

/// A space is typed somewhere, the document is parsed again and laid out as on save; and the same for what is laid out behind a `;`.
fn saves(report: &mut Report, language: Language, text: &str) {
    let original = Parse::new(language, text);
    let mut random = Random::new(7);
    let (mut on_save, mut on_type) = (Vec::new(), Vec::new());
    for _ in 0..SAVES {
        let at = loop {
            let at = random.below(text.len());
            if text.as_bytes()[at] == b';' {
                break TextSize::try_from(at).expect("a small text");
            }
        };
        let edited = original.edit(&[Edit { range: TextRange::empty(at), insert: " ".to_owned() }]);
        on_save.push(timed(|| drop(format(&edited, &Options::default(), None))));
        let behind = at + TextSize::of(" ;");
        on_type.push(timed(|| drop(format_on_type(&edited, behind, ';', &Options::default(), None))));
    }
    for (what, mut times) in [("on save after a small edit", on_save), ("behind a `;`", on_type)] {
        times.sort();
        for (name, share) in [("p50", 50), ("p95", 95)] {
            let time = times[(times.len() - 1) * share / 100];
            add(report, None, format!("{}, {what}, {name}", language.name()), time);
        }
    }
}

/// The aim is for people only: the JSON has measured figures, nothing else.
#[allow(clippy::print_stdout)]
fn add(report: &mut Report, aim: Option<f64>, what: String, time: Duration) {
    print!("{:<9} ", aim.map_or(String::new(), |aim| format!("(aim {aim})")));
    report.add(Row::new(what, "ms", time.as_secs_f64() * 1e3));
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
