//! Help, version and wrong usage.

use expect_test::expect;

use super::Sandbox;

#[test]
fn the_short_help_fits_on_a_screen() {
    Sandbox::new("").check(
        "-h",
        expect![[r#"
            Checks programs written in P and IceT

            Usage: lockstep [OPTIONS] <COMMAND>

            Commands:
              new            Makes a folder with a small project that checks clean and has a test
              samples        Lists sample programs, or copies one into a folder
              check          Reports what is wrong in files, folders and projects
              explain        Explains a code of a finding, with an example
              tests          Lists the test cases of P projects
              run            Runs P tests with random schedules, or an IceT program
              explore        Searches all behaviours of P tests
              replay         Runs a trace again, and says whether its bug is still there
              trace          Shows a trace, or makes it shorter
              sequentialize  Puts an IceT program in order: prints a sequential program that does the same, and
                             what that proves
              certify        Checks a certificate of `sequentialize`, without what found it
              diagram        Draws a P program: the states of a machine, or who sends what to whom
              fmt            Lays files out in the style of P's tutorials
              parse          Shows the syntax tree of a text
              highlight      Shows a source text in colours
              lsp            Serves an editor: speaks the Language Server Protocol on standard input and output
              dap            Debugs a trace: speaks the Debug Adapter Protocol on standard input and output
              cache          Shows or removes the results that the language server has kept
              doctor         Tells what Lockstep finds here, and how its language server has been doing
              help           Print this message or the help of the given subcommand(s)

            Options:
                  --color <WHEN>  When to colour the output [default: auto] [possible values: auto, always,
                                  never]
              -h, --help          Print help (see more with '--help')
              -V, --version       Print version

            Examples:
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

            `lockstep help COMMAND` tells more about a command.
            --- exit code 0
        "#]],
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let sandbox = Sandbox::new("");
    for command in [
        "check",
        "explain",
        "tests",
        "run",
        "explore",
        "replay",
        "trace",
        "sequentialize",
        "certify",
        "diagram",
        "parse",
        "highlight",
    ] {
        for help in ["-h", "--help"] {
            let run = sandbox.run(&[command, help]);
            assert_eq!(run.code, Some(0));
            assert!(run.stdout.contains(&format!("Examples:\n  lockstep {command}")), "{}", run.stdout);
            assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{}", run.stdout);
        }
    }
    assert!(sandbox.run(&["check", "--help"]).stdout.contains("columns in Unicode scalar"));
}

#[test]
fn the_version() {
    let run = Sandbox::new("").run(&["--version"]);
    assert_eq!(run.stdout, format!("lockstep {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let sandbox = Sandbox::new("");
    sandbox.check(
        "chekc",
        expect![[r#"
            --- stderr
            error: unrecognized subcommand 'chekc'

              tip: a similar subcommand exists: 'check'

            Usage: lockstep [OPTIONS] <COMMAND>

            For more information, try '--help'.
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "check --format xml",
        expect![[r#"
            --- stderr
            error: invalid value 'xml' for '--format <FORMAT>'
              [possible values: human, json, sarif, github]

            For more information, try '--help'.
            --- exit code 2
        "#]],
    );
    assert_eq!(sandbox.run(&[]).code, Some(2));
    assert_eq!(sandbox.run(&["parse", "a.p", "--tree", "--json"]).code, Some(2));
}
