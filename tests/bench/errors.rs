//! `cargo xtask bench errors`: how well mistakes are reported, on programs with one token deleted, doubled or swapped.

use lockstep_syntax::Language;
use lockstep_tests::{ErrorQuality, Report, Row};

fn main() {
    let mut report = Report::new("errors");
    for (language, seed) in [(Language::P, 1), (Language::Icet, 2)] {
        let quality = ErrorQuality::measure(language, seed, |_, _| {});
        let mut add = |what: &str, unit, value| report.add(Row::new(format!("{}, {what}", language.name()), unit, value));
        add("broken mutants", "", f64::from(quality.broken));
        add("exactly one error (aim 85)", "%", ErrorQuality::share(quality.one_error, quality.broken));
        add("first error on the mutated line (aim 95)", "%", ErrorQuality::share(quality.on_the_line, quality.broken));
        add("deleted token is named", "%", ErrorQuality::share(quality.names_it, quality.deleted));
    }
    report.finish();
}
