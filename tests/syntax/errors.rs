//! How well one mistake is reported: as one error, on its line.

use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Mutant, Random, mutants, programs};

/// Uses reserved words as names, so it is not free of errors to begin with.
const OLDER: &str = "p/older_names.p";

/// What was reported for the broken ones among some mutants.
#[derive(Default)]
struct Tally {
    broken: u32,
    one_error: u32,
    on_the_line: u32,
}

impl Tally {
    fn add(&mut self, lines: &[u32], mutant: &Mutant) {
        self.broken += 1;
        self.one_error += u32::from(lines.len() == 1);
        self.on_the_line += u32::from(lines.first().is_some_and(|line| mutant.lines.contains(line)));
    }

    fn percent(&self, part: u32) -> f64 {
        100.0 * f64::from(part) / f64::from(self.broken)
    }
}

#[test]
#[allow(clippy::print_stdout)]
fn one_mistake_is_one_error_on_its_line() {
    let show = std::env::var_os("SHOW_MUTANTS").is_some();
    for (language, seed) in [(Language::P, 1), (Language::Icet, 2)] {
        let mut random = Random::new(seed);
        let mut tally = Tally::default();
        for program in programs().iter().filter(|program| program.language == language && program.name != OLDER) {
            for mutant in mutants(program, 40, &mut random) {
                let parse = Parse::new(language, mutant.text.as_str());
                if parse.is_well_formed() {
                    continue;
                }
                let lines: Vec<u32> = parse.errors().iter().map(|error| parse.text().line_of(error.range.start())).collect();
                assert!(!lines.is_empty(), "broken but nothing reported: {mutant:?}");
                tally.add(&lines, &mutant);
                if show && (lines.len() != 1 || !mutant.lines.contains(&lines[0])) {
                    show_mutant(&mutant, &parse);
                }
            }
        }
        let (one, line) = (tally.percent(tally.one_error), tally.percent(tally.on_the_line));
        println!("{}: {} broken mutants, exactly one error {one:.1} %, on the line {line:.1} %", language.name(), tally.broken);
        assert!(tally.broken >= 500, "{} broken mutants are too few", tally.broken);
        assert!(one >= 85.0, "exactly one error: {one:.1} %");
        assert!(line >= 95.0, "on the mutated line: {line:.1} %");
    }
}

#[allow(clippy::print_stdout)]
fn show_mutant(mutant: &Mutant, parse: &Parse) {
    println!("{}: {:?} `{}` on line {:?}", mutant.program, mutant.mutation, mutant.token, mutant.lines.start + 1);
    for (number, line) in mutant.text.lines().enumerate() {
        if mutant.lines.contains(&u32::try_from(number).unwrap()) {
            println!("    | {line}");
        }
    }
    for error in parse.errors() {
        println!("    {}: {}", parse.text().line_of(error.range.start()) + 1, error.message);
    }
}
