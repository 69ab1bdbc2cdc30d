//! How well one mistake is reported, measured on mutants of the test programs.

use lockstep_base::Diagnostic;
use lockstep_syntax::{Language, Parse};

use crate::{Mutant, Mutation, Random, mutants, programs};

/// Mutants tried per program.
const PER_PROGRAM: usize = 40;

/// Uses reserved words as names, so it is not free of errors to begin with.
const OLDER: &str = "p/older_names.p";

/// What was reported for the broken ones among the mutants.
#[derive(Debug, Default)]
pub struct ErrorQuality {
    pub broken: u32,
    pub one_error: u32,
    /// The first error is on a line the mutation touched.
    pub on_the_line: u32,
    /// Mutants with a token deleted, and those whose first error says that token is expected, or what it would be.
    pub deleted: u32,
    pub names_it: u32,
    /// Those that only tree-sitter's error nodes explain, because the recogniser of the same grammar sees no mistake.
    pub unexplained: u32,
}

impl ErrorQuality {
    /// Measures all programs of a language. `bad` is called for mutants with another number of errors or another place.
    pub fn measure(language: Language, seed: u64, mut bad: impl FnMut(&Mutant, &Parse)) -> Self {
        let mut random = Random::new(seed);
        let mut quality = Self::default();
        for program in programs().iter().filter(|program| program.language == language && program.name != OLDER) {
            for mutant in mutants(program, PER_PROGRAM, &mut random) {
                let parse = Parse::new(language, mutant.text.as_str());
                if !parse.is_well_formed() && !quality.add(&mutant, &parse) {
                    bad(&mutant, &parse);
                }
            }
        }
        quality
    }

    /// Counts a mutant; false if it is not reported as it should be.
    fn add(&mut self, mutant: &Mutant, parse: &Parse) -> bool {
        let errors = parse.errors();
        let one_error = errors.len() == 1;
        let on_the_line = errors.first().is_some_and(|first| mutant.lines.contains(&parse.text().line_of(first.range.start())));
        self.broken += 1;
        self.one_error += u32::from(one_error);
        self.on_the_line += u32::from(on_the_line);
        self.unexplained += u32::from(errors.is_empty() || errors.iter().any(|error| error.message == "this cannot be read"));
        if mutant.mutation == Mutation::Delete {
            self.deleted += 1;
            self.names_it += u32::from(errors.first().is_some_and(|first| names(first, &mutant.token)));
        }
        one_error && on_the_line
    }

    /// `part` of the broken mutants in percent.
    pub fn share(part: u32, whole: u32) -> f64 {
        100.0 * f64::from(part) / f64::from(whole.max(1))
    }
}

/// Whether a message speaks of the token that is missing: by its text, or by what a name, a number or a string can be.
fn names(error: &Diagnostic, token: &str) -> bool {
    const CONSTRUCTS: [&str; 8] =
        ["a name", "a number", "a string", "an expression", "a type", "a statement", "a declaration", "an operator"];
    error.message.contains(&format!("expected `{token}`"))
        || (error.message.contains(&format!("`{token}`")) && error.message.contains(" or "))
        || CONSTRUCTS.iter().any(|construct| error.message.contains(&format!("expected {construct}")))
        || error.message.contains(&format!("or `{token}`"))
}
