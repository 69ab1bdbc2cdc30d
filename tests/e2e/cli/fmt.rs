//! `lockstep fmt`.

use std::fs;

use expect_test::expect;

use super::Sandbox;

const UNTIDY: &str =
    "//- a.p\nevent  a ;\nmachine M\n{ start state S { entry { x=1; } } }\n//- b.icet\nset S;\n//- sub/c.p\nevent   c;";

#[test]
fn files_are_laid_out_where_they_are() {
    let sandbox = Sandbox::new(UNTIDY);
    sandbox.check(
        "fmt",
        expect![[r#"
            formatted a.p
            formatted sub/c.p
            2 files formatted, 1 unchanged
            --- exit code 0
        "#]],
    );
    let text = fs::read_to_string(sandbox.path().join("a.p")).unwrap();
    assert_eq!(text, "event a;\nmachine M {\n  start state S {\n    entry { x = 1; }\n  }\n}\n");
    sandbox.check(
        "fmt -q",
        expect![[r#"
        --- exit code 0
    "#]],
    );
    let left: Vec<_> = fs::read_dir(sandbox.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "nothing else is left in the folder: {left:?}");
}

#[test]
fn a_check_names_files_and_changes_nothing() {
    let sandbox = Sandbox::new(UNTIDY);
    sandbox.check(
        "fmt --check",
        expect![[r#"
            would change a.p
            would change sub/c.p
            2 files would change, 1 unchanged
            --- exit code 1
        "#]],
    );
    assert_eq!(fs::read_to_string(sandbox.path().join("sub/c.p")).unwrap(), "event   c;");
    sandbox.check(
        "fmt --check b.icet",
        expect![[r#"
            0 files would change, 1 unchanged
            --- exit code 0
        "#]],
    );
}

#[test]
fn a_diff_shows_lines_and_changes_nothing() {
    let sandbox = Sandbox::new("//- a.p\nevent a;\nevent b;\nevent c;\nevent d;\nfun f() { x=1; }\nevent e;");
    sandbox.check(
        "fmt --diff",
        expect![[r#"
            --- a.p
            +++ a.p
            @@ -2,5 +2,5 @@
             event b;
             event c;
             event d;
            -fun f() { x=1; }
            -event e;
            \ No newline at end of file
            +fun f() { x = 1; }
            +event e;
            1 file would change, 0 unchanged
            --- exit code 0
        "#]],
    );
    assert!(fs::read_to_string(sandbox.path().join("a.p")).unwrap().ends_with("event e;"));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let sandbox = Sandbox::new("");
    let run = sandbox.run_with_input(&["fmt", "--language", "p", "-"], "event  e ;\r\n\r\n\r\n\r\nevent f;");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "event e;\r\n\r\nevent f;\r\n"));
    let run = sandbox.run_with_input(&["fmt", "--check", "--language", "icet", "-"], "set  S;");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert_eq!(sandbox.run_with_input(&["fmt", "-"], "event e;").code, Some(2), "the language is not known");
}

#[test]
fn broken_parts_are_told_and_stay() {
    let sandbox = Sandbox::new("//- a.p\nevent  a ;\nmachine M {\n  var x  int;\n}\nevent  b ;\n");
    sandbox.check(
        "fmt",
        expect![[r#"
            formatted a.p
            1 file formatted, 0 unchanged, 1 with syntax errors
            --- stderr
            note: a.p:2: up to line 4 all stays as it is, because of a syntax error there
            --- exit code 0
        "#]],
    );
    assert_eq!(fs::read_to_string(sandbox.path().join("a.p")).unwrap(), "event a;\nmachine M {\n  var x  int;\n}\nevent b;\n");
}

#[test]
fn the_nearest_lockstep_toml_decides() {
    let sandbox = Sandbox::new("//- lockstep.toml\n[format]\nindent = 3\n//- sub/a.p\nfun f() {\na();\n}\n");
    assert_eq!(sandbox.run(&["fmt", "sub/a.p"]).code, Some(0));
    assert_eq!(fs::read_to_string(sandbox.path().join("sub/a.p")).unwrap(), "fun f() {\n   a();\n}\n");
    sandbox.write("sub/lockstep.toml", "[format]\nindent = \"tab\"\nbraces = \"next-line\"\n");
    assert_eq!(sandbox.run_in("sub", &["fmt"]).code, Some(0));
    assert_eq!(fs::read_to_string(sandbox.path().join("sub/a.p")).unwrap(), "fun f()\n{\n\ta();\n}\n");
    sandbox.write("sub/lockstep.toml", "[format]\ncolumns = 7\n");
    let run = sandbox.run(&["fmt"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("lockstep.toml` cannot be read") && run.stderr.contains("columns"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_laid_out() {
    let sandbox = Sandbox::new("//- b.p\nevent  b ;\n");
    sandbox.write("a.p", b"event \xff;");
    let run = sandbox.run(&["fmt", "a.p", "b.p", "nowhere.p"]);
    assert_eq!(run.code, Some(2), "{}", run.shown());
    assert!(run.stderr.contains("nowhere.p") && run.stderr.contains("not UTF-8"), "{}", run.stderr);
    assert_eq!(fs::read(sandbox.path().join("a.p")).unwrap(), b"event \xff;");
    assert_eq!(fs::read_to_string(sandbox.path().join("b.p")).unwrap(), "event b;\n");
}

#[cfg(unix)]
#[test]
fn links_and_rights_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let sandbox = Sandbox::new("//- real.txt\nevent  a ;\n");
    let real = sandbox.path().join("real.txt");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.txt", sandbox.path().join("a.p")).unwrap();
    assert_eq!(sandbox.run(&["fmt", "a.p"]).code, Some(0));
    assert_eq!(fs::read_to_string(&real).unwrap(), "event a;\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(sandbox.path().join("a.p")).unwrap().is_symlink());
    sandbox.write("read_only.p", "event  b ;\n");
    fs::set_permissions(sandbox.path().join("read_only.p"), fs::Permissions::from_mode(0o440)).unwrap();
    assert_eq!(sandbox.run(&["fmt", "read_only.p"]).code, Some(2));
}
