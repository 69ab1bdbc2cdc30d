//! The places that findings show beside their own, in the same file and in others, and what they say is to be done.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use lockstep_base::{Encoding, TextRange};

use crate::tests::{checked, project};
use crate::{Database, ProjectFile, Purpose};

/// Shows what is found in files that are `0.p`, `1.p` and so on: what is marked, with its line, and the same of each related place.
#[allow(clippy::needless_pass_by_value)]
fn check(texts: &[&str], expected: Expect) {
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, texts);
    let place = |file: usize, range: TextRange| {
        let start = files[file].parse(&db).text().position(range.start(), Encoding::Utf32);
        format!("{file}.p:{}:{} `{}`", start.line + 1, start.column + 1, texts[file][range].replace('\n', " "))
    };
    let mut shown = String::new();
    for (number, file) in files.iter().enumerate() {
        for found in checked(&db, ProjectFile::new(&db, project, *file, false)) {
            writeln!(shown, "{} {}: {}", place(number, found.range), found.code, found.message).expect("a string takes all");
            if let Some(help) = &found.help {
                writeln!(shown, "  help: {help}").expect("a string takes all");
            }
            for related in &found.related {
                let path = related.path.as_ref().map(ToString::to_string);
                let file = (0..files.len()).find(|file| path == Some(format!("{file}.p"))).unwrap_or(number);
                writeln!(shown, "  {}: {}", place(file, related.range), related.message).expect("a string takes all");
            }
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn the_first_of_two_in_a_machine() {
    check(
        &["event eGo;
machine M {
  var a: int;
  var b, a: bool;
  start state S {
    entry f;
    exit f;
    on eGo goto T;
    ignore eGo;
    entry (value: int) { }
    exit f;
  }
  start state T { entry { } entry f; }
  state S { }
  fun f() { }
  fun f() { }
  fun T(x: int, x: int) { var y: int; var y: int; var x: int; }
}"],
        expect![[r#"
            0.p:4:10 `a` LS0101: `a` is declared twice
              0.p:3:7 `a`: the first one
            0.p:9:12 `eGo` LS0112: this state says already what happens on `eGo`
              help: remove one of them, or do in one handler what both do
              0.p:8:8 `eGo`: the first one
            0.p:10:5 `entry` LS0113: this state has an entry already
              help: put what both do into one `entry`
              0.p:6:5 `entry`: the first one
            0.p:11:5 `exit` LS0114: this state has an exit already
              help: put what both do into one `exit`
              0.p:7:5 `exit`: the first one
            0.p:13:15 `T` LS0115: this machine has a start state already
              help: remove `start` from one of them
              0.p:5:15 `S`: the first one
            0.p:13:29 `entry` LS0113: this state has an entry already
              help: put what both do into one `entry`
              0.p:13:19 `entry`: the first one
            0.p:14:9 `S` LS0101: this machine has a state `S` already
              0.p:5:15 `S`: the first one
            0.p:16:7 `f` LS0101: this machine has a function or state `f` already
              0.p:15:7 `f`: the first one
            0.p:17:7 `T` LS0101: this machine has a function or state `T` already
              0.p:13:15 `T`: the first one
            0.p:17:17 `x` LS0101: `x` is declared twice
              0.p:17:9 `x`: the first one
            0.p:17:43 `y` LS0101: `y` is declared twice
              0.p:17:31 `y`: the first one
            0.p:17:55 `x` LS0101: `x` is declared twice
              0.p:17:9 `x`: the first one
        "#]],
    );
}

#[test]
fn the_first_of_two_in_code_and_types() {
    check(
        &[
            "type tPair = (x: int, y: int, x: bool);
fun F(n: int) {
  var p: (z: int, z: int);
  n = (one = 1, two = 2, one = 3).one;
  receive {
    case eGo: (v: int) { var v: int; }
    case eGo: { n = true; }
  }
}
",
            "event eGo: int;
param size: int;
machine M { start state S { } }
test param (size in [1], size in [2]) t [main=M]: { M };",
        ],
        expect![[r#"
            0.p:1:31 `x` LS0104: the field `x` is declared twice
              help: give one of them another name
              0.p:1:15 `x`: the first one
            0.p:3:19 `z` LS0104: the field `z` is declared twice
              help: give one of them another name
              0.p:3:11 `z`: the first one
            0.p:4:26 `one` LS0104: the field `one` is given twice
              help: remove one of them, or give it another name
              0.p:4:8 `one`: the first one
            0.p:6:30 `v` LS0101: `v` is declared twice
              0.p:6:16 `v`: the first one
            0.p:7:10 `eGo` LS0333: `eGo` has a case already
              0.p:6:10 `eGo`: the first one
            0.p:7:21 `true` LS0305: a value of type `bool` cannot be stored in a place of type `int`
              0.p:2:7 `n`: `n` is declared here
            1.p:4:26 `size` LS0104: `size` is given twice
              help: put all its values into one list
              1.p:4:13 `size`: the first one
        "#]],
    );
}

#[test]
fn declarations_in_other_files() {
    check(
        &[
            "event eGo: int;
event eStop;
param size, limit: int;
fun Twice(n: int): int { return n; }
machine Peer { start state S { entry (n: int) { } } }
type tTree = seq[tForest];
",
            "type tForest = set[tTree];
machine M {
  var n: int;
  var pairs: seq[(left: int, right: bool)];
  var limit: int;
  start state S {
    entry {
      var local: string;
      size = 1;
      n = Twice(true) + Twice() + Own(1, 2);
      Own(false);
      new Peer();
      new Peer(true);
      send this, eGo, 1, 2;
      send this, eGo, true;
      raise eStop, 1;
      local = 1;
      pairs[0].left = true;
      goto T;
    }
    on eGo do (value: bool) { }
    on eStop goto T;
  }
  state T { entry (n: int) { n = local; goto T, true; } }
  fun Own(n: int): int { n = false; return n; }
}
test param (size in [true]) t [main=M]: { M, Peer };",
        ],
        expect![[r#"
            0.p:6:6 `tTree` LS0103: the type `tTree` contains itself
              1.p:1:6 `tForest`: through `tForest`, which is declared here
            1.p:1:6 `tForest` LS0103: the type `tForest` contains itself
              0.p:6:6 `tTree`: through `tTree`, which is declared here
            1.p:5:7 `limit` LS0102: `limit` is the name of a test parameter, which nothing else may have
              0.p:3:13 `limit`: `limit` is declared here
            1.p:9:7 `size` LS0301: the test parameter `size` cannot be changed
              0.p:3:7 `size`: `size` is declared here
            1.p:10:17 `true` LS0317: `n` of `Twice` is of type `int`, and this is of type `bool`
              0.p:4:5 `Twice`: `Twice` is declared here
            1.p:10:25 `Twice` LS0318: `Twice` takes one argument, and none is given
              0.p:4:5 `Twice`: `Twice` is declared here
            1.p:10:35 `Own` LS0318: `Own` takes one argument, not 2
              1.p:25:7 `Own`: `Own` is declared here
            1.p:11:11 `false` LS0317: `n` of `Own` is of type `int`, and this is of type `bool`
              1.p:25:7 `Own`: `Own` is declared here
            1.p:12:11 `Peer` LS0317: `Peer` takes a value of type `int`, and none is given
              0.p:5:9 `Peer`: `Peer` is declared here
            1.p:13:16 `true` LS0317: `Peer` takes a value of type `int`, and this is of type `bool`
              0.p:5:9 `Peer`: `Peer` is declared here
            1.p:14:18 `eGo` LS0318: `eGo` takes one value of type `int`, not 2
              0.p:1:7 `eGo`: `eGo` is declared here
            1.p:15:23 `true` LS0317: `eGo` takes a value of type `int`, and this is of type `bool`
              0.p:1:7 `eGo`: `eGo` is declared here
            1.p:16:20 `1` LS0317: `eStop` takes no value
              0.p:2:7 `eStop`: `eStop` is declared here
            1.p:17:15 `1` LS0305: a value of type `int` cannot be stored in a place of type `string`
              help: `format("{0}", ...)` makes a text of any value
              1.p:8:11 `local`: `local` is declared here
            1.p:18:23 `true` LS0305: a value of type `bool` cannot be stored in a place of type `int`
              1.p:4:7 `pairs`: `pairs` is declared here
            1.p:19:12 `T` LS0318: the entry of `T` takes one value, and none is given
              1.p:24:9 `T`: `T` is declared here
            1.p:21:8 `eGo` LS0204: `eGo` carries a value of type `int`, and the handler takes one of type `bool`
              help: give the parameter the type of that value, or leave it out
              0.p:1:7 `eGo`: `eGo` is declared here
            1.p:22:8 `eStop` LS0204: `eStop` carries no value, and the entry of `T` takes one of type `int`
              help: leave the parameter out, or declare `event eStop: int;`
              0.p:2:7 `eStop`: `eStop` is declared here
            1.p:24:34 `local` LS0110: there is no variable, enum element or event `local` here
            1.p:24:49 `true` LS0317: the entry of `T` takes a value of type `int`, and this is of type `bool`
              1.p:24:9 `T`: `T` is declared here
            1.p:25:30 `false` LS0305: a value of type `bool` cannot be stored in a place of type `int`
              1.p:25:11 `n`: `n` is declared here
            1.p:27:22 `true` LS0502: `size` is of type `int`, and this is of type `bool`
              help: write a whole number
              0.p:3:7 `size`: `size` is declared here
        "#]],
    );
}

#[test]
fn names_that_stand_for_something_else() {
    check(
        &[
            "enum Colour { RED }
event eGo;
eventset Some = { eGo };
interface IPeer() receives eGo;
spec Watch observes eGo { start state S { ignore eGo; } }
",
            "machine A { start state S {
  entry { var a: machine; a = A(); a = IPeer(); eGo = a; RED = a; A = a; goto A; }
  on Some goto S;
  on RED do { receive { case Some: { } case RED: { } case eGa: { } } }
  on eGo goto Colour;
} }
spec Other observes Some { start state S { } }
fun F() creates Watch;
fun G() { goto A; new Watch(); }",
        ],
        expect![[r#"
            1.p:2:31 `A` LS0107: `A` is a machine, not a function
              help: `new A(...)` creates one
              1.p:1:9 `A`: `A` is declared here
            1.p:2:40 `IPeer` LS0107: `IPeer` is an interface, not a function
              help: `new IPeer(...)` creates one
              0.p:4:11 `IPeer`: `IPeer` is declared here
            1.p:2:49 `eGo` LS0110: `eGo` is an event: only variables can be changed
              0.p:2:7 `eGo`: `eGo` is declared here
            1.p:2:58 `RED` LS0110: `RED` is an element of an enum: only variables can be changed
              0.p:1:15 `RED`: `RED` is declared here
            1.p:2:67 `A` LS0110: `A` is a machine: only variables can be changed
              1.p:1:9 `A`: `A` is declared here
            1.p:2:79 `A` LS0108: `A` is a machine, not a state
              1.p:1:9 `A`: `A` is declared here
            1.p:3:6 `Some` LS0106: `Some` is an event set: list its events here
              0.p:3:10 `Some`: `Some` is declared here
            1.p:4:6 `RED` LS0106: `RED` is an element of an enum, not an event
              0.p:1:15 `RED`: `RED` is declared here
            1.p:4:30 `Some` LS0106: `Some` is an event set: list its events here
              0.p:3:10 `Some`: `Some` is declared here
            1.p:4:45 `RED` LS0106: `RED` is an element of an enum, not an event
              0.p:1:15 `RED`: `RED` is declared here
            1.p:4:59 `eGa` LS0106: there is no event `eGa`
              help: did you mean `eGo`?
            1.p:5:15 `Colour` LS0108: `Colour` is an enum, not a state
              0.p:1:6 `Colour`: `Colour` is declared here
            1.p:7:21 `Some` LS0106: `Some` is an event set: list its events here
              0.p:3:10 `Some`: `Some` is declared here
            1.p:8:17 `Watch` LS0109: `Watch` is a spec: tests attach it by `assert`, nobody creates it
            1.p:9:16 `A` LS0108: `A` is a machine, not a state
              1.p:1:9 `A`: `A` is declared here
            1.p:9:23 `Watch` LS0109: `Watch` is a spec: tests attach it by `assert`, nobody creates it
        "#]],
    );
}

#[test]
fn words_and_names_are_marked_instead_of_all_the_code() {
    check(
        &["event eGo;
fun Sign(n: int): int {
  if (n > 0) { return 1; }
}
fun Unreadable(n: int): int {
  n = ;
}
fun Raises(): int { raise eGo; }
spec Watch observes eGo { start state S {
  on eGo do { Wait(); if (choose()) { } }
  exit { goto S; }
}
  fun Wait() {
    receive {
      case eGo: { }
    }
  }
  fun Goes(): int { goto S, 1, 2; }
}
machine M { start state S { entry { goto S, 1, 2; } } }"],
        expect![[r#"
            0.p:2:5 `Sign` LS0335: not every path through this function returns a value of type `int`
              help: end every path with `return ...;`, or with `assert false;` where it is never reached
            0.p:6:6 `` LS0001: expected an expression after `=`
            0.p:8:21 `raise eGo;` LS0331: an event cannot be raised in a function that returns a value
              help: return what the caller needs to know, and raise the event there
            0.p:10:27 `choose()` LS0402: a spec only watches: it cannot make choices
              help: let a machine do it, and observe the events that tell of it
            0.p:11:10 `goto S;` LS0401: this changes the state, which is not possible while a state is left
              help: do it in the `entry` of the next state, or in an `on ... do` handler
            0.p:14:5 `receive` LS0330: a spec only watches: it cannot wait for events
            0.p:18:21 `goto S, 1, 2;` LS0332: the state cannot be changed in a function that returns a value
              help: return what the caller needs to know, and change the state there
            0.p:20:42 `S` LS0318: the entry of `S` takes no value
              0.p:20:25 `S`: `S` is declared here
        "#]],
    );
}
