//! `cargo xtask zed`: the extension for Zed, ready for *Install Dev Extension*.
//!
//! Zed builds the grammars from git, so the extension names this checkout and its commit; the queries of the grammars go beside those that
//! only Zed has.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::generate;
use crate::root;

/// What stands in `extension.toml` for the checkout and its commit.
const REPOSITORY: &str = "file:///path/to/lockstep";
const COMMIT: &str = "0000000000000000000000000000000000000000";

pub(crate) fn build(into: &Path) -> Result<()> {
    let from = root().join("editors/zed");
    let git = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()).output().context("git cannot be started")?;
    ensure!(git.status.success(), "this is no checkout: Zed builds the grammars from git");
    let commit = String::from_utf8(git.stdout)?;
    let text = fs::read_to_string(from.join("extension.toml"))?;
    ensure!(text.contains(REPOSITORY) && text.contains(COMMIT), "extension.toml names no checkout");
    let checkout = format!("file://{}", fs::canonicalize(root())?.display());
    fs::create_dir_all(into.join("src"))?;
    fs::write(into.join("extension.toml"), text.replace(REPOSITORY, &checkout).replace(COMMIT, commit.trim()))?;
    for file in ["Cargo.toml", "src/lib.rs"] {
        fs::copy(from.join(file), into.join(file))?;
    }
    for grammar in generate::GRAMMARS {
        let language = into.join("languages").join(grammar);
        fs::create_dir_all(&language)?;
        for entry in fs::read_dir(from.join("languages").join(grammar))? {
            let entry = entry?;
            fs::copy(entry.path(), language.join(entry.file_name()))?;
        }
        fs::copy(generate::folder(grammar).join("queries/highlights.scm"), language.join("highlights.scm"))?;
    }
    println!("made {}: in Zed, choose \"Install Dev Extension\" and take it", into.display());
    Ok(())
}
