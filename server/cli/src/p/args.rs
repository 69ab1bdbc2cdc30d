//! The arguments of the commands that run P tests and show their traces.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use lockstep_explore::Reduction;
use lockstep_runtime::{Delivery, Strategy};

use crate::args::{Format, LanguageArg};

/// Runs P tests with random schedules, or an IceT program
///
/// Of a P project, the tests that are named are run, each with many schedules: who acts next, and what `$` and `choose` give, is chosen
/// at random from the seed, so the same seed gives the same runs. The first bug of a test is made short, written to a trace file, and
/// shown. No bug in so many schedules is no proof.
///
/// An IceT program (.icet) is run with sets of a given size: once, or in all ways with --all, and everything that goes wrong is shown
/// with a shortest run that leads to it.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES, after_long_help = RUN_LONG_HELP)]
pub(crate) struct RunArgs {
    /// P projects (.pproj), folders or P files, and names of tests; or one IceT program [default: the current folder]
    ///
    /// A word that is no path of a file or folder is the name of a test: of one case, or of a test with parameters, which stands for
    /// all its cases. Without a name, the only test is run.
    #[arg(value_name = "PATH|TEST")]
    pub(crate) words: Vec<PathBuf>,

    /// P: run all tests; IceT: go through all runs
    #[arg(long)]
    pub(crate) all: bool,

    /// Where the random choices begin; IceT: which run [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// How to write the result to standard output; IceT: human or json
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    /// Tell on standard error how far it is, also where that is no terminal
    #[arg(long)]
    pub(crate) progress: bool,

    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,

    #[command(flatten)]
    pub(crate) trace: TraceOutArgs,

    #[command(flatten)]
    pub(crate) icet: IcetRunArgs,
}

/// More than anybody waits, and nothing that a clock cannot count.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "a number of seconds, such as 60 or 0.5".to_owned();
    let time = Duration::try_from_secs_f64(text.parse().map_err(|_| wrong())?).map_err(|_| wrong())?;
    Ok(time.min(LONGEST))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| match text.parse::<i128>() {
        Ok(..0) => "a seed must not be negative".to_owned(),
        _ => format!("a seed is a number from 0 to {}", u64::MAX),
    })
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for P")]
pub(crate) struct SamplingArgs {
    /// How many schedules of each test are run [default: 1000]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) schedules: Option<u32>,

    /// Run no more schedules of a test after so many seconds [default: 60; none with --schedules]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,

    /// How it is chosen who acts next
    #[arg(long, value_enum, default_value = "mixed")]
    pub(crate) strategy: StrategyArg,

    /// A schedule that is longer is cut off, and then counts as one without a bug
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_steps: u64,

    /// Stop where a spec is hot for longer, as P's own checker does; that is a guess, and the verdict is unknown [default: never]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_hot_steps: Option<u64>,

    /// How messages travel
    #[arg(long, value_enum, default_value = "inbox")]
    pub(crate) delivery: DeliveryArg,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for P")]
pub(crate) struct TraceOutArgs {
    /// Where the trace of a bug is written: a file, or a folder if there are several tests [default: target/lockstep]
    #[arg(long, value_name = "PATH")]
    pub(crate) trace_out: Option<PathBuf>,

    /// Leave the trace as long as it was found
    #[arg(long)]
    pub(crate) no_minimize: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for IceT")]
pub(crate) struct IcetRunArgs {
    /// The language of standard input, for the path `-`
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageArg>,

    /// How many members a set has; can be given several times [default: 2, and 1 for subsets]
    #[arg(long, value_name = "SET=NUMBER")]
    pub(crate) size: Vec<String>,

    /// The value of a constant that has none in the program; can be given several times
    #[arg(long = "const", value_name = "NAME=VALUE")]
    pub(crate) constants: Vec<String>,

    /// With --all: give up when there are more states than this
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000_000)]
    pub(crate) states: usize,

    /// With --all: show at most so many final states
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    pub(crate) finals: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyArg {
    /// Each possible step is as likely as any other
    Random,
    /// Machines have priorities that change a few times
    Pct,
    /// A machine goes on for a while before another one acts
    Probabilistic,
    /// Random and probabilistic schedules in turn
    Mixed,
}

impl From<StrategyArg> for Strategy {
    fn from(strategy: StrategyArg) -> Self {
        match strategy {
            StrategyArg::Random => Self::Random,
            StrategyArg::Pct => Self::Pct { changes: 3 },
            StrategyArg::Probabilistic => Self::Sticky { leave_one_in: 4 },
            StrategyArg::Mixed => Self::Mixed,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DeliveryArg {
    /// A message is in the queue of its target as soon as it is sent, as in P's own checker
    Inbox,
    /// Messages of one machine to another stay in order, and that is all
    Network,
}

impl From<DeliveryArg> for Delivery {
    fn from(delivery: DeliveryArg) -> Self {
        match delivery {
            DeliveryArg::Inbox => Self::Inbox,
            DeliveryArg::Network => Self::Network,
        }
    }
}

const RUN_EXAMPLES: &str = "Examples:
  lockstep run Lease.pproj tcOneClient
  lockstep run --all --schedules 10000 --seed 7 Lease.pproj
  lockstep run ring.icet
  lockstep run --all --size Clients=2 ring.icet

Exit codes: 0 nothing went wrong, 1 something did, 2 wrong usage, unreadable input or a bug in Lockstep, 3 unknown.";

const RUN_LONG_HELP: &str = r#"Examples:
  lockstep run Lease.pproj tcOneClient
  lockstep run --all --schedules 10000 --seed 7 Lease.pproj
  lockstep run ring.icet
  lockstep run --size Clients=3 --const K=2 --seed 7 ring.icet
  lockstep run --all --size Clients=2 ring.icet

Functions in other languages cannot be run. A file `lockstep.toml` beside the project says what stands for them:
  [foreign]
  Now = "any"                          # any value: true or false, any element of an enum, 0 to 2, else the default
  Hash = { function = "HashModel" }    # a P function of the project with the same parameters and result

Exit codes:
  0  nothing went wrong in what was run
  1  a bug was found, or there are errors in the program; IceT with --all: or not all runs were seen
  2  wrong usage, input that cannot be read, or a bug in Lockstep
  3  unknown: interrupted, a limit was reached, or something cannot be run

JSON (--format json) of P tests: one object with the fields
  version      1; grows when a field changes its meaning or goes
  tests        what is known of each test:
    project      the name of the project
    test         what P calls the test case
    verdict      "sampled", "refuted", "unknown" or "unsupported"
    scope        {"kind": "schedules", "count"} if sampled, else null
    summary      what was found, for people
    schedules, cutOff, steps   how much was run
    engine       of `explore`, if another engine did it than was asked for, or it was left open: which, and why; else null
    bug          {"code", "message", "who", "state", "trace", "decisions", "foundDecisions"}
                 if refuted, else null; "trace" is the path of the trace file, which
                 server/trace/schema/trace-1.schema.json describes
  diagnostics  as in `lockstep check --format json`: the places of the bugs, or the errors of
               the project, which come first
  failures     what could not be read: [{"path", "message"}]

JSON (--format json) of an IceT program: one object with the fields
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

/// Searches all behaviours of P tests
///
/// Every order in which machines can act and every value that `$` and `choose` can give is looked at, until a bug is found, nothing is
/// left or a budget is spent. If nothing is left there is no bug in this test, whatever the schedule; that says nothing about other numbers
/// of machines. A run that stays hot for ever is found too, where specs have hot states.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLORE_EXAMPLES, after_long_help = EXPLORE_LONG_HELP)]
pub(crate) struct ExploreArgs {
    /// P projects (.pproj), folders or P files, and names of tests, as for `lockstep run` [default: the current folder]
    #[arg(value_name = "PATH|TEST")]
    pub(crate) words: Vec<PathBuf>,

    /// Search all tests
    #[arg(long)]
    pub(crate) all: bool,

    /// Where the search goes first
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) strategy: OrderArg,

    /// How messages travel
    #[arg(long, value_enum, default_value = "inbox")]
    pub(crate) delivery: DeliveryArg,

    /// What is gone through
    #[arg(long, value_enum, default_value = "explicit")]
    pub(crate) engine: EngineArg,

    /// Which steps are left out because others show the same, one or several with commas between; where runs without an end are looked for, none are in the end
    #[arg(long, value_enum, value_delimiter = ',', default_value = "all")]
    pub(crate) reduction: Vec<ReductionArg>,

    /// Tell all values apart, whatever comments `// lockstep: abstract(...)` say
    #[arg(long)]
    pub(crate) no_abstraction: bool,

    /// How states are remembered; always whole where runs without an end are looked for, and in sets
    #[arg(long, value_enum, default_value = "exact")]
    pub(crate) keep: KeepArg,

    /// Give up after so many states
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_states: Option<u64>,

    /// Give up after so many seconds; 0.5 is half of one
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,

    /// Give up when so many megabytes of memory are used
    #[arg(long, value_name = "MEGABYTES", default_value_t = 4096)]
    pub(crate) max_mem: u64,

    /// How many processors are used; the result is the same with any number [default: all]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,

    /// Also print the figures of each search
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) stats: Option<StatsArg>,

    /// Tell on standard error how far it is, also where that is no terminal
    #[arg(long)]
    pub(crate) progress: bool,

    /// How to write the result to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) trace: TraceOutArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OrderArg {
    /// A few hundred random schedules, which find most bugs at once, then breadth first
    Auto,
    /// Breadth first: finds a short run to a bug, a shortest with --reduction none
    Bfs,
    /// Depth first: finds deep bugs sooner
    Dfs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EngineArg {
    /// States, one by one
    Explicit,
    /// Sets of states, as decision diagrams: each handler is run for many states at once
    Symbolic,
    /// States one by one and sets of them in turns, if much is chosen; else one by one. Says which it was
    Auto,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReductionArg {
    /// Nothing is left out
    None,
    /// Only some machines move where the others can neither tell nor change it (partial-order reduction)
    Por,
    /// Of steps of different machines that do not touch each other one order (monotonic reduction); not for sets of states
    Monotonic,
    /// Of states that differ only in which machine is which, one is looked at (symmetry reduction); together with others only if the first thousand states say that it pays
    Symmetry,
    /// All of them
    All,
}

impl From<ReductionArg> for Reduction {
    fn from(arg: ReductionArg) -> Self {
        match arg {
            ReductionArg::None => Self::NONE,
            ReductionArg::Por => Self::PARTIAL_ORDER,
            ReductionArg::Monotonic => Self::MONOTONIC,
            ReductionArg::Symmetry => Self::SYMMETRY,
            ReductionArg::All => Self::ALL,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum KeepArg {
    /// Whole: nothing is mistaken for something else
    Exact,
    /// As 128 bits each, which takes less memory; the verdict names the chance of a mistake
    Fingerprints,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StatsArg {
    /// One JSON object for each test, in a line of its own on standard error
    Json,
}

const EXPLORE_EXAMPLES: &str = "Examples:
  lockstep explore Lease.pproj tcOneClient
  lockstep explore --max-time 60 --all Lease.pproj

Exit codes: 0 no bug in any behaviour, 1 a bug or errors, 2 wrong usage, unreadable input or a bug in Lockstep, 3 unknown.";

const EXPLORE_LONG_HELP: &str = r#"Examples:
  lockstep explore Lease.pproj tcOneClient
  lockstep explore --max-time 60 --all Lease.pproj
  lockstep explore --delivery network --stats json Lease.pproj tcOneClient

Exit codes:
  0  all behaviours were looked at, and none has a bug
  1  a bug was found, or there are errors in the program
  2  wrong usage, input that cannot be read, or a bug in Lockstep
  3  unknown: interrupted, a budget is spent, or something cannot be run

Comments `// lockstep: abstract(key = 0) because ...` at assignments say which numbers are told apart there; all others are taken
together. If nothing goes wrong then, the verdict is "proved", for all of these numbers; such a search is always one of single states.
If something does, it may not be real, and the values are told apart after all.

JSON (--format json): as of `lockstep run`; a test without a bug has the verdict "exhausted", or "proved" as above, and the scope
{"kind": "bounded", "machines", "states"}: it is about the machines of this test. The trace of a run that never ends has the field `repeatsFrom`. A test with the
verdict "unknown" has `hints` about why the search may not have come to an end (null otherwise):
  growing      what became more and more in long random runs: [{"what", "name", "most", "steps"}], where "what"
               is "machines", "queue" (messages), "elements", "characters" or "number", and "most" how many
               there were in a run of so many "steps". That it grew does not say that it grows for ever
  widest       the step with most outcomes, if they are many: {"machine", "state", "outcomes", "choices"}
  components   different machines with their queues, of which all states are combinations"#;

/// Runs a trace again, and says whether its bug is still there
///
/// The program is read from where it was when the trace was made. If it has changed since, that is said, and the trace is followed as far
/// as it can be.
#[derive(Debug, clap::Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// The trace file
    pub(crate) trace: PathBuf,

    /// Where the program is now [default: where it was]
    #[arg(long, value_name = "PATH")]
    pub(crate) project: Vec<PathBuf>,

    /// How to write the result to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

const REPLAY_EXAMPLES: &str = "Examples:
  lockstep replay target/lockstep/tcOneClient.trace.json
  lockstep replay --project Lease.pproj tcOneClient.trace.json

Exit codes: 0 the bug is gone, 1 it is there, or there are errors in the program, 2 wrong usage, unreadable
input or a bug in Lockstep, 3 unknown: the program has changed and does not follow the trace any more.";

/// Shows a trace, or makes it shorter
#[derive(Debug, clap::Args)]
#[command(after_help = TRACE_EXAMPLES)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Shows what happened: as text, or as a chart with a line for each machine
    ///
    /// Everything shown is in the trace file; the program is looked at only to say whether it has changed since.
    #[command(after_help = TRACE_EXAMPLES)]
    View(ViewArgs),
    /// Leaves out of a trace whatever its bug does not need
    ///
    /// `lockstep run` does this already, unless --no-minimize is given.
    #[command(after_help = TRACE_EXAMPLES)]
    Minimize(MinimizeArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// The trace file
    pub(crate) trace: PathBuf,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,

    /// Show the run as it was found, before it was made short
    #[arg(long)]
    pub(crate) all: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MinimizeArgs {
    /// The trace file
    pub(crate) trace: PathBuf,

    /// Where the program is now [default: where it was]
    #[arg(long, value_name = "PATH")]
    pub(crate) project: Vec<PathBuf>,

    /// Write the short trace to this file instead of the old one
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(crate) struct PictureArgs {
    /// One line for each thing that happens
    #[arg(long)]
    pub(crate) text: bool,

    /// A message sequence chart
    #[arg(long)]
    pub(crate) svg: bool,

    /// The chart as a page of its own, with what changed at each step
    #[arg(long)]
    pub(crate) html: bool,

    /// SARIF 2.1.0 with a code flow: a thread flow for each machine
    #[arg(long)]
    pub(crate) sarif: bool,
}

const TRACE_EXAMPLES: &str = "Examples:
  lockstep trace view tcOneClient.trace.json
  lockstep trace view --all tcOneClient.trace.json
  lockstep trace view --html --out chart.html tcOneClient.trace.json
  lockstep trace minimize --out short.json tcOneClient.trace.json

Exit codes: 0 done, 2 wrong usage, unreadable input or a bug in Lockstep, 3 the trace does not fit the program any more.";
