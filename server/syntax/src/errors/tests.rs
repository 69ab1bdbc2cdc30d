//! One mistake each, and what a person reads about it.

use expect_test::{Expect, expect};
use lockstep_base::Encoding;

use crate::{Language, Parse};

/// Renders each error under the line it is on.
#[allow(clippy::needless_pass_by_value)]
fn check(language: Language, text: &str, expected: Expect) {
    let parse = Parse::new(language, text);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = String::new();
    for error in parse.errors() {
        let start = parse.text().position(error.range.start(), Encoding::Utf32);
        let line = lines.get(start.line as usize).copied().unwrap_or("");
        let caret = "^".repeat(usize::from(error.range.len()).max(1));
        let blank = " ".repeat(start.column as usize);
        shown += &format!("| {line}\n| {blank}{caret} {}\n", error.message);
        for related in &error.related {
            shown += &format!("line {}: {}\n", parse.text().line_of(related.range.start()) + 1, related.message);
        }
        if let Some(help) = &error.help {
            shown += &format!("help: {help}\n");
        }
    }
    expected.assert_eq(&shown);
}

fn check_p(text: &str, expected: Expect) {
    check(Language::P, text, expected);
}

#[test]
fn a_missing_semicolon_belongs_to_the_line_it_ends() {
    check_p(
        "fun f() {\n  x = 1\n  y = 2;\n}",
        expect![[r#"
            |   x = 1
            |        ^ expected `;` after `1`
        "#]],
    );
}

#[test]
fn a_missing_closing_parenthesis() {
    check_p(
        "fun f() {\n  if (a == b {\n    g();\n  }\n}",
        expect![[r#"
            |   if (a == b {
            |             ^ expected `)` after `b`
            line 2: to close this `(`
        "#]],
    );
}

#[test]
fn a_missing_operand_is_an_expression() {
    check_p(
        "fun f() { x = 1 + ; }",
        expect![[r#"
            | fun f() { x = 1 + ; }
            |                  ^ expected an expression after `+`
        "#]],
    );
}

#[test]
fn a_string_without_its_opening_quote_is_one_mistake() {
    check_p(
        "fun f(x: int) {\n  assert x > 0, too small a number\";\n  assert x < 9, \"too large\";\n  print \"in between\";\n}",
        expect![[r#"
            |   assert x > 0, too small a number";
            |                                   ^ this string does not end
            help: if it is the end of a string, write the `"` that opens it
        "#]],
    );
}

#[test]
fn a_missing_operator() {
    check_p(
        "fun f() { x = a b; }",
        expect![[r#"
            | fun f() { x = a b; }
            |                 ^ unexpected `b`, expected `;`
        "#]],
    );
}

#[test]
fn a_word_forgotten_at_the_start_of_a_line_is_missed_there() {
    check_p(
        "machine M {\n  start state S {\n    eGo do Run;\n  }\n}",
        expect![[r#"
            |     eGo do Run;
            |     ^ expected `on` before `eGo`
        "#]],
    );
}

#[test]
fn a_missing_closing_brace_is_found_by_indentation() {
    check_p(
        "machine M {\n  start state S {\n    entry {\n      x = 1;\n  }\n\n  fun f() {\n    x = 2;\n  }\n}\n\nfun g() {\n}\n",
        expect![[r#"
            |       x = 1;
            |             ^ expected `}` after `;`
            line 3: to close this `{`
        "#]],
    );
}

#[test]
fn a_closing_brace_too_many_is_found_by_indentation() {
    check_p(
        "machine M {\n  start state S {\n    entry {\n      x = 1;\n    } }\n  }\n\n  fun f() {\n    x = 2;\n  }\n}\n",
        expect![[r#"
            |     } }
            |       ^ unexpected `}`, expected `entry`, `exit`, `defer`, `ignore` or `on`
        "#]],
    );
}

#[test]
fn a_token_written_twice() {
    check_p(
        "event eGo: : int;",
        expect![[r#"
            | event eGo: : int;
            |            ^ unexpected `:`, expected a type
        "#]],
    );
}

#[test]
fn two_tokens_that_changed_places() {
    check_p(
        "fun f() { send m eGo ,; }",
        expect![[r#"
            | fun f() { send m eGo ,; }
            |                  ^^^ unexpected `eGo`, expected `,`
            help: this and the next word seem to have changed places
        "#]],
    );
}

#[test]
fn a_keyword_is_not_a_name() {
    check_p(
        "machine M { var state: int; }",
        expect![[r#"
            | machine M { var state: int; }
            |                 ^^^^^ `state` is a keyword and cannot be used as a name
        "#]],
    );
}

#[test]
fn a_word_of_the_proof_language_is_not_a_name_either() {
    check_p(
        "machine M { var exists: bool; }",
        expect![[r#"
            | machine M { var exists: bool; }
            |                 ^^^^^^ `exists` is a reserved word of P and cannot be used as a name
            help: P 3 reserves the words of its proof language everywhere: rename it here and wherever it is used
        "#]],
    );
}

#[test]
fn a_variable_has_no_initial_value() {
    check_p(
        "fun f() {\n  var x: int = 1;\n}",
        expect![[r#"
            |   var x: int = 1;
            |              ^ expected `;` after `int`
            help: a variable has no initial value: declare it with `var name: type;` and assign it in a statement of its own
        "#]],
    );
}

#[test]
fn variables_come_before_statements() {
    check_p(
        "fun f() {\n  g();\n  var x: int;\n  x = 1;\n}",
        expect![[r#"
            |   var x: int;
            |   ^^^ unexpected `var`, expected `}` or a statement
            help: variables are declared at the start of a function or handler, before its statements
        "#]],
    );
}

#[test]
fn adding_to_a_collection_needs_parentheses() {
    check_p(
        "fun f() {\n  s += 1;\n}",
        expect![[r#"
            |   s += 1;
            |        ^ expected `(` after `+=`
            help: write `+= (value)` to add to a set, `+= (index, value)` to a sequence or a map, and `x = x + 1` for numbers
        "#]],
    );
}

#[test]
fn a_named_tuple_of_one_field_needs_a_comma() {
    check_p(
        "fun f() {\n  x = (a = 1);\n}",
        expect![[r#"
            |   x = (a = 1);
            |             ^ expected `,` after `1`
            help: a named tuple of one field ends in a comma: `(field = value,)`
        "#]],
    );
}

#[test]
fn no_semicolon_after_a_block() {
    check_p(
        "machine M {\n  start state S {\n    entry { };\n  }\n}",
        expect![[r#"
            |     entry { };
            |              ^ unexpected `;`, expected `}`, `entry`, `exit`, `defer`, `ignore` or `on`
            help: no `;` stands after a closing brace
        "#]],
    );
}

#[test]
fn an_idle_event_cannot_be_deferred() {
    check_p(
        "machine M { start state S { defer null; } }",
        expect![[r#"
            | machine M { start state S { defer null; } }
            |                                   ^^^^ expected a name, found `null`
        "#]],
    );
}

#[test]
fn characters_that_belong_nowhere() {
    check_p(
        "event eGo@;\nevent eStop\u{a0};",
        expect![[r#"
            | event eGo@;
            |          ^ unexpected character `@`
            | event eStop ;
            |            ^^ unexpected character U+00A0
        "#]],
    );
}

#[test]
fn a_string_that_is_not_closed() {
    check_p(
        "fun f() {\n  print \"hello;\n  x = 1;\n}\nfun g() {\n  print \"bye\";\n}",
        expect![[r#"
            |   print "hello;
            |         ^ this string does not end
            help: close it with `"`
        "#]],
    );
}

#[test]
fn a_comment_that_is_not_closed() {
    check_p(
        "event eGo; /* and so on\nevent eStop;",
        expect![[r#"
            | event eGo; /* and so on
            |            ^^ this comment does not end
            help: close it with `*/`
        "#]],
    );
}

#[test]
fn the_text_ends_too_early() {
    check_p(
        "machine M {\n  start state S {\n    entry {\n",
        expect![[r#"
            |     entry {
            |            ^ unexpected end of the text, expected `}`, a statement or `var`
            line 3: to close this `{`
        "#]],
    );
}

#[test]
fn independent_mistakes_are_all_reported() {
    check_p(
        "event eGo\nevent eStop;\nfun f() {\n  x = ;\n  y = 2;\n  z 3;\n}\nmachine { }",
        expect![[r#"
            | event eGo
            |          ^ expected `;` after `eGo`
            |   x = ;
            |      ^ expected an expression after `=`
            |   z 3;
            |    ^ expected `=` after `z`
            | machine { }
            |        ^ expected a name after `machine`
        "#]],
    );
}

#[test]
fn a_statement_nobody_can_read_is_one_mistake() {
    check_p(
        "fun f() {\n  x = 1;\n  for (int i = 0; i < 3; i++) { g(); }\n  y = 2;\n}",
        expect![[r#"
            |   for (int i = 0; i < 3; i++) { g(); }
            |        ^^^ unexpected `int`, expected an expression or `)`
            help: a variable is declared as `var name: type;`, before the statements
        "#]],
    );
}

#[test]
fn other_languages_habits() {
    check_p(
        "fun f() {\n  x++;\n  int y = 3;\n  if x > 1 { g(); }\n  return x ? 1 : 2;\n}",
        expect![[r#"
            |   x++;
            |    ^ unexpected `+`, expected `(`, `=`, `+=`, `-=`, `.` or `[`
            help: there is no `++`: write `x = x + 1;`
        "#]],
    );
}

/// One statement among right ones, inside a handler.
fn check_statement(statement: &str, expected: Expect) {
    check_p(
        &format!(
            "machine M {{\n  start state S {{\n    entry {{\n      x = 1;\n      {statement}\n      y = 2;\n    }}\n  }}\n}}"
        ),
        expected,
    );
}

#[test]
fn what_other_languages_write() {
    check_statement(
        "x++;",
        expect![[r#"
        |       x++;
        |        ^ unexpected `+`, expected `(`, `=`, `+=`, `-=`, `.` or `[`
        help: there is no `++`: write `x = x + 1;`
    "#]],
    );
    check_statement(
        "int z = 3;",
        expect![[r#"
        |       int z = 3;
        |       ^^^ expected a statement, found `int`
        help: a variable is declared as `var name: type;`, before the statements
    "#]],
    );
    check_statement(
        "if (x = 1) { }",
        expect![[r#"
        |       if (x = 1) { }
        |             ^ expected an operator, found `=`
        help: `==` compares, `=` assigns
    "#]],
    );
    check_statement(
        "for (i in s) { }",
        expect![[r#"
        |       for (i in s) { }
        |                   ^ expected `;` after `)`
        help: loops are written `while (condition)` and `foreach (x in xs)`
    "#]],
    );
    check_statement(
        "print \"x = {0}\", x;",
        expect![[r#"
        |       print "x = {0}", x;
        |                      ^ expected an operator, found `,`
        help: text with values in it is written `format("{0}", value)`
    "#]],
    );
    check_statement(
        "send q, e, (a: 1);",
        expect![[r#"
        |       send q, e, (a: 1);
        |                    ^ expected `,`, found `:`
        help: values of fields are written `(a = 1, b = 2)`
    "#]],
    );
    check_statement(
        "z = b and c;",
        expect![[r#"
        |       z = b and c;
        |             ^^^ expected an operator, found `and`
        help: write `&&`
    "#]],
    );
    check_statement(
        "z = 'hello';",
        expect![[r#"
        |       z = 'hello';
        |           ^^^^^^^ strings are written between `"`
    "#]],
    );
    check_statement(
        "x := 3;",
        expect![[r#"
        |       x := 3;
        |         ^ unexpected `:`, expected `(`, `=`, `+=`, `-=`, `.` or `[`
        help: assign with `=`
    "#]],
    );
}

#[test]
fn words_that_are_almost_keywords() {
    check_statement(
        "retrun;",
        expect![[r#"
        |       retrun;
        |       ^^^^^^ expected a statement, found `retrun`
        help: did you mean `return`?
    "#]],
    );
    check_statement(
        "sned q, eA, 1;",
        expect![[r#"
        |       sned q, eA, 1;
        |       ^^^^ unexpected `sned`, expected `}` or a statement
        help: did you mean `send`?
    "#]],
    );
    check_statement(
        "While (b) { }",
        expect![[r#"
        |       While (b) { }
        |                ^ expected `;` after `)`
        help: did you mean `while`?
    "#]],
    );
}

#[test]
fn a_keyword_that_fits_is_not_the_mistake() {
    check_statement(
        "q = new M;",
        expect![[r#"
        |       q = new M;
        |                ^ expected `(` after `M`
    "#]],
    );
    check_statement(
        "x = choose 3;",
        expect![[r#"
        |       x = choose 3;
        |                  ^ expected `(` after `choose`
    "#]],
    );
    check_statement(
        "send m;",
        expect![[r#"
        |       send m;
        |             ^ unexpected `;`, expected `,`
    "#]],
    );
    check_statement(
        "x = y.;",
        expect![[r#"
        |       x = y.;
        |             ^ expected a name after `.`
    "#]],
    );
    check_statement(
        "x = s[1;",
        expect![[r#"
        |       x = s[1;
        |              ^ expected `]` after `1`
        line 5: to close this `[`
    "#]],
    );
}

#[test]
fn what_stands_in_the_wrong_place() {
    check_p(
        "machine M(id: int) {\n  start state S { }\n}",
        expect![[r#"
        | machine M(id: int) {
        |          ^ unexpected `(`, expected `{`, `receives` or `sends`
        help: a machine has no parameters of its own: the `entry` of its start state takes them
    "#]],
    );
    check_p(
        "machine M {\n  start state S {\n    var n: int;\n    fun f() { }\n    on e do f();\n    exit (x: int) { }\n  }\n}",
        expect![[r#"
        |     var n: int;
        |     ^^^ unexpected `var`, expected `}`, `entry`, `exit`, `defer`, `ignore` or `on`
        help: variables and functions belong to the machine, not to a state
        |     fun f() { }
        |     ^^^ unexpected `fun`, expected `}`, `entry`, `exit`, `defer`, `ignore` or `on`
        help: variables and functions belong to the machine, not to a state
        |     on e do f();
        |              ^ expected `;` after `f`
        help: a handler is named without parentheses, or written as a block: `{ f(); }`
        |     exit (x: int) { }
        |          ^ unexpected `(`, expected `{` or a name
        help: `exit` takes no parameter
    "#]],
    );
}

#[test]
fn a_string_over_two_lines_is_no_mistake() {
    check_p(
        "fun f() {\n  print \"two\nlines\";\n  x = 1\n}",
        expect![[r#"
        |   x = 1
        |        ^ expected `;` after `1`
    "#]],
    );
}

#[test]
fn mistakes_in_tests_and_modules() {
    check_p(
        "test t main=M: { A, B };\nmodule A = union B;",
        expect![[r#"
            | test t main=M: { A, B };
            |       ^ expected `[` after `t`
            | test t main=M: { A, B };
            |              ^ expected `]` after `M`
            | module A = union B;
            |                   ^ unexpected `;`, expected `,`
            | module A = union B;
            |                    ^ expected `,` after `B`
        "#]],
    );
}

#[test]
fn mistakes_in_proofs() {
    check_p(
        "invariant a forall (m: machine) :: m is M;\nProof { prove a using; }",
        expect![[r#"
            | invariant a forall (m: machine) :: m is M;
            |            ^ expected `:` after `a`
            | Proof { prove a using; }
            |                      ^ expected an expression after `using`
        "#]],
    );
}

#[test]
fn mistakes_in_icet() {
    check(
        Language::Icet,
        "set Nodes\nmessage Ping(pid);\nprocess c {\n  var n: int\n  send Ping(c) Nodes;\n  recv Ping(n) fro any;\n  for in Nodes { skip; }\n}",
        expect![[r#"
            | set Nodes
            |          ^ expected `;` after `Nodes`
            |   var n: int
            |             ^ expected `;` after `int`
            |   send Ping(c) Nodes;
            |               ^ expected `to` after `)`
            |   recv Ping(n) fro any;
            |                ^^^ expected `from` after `)`
            help: did you mean `from`?
            |   for in Nodes { skip; }
            |      ^ expected a name after `for`
        "#]],
    );
}
