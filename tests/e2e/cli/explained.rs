//! The explanations of codes about project files: their examples, run.

use std::fs;
use std::path::Path;

use super::Sandbox;

#[test]
fn examples_of_project_files_give_what_they_are_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/explain");
    for code in ["LS0010", "LS0011", "LS0012", "LS0013"] {
        let text = fs::read_to_string(folder.join(code).with_extension("md")).unwrap();
        let mut examples = text.split("```xml\n").skip(1).filter_map(|rest| rest.split("```").next());
        assert_eq!(codes(examples.next().unwrap()), [code]);
        assert_eq!(codes(examples.next().unwrap()), Vec::<String>::new(), "the right example of {code}");
    }
}

/// What is found in a project with this project file and the usual folders.
fn codes(project: &str) -> Vec<String> {
    let sandbox = Sandbox::new("//- PSrc/Lease.p\nevent eLease;\n//- PTst/Test.p\nevent eTest;\n");
    sandbox.write("Lease.pproj", project);
    let report = sandbox.run(&["check", "--format", "json", "Lease.pproj"]).json();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}
