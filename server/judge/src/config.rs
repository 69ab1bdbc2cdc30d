//! `lockstep.toml` beside a project: what stands for functions in other languages.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep_program::{
    Database, DeclKind, Project, Signature, Space, decls, function_signature, lookup, machine_info, project_files,
};
use lockstep_runtime::{Options, Stub};
use lockstep_workspace::{Origin, name, read_disk, why_unreadable};
use serde::Deserialize;
use serde::de::IgnoredAny;
use smol_str::SmolStr;

pub const FILE: &str = "lockstep.toml";

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    foreign: BTreeMap<String, Foreign>,
    /// How files are laid out: the formatter reads it, and a mistake in it keeps no test from running.
    #[serde(default, rename = "format")]
    _format: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Foreign {
    Word(String),
    Stub(StubTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StubTable {
    function: String,
}

/// What the file beside a project says; nothing if there is none.
pub fn options(db: &Database, project: Project, origin: &Origin) -> anyhow::Result<Options> {
    let Some(path) = beside(origin) else { return Ok(Options::default()) };
    let bytes = match read_disk(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Options::default()),
        Err(error) => bail!(why_unreadable(&name(&path), &error)),
    };
    let shown = FILE;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("`{shown}` is not UTF-8"))?;
    let config: Config =
        toml::from_str(&text).map_err(|error| anyhow!("`{shown}` cannot be read: {}", error.to_string().trim_end()))?;
    let mut foreign = Vec::new();
    for (function, stands) in config.foreign {
        let stub = stub(db, project, &function, stands).map_err(|why| anyhow!("in `{shown}`: {why}"))?;
        foreign.push((SmolStr::new(function), stub));
    }
    Ok(Options { foreign, ..Options::default() })
}

/// What to write for a function that nothing stands for.
pub fn advice(function: &str) -> String {
    format!(
        "say in `{FILE}` beside the project what stands for it: below `[foreign]`, `{function} = \"any\"` for any value, or \
         `{function} = {{ function = \"NAME\" }}` for a P function"
    )
}

/// Beside the project file, or in the folder that is the project.
fn beside(origin: &Origin) -> Option<PathBuf> {
    let folder: &Path = match origin {
        Origin::Manifest { key, .. } => key.parent()?,
        Origin::UsualFolders(folder) | Origin::Folder(folder) => folder,
        Origin::Text(_) => return None,
    };
    Some(folder.join(FILE))
}

fn stub(db: &Database, project: Project, function: &str, stands: Foreign) -> anyhow::Result<Stub> {
    let foreign = declared(db, project, function);
    let Some(own) = foreign.iter().find(|signature| !signature.has_body) else {
        match foreign.is_empty() {
            true => bail!("the project has no function `{function}`"),
            false => bail!("`{function}` has a body in P, so nothing needs to stand for it: take the line out"),
        }
    };
    let name = match stands {
        Foreign::Word(word) if word == "any" => return Ok(Stub::AnyValue),
        Foreign::Word(word) => {
            bail!("`{function} = \"{word}\"` is not understood: write \"any\", or {{ function = \"{word}\" }} for a P function")
        }
        Foreign::Stub(StubTable { function }) => function,
    };
    let Some(def) = lookup(db, project, Space::Function, &name) else {
        bail!("the project has no global function `{name}`, which should stand for `{function}`: write one")
    };
    let stub = function_signature(db, def.decl);
    if !stub.has_body {
        bail!("`{name}`, which should stand for `{function}`, is written in another language too");
    }
    let types = |signature: &Signature| signature.params.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
    if types(own) != types(stub) || own.result != stub.result {
        bail!("`{name}` must have parameters and a result of the same types as `{function}`, for which it stands");
    }
    Ok(Stub::Function(SmolStr::new(name)))
}

/// All functions of this name: global ones, and those of machines.
fn declared(db: &Database, project: Project, name: &str) -> Vec<Signature> {
    let mut found = Vec::new();
    for decl in project_files(db, project).flat_map(|file| decls(db, file).to_vec()) {
        match decl.kind(db) {
            DeclKind::Function if decl.name(db) == name => found.push(function_signature(db, decl).clone()),
            DeclKind::Machine => found.extend(machine_info(db, decl).function(name).cloned()),
            _ => {}
        }
    }
    found
}
