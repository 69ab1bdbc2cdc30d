//! `cargo xtask install`: the tool and its editor integrations, made from this checkout and put where they are used.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::run::{self, cargo};
use crate::{nvim, root};

/// Installs the program `lockstep` for everything that looks on the PATH.
pub(crate) fn program() -> Result<bool> {
    run::succeeds(cargo().args(["install", "--locked", "--path", "server/cli"]).current_dir(root()))
}

/// Puts the plugin, with its parsers, where Neovim finds it by itself.
pub(crate) fn neovim() -> Result<bool> {
    if !program()? {
        return Ok(false);
    }
    let plugin = data_folder()?.join("nvim/site/pack/lockstep/start/lockstep");
    let from = root().join("editors/nvim");
    if plugin.exists() {
        fs::remove_dir_all(&plugin).with_context(|| format!("cannot replace {}", plugin.display()))?;
    }
    for part in ["doc", "ftdetect", "ftplugin", "indent", "lsp", "lua", "plugin"] {
        copy(&from.join(part), &plugin.join(part))?;
    }
    nvim::build(&plugin)?;
    println!("Neovim: the plugin is in {}; `:checkhealth lockstep` tells how it does", plugin.display());
    Ok(true)
}

/// Makes the extension with the server in it and gives it to VS Code.
pub(crate) fn vscode() -> Result<bool> {
    if !run::succeeds(cargo().args(["build", "--release", "--package", "lockstep"]).current_dir(root()))? {
        return Ok(false);
    }
    let extension = root().join("editors/vscode");
    let server = target_folder().join("release").join(format!("lockstep{}", env::consts::EXE_SUFFIX));
    let package = target_folder().join("lockstep.vsix");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut dependencies = Command::new(npm);
    dependencies.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    let mut packaging = Command::new("node");
    packaging.arg("package.mjs").arg("--server").arg(&server).arg("--out").arg(&package);
    for step in [&mut dependencies, &mut packaging] {
        if !run::succeeds(step.current_dir(&extension)).context("the extension is made with Node and npm")? {
            return Ok(false);
        }
    }
    for editor in ["code", "codium", "code-oss"] {
        if Command::new(editor).arg("--install-extension").arg(&package).status().is_ok_and(|status| status.success()) {
            println!("VS Code: the extension is installed (by `{editor}`)");
            return Ok(true);
        }
    }
    println!("VS Code: no command `code` was found. In VS Code, choose \"Install from VSIX\" and take\n  {}", package.display());
    Ok(true)
}

fn data_folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("XDG_DATA_HOME").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    if cfg!(windows) {
        return env::var_os("LOCALAPPDATA").map(PathBuf::from).context("LOCALAPPDATA is not set");
    }
    Ok(env::home_dir().context("there is no home folder")?.join(".local/share"))
}

fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The program, or the integrations that are named; they bring the program along.
pub(crate) fn install(for_vscode: bool, for_nvim: bool) -> Result<bool> {
    if !for_vscode && !for_nvim {
        return program();
    }
    if for_vscode && !vscode()? {
        bail!("the extension could not be made");
    }
    if for_nvim && !neovim()? {
        bail!("the plugin could not be installed");
    }
    Ok(true)
}
