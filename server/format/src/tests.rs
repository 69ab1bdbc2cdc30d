//! The style, text in, text out.

use expect_test::{Expect, expect};
use lockstep_base::{Text, TextRange, TextSize};
use lockstep_syntax::{Language, Parse};

use crate::{Braces, Indent, Options, Width, format, format_on_type, format_range};

fn formatted(language: Language, text: &str, options: &Options) -> String {
    let parse = Parse::new(language, text);
    let mut text = Text::from(text);
    for edit in format(&parse, options, None).iter().rev() {
        text.edit(edit);
    }
    text.to_string()
}

fn check(text: &str, expected: Expect) {
    check_with(Language::P, text, &Options::default(), expected);
}

fn check_with(language: Language, text: &str, options: &Options, expected: Expect) {
    let once = formatted(language, text, options);
    expected.assert_eq(&once);
    assert_eq!(formatted(language, &once, options), once, "formatting twice differs");
}

/// So narrow that little fits.
fn narrow() -> Options {
    Options { width: Width::new(60), ..Options::default() }
}

#[test]
fn bodies_are_indented_and_braces_end_lines() {
    check(
        "machine M\n{\nvar x : int; var y:seq[ int ];\n\n\n\nstart   state S\n{ entry(n:int)\n{ x=n+1; goto T; } }\nstate T{}\n}",
        expect![[r#"
            machine M {
              var x: int;
              var y: seq[int];

              start state S {
                entry (n: int) {
                  x = n + 1;
                  goto T;
                }
              }
              state T { }
            }
        "#]],
    );
}

#[test]
fn one_simple_thing_stays_on_the_line_of_its_head() {
    check(
        "machine M { start state S { on e do{x = 1;}\non f goto T with { }\non g do { if (a) { b(); } }\non h do {\n  c(); } } state T {ignore e;} }",
        expect![[r#"
            machine M {
              start state S {
                on e do { x = 1; }
                on f goto T with { }
                on g do {
                  if (a) { b(); }
                }
                on h do {
                  c();
                }
              }
              state T { ignore e; }
            }
        "#]],
    );
}

#[test]
fn branches_without_braces_stay_without() {
    check(
        "fun f() { if(a) x = 1; else if (b)\nx = 2;\nelse\n{ x = 3; y = 4; }\nwhile(c)\ni = i + 1; foreach(d in e) g(d); }",
        expect![[r#"
            fun f() {
              if (a)
                x = 1;
              else if (b)
                x = 2;
              else {
                x = 3;
                y = 4;
              }
              while (c)
                i = i + 1;
              foreach (d in e) g(d);
            }
        "#]],
    );
}

#[test]
fn spaces_are_where_they_belong() {
    check(
        "type t=( a:int,b :map[ int , seq[any] ] ) ;\nfun f ( a:int ) :bool { x . y [ 1 ]= - a*( b-1 )+ sizeof ( c ) ; s+=( 0 , format (\"{0}\",!a&&b) ) ; return new M ( (a=1 , ) )==default ( machine ) ; }",
        expect![[r#"
            type t = (a: int, b: map[int, seq[any]]);
            fun f(a: int): bool {
              x.y[1] = -a * (b - 1) + sizeof(c);
              s += (0, format("{0}", !a && b));
              return new M((a = 1,)) == default(machine);
            }
        "#]],
    );
}

#[test]
fn what_is_sent_goes_to_the_next_line_and_then_into_lines() {
    check_with(
        Language::P,
        "fun f() { send target, eRequest, (first = 1, second = 2, third = 33333);
          send target, eRequest, (first = alpha, second = beta, third = gamma, fourth = delta, fifth = 5);
          send target, eRequest,
            (first = 1, second = 2);
          config = (one = 1,
                    two = 2); }",
        &narrow(),
        expect![[r#"
            fun f() {
              send target, eRequest,
                (first = 1, second = 2, third = 33333);
              send target, eRequest, (
                first = alpha,
                second = beta,
                third = gamma,
                fourth = delta,
                fifth = 5
              );
              send target, eRequest,
                (first = 1, second = 2);
              config = (
                one = 1,
                two = 2
              );
            }
        "#]],
    );
}

#[test]
fn long_calls_and_conditions_go_on_in_the_next_line() {
    check_with(
        Language::P,
        "fun f() { assert balance >= lowest, format(\"the balance {0} is below {1}\", balance, lowest);
          if (someCondition && anotherCondition && (third || fourth)) { Do(first, second); }
          value = Compute(alphabetical, betamorphous, gammaglobulin, delta);
          ignored = firstOperand + secondOperand + thirdOperand + four; }",
        &narrow(),
        expect![[r#"
            fun f() {
              assert balance >= lowest,
                format("the balance {0} is below {1}", balance, lowest);
              if (someCondition && anotherCondition
                  && (third || fourth)) {
                Do(first, second);
              }
              value = Compute(alphabetical, betamorphous, gammaglobulin,
                delta);
              ignored = firstOperand + secondOperand + thirdOperand +
                four;
            }
        "#]],
    );
}

#[test]
fn tests_and_modules_are_laid_out_as_in_the_tutorials() {
    check(
        "module Bank = {Server,Database -> Store};\nmodule All = (union {A}, B);
test tcOne [ main = Main ] : assert Safe, Live in (union Client, Bank, {Main});
test tcTwo [main=Main]:
      assert Safe, Live in
        (union Client, Bank, { Main });
test param (nClients in [1,2, 3], nServers in [1, 2]) assume (nClients + nServers < 5) (2 wise) tcManyClientsAndServers [main=Main]: assert Safe in (union Bank, { Main });
enum tStatus { SUCCESS, FAILURE }
enum tOther { ONE = 1,
TWO = 2 }
eventset Es={ a,b };",
        expect![[r#"
            module Bank = { Server, Database -> Store };
            module All = (union { A }, B);
            test tcOne [main=Main]: assert Safe, Live in (union Client, Bank, { Main });
            test tcTwo [main=Main]:
              assert Safe, Live in
              (union Client, Bank, { Main });
            test param (nClients in [1, 2, 3], nServers in [1, 2]) assume (nClients + nServers < 5) (2 wise)
              tcManyClientsAndServers [main=Main]:
              assert Safe in (union Bank, { Main });
            enum tStatus { SUCCESS, FAILURE }
            enum tOther {
              ONE = 1,
              TWO = 2
            }
            eventset Es = { a, b };
        "#]],
    );
}

#[test]
fn clauses_and_cases_have_lines_of_their_own() {
    check(
        "machine M receives a, b; sends c; { start state S { entry { receive { case a: (x: int) { y = x; } case b: { } } foreach (x in s) invariant forall (e: event)::inflight e ==> x > 0; { g(x); } } } }
pure f(a: int): int; fun g(a: int) return (b: int); requires a > 0; ensures b > a;
Lemma l { invariant i: a ==> b; } Proof { prove l using k; }",
        expect![[r#"
            machine M
              receives a, b;
              sends c;
            {
              start state S {
                entry {
                  receive {
                    case a: (x: int) { y = x; }
                    case b: { }
                  }
                  foreach (x in s)
                    invariant forall (e: event) :: inflight e ==> x > 0;
                  {
                    g(x);
                  }
                }
              }
            }
            pure f(a: int): int;
            fun g(a: int) return (b: int);
              requires a > 0;
              ensures b > a;
            Lemma l {
              invariant i: a ==> b;
            }
            Proof {
              prove l using k;
            }
        "#]],
    );
}

#[test]
fn comments_stay_in_their_places() {
    check(
        "/* about e */ event e;// behind e\n\n\n// about M\nmachine M { // behind the brace\nvar a: int;   // kept\nvar bb: int;  // in line\n      /* two\n         lines */\nstart state S { entry { x = f(a /* first */, /* second */ b); // end  \n  // own line\n  if (a) // why\n  { }\n  // before else\n  else { }\n  // last\n} } }\n// the end",
        expect![[r#"
            /* about e */ event e; // behind e

            // about M
            machine M { // behind the brace
              var a: int;   // kept
              var bb: int;  // in line
              /* two
                 lines */
              start state S {
                entry {
                  x = f(a /* first */, /* second */ b); // end
                  // own line
                  if (a) // why
                  { }
                  // before else
                  else { }
                  // last
                }
              }
            }
            // the end
        "#]],
    );
}

#[test]
fn icet_has_the_same_style() {
    check_with(
        Language::Icet,
        "set S;message M ( a:pid ,int );enum B{Yes,No}
process p in S{ var x:int=0; for q in S done D invariant k: x>=0; { send M(q,1) to q; }
 recv{ case M(a,_) from q in S:{ x=x+1; } timeout:{ skip; } } if(*){ } else { pick x in {1,2}; } }
ensures forall (p: S)::p.x==0 ==>p in {};",
        &Options::default(),
        expect![[r#"
            set S;
            message M(a: pid, int);
            enum B { Yes, No }
            process p in S {
              var x: int = 0;
              for q in S done D
                invariant k: x >= 0;
              {
                send M(q, 1) to q;
              }
              recv {
                case M(a, _) from q in S: { x = x + 1; }
                timeout: { skip; }
              }
              if (*) { } else { pick x in {1, 2}; }
            }
            ensures forall (p: S) :: p.x == 0 ==> p in {};
        "#]],
    );
}

#[test]
fn braces_can_have_lines_of_their_own() {
    let options = Options { indent: Some(Indent::Tab), braces: Some(Braces::NextLine), ..Options::default() };
    check_with(
        Language::P,
        "fun f() { if (a) { b(); c(); } else { d(); }\n while (e) { g(); } }\nfun h() { i(); }",
        &options,
        expect![[r#"
            fun f()
            {
            	if (a)
            	{
            		b();
            		c();
            	}
            	else
            	{
            		d();
            	}
            	while (e) { g(); }
            }
            fun h() { i(); }
        "#]],
    );
}

#[test]
fn a_text_keeps_its_indentation_and_ends_with_a_line() {
    assert_eq!(
        formatted(Language::P, "fun f() {\n    a();\nb();\n    c(); }", &Options::default()),
        "fun f() {\n    a();\n    b();\n    c();\n}\n"
    );
    assert_eq!(formatted(Language::P, "event e;\n\n\n", &Options::default()), "event e;\n");
    assert_eq!(formatted(Language::P, "event e;\r\nevent  f;", &Options::default()), "event e;\r\nevent f;\r\n");
    for nothing in ["", "\n\n", "  "] {
        assert_eq!(formatted(Language::P, nothing, &Options::default()), nothing);
    }
}

#[test]
fn what_is_broken_stays_and_the_rest_does_not() {
    check(
        "event  e ;\nmachine M {\n   var x  int;\n}\nevent  f ;\n",
        expect![[r#"
            event e;
            machine M {
               var x  int;
            }
            event f;
        "#]],
    );
}

const TYPED: &str = "event  a ;\nfun f() {\nx  = 1;\n  y  = 2;\n}\nmachine M {\n  var x  int;\n}\n";

fn after_edits(text: &str, edits: &[lockstep_base::Edit]) -> String {
    let mut text = Text::from(text);
    for edit in edits.iter().rev() {
        text.edit(edit);
    }
    text.to_string()
}

#[test]
fn a_range_is_its_lines() {
    let parse = Parse::new(Language::P, TYPED);
    let range = |from: &str, to: &str| {
        let offset = |at: &str| TextSize::try_from(TYPED.find(at).unwrap()).unwrap();
        let edits = format_range(&parse, TextRange::new(offset(from), offset(to)), &Options::default(), None);
        after_edits(TYPED, &edits)
    };
    assert_eq!(range("x  = 1", "= 1"), TYPED.replace("x  = 1", "  x = 1"));
    assert_eq!(range("x  = 1", "  y"), TYPED.replace("x  = 1", "  x = 1"), "up to the start of a line is not that line");
    assert_eq!(range("event", "f()"), TYPED.replace("event  a ;", "event a;"));
    assert_eq!(range("event", "x  int"), TYPED, "it touches a syntax error");
}

fn typed(text: &str, character: char) -> String {
    let at = text.find('|').unwrap();
    let text = text.replace('|', "");
    let parse = Parse::new(Language::P, text.as_str());
    let edits = format_on_type(&parse, TextSize::try_from(at).unwrap(), character, &Options::default(), None);
    after_edits(&text, &edits)
}

#[test]
fn a_brace_lays_out_what_it_closes() {
    assert_eq!(
        typed("fun  f() {\n  if(a){\nx =1;\n}|\n  y  = 2;\n}\n", '}'),
        "fun  f() {\n  if (a) {\n    x = 1;\n  }\n  y  = 2;\n}\n"
    );
    assert_eq!(typed("fun f() {\n if(a){\nx =1;\n}|\n", '}'), "fun f() {\n if(a){\nx =1;\n}\n", "the function is not closed");
}

#[test]
fn a_semicolon_lays_out_its_statement() {
    assert_eq!(typed("fun f() {\nx =1;\n  y  =2;|\n}\n", ';'), "fun f() {\nx =1;\n  y = 2;\n}\n");
    assert_eq!(typed("fun f() {\n  // a;|\n}\n", ';'), "fun f() {\n  // a;\n}\n", "inside of a comment nothing is typed");
}

#[test]
fn a_new_line_is_indented() {
    assert_eq!(typed("fun f() {\n  x = 1;\n|\n  y  = 2;\n}\n", '\n'), "fun f() {\n  x = 1;\n  \n  y  = 2;\n}\n");
    assert_eq!(typed("fun f() {\n  x = 1;\n|\n}\n", '\n'), "fun f() {\n  x = 1;\n  \n}\n", "before the brace");
    assert_eq!(typed("fun f() {\n  x = 1;\n|y = 2;\n}\n", '\n'), "fun f() {\n  x = 1;\n  y = 2;\n}\n");
    assert_eq!(typed("fun f() {\n  x = 1;\n}\n  |\nevent e;\n", '\n'), "fun f() {\n  x = 1;\n}\n\nevent e;\n");
    assert_eq!(
        typed("fun f() {\n  x = /* a\n| */ 1;\n}\n", '\n'),
        "fun f() {\n  x = /* a\n */ 1;\n}\n",
        "a comment is left alone"
    );
}

#[test]
fn edits_are_as_small_as_they_can_be() {
    let parse = Parse::new(Language::P, "fun f() {\n   x = 1;\n  y = 2;\n}\n");
    let edits = format(&parse, &Options { indent: Indent::spaces(2), ..Options::default() }, None);
    assert_eq!(edits.len(), 1);
    assert_eq!((edits[0].range.len(), edits[0].insert.as_str()), (1.into(), ""));
}
