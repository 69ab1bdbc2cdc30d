//! The P programs as the projects they are meant to be.

use std::collections::BTreeMap;

use lockstep_program::Purpose;
use lockstep_syntax::Language;

use crate::programs;

#[derive(Clone, Debug)]
pub struct PProject {
    /// Relative to `tests/programs`: of a file, or of a folder.
    pub name: String,
    pub purpose: Purpose,
    /// By name and text.
    pub files: Vec<(String, String)>,
}

/// Programs for the verifier.
const VERIFIED: &str = "p/verified_";

/// All P programs under `tests/programs`, except those of one code: a folder below `p` is one project, a file in it another.
pub fn p_projects() -> Vec<PProject> {
    let mut projects: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for program in programs().into_iter().filter(|program| program.language == Language::P) {
        let parts: Vec<&str> = program.name.split('/').collect();
        projects.entry(parts[..2].join("/")).or_default().push((program.name, program.text));
    }
    let purpose = |name: &str| if name.starts_with(VERIFIED) { Purpose::Verifying } else { Purpose::Checking };
    projects.into_iter().map(|(name, files)| PProject { purpose: purpose(&name), name, files }).collect()
}
