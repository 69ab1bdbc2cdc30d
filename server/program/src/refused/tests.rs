//! Where P's compiler refuses an alias, and where it does not.

use crate::tests::project;
use crate::{Database, ProjectFile, Purpose, file_diagnostics};

/// The texts at which P's compiler refuses an alias, in declarations beside these.
fn refused(text: &str) -> Vec<String> {
    let before = "event e; enum tE { A } type tA = tE; type tB = tA; machine M { start state S { } } type tM = M; type tN = int;
event eA: tA; event eE: tE; event eM: tM; eventset sE = { e }; type tS = sE; fun enumOf(): tE; fun aliasOf(): tA; fun refOf(): tM;\n";
    let text = format!("{before}{text}");
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[&text]);
    let found = file_diagnostics(&db, ProjectFile::new(&db, project, files[0], false));
    assert!(found.iter().all(|found| !found.code.starts_with("LS0")), "{found:?}");
    let found = found.iter().filter(|found| found.code == "LS1322");
    found.map(|found| text[found.range].to_owned()).collect()
}

/// The same for the body of a function with variables of all these types.
fn refused_in_body(body: &str) -> Vec<String> {
    let vars = "var n, p: tN; var v, w: tE; var a, b: tA; var c: tB; var m: machine; var r: M; var s, t: tM; var x: any; var l: seq[tE]; \
                var k: seq[tA]; var q: map[tA, tM]; var u: set[tM]; var y: (f: tA, g: tM); var z: (tA, tM);";
    refused(&format!("fun f(): tE {{ {vars} {body} return v; }}"))
}

#[test]
fn aliases_as_types_of_values() {
    for (body, at) in [
        ("v = a;", "a"),
        ("a = b;", "b"),
        ("a = c;", "c"),
        ("v = (a);", "(a)"),
        ("v = aliasOf();", "aliasOf()"),
        ("v = x as tA;", "x as tA"),
        ("m = s;", "s"),
        ("r = refOf();", "refOf()"),
        ("s = t;", "t"),
        ("y.f = a;", "a"),
        ("q[a] = r;", "a"),
        ("q[v] = s;", "s"),
        ("q += (a, r);", "a"),
        ("q += (v, s);", "s"),
        ("q -= a;", "a"),
        ("u += (s);", "s"),
        ("u -= s;", "s"),
        ("l += (0, a);", "a"),
        ("x = q[a];", "a"),
        ("x = a in l;", "a"),
        ("x = a == b;", "a == b"),
        ("x = s != t;", "s != t"),
        ("x = m == s;", "m == s"),
        ("x = a as tA;", "a as tA"),
        ("x = s to M;", "s"),
        ("x = m to tM;", "tM"),
        ("foreach (a in l) { x = l; }", "a"),
        ("foreach (s in u) { x = l; }", "s"),
        ("send s, e;", "s"),
        ("send m, eA, a;", "a"),
        ("send m, eE, a;", "a"),
        ("return a;", "a"),
        ("receive { case eA: (i: tE) { } }", "eA"),
        ("receive { case eM: (i: tM) { } }", "eM"),
    ] {
        assert_eq!(refused_in_body(body), [at], "{body}");
    }
}

#[test]
fn aliases_that_p_takes() {
    for body in [
        "a = v; a = A; v = enumOf(); s = r; m = r; s = new M();",
        "n = p; n = 1; x = n == p; n = p to tN; n = a to int; x = a; x = s;",
        "y = (f = a, g = s); z = (a, s); v = y.f; v = z.0; m = y.g; r = z.1; a = y.f;",
        "v = k[0]; a = k[0]; v = choose(k); r = q[v]; l = k; k = l; v = keys(q)[0]; v = default(tA);",
        "x = a == v; x = v == a; x = s == r; x = a == x; x = x as tA; x = y == y; x = a as tE; x = r as tM;",
        "foreach (v in k) { x = l; } send r, eA, v; send m, eM, r; x = m to M;",
        "receive { case eE: (i: tA) { } }",
    ] {
        assert_eq!(refused_in_body(body), [""; 0], "{body}");
    }
    assert_eq!(refused("fun f(s: sE): tS { return s; } fun g(v: tE): tA { return v; }"), [""; 0]);
    assert_eq!(refused("fun g(a: tA): tE { receive { case eE: (a: tE) { f(a); } } return A; } fun f(v: tE) { }"), [""; 0]);
}

#[test]
fn aliases_in_declarations() {
    assert_eq!(refused("fun f(s: tS): sE { return s; }"), ["s"]);
    assert_eq!(refused("fun f(a: tA) { g(a, A); } fun g(a: tA, v: tE) { }"), ["a"]);
    let machine = |body: &str| refused(&format!("machine N {{ var a: tA; var v: tE; {body} }}"));
    assert_eq!(machine("start state S { entry { v = a; goto T, a; } } state T { entry (v: tE) { } }"), ["a", "a"]);
    assert_eq!(machine("start state S { entry { v = own(); } } fun own(): tA { return v; }"), ["own()"]);
    assert_eq!(
        machine("start state S { on eA do (i: tE) { } on eE do (i: tA) { } on eM do f; } fun f(m: machine) { }"),
        ["eA", "eM"]
    );
    assert_eq!(machine("start state S { on eA goto T; } state T { entry (i: tA) { } }"), ["eA"]);
    assert_eq!(machine("start state S { on eA do { } on eM do (i: any) { } entry (a: tE) { v = a; } }"), [""; 0]);
}

#[test]
fn aliases_as_constructors() {
    let machines = "interface I(tE) receives; interface J(tA) receives; machine N { start state S { entry (i: tA) { } } }";
    assert_eq!(refused(machines), [""; 0], "P looks at this in modules only");
    assert_eq!(refused(&format!("{machines} module m = {{ N }};")), ["N"]);
    assert_eq!(refused(&format!("{machines} module m = {{ N -> I }}; module n = {{ N -> J }};")), ["N"]);
    assert_eq!(refused(&format!("{machines} machine Main {{ start state S {{ }} }}")), ["N"], "all machines are one module");
    let named = machines.replace("entry (i: tA) { }", "entry f;").replace("machine N {", "machine N { fun f(i: tA) { }");
    assert_eq!(refused(&format!("{named} module m = {{ N }};")), ["N"]);
}
