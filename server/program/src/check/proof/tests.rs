//! Proofs in projects for the verifier and in others.

use expect_test::{Expect, expect};

use crate::Purpose;
use crate::tests::{after_edit_of, shown};

/// A program that everything below is about.
const PROGRAM: &str = "enum Colour { RED, GREEN }\nevent ePing: (from: Client, n: int);\nevent ePong: (n: int);\nevent eStop;\n\
     eventset sBoth = { ePing, ePong };\ninterface Any() receives ePing;\n\
     machine Client { var count: int; start state Asking { } state Done { } }\n\
     machine Server { var clients: set[Client]; start state Serving { on ePing do (ping: (from: Client, n: int)) { } } }\n\
     spec Watch observes ePing { var seen: int; start state Watching { on ePing do { } } }\n\
     pure next(m: machine): Client;\npure about(e: event): bool;\nfun helper(e: event): bool { return true; }\n";

/// What is wrong with these declarations beside the program, with what help says.
#[allow(clippy::needless_pass_by_value)]
fn verify(declarations: &str, expected: Expect) {
    expected.assert_eq(&errors(Purpose::Verifying, &format!("{PROGRAM}{declarations}")));
}

#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&errors(Purpose::Checking, text));
}

fn errors(purpose: Purpose, text: &str) -> String {
    shown(purpose, text, |error| {
        let help = error.help.iter().map(|help| format!("|   help: {help}\n"));
        let related = error.related.iter().map(|related| format!("|   {}\n", related.message));
        help.chain(related).collect()
    })
}

#[test]
fn what_proofs_can_say() {
    verify(
        "invariant a: forall (c: Client, s: Server) :: c in s.clients ==> c.count >= 0 && c is Asking;\n\
         invariant b: forall (p: ePing, m: machine) :: inflight p && p targets m ==> p.n > 0 && p.from is Client && m is Server;\n\
         invariant c: forall (x: sBoth) :: sent x <==> x.n == 0;\ninvariant d: Watch.seen == 0 && (Watch).seen < 1 && Watch is Watching;\n\
         invariant e: exists (m: machine) :: next(m).count == 1;\ninvariant f: forall (p: ePing, e: event) :: about(p) && about(e) && e is ePing;\n\
         invariant g: a ==> b && L;\naxiom next(default(machine)) is Client;\ninit-condition forall (c: Client) :: c.count == 0;\n\
         pure twice(n: int): int = n + n;\npure big(n: int): bool = forall (n: int) :: twice(n) > n;\nLemma L { invariant one: true; invariant two: g; }\n\
         Theorem T { }\nProof { prove L using a, b; prove default using L, T; prove L_one, twice(1) == 2 using *  except L, a, (b); prove a; }",
        expect![[""]],
    );
}

#[test]
fn claims_are_true_or_false() {
    verify(
        "invariant a: 1;\naxiom RED;\ninit-condition next(null);\npure f(x: int): bool = x;\npure g(): machine = next(null);\npure h(): seq[int] = default(seq[int]);\nLemma L { invariant c: \"c\"; }",
        expect![[r#"
            | invariant a: 1;
            |              ^ LS0706: an invariant is of type `bool`, and this is of type `int`
            | axiom RED;
            |       ^^^ LS0706: an axiom is of type `bool`, and this is of type `Colour`
            | init-condition next(null);
            |                ^^^^^^^^^^ LS0706: an initial condition is of type `bool`, and this is of type `Client`
            | pure f(x: int): bool = x;
            |                        ^ LS0706: the value of this function is of type `bool`, and this is of type `int`
            | pure g(): machine = next(null);
            |                     ^^^^^^^^^^ LS0706: the value of this function is of type `machine`, and this is of type `Client`
            | Lemma L { invariant c: "c"; }
            |                        ^^^ LS0706: an invariant is of type `bool`, and this is of type `string`
        "#]],
    );
}

#[test]
fn contracts_of_foreign_functions() {
    verify(
        "fun pick(all: set[int])\n  return (one: int);\n  requires sizeof(all) > 0;\n  requires one;\n  ensures one in all;\n  ensures other;\n\
         machine M {\n  var limit: int;\n  fun bounded(n: int) return (n: bool); requires n < limit; ensures this.limit > 0;\n  start state S { }\n}\n\
         fun free() requires this == null;\n",
        expect![[r#"
            |   requires one;
            |            ^^^ LS0706: what a function requires is of type `bool`, and this is of type `int`
            |   ensures other;
            |           ^^^^^ LS0110: there is no variable, enum element or event `other` here
            |   fun bounded(n: int) return (n: bool); requires n < limit; ensures this.limit > 0;
            |                               ^ LS0101: `n` is declared twice
            |   the first one
            | fun free() requires this == null;
            |                     ^^^^ LS0329: `this` means a machine, and this code belongs to none
            |   help: a function can be given the machine as an argument
        "#]],
    );
}

#[test]
fn kinds_are_machines_events_and_states() {
    verify(
        "invariant a: forall (c: Client) :: c is Sevrer || c is Serving || c is Colour || c is RED;\n\
         invariant b: Watch is Asking || Watch is Watching || nothing is ePong;\nfun f(w: Watch) { assert w is Serving; }\n\
         machine N { start state Here { entry { assert this is Here; assert this is Serving; } } }",
        expect![[r#"
            | invariant a: forall (c: Client) :: c is Sevrer || c is Serving || c is Colour || c is RED;
            |                                         ^^^^^^ LS0702: there is no machine, event or state `Sevrer`
            |   help: did you mean `Server`?
            | invariant a: forall (c: Client) :: c is Sevrer || c is Serving || c is Colour || c is RED;
            |                                                                        ^^^^^^ LS0702: there is no machine, event or state `Colour`
            | invariant a: forall (c: Client) :: c is Sevrer || c is Serving || c is Colour || c is RED;
            |                                                                                       ^^^ LS0702: there is no machine, event or state `RED`
            | invariant b: Watch is Asking || Watch is Watching || nothing is ePong;
            |                       ^^^^^^ LS0702: there is no machine, event or state `Asking`
            | invariant b: Watch is Asking || Watch is Watching || nothing is ePong;
            |                                                      ^^^^^^^ LS0110: there is no variable, enum element or event `nothing` here
            | fun f(w: Watch) { assert w is Serving; }
            |                               ^^^^^^^ LS0702: there is no machine, event or state `Serving`
            | machine N { start state Here { entry { assert this is Here; assert this is Serving; } } }
            |                                                                            ^^^^^^^ LS0702: there is no machine, event or state `Serving`
        "#]],
    );
}

#[test]
fn fields_of_machines_and_messages() {
    verify(
        "invariant a: forall (c: Client, p: ePing, q: ePong, s: sBoth, i: Any, m: machine) ::\n  c.cuont == 0 && p.toward == c && q.from == c && s.from == c && Watch.saw == 0\n  \
         && i.x == 1 && m.count == 1;\nfun f(c: Client) { c.count = 1; }\nfun g(p: eStop): int { return p.n; }",
        expect![[r#"
            |   c.cuont == 0 && p.toward == c && q.from == c && s.from == c && Watch.saw == 0
            |     ^^^^^ LS0704: `Client` has no variable `cuont`
            |   help: did you mean `count`?
            |   c.cuont == 0 && p.toward == c && q.from == c && s.from == c && Watch.saw == 0
            |                     ^^^^^^ LS0705: no value that `ePing` carries has a field `toward`
            |   c.cuont == 0 && p.toward == c && q.from == c && s.from == c && Watch.saw == 0
            |                                      ^^^^ LS0705: no value that `ePong` carries has a field `from`
            |   c.cuont == 0 && p.toward == c && q.from == c && s.from == c && Watch.saw == 0
            |                                                                        ^^^ LS0704: `Watch` has no variable `saw`
            |   && i.x == 1 && m.count == 1;
            |        ^ LS0311: only named tuples have fields, and this is of type `Any`
            |   && i.x == 1 && m.count == 1;
            |                    ^^^^^ LS0311: this may be any machine, and so its fields are not known
            |   help: give it the type of one machine, as in `forall (m: Client) :: m.field`
            | fun f(c: Client) { c.count = 1; }
            |                      ^^^^^ LS0311: only named tuples have fields, and this is of type `Client`
            | fun g(p: eStop): int { return p.n; }
            |                                 ^ LS0705: no value that `eStop` carries has a field `n`
        "#]],
    );
}

#[test]
fn quantifiers() {
    verify(
        "invariant a: forall new (e: event, f: event) :: true;\ninvariant b: exists new (n: int) :: n > 0;\ninvariant c: forall new (e: sBoth) :: e.n > 0;\n\
         invariant d: forall (x: int, x: bool) :: x > 0;\ninvariant e: (forall (x: none) :: x) && (forall new (x: none) :: x);",
        expect![[r#"
            | invariant a: forall new (e: event, f: event) :: true;
            |              ^^^^^^ LS0708: `forall new` takes exactly one variable, and 2 are given
            | invariant b: exists new (n: int) :: n > 0;
            |                             ^^^ LS0709: `new` is about events that have been sent, and this is of type `int`
            | invariant d: forall (x: int, x: bool) :: x > 0;
            |                              ^ LS0101: `x` is declared twice
            | invariant e: (forall (x: none) :: x) && (forall new (x: none) :: x);
            |                          ^^^^ LS0105: there is no type `none`
            |   help: types, enums, machines, interfaces and event sets can be types
            | invariant e: (forall (x: none) :: x) && (forall new (x: none) :: x);
            |                                                         ^^^^ LS0105: there is no type `none`
            |   help: types, enums, machines, interfaces and event sets can be types
        "#]],
    );
}

#[test]
fn what_only_the_verifier_itself_refuses_is_a_warning() {
    verify(
        "invariant a: forall (x: int) :: x;\ninvariant b: forall (c: Client, e: ePing) :: inflight c || sent 1 || e targets e || c targets c;\n\
         fun f(xs: set[int]) { var x: int; foreach (x in xs) invariant x; invariant forall new (e: event) :: e is ePing; { } }",
        expect![[r#"
            | invariant a: forall (x: int) :: x;
            |                                 ^ LS1381: this must be of type `bool`, and it is of type `int`: the verifier will refuse it
            | invariant b: forall (c: Client, e: ePing) :: inflight c || sent 1 || e targets e || c targets c;
            |                                                       ^ LS1381: this must be an event, and it is of type `Client`: the verifier will refuse it
            | invariant b: forall (c: Client, e: ePing) :: inflight c || sent 1 || e targets e || c targets c;
            |                                                                 ^ LS1381: this must be an event, and it is of type `int`: the verifier will refuse it
            | invariant b: forall (c: Client, e: ePing) :: inflight c || sent 1 || e targets e || c targets c;
            |                                                                                ^ LS1381: an event targets a machine, and this is of type `ePing`: the verifier will refuse it
            | invariant b: forall (c: Client, e: ePing) :: inflight c || sent 1 || e targets e || c targets c;
            |                                                                                     ^ LS1381: this must be an event, and it is of type `Client`: the verifier will refuse it
            | fun f(xs: set[int]) { var x: int; foreach (x in xs) invariant x; invariant forall new (e: event) :: e is ePing; { } }
            |                                                               ^ LS1381: this must be of type `bool`, and it is of type `int`: the verifier will refuse it
        "#]],
    );
}

#[test]
fn calls_of_pure_functions() {
    verify(
        "invariant a: forall (p: ePing, s: sBoth) :: helper(p) || about(p) || about(s) || next(1) == next(null, null);\nfun f() { about(eStop); helper(eStop); }",
        expect![[r#"
            | invariant a: forall (p: ePing, s: sBoth) :: helper(p) || about(p) || about(s) || next(1) == next(null, null);
            |                                                    ^ LS0317: `e` of `helper` is of type `event`, and this is of type `ePing`
            |   `helper` is declared here
            | invariant a: forall (p: ePing, s: sBoth) :: helper(p) || about(p) || about(s) || next(1) == next(null, null);
            |                                                                            ^ LS0317: `e` of `about` is of type `event`, and this is of type `sBoth`
            |   `about` is declared here
            | invariant a: forall (p: ePing, s: sBoth) :: helper(p) || about(p) || about(s) || next(1) == next(null, null);
            |                                                                                       ^ LS0317: `m` of `next` is of type `machine`, and this is of type `int`
            |   `next` is declared here
            | invariant a: forall (p: ePing, s: sBoth) :: helper(p) || about(p) || about(s) || next(1) == next(null, null);
            |                                                                                             ^^^^ LS0318: `next` takes one argument, not 2
            |   `next` is declared here
            | fun f() { about(eStop); helper(eStop); }
            |           ^^^^^ LS0107: `about` is a pure function and does nothing: use its value
        "#]],
    );
}

#[test]
fn goals_and_premises() {
    verify(
        "invariant one: true;\nLemma group { invariant two: true; }\nProof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }",
        expect![[r#"
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |               ^^^^ LS0703: there is no invariant or lemma `onne`
            |   help: did you mean `one`?
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                     ^^^ LS0703: there is no invariant or lemma `two`
            |   help: outside of its lemma the invariant is called `group_two`
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                               ^^^^^ LS0703: there is no invariant or lemma `groop`
            |   help: did you mean `group`?
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                                      ^^^^^ LS0706: what is proved or used is of type `bool`, and this is of type `int`
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                                             ^^^^^ LS0706: what is proved or used is of type `bool`, and this is of type `event`
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                                                          ^^^^^^^^^^^ LS0703: there is no invariant or lemma `group_three`
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                                                                       ^^^^^^ LS0703: there is no invariant or lemma `Client`
            | Proof { prove onne, two using groop, 1 + 1, ePing except group_three, Client; prove 2; }
            |                                                                                     ^ LS0706: what is proved or used is of type `bool`, and this is of type `int`
        "#]],
    );
}

#[test]
fn circular_proofs() {
    let invariants = "invariant a: true; invariant b: true; Lemma L { invariant c: true; invariant d: true; }\n";
    let verify = |proofs: &str, expected| verify(&format!("{invariants}{proofs}"), expected);
    verify(
        "Proof { prove a using a; }",
        expect![[r#"
            | Proof { prove a using a; }
            |         ^^^^^^^^^^^^^^^^ LS0707: the proof is circular: `a` is proved using itself
            |   help: prove one of them without the others, or all of them together in one `prove`
        "#]],
    );
    verify(
        "Proof { prove a using b; prove b using L; }\nProof more { prove L_d using L_c, a; prove L_c using a; }",
        expect![[r#"
            | Proof more { prove L_d using L_c, a; prove L_c using a; }
            |              ^^^^^^^^^^^^^^^^^^^^^^^ LS0707: the proof is circular: `L_d` is proved using `a`, `a` using `b` and `b` using `L_d`
            |   help: prove one of them without the others, or all of them together in one `prove`
            |   `a` is proved using `b` here
            |   `b` is proved using `L_d` here
        "#]],
    );
    verify(
        "Proof { prove a using *; }",
        expect![[r#"
            | Proof { prove a using *; }
            |         ^^^^^^^^^^^^^^^^ LS0707: the proof is circular: `a` is proved using itself
            |   help: prove one of them without the others, or all of them together in one `prove`
        "#]],
    );
    // What is excepted, `default` and other expressions are in no circle.
    verify("Proof { prove * ; prove a, b using L; prove L_c using *  except L_c, a, b; prove default using *; }", expect![[""]]);
    verify("Proof { prove a, true using b, true; prove true using a; prove L using a; }", expect![[""]]);
}

#[test]
fn long_chains_of_proofs() {
    let count = 3_000;
    let invariants: String = (0..count).map(|n| format!("invariant i{n}: true;\n")).collect();
    let chain: String = (1..count).map(|n| format!("prove i{} using i{n};\n", n - 1)).collect();
    assert_eq!(errors(Purpose::Verifying, &format!("{invariants}Proof {{\n{chain}}}")), "");
    let found = errors(Purpose::Verifying, &format!("{invariants}Proof {{\n{chain}prove i{} using *;\n}}", count - 1));
    assert!(found.contains("`i2999` is proved using itself"), "{found}");
    let found = errors(Purpose::Verifying, &format!("{invariants}Proof {{\n{chain}prove i{} using i0;\n}}", count - 1));
    assert!(found.contains("`i2999` is proved using `i0`, and so on for 2998 steps, and `i2998` using `i2999`"), "{found}");
}

#[test]
fn names_of_proofs_clash_with_their_like_only() {
    verify(
        "invariant a: true; invariant a: true;\nLemma L { invariant b: true; invariant b: true; }\ninvariant L_b: true;\nTheorem L { }\n\
         Proof P { }\nProof P { }\nProof { }\nProof { }\npure next(): int;\naxiom true; axiom true; invariant next: true; pure helper(): int;",
        expect![[r#"
            | invariant a: true; invariant a: true;
            |                              ^ LS0101: `a` is declared already, as an invariant
            |   declared here
            | Lemma L { invariant b: true; invariant b: true; }
            |                                        ^ LS0101: `L_b` is declared already, as an invariant of a lemma
            |   declared here
            | invariant L_b: true;
            |           ^^^ LS0101: `L_b` is declared already, as an invariant of a lemma
            |   declared here
            | Theorem L { }
            |         ^ LS0101: `L` is declared already, as a lemma
            |   declared here
            | Proof P { }
            |       ^ LS0101: `P` is declared already, as a proof
            |   declared here
            | pure next(): int;
            |      ^^^^ LS0101: `next` is declared already, as a pure function
            |   declared here
        "#]],
    );
}

#[test]
fn proofs_are_for_the_verifier_alone() {
    check(
        "event e; machine M { start state S { } }\npure f(x: nothing): int;\ninvariant i: 1;\naxiom nothing;\ninit-condition 2;\nLemma L { invariant i: forall (x: int) :: 1; }\nTheorem T { }\n\
         Proof { prove nothing using i; }\nfun g(x: int)\n  return (y: int);\n  requires x;\n  ensures nothing;\nfun h(x: int) ensures x > 0;\n\
         machine N { start state S { } fun k() requires true; }",
        expect![[r#"
            | pure f(x: nothing): int;
            | ^^^^ LS0701: `pure` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | invariant i: 1;
            | ^^^^^^^^^ LS0701: `invariant` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | axiom nothing;
            | ^^^^^ LS0701: `axiom` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | init-condition 2;
            | ^^^^^^^^^^^^^^ LS0701: `init-condition` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | Lemma L { invariant i: forall (x: int) :: 1; }
            | ^^^^^ LS0701: `Lemma` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | Theorem T { }
            | ^^^^^^^ LS0701: `Theorem` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | Proof { prove nothing using i; }
            | ^^^^^ LS0701: `Proof` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   requires x;
            |   ^^^^^^^^ LS0701: `requires` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | fun h(x: int) ensures x > 0;
            |               ^^^^^^^ LS0701: `ensures` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            | machine N { start state S { } fun k() requires true; }
            |                                       ^^^^^^^^ LS0701: `requires` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
        "#]],
    );
}

#[test]
fn proof_words_in_code() {
    check(
        "event e;\nfun f(m: machine, n: int) {\n  var x: int;\n  n = m is\n    Nothing;\n  assume forall (m: nothing) :: inflight e;\n  assert exists (k: int) :: true;\n  \
         assert sent e && inflight e;\n  assert e targets m;\n  foreach (x in default(set[int])) invariant x; invariant is_it; { }\n  assume true ==> false; assume true <==> n;\n}",
        expect![[r#"
            |   n = m is
            |         ^^ LS0701: `is` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assume forall (m: nothing) :: inflight e;
            |          ^^^^^^ LS0701: `forall` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assert exists (k: int) :: true;
            |          ^^^^^^ LS0701: `exists` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assert sent e && inflight e;
            |          ^^^^ LS0701: `sent` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assert sent e && inflight e;
            |                    ^^^^^^^^ LS0701: `inflight` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assert e targets m;
            |            ^^^^^^^ LS0701: `targets` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   foreach (x in default(set[int])) invariant x; invariant is_it; { }
            |                                    ^^^^^^^^^ LS0701: `invariant` belongs to proofs, and this project is not for the verifier
            |   help: write `<Target>PVerifier</Target>` into the project file to prove things about this program
            |   assume true ==> false; assume true <==> n;
            |                                           ^ LS0316: this must be of type `bool`, and it is of type `int`
        "#]],
    );
}

#[test]
fn a_proof_word_as_a_name_is_reported_once() {
    check(
        "fun f() { var exists: int; exists = 1; print format(\"{0}\", exists + sent(1)); }\nfun sent(invariant: int): int { return invariant; }",
        expect![[r#"
            | fun f() { var exists: int; exists = 1; print format("{0}", exists + sent(1)); }
            |               ^^^^^^ LS0005: `exists` is a reserved word of P and cannot be used as a name
            |   help: P 3 reserves the words of its proof language everywhere: rename it here and wherever it is used
            | fun sent(invariant: int): int { return invariant; }
            |     ^^^^ LS0005: `sent` is a reserved word of P and cannot be used as a name
            |   help: P 3 reserves the words of its proof language everywhere: rename it here and wherever it is used
            | fun sent(invariant: int): int { return invariant; }
            |          ^^^^^^^^^ LS0005: `invariant` is a reserved word of P and cannot be used as a name
            |   help: P 3 reserves the words of its proof language everywhere: rename it here and wherever it is used
        "#]],
    );
}

#[test]
fn event_sets_clash_with_what_can_be_created_before_them() {
    check(
        "event e; machine A { start state S { } } eventset A = { e };\ninterface B() receives e; eventset B = { e };\neventset C = { e }; machine C { start state S { } }\n\
         spec D observes e { start state S { } } eventset D = { e };",
        expect![[r#"
            | event e; machine A { start state S { } } eventset A = { e };
            |                                                   ^ LS0101: `A` is declared already, as a machine
            |   declared here
            | interface B() receives e; eventset B = { e };
            |                                    ^ LS0101: `B` is declared already, as an interface
            |   declared here
        "#]],
    );
}

#[test]
fn code_cannot_hide_a_test_parameter_and_contracts_can() {
    let text = "param n: int;\nfun f(n: int);\nfun g(n: int) { }\npure h(n: int): int = n + 1;\n";
    expect![[r#"
        | fun g(n: int) { }
        |       ^ LS0101: `n` is the name of a test parameter, which nothing else may have
        |   `n` is declared here
    "#]]
    .assert_eq(&errors(Purpose::Verifying, text));
}

#[test]
fn deep_proofs_are_followed_on_a_stack_that_grows() {
    let deep = 2_000;
    let text = format!("invariant deep: {}true;", "forall (x: int) :: ".repeat(deep));
    assert_eq!(errors(Purpose::Verifying, &text), "");
    let text = format!(
        "invariant deep: {}true{};\nProof {{ prove {}deep{}; }}",
        "(".repeat(deep),
        ")".repeat(deep),
        "(".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(errors(Purpose::Verifying, &text), "");
}

// ---- Which queries run ----

const PROOFS: &str = "event e: (n: int);\npure f(n: int): int = n + 1;\ninvariant a: f(1) == 2;\ninvariant b: forall (m: M) :: m.x > f(0);\naxiom f(2) > 1;\n\
     Lemma L { invariant c: b; }\nProof { prove a using b; prove L using a; }\nmachine M { var x: int; start state S { entry { x = 1; } } }\n";

#[test]
fn editing_an_invariant_checks_that_invariant_alone() {
    for (from, to) in [("f(1) == 2", "f(1) == 3"), ("m.x > f(0)", "m.x > 0"), ("f(2) > 1", "f(2) > 0"), ("c: b", "c: a")] {
        let log = after_edit_of(Purpose::Verifying, PROOFS, from, to);
        let counts = (log.count("check_decl"), log.count("check_body"), log.count("first_circle"), log.count("machine_info"));
        assert_eq!(counts, (1, 0, 0, 0), "{from}");
    }
}

#[test]
fn editing_a_pure_function_checks_no_invariant_that_uses_it() {
    let log = after_edit_of(Purpose::Verifying, PROOFS, "n + 1", "n + 2");
    assert_eq!((log.count("check_decl"), log.count("check_body")), (1, 0));
}

#[test]
fn typing_in_a_body_checks_no_proof() {
    let log = after_edit_of(Purpose::Verifying, PROOFS, "x = 1", "x = 2");
    assert_eq!((log.count("check_decl"), log.count("check_body"), log.count("first_circle")), (0, 1, 0));
}

#[test]
fn a_new_state_checks_its_machine_and_what_looks_into_it() {
    let log = after_edit_of(Purpose::Verifying, PROOFS, "start state S {", "state T { } start state S {");
    assert_eq!((log.count("check_decl"), log.count("first_circle")), (2, 0));
}

// ---- Explanations ----

#[test]
fn the_examples_of_explanations_show_what_they_explain() {
    let codes = ["LS0701", "LS0702", "LS0703", "LS0704", "LS0705", "LS0706", "LS0707", "LS0708", "LS0709", "LS1381"];
    for code in codes {
        let path = format!("{}/explain/{code}.md", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("every code is explained").replace("```p verifier\n", "```p\n");
        let examples: Vec<&str> = text.split("```p\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let [wrong, right] = examples[..] else { panic!("{code} has {} examples", examples.len()) };
        let purpose = if code == "LS0701" { Purpose::Checking } else { Purpose::Verifying };
        let found = errors(purpose, wrong);
        assert!(found.contains(code) && !found.replace(code, "").contains("LS"), "{code}: {found}");
        assert_eq!(errors(purpose, right), "", "{code}");
    }
}
