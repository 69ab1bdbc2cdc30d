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
