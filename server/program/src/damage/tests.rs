//! One slip in a sound project of three files gives one error, in the file of the slip.

use lockstep_syntax::{Language, Parse};

use crate::tests::{Log, checked, project};
use crate::{Database, ProjectFile, Purpose, project_errors};

const PROTOCOL: &str = "\
type tOrder = (customer: Customer, amount: int);
enum tAnswer {
  TAKEN,
  REFUSED
}
event eOrder: tOrder;
event eAnswer: tAnswer;
fun Larger(a: int, b: int): int {
  if (a > b) { return a; }
  return b;
}
";

const MACHINES: &str = "\
machine Shop
{
  var stock: int;
  var seen: map[Customer, tOrder];

  start state Open {
    entry (config: (stock: int)) {
      stock = config.stock;
      goto Serving;
    }
  }

  state Serving {
    on eOrder do (order: tOrder) {
      seen[order.customer] = order;
      if (Larger(order.amount, stock) == stock) {
        stock = stock - order.amount;
        send order.customer, eAnswer, TAKEN;
        if (stock == 0) { goto Empty, stock; }
      } else {
        Refuse(order.customer);
      }
    }
  }

  state Empty {
    entry (rest: int) { assert rest == 0, \"something is left\"; }
    on eOrder do (order: tOrder) { Refuse(order.customer); }
  }

  fun Refuse(customer: Customer) {
    send customer, eAnswer, REFUSED;
  }
}

machine Customer {
  start state Init {
    entry (shop: Shop) { send shop, eOrder, (customer = this, amount = 2); }
    on eAnswer do (answer: tAnswer) { print format(\"{0}\", answer); }
  }
}
";

const TESTS: &str = "\
spec Answered observes eOrder, eAnswer {
  start cold state None { on eOrder goto Some; ignore eAnswer; }
  hot state Some { on eAnswer goto None; ignore eOrder; }
}
machine Driver {
  start state Init {
    entry { var shop: Shop; shop = new Shop((stock = 3,)); new Customer(shop); }
  }
}
module Trade = { Shop, Customer };
test tcTrade [main = Driver]: assert Answered in (union Trade, { Driver });
";

/// The errors of the project, each as its file, line and code, after `from` is replaced by `to` in all its files.
fn errors_after(from: &str, to: &str) -> Vec<String> {
    let texts = [PROTOCOL, MACHINES, TESTS].map(|text| text.replacen(from, to, 1));
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &texts.each_ref().map(String::as_str));
    let mut found = Vec::new();
    for file in files {
        let parse = file.parse(&db);
        for error in checked(&db, ProjectFile::new(&db, project, file, false)) {
            let line = parse.text().line_of(error.range.start()) + 1;
            found.push(format!("{}:{line} {}", file.path(&db), error.code));
        }
    }
    assert_eq!(project_errors(&db, project), found.len(), "what is counted is what is shown");
    found
}

#[test]
fn the_project_is_sound() {
    assert_eq!(errors_after("", ""), [""; 0]);
}

#[test]
fn one_slip_gives_one_error() {
    let slips = [
        // Words that begin declarations.
        ("type tOrder", "tpye tOrder", "0.p:1"),
        ("enum tAnswer", "enm tAnswer", "0.p:2"),
        ("event eOrder", "evnt eOrder", "0.p:6"),
        ("fun Larger", "fn Larger", "0.p:8"),
        ("machine Customer", "machin Customer", "1.p:36"),
        ("machine Shop", "machin Shop", "1.p:1"),
        ("spec Answered", "spce Answered", "2.p:1"),
        ("module Trade", "modul Trade", "2.p:10"),
        // Words that begin members.
        ("var stock: int;", "vr stock: int;", "1.p:3"),
        ("state Serving {", "stat Serving {", "1.p:13"),
        ("start state Open", "start stat Open", "1.p:6"),
        ("entry (config", "enrty (config", "1.p:7"),
        ("fun Refuse", "fnu Refuse", "1.p:31"),
        // Signs.
        ("machine Shop\n{", "machine Shop\n", "1.p:1"),
        ("machine Customer {", "machine Customer", "1.p:36"),
        ("stock = config.stock;", "stock = config.stock; }", "1.p:7"),
        ("var stock: int;", "var stock int;", "1.p:3"),
        ("tOrder = (customer", "tOrder = customer", "0.p:1"),
        ("customer: Customer, amount", "customer: Customer amount", "0.p:1"),
        ("(a: int, b: int)", "(a: int b: int)", "0.p:8"),
        ("event eOrder: tOrder", "event eOrder tOrder", "0.p:6"),
        ("entry (config: (stock: int))", "entry (config (stock: int))", "1.p:7"),
    ];
    let mut wrong = Vec::new();
    for (from, to, place) in slips {
        let found = errors_after(from, to);
        if found != [format!("{place} LS0001")] {
            wrong.push(format!("{to}: {found:?} instead of {place}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_string_without_end_is_the_only_error() {
    let found = errors_after("\"something is left\"", "\"something is left");
    assert_eq!(found, ["1.p:27 LS0003"]);
    let found = errors_after("\"something is left\"", "something is left\"");
    assert_eq!(found, ["1.p:27 LS0003"]);
}

#[test]
fn errors_that_have_nothing_to_do_with_it_stay() {
    // A slip in one machine, and unknown names, a wrong value and a missing start elsewhere.
    let slip = ("var stock: int;", "vr stock: int;");
    let texts = [
        PROTOCOL.replacen("return b;", "return c;", 1),
        MACHINES.replacen(slip.0, slip.1, 1).replacen("amount = 2", "amount = true", 1),
        TESTS.replacen("start state Init", "state Init", 1).replacen("new Customer(shop)", "new Custmer(shop)", 1),
    ];
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &texts.each_ref().map(String::as_str));
    let codes = |file: usize| -> Vec<&str> {
        checked(&db, ProjectFile::new(&db, project, files[file], false)).iter().map(|error| error.code).collect()
    };
    assert_eq!([codes(0), codes(1), codes(2)], [vec!["LS0110"], vec!["LS0001", "LS0317"], vec!["LS0201", "LS0109"]]);
}

#[test]
fn a_slip_in_a_body_checks_no_other_body() {
    let mut log = Log::new();
    let (project, files) = project(&log.db, Purpose::Checking, &[PROTOCOL, MACHINES, TESTS]);
    files[0].expect_edits(&mut log.db);
    let all = |log: &Log| files.iter().map(|file| checked(&log.db, ProjectFile::new(&log.db, project, *file, false)).len()).sum();
    let none: usize = all(&log);
    log.forget();
    let text = PROTOCOL.replacen("return b;", "return b", 1);
    files[0].update(&mut log.db, Parse::new(Language::P, text.as_str()));
    let one: usize = all(&log);
    assert_eq!((none, one, log.count("check_decl")), (0, 1, 0));
    assert!(log.count("check_body") <= 1, "only the body with the slip");
}
