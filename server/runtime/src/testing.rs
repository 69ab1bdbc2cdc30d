//! What the tests of this crate share.

use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_syntax::{Language, Parse};

use crate::configuration::{Delivery, Settings};
use crate::lower::{Options, lower};
use crate::program::Program;
use crate::value::Value;

/// The only test of a text.
pub(crate) fn program(text: &str) -> Program {
    program_with(text, &Options::default())
}

pub(crate) fn program_with(text: &str, options: &Options) -> Program {
    let db = Database::default();
    let file = SourceFile::open(&db, "test.p", Parse::new(Language::P, text));
    let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
    let cases = project_tests(&db, project);
    assert_eq!(cases.len(), 1, "one test is expected");
    lower(&db, project, &cases[0], options).expect("the program has no errors")
}

/// A program whose main machine has this as its entry.
pub(crate) fn entry(code: &str) -> Program {
    program(&format!("machine Main {{ start state S {{ entry {{ {code} }} }} }}"))
}

pub(crate) fn network() -> Settings {
    Settings { delivery: Delivery::Network, ..Settings::default() }
}

pub(crate) fn int_seq(numbers: impl IntoIterator<Item = i64>) -> Value {
    Value::seq(numbers.into_iter().map(Value::Int).collect())
}
