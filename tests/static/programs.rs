//! The test programs are without static errors and without warnings, except those that are meant to have some.

use std::collections::BTreeMap;

use lockstep_program::Purpose;
use lockstep_syntax::Language;
use lockstep_tests::{Program, programs, static_findings_for};

/// Forms that P's compiler rejects later, and older names.
const EXCEPTIONS: [&str; 2] = ["p/corners", "p/older_names"];

/// Programs for the verifier.
const VERIFIED: &str = "p/verified_";

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
        let purpose = if name.starts_with(VERIFIED) { Purpose::Verifying } else { Purpose::Checking };
        assert_eq!(findings(purpose, &programs), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_programs_for_the_verifier_are_for_it_alone() {
    let verified: Vec<Program> = programs().into_iter().filter(|program| program.name.starts_with(VERIFIED)).collect();
    assert!(verified.len() > 2, "the programs were not found");
    for program in verified {
        let mut found = findings(Purpose::Checking, std::slice::from_ref(&program));
        found.retain(|finding| finding.contains(" LS0"));
        assert!(!found.is_empty(), "{}", program.name);
        assert!(found.iter().all(|error| error.contains("LS0701")), "{found:?}");
    }
}

fn findings(purpose: Purpose, programs: &[Program]) -> Vec<String> {
    let found = static_findings_for(purpose, programs.iter().map(|program| (program.name.clone(), program.text.clone())));
    found.into_iter().map(|(file, line, error)| format!("{file}:{line} {} {}", error.code, error.message)).collect()
}
