//! `lockstep explain`, and `--explain`, `--allow` and `--deny` of `lockstep check`.

use expect_test::expect;

use super::Sandbox;

#[test]
fn a_code_is_explained() {
    let sandbox = Sandbox::new("");
    sandbox.check(
        "explain LS0101",
        expect![[r#"
        LS0101: a name is declared twice

        All files of a project share one scope, and the order of declarations does not matter. So
        a name can be declared once only among the names of its kind: types, enums, interfaces,
        machines and specs share one set of names; events and elements of enums another;
        functions, modules, and tests with implementations have theirs. Inside a machine the same
        holds for variables, for functions and for states; inside a function for its parameters
        and variables.

        Wrong

            event eStart;
            event eStart: int;

        Right

            event eStart;
            event eRestart: int;
        --- exit code 0
    "#]],
    );
    assert_eq!(sandbox.run(&["explain", "ls0101"]).stdout, sandbox.run(&["explain", "LS0101"]).stdout);
    assert_eq!(sandbox.run(&["explain", "101"]).stdout, sandbox.run(&["explain", "LS0101"]).stdout);
    let coloured = sandbox.run(&["explain", "LS0101", "--color", "always"]).stdout;
    assert!(coloured.starts_with("\x1b[1mLS0101: a name is declared twice\x1b[0m\n"), "{coloured}");
    assert!(coloured.contains("\n    \x1b[35mevent\x1b[0m "), "{coloured}");
}

#[test]
fn all_codes_are_listed() {
    let run = Sandbox::new("").run(&["explain"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("LS0101  a name is declared twice\n"), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.starts_with("LS") && line.len() > 8), "{}", run.stdout);
}

#[test]
fn an_unknown_code_is_told_with_its_neighbours() {
    let sandbox = Sandbox::new("//- a.p\n");
    sandbox.check(
        "explain LS9901",
        expect![[r#"
            --- stderr
            error: there is no code `LS9901`: did you mean `LS0001` or `LS0101` or `LS0201`?
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "explain nonsense",
        expect![[r#"
        --- stderr
        error: there is no code `nonsense`: `lockstep explain` lists all
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "check --allow LS9101",
        expect![[r#"
            --- stderr
            error: there is no code `LS9101`: did you mean `LS0101` or `LS1101` or `LS2101`?
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "check --allow ls0101",
        expect![[r#"
        --- stderr
        error: `LS0101` is an error: only warnings can be allowed
        --- exit code 2
    "#]],
    );
}

const TWICE: &str = "//- a.p\nevent e;\nevent e;\nevent e;\n";

#[test]
fn findings_are_explained_once() {
    let sandbox = Sandbox::new(TWICE);
    let run = sandbox.run(&["check", "--explain"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.matches("\nLS0101: a name is declared twice\n").count(), 1, "{}", run.stdout);
    assert!(run.stdout.ends_with("\n\nchecked 1 file: 2 errors\n"), "{}", run.stdout);
    sandbox.check(
        "check --explain --json",
        expect![[r#"
        --- stderr
        error: --explain is for people: it goes with --format human only
        --- exit code 2
    "#]],
    );
}

const ODD_PROJECT: &str = "
//- a.pproj
<Project><ProjectName>A</ProjectName><Extra/><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
event e;
";

#[test]
fn warnings_alone_are_no_failure_unless_they_are_denied() {
    let sandbox = Sandbox::new(ODD_PROJECT);
    for (command, code) in [
        ("check", 0),
        ("check --deny warnings", 1),
        ("check --deny warnings --allow LS0012", 0),
        ("check --deny warnings --allow LS0011 --allow ls0012", 0),
        ("check --deny warnings --allow LS0011,12", 0),
        ("check --deny warnings --allow LS0011", 1),
    ] {
        let args: Vec<&str> = command.split(' ').collect();
        assert_eq!(sandbox.run(&args).code, Some(code), "{command}");
    }
    sandbox.check(
        "check --allow LS0012",
        expect![[r#"
        checked 1 file of 1 project: no errors
        --- exit code 0
    "#]],
    );
    assert_eq!(sandbox.run(&["check", "--deny", "errors"]).code, Some(2));
}
