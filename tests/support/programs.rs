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

/// Where the programs are that have static errors on purpose, one for each code.
const CODES: &str = "p/codes/";

/// Where the programs are that go wrong on purpose, and those that other tools are wrong about.
const FAULTY: [&str; 3] = ["icet/broken/", "icet/unsound/", "models/broken/"];

/// Every `.p` and `.icet` file under `tests/programs`, by name, except those that are wrong on purpose.
pub fn programs() -> Vec<Program> {
    let mut programs = all_programs();
    programs.retain(|program| !program.name.starts_with(CODES) && !is_faulty(program));
    programs
}

/// The IceT programs whose headers say what goes wrong.
pub fn faulty_icet_programs() -> Vec<Program> {
    faulty_programs(Language::Icet)
}

/// The same for P. Each file is a program of its own.
pub fn faulty_p_programs() -> Vec<Program> {
    faulty_programs(Language::P)
}

fn faulty_programs(language: Language) -> Vec<Program> {
    all_programs().into_iter().filter(|program| program.language == language && is_faulty(program)).collect()
}

/// The programs with static errors on purpose, by the code they are about.
pub fn programs_of_codes() -> Vec<(String, Program)> {
    let of_code = |program: Program| {
        let code = program.name.strip_prefix(CODES)?.strip_suffix(".p")?.to_owned();
        Some((code, program))
    };
    all_programs().into_iter().filter_map(of_code).collect()
}

fn is_faulty(program: &Program) -> bool {
    FAULTY.iter().any(|folder| program.name.starts_with(folder))
}

fn all_programs() -> Vec<Program> {
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
