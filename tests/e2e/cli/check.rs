//! `lockstep check` on files and folders.

use expect_test::expect;

use super::Sandbox;

const TWO_MISTAKES: &str = "
//- Client.p
machine Client {
  var count: int;
  start state Init {
    entry {
      count = (1 + 22;
    }
  }
}
//- Server.p
machine Server {
  start state Idle { }
}
//- model/Clock.p
machine Clock {
  start state Run { entry { var count: int = 10; } }
}
//- model/ring.icet
";

#[test]
fn findings_are_shown_in_their_source() {
    Sandbox::new(TWO_MISTAKES).check(
        "check",
        expect![[r#"
            error[LS0001]: expected `)` after `22`
             --> Client.p:5:22
              |
            5 |       count = (1 + 22;
              |               -      ^
              |               |
              |               to close this `(`

            error[LS0001]: expected `;` after `int`
             --> model/Clock.p:2:44
              |
            2 |   start state Run { entry { var count: int = 10; } }
              |                                            ^
              |
              = help: a variable has no initial value: declare it with `var name: type;` and assign it in a statement of its own

            model/ring.icet: unknown: there are no processes, so there is nothing to prove
            checked 3 files and 1 IceT file: 2 errors
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_clean_folder() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping;\n//- b/c.p\nevent Pong;");
    sandbox.check(
        "check",
        expect![[r#"
            checked 2 files: no errors
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "check --quiet",
        expect![[r#"
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "check a.p",
        expect![[r#"
            checked 1 file: no errors
            --- exit code 0
        "#]],
    );
}

#[test]
fn quiet_prints_findings_only() {
    Sandbox::new("//- a.p\nevent Ping").check(
        "check -q .",
        expect![[r#"
            error[LS0001]: expected `;` after `Ping`
             --> a.p:1:11
              |
            1 | event Ping
              |           ^

            --- exit code 1
        "#]],
    );
}

#[test]
fn json_has_documented_fields() {
    let run = Sandbox::new("//- a.p\nfun f() {\n  x = (\"😀\" + 10;\n}\n").run(&["check", "--format", "json"]);
    assert_eq!(run.code, Some(1));
    expect![[r#"
        {
          "version": 1,
          "files": 1,
          "projects": [
            {
              "name": "sandbox",
              "path": null,
              "files": [
                "a.p"
              ]
            }
          ],
          "icet": [],
          "diagnostics": [
            {
              "code": "LS0001",
              "severity": "error",
              "message": "expected `)` after `10`",
              "help": null,
              "path": "a.p",
              "range": {
                "start": {
                  "line": 2,
                  "column": 16,
                  "offset": 28
                },
                "end": {
                  "line": 2,
                  "column": 16,
                  "offset": 28
                }
              },
              "related": [
                {
                  "message": "to close this `(`",
                  "path": "a.p",
                  "range": {
                    "start": {
                      "line": 2,
                      "column": 7,
                      "offset": 16
                    },
                    "end": {
                      "line": 2,
                      "column": 8,
                      "offset": 17
                    }
                  }
                }
              ],
              "fix": null
            }
          ],
          "failures": []
        }
    "#]]
    .assert_eq(&format!("{:#}\n", run.json()));
}

#[test]
fn json_of_a_clean_folder_and_of_a_failure() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping;");
    sandbox.check(
        "check --format json",
        expect![[r#"
            {"version":1,"files":1,"projects":[{"name":"sandbox","path":null,"files":["a.p"]}],"icet":[],"diagnostics":[],"failures":[]}
            --- exit code 0
        "#]],
    );
    sandbox.check("check --format json a.p missing.p", expect![[r#"
        {"version":1,"files":1,"projects":[{"name":"sandbox","path":null,"files":["a.p"]}],"icet":[],"diagnostics":[],"failures":[{"path":"missing.p","message":"there is no file or folder `missing.p`"}]}
        --- exit code 2
    "#]]);
}

#[test]
fn a_file_that_several_paths_lead_to_is_checked_once() {
    let sandbox = Sandbox::new("//- src/a.p\nevent Ping;\n//- src/b.p\nevent Pong;");
    sandbox.check(
        "check src/b.p src ./src/../src/a.p .",
        expect![[r#"
            checked 2 files: no errors
            --- exit code 0
        "#]],
    );
}

#[test]
fn many_files_are_reported_in_order_of_their_names() {
    let sandbox = Sandbox::new("");
    for number in 0..200 {
        sandbox.write(&format!("{number:03}.p"), format!("event E{number}").repeat(1 + number % 7));
    }
    let run = sandbox.run(&["check", "--format", "json"]);
    let paths: Vec<String> =
        run.json()["diagnostics"].as_array().unwrap().iter().map(|found| found["path"].to_string()).collect();
    assert!(paths.is_sorted() && paths.len() >= 200, "{paths:?}");
    assert_eq!(sandbox.run(&["check", "--format", "json"]).stdout, run.stdout);
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping");
    assert!(!sandbox.run(&["check"]).stdout.contains('\x1b'), "a pipe is no terminal");
    assert!(sandbox.run(&["check", "--color", "always"]).stdout.contains("\x1b[1m\x1b[91merror[LS0001]"));
    let mut command = sandbox.command(["check"]);
    command.env("CLICOLOR_FORCE", "1");
    assert!(super::finish(command).stdout.contains('\x1b'));
}

#[test]
fn what_cannot_be_checked_is_told_and_the_rest_is_checked() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping\n//- notes/readme.md\n");
    sandbox.check(
        "check missing.p notes notes/readme.md a.p",
        expect![[r#"
            error[LS0001]: expected `;` after `Ping`
             --> a.p:1:11
              |
            1 | event Ping
              |           ^

            checked 1 file: 1 error; 3 paths could not be checked
            --- stderr
            error: there is no file or folder `missing.p`
            error: there are no P or IceT files in the folder `notes`
            error: `notes/readme.md` is not a file that Lockstep knows: expected .p, .icet or .pproj
            --- exit code 2
        "#]],
    );
}

#[test]
fn standard_input_is_a_path_like_others() {
    let sandbox = Sandbox::new("//- a.p\nevent Pong");
    let run = sandbox.run_with_input(&["check", "-", "--language", "p"], "event Ping");
    expect![[r#"
        error[LS0001]: expected `;` after `Ping`
         --> <stdin>:1:11
          |
        1 | event Ping
          |           ^

        checked 1 file: 1 error
        --- exit code 1
    "#]]
    .assert_eq(&run.shown());
    let run = sandbox.run_with_input(&["check", "--json", "--language", "icet", "-", "a.p", "-"], "");
    expect![[r#"
        {"version":1,"files":2,"projects":[{"name":"sandbox","path":null,"files":["a.p"]}],"icet":[{"path":"<stdin>","verdict":"unknown","scope":null,"summary":"there are no processes, so there is nothing to prove","bug":null}],"diagnostics":[{"code":"LS0001","severity":"error","message":"expected `;` after `Pong`","help":null,"path":"a.p","range":{"start":{"line":1,"column":11,"offset":10},"end":{"line":1,"column":11,"offset":10}},"related":[],"fix":null}],"failures":[]}
        --- exit code 1
    "#]].assert_eq(&run.shown());
    sandbox.check(
        "check -",
        expect![[r#"
        --- stderr
        error: the text comes from standard input: say --language p or icet
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "check --language p a.p",
        expect![[r#"
        --- stderr
        error: --language is about standard input: add the path `-`
        --- exit code 2
    "#]],
    );
}

#[test]
fn json_is_short_for_the_format() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping");
    assert_eq!(sandbox.run(&["check", "--json"]).stdout, sandbox.run(&["check", "--format", "json"]).stdout);
    assert_eq!(sandbox.run(&["check", "--json", "--format", "human"]).code, Some(2));
}

#[test]
fn standard_input_is_a_project_of_its_own() {
    let sandbox = Sandbox::new("//- a.p\nevent Pong;");
    let run = sandbox.run_with_input(&["check", "--language", "p", "-"], "fun f(): bool { return Pong == 1; }");
    expect![[r#"
        error[LS0110]: there is no variable, enum element or event `Pong` here
         --> <stdin>:1:24
          |
        1 | fun f(): bool { return Pong == 1; }
          |                        ^^^^

        checked 1 file: 1 error
        --- exit code 1
    "#]]
    .assert_eq(&run.shown());
}

#[test]
fn types_are_checked_across_the_files_of_a_folder() {
    let sandbox = Sandbox::new(
        "
//- PSrc/Client.p
machine Client {
  start state Init {
    entry { send new Server(), eRequest, true; }
  }
}
//- PSrc/Server.p
event eRequest: int;
machine Server { start state Idle { on eRequest do (n: bool) { } } }
//- PTst/Test.p
test t [main=Client]: { Client, Server };
",
    );
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0317]: `eRequest` takes a value of type `int`, and this is of type `bool`
             --> PSrc/Client.p:3:42
              |
            3 |     entry { send new Server(), eRequest, true; }
              |                                          ^^^^
              |
             ::: PSrc/Server.p:1:7
              |
            1 | event eRequest: int;
              |       -------- `eRequest` is declared here

            error[LS0204]: `eRequest` carries a value of type `int`, and the handler takes one of type `bool`
             --> PSrc/Server.p:2:40
              |
            1 | event eRequest: int;
              |       -------- `eRequest` is declared here
            2 | machine Server { start state Idle { on eRequest do (n: bool) { } } }
              |                                        ^^^^^^^^
              |
              = help: give the parameter the type of that value, or leave it out

            checked 3 files: 2 errors
            --- exit code 1
        "#]],
    );
    // Of a file only its own findings are shown.
    sandbox.check(
        "check PSrc/Client.p",
        expect![[r#"
            error[LS0317]: `eRequest` takes a value of type `int`, and this is of type `bool`
             --> PSrc/Client.p:3:42
              |
            3 |     entry { send new Server(), eRequest, true; }
              |                                          ^^^^
              |
             ::: PSrc/Server.p:1:7
              |
            1 | event eRequest: int;
              |       -------- `eRequest` is declared here

            checked 1 file: 1 error
            --- exit code 1
        "#]],
    );
    sandbox.check(
        "check PTst",
        expect![[r#"
        checked 1 file: no errors
        --- exit code 0
    "#]],
    );
}

#[test]
fn files_that_cannot_be_one_program_are_checked_one_by_one() {
    let sandbox = Sandbox::new(
        "
//- a.p
machine Main { start state S { } }
//- b.p
event eGo;
machine Main { start state S { on eGo do { } } }
//- c.p
machine Other { start state S { on eGo do { } } }
",
    );
    sandbox.check(
        "check",
        expect![[r#"
            info[LS0014]: `Main` is declared in `b.p` too: each file of this folder is checked as a program of its own
             --> a.p:1:9
              |
            1 | machine Main { start state S { } }
              |         ^^^^
              |
             ::: b.p:2:9
              |
            2 | machine Main { start state S { on eGo do { } } }
              |         ---- declared here
              |
              = help: a project file (.pproj) says which files belong together

            warning[LS1202]: `eGo` is handled, but nothing sends it
             --> b.p:1:7
              |
            1 | event eGo;
              |       ^^^

            error[LS0106]: there is no event `eGo`
             --> c.p:1:36
              |
            1 | machine Other { start state S { on eGo do { } } }
              |                                    ^^^

            checked 3 files: 1 error, 1 warning, 1 remark
            --- exit code 1
        "#]],
    );
    sandbox.check(
        "check b.p",
        expect![[r#"
            warning[LS1202]: `eGo` is handled, but nothing sends it
             --> b.p:1:7
              |
            1 | event eGo;
              |       ^^^

            info[LS0014]: `Main` is declared in `a.p` too: each file of this folder is checked as a program of its own
             --> b.p:2:9
              |
            2 | machine Main { start state S { on eGo do { } } }
              |         ^^^^
              |
             ::: a.p:1:9
              |
            1 | machine Main { start state S { } }
              |         ---- declared here
              |
              = help: a project file (.pproj) says which files belong together

            checked 1 file: no errors, 1 warning, 1 remark
            --- exit code 0
        "#]],
    );
}
