//! Warnings in small: each kind where it is given and where it is not.

use expect_test::{Expect, expect};
use lockstep_base::{Diagnostic, Encoding};

use crate::tests::project;
use crate::{Database, Member, ProblemCode, Project, ProjectFile, Purpose, Settings, file_diagnostics, file_diagnostics_with};

/// What is found in the first of these files.
fn findings(texts: &[&str], settings: &Settings) -> Vec<Diagnostic> {
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, texts);
    file_diagnostics_with(&db, ProjectFile::new(&db, project, files[0], false), settings)
}

/// Shows everything found in a file under its line.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[text]);
    let parse = files[0].parse(&db);
    let mut shown = String::new();
    for found in file_diagnostics(&db, ProjectFile::new(&db, project, files[0], false)) {
        let start = parse.text().position(found.range.start(), Encoding::Utf32);
        let line = text.lines().nth(start.line as usize).unwrap_or("");
        let length = text[found.range].lines().next().unwrap_or("").chars().count().max(1);
        let (blank, caret) = (" ".repeat(start.column as usize), "^".repeat(length));
        shown += &format!("| {line}\n| {blank}{caret} {}: {}\n", found.code, found.message);
    }
    expected.assert_eq(&shown);
}

fn codes(text: &str) -> Vec<&'static str> {
    findings(&[text], &Settings::default()).into_iter().map(|found| found.code).collect()
}

/// The first block of code after a heading of an explanation.
fn example<'a>(explanation: &'a str, heading: &str) -> &'a str {
    let rest = explanation.split_once(heading).expect("the heading is there").1;
    rest.split_once("```p\n").and_then(|(_, rest)| rest.split_once("```")).expect("a block of code follows").0
}

#[test]
fn every_warning_is_given_for_its_own_example_alone() {
    let warnings = ProblemCode::ALL.iter().map(|code| code.number()).filter(|number| ("LS10".."LS138").contains(number));
    let mut disagreements = Vec::new();
    for number in warnings {
        let path = format!("{}/explain/{number}.md", env!("CARGO_MANIFEST_DIR"));
        let explanation = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(explanation.starts_with(&format!("# {number}: ")), "the title of {number}");
        let mut wrong = codes(example(&explanation, "## Wrong"));
        wrong.dedup();
        // What a comment is to switch off and does not is there as well.
        wrong.retain(|code| !number.starts_with("LS10") || code.starts_with("LS10"));
        let right = codes(example(&explanation, "## Right"));
        if wrong != [number] || !right.is_empty() {
            disagreements.push((number, wrong, right));
        }
    }
    assert_eq!(disagreements, []);
}

/// A program with something to run, so that nothing is left for others.
fn closed(text: &str) -> String {
    format!("{text}\nmachine Main {{ start state Init {{ }} }}")
}

#[test]
fn variables() {
    check(
        "fun f(a: int, _b: int): int {\n  var x: int; var y, z: int; var _w: int; var item: int; var all: seq[int]; var at: map[int, int];\n  \
         y = a;\n  at[z] = 1;\n  foreach (item in all) { print \"one\"; }\n  return a;\n}",
        expect![[r#"
            |   var x: int; var y, z: int; var _w: int; var item: int; var all: seq[int]; var at: map[int, int];
            |       ^ LS1101: the variable `x` is never used
            |   var x: int; var y, z: int; var _w: int; var item: int; var all: seq[int]; var at: map[int, int];
            |                   ^ LS1102: the variable `y` is assigned, but never read
            |   var x: int; var y, z: int; var _w: int; var item: int; var all: seq[int]; var at: map[int, int];
            |                                                                                 ^^ LS1102: the variable `at` is assigned, but never read
        "#]],
    );
}

#[test]
fn variables_of_receive_cases_are_their_own() {
    check(
        "event e: int; event g: int;\nmachine M { start state S { entry (first: int) {\n  var x: int;\n  receive {\n    case e: (x: int) { print format(\"{0}\", x); }\n    \
         case g: (y: int) { var u: int; u = first; }\n  }\n} } }",
        expect![[r#"
            |   var x: int;
            |       ^ LS1101: the variable `x` is never used
            |     case e: (x: int) { print format("{0}", x); }
            |              ^ LS1218: this hides the variable `x` outside of the case
            |     case g: (y: int) { var u: int; u = first; }
            |                            ^ LS1102: the variable `u` is assigned, but never read
        "#]],
    );
}

#[test]
fn parameters() {
    check(
        "event e: int; event g: int;\nmachine M {\n  start state S {\n    entry (first: int) { print \"entered\"; }\n    on e do one;\n    on g do both;\n    \
         exit { unfinished(1); alone(1); }\n  }\n  state T { on e do both; }\n  fun one(n: int) { goto T; }\n  fun both(n: int) { goto S, 1; }\n  \
         fun unfinished(n: int) { }\n  fun alone(n: int) { n = 1; }\n}",
        expect![[r#"
            |   fun one(n: int) { goto T; }
            |           ^ LS1112: the parameter `n` is never used
        "#]],
    );
}

#[test]
fn members_of_machines() {
    check(
        "event e; event g: int;\nmachine M {\n  var used, unused, unread: int;\n  start state S {\n    entry { unread = used; }\n    on e do { enter(); }\n    on g do handle;\n  }\n  \
         state T { on e goto U; }\n  state U { }\n  state V { on e goto V; }\n  fun enter() { deeper(); }\n  fun deeper() { goto T; }\n  \
         fun handle() { }\n  fun alone() { alone(); }\n}",
        expect![[r#"
            |   var used, unused, unread: int;
            |             ^^^^^^ LS1103: the variable `unused` is never used
            |   var used, unused, unread: int;
            |                     ^^^^^^ LS1104: the variable `unread` is assigned, but never read
            |   state V { on e goto V; }
            |         ^ LS1111: the state `V` is never entered
            |   fun alone() { alone(); }
            |       ^^^^^ LS1105: the function `alone` is never called, and no handler
        "#]],
    );
}

#[test]
fn declarations_without_use() {
    let text = "event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;\n\
                fun f() { g(); } fun g() { print format(\"{0}\", ONE); }";
    assert_eq!(codes(text), [""; 0], "a library is for others");
    check(
        &closed(&text.replace("fun f()", "module m = { Main }; fun f()")),
        expect![[r#"
            | event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;
            |       ^ LS1106: the event `e` is never used
            | event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;
            |               ^ LS1107: the type `t` is never used
            | event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;
            |                                               ^^^^^^ LS1107: the enum `Unused` is never used
            | event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;
            |                                                                       ^ LS1108: the event set `s` is never used
            | event e; type t = int; enum Used { ONE } enum Unused { TWO } eventset s = { halt }; interface I() receives;
            |                                                                                               ^ LS1109: the interface `I` is never used
            | module m = { Main }; fun f() { g(); } fun g() { print format("{0}", ONE); }
            |        ^ LS1110: the module `m` is never used
            | module m = { Main }; fun f() { g(); } fun g() { print format("{0}", ONE); }
            |                          ^ LS1105: the function `f` is never used
        "#]],
    );
}

#[test]
fn foreign_code_may_use_types() {
    let text = closed("type t = int; type tForeign; enum Unused { TWO } eventset s = { halt };");
    assert_eq!(codes(&text), ["LS1107", "LS1107", "LS1107", "LS1108"]);
    assert_eq!(codes(&format!("{text} fun foreign();")), ["LS1108"]);
}

#[test]
fn other_files_and_broken_files_use_what_they_mention() {
    let text = closed("event e; fun f() { }");
    let found =
        |other: &str| -> Vec<_> { findings(&[&text, other], &Settings::default()).into_iter().map(|found| found.code).collect() };
    assert_eq!(found(""), ["LS1106", "LS1105"]);
    assert_eq!(found("machine N { start state S { entry { f(); } ignore e; } }"), ["LS1202"]);
    assert_eq!(found("machine N { start state S { entry { f( } ignore e; } }"), [""; 0], "what cannot be read may be anything");
    assert_eq!(found("fun foreign();"), [""; 0], "code in another language may be anything");
}

#[test]
fn nothing_is_said_about_what_cannot_be_read() {
    assert_eq!(codes("fun f() { var x: int; x = ; }\nfun g() { var y: int; }"), ["LS0001", "LS1101"]);
}

#[test]
fn a_misspelt_name_is_reported_once() {
    for text in [
        "fun f(): int { var count: int; count = 1; return coun; }",
        "machine M { var total: int; start state S { entry { total = 1; print format(\"{0}\", totl); } } }",
        "machine M { start state S { entry { helpp(); } } fun help() { } }",
        "machine M { start state S { entry { goto Workng; } } state Working { } }",
        "event eOrder; machine Main { start state S { entry { raise eOrder; } on eOrdr do { } } }",
        "type tPair = int; machine Main { start state S { entry { print format(\"{0}\", default(tPairs)); } } }",
    ] {
        let found = codes(text);
        assert!(matches!(found[..], [code] if code.starts_with("LS0")), "{text}: {found:?}");
    }
    assert_eq!(codes("fun f(): int { var count: int; count = 1; return total; }"), ["LS1102", "LS0110"], "that is another name");
}

#[test]
fn included_files_are_not_told_what_is_unused() {
    let db = Database::default();
    let (_, files) = project(&db, Purpose::Checking, &[&closed("event e;"), "event g; fun f() { var x: int; }"]);
    let members = vec![files[0].into(), Member { file: files[1], is_included: true }];
    let project = Project::open(&db, "including", members, Purpose::Checking);
    let found = file_diagnostics(&db, ProjectFile::new(&db, project, files[1], true));
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["LS1101"]);
}

#[test]
fn events_that_come_and_go() {
    let flow = |body: &str| codes(&closed(&format!("event e; event g;\nmachine M {{ start state S {{ {body} }} }}\n{CREATE}")));
    const CREATE: &str = "fun make() { new M(); } machine Other { start state S { entry { make(); ignoreThis(g); } ignore g; } }\n\
                          fun ignoreThis(it: event) { print format(\"{0}\", it); }";
    assert_eq!(flow("entry { send this, e; } on e do { }"), [""; 0]);
    assert_eq!(flow("entry { send this, e; }"), ["LS1201"]);
    assert_eq!(flow("entry { announce e; }"), ["LS1201"]);
    assert_eq!(flow("on e do { }"), ["LS1202"]);
    assert_eq!(flow("entry { var x: event; x = e; send this, x; } on e do { }"), [""; 0], "an event in a variable can be sent");
    assert_eq!(flow("entry { ignoreThis(e); } on e do { }"), [""; 0], "so can an event that is given to a function");
    assert_eq!(
        flow("entry { var e: event; send this, e; } on e do { }"),
        [""; 0],
        "a variable hides the event: perhaps it is sent"
    );
    assert_eq!(flow("entry { receive { case e: { } } }"), ["LS1202"]);
}

#[test]
fn events_that_never_arrive() {
    let text = |raiser: &str, handler: &str| {
        format!(
            "event e;\nmachine A {{ start state S {{ {raiser} }} }}\nmachine B {{ start state S {{ {handler} }} }}\nfun help() {{ raise e; }}\n\
             machine Main {{ start state S {{ entry {{ new A(); new B(); }} }} }}"
        )
    };
    let raises = text("entry { raise e; } on e do { }", "on e do { }");
    assert_eq!(codes(&raises), ["LS1105"], "some function may raise it");
    assert_eq!(codes(&raises.replace("fun help() { raise e; }", "")), ["LS1203"]);
    assert_eq!(codes(&text("entry { raise e; } on e do { }", "on e do { } entry { help(); }")), [""; 0]);
    assert_eq!(codes(&text("entry { send new B(), e; } ", "on e do { }")), ["LS1105"]);
    assert_eq!(
        codes(&text("entry { send this, e; } on e do { }", "ignore e;")),
        ["LS1105"],
        "to ignore more than comes is no mistake"
    );
}

#[test]
fn specs_and_scenarios() {
    check(
        "event e; event g; event h;\nspec A observes e, g {\n  start state S { on e goto T; on h do { } }\n  hot state T { on e goto S; }\n}\n\
         spec B observes e {\n  start hot state S { on e goto T; }\n  hot state T { ignore e; }\n  state U { on e goto S; }\n}\n\
         spec C observes e {\n  start state S { on e do { raise g; } on g goto T; }\n  state T { ignore e; }\n}\n\
         scenario D observes e { start hot state S { on e goto T; } state T { ignore e; } }\n\
         scenario E observes e { start cold state S { ignore e; } }",
        expect![[r#"
            | spec A observes e, g {
            |                    ^ LS1206: no state handles or ignores `g`
            |   start state S { on e goto T; on h do { } }
            |                                   ^ LS1205: `h` is handled here, but not observed
            |   start hot state S { on e goto T; }
            |                   ^ LS1209: once in `S` the spec stays hot for ever
            |   state U { on e goto S; }
            |         ^ LS1111: the state `U` is never entered
            | scenario D observes e { start hot state S { on e goto T; } state T { ignore e; } }
            |          ^ LS1207: the scenario `D` can never be satisfied
            | scenario E observes e { start cold state S { ignore e; } }
            |                                          ^ LS1208: the scenario is satisfied before anything happened
        "#]],
    );
}

#[test]
fn raised_events() {
    check(
        "event e; event g;\nmachine M {\n  start state S { entry { f(); } on e goto T; defer g; }\n  state T { entry { h(); f(); } ignore e, g; }\n  \
         fun f() { raise e; }\n  fun h() { if ($) { raise g; } raise halt; }\n}",
        expect![[r#"
            |   fun h() { if ($) { raise g; } raise halt; }
            |                      ^^^^^^^^ LS1227: `g` is lost: every state in which this runs defers or ignores it
        "#]],
    );
    check(
        "event e; event g;\nmachine M {\n  start state S { entry { f(); } }\n  fun f() { raise e; }\n}\n\
         machine N {\n  start state S { entry { var e: event; e = g; raise e; } on g do { } }\n}",
        expect![[r#"
            |   fun f() { raise e; }
            |             ^^^^^^^^ LS1316: no state in which this runs handles `e`: a run that comes here fails
        "#]],
    );
}

#[test]
fn statements() {
    check(
        "fun f(n: int, b: bool): int {\n  if (b); else { n = n; }\n  while (false) { n = n + 1; }\n  while (true) { if (b) { break; } else { continue; } n = 2; }\n  \
         assert true; assert (true) && b;\n  g(n); g(n) ;\n  if (n == n || n < (n)) { return g(choose(0)); }\n  assert false;\n  return n / 0;\n}\n\
         fun g(n: int): int { return n + 1; }\nfun h(n: int): int { print \"h\"; return n; }\nfun i(): bool { h(1); return $ == $; }",
        expect![[r#"
            |   if (b); else { n = n; }
            |         ^ LS1219: this `;` is all there is to the `if`
            |   if (b); else { n = n; }
            |                  ^^^^^^ LS1217: this assigns a variable to itself
            |   while (false) { n = n + 1; }
            |          ^^^^^ LS1214: this loop is never run
            |   while (true) { if (b) { break; } else { continue; } n = 2; }
            |                                                       ^^^^^^ LS1113: this is never run
            |   assert true; assert (true) && b;
            |          ^^^^ LS1214: this assertion always holds
            |   g(n); g(n) ;
            |   ^^^^^ LS1213: the result of `g` is not used, and `g` does nothing else
            |   g(n); g(n) ;
            |         ^^^^^^ LS1213: the result of `g` is not used, and `g` does nothing else
            |   if (n == n || n < (n)) { return g(choose(0)); }
            |       ^^^^^^ LS1216: this always holds: both sides are the same
            |   if (n == n || n < (n)) { return g(choose(0)); }
            |                 ^^^^^^^ LS1216: this never holds: both sides are the same
            |   if (n == n || n < (n)) { return g(choose(0)); }
            |                                            ^ LS1215: there is nothing to choose: `choose(0)` is always 0
            |   return n / 0;
            |          ^^^^^ LS1314: this divides by zero: a run that comes here fails
        "#]],
    );
}

#[test]
fn functions_with_effects_are_called_for_them() {
    let text = |body: &str| {
        format!(
            "event e; machine M {{ var n: int; start state S {{ entry {{ f(); n = n + 1; }} }} fun f(): int {{ {body} return n; }} fun g() {{ n = 1; }} }}\nfun foreign(): int;"
        )
    };
    for body in ["print \"\";", "n = 1;", "g();", "foreign();", "send this, e;", "assert n > 0;", "new M();"] {
        let found = codes(&text(body));
        assert!(!found.contains(&"LS1213"), "{body}");
    }
    assert!(codes(&text("")).contains(&"LS1213"));
}

#[test]
fn loops_around_receive() {
    let text = |case: &str| {
        format!("event e;\nmachine M {{ start state S {{ entry {{ while ($) {{ receive {{ case e: {{ {case} }} }} }} }} }} }}")
    };
    assert_eq!(codes(&text("break;")), ["LS1220"]);
    check(
        &text("break;").replace("while ($) ", ""),
        expect![[r#"
            | machine M { start state S { entry { { receive { case e: { break; } } } } } }
            |                                                           ^^^^^^ LS1220: this ends the case: there is no loop to leave
        "#]],
    );
    assert_eq!(codes(&text("continue;")), [""; 0]);
    assert_eq!(codes(&text("while ($) { break; }")), [""; 0]);
    assert_eq!(codes(&text("continue;").replace("while ($) ", "")), ["LS0336"]);
}

#[test]
fn copies_that_cannot_be_made() {
    let text = |value: &str| {
        format!(
            "fun f(n: int, t: (m: int)): any {{ var d: data; var u: (m: any); {value} if ($) {{ return u; }} return d; }}\nfun g(): int {{ return 1; }}\nfun h(): (m: int) {{ return (m = 1,); }}"
        )
    };
    for broken in ["d = n;", "d = 1;", "d = true;", "u = t;"] {
        assert!(codes(&text(broken)).contains(&"LS1304"), "{broken}");
    }
    for fine in ["d = g();", "d = n + 1;", "d = \"text\";", "d = null;", "u = h();", "u.m = n;"] {
        assert!(!codes(&text(fine)).contains(&"LS1304"), "{fine}");
    }
}

#[test]
fn strings_of_csharp() {
    let text = |string: &str| format!("fun f() {{ print \"{string}\"; }}");
    for fine in ["", "a\\n\\t\\\\\\\"\\x1\\u00e9\\U0001F600", "{{0}}", "é"] {
        assert_eq!(codes(&text(fine)), [""; 0], "{fine}");
    }
    for wrong in ["\\d", "\\u12", "\\x", "\\é"] {
        assert_eq!(codes(&text(wrong)), ["LS1305"], "{wrong}");
    }
    assert_eq!(codes(&text("a\nb")), ["LS1306"]);
}

#[test]
fn what_only_a_run_would_show() {
    check(
        "event e: (int, int); event lock;\nmachine M sends lock; {\n  start state M {\n    entry (m: machine) {\n      var h: event; var k: event;\n      send m, e, 1, 2;\n      send m, halt;\n      \
         h = halt; if ($) { k = halt; } else { k = lock; }\n      send m, h; send m, k;\n      announce halt;\n      goto T, 1;\n    }\n  }\n  state T { entry f; }\n  \
         fun f(n: int) { print format(\"{0}\", n); }\n  state f { }\n}",
        expect![[r#"
            | event e: (int, int); event lock;
            |                            ^^^^ LS1312: `lock` is a word of C# and cannot be a name here
            |   start state M {
            |               ^ LS1313: the state `M` has the name of the machine
            |       send m, e, 1, 2;
            |               ^ LS1320: `e` is not among the events this machine sends: a run that comes here fails
            |       send m, e, 1, 2;
            |                     ^ LS1303: only the first value is sent: P drops the others
            |       send m, halt;
            |               ^^^^ LS1320: `halt` is not among the events this machine sends: a run that comes here fails
            |       send m, h; send m, k;
            |               ^ LS1308: `halt` cannot be sent from a variable: a run that comes here fails
            |       announce halt;
            |                ^^^^ LS1307: `halt` cannot be announced: a run that comes here fails
            |       goto T, 1;
            |            ^ LS1309: P loses the value on the way to `f`
            |   state f { }
            |         ^ LS1111: the state `f` is never entered
            |   state f { }
            |         ^ LS1313: the state `f` has the name of a function of the machine
        "#]],
    );
}

#[test]
fn the_verifier_has_its_own_rules() {
    let db = Database::default();
    let (checked, files) = project(&db, Purpose::Checking, &["fun f(a: bool): bool { assume a; return a ==> a <==> a; }"]);
    let codes = |project| -> Vec<_> {
        file_diagnostics(&db, ProjectFile::new(&db, project, files[0], false)).into_iter().map(|found| found.code).collect()
    };
    assert_eq!(codes(checked), ["LS1302", "LS1302", "LS1302"]);
    let members = vec![files[0].into()];
    let verified = Project::open(&db, "proof", members, Purpose::Verifying);
    assert_eq!(codes(verified), [""; 0]);
}

#[test]
fn deep_nesting_is_followed() {
    let deep = 2_000;
    let text = format!("fun f(): int {{ {} return 1; {} }}", "if ($) { ".repeat(deep), "} else { return 2; }".repeat(deep));
    assert_eq!(codes(&text), [""; 0]);
    let text = format!("fun g(n: int): int {{ return {}n{}; }}", "(1 + ".repeat(deep), ")".repeat(deep));
    assert_eq!(codes(&text), [""; 0]);
    let text = format!("machine M {{ start state S {{ entry {{ {}new M(){}; }} }} }}", "f(".repeat(deep), ")".repeat(deep));
    assert!(codes(&text).contains(&"LS0107"));
}

#[test]
fn a_comment_that_swallows_the_next_one() {
    check(
        "/* one\nevent eLost;\n  /* two */\nevent eKept; /* PSrc/*.p\n and PTst/*.p */\n// /* no comment\n",
        expect![[r#"
        |   /* two */
        |   ^^ LS1228: this stands in a comment, which goes on to the next `*/`
    "#]],
    );
}
