//! What could be written at the cursor.

use expect_test::{Expect, expect};

use super::Fixture;
use crate::p::completions;
use crate::{Completion, CompletionKind};

const DECLARATIONS: &str = "\
type tPair = (low: int, high: (left: bool, right: int));
enum tColour { RED, GREEN }
event eGo: (who: machine, colour: tColour, pair: tPair);
event eStop;
event eTwo: (int, tPair);
eventset sBoth = { eGo, eStop };
param nNodes: int;
interface Face (tPair) receives eStop;
machine Other { start state Init { entry (first: tPair) { } } }
spec Safe observes eGo { start state S { } }
scenario Seen observes eGo { start state S { } cold state T { } }
fun help(pair: tPair, colour: tColour): tPair { return pair; }
module mAll = { Other };
";

fn labels(items: &[Completion]) -> String {
    let mut lines: Vec<(u8, Vec<String>)> = Vec::new();
    for item in items {
        if lines.last().is_none_or(|(rank, _)| *rank != item.rank) {
            lines.push((item.rank, Vec::new()));
        }
        let label = if item.kind == CompletionKind::Snippet { format!("<{}>", item.label) } else { item.label.clone() };
        lines.last_mut().expect("one was added").1.push(label);
    }
    let shown: Vec<String> = lines.iter().map(|(_, labels)| labels.join(" ")).collect();
    shown.join("\n")
}

/// The labels in order, those of one rank on a line; snippets in `<` and `>`.
fn check(source: &str, expected: &Expect) {
    check_in(&Fixture::new(&format!("{DECLARATIONS}{source}")), expected);
}

fn check_in(fixture: &Fixture, expected: &Expect) {
    let found = completions(&fixture.db, fixture.here(), fixture.offset);
    expected.assert_eq(&labels(&found.items));
}

/// In the entry of a machine with variables, functions and states.
fn check_code(code: &str, expected: &Expect) {
    let source = format!(
        "machine M {{\n  var count: int;\n  var pairs: seq[tPair];\n  var table: map[string, tPair];\n  fun own(x: int): tPair {{ return pairs[x]; }}\n  start state S {{\n    entry (given: tPair) {{\n      var kind: event;\n      {code}\n    }}\n  }}\n  state T {{ }}\n}}\n"
    );
    check(&source, expected);
}

#[test]
fn states_after_goto() {
    check_code("goto $0", &expect!["S T"]);
    check_code("goto T$0;", &expect!["S T"]);
    check_code("if (count > 0) { goto $0 }", &expect!["S T"]);
    check("machine M { start state S { on eStop goto $0 } state T { } }", &expect!["S T"]);
    check("machine M { start state S { on eStop goto $0", &expect!["S"]);
    check("machine M { state T { } start state S { entry { send this, eGo, (1; goto $0", &expect!["S T"]);
    check("machine M {\n start state S { entry { x = (1 + ; goto $0 } }\n state T { entry { } }\n}", &expect!["S T"]);
}

#[test]
fn events_to_emit() {
    for code in ["send this, $0", "send pairs[0].low, e$0;", "raise $0", "announce e$0"] {
        check_code(
            code,
            &expect![[r#"
                eGo eStop eTwo
                kind
                halt"#]],
        );
    }
}

#[test]
fn events_to_handle_and_to_list() {
    check(
        "machine M { start state S { on $0",
        &expect![[r#"
        eGo eStop eTwo
        halt null"#]],
    );
    check(
        "machine M { start state S { on eGo, $0 do { } } }",
        &expect![[r#"
        eGo eStop eTwo
        halt null"#]],
    );
    check(
        "machine M { start state S { defer $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "machine M { start state S { ignore eGo, $0; } }",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check_code(
        "receive { case $0",
        &expect![[r#"
        eGo eStop eTwo
        halt null"#]],
    );
    check(
        "machine M receives $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "machine M receives eGo; sends eGo, $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "spec Q observes $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "spec Q observes eStop {\n  start state S { on $0 }\n}",
        &expect![[r#"
        eStop
        eGo eTwo
        halt null"#]],
    );
    check(
        "eventset s = { $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "eventset s = { eGo, $0 };",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "interface I () receives $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
}

#[test]
fn machines_after_new() {
    check_code("new $0", &expect!["Face M Other"]);
    check_code("given = new O$0();", &expect!["Face M Other"]);
    check("fun f(): machine creates $0", &expect!["Face Other"]);
}

#[test]
fn fields() {
    check_code("count = given.$0;", &expect!["high low"]);
    check_code("count = given.high.$0", &expect!["left right"]);
    check_code("count = given.high.le$0;", &expect!["left right"]);
    check_code("count = pairs[0].$0", &expect!["high low"]);
    check_code("count = pairs[sizeof(pairs) - (1)].high.$0", &expect!["left right"]);
    check_code("count = help(given, RED).$0", &expect!["high low"]);
    check_code("count = own(1).high.$0", &expect!["left right"]);
    check_code("count = table[\"a\"].$0", &expect!["high low"]);
    check_code("count = values(table)[0].$0", &expect!["high low"]);
    check_code("count = choose(pairs).$0", &expect!["high low"]);
    check_code("count = (given).$0", &expect!["high low"]);
    check_code("count = (given as (a: int, b: int)).$0", &expect!["a b"]);
    check_code("given.$0 = 1;", &expect!["high low"]);
    check("fun f(t: (int, tPair)) { assert t.$0", &expect!["0 1"]);
    check("fun f(t: (int, tPair)) { assert t.1.$0", &expect!["high low"]);
    check_code(
        "receive { case eGo: (v: (who: machine, colour: tColour, pair: tPair)) { assert v.pair.$0 } }",
        &expect!["high low"],
    );
    check_code("count = count.$0", &expect![[""]]);
    check_code("count = 1.$0", &expect![[""]]);
    check_code("count = unknown.$0", &expect![[""]]);
}

#[test]
fn types() {
    for source in [
        "event e: $0",
        "event e: seq[$0",
        "event e: map[int, t$0]",
        "event e: (int, $0",
        "event e: (a: $0",
        "type t = $0",
        "type t = ($0",
        "param p: $0",
        "fun f(a: $0",
        "fun f(): $0",
        "interface I ($0",
    ] {
        check(
            source,
            &expect![[r#"
                any bool data event float int machine <map> <seq> <set> string
                tColour tPair
                Face Other sBoth"#]],
        );
    }
}

#[test]
fn types_in_machines() {
    for code in ["var x: seq[$0", "count = default($0", "count = x as $0", "count = x to $0;", "receive { case eGo: (x: $0"] {
        check_code(
            code,
            &expect![[r#"
                any bool data event float int machine <map> <seq> <set> string
                tColour tPair
                Face M Other sBoth"#]],
        );
    }
    for source in ["machine M { var x: $0", "machine M { start state S { entry (x: $0"] {
        check(
            source,
            &expect![[r#"
                any bool data event float int machine <map> <seq> <set> string
                tColour tPair
                Face M Other sBoth"#]],
        );
    }
}

#[test]
fn new_names_are_not_offered() {
    for source in [
        "event $0",
        "machine $0",
        "spec $0",
        "fun $0",
        "type $0",
        "enum $0",
        "enum E { $0",
        "enum E { A, $0",
        "module $0",
        "event e: (a: int, $0",
        "fun f($0",
        "fun f(a: int, $0",
        "param $0",
        "interface $0",
        "eventset $0",
        "implementation $0",
        "machine M { var $0",
        "machine M { var a, $0",
        "machine M { state $0",
        "machine M { fun $0",
        "machine M { start state S { on eGo do ($0",
        "machine M { start state S { entry { var $0",
        "fun f() { receive { case eGo: $0",
    ] {
        check(source, &expect![[""]]);
    }
}

#[test]
fn modules_and_tests() {
    check(
        "module m = $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
    check("module m = { $0", &expect!["Face Other"]);
    check("module m = { Other, $0 };", &expect!["Face Other"]);
    check(
        "module m = { Other -> $0",
        &expect![[r#"
        Face
        Other"#]],
    );
    check(
        "module m = union $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
    check(
        "module m = union mAll, $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
    check(
        "module m = (compose { Other }, $0);",
        &expect![[r#"
        m mAll
        assert compose hidee hidei main rename union"#]],
    );
    check(
        "module m = hidee $0",
        &expect![[r#"
        eGo eStop eTwo
        halt"#]],
    );
    check(
        "module m = hidei $0",
        &expect![[r#"
        Face
        Other"#]],
    );
    check(
        "module m = rename Face to $0",
        &expect![[r#"
        Face
        Other"#]],
    );
    check("module m = assert $0", &expect!["Safe"]);
    check("module m = assert Safe $0", &expect!["in"]);
    check("test t [main = $0", &expect!["Face Other"]);
    check("test t [$0", &expect!["main"]);
    check(
        "test t [main = Other]: $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
    check("test t [main = Other]: assert $0", &expect!["Safe"]);
    check("test t [main = Other]: assert Safe, $0 in mAll;", &expect!["Safe"]);
    check(
        "test t [main = Other]: assert Safe in $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
    check("test t [main = Other]: assert Safe in (union mAll, { $0", &expect!["Face Other"]);
    check("test param ($0", &expect!["nNodes"]);
    check("test param (nNodes $0", &expect!["in"]);
    check("test param (nNodes in [$0", &expect!["false true"]);
    check(
        "test param (nNodes in [1, 2]) assume $0",
        &expect![[r#"
        help nNodes
        GREEN RED eGo eStop eTwo
        choose default false format halt keys new null sizeof this true values"#]],
    );
    check("implementation i [main = $0", &expect!["Face Other"]);
    check(
        "implementation i [main = Other]: $0",
        &expect![[r#"
        mAll
        assert compose hidee hidei main rename union"#]],
    );
}

#[test]
fn keys_of_a_tuple() {
    check_code(
        "send this, eGo, ($0",
        &expect![[r#"
            colour count given kind pair pairs table who
            help nNodes own
            GREEN RED eGo eStop eTwo
            choose default false format halt keys new null sizeof this true values"#]],
    );
    check_code("send this, eGo, (who = this, $0", &expect!["colour pair"]);
    check_code("send this, eGo, (who = this, co$0", &expect!["colour pair"]);
    check_code(
        "send this, eGo, (who = this, colour = RED, pair = ($0",
        &expect![[r#"
            count given high kind low pairs table
            help nNodes own
            GREEN RED eGo eStop eTwo
            choose default false format halt keys new null sizeof this true values"#]],
    );
    check_code("send this, eGo, (who = this, pair = (low = 1, high = (left = true, $0))", &expect!["right"]);
    check_code("raise eGo, (colour = RED, $0);", &expect!["pair who"]);
    check_code("announce eTwo, (1, (low = 1, $0", &expect!["high"]);
    check_code("new Other((low = 1, $0));", &expect!["high"]);
    check_code("new Face((low = 1, $0));", &expect!["high"]);
    check_code("goto S, (low = 1, $0", &expect!["high"]);
    check_code("given = (low = 1, $0", &expect!["high"]);
    check_code("given.high = (left = true, $0", &expect!["right"]);
    check_code("pairs += (0, (low = 1, $0", &expect!["high"]);
    check_code("table[\"a\"] = (low = 1, $0", &expect!["high"]);
    check_code("help((low = 1, $0", &expect!["high"]);
    check("fun f(): tPair { return (low = 1, $0 }", &expect!["high"]);
    check_code("unknown = (low = 1, $0", &expect![[""]]);
}

#[test]
fn the_value_of_a_key() {
    check_code(
        "send this, eGo, (who = this, colour = $0",
        &expect![[r#"
            GREEN RED count given kind pairs table
            help nNodes own
            eGo eStop eTwo
            choose default false format halt keys new null sizeof this true values"#]],
    );
}

#[test]
fn values() {
    for code in ["count = $0;", "if ($0", "foreach (x in $0", "count = pairs[$0", "return $0", "assert co$0", "count = 1 + $0;"] {
        check_code(
            code,
            &expect![[r#"
                count given kind pairs table
                help nNodes own
                GREEN RED eGo eStop eTwo
                choose default false format halt keys new null sizeof this true values"#]],
        );
    }
    check_code("foreach (x $0", &expect!["in"]);
    check_code("count = count $0", &expect!["as in to"]);
    check(
        "fun f(a: int) { var b: bool; receive { case eStop: { var c: int; a = $0; } } }",
        &expect![[r#"
            a b c
            f help nNodes
            GREEN RED eGo eStop eTwo
            choose default false format halt keys new null sizeof this true values"#]],
    );
    check(
        "fun f(a: int) { receive { case eStop: { var c: int; a = 1; } } a = $0; }",
        &expect![[r#"
            a
            f help nNodes
            GREEN RED eGo eStop eTwo
            choose default false format halt keys new null sizeof this true values"#]],
    );
}

#[test]
fn the_start_of_declarations() {
    check(
        "$0",
        &expect![[r#"
        <enum> <event> <fun> <machine> <module> <spec> <test> <type>
        eventset implementation interface param scenario"#]],
    );
    check(
        "mach$0",
        &expect![[r#"
        <enum> <event> <fun> <machine> <module> <spec> <test> <type>
        eventset implementation interface param scenario"#]],
    );
    check(
        "machine M { $0",
        &expect![[r#"
        <fun> <start state> <state> <var>
        cold hot start"#]],
    );
    check("machine M { start $0", &expect!["cold hot state"]);
    check("machine M { hot $0", &expect!["state"]);
    check("machine M $0", &expect!["receives sends"]);
    check("spec P $0", &expect!["observes"]);
    check("interface I (int) $0", &expect!["receives"]);
}

#[test]
fn the_start_of_statements() {
    check_code(
        "$0",
        &expect![[r#"
            count given kind pairs table
            help nNodes own
            GREEN RED eGo eStop eTwo
            announce assert break choose continue default false <foreach> format goto halt <if> keys new null print raise <receive> return <send> sizeof this true values var <while>"#]],
    );
    check_code(
        "count = 1;\n      $0",
        &expect![[r#"
            count given kind pairs table
            help nNodes own
            GREEN RED eGo eStop eTwo
            announce assert break choose continue default false <foreach> format goto halt <if> keys new null print raise <receive> return <send> sizeof this true values <while>"#]],
    );
    check_code(
        "if (count > 0) $0",
        &expect![[r#"
            count given kind pairs table
            help nNodes own
            GREEN RED eGo eStop eTwo
            announce assert break choose continue default false <foreach> format goto halt <if> keys new null print raise <receive> return <send> sizeof this true values <while>"#]],
    );
    check_code(
        "if (count > 0) { } else $0",
        &expect![[r#"
            count given kind pairs table
            help nNodes own
            GREEN RED eGo eStop eTwo
            announce assert break choose continue default false <foreach> format goto halt <if> keys new null print raise <receive> return <send> sizeof this true values <while>"#]],
    );
    check_code("own(1) $0", &expect!["as in to"]);
}

#[test]
fn states_and_their_handlers() {
    check(
        "machine M { start state S { $0 } state T { on eGo do { } defer eStop; } }",
        &expect![[r#"
        <entry> <on do> <on eGo> <on eStop> <on goto>
        <exit>
        defer ignore on"#]],
    );
    check(
        "spec P observes eGo, eStop { start state S { on eGo do { } $0 } }",
        &expect![[r#"
        <entry> <on do> <on eStop> <on goto>
        <exit>
        ignore on"#]],
    );
    check("machine M { start state S { on eGo $0", &expect!["do goto"]);
    check("machine M { start state S { on eGo goto S $0", &expect!["with"]);
    check("machine M { fun handle() { } start state S { on eGo do $0", &expect!["handle"]);
    check("machine M { fun handle() { } start state S { entry $0; } }", &expect!["handle"]);
    check_code("receive { $0", &expect!["<case>"]);
}

#[test]
fn a_missing_handler_takes_the_payload() {
    let fixture =
        Fixture::new(&format!("{DECLARATIONS}machine M {{ start state S {{ $0 }} state T {{ on eGo do {{ }} defer eStop; }} }}"));
    let found = completions(&fixture.db, fixture.here(), fixture.offset);
    let inserts: Vec<&str> =
        found.items.iter().filter(|item| item.label.starts_with("on e")).map(|item| item.insert.as_str()).collect();
    expect![[r#"
        on eGo do (${1:payload}: (who: machine, colour: tColour, pair: tPair)) {
        	$0
        }
        on eStop do {
        	$0
        }"#]]
    .assert_eq(&inserts.join("\n"));
}

#[test]
fn nothing_in_comments_and_strings() {
    check_code("// send $0", &expect![[""]]);
    check_code("/* goto $0 */", &expect![[""]]);
    check_code("print \"goto $0\";", &expect![[""]]);
}

#[test]
fn the_word_at_the_cursor_is_replaced() {
    let fixture = Fixture::new("event eStop;\nfun f() { raise eS$0to; }");
    let found = completions(&fixture.db, fixture.here(), fixture.offset);
    assert_eq!(fixture.file.parse(&fixture.db).text().slice(found.replace), "eSto");
}

#[test]
fn proofs() {
    let check = |source: &str, expected: &Expect| {
        let source = format!(
            "event eVote: (voter: Node);\nmachine Node {{ var leads: bool; start state S {{ }} }}\nspec Watch observes eVote {{ var count: int; start state S {{ }} }}\nLemma safe_one {{ invariant one: true; }}\ninvariant two: true;\n{source}"
        );
        check_in(&Fixture::verifying(&source), expected);
    };
    check("invariant three: forall (n: Node) :: n.$0", &expect!["leads"]);
    check("invariant three: forall (e: eVote) :: e.voter.$0", &expect!["leads"]);
    check("invariant three: Watch.$0", &expect!["count"]);
    check(
        "invariant three: $0",
        &expect![[r#"
        Watch eVote
        choose default exists false forall format halt inflight keys new null sent sizeof this true values"#]],
    );
    check(
        "Proof { prove $0",
        &expect![[r#"
        safe_one two
        safe_one_one
        default"#]],
    );
    check("Proof { prove two $0", &expect!["except using"]);
    check("Proof { $0", &expect!["prove"]);
    check("Lemma l { $0", &expect!["invariant"]);
    check("pure p(n: Node): bool = n.$0", &expect!["leads"]);
}

#[test]
fn broken_text_around() {
    check(
        "machine Broken { start state S { entry { x = (1 + ; } }\nmachine M {\n  var pair: tPair;\n  start state S { entry { pair.$0 } }\n}\nmachine Open { state",
        &expect!["high low"],
    );
    check("fun f(a: tPair) { var b: tPair; if (a.low > { a.$0", &expect!["high low"]);
}
