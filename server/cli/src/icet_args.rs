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

/// Runs an IceT program with sets of a given size: once, or in all ways
///
/// One run makes every choice by a number, the seed: the same seed, the same run. With --all, all runs are gone through, and
/// everything that goes wrong is shown with a shortest run that leads to it.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES, after_long_help = RUN_LONG_HELP)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,

    /// How many members a set has; can be given several times [default: 2, and 1 for subsets]
    #[arg(long, value_name = "SET=NUMBER")]
    pub(crate) size: Vec<String>,

    /// The value of a constant that has none in the program; can be given several times
    #[arg(long = "const", value_name = "NAME=VALUE")]
    pub(crate) constants: Vec<String>,

    /// Which run
    #[arg(long, value_name = "NUMBER", default_value_t = 1, conflicts_with = "all")]
    pub(crate) seed: u64,

    /// Go through all runs
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: give up when there are more states than this
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000_000)]
    pub(crate) states: usize,

    /// How to write the result to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
}

const RUN_EXAMPLES: &str = "Examples:
  lockstep run ring.icet
  lockstep run --size Clients=3 --const K=2 --seed 7 ring.icet
  lockstep run --all --size Clients=2 ring.icet

Exit codes: 0 nothing went wrong, 1 something did or not all was seen, 2 wrong usage, unreadable input or a bug in Lockstep.";

const RUN_LONG_HELP: &str = r#"Examples:
  lockstep run ring.icet
  lockstep run --size Clients=3 --const K=2 --seed 7 ring.icet
  lockstep run --all --size Clients=2 ring.icet

Exit codes:
  0  nothing went wrong
  1  a deadlock, an orphan message or a failure; errors in the program; with --all: or not all runs were seen
  2  wrong usage, input that cannot be read, or a bug in Lockstep

JSON (--format json): one object with the fields
  version, path, instance
  of one run:
    seed         which run
    steps        [{"text", "range"}]
    end          "ended", "orphans", "deadlock", "failure", "assumption" (one was false) or "running"
    message      the end in words
    variables    [{"process", "name", "value"}] at the end
  with --all:
    complete     whether all runs were seen; else `limits` says why not
    limits       in words
    sampled      whether integers or types without definition were tried with a few values only
    states       how many were looked at
    finals       how many different final states there are
    wrong        [{"kind", "message", "steps"}], shortest first"#;
