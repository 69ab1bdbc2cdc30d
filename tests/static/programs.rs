//! The test programs are without static errors and without warnings, except those that are meant to have some.

use std::collections::BTreeMap;

use lockstep_syntax::Language;
use lockstep_tests::{Program, programs, static_findings};

/// Forms that P's compiler rejects later, older names, and what is for the verifier.
const EXCEPTIONS: [&str; 3] = ["p/corners", "p/older_names", "p/verified_"];

#[test]
fn the_programs_are_accepted_without_a_warning() {
    let mut projects: BTreeMap<String, Vec<Program>> = BTreeMap::new();
    for program in programs().into_iter().filter(|program| program.language == Language::P) {
        // A folder below `p` is one project, a file in it another.
        let parts: Vec<&str> = program.name.split('/').collect();
        projects.entry(parts[..2].join("/")).or_default().push(program);
    }
    projects.retain(|name, _| !EXCEPTIONS.iter().any(|exception| name.starts_with(exception)));
    assert!(projects.len() > 10, "the programs were not found");
    for (name, programs) in projects {
        assert_eq!(findings(&programs), Vec::<String>::new(), "{name}");
    }
}

fn findings(programs: &[Program]) -> Vec<String> {
    let found = static_findings(programs.iter().map(|program| (program.name.clone(), program.text.clone())));
    found.into_iter().map(|(file, line, error)| format!("{file}:{line} {} {}", error.code, error.message)).collect()
}
