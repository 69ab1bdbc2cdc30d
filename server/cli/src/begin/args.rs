//! The arguments of `lockstep new` and `lockstep samples`.

use std::path::PathBuf;

use clap::ValueEnum;

/// Makes a folder with a small project that checks clean and has a test
///
/// The folder must not be there yet, or be empty. Its name is the name of the project.
#[derive(Debug, clap::Args)]
#[command(after_help = NEW_EXAMPLES)]
pub(crate) struct NewArgs {
    /// The folder to make: a name, or a path that ends in one
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,

    /// What to begin with
    #[arg(long, value_enum, default_value = "client-server")]
    pub(crate) template: Template,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// P: clients ask a server, which answers
    ClientServer,
    /// P: nodes on a ring elect a leader
    Ring,
    /// IceT: a coordinator and any number of workers
    Icet,
}

const NEW_EXAMPLES: &str = "Examples:
  lockstep new Shop
  lockstep new models/Election --template ring

Exit codes: 0 made, 2 the folder cannot be made, or wrong usage.";

/// Lists sample programs, or copies one into a folder
///
/// The samples are part of this program. Without a name they are listed; with one, the sample is copied into a folder of its name.
#[derive(Debug, clap::Args)]
#[command(after_help = SAMPLES_EXAMPLES)]
pub(crate) struct SamplesArgs {
    /// Which sample to copy
    pub(crate) name: Option<String>,

    /// The folder to copy into [default: the current folder]
    #[arg(long, value_name = "FOLDER", requires = "name")]
    pub(crate) to: Option<PathBuf>,

    /// List as one JSON object: {"version": 1, "samples": [{"name", "title"}]}
    #[arg(long, conflicts_with = "name")]
    pub(crate) json: bool,
}

const SAMPLES_EXAMPLES: &str = "Examples:
  lockstep samples
  lockstep samples lease-bug
  lockstep samples paxos --to /tmp

Exit codes: 0 listed or copied, 2 it cannot be copied, or wrong usage.";
