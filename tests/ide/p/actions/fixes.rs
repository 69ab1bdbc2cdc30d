//! Fixes that the example of an explanation does not show, and what they make of the text.

use lockstep_program::Purpose;

use super::{judge, project};
use crate::Opened;

pub(super) struct Case {
    pub(super) code: &'static str,
    pub(super) purpose: Purpose,
    pub(super) text: &'static str,
}

const fn case(code: &'static str, text: &'static str) -> Case {
    Case { code, purpose: Purpose::Checking, text }
}

/// The same for the verifier.
const fn proof(code: &'static str, text: &'static str) -> Case {
    Case { code, purpose: Purpose::Verifying, text }
}

pub(super) const CASES: &[Case] = &[
    case("LS0001", "fun f(a: int): int {\n    return (a + 1;\n}\n"),
    case("LS0001", "fun f(a: int): int {\n    var b: int;\n    b = a\n    return b;\n}\n"),
    case("LS0005", "event sent;\nmachine M { start state S { entry { send this, sent; } ignore sent; } }\n"),
    case(
        "LS0005",
        "// file: a.p\nevent sent;\n// file: b.p\nmachine M { start state S { entry { send this, sent; } ignore sent; } }\n",
    ),
    case(
        "LS0105",
        "type tRequest = int;\nevent eRequest: tReqest;\nmachine M { start state S { entry { send this, eRequest, 1; } ignore eRequest; } }\n",
    ),
    case(
        "LS0106",
        "event ePing: int;\nmachine M {\n    start state S {\n        on ePong do (n: int) { print format(\"{0}\", n); }\n    }\n}\n",
    ),
    case(
        "LS0107",
        "machine M {\n    var total: int;\n    start state S {\n        entry {\n            total = Sum(total, 1);\n        }\n    }\n}\n",
    ),
    case("LS0107", "event eGo: int;\nmachine M {\n    start state S {\n        on eGo do Run;\n    }\n}\n"),
    case("LS0107", "fun a(n: int) {\n    b(n, true);\n}\n"),
    case("LS0108", "event eGo;\nmachine M {\n    start state S {\n        on eGo goto T;\n    }\n}\n"),
    case("LS0108", "machine M {\n    start state S {\n        entry {\n            goto T, 3;\n        }\n    }\n}\n"),
    case("LS0109", "machine M {\n    start state S {\n        entry {\n            new Server(3);\n        }\n    }\n}\n"),
    case("LS0109", "machine Server { start state S { } }\nmachine M { start state S { entry { new Sever(); } } }\n"),
    case("LS0110", "fun f(a: int): int {\n    b = a + 1;\n    return b;\n}\n"),
    case(
        "LS0110",
        "machine M {\n    start state S {\n        entry {\n            send this, eGo, (1, true);\n        }\n    }\n}\n",
    ),
    case("LS0110", "fun f(count: int): int {\n    return cuont;\n}\n"),
    case("LS0115", "event eGo;\nmachine M {\n    start state A { on eGo goto B; }\n    start state B { }\n}\n"),
    case(
        "LS0205",
        "event eGo: int;\nfun Log(n: int) { print format(\"{0}\", n); }\nmachine M { start state S { on eGo do Log; } }\n",
    ),
    case("LS0302", "fun f(a: int) {\n    while (a - 1) { a = a - 1; }\n}\n"),
    case("LS0304", "fun f(): float {\n    return 1;\n}\n"),
    case("LS0304", "fun f(a: int, b: int): float {\n    return a + b;\n}\n"),
    case("LS0305", "fun f(a: float): int {\n    var b: int;\n    b = a * 2.0;\n    return b;\n}\n"),
    case("LS0317", "fun half(a: float): float {\n    return a / 2.0;\n}\nfun f(): float {\n    return half(3);\n}\n"),
    case("LS0316", "fun f(a: int): bool {\n    return !a;\n}\n"),
    case("LS0321", "fun f(a: float, b: int): float {\n    return a * (b - 2);\n}\n"),
    case("LS0322", "fun f(a: float, b: int): bool {\n    return a == b;\n}\n"),
    case("LS0325", "type tPair = (first: int, second: int);\nfun f(pair: tPair): int {\n    return pair.frist;\n}\n"),
    case("LS0325", "type tPair = (item: int, itex: int);\nfun f(pair: tPair): int {\n    return pair.iten;\n}\n"),
    case(
        "LS0501",
        "param clients: int;\ntest param (cleints in [1, 2]) tc [main=Main]: { Main };\nmachine Main { start state S { entry { print format(\"{0}\", clients); } } }\n",
    ),
    case(
        "LS0505",
        "machine A { start state S { entry { new B(); } } }\nmachine B { start state S { entry { new C(); } } }\nmachine C { start state S { } }\nmodule m = { A };\ntest tc [main=A]: m;\n",
    ),
    case(
        "LS0513",
        "param a, b: bool;\nmachine M { start state S { entry { print format(\"{0}{1}\", a, b); } } }\ntest param (a in [true, true, false], b in [true]) tc [main=M]: { M };\n",
    ),
    case("LS0601", "machine Server { start state S { } }\nmodule Servers = { Server };\ntest tc [main=Server]: Serves;\n"),
    case("LS0602", "machine Server { start state S { } }\ntest tc [main=Server]: { Server, Client };\n"),
    case(
        "LS0603",
        "event eDone;\nspec Progress observes eDone { start state S { ignore eDone; } }\nmachine M { start state S { entry { announce eDone; } } }\ntest tc [main=M]: assert Progres in { M };\n",
    ),
    proof(
        "LS0704",
        "event eAsk: (from: Client, amount: int);\nmachine Client { var total: int; start state W { } }\ninvariant a: forall (c: Client) :: c.totl >= 0;\n",
    ),
    proof(
        "LS0705",
        "event eAsk: (from: Client, amount: int);\nmachine Client { var total: int; start state W { } }\ninvariant a: forall (e: eAsk) :: inflight e ==> e.amuont > 0;\n",
    ),
    case(
        "LS1001",
        "fun f(n: int): int {\n    var a: int; // Lockstep: allow(LS1101) because it is an example\n    return n;\n}\n",
    ),
    case(
        "LS1105",
        "machine M {\n    start state S {\n    }\n\n    // Adds.\n    fun add(a: int, b: int): int {\n        return a + b;\n    }\n}\n",
    ),
    case(
        "LS1217",
        "machine M {\n    var total: int;\n    start state S {\n        entry (first: int) {\n            total = first;\n            total = total;\n            print format(\"{0}\", total);\n        }\n    }\n}\n",
    ),
    case("LS1302", "fun f(a: bool, b: bool, c: bool): bool {\n    return (a && b) <==> c || a;\n}\n"),
    case("LS1310", "fun f(): float {\n    return float(1234, 2) + float(7, 0);\n}\n"),
    case(
        "LS1313",
        "// file: a.p\nevent Door;\n// file: b.p\nmachine Door { start state S { entry { send this, Door; } ignore Door; } }\n",
    ),
];

#[test]
fn cases_are_mended() {
    let mut wrongs = Vec::new();
    for Case { code, purpose, text } in CASES {
        let opened = Opened::new(&project(*purpose, text));
        let fixes = opened.fixes_of(code);
        if fixes.is_empty() {
            wrongs.push(format!("{code} has no fix in:\n{text}\nfound: {:?}", opened.counts()));
        }
        wrongs.extend(fixes.iter().filter_map(|fix| judge(&opened, fix, code, *purpose)));
    }
    assert!(wrongs.is_empty(), "\n{}", wrongs.join("\n"));
}
