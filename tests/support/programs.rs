//! The P and IceT programs written for the tests.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep_syntax::Language;

#[derive(Clone, Debug)]
pub struct Program {
    /// Relative to `tests/programs`, with forward slashes.
    pub name: String,
    pub path: PathBuf,
    pub language: Language,
    pub text: String,
}

/// Every `.p` and `.icet` file under `tests/programs`, by name.
pub fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut programs = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder of programs can be read") {
            let path = entry.expect("the folder of programs can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(language) = Language::of_path(&path) {
                let name = path.strip_prefix(&root).expect("found below the root").to_string_lossy().replace('\\', "/");
                let text = fs::read_to_string(&path).expect("a program is a readable text");
                programs.push(Program { name, path, language, text });
            }
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}
