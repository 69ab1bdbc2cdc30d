//! `cargo xtask nvim` and `cargo xtask helix`: the parsers and queries of the Neovim plugin, and of Helix.
//!
//! Both are made from `tree-sitter-p` and ignored by git, so that there is one source of each. The parsers are of an older
//! ABI than the committed ones: Neovim 0.10 loads nothing newer, and later versions load it too. The older ABI knows no reserved
//! words, which changes nothing but how broken text is read.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::{generate, run};

/// The newest that Neovim 0.10 loads.
const ABI: usize = 14;

pub(crate) fn build(plugin: &Path) -> Result<()> {
    build_parsers(plugin, "parser")
}

/// Below the `runtime` of a user of Helix.
pub(crate) fn build_for_helix(into: Option<&Path>) -> Result<()> {
    let config = || env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".config")));
    let usual = || config().map(|config| config.join("helix/runtime")).context("there is no home folder");
    build_parsers(&into.map_or_else(usual, |into| Ok(into.to_owned()))?, "grammars")
}

fn build_parsers(plugin: &Path, parsers: &str) -> Result<()> {
    for grammar in generate::GRAMMARS {
        let folder = generate::folder(grammar);
        let sources = tempfile::tempdir()?;
        generate::write_parser(&folder, &folder.join("src/grammar.json"), sources.path(), ABI)?;
        compile(sources.path(), &plugin.join(parsers).join(format!("{grammar}.so")))?;
        copy_queries(&folder.join("queries"), &plugin.join("queries").join(grammar))?;
    }
    println!("made {parsers}/ and queries/ in {}", plugin.display());
    Ok(())
}

/// Neovim looks for `.so` on every system.
fn compile(sources: &Path, library: &Path) -> Result<()> {
    let folder = library.parent().context("a library lies in a folder")?;
    fs::create_dir_all(folder)?;
    // A Neovim that runs may have the old library in use: the new one replaces it as a whole.
    let made = library.with_extension("so.new");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-O2", "-fPIC", "-shared", "-std=c11", "-I"]).arg(sources);
    if !run::succeeds(command.arg("-o").arg(&made).arg(sources.join("parser.c")))? {
        bail!("{} could not be compiled", library.display());
    }
    Ok(fs::rename(made, library)?)
}

fn copy_queries(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
