//! The parsers, made from the grammars.
//!
//! `grammar.js` is JavaScript, so this needs Node; building and testing the project do not.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

use crate::{root, run};

const ABI: usize = 15;
pub(crate) const GRAMMARS: [&str; 2] = ["p", "icet"];

/// Everything the generator writes, relative to a grammar's `src`.
const FILES: [&str; 6] =
    ["grammar.json", "node-types.json", "parser.c", "tree_sitter/alloc.h", "tree_sitter/array.h", "tree_sitter/parser.h"];

pub(crate) fn generate() -> Result<()> {
    for grammar in GRAMMARS {
        let folder = folder(grammar);
        write(&folder, &folder.join("src"))?;
        println!("made tree-sitter-p/{grammar}/src from its grammar.js");
    }
    Ok(())
}

/// Whether the committed parsers are what the grammars give.
pub(crate) fn is_fresh() -> Result<bool> {
    let mut fresh = true;
    for grammar in GRAMMARS {
        let folder = folder(grammar);
        let scratch = tempfile::tempdir()?;
        write(&folder, scratch.path())?;
        for file in FILES {
            let committed = read(&folder.join("src").join(file))?;
            if committed != read(&scratch.path().join(file))? {
                println!("tree-sitter-p/{grammar}/src/{file} is out of date: run `cargo xtask generate` and commit the result");
                fresh = false;
            }
        }
    }
    if fresh {
        println!("both parsers are what their grammars give");
    }
    Ok(fresh)
}

pub(crate) fn folder(grammar: &str) -> PathBuf {
    root().join("tree-sitter-p").join(grammar)
}

fn write(folder: &Path, out: &Path) -> Result<()> {
    if !run::is_installed("node") {
        bail!("making a parser needs Node (`node`), which is not installed");
    }
    write_parser(folder, &folder.join("grammar.js"), out, ABI)
}

/// The parser from `grammar.js`, or without Node from the `grammar.json` that was made of it.
pub(crate) fn write_parser(folder: &Path, grammar: &Path, out: &Path, abi: usize) -> Result<()> {
    let level = OptLevel::default();
    let mut diagnostics = Vec::new();
    generate_parser_in_directory(folder, Some(out), Some(grammar), abi, None, Some("node"), true, level, &mut diagnostics)
        .with_context(|| format!("the grammar in {} is not accepted", folder.display()))?;
    for diagnostic in diagnostics {
        println!("{}: {diagnostic}", folder.display());
    }
    Ok(())
}

/// As text with Unix line ends, so that a checkout on Windows compares equal.
fn read(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.replace("\r\n", "\n"))
}
