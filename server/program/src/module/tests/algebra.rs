//! Values of modules and the laws they obey, large projects, and which queries run.

use std::sync::Arc;

use expect_test::expect;
use lockstep_syntax::{Language, Parse};

use super::SYSTEM;
use crate::module::{Alphabet, Module, evaluated};
use crate::tests::{Log, checked, project};
use crate::{Database, Db, Decl, DeclKind, Project, ProjectFile, Purpose, decls, project_files};

fn module_named<'db>(db: &'db dyn Db, project: Project, name: &str) -> Arc<Module<'db>> {
    let is_named = |decl: &&Decl<'db>| decl.kind(db) == DeclKind::Module && decl.name(db) == name;
    let decl = project_files(db, project).flat_map(|file| decls(db, file)).find(is_named).expect("there is such a module");
    evaluated(db, *decl).module.clone().expect("it is right")
}

fn show(db: &dyn Db, module: &Module<'_>) -> String {
    let mut lines: Vec<String> = module
        .bindings
        .iter()
        .map(|bound| {
            let links: Vec<String> = bound.links.iter().map(|link| format!("{}=>{}", link.written, link.interface)).collect();
            format!("{} -> {} [{}]", bound.machine.name(db), bound.interface, links.join(" "))
        })
        .collect();
    let alphabet = |alphabet: &Alphabet| match alphabet {
        Alphabet::Only(names) => names.join(" "),
        Alphabet::AllBut(names) => format!("all but: {}", names.join(" ")),
    };
    lines.push(format!("sends {}; receives {}", alphabet(&module.sends), alphabet(&module.receives)));
    lines.push(format!("creates {}", module.creates.join(" ")));
    for attached in &module.specs {
        lines.push(format!("{} watches {}", attached.spec.name(db), attached.interfaces.join(" ")));
    }
    lines.push(format!("private {} / {}", module.private_events.join(" "), module.private_interfaces.join(" ")));
    lines.join("\n")
}

#[test]
fn the_value_of_a_module() {
    let text = "module All = hidei IServer in assert Late, Order in union { Client, Server }, rename ISlow to IServer in { Slow -> ISlow };
module Links = rename IServer to ISlow in assert Order in { Client, Server };";
    let db = Database::default();
    let (project, _) = project(&db, Purpose::Checking, &[SYSTEM, text]);
    let shown = |name| show(&db, &module_named(&db, project, name));
    expect![[r#"
        Client -> Client [IServer=>IServer]
        Slow -> IServer []
        Server -> Server []
        sends eAnswer eAsk eLate; receives eAnswer eAsk eLate
        creates IServer
        Late watches Client IServer Server
        Order watches Client IServer Server
        private  / IServer"#]]
    .assert_eq(&shown("All"));
    expect![[r#"
        Client -> Client [IServer=>ISlow]
        Server -> Server []
        sends eAnswer eAsk; receives eAnswer eAsk
        creates ISlow
        Order watches Client Server
        private  / "#]]
    .assert_eq(&shown("Links"));
}

#[test]
fn laws() {
    let text = "module A = { Client }; module B = assert Late in { Slow -> ISlow }; module C = { Server };
module AB = union A, B; module BA = union B, A;
module Left = union (union A, B), C; module Right = union A, (union B, C); module Flat = union A, B, C;
module Composed = compose A, B, C;
module Renamed = rename ISlow to IServer in rename IServer to ISlow in A;
module Outside = union (rename ISlow to IOther2 in B), C; module Inside = rename ISlow to IOther2 in union B, C;
interface IOther2() receives eAsk;";
    let db = Database::default();
    let (project, _) = project(&db, Purpose::Checking, &[SYSTEM, text]);
    let value = |name| module_named(&db, project, name);
    assert_eq!(value("AB"), value("BA"), "one spec only, so not even its order differs");
    assert_eq!(value("Left"), value("Right"));
    assert_eq!(value("Left"), value("Flat"));
    assert_eq!(value("Composed"), value("Flat"), "what can be composed is the same as when united");
    assert_eq!(value("Renamed"), value("A"), "there and back");
    assert_eq!(value("Outside"), value("Inside"));
}

#[test]
fn all_events_are_not_written_out() {
    let text = "machine A { start state S { } }\nmachine B sends; receives e; { start state S { } }
module M = { A, B }; module N = { B }; event e;";
    let db = Database::default();
    let (project, _) = project(&db, Purpose::Checking, &[text]);
    assert_eq!(module_named(&db, project, "M").sends, Alphabet::AllBut(vec![]));
    assert_eq!(module_named(&db, project, "N").sends, Alphabet::Only(vec![]));
}

#[test]
fn alphabets() {
    let db = Database::default();
    let (project, _) = project(&db, Purpose::Checking, &["event a; event b; event c; enum E { D }"]);
    let names = |text: &str| text.split_whitespace().map(Into::into).collect::<Vec<smol_str::SmolStr>>();
    let mut sets = Vec::new();
    for text in ["", "a", "a b", "b c halt", "a b c halt"] {
        sets.push(Alphabet::Only(names(text)));
        sets.push(Alphabet::AllBut(names(text)));
    }
    let events = names("a b c halt");
    // Every operation is what it is on the events written out.
    for left in &sets {
        for right in &sets {
            let mut sum = left.clone();
            sum.add(right);
            let mut rest = left.clone();
            rest.remove(&right.events(&db, project));
            for event in &events {
                assert_eq!(sum.contains(event), left.contains(event) || right.contains(event), "{left:?} + {right:?}");
                assert_eq!(rest.contains(event), left.contains(event) && !right.contains(event), "{left:?} - {right:?}");
            }
            let common = left.common(right, &db, project);
            let expected = events.iter().any(|event| left.contains(event) && right.contains(event));
            assert_eq!(common.is_some(), expected, "{left:?} and {right:?}");
            assert!(common.is_none_or(|event| left.contains(&event) && right.contains(&event)));
        }
    }
}

// ---- Size ----

#[test]
fn long_chains_and_deep_nesting() {
    let count = 4_000;
    let mut text = "machine M { start state S { } }\nmodule M0 = { M };\n".to_owned();
    for number in 1..count {
        text += &format!("module M{number} = (M{});\n", number - 1);
    }
    // The other way round, so that no order of the text helps; and a circle of thousands.
    for number in 0..count {
        text += &format!("module N{number} = N{};\nmodule C{number} = C{};\n", number + 1, (number + 1) % count);
    }
    text += &format!("module N{count} = M{};\ntest t [main=M]: N0;\n", count - 1);
    text += &format!("test u [main=M]: {}{{ M }}{};\n", "(main M in ".repeat(1_000), ")".repeat(1_000));
    let mut log = Log::new();
    let (project, files) = project(&log.db, Purpose::Checking, &[&text, "event e;"]);
    let check = |db: &Database| checked(db, ProjectFile::new(db, project, files[0], false));
    let circular = check(&log.db);
    assert_eq!(circular.len(), count);
    assert!(circular.iter().all(|found| found.code == "LS0605"));
    // And verified again after an edit elsewhere.
    files[1].update(&mut log.db, Parse::new(Language::P, "event f;"));
    assert_eq!(check(&log.db).len(), count);
}

#[test]
fn many_machines_in_one_module() {
    let count = 2_000;
    let machines: String = (0..count).map(|number| format!("machine M{number} {{ start state S {{ }} }}\n")).collect();
    let names: Vec<String> = (0..count).map(|number| format!("{{ M{number} }}")).collect();
    let text = format!("{machines}module A = union {};\nmodule B = compose {};", names.join(", "), names.join(", "));
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[&text]);
    let found = checked(&db, ProjectFile::new(&db, project, files[0], false));
    assert_eq!(found.len(), count - 1, "each but the first may send what the first may send");
}

// ---- Which queries run ----

const EDITED: &str = "event e;
machine Main { var x: int; start state S { entry { x = 1; new Part(); } } }
machine Part { start state S { } }
module Parts = { Part };
test t [main=Main]: union { Main }, Parts;
";

/// Checks everything, replaces `from` by `to`, and checks again; with how often all modules, one module and a test were looked at.
fn runs_after(from: &str, to: &str) -> (usize, usize, usize) {
    let mut log = Log::new();
    let (project, files) = project(&log.db, Purpose::Checking, &[EDITED]);
    files[0].expect_edits(&mut log.db);
    let check_all = |db: &Database| drop(checked(db, ProjectFile::new(db, project, files[0], false)));
    check_all(&log.db);
    log.forget();
    assert!(EDITED.contains(from));
    files[0].update(&mut log.db, Parse::new(Language::P, EDITED.replace(from, to).as_str()));
    check_all(&log.db);
    (log.count("system_modules"), log.count("evaluated"), log.count("check_runnable"))
}

#[test]
fn edits_that_concern_no_module() {
    for (from, to) in [
        ("x = 1", "x = 2"),
        ("x = 1;", "x = 1; new Part();"),
        ("event e;", "event e; event f;"),
        ("var x: int;", "var x: int; var y: int;"),
        ("union", "/* both */ union"),
        ("module Parts", "fun f() { }\nmodule Parts"),
    ] {
        assert_eq!(runs_after(from, to), (0, 0, 0), "{from} becomes {to}");
    }
}

#[test]
fn edits_that_concern_modules() {
    assert_eq!(runs_after("new Part();", "").0, 1, "what is created changes");
    // The table is computed again, and the module `Parts` found unchanged: only the test is checked.
    assert_eq!(runs_after("new Part();", ""), (1, 2, 1));
    assert_eq!(runs_after("{ Main }", "{ Main, Part -> Part }"), (1, 2, 1));
}
