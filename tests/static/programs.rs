//! The test programs are without static errors and without warnings, except those that are meant to have some.

use lockstep_program::Purpose;
use lockstep_tests::{PProject, p_projects, static_findings_for};

/// Forms that P's compiler rejects later, and older names.
const EXCEPTIONS: [&str; 2] = ["p/corners", "p/older_names"];

#[test]
fn the_programs_are_accepted_without_a_warning() {
    let projects = p_projects().into_iter().filter(|project| !EXCEPTIONS.iter().any(|name| project.name.starts_with(name)));
    let projects: Vec<PProject> = projects.collect();
    assert!(projects.len() > 10, "the programs were not found");
    for project in projects {
        assert_eq!(findings(project.purpose, &project.files), Vec::<String>::new(), "{}", project.name);
    }
}

#[test]
fn the_programs_for_the_verifier_are_for_it_alone() {
    let verified: Vec<PProject> = p_projects().into_iter().filter(|project| project.purpose == Purpose::Verifying).collect();
    assert!(verified.len() > 2, "the programs were not found");
    for project in verified {
        let mut found = findings(Purpose::Checking, &project.files);
        found.retain(|finding| finding.contains(" LS0"));
        assert!(!found.is_empty(), "{}", project.name);
        assert!(found.iter().all(|error| error.contains("LS0701")), "{found:?}");
    }
}

fn findings(purpose: Purpose, files: &[(String, String)]) -> Vec<String> {
    let found = static_findings_for(purpose, files.iter().cloned());
    found.into_iter().map(|(file, line, error)| format!("{file}:{line} {} {}", error.code, error.message)).collect()
}
