//! Layouts brought into a database: what is shared, what is set, and what several projects say about one file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use lockstep_base::Encoding;
use lockstep_program::{Database, Purpose, Settings};
use lockstep_syntax::{Language, Parse};

use crate::{FileLayout, Layout, MemberLayout, Origin, ProjectLayout, Workspace};

/// Files in memory: name and text.
type Files<'f> = &'f [(&'f str, &'f str)];

/// A layout of files that were all asked for, and projects: a name and its files. A name that ends in `.pproj` is that of a
/// project file; a file with a plus is included.
fn layout(files: Files<'_>, projects: &[(&str, &[&str])]) -> Layout {
    let file = |(name, _): &(&str, &str)| FileLayout {
        key: PathBuf::from(name),
        path: PathBuf::from(name),
        name: (*name).to_owned(),
        language: if name.ends_with(".p") { Language::P } else { Language::Icet },
        is_asked: true,
    };
    let member = |name: &&str| {
        let bare = name.trim_start_matches('+');
        let file = files.iter().position(|(name, _)| *name == bare).expect("the file is there");
        MemberLayout { file, is_included: bare != *name }
    };
    let project = |(name, members): &(&str, &[&str])| ProjectLayout {
        name: (*name).to_owned(),
        origin: match name.ends_with(".pproj") {
            true => Origin::Manifest { key: PathBuf::from(name), name: (*name).to_owned() },
            false => Origin::Folder(PathBuf::from(name)),
        },
        purpose: name.ends_with(".pproj").then_some(Purpose::Checking),
        members: members.iter().map(member).collect(),
        is_incomplete: false,
    };
    let projects = projects.iter().map(project).collect();
    Layout { files: files.iter().map(file).collect(), projects, ..Layout::default() }
}

/// Files without a text cannot be read.
fn read<'f>(files: Files<'f>) -> impl Fn(&Path) -> io::Result<Vec<u8>> + Sync + use<'f> {
    move |path| {
        let found = files.iter().find(|(name, text)| Path::new(name) == path && *text != "GONE");
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn shown(workspace: &Workspace, db: &Database) -> String {
    let mut shown = String::new();
    for found in workspace.findings(db, &Settings::default()) {
        let found = found.expect("nothing panics");
        let source = &workspace.file(found.file).expect("it was read").source;
        for finding in found.diagnostics {
            let line = source.text.position(finding.range.start(), Encoding::Utf8).line + 1;
            shown += &format!("{}:{line} {} {}\n", source.name, finding.code, finding.message);
        }
    }
    for failure in workspace.failures() {
        shown += &format!("failure: {}\n", failure.message);
    }
    shown
}

#[allow(clippy::needless_pass_by_value)]
fn check(files: Files<'_>, projects: &[(&str, &[&str])], expected: Expect) {
    let mut db = Database::default();
    let mut workspace = Workspace::default();
    workspace.update(&mut db, layout(files, projects), &read(files));
    expected.assert_eq(&shown(&workspace, &db));
}

#[test]
fn files_of_a_project_see_each_other() {
    let files: Files<'_> = &[
        ("a.p", "fun f() { g(); }"),
        ("b.p", "fun g() { }"),
        ("c.p", "fun h() { g(); }"),
        ("d.icet", "no program"),
        ("e.p", "GONE"),
    ];
    check(
        files,
        &[("ab.pproj", &["a.p", "b.p", "e.p"]), ("c.pproj", &["c.p"])],
        expect![[r#"
            c.p:1 LS0107 there is no function `g`
            d.icet:1 LS0001 unexpected `no`, expected a declaration
            d.icet:1 LS0001 expected `;` after `program`
            failure: there is no file `e.p`
        "#]],
    );
}

#[test]
fn errors_of_one_project_are_shown_and_equal_ones_once() {
    let files: Files<'_> = &[("common.p", "fun f() { g(); n(); }"), ("one.p", "fun g() { }"), ("two.p", "event e;")];
    check(
        files,
        &[("1.pproj", &["common.p", "one.p"]), ("2.pproj", &["two.p", "+common.p"])],
        expect![[r#"
            common.p:1 LS0107 there is no function `g`
            common.p:1 LS0107 there is no function `n`
        "#]],
    );
}

#[test]
fn files_of_a_folder_that_declare_the_same_name_are_separate_programs() {
    let files: Files<'_> = &[
        ("a.p", "event e;\nmachine Main { start state S { entry { raise e; } } }"),
        ("b.p", "machine Main { start state S { entry { raise e; } } }"),
        ("c.p", "enum E { e }"),
    ];
    check(
        files,
        &[("folder", &["a.p", "b.p", "c.p"])],
        expect![[r#"
            a.p:1 LS0014 `e` is declared in `c.p` too: each file of this folder is checked as a program of its own
            a.p:2 LS1316 no state in which this runs handles `e`: a run that comes here fails
            b.p:1 LS0110 there is no variable, enum element or event `e` here
        "#]],
    );
    // Of a project file the same is an error.
    check(
        files,
        &[("all.pproj", &["a.p", "b.p", "c.p"])],
        expect![[r#"
            a.p:2 LS1316 no state in which this runs handles `e`: a run that comes here fails
            b.p:1 LS0101 `Main` is declared already, as a machine
            b.p:1 LS1316 no state in which this runs handles `e`: a run that comes here fails
            c.p:1 LS1107 the enum `E` is never used
            c.p:1 LS0101 `e` is declared already, as an event
        "#]],
    );
}

#[test]
fn a_file_of_a_project_file_is_not_judged_by_its_folder() {
    let files: Files<'_> = &[("a.p", "fun f() { g(); }"), ("b.p", "fun f() { }"), ("c/g.p", "fun g() { }")];
    check(
        files,
        &[("a.pproj", &["a.p", "c/g.p"]), ("folder", &["a.p", "b.p"])],
        expect![[r#"
            b.p:1 LS0014 `f` is declared in `a.p` too: each file of this folder is checked as a program of its own
        "#]],
    );
}

/// The names of the queries that ran since the last call.
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn count(&self, query: &str) -> usize {
        let executed = std::mem::take(&mut *self.0.lock().expect("no test panics here"));
        executed.iter().filter(|key| key.split('(').next().is_some_and(|name| name.ends_with(query))).count()
    }
}

fn logged() -> (Database, Log) {
    let executed: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Log(executed.clone());
    let db = Database::with_listener(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            executed.lock().expect("no test panics here").push(format!("{database_key:?}"));
        }
    });
    (db, log)
}

/// What takes long is done on the shape of a program: it stays while comments change, and goes with any other edit.
#[test]
fn comments_keep_the_shape_of_an_icet_program() {
    let (mut db, log) = logged();
    let mut workspace = Workspace::default();
    let text = "message Ping;\nprocess a { send Ping to b; }\nprocess b { recv Ping from a; }\n";
    let before: Files<'_> = &[("a.icet", text), ("b.icet", "process a { send Ping to a; }"), ("c.p", "fun h() { }")];
    workspace.update(&mut db, layout(before, &[("c", &["c.p"])]), &read(before));
    assert_eq!(shown(&workspace, &db).lines().count(), 1, "`Ping` is not declared");
    assert_eq!(log.count("checked_icet"), 2);
    let icet = workspace.file(0).and_then(|file| file.icet).expect("it is an IceT file");
    let first = crate::checked_icet(&db, icet).clone();
    assert!(first.shape.is_some());

    let mut edit = |text: &str| {
        workspace.set_parse(&mut db, Path::new("a.icet"), Arc::new(Parse::new(Language::Icet, text)));
        shown(&workspace, &db);
        let executed = log.count("");
        (crate::checked_icet(&db, icet).clone(), executed)
    };
    let (commented, executed) = edit(&format!("// Who begins?\n{text}"));
    assert_eq!(executed, 1, "only this file is checked again");
    assert_eq!(commented.shape, first.shape);
    assert_ne!(commented.places, first.places);
    assert_ne!(edit(&text.replace("send Ping to b;", "send Ping to b; skip;")).0.shape, first.shape);
    assert_eq!(edit("process a {").0.shape, None);
    assert_eq!(edit(text).0, first);
}

#[test]
fn only_what_changed_is_checked_again() {
    let (mut db, log) = logged();
    let mut workspace = Workspace::default();
    let before: Files<'_> = &[("a.p", "fun f() { g(); }"), ("b.p", "fun g() { }"), ("c.p", "fun h() { }")];
    let projects: &[(&str, &[&str])] = &[("all.pproj", &["a.p", "b.p", "c.p"])];
    workspace.update(&mut db, layout(before, projects), &read(before));
    assert_eq!(shown(&workspace, &db), "");
    assert_eq!(log.count("check_body"), 3);
    let inputs: Vec<_> = (0..3).map(|file| workspace.file(file).and_then(|file| file.input)).collect();
    inputs[1].expect("it is a P file").expect_edits(&mut db);
    assert_eq!(shown(&workspace, &db), "");
    log.count("");

    workspace.update(&mut db, layout(before, projects), &read(before));
    assert_eq!(shown(&workspace, &db), "");
    assert_eq!(log.count("check_body"), 0, "nothing changed");

    let after: Files<'_> = &[("a.p", "fun f() { g(); }"), ("b.p", "fun g() { var _n: int; }"), ("c.p", "fun h() { }")];
    workspace.update(&mut db, layout(after, projects), &read(after));
    assert_eq!(shown(&workspace, &db), "");
    assert_eq!(log.count("check_body"), 1, "one file changed");
    assert_eq!(inputs, (0..3).map(|file| workspace.file(file).and_then(|file| file.input)).collect::<Vec<_>>());

    // A file goes, and comes back.
    let without: Files<'_> = &[("a.p", "fun f() { g(); }"), ("c.p", "fun h() { }")];
    workspace.update(&mut db, layout(without, &[("all.pproj", &["a.p", "c.p"])]), &read(without));
    assert_eq!(shown(&workspace, &db), "a.p:1 LS0107 there is no function `g`\n");
    workspace.update(&mut db, layout(before, projects), &read(before));
    assert_eq!(shown(&workspace, &db), "");
    assert_eq!(inputs, (0..3).map(|file| workspace.file(file).and_then(|file| file.input)).collect::<Vec<_>>());
}

#[test]
fn typing_can_separate_the_files_of_a_folder_and_put_them_together_again() {
    let (mut db, log) = logged();
    let mut workspace = Workspace::default();
    let files: Files<'_> = &[("a.p", "fun f() { g(); }"), ("b.p", "fun g() { }")];
    workspace.update(&mut db, layout(files, &[("folder", &["a.p", "b.p"])]), &read(files));
    assert_eq!(shown(&workspace, &db), "");
    workspace.file(1).and_then(|file| file.input).expect("it is a P file").expect_edits(&mut db);
    assert_eq!(shown(&workspace, &db), "");
    log.count("");
    let mut set = |text: &str| {
        workspace.set_parse(&mut db, Path::new("b.p"), Arc::new(Parse::new(Language::P, text)));
        shown(&workspace, &db)
    };
    assert_eq!(set("fun g() { var _n: int; }"), "");
    assert_eq!(log.count("check_body"), 1);
    expect![[r#"
        a.p:1 LS0014 `f` is declared in `b.p` too: each file of this folder is checked as a program of its own
        a.p:1 LS0107 there is no function `g`
    "#]]
    .assert_eq(&set("fun g() { }\nfun f() { }"));
    assert_eq!(set("fun g() { }"), "");
    workspace.set_parse(&mut db, Path::new("none.p"), Arc::new(Parse::new(Language::P, "")));
}

// ---- Explanations ----

#[test]
fn examples_of_the_explanations_give_what_they_are_for() {
    for code in crate::CODES.into_iter().filter(|code| *code != crate::NOT_UTF8) {
        let text = lockstep_program::explanation(code).unwrap_or_else(|| panic!("{code} is not explained"));
        let (_, wrong) = text.split_once("## Wrong").expect("there is a wrong example");
        let (wrong, right) = wrong.split_once("## Right").expect("there is a right example");
        assert_eq!(codes_of(wrong), [code], "{code}, wrong example");
        assert_eq!(codes_of(right), [""; 0], "{code}, right example");
    }
}

/// The codes found in a folder with the files of an example. One without names is a project file; the folders it names exist.
fn codes_of(example: &str) -> Vec<&'static str> {
    let folder = tempfile::tempdir().expect("there is a place for it");
    let code = example.split("```").nth(1).and_then(|code| code.split_once('\n')).expect("there is an example").1;
    let mut files = vec![("Lease.pproj", String::new())];
    for line in code.lines() {
        match line.split_once("file: ") {
            Some((_, name)) => files.push((name.trim_end_matches(" -->"), String::new())),
            None => files.last_mut().expect("there is always one").1 += &format!("{line}\n"),
        }
    }
    files.retain(|(_, text)| !text.is_empty());
    let (asked, _) = files[0];
    if asked == "Lease.pproj" {
        files.extend(["PSrc/A.p", "PTst/B.p", "Timer/C.p"].map(|name| (name, String::new())));
    }
    for (name, text) in &files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    }
    let path = folder.path().join(asked);
    let mut db = Database::default();
    let mut workspace = Workspace::default();
    workspace.update(&mut db, Layout::of(&[path], &crate::read_disk), &crate::read_disk);
    let of_projects = workspace.layout().manifests.iter().flat_map(|manifest| manifest.diagnostics.clone());
    let of_files =
        workspace.findings(&db, &Settings::default()).into_iter().flat_map(|found| found.expect("nothing panics").diagnostics);
    // Warnings are not what these examples are about.
    of_projects.chain(of_files).map(|finding| finding.code).filter(|code| *code < "LS1").collect()
}
