//! The arguments of the commands that work on one IceT program.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::args::FileArgs;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PlainFormat {
    /// For people
    Human,
    /// One JSON object for programs
    Json,
}

/// Puts an IceT program in order: prints a sequential program that does the same, and what that proves
///
/// The result holds for every number of processes. What is printed is an IceT program; everything else stands in comments. If the
/// program cannot be put in order, it is printed how far that leads, what remains of each process, and why; and if a run of a small
/// instance goes wrong, how it comes to that.
#[derive(Debug, clap::Args)]
#[command(after_help = SEQUENTIALIZE_EXAMPLES, after_long_help = SEQUENTIALIZE_LONG_HELP)]
pub(crate) struct SequentializeArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,

    /// Also show the steps: who does what with whom, at which statement, and which rule allows it
    #[arg(long)]
    pub(crate) steps: bool,

    /// Write the rules that were applied to this file, for `lockstep certify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// How to write the result to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
}

const SEQUENTIALIZE_EXAMPLES: &str = "Examples:
  lockstep sequentialize paxos.icet
  lockstep sequentialize --steps --certificate paxos.json paxos.icet

Exit codes: 0 in order, 1 not, 2 wrong usage, unreadable input or a bug in Lockstep.";

const SEQUENTIALIZE_LONG_HELP: &str = r#"Examples:
  lockstep sequentialize paxos.icet
  lockstep sequentialize --steps --certificate paxos.json paxos.icet

Exit codes:
  0  the program is in order
  1  it has errors, cannot be put in order, or a run breaks an assertion
  2  wrong usage, input that cannot be read, or a bug in Lockstep

JSON (--format json): one object with the fields
  version, path
  verdict      "proved", "refuted", "unknown" or "unsupported"
  scope        {"kind": "allSizes"} if proved, else null
  summary      what is claimed, or why nothing is, for people
  reason       "race", "orphanSend", "deadlock", "twoPartners", "loopExit", "unsupported" or "notDecided" if neither
               proved nor refuted, else null
  complete     whether all of the program was put in order
  sequential   the sequential program and what remains of the processes, as text, or null
  remaining    [{"process", "next"}]: who has code left, and the range of its next statement
  bug          {"kind", "instance", "end", "trace": [{"text", "range"}]}, or null
  diagnostics  as in `lockstep check --format json`
  steps        with --steps: the rules that were applied"#;

/// Checks a certificate of `sequentialize`, without what found it
///
/// An accepted certificate proves that no run of the program, of any size, is stuck or leaves a message behind. The checker reads the
/// rules strictly, so a certificate that is rejected can still be right.
#[derive(Debug, clap::Args)]
#[command(after_help = CERTIFY_EXAMPLES, after_long_help = CERTIFY_LONG_HELP)]
pub(crate) struct CertifyArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,

    /// The certificate
    pub(crate) certificate: PathBuf,

    /// How to write the result to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
}

const CERTIFY_EXAMPLES: &str = "Examples:
  lockstep certify paxos.icet paxos.json

Exit codes: 0 accepted, 1 rejected, 2 wrong usage, unreadable input or a bug in Lockstep.";

const CERTIFY_LONG_HELP: &str = r#"Examples:
  lockstep certify paxos.icet paxos.json

Exit codes:
  0  the certificate is accepted
  1  it is rejected, or for another program; or the program has errors
  2  wrong usage, input that cannot be read, or a bug in Lockstep

JSON (--format json): one object with the fields
  version, path, certificate
  accepted     whether it is accepted
  message      what is claimed, or why it is rejected, for people
  step         the step at fault, a number for each level, from 1; or null"#;
