//! `cargo xtask nvim`: the parsers and queries of the Neovim plugin.
//!
//! Both are made from `tree-sitter-p` and ignored by git, so that there is one source of each. The parsers are of an older
//! ABI than the committed ones: Neovim 0.10 loads nothing newer, and later versions load it too. The older ABI knows no reserved
//! words, which changes nothing but how broken text is read.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::{generate, run};

/// The newest that Neovim 0.10 loads.
const ABI: usize = 14;

pub(crate) fn build(plugin: &Path) -> Result<()> {
    for grammar in generate::GRAMMARS {
        let folder = generate::folder(grammar);
        let sources = tempfile::tempdir()?;
        generate::write_parser(&folder, &folder.join("src/grammar.json"), sources.path(), ABI)?;
        compile(sources.path(), &plugin.join("parser").join(format!("{grammar}.so")))?;
        copy_queries(&folder.join("queries"), &plugin.join("queries").join(grammar))?;
    }
    println!("made parser/ and queries/ in {}", plugin.display());
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
