//! One mistake is one error, on its line. `cargo xtask bench errors` prints the figures.

use lockstep_syntax::{Language, Parse};
use lockstep_tests::{ErrorQuality, Mutant};

#[test]
fn one_mistake_is_one_error_on_its_line() {
    for (language, seed) in [(Language::P, 1), (Language::Icet, 2)] {
        let quality = ErrorQuality::measure(language, seed, show_if_asked);
        assert!(quality.broken >= 500, "{} broken mutants are too few", quality.broken);
        let one = ErrorQuality::share(quality.one_error, quality.broken);
        assert!(one >= 85.0, "exactly one error: {one:.1} %");
        let line = ErrorQuality::share(quality.on_the_line, quality.broken);
        assert!(line >= 95.0, "on the mutated line: {line:.1} %");
        let names = ErrorQuality::share(quality.names_it, quality.deleted);
        assert!(names >= 85.0, "names what was deleted: {names:.1} %");
        assert_eq!(quality.unexplained, 0, "tree-sitter and the recogniser disagree");
    }
}

/// With `SHOW_MUTANTS` set, `cargo test -- --nocapture` shows what could be better.
#[allow(clippy::print_stdout)]
fn show_if_asked(mutant: &Mutant, parse: &Parse) {
    if std::env::var_os("SHOW_MUTANTS").is_none() {
        return;
    }
    println!("{}: {:?} `{}` on line {:?}", mutant.program, mutant.mutation, mutant.token, mutant.lines.start + 1);
    for (number, line) in (0..).zip(mutant.text.lines()) {
        if mutant.lines.contains(&number) {
            println!("    | {line}");
        }
    }
    for error in parse.errors() {
        println!("    {}: {}", parse.text().line_of(error.range.start()) + 1, error.message);
    }
}
