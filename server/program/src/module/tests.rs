//! Modules in small: every error and what is near it but right.

mod algebra;

use expect_test::{Expect, expect};

use crate::tests::{checked, project};
use crate::{Database, Member, Project, ProjectFile, Purpose, file_diagnostics, project_files};

/// A client that creates a server through an interface, and two servers. They say what they send and receive, so that they can be
/// composed.
const SYSTEM: &str = "event eAsk: machine; event eAnswer; event eLate;
interface IServer() receives eAsk;
interface ISlow() receives eAsk;
interface IOther() receives eAsk, eLate;
machine Client sends eAsk; receives eAnswer; { start state S { entry { send new IServer(), eAsk, this; } on eAnswer do { } } }
machine Server sends eAnswer; receives eAsk; { start state S { on eAsk do (m: machine) { send m, eAnswer; } } }
machine Slow sends eLate; receives eAsk, eLate; { start state S { entry { } } }
machine Tuned sends; receives eAsk; { start state S { entry (speed: int) { } } }
spec Order observes eAsk, eAnswer { start state S { on eAsk do { } on eAnswer do { } } }
spec Late observes eLate { start state S { on eLate do { } } }
";

/// What is wrong with these declarations beside the system above.
fn check_in_system(text: &str, expected: Expect) {
    check_beside(SYSTEM, text, expected);
}

#[allow(clippy::needless_pass_by_value)]
fn check_beside(before: &str, text: &str, expected: Expect) {
    let lines = before.lines().count();
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[&format!("{before}{text}")]);
    let parse = files[0].parse(&db);
    let mut shown = String::new();
    for error in checked(&db, ProjectFile::new(&db, project, files[0], false)) {
        let line = parse.text().line_of(error.range.start()) as usize + 1;
        let line = line.saturating_sub(lines);
        shown += &format!("{line} `{}` {}: {}\n", &format!("{before}{text}")[error.range], error.code, error.message);
        for related in error.related {
            shown += &format!("    `{}`: {}\n", &format!("{before}{text}")[related.range], related.message);
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn specs_stand_behind_nothing() {
    check_beside(
        "event e; interface I() receives; interface J() receives e; spec S observes e { start state A { on e do { } } }\n",
        "module a = { S -> I };\nmodule b = { S -> J };\nmodule c = { S -> Nothing };",
        expect![[r#"
            1 `S` LS0602: `S` is a spec, and specs are not bound
            2 `S` LS0602: `S` is a spec, and specs are not bound
            3 `S` LS0602: `S` is a spec, and specs are not bound
            3 `Nothing` LS0109: there is no machine or interface `Nothing`
        "#]],
    );
}

#[test]
fn the_first_machine_gets_no_value() {
    let found = |purpose, text: &str| {
        let db = Database::default();
        let (project, files) = project(&db, purpose, &[text]);
        let found = file_diagnostics(&db, ProjectFile::new(&db, project, files[0], false)).into_iter();
        let found = found.filter(|found| found.code == "LS1321");
        found.map(|found| (text[found.range].to_owned(), found.related.len())).collect::<Vec<_>>()
    };
    let main = |ty: &str| format!("enum tE {{ A }} machine Main {{ start state S {{ entry (x: {ty}) {{ }} }} }}");
    for ty in ["int", "bool", "string", "float", "tE", "seq[int]", "(a: int, b: bool)", "(int, int)", "map[int, int]"] {
        assert_eq!(found(Purpose::Checking, &main(ty)), [("Main".to_owned(), 0)], "{ty}");
        assert_eq!(found(Purpose::Verifying, &main(ty)), [], "{ty}");
    }
    for ty in ["any", "machine", "Main", "event", "data"] {
        assert_eq!(found(Purpose::Checking, &main(ty)), [], "`null` is a value of type {ty}");
    }
    let implementation = format!("{} implementation i [main=Main]: {{ Main }};", main("int"));
    assert_eq!(found(Purpose::Checking, &implementation), [("Main".to_owned(), 1)], "said once, where it is started");
    let test = format!("{} machine Other {{ start state S {{ }} }} test t [main=Other]: {{ Other }};", main("int"));
    assert_eq!(found(Purpose::Checking, &test), []);
    assert_eq!(found(Purpose::Checking, &main("int").replace("Main", "Other")), []);
}

#[test]
fn what_is_right() {
    check_in_system(
        "module Clients = { Client };
module Servers = { Server -> IServer };
module All = assert Order in (compose Clients, Servers);
module Renamed = union { Client }, rename ISlow to IServer in { Slow -> ISlow };
module Hidden = hidei IServer in All;
module Started = main Nobody in { Server };
test t [main=Client]: Hidden;
test u [main=Client]: assert Late in Renamed;
implementation i [main=Client]: union All, { Slow };",
        expect![[""]],
    );
}

#[test]
fn unknown_names() {
    check_in_system(
        "module A = union Servr, { Clint, Order, IServer, Server -> Nothing, A };
module B = assert Ordr, Client in hidee eNone in hidei INone in rename INone to ISlow in { Client };
module C = Client;
module D = A;",
        expect![[r#"
            1 `Servr` LS0601: there is no module `Servr`
            1 `Clint` LS0602: there is no machine `Clint`
            1 `Order` LS0602: `Order` is a spec, and specs are not bound
            1 `IServer` LS0602: `IServer` is an interface, and a machine must stand behind it
            1 `Nothing` LS0109: there is no machine or interface `Nothing`
            1 `A` LS0602: `A` is a module, and in braces stand machines
            2 `Ordr` LS0603: there is no spec `Ordr`
            2 `Client` LS0604: `Client` is a machine, and only specs can be attached
                `Client`: declared here
            2 `eNone` LS0106: there is no event `eNone`
            2 `INone` LS0109: there is no machine or interface `INone`
            2 `INone` LS0109: there is no machine or interface `INone`
            3 `Client` LS0601: `Client` is a machine, and a module is meant here
                `Client`: declared here
        "#]],
    );
}

#[test]
fn a_module_that_contains_itself() {
    check_in_system(
        "module A = union { Client }, B;
module B = (assert Order in C);
module C = A;
module D = D;
module User = union A, { Server };
module Fine = { Server };
test t [main=Client]: User;",
        expect![[r#"
            1 `A` LS0605: the module `A` contains itself
            2 `B` LS0605: the module `B` contains itself
            3 `C` LS0605: the module `C` contains itself
            4 `D` LS0605: the module `D` contains itself
        "#]],
    );
}

#[test]
fn bindings() {
    check_in_system(
        "module Twice = { Server, Slow -> IServer, Server -> IServer, Server };
module Deaf = { Server -> IOther };
module Value = { Tuned -> IServer };
module Able = { Slow -> IOther, Slow -> IServer };",
        expect![[r#"
            1 `IServer` LS0606: the interface `IServer` is bound twice
                `IServer`: bound here already
            1 `Server` LS0606: the interface `Server` is bound twice
                `Server`: bound here already
            2 `Server -> IOther` LS0607: `Server` cannot stand behind `IOther`: it does not receive `eLate`
                `IOther`: the interface
                `Server`: the machine
            3 `Tuned -> IServer` LS0608: `Tuned` cannot stand behind `IServer`: it is created with a value of type `int`, and the interface with nothing
                `IServer`: the interface
                `Tuned`: the machine
        "#]],
    );
}

#[test]
fn a_list_of_all_events_is_as_good_as_all_events() {
    // `All` receives whatever there is. `Listed` lists all there is; `Short` does not.
    let text = "event e;
machine All { start state S { } }
machine Listed receives e, halt; { start state S { } }
machine Short receives e; { start state S { } }
module A = { Listed -> All };
module B = rename All to Listed in { All };
module C = { Short -> All };";
    check_beside(
        "",
        text,
        expect![[r#"
        7 `Short -> All` LS0607: `Short` cannot stand behind `All`: it does not receive `halt`
            `All`: the interface
            `Short`: the machine
    "#]],
    );
}

#[test]
fn specs() {
    check_in_system(
        "module Unsent = assert Late in { Client };
module Again = assert Order in assert Order in { Client, Server };
module Pair = assert Order, Order in { Client, Server };
module Both = union (assert Late in { Slow }), (assert Late in { Slow -> ISlow });
module Fine = assert Order in assert Late in { Client, Server, Slow };",
        expect![[r#"
            1 `Late` LS0609: `Late` watches `eLate`, which no machine of this module sends
                `Late`: the spec
            2 `Order` LS0610: the spec `Order` is attached to this module already
            3 `Order` LS0610: the spec `Order` is attached to this module already
            4 `(assert Late in { Slow -> ISlow })` LS0615: the spec `Late` is attached to two of the modules that are put together
                `(assert Late in { Slow })`: it is attached to this one already
        "#]],
    );
}

#[test]
fn renaming() {
    check_in_system(
        "module Differ = rename IServer to IOther in { Client };
module Absent = rename ISlow to IServer in { Server };
module Taken = rename ISlow to IServer in { Client, Slow -> ISlow };
module Fine = rename IServer to ISlow in { Client };",
        expect![[r#"
            1 `IOther` LS0611: `IServer` and `IOther` must receive the same events, but only one receives `eLate`
                `IServer`: `IServer`
                `IOther`: `IOther`
            2 `ISlow` LS0612: `ISlow` is neither bound nor created in this module
            3 `IServer` LS0613: `IServer` is bound or created in this module already
        "#]],
    );
}

#[test]
fn putting_together() {
    check_in_system(
        "module Bound = union { Server }, { Client }, { Server };
module Sends = compose { Client }, { Server }, { Server -> IServer };
module Creates = compose { Client }, { Maker };
module Fine = union { Server }, { Server -> IServer };
machine Maker sends; { start state S { entry { new IServer(); } } }",
        expect![[r#"
            1 `{ Server }` LS0614: `Server` is bound in two of the modules that are put together
                `{ Server }`: this one binds it already
            2 `{ Server -> IServer }` LS0616: two of the modules that are composed may send `eAnswer`
                `{ Server }`: this one may send it too
            3 `{ Maker }` LS0617: `IServer` is created by two of the modules that are composed
                `{ Client }`: this one creates it too
        "#]],
    );
    // Machines that may send everything can be united and not composed.
    check_beside(
        "machine A { start state S { } }\nmachine B { start state S { } }\n",
        "module U = union { A }, { B };\nmodule C = compose { A }, { B };",
        expect![[r#"
            2 `{ B }` LS0616: two of the modules that are composed may send every event
                `{ A }`: this one may send it too
        "#]],
    );
}

#[test]
fn hiding_interfaces() {
    check_in_system(
        "module Created = hidei IServer in { Client };
module Bound = hidei IServer in { Server -> IServer };
module Neither = hidei IServer in { Slow };
module Both = hidei IServer in { Client, Server -> IServer };",
        expect![[r#"
            1 `IServer` LS0619: `IServer` cannot be hidden: it is created and not bound in this module, and must be both
            2 `IServer` LS0619: `IServer` cannot be hidden: it is bound and not created in this module, and must be both
            3 `IServer` LS0619: `IServer` cannot be hidden: it is neither created nor bound in this module, and must be both
        "#]],
    );
}

/// Machines whose events carry nothing that could send a hidden event.
const PRIVATE: &str = "event eIn; event eOut; event eRef: IWorker; event eData: int;
interface IWorker() receives eIn;
machine Boss sends eIn; receives eOut; { start state S { entry { send new IWorker(), eIn; } } }
machine Worker sends eOut; receives eIn; { start state S { on eIn do { } } }
machine Talker sends eRef, eIn; receives eIn; { start state S { } }
machine Other sends eIn; receives; { start state S { } }
machine Plain sends eData; receives; { start state S { } }
";

#[test]
fn hiding_events() {
    check_beside(
        PRIVATE,
        "module Fine = hidee eIn in { Boss, Worker -> IWorker };
module Unsent = hidee eData, eIn in { Plain, Worker };
module Open = hidee eIn in { Boss, Worker };
module Carried = hidee eIn in { Boss, Worker -> IWorker, Talker -> ITalker };
module Clash = union Fine, { Other };
module NoClash = union Fine, { Plain };
test t [main=Boss]: NoClash;
interface ITalker() receives;",
        expect![[r#"
            2 `eData` LS0620: `eData` cannot be hidden: no machine of this module receives it
            2 `eIn` LS0620: `eIn` cannot be hidden: no machine of this module sends it
            3 `eIn` LS0621: `eIn` cannot be hidden: the interface `Worker` receives it, and is not both created and bound in the module
            4 `eIn` LS0621: `eIn` cannot be hidden: `eRef` can carry a machine that receives it
            5 `Fine` LS0618: `eIn` is hidden in this module and not in the others it is put together with: another one sends or receives it
                `{ Other }`: `eIn` is not hidden here
        "#]],
    );
    // Of all events one can be taken away.
    check_beside(
        "event e; event f;\n",
        "machine A { start state S { entry { new A(); } } }
module M = hidee e, halt in { A };
module N = compose M, (hidee f in { B });
machine B { start state S { entry { new B(); } } }",
        expect![[r#"
            3 `M` LS0618: `e` is hidden in this module and not in the others it is put together with: another one sends or receives it
                `(hidee f in { B })`: `e` is not hidden here
        "#]],
    );
}

#[test]
fn tests_and_implementations() {
    check_in_system(
        "test open [main=Client]: { Client };
test outside [main=Slow]: { Server };
test unknown [main=Cliant]: { Server };
test watcher [main=Order]: { Server };
test value [main=Tuned]: { Tuned };
test refined [main=Server]: { Server } refines { Client };
test fine [main=Server]: { Server -> IServer };
implementation none: { Server };
implementation nobody [main=Nobody]: { Server };
implementation open2 [main=Client]: { Client };
implementation outside2 [main=Tuned]: { Server };",
        expect![[r#"
            1 `{ Client }` LS0505: the machines of this module create `IServer`, and the module does not bind it
                `Client`: `Client` creates `IServer`
            2 `Slow` LS0506: `Slow` is not part of the module of this test
                `Slow`: declared here
            3 `Cliant` LS0506: there is no machine `Cliant`
            4 `Order` LS0506: `Order` is a spec, and only a machine can be started
                `Order`: declared here
            5 `Tuned` LS0507: `Tuned` is created with a value of type `int`, and a test starts it without any
                `Tuned`: declared here
            6 `{ Client }` LS0508: tests with `refines` cannot be run: P has a syntax for them and no more
            8 `none` LS0506: the implementation `none` has no main machine
            9 `Nobody` LS0506: there is no machine `Nobody`
            10 `{ Client }` LS0505: the machines of this module create `IServer`, and the module does not bind it
                `Client`: `Client` creates `IServer`
        "#]],
    );
}

#[test]
fn an_error_in_a_module_silences_its_users() {
    check_in_system(
        "module Wrong = { Client, Servr };
module Uses = assert Late in hidei ISlow in rename ISlow to IServer in compose Wrong, { Client };
test t [main=Server]: Uses;",
        expect![[r#"
            1 `Servr` LS0602: there is no machine `Servr`
        "#]],
    );
}

#[test]
fn where_there_is_no_test_all_machines_are_run() {
    let main = "interface I() receives;\nmachine Main { start state S { entry { new I(); } } }\n";
    check_beside(
        "",
        main,
        expect![[r#"
        1 `I` LS0505: `Main` creates `I`, and no machine stands behind it
            `Main`: `Main` creates `I`
    "#]],
    );
    check_beside(
        "",
        &format!("{main}machine Impl {{ start state S {{ }} }}\ntest t [main=Main]: {{ Main, Impl -> I }};"),
        expect![[""]],
    );
    // Without a machine `Main` nothing is run.
    check_beside("", &main.replace("Main", "Start"), expect![[""]]);
}

#[test]
fn tests_of_included_projects_are_no_tests() {
    let db = Database::default();
    let wrong = "test t [main=Nobody]: { Nothing };\nmodule M = Nothing;";
    let (own, files) = project(&db, Purpose::Checking, &["machine M { start state S { } }\ntest t [main=M]: { M };", wrong]);
    let members = vec![Member::from(files[0]), Member { file: files[1], is_included: true }];
    let project = Project::open(&db, "including", members, own.purpose(&db));
    let found: Vec<_> = project_files(&db, project).flat_map(|file| checked(&db, file)).collect();
    let shown: Vec<String> = found.iter().map(|found| format!("{} {}", found.code, found.message)).collect();
    assert_eq!(shown, ["LS0601 there is no module `Nothing`"]);
}
