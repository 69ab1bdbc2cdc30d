//! The arguments and their help.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Parser, Subcommand, ValueEnum};
use lockstep_syntax::Language;

use crate::begin::args::{NewArgs, SamplesArgs};
use crate::diagram::DiagramArgs;
use crate::fmt::args::FmtArgs;
use crate::icet_args::{CertifyArgs, SequentializeArgs};
use crate::p::args::{ExploreArgs, ReplayArgs, RunArgs, TraceArgs};

/// Checks programs written in P and IceT.
///
/// Lockstep reads P (asynchronous state machines that exchange events: .p files and .pproj projects) and IceT (a small core
/// language of message-passing processes: .icet files).
#[derive(Debug, Parser)]
#[command(name = "lockstep", version, max_term_width = 100, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour the output
    ///
    /// `auto` colours on a terminal and obeys NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
}

const EXAMPLES: &str = "Examples:
  lockstep new Shop                  make a small P project to begin with
  lockstep check                     check everything below the current folder
  lockstep check Lease.pproj         check a P project
  lockstep explain LS0305            what a code means, with an example
  lockstep tests Lease.pproj         list the test cases of a P project
  lockstep run Lease.pproj tcCrash   run a test of a P project with random schedules
  lockstep explore Lease.pproj tcOne search all behaviours of a test
  lockstep sequentialize paxos.icet  put an IceT program in order, for every size
  lockstep run --all paxos.icet      go through all runs of an IceT program
  lockstep diagram Lease.pproj       who sends what to whom; --machine NAME its states
  lockstep fmt                       lay out all files below the current folder
  lockstep parse Client.p            show the syntax tree of a file
  lockstep highlight paxos.icet      show a file in colours

`lockstep help COMMAND` tells more about a command.";

const LONG_EXAMPLES: &str = "Examples:
  lockstep new Shop                  make a small P project to begin with
  lockstep check                     check everything below the current folder
  lockstep check Lease.pproj         check a P project
  lockstep explain LS0305            what a code means, with an example
  lockstep tests Lease.pproj         list the test cases of a P project
  lockstep run Lease.pproj tcCrash   run a test of a P project with random schedules
  lockstep explore Lease.pproj tcOne search all behaviours of a test
  lockstep sequentialize paxos.icet  put an IceT program in order, for every size
  lockstep run --all paxos.icet      go through all runs of an IceT program
  lockstep diagram Lease.pproj       who sends what to whom; --machine NAME its states
  lockstep fmt                       lay out all files below the current folder
  lockstep parse Client.p            show the syntax tree of a file
  lockstep highlight paxos.icet      show a file in colours

Exit codes:
  0  no errors
  1  errors or bugs were found (with --deny warnings: or warnings)
  2  wrong usage, input that cannot be read, or a bug in Lockstep
  3  unknown: of a test that was run nothing can be said (only `run`, `explore`, `replay`, `trace`)

`lockstep help COMMAND` tells more about a command.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(NewArgs),
    Samples(SamplesArgs),
    Check(CheckArgs),
    Explain(ExplainArgs),
    Tests(TestsArgs),
    Run(RunArgs),
    Explore(ExploreArgs),
    Replay(ReplayArgs),
    Trace(TraceArgs),
    Sequentialize(SequentializeArgs),
    Certify(CertifyArgs),
    Diagram(DiagramArgs),
    Fmt(FmtArgs),
    Parse(ParseArgs),
    /// Shows a source text in colours
    #[command(after_help = HIGHLIGHT_EXAMPLES)]
    Highlight(FileArgs),
    /// Serves an editor: speaks the Language Server Protocol on standard input and output
    Lsp,
    /// Debugs a trace: speaks the Debug Adapter Protocol on standard input and output
    ///
    /// An editor starts it and launches a trace with {"trace": "tcName.trace.json"}. "project" says where the program of the trace is, if it is
    /// not where it was; "stopOnEntry": true stops before anything happens, instead of going on to the first breakpoint or the bug.
    Dap,
    /// Does a job of the language server: takes it as a line of JSON on standard input, reports on standard output
    #[command(hide = true)]
    Worker,
    Cache(CacheArgs),
    /// Tells what Lockstep finds here, and how its language server has been doing
    Doctor,
}

/// Shows or removes the results that the language server has kept
///
/// Results of tests are kept by what the tests do, so that a comment or a restart does not lose them, and so are the traces of bugs. They lie
/// in the folder that the variable LOCKSTEP_CACHE names, or else in `lockstep` below XDG_CACHE_HOME or ~/.cache; old ones go by themselves.
#[derive(Debug, clap::Args)]
#[command(after_help = CACHE_EXAMPLES)]
pub(crate) struct CacheArgs {
    /// What to do
    #[arg(value_enum, default_value = "show")]
    pub(crate) what: CacheCommand,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CacheCommand {
    /// Tell where it is and how much is in it
    Show,
    /// Remove all results and traces
    Clear,
}

const CACHE_EXAMPLES: &str = "Examples:
  lockstep cache
  lockstep cache clear";

const HIGHLIGHT_EXAMPLES: &str = "Examples:
  lockstep highlight Client.p
  lockstep highlight --color always Client.p | less -R";

/// Reports what is wrong in files, folders and projects
///
/// P projects are checked for everything that P's compiler reports about syntax, names and types; nothing is run, and a program
/// without findings can still fail: `lockstep run` runs its tests. IceT programs are checked, put in order if possible, which proves the absence of deadlocks and
/// orphan messages for every size, and otherwise searched for bugs with small sets.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES, after_long_help = CHECK_LONG_HELP)]
pub(crate) struct CheckArgs {
    /// Files (.p, .icet), P projects (.pproj), folders, or `-` for standard input [default: the current folder]
    ///
    /// A folder stands for all files and projects below it, except hidden ones and those behind links to other folders. A
    /// project stands for the files and folders it names and for the projects it includes. Of a file only its own findings are
    /// shown, but it is checked as part of its project: the nearest project file in its folder or above that names it; without
    /// one, the files of its folder, or of the folders PSrc, PSpec, PTst and PForeign beside each other. Standard input is a
    /// project of its own.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The language of standard input, for the path `-`
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageArg>,

    /// How to write the findings to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// End with exit code 1 if there are warnings
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Option<Deny>,

    /// Do not show warnings with this code; several stand with commas between them, or behind one --allow each
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// After the findings, explain each code met
    #[arg(long)]
    pub(crate) explain: bool,

    /// Make the fixes of P files that are clearly right, say which, and check what is left
    ///
    /// Every fix is tried: one that would bring another finding is not made, nor one in a declaration with a syntax error. Nothing is removed
    /// because it is not used, and no name is guessed. Files that are not meant by the paths stay as they are.
    #[arg(long)]
    pub(crate) fix: bool,

    /// With --fix: show what would change, and write nothing
    #[arg(long, requires = "fix")]
    pub(crate) diff: bool,

    /// Print findings only, no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const CHECK_EXAMPLES: &str = "Examples:
  lockstep check
  lockstep check PSrc PTst/Test.p
  lockstep check --deny warnings --format github Lease.pproj
  echo 'event Ping;' | lockstep check --language p -

Exit codes: 0 no errors, 1 errors, 2 wrong usage, unreadable input or a bug in Lockstep.";

const CHECK_LONG_HELP: &str = r#"Examples:
  lockstep check
  lockstep check PSrc PTst/Test.p
  lockstep check --deny warnings --format github Lease.pproj
  echo 'event Ping;' | lockstep check --language p -

Exit codes:
  0  no errors
  1  errors; with --deny warnings: errors or warnings
  2  something could not be read, or wrong usage, or a bug in Lockstep; the rest is checked

JSON (--format json): one object with the fields
  version      1; grows when a field changes its meaning or goes
  files        how many P and IceT files were checked
  projects     what the P files are part of, each with
    name         as the project file says, else the name of the folder or file
    path         the project file, or null if there is none
    files        the paths of its P files, those of included projects too
  icet         what is known of each IceT program without static errors:
    path
    verdict      "proved", "refuted", "unknown" or "unsupported"
    scope        {"kind": "allSizes"} if proved, else null
    summary      what is claimed, or why nothing is, for people
    bug          {"kind", "instance", "end", "trace": [{"text", "range"}]} if refuted, else null
  diagnostics  the findings, by path and place, each with
    code         stable, such as "LS0001"; `lockstep explain CODE` tells more
    severity     "error", "warning" or "info"
    message      for people; may be reworded
    help         what to do, or null
    path         the file, with forward slashes; "<stdin>" for standard input
    range        {"start": PLACE, "end": PLACE}; the end is the place after the last character
    related      places that explain the finding, of this file or others:
                 [{"message", "path", "range"}]
    fix          {"title", "edits": [{"range", "text"}]}, changes of this file that mend it, or null
  failures     what could not be checked: [{"path", "message"}]
A PLACE is {"line", "column", "offset"}: lines and columns count from 1, columns in Unicode scalar
values; offsets count from 0, in bytes of the file."#;

/// Explains a code of a finding, with an example
///
/// Without a code, lists all codes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// Such as LS0101, in capitals or not
    pub(crate) code: Option<String>,
}

const EXPLAIN_EXAMPLES: &str = "Examples:
  lockstep explain
  lockstep explain LS0101";

/// Lists the test cases of P projects
///
/// One name per line, as P knows them and in its order; a test with parameters stands for a case for each choice of their values.
/// Tests with errors are left out: `lockstep check` tells of those. Nothing is run.
#[derive(Debug, clap::Args)]
#[command(after_help = TESTS_EXAMPLES, after_long_help = TESTS_LONG_HELP)]
pub(crate) struct TestsArgs {
    /// P projects (.pproj), folders or P files; as for `lockstep check` [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to write the list to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: TestsFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TestsFormat {
    /// One name per line
    Human,
    /// One JSON object for programs
    Json,
}

const TESTS_EXAMPLES: &str = "Examples:
  lockstep tests
  lockstep tests --format json Lease.pproj

Exit codes: 0 listed, 2 wrong usage, unreadable input or a bug in Lockstep.";

const TESTS_LONG_HELP: &str = r#"Examples:
  lockstep tests
  lockstep tests --format json Lease.pproj

Exit codes:
  0  the list is there, even if it is empty
  2  something could not be read, or wrong usage, or a bug in Lockstep

JSON (--format json): one object with the fields
  version      1; grows when a field changes its meaning or goes
  tests        the test cases, by project and in P's order, each with
    project      the name of the project
    path         its project file, or null if there is none
    name         what P calls the test case
    test         the name of the test's declaration
    parameters   {"name": value}: the values chosen, numbers or true and false
    main         the machine that is started
    file, line   where the test is declared; lines count from 1"#;

/// Shows the syntax tree of a text
///
/// The tree goes to standard output, syntax errors to standard error. Broken text has a tree too.
#[derive(Debug, clap::Args)]
#[command(after_help = PARSE_EXAMPLES, after_long_help = PARSE_LONG_HELP)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,

    /// Print an indented outline (the default)
    ///
    /// One line per node: its field, its kind, the text of a leaf, and its range as line:column-line:column, counted from 1,
    /// the end being the place after the last character. ERROR marks text that fits nowhere, MISSING what the parser assumed.
    #[arg(long, conflicts_with = "json")]
    pub(crate) tree: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const PARSE_EXAMPLES: &str = "Examples:
  lockstep parse Client.p
  lockstep parse --json Client.p
  echo 'event Ping;' | lockstep parse --language p -

Exit codes: 0 no syntax errors, 1 syntax errors, 2 wrong usage, unreadable input or a bug in Lockstep.";

const PARSE_LONG_HELP: &str = r#"Examples:
  lockstep parse Client.p
  lockstep parse --json Client.p
  echo 'event Ping;' | lockstep parse --language p -

Exit codes:
  0  no syntax errors
  1  syntax errors
  2  wrong usage, input that cannot be read, or a bug in Lockstep

JSON (--json): one object with the fields
  version, path, language
  nodes        all nodes in reading order, each with
    depth        0 for the root
    parent       the index of the parent in `nodes`, or null
    field        its role in the parent, or null
    kind         the node's kind; for a token such as `;` the token itself
    named        whether it is more than a token
    error        whether it is text that fits nowhere
    missing      whether it is not in the text
    text         the text of a leaf, or null
    range        as in `lockstep check --format json`
  diagnostics  the syntax errors, as in `lockstep check --format json`
The nodes are a flat list because trees may be deeper than what JSON parsers accept."#;

#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// The file to read; `-` reads standard input
    pub(crate) file: PathBuf,

    /// The language of the text [default: by the file's ending]
    #[arg(long, value_enum)]
    pub(crate) language: Option<LanguageArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Source snippets for people
    Human,
    /// One JSON object for programs
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// Workflow commands, which GitHub Actions shows in a change's files
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    Warnings,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LanguageArg {
    P,
    Icet,
}

impl From<LanguageArg> for Language {
    fn from(language: LanguageArg) -> Self {
        match language {
            LanguageArg::P => Self::P,
            LanguageArg::Icet => Self::Icet,
        }
    }
}
