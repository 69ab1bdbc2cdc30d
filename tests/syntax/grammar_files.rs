//! The files that test the grammars, as the tree-sitter command line lays them out.

use std::fs;
use std::path::Path;

use lockstep_syntax::Language;

/// Name and text of every file in `test/<folder>` of the language's grammar, by name. There is always one: tests that find
/// nothing to test should not look fine.
pub(crate) fn grammar_files(language: Language, folder: &str) -> Vec<(String, String)> {
    let grammar = match language {
        Language::P => "p",
        Language::Icet => "icet",
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tree-sitter-p").join(grammar).join("test").join(folder);
    let mut files: Vec<(String, String)> = fs::read_dir(&path)
        .expect("the grammar has a folder of tests")
        .map(|entry| {
            let path = entry.expect("the folder of tests can be read").path();
            let text = fs::read_to_string(&path).expect("a test is a readable text").replace("\r\n", "\n");
            (format!("{grammar}/test/{folder}/{}", path.file_name().expect("a file has a name").display()), text)
        })
        .collect();
    assert!(!files.is_empty(), "{grammar}/test/{folder} has no tests");
    files.sort();
    files
}
