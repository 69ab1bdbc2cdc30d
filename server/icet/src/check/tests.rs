//! Programs that are right, and one for each way of being wrong.

use std::fs;
use std::path::PathBuf;

use lockstep_base::Severity;
use lockstep_syntax::{Language, Parse};

use super::{Checked, check};

pub(crate) fn check_text(text: &str) -> Checked {
    let parse = Parse::new(Language::Icet, text);
    check(parse.icet().unwrap())
}

/// The programs in `tests/programs/icet`, with their file names, in order.
pub(crate) fn programs() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/icet");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "icet"));
    files.sort();
    assert!(files.len() >= 37);
    files.iter().map(|file| (file.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_programs_have_no_errors() {
    for (name, text) in programs() {
        let checked = check_text(&text);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(checked.program.is_some(), "{name}");
    }
}
