//! Tells Zed how the language server is started: `lockstep lsp`, from the PATH of the project's shell.

use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

struct Lockstep;

impl Extension for Lockstep {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let Some(command) = worktree.which("lockstep") else {
            return Err("the program `lockstep` is not on the PATH: `cargo xtask install` puts it there".to_owned());
        };
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

register_extension!(Lockstep);
