//! What could be written at the cursor.

use expect_test::{Expect, expect};

use super::at_cursor;
use crate::CompletionKind;
use crate::icet::completions;

const DECLARATIONS: &str = "\
set Nodes;
type Load = (free: int, used: (low: int, high: int));
enum Reply { Busy, Ready(load: Load) }
message Ask(who: pid);
message Stop;
const limit: int;
ghost var seen: set[Nodes];
process other { var mine: int; var table: map[int, Load]; }
process node in Nodes { var asked: int; var peer: Nodes; }
";

/// The labels in order, those of one rank on a line; snippets of the language only by their number.
fn check(source: &str, expected: &Expect) {
    let (parse, offset) = at_cursor(&format!("{DECLARATIONS}{source}"));
    let found = completions(&parse, offset);
    let mut lines: Vec<(u8, Vec<String>)> = Vec::new();
    for item in &found.items {
        if lines.last().is_none_or(|(rank, _)| *rank != item.rank) {
            lines.push((item.rank, Vec::new()));
        }
        let label = if item.kind == CompletionKind::Snippet { format!("<{}>", item.label) } else { item.label.clone() };
        lines.last_mut().expect("one was added").1.push(label);
    }
    let shown: Vec<String> = lines.iter().map(|(_, labels)| labels.join(" ")).collect();
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn messages_after_send_and_recv() {
    check("process p { send $0 }", &expect!["Ask Stop"]);
    check("process p { recv A$0", &expect!["Ask Stop"]);
    check("process p { recv { case $0", &expect!["Ask Stop"]);
    check("process p { recv { case Ask(_) from any: { skip; } case $0", &expect!["Ask Stop"]);
}

#[test]
fn the_rest_of_a_send() {
    check(
        "process p { var who: pid; var n: int; send Ask($0",
        &expect![[r#"
        n p who
        Busy Nodes Ready limit other seen
        card
        false true
        <exists> <forall> <set>"#]],
    );
    check("process p { send Stop $0", &expect!["to"]);
    check("process p { send Ask(p) $0", &expect!["to"]);
    check(
        "process p { var n: int; var who: pid; for m in Nodes { send Stop to $0",
        &expect![[r#"
            m other p who
            n
            Nodes limit seen"#]],
    );
}

#[test]
fn the_rest_of_a_recv() {
    check(
        "process p { var who: pid; ghost var g: int; for m in Nodes { recv Ask($0",
        &expect![[r#"
        g who
        seen"#]],
    );
    check("process p { recv Stop $0", &expect!["from"]);
    check(
        "process p { var n: int; recv Stop from $0",
        &expect![[r#"
            Nodes other p seen
            n
            limit
            any"#]],
    );
    check("process p { var who: pid; recv Stop from who $0", &expect!["in timeout"]);
    check(
        "process p { var who: pid; recv Stop from who in $0",
        &expect![[r#"
            Nodes seen
            p who
            limit other
            any"#]],
    );
    check("process p { var who: pid; recv { case Stop from who $0", &expect!["in"]);
}

#[test]
fn sets_for_loops() {
    check(
        "process p { for m in $0",
        &expect![[r#"
            Nodes seen
            p
            limit other"#]],
    );
    check(
        "process p { foreach m in N$0 { } }",
        &expect![[r#"
            Nodes seen
            p
            limit other"#]],
    );
    check("process p { for m $0", &expect!["in"]);
    check("process p { for m in Nodes $0", &expect!["done invariant"]);
    check("process p { for m in Nodes done D invariant true; $0", &expect!["invariant"]);
    check("process q in $0", &expect!["Nodes"]);
    check("process q $0", &expect!["in"]);
    check("set T subset $0", &expect!["Nodes"]);
    check("process p { for $0", &expect![[""]]);
    check("process p { for m in Nodes done D $0", &expect!["invariant"]);
    check("process p { repeat limit $0", &expect!["as invariant"]);
    check("process p { repeat limit as i $0", &expect!["invariant"]);
    check("process p { pick $0", &expect!["seen"]);
    check(
        "process p { var x: Nodes; pick x in $0",
        &expect![[r#"
            Nodes seen
            p x
            limit other"#]],
    );
}

#[test]
fn types_where_types_are() {
    check(
        "const x: $0",
        &expect![[r#"
        Load Nodes Reply other
        bool int pid
        <map> <set>"#]],
    );
    check(
        "process p { var x: $0 }",
        &expect![[r#"
        Load Nodes Reply other p
        bool int pid
        <map> <set>"#]],
    );
    check(
        "message M(a: int, b: $0",
        &expect![[r#"
        Load Nodes Reply other
        bool int pid
        <map> <set>"#]],
    );
    check(
        "type T = map[$0",
        &expect![[r#"
        Load Nodes Reply other
        bool int pid
        <map> <set>"#]],
    );
    check(
        "assume forall (x: $0",
        &expect![[r#"
        Load Nodes Reply other
        bool int pid
        <map> <set>"#]],
    );
    check("process p { var x$0", &expect![[""]]);
    check("assume forall ($0", &expect![[""]]);
}

#[test]
fn fields_after_a_dot() {
    check("assume other.$0", &expect!["mine table"]);
    check("invariant forall (n: Nodes) :: n.$0", &expect!["asked peer"]);
    check("invariant forall (n: Nodes) :: n.peer.peer.a$0 > 0;", &expect!["asked peer"]);
    check("invariant other.table[other.table[1].free].used.$0", &expect!["high low"]);
    check("process p { var l: Load; l.$0", &expect!["free used"]);
    check("process p { var l: Load; x = 1 + l.used.$0; }", &expect!["high low"]);
    check("sequential { for x in Nodes { if (true) { x.$0", &expect!["asked peer"]);
    check("assume limit.$0", &expect![[""]]);
    check("assume 1.$0", &expect![[""]]);
}

#[test]
fn elements_of_the_enum_that_is_matched() {
    check("enum Other { X, Y }\nprocess p { var r: Reply; match (r) { case $0", &expect!["Busy Ready"]);
    check("enum Other { X, Y }\nprocess p { match (unknown) { case $0", &expect!["Busy Ready X Y"]);
    check(
        "process p { var r: Reply; var l: Load; match (r) { case Ready($0",
        &expect![[r#"
        l r
        seen"#]],
    );
    check("process p { var r: Reply; match (r) { $0", &expect!["<case> <default>"]);
    check("process p { recv { $0", &expect!["<case> <timeout>"]);
}

#[test]
fn names_in_expressions() {
    check(
        "process p {\n  var x: int;\n  for m in Nodes done D invariant $0",
        &expect![[r#"
        D m p x
        Busy Nodes Ready limit other seen
        card finished here
        false true
        <exists> <forall> <set>"#]],
    );
    check(
        "process p { var x: int; for m in Nodes { } x = $0; }",
        &expect![[r#"
        p x
        Busy Nodes Ready limit other seen
        card
        false true
        <exists> <forall> <set>"#]],
    );
    check("process p { var x: int; x = x $0; }", &expect!["in subset"]);
    check(
        "process p { repeat limit as i { if ($0",
        &expect![[r#"
        i p
        Busy Nodes Ready limit other seen
        card
        false true
        <exists> <forall> <set>"#]],
    );
    check(
        "ensures forall (n: Nodes, m: Nodes) :: n.asked == $0",
        &expect![[r#"
        m n
        Busy Nodes Ready limit other seen
        card finished here
        false true
        <exists> <forall> <set>"#]],
    );
    check(
        "ensures (forall (n: Nodes) :: n.asked == 0) && $0",
        &expect![[r#"
        Busy Nodes Ready limit other seen
        card finished here
        false true
        <exists> <forall> <set>"#]],
    );
    check("process p { x $0", &expect![[""]]);
}

#[test]
fn statements_and_declarations() {
    check(
        "process p { var x: int; $0 }",
        &expect![[r#"
        x
        seen
        <assert> <assume> <atomic> <break> <choose> <fail> <for> <foreach> <ghost var> <havoc> <if> <if else> <invariant> <match> <pick> <recv> <recv case> <recv timeout> <repeat> <rounds> <send> <skip> <var> <while>"#]],
    );
    check(
        "process p { if (true) { } $0",
        &expect![[r#"
            seen
            <assert> <assume> <atomic> <break> <choose> <else> <else if> <fail> <for> <foreach> <havoc> <if> <if else> <invariant> <match> <pick> <recv> <recv case> <recv timeout> <repeat> <rounds> <send> <skip> <while>"#]],
    );
    check(
        "process p { skip; $0",
        &expect![[r#"
        seen
        <assert> <assume> <atomic> <break> <choose> <fail> <for> <foreach> <havoc> <if> <if else> <invariant> <match> <pick> <recv> <recv case> <recv timeout> <repeat> <rounds> <send> <skip> <while>"#]],
    );
    check(
        "process p { choose { } $0",
        &expect![[r#"
        seen
        <assert> <assume> <atomic> <break> <choose> <fail> <for> <foreach> <havoc> <if> <if else> <invariant> <match> <or> <pick> <recv> <recv case> <recv timeout> <repeat> <rounds> <send> <skip> <while>"#]],
    );
    check(
        "process p { choose { $0",
        &expect![[r#"
        seen
        <assert> <assume> <atomic> <break> <choose> <fail> <for> <foreach> <havoc> <if> <if else> <invariant> <match> <pick> <recv> <recv case> <recv timeout> <repeat> <rounds> <send> <skip> <while>"#]],
    );
    check(
        "sequential { for m in Nodes { $0",
        &expect![[r#"
        m other
        seen
        Nodes limit
        <assert> <assume> <atomic> <break> <choose> <fail> <for> <havoc> <if> <if else> <invariant> <match> <parallel> <pick> <repeat> <skip> <while>"#]],
    );
    check(
        "$0",
        &expect![
            "<assume> <const> <ensures> <enum> <ghost var> <invariant> <message> <process> <process in> <sequential> <set> <set subset> <type>"
        ],
    );
    check(
        "process p { x = \nmes$0",
        &expect![[r#"
            p
            Busy Nodes Ready limit other seen
            card
            false true
            <const> <ensures> <enum> <exists> <forall> <message> <process> <process in> <sequential> <set> <type>"#]],
    );
}

#[test]
fn nothing_in_comments_strings_and_numbers() {
    check("// send $0", &expect![[""]]);
    check("process p { fail \"send $0\"; }", &expect![[""]]);
    check("process p { x = 1$0", &expect![[""]]);
    check("process $0", &expect![[""]]);
}

#[test]
fn what_is_inserted() {
    let insert = |source: &str, label: &str| {
        let (parse, offset) = at_cursor(&format!("{DECLARATIONS}{source}"));
        let found = completions(&parse, offset);
        let item = found.items.into_iter().find(|item| item.label == label).expect("it is offered");
        (parse.text().slice(found.replace).into_owned(), item.insert, item.is_snippet, item.detail)
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(insert("process p { send A$0", "Ask"), ("A".into(), "Ask($1)$0".into(), true, some("Ask(who: pid)")));
    assert_eq!(insert("process p { send A$0x(p)", "Ask"), ("Ax".into(), "Ask".into(), false, some("Ask(who: pid)")));
    assert_eq!(insert("process p { send $0", "Stop"), (String::new(), "Stop".into(), false, some("Stop")));
    assert_eq!(insert("assume c$0", "card"), ("c".into(), "card($1)$0".into(), true, None));
    assert_eq!(insert("process p { var x: int; x = $0", "x").3, some("var x: int"));
}
