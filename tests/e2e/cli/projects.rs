//! `lockstep check` on P projects.

use expect_test::expect;

use super::Sandbox;

#[test]
fn a_project_with_an_included_one() {
    let sandbox = Sandbox::new(
        r"
//- shop/Shop.pproj
<Project>
  <ProjectName>Shop</ProjectName>
  <InputFiles>
    <PFile>.\PSrc\</PFile>
    <PFile>PTst/Test.p</PFile>
  </InputFiles>
  <IncludeProject>../common/Common.pproj</IncludeProject>
</Project>
//- shop/PSrc/Shop.p
machine Shop { start state Open { } }
//- shop/PTst/Test.p
machine Test { start state Run { } }
//- shop/PTst/NotPartOfIt.p
machine
//- common/Common.pproj
<Project>
  <InputFiles><PFile>Timer.p</PFile></InputFiles>
  <IncludeProject>../shop/Shop.pproj</IncludeProject>
</Project>
//- common/Timer.p
event Tick
",
    );
    sandbox.check(
        "check shop/Shop.pproj",
        expect![[r#"
            warning[LS0017]: this includes `shop/Shop.pproj` in itself: P then passes over all its tests
             --> common/Common.pproj:3:19
              |
            3 |   <IncludeProject>../shop/Shop.pproj</IncludeProject>
              |                   ^^^^^^^^^^^^^^^^^^

            error[LS0001]: expected `;` after `Tick`
             --> common/Timer.p:1:11
              |
            1 | event Tick
              |           ^

            checked 3 files of 1 project: 1 error, 1 warning
            --- exit code 1
        "#]],
    );
}

#[test]
fn paths_that_lead_nowhere_are_findings_in_the_project_file() {
    let sandbox = Sandbox::new(
        r"
//- Shop.pproj
<Project>
  <InputFiles>
    <PFile>Shop.p</PFile>
    <PFile>PSrc</PFile>
  </InputFiles>
  <IncludeProject>Common.pproj</IncludeProject>
</Project>
//- Shop.p
event Open;
",
    );
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0015]: this project has no `ProjectName`
             --> Shop.pproj:1:2
              |
            1 | <Project>
              |  ^^^^^^^
              |
              = help: add <ProjectName>...</ProjectName>

            warning[LS0011]: there is no file or folder `PSrc`: P passes over it
             --> Shop.pproj:4:12
              |
            4 |     <PFile>PSrc</PFile>
              |            ^^^^

            error[LS0011]: there is no project file `Common.pproj`
             --> Shop.pproj:6:19
              |
            6 |   <IncludeProject>Common.pproj</IncludeProject>
              |                   ^^^^^^^^^^^^

            checked 1 file of 1 project: 2 errors, 1 warning
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_project_file_that_is_not_xml_is_a_finding() {
    let sandbox = Sandbox::new("//- Shop.pproj\n<Project>\n  <InputFiles>\n</Project>\n");
    sandbox.check(
        "check Shop.pproj",
        expect![[r#"
            error[LS0010]: this project file cannot be read as XML: expected 'InputFiles' tag, not 'Project'
             --> Shop.pproj:3:1
              |
            3 | </Project>
              | ^

            checked 0 files: 1 error
            --- exit code 1
        "#]],
    );
    sandbox.write("Shop.pproj", b"<Project>\n  \xe9</Project>");
    sandbox.check(
        "check Shop.pproj",
        expect![[r#"
            error[LS0007]: this file is not UTF-8: byte 0xE9 at offset 12, line 2
             --> Shop.pproj:2:3
              |
            2 |   ?</Project>
              |   ^
              |
              = help: save the file as UTF-8

            checked 0 files: 1 error
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_project_without_files_is_no_clean_project() {
    Sandbox::new("//- Shop.pproj\n<Project/>").check(
        "check Shop.pproj",
        expect![[r#"
            error[LS0013]: this project names no P files
             --> Shop.pproj:1:2
              |
            1 | <Project/>
              |  ^^^^^^^

            error[LS0015]: this project has no `ProjectName`
             --> Shop.pproj:1:2
              |
            1 | <Project/>
              |  ^^^^^^^
              |
              = help: add <ProjectName>...</ProjectName>

            checked 0 files: 2 errors
            --- exit code 1
        "#]],
    );
}

#[test]
fn elements_that_p_passes_over_are_warnings() {
    let sandbox = Sandbox::new(
        r"
//- Shop.pproj
<Project>
  <ProjectName>Shop</ProjectName>
  <Inputfiles>
    <PFile>Missing.p</PFile>
  </Inputfiles>
  <InputFiles>
    <PFile>Shop.p</PFile>
    <pfile>Other.p</pfile>
    <PFile>PSrc/*.p</PFile>
  </InputFiles>
  <Include>Common.pproj</Include>
  <Compiler>P</Compiler>
</Project>
//- Shop.p
event Open;
",
    );
    sandbox.check(
        "check Shop.pproj",
        expect![[r#"
            warning[LS0012]: P does not know the element `Inputfiles` and passes over it
             --> Shop.pproj:3:4
              |
            3 |   <Inputfiles>
              |    ^^^^^^^^^^
              |
              = help: did you mean `InputFiles`?

            warning[LS0012]: P does not know the element `pfile` and passes over it
             --> Shop.pproj:8:6
              |
            8 |     <pfile>Other.p</pfile>
              |      ^^^^^
              |
              = help: did you mean `PFile`?

            warning[LS0011]: there is no file or folder `PSrc/*.p`: P passes over it
             --> Shop.pproj:9:12
              |
            9 |     <PFile>PSrc/*.p</PFile>
              |            ^^^^^^^^
              |
              = help: name the folder instead: every .p file in it is taken

            warning[LS0012]: P does not know the element `Include` and passes over it
              --> Shop.pproj:11:4
               |
            11 |   <Include>Common.pproj</Include>
               |    ^^^^^^^
               |
               = help: did you mean `IncludeProject`?

            warning[LS0012]: P does not know the element `Compiler` and passes over it
              --> Shop.pproj:12:4
               |
            12 |   <Compiler>P</Compiler>
               |    ^^^^^^^^
               |
               = help: P reads here: `ProjectName`, `InputFiles`, `OutputDir`, `Target`, `IncludeProject`, `pobserve-package`

            checked 1 file of 1 project: no errors, 5 warnings
            --- exit code 0
        "#]],
    );
    sandbox.write("Shop.pproj", "<Project><Inputfile><PFile>Shop.p</PFile></Inputfile></Project>");
    sandbox.check(
        "check Shop.pproj",
        expect![[r#"
            error[LS0013]: this project names no P files
             --> Shop.pproj:1:2
              |
            1 | <Project><Inputfile><PFile>Shop.p</PFile></Inputfile></Project>
              |  ^^^^^^^

            error[LS0015]: this project has no `ProjectName`
             --> Shop.pproj:1:2
              |
            1 | <Project><Inputfile><PFile>Shop.p</PFile></Inputfile></Project>
              |  ^^^^^^^
              |
              = help: add <ProjectName>...</ProjectName>

            warning[LS0012]: P does not know the element `Inputfile` and passes over it
             --> Shop.pproj:1:11
              |
            1 | <Project><Inputfile><PFile>Shop.p</PFile></Inputfile></Project>
              |           ^^^^^^^^^
              |
              = help: did you mean `InputFiles`?

            checked 0 files: 2 errors, 1 warning
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_file_is_checked_as_part_of_its_project() {
    let sandbox = Sandbox::new(
        r"
//- shop/Shop.pproj
<Project>
  <ProjectName>Shop</ProjectName>
  <InputFiles><PFile>src</PFile></InputFiles>
  <IncludeProject>../common/Common.pproj</IncludeProject>
</Project>
//- shop/src/Shop.p
machine Shop { start state Open { on eTick do { raise eTock; } } }
//- shop/src/deep/Broken.p
machine
//- common/Common.pproj
<Project><InputFiles><PFile>Timer.p</PFile></InputFiles></Project>
//- common/Timer.p
event eTick;
",
    );
    sandbox.check(
        "check shop/src/Shop.p",
        expect![[r#"
            error[LS0110]: there is no variable, enum element or event `eTock` here
             --> shop/src/Shop.p:1:55
              |
            1 | machine Shop { start state Open { on eTick do { raise eTock; } } }
              |                                                       ^^^^^
              |
              = help: did you mean `eTick`?

            checked 1 file of 1 project: 1 error
            --- exit code 1
        "#]],
    );
    let run = {
        let mut command = sandbox.command(["check", "Shop.p", "--quiet"]);
        command.current_dir(sandbox.path().join("shop/src"));
        super::finish(command)
    };
    expect![[r#"
        error[LS0110]: there is no variable, enum element or event `eTock` here
         --> Shop.p:1:55
          |
        1 | machine Shop { start state Open { on eTick do { raise eTock; } } }
          |                                                       ^^^^^
          |
          = help: did you mean `eTick`?

        --- exit code 1
    "#]]
    .assert_eq(&run.shown());
}

#[test]
fn a_file_of_two_projects_is_wrong_if_one_says_so() {
    let sandbox = Sandbox::new(
        "
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile><PFile>both.p</PFile></InputFiles></Project>
//- b.pproj
<Project><ProjectName>B</ProjectName><InputFiles><PFile>b.p</PFile><PFile>both.p</PFile></InputFiles></Project>
//- a.p
event eGo;
//- b.p
event eGo: int;
//- both.p
machine M { start state S { on eGo do (n: int) { } on eNone do { } } }
",
    );
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0204]: `eGo` carries no value, and the handler takes one of type `int`
             --> both.p:1:32
              |
            1 | machine M { start state S { on eGo do (n: int) { } on eNone do { } } }
              |                                ^^^
              |
             ::: a.p:1:7
              |
            1 | event eGo;
              |       --- `eGo` is declared here
              |
              = help: leave the parameter out, or declare `event eGo: int;`

            error[LS0106]: there is no event `eNone`
             --> both.p:1:55
              |
            1 | machine M { start state S { on eGo do (n: int) { } on eNone do { } } }
              |                                                       ^^^^^

            checked 3 files of 2 projects: 2 errors
            --- exit code 1
        "#]],
    );
}

#[test]
fn names_targets_and_ways_to_included_projects() {
    let sandbox = Sandbox::new(
        r"
//- Shop.pproj
<Project>
  <ProjectName>my shop</ProjectName>
  <Target>PChecker,CSharp</Target>
  <InputFiles><PFile>Shop.p</PFile></InputFiles>
  <IncludeProject>sub/Sub.pproj</IncludeProject>
</Project>
//- Shop.p
event Open;
//- sub/Sub.pproj
<Project>
  <IncludeProject>more/More.pproj</IncludeProject>
  <IncludeProject>other/Other.pproj</IncludeProject>
</Project>
//- sub/more/More.pproj
<Project/>
//- more/More.pproj
<Project/>
//- sub/other/Other.pproj
<Project/>
",
    );
    sandbox.check(
        "check Shop.pproj",
        expect![[r#"
        error[LS0015]: P refuses `my shop` as the name of a project
         --> Shop.pproj:2:16
          |
        2 |   <ProjectName>my shop</ProjectName>
          |                ^^^^^^^
          |
          = help: a project's name consists of letters, digits and `_`, and does not begin with a digit

        error[LS0016]: P knows no target `CSharp`
         --> Shop.pproj:3:11
          |
        3 |   <Target>PChecker,CSharp</Target>
          |           ^^^^^^^^^^^^^^^
          |
          = help: the targets are `PChecker`, `PEx`, `PObserve`, `PVerifier`

        warning[LS0017]: this can be `more/More.pproj` or `sub/more/More.pproj`: P takes the first
         --> sub/Sub.pproj:2:19
          |
        2 |   <IncludeProject>more/More.pproj</IncludeProject>
          |                   ^^^^^^^^^^^^^^^
          |
          = help: P looks for included projects from the folder where it is started, not from that of this file

        warning[LS0017]: P looks for this project at `other/Other.pproj`, and there is none
         --> sub/Sub.pproj:3:19
          |
        3 |   <IncludeProject>other/Other.pproj</IncludeProject>
          |                   ^^^^^^^^^^^^^^^^^
          |
          = help: P looks for included projects from the folder where it is started, not from that of this file

        checked 1 file of 1 project: 2 errors, 2 warnings
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_project_for_the_verifier_may_prove() {
    let sandbox = Sandbox::new(
        "
//- a.pproj
<Project><ProjectName>A</ProjectName><Target>PVerifier</Target><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
pure f(): int = 1;
",
    );
    sandbox.check(
        "check",
        expect![[r#"
        checked 1 file of 1 project: no errors
        --- exit code 0
    "#]],
    );
}

#[test]
fn test_cases_are_listed_as_p_knows_them() {
    let sandbox = Sandbox::new(
        "
//- a/A.pproj
<Project>
  <ProjectName>A</ProjectName>
  <InputFiles><PFile>A.p</PFile></InputFiles>
  <IncludeProject>../b/B.pproj</IncludeProject>
</Project>
//- a/A.p
param n: int;
param quick: bool;
machine M { start state S { entry { print format(\"{0} {1}\", n, quick); } } }
test plain [main=M]: { M };
test param (n in [1, -2], quick in [true, false]) many [main=M]: { M };
test wrong [main=None]: { M };
//- b/B.pproj
<Project><ProjectName>B</ProjectName><InputFiles><PFile>B.p</PFile></InputFiles></Project>
//- b/B.p
machine B { start state S { } }
test ofB [main=B]: { B };
",
    );
    sandbox.check(
        "tests a",
        expect![[r#"
            plain
            many___n_1__quick_true
            many___n_neg2__quick_true
            many___n_1__quick_false
            many___n_neg2__quick_false
            --- stderr
            note: `A` has 1 error, so P runs none of its tests and some may be missing here: `lockstep check` shows them
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "tests",
        expect![[r#"
            plain
            many___n_1__quick_true
            many___n_neg2__quick_true
            many___n_1__quick_false
            many___n_neg2__quick_false
            ofB
            --- stderr
            note: `A` has 1 error, so P runs none of its tests and some may be missing here: `lockstep check` shows them
            --- exit code 0
        "#]],
    );
    let json = sandbox.run(&["tests", "--format", "json", "a/A.p"]).json();
    expect![[r#"
        {
          "project": "A",
          "path": "a/A.pproj",
          "name": "many___n_1__quick_true",
          "test": "many",
          "parameters": {
            "n": 1,
            "quick": true
          },
          "main": "M",
          "file": "a/A.p",
          "line": 5
        }
    "#]]
    .assert_eq(&format!("{:#}\n", json["tests"][1]));
    sandbox.check(
        "tests b/B.p missing.p",
        expect![[r#"
        ofB
        --- stderr
        error: there is no file or folder `missing.p`
        --- exit code 2
    "#]],
    );
}

#[test]
fn a_switch_that_one_project_needs_is_not_useless_in_another() {
    let sandbox = Sandbox::new(
        "//- A/A.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>../Common.p</PFile><PFile>A.p</PFile></InputFiles></Project>
//- A/A.p
machine Main { start state S { } }
//- B/B.pproj
<Project><ProjectName>B</ProjectName><InputFiles><PFile>../Common.p</PFile><PFile>B.p</PFile></InputFiles></Project>
//- B/B.p
machine Main { start state S { entry { print format(\"{0}\", twice(1)); } } }
//- Common.p
// lockstep: allow(LS1105) because B calls it
fun twice(n: int): int { return n + n; }
// lockstep: allow(LS1102) because of nothing
fun half(n: int): int { return n / 2; }
",
    );
    let found = |args: &[&str]| {
        let log = sandbox.run(&[&["check", "--format", "json"], args].concat()).stdout;
        ["LS1004", "LS1105"].map(|code| log.matches(&format!("\"{code}\"")).count())
    };
    assert_eq!(found(&["A/A.pproj"]), [1, 1], "half is unused, and its comment is useless");
    assert_eq!(found(&["B/B.pproj"]), [2, 1], "nothing is to be switched off about twice");
    assert_eq!(found(&[]), [1, 1], "the comment about twice is of use in A");
}

#[test]
fn the_list_of_tests_says_that_errors_come_first() {
    let sandbox = Sandbox::new(
        "//- A.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>A.p</PFile></InputFiles></Project>
//- A.p
machine M { start state S { entry { x = 1; } } }
test first [main=M]: { M };
test second [main=N]: { M };
",
    );
    sandbox.check(
        "tests A.pproj",
        expect![[r#"
        first
        --- stderr
        note: `A` has 2 errors, so P runs none of its tests and some may be missing here: `lockstep check` shows them
        --- exit code 0
    "#]],
    );
}

#[test]
fn what_may_be_in_a_missing_project_is_not_unknown() {
    let sandbox = Sandbox::new(
        "//- A.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>PSrc</PFile></InputFiles>
<IncludeProject>../Common.pproj</IncludeProject></Project>
//- PSrc/A.p
machine Main { var timer: Timer; var x: int; start state S { entry { timer = CreateTimer(this); x = true; } on eTimeOut do { } } }
",
    );
    // Asked for the project or for a file of it: that the project is broken, and what is wrong in any case.
    sandbox.check("check A.pproj", expect![[r#"
        error[LS0011]: there is no project file `../Common.pproj`
         --> A.pproj:2:17
          |
        2 | <IncludeProject>../Common.pproj</IncludeProject></Project>
          |                 ^^^^^^^^^^^^^^^

        warning[LS1104]: the variable `x` is assigned, but never read
         --> PSrc/A.p:1:38
          |
        1 | machine Main { var timer: Timer; var x: int; start state S { entry { timer = CreateTimer(this); x = true; } on eTimeOut do { } } }
          |                                      ^

        error[LS0305]: a value of type `bool` cannot be stored in a place of type `int`
         --> PSrc/A.p:1:101
          |
        1 | machine Main { var timer: Timer; var x: int; start state S { entry { timer = CreateTimer(this); x = true; } on eTimeOut do { } } }
          |                                      - `x` is declared here                                         ^^^^

        checked 1 file of 1 project: 2 errors, 1 warning
        --- exit code 1
    "#]]);
    sandbox.check("check PSrc/A.p", expect![[r#"
        error[LS0011]: there is no project file `../Common.pproj`
         --> A.pproj:2:17
          |
        2 | <IncludeProject>../Common.pproj</IncludeProject></Project>
          |                 ^^^^^^^^^^^^^^^

        warning[LS1104]: the variable `x` is assigned, but never read
         --> PSrc/A.p:1:38
          |
        1 | machine Main { var timer: Timer; var x: int; start state S { entry { timer = CreateTimer(this); x = true; } on eTimeOut do { } } }
          |                                      ^

        error[LS0305]: a value of type `bool` cannot be stored in a place of type `int`
         --> PSrc/A.p:1:101
          |
        1 | machine Main { var timer: Timer; var x: int; start state S { entry { timer = CreateTimer(this); x = true; } on eTimeOut do { } } }
          |                                      - `x` is declared here                                         ^^^^

        checked 1 file of 1 project: 2 errors, 1 warning
        --- exit code 1
    "#]]);
}
