//! Input that nobody writes on purpose: odd bytes, odd sizes, closed pipes.

use std::io::Read as _;

use expect_test::expect;

use super::Sandbox;

const DEEP: usize = 100_000;

#[test]
fn a_byte_order_mark_and_carriage_returns() {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", "\u{feff}event Ping\r\nmachine M {\r\n  start state S { entry { x = 1 } }\r\n}\r\n");
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0001]: expected `;` after `Ping`
             --> a.p:1:11
              |
            1 | event Ping
              |           ^

            error[LS0001]: expected `;` after `1`
             --> a.p:3:32
              |
            3 |   start state S { entry { x = 1 } }
              |                                ^

            checked 1 file: 2 errors
            --- exit code 1
        "#]],
    );
    let found = &sandbox.run(&["check", "--format", "json"]).json()["diagnostics"][0];
    expect![[r#"{"line":1,"column":11,"offset":13}"#]].assert_eq(&found["range"]["start"].to_string());
}

#[test]
fn old_line_breaks_count_as_lines() {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", "event Ping;\revent Pong\revent Pang;\r");
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0001]: expected `;` after `Pong`
             --> a.p:2:11
              |
            2 | event Pong
              |           ^

            checked 1 file: 1 error
            --- exit code 1
        "#]],
    );
}

#[test]
fn no_final_newline_and_an_empty_file() {
    let sandbox = Sandbox::new("");
    sandbox.write("empty.p", "");
    sandbox.write("empty.icet", "");
    sandbox.write("end.p", "event Ping; event Pong");
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0001]: expected `;` after `Pong`
             --> end.p:1:23
              |
            1 | event Ping; event Pong
              |                       ^

            empty.icet: unknown: there are no processes, so there is nothing to prove
            checked 2 files and 1 IceT file: 1 error
            --- exit code 1
        "#]],
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    let sandbox = Sandbox::new("");
    sandbox.write("latin.p", b"event Ping;\n// caf\xe9\nevent Pong");
    sandbox.write("utf16.p", b"\xff\xfee\0v\0e\0n\0t\0");
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0007]: this file is not UTF-8: byte 0xE9 at offset 18, line 2
             --> latin.p:2:7
              |
            2 | // caf?
              |       ^
              |
              = help: save the file as UTF-8

            error[LS0007]: this file is not UTF-8: byte 0xFF at offset 0, line 1
             --> utf16.p:1:1
              |
            1 | ??e␀v␀e␀n␀t␀
              | ^
              |
              = help: the file looks like UTF-16: save it as UTF-8

            checked 2 files: 2 errors
            --- exit code 1
        "#]],
    );
    sandbox.check(
        "parse latin.p",
        expect![[r#"
            --- stderr
            error[LS0007]: this file is not UTF-8: byte 0xE9 at offset 18, line 2
             --> latin.p:2:7
              |
            2 | // caf?
              |       ^
              |
              = help: save the file as UTF-8

            --- exit code 1
        "#]],
    );
}

#[test]
fn deep_nesting_is_one_finding() {
    let sandbox = Sandbox::new("");
    let (open, close) = ("(".repeat(DEEP), ")".repeat(DEEP));
    sandbox.write("parentheses.p", format!("fun f(): int {{\n  return {open}1{close};\n}}\n"));
    let (open, close) = ("{\n".repeat(DEEP), "}\n".repeat(DEEP));
    sandbox.write("blocks.p", format!("fun f() {{\n{open}{close}}}\n"));
    sandbox.check(
        "check",
        expect![[r#"
            info[LS0014]: `f` is declared in `parentheses.p` too: each file of this folder is checked as a program of its own
             --> blocks.p:1:5
              |
            1 | fun f() {
              |     ^
              |
             ::: parentheses.p:1:5
              |
            1 | fun f(): int {
              |     - declared here
              |
              = help: a project file (.pproj) says which files belong together

            error[LS0006]: this is nested more than 5000 levels deep and is not looked into
                --> blocks.p:5002:1
                 |
            5002 | {
                 | ^

            error[LS0006]: this is nested more than 5000 levels deep and is not looked into
            --> parentheses.p:2:5009
             = note: this is near `((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((` in a very long line

            checked 2 files: 2 errors, 1 remark
            --- exit code 1
        "#]],
    );
}

#[test]
fn deep_nesting_can_be_shown() {
    let sandbox = Sandbox::new("");
    sandbox.write("deep.p", format!("fun f() {{ {}{} }}\n", "{".repeat(DEEP), "}".repeat(DEEP)));
    let tree = sandbox.run(&["parse", "deep.p"]);
    assert_eq!(tree.code, Some(1));
    assert!(
        tree.stdout.lines().any(|line| line.trim_start().starts_with("(depth 1000) compound_statement ")),
        "deep nodes are there"
    );
    assert!(tree.stdout.len() < 200 * 3 * DEEP, "the indentation does not grow without end: {}", tree.stdout.len());
    let json = sandbox.run(&["parse", "--json", "deep.p"]);
    let nodes = json.stdout.lines().filter(|line| line.starts_with("{\"depth\":")).count();
    assert!(json.code == Some(1) && nodes > 3 * DEEP && json.stdout.ends_with("\n]}\n"), "{nodes}");
}

#[test]
fn nesting_that_is_never_closed() {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", format!("fun f() {{ return {}", "(".repeat(DEEP)));
    let run = sandbox.run(&["check"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", "event Ping;\n".repeat(100_000));
    for command in [["parse", "a.p"], ["highlight", "a.p"]] {
        let mut child = sandbox.command(command).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new("//- a.p\nevent Ping;\n//- secret.p\nevent Pong;");
    let secret = sandbox.path().join("secret.p");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&secret).is_ok() {
        // The superuser may read everything.
        return;
    }
    sandbox.check(
        "check",
        expect![[r"
            checked 1 file: no syntax errors; 1 path could not be checked
            --- stderr
            error: cannot read `secret.p`: Permission denied (os error 13)
            --- exit code 2
        "]],
    );
}

/// What is no regular file may never end, or never begin.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let sandbox =
        Sandbox::new("//- a.p\nevent Ping;\n//- a.pproj\n<Project><InputFiles><PFile>socket.p</PFile></InputFiles></Project>");
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.path().join("socket.p")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", sandbox.path().join("zero.p")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(sandbox.path().join("pipe.p")).status();
    assert!(pipe.is_ok_and(|status| status.success()));
    sandbox.check(
        "check",
        expect![[r#"
            error[LS0015]: this project has no `ProjectName`
             --> a.pproj:1:2
              |
            1 | <Project><InputFiles><PFile>socket.p</PFile></InputFiles></Project>
              |  ^^^^^^^
              |
              = help: add <ProjectName>...</ProjectName>

            error[LS0011]: `socket.p` is not a regular file
             --> a.pproj:1:29
              |
            1 | <Project><InputFiles><PFile>socket.p</PFile></InputFiles></Project>
              |                             ^^^^^^^^

            checked 1 file: 2 errors; 3 paths could not be checked
            --- stderr
            error: `pipe.p` is not a regular file
            error: `socket.p` is not a regular file
            error: `zero.p` is not a regular file
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "check pipe.p a.p",
        expect![[r#"
            checked 1 file: no errors; 1 path could not be checked
            --- stderr
            error: `pipe.p` is not a regular file
            --- exit code 2
        "#]],
    );
}

/// Where files have holes, this one needs no space on the disk.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_5_gib() {
    let sandbox = Sandbox::new("");
    std::fs::File::create(sandbox.path().join("big.p")).unwrap().set_len(5 << 30).unwrap();
    sandbox.check(
        "check",
        expect![[r#"
            checked 0 files; 1 path could not be checked
            --- stderr
            error: `big.p` is too large: Lockstep reads files of less than 4 GiB
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "parse big.p",
        expect![[r#"
            --- stderr
            error: `big.p` is too large: Lockstep reads files of less than 4 GiB
            --- exit code 2
        "#]],
    );
}

#[test]
fn ten_thousand_files() {
    let sandbox = Sandbox::new("");
    for number in 0..10_000 {
        let next = (number + 1) % 10_000;
        sandbox.write(&format!("{}/{number}.p", number % 7), format!("fun f{number}() {{ f{next}(); }}"));
    }
    sandbox.write("a.pproj", "<Project><ProjectName>A</ProjectName><InputFiles><PFile>.</PFile></InputFiles></Project>");
    sandbox.check(
        "check",
        expect![[r#"
        checked 10000 files of 1 project: no errors
        --- exit code 0
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new("//- a.p\nevent Ping;\n//- secret/b.p\nevent Pong;");
    let secret = sandbox.path().join("secret");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    let run = sandbox.run(&["check"]);
    let is_superuser = std::fs::read_dir(&secret).is_ok();
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o700)).unwrap();
    if is_superuser {
        // The superuser may read everything.
        return;
    }
    expect![[r"
        checked 1 file: no errors; 1 path could not be checked
        --- stderr
        error: cannot read `secret`: Permission denied (os error 13)
        --- exit code 2
    "]]
    .assert_eq(&run.shown());
}

#[cfg(unix)]
#[test]
fn links_in_a_circle() {
    let sandbox = Sandbox::new("//- a/x.p\nevent Ping;");
    std::os::unix::fs::symlink("..", sandbox.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("self.pproj", sandbox.path().join("a/self.pproj")).unwrap();
    sandbox
        .write("a.pproj", "<Project><ProjectName>A</ProjectName><InputFiles><PFile>a/up/a/up/a</PFile></InputFiles></Project>");
    sandbox.check(
        "check",
        expect![[r#"
        checked 1 file of 1 project: no errors; 1 path could not be checked
        --- stderr
        error: cannot read `a/self.pproj`: Too many levels of symbolic links (os error 40)
        --- exit code 2
    "#]],
    );
}

/// What was listed may be gone, or may be a folder, when it is read.
#[cfg(unix)]
#[test]
fn a_file_that_changes_while_it_is_looked_at() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let sandbox = Sandbox::new("//- a.p\nevent Ping;");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for number in 0..50 {
                    sandbox.write(&format!("b{number}.p"), "event Pong;");
                }
                for number in 0..50 {
                    let _ = std::fs::remove_file(sandbox.path().join(format!("b{number}.p")));
                }
            }
        });
        for _ in 0..20 {
            let run = sandbox.run(&["check"]);
            let is_told = run.stderr.lines().all(|line| line.starts_with("error: there is no file `b"));
            assert!(is_told && run.code.is_some_and(|code| code <= 2) && !run.stderr.contains("bug"), "{}", run.shown());
        }
        done.store(true, Ordering::Relaxed);
    });
}
