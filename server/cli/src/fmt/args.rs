//! The arguments of `lockstep fmt`.

use std::path::PathBuf;

use crate::args::LanguageArg;

/// Lays files out in the style of P's tutorials
///
/// Only white space changes: names, statements and comments stay what and where they are, and so does what the program means. Declarations with
/// syntax errors stay as they are, byte for byte; the rest of their file is laid out.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct FmtArgs {
    /// Files (.p, .icet), P projects (.pproj), folders, or `-` for standard input [default: the current folder]
    ///
    /// A folder stands for all files and projects below it, a project for its files, as for `lockstep check`. Standard input is written to
    /// standard output.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Change nothing; name the files that would change, and end with exit code 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,

    /// Change nothing; show what would change
    #[arg(long)]
    pub(crate) diff: bool,

    /// The language of standard input, for the path `-`
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageArg>,

    /// Say nothing about files that are laid out
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "Examples:
  lockstep fmt
  lockstep fmt PSrc PTst/Test.p
  lockstep fmt --check Lease.pproj
  lockstep fmt --diff Client.p
  echo 'event  Ping ;' | lockstep fmt --language p -

Exit codes: 0 laid out, 1 with --check: something would change, 2 wrong usage, something could not be
read or written, or a bug in Lockstep.";

const LONG_HELP: &str = "Examples:
  lockstep fmt
  lockstep fmt PSrc PTst/Test.p
  lockstep fmt --check Lease.pproj
  lockstep fmt --diff Client.p
  echo 'event  Ping ;' | lockstep fmt --language p -

Exit codes:
  0  everything is laid out, or would not change with --check
  1  with --check: something would change
  2  something could not be read or written, or wrong usage, or a bug in Lockstep

The nearest `lockstep.toml` in the folder of a file or above says what can be chosen:
  [format]
  indent = 4              # spaces of each level, or \"tab\"; else as most lines of the file, or 2
  width = 120             # how many columns a line may have
  braces = \"same-line\"    # where the brace of a body stands: behind its head, or \"next-line\"

Where the author ends a line between statements, elements or operators, it stays ended, and one
empty line stays too. A body of one simple statement stays on the line of its head if it was there.";
