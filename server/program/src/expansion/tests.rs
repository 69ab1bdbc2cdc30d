//! Lists of tests: against a second, plain implementation, and at the edges.

use expect_test::{Expect, expect};

use super::cover::covering;
use crate::tests::{checked, project};
use crate::{Database, Member, Project, ProjectFile, Purpose, TestKind, file_diagnostics, project_tests};

const BEFORE: &str =
    "param n, m: int; param b, c: bool; machine Main { start state S { } } machine Other { start state S { } }\n";

/// The tests of a project, each with kind and main machine, after the errors in it.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[text]);
    let found = checked(&db, ProjectFile::new(&db, project, files[0], false));
    let mut shown: String =
        found.iter().map(|found| format!("`{}` {}: {}\n", &text[found.range], found.code, found.message)).collect();
    for case in project_tests(&db, project) {
        let kind = match case.kind {
            TestKind::Test => "test",
            TestKind::Implementation => "implementation",
            TestKind::DefaultImplementation => "default",
        };
        shown += &format!("{kind} {} [{}]\n", case.name, case.main);
    }
    expected.assert_eq(&shown);
}

fn check_tests(text: &str, expected: Expect) {
    check(&format!("{BEFORE}{text}"), expected);
}

#[test]
fn names_and_order() {
    check_tests(
        "test last [main=Main]: { Main };
test param (n in [1, -2], b in [true, false]) t [main=Other]: { Other };
implementation first [main=Other]: { Main, Other };",
        expect![[r#"
            implementation first [Other]
            test last [Main]
            test t___n_1__b_true [Other]
            test t___n_neg2__b_true [Other]
            test t___n_1__b_false [Other]
            test t___n_neg2__b_false [Other]
        "#]],
    );
}

#[test]
fn without_tests_all_machines_are_run() {
    check_tests(
        "",
        expect![[r#"
        default DefaultImpl [Main]
    "#]],
    );
    check("machine Other { start state S { } }", expect![[""]]);
    check(
        "interface I() receives; machine Main { start state S { entry { new I(); } } }",
        expect![[r#"
        `I` LS0505: `Main` creates `I`, and no machine stands behind it
    "#]],
    );
    // Specs and machines under other names are not started.
    check("event e; spec Main observes e { start state S { } }", expect![[""]]);
}

#[test]
fn assumptions() {
    check_tests(
        "test param (n in [1, 2, 3], m in [2, 3]) assume n < m && !(n == 1) a [main=Main]: { Main };
test param (n in [-7, 7], m in [2]) assume (n / m == -3 || n % m == 1) c [main=Main]: { Main };
test param (n in [2147483647]) assume n + 1 < 0 wraps [main=Main]: { Main };
test param (n in [1]) assume false none [main=Main]: { Main };
test assume 1 + 1 == 2 plain [main=Main]: { Main };
test param (b in [true, false], c in [false]) assume b != c d [main=Main]: { Main };",
        expect![[r#"
            test a___n_2__m_3 [Main]
            test c___n_neg7__m_2 [Main]
            test c___n_7__m_2 [Main]
            test wraps___n_2147483647 [Main]
            test plain [Main]
            test d___b_true__c_false [Main]
        "#]],
    );
}

#[test]
fn assumptions_that_are_wrong() {
    check_tests(
        "enum E { RED }
fun f(): bool { return true; }
test param (n in [1, 0]) assume n != 0 && 10 / n > 1 zero [main=Main]: { Main };
test param (n in [1], m in [0]) assume n % m == 0 zero2 [main=Main]: { Main };
test param (n in [-2147483647], m in [-1]) assume (n - 1) / m == 0 large [main=Main]: { Main };
test param (n in [1]) assume m == n unlisted [main=Main]: { Main };
test param (n in [1]) assume n + 1 number [main=Main]: { Main };
test param (n in [1]) assume RED == RED constant [main=Main]: { Main };
test param (n in [1]) assume f() call [main=Main]: { Main };
test param (n in [1]) assume n == 1 ==> true arrow [main=Main]: { Main };
test param (n in [1]) assume 1.5 < 2.5 broken [main=Main]: { Main };
test param (n in [1]) assume x == n name [main=Main]: { Main };
test param (n in [1]) assume n && true kind [main=Main]: { Main };
test param (n in [1]) assume n == true mixed [main=Main]: { Main };",
        expect![[r#"
            `10 / n` LS0511: this divides by zero with n = 0
            `n % m` LS0511: this divides by zero with n = 1, m = 0
            `(n - 1) / m` LS0511: the result of this division is too large with n = -2147483647, m = -1
            `m` LS0509: this test gives no values to `m`
            `n + 1` LS0510: an assumption is of type `bool`, and this is of type `int`
            `RED` LS0509: `RED` is no parameter of this test
            `RED` LS0509: `RED` is no parameter of this test
            `f()` LS0509: this cannot be part of an assumption about parameters
            `n == 1 ==> true` LS0509: this cannot be part of an assumption about parameters
            `1.5` LS0509: this cannot be part of an assumption about parameters
            `x` LS0110: there is no variable, enum element or event `x` here
            `n` LS0316: this must be of type `bool`, and it is of type `int`
            `n == true` LS0322: values of the types `int` and `bool` cannot be compared
        "#]],
    );
}

#[test]
fn values_of_parameters() {
    check_tests(
        "param f: float; param a: any; type number = int; param t: number;
test param (n in [0, -0]) zero [main=Main]: { Main };
test param (n in [01, 1]) one [main=Main]: { Main };
test param (n in [2147483648]) large [main=Main]: { Main };
test param (n in [-2147483648]) small [main=Main]: { Main };
test param (n in [1, true, false]) mixed [main=Main]: { Main };
test param (f in [1]) real [main=Main]: { Main };
test param (a in [1]) anything [main=Main]: { Main };
test param (t in [007]) alias [main=Main]: { Main };
test param (n in [-2147483647]) fine [main=Main]: { Main };",
        expect![[r#"
            `-0` LS0503: the value `0` is given twice
            `1` LS0503: the value `1` is given twice
            `2147483648` LS0111: this number is too large: the largest is 2147483647
            `-2147483648` LS0111: this number is too large: the largest is 2147483647
            `true` LS0502: `n` is of type `int`, and this is of type `bool`
            `1` LS0502: `f` is of type `float`, and this is of type `int`
            `1` LS0502: `a` is of type `any`, and this is of type `int`
            test alias___t_7 [Main]
            test fine___n_neg2147483647 [Main]
        "#]],
    );
}

#[test]
fn a_bool_that_is_given_twice() {
    check_tests(
        "test param (b in [true, true]) same [main=Main]: { Main };
test param (b in [true, true], n in [1, 2]) (1 wise) different [main=Main]: { Main };",
        expect![[r#"
            `true` LS0513: a value is given twice, so that there are two tests `same___b_true`
            test different___b_true__n_1 [Main]
            test different___b_true__n_2 [Main]
        "#]],
    );
}

#[test]
fn names_that_others_have() {
    check_tests(
        "test param (n in [1, -2]) one [main=Main]: { Main };
test one___n_1 [main=Main]: { Main };
implementation one___n_neg2 [main=Main]: { Main };
test one___n_3 [main=Main]: { Main };
test param (m in [4]) one___n_1__x [main=Main]: { Main };",
        expect![[r#"
            `one___n_1` LS0513: the test `one` has a test `one___n_1` for its parameters, and this has the same name
            `one___n_neg2` LS0513: the test `one` has a test `one___n_neg2` for its parameters, and this has the same name
            test one___n_1 [Main]
            test one___n_neg2 [Main]
            test one___n_3 [Main]
            test one___n_1__x___m_4 [Main]
        "#]],
    );
}

#[test]
fn names_that_both_get_by_their_parameters() {
    let text = "param a, _b, b: int; machine M { start state S { } }
test param (a in [1, 2], _b in [5]) t [main=M]: { M };
test param (b in [5, 6]) t___a_2 [main=M]: { M };";
    check(
        text,
        expect![[r#"
            `t___a_2` LS0513: the test `t` has a test `t___a_2___b_5` for its parameters, and this has the same name
            test t___a_1___b_5 [M]
            test t___a_2___b_5 [M]
        "#]],
    );
    let found = |purpose, included| {
        let db = Database::default();
        let (project, files) = project(&db, purpose, &[text]);
        let file = ProjectFile::new(&db, project, files[0], included);
        file_diagnostics(&db, file).iter().filter(|found| found.code == "LS0513").count()
    };
    assert_eq!((found(Purpose::Checking, false), found(Purpose::Checking, true)), (1, 0), "P drops tests of included projects");
    assert_eq!(found(Purpose::Verifying, false), 0, "the verifier runs no tests");
}

#[test]
fn machines_and_events_with_the_name_of_a_test() {
    let text =
        "param a: int; machine t___a_1 { start state S { } } event t___a_2; spec t___a_3 observes t___a_2 { start state S { } }
test param (a in [1, 2]) t [main=t___a_1]: { t___a_1 };";
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[text]);
    let found = file_diagnostics(&db, ProjectFile::new(&db, project, files[0], false));
    let found = found.iter().filter(|found| found.code == "LS1313").map(|found| (&text[found.range], found.related.len()));
    assert_eq!(found.collect::<Vec<_>>(), [("t___a_1", 1), ("t___a_2", 1)]);
}

#[test]
fn strengths() {
    check_tests(
        "test pairwise none [main=Main]: { Main };
test param (n in [1, 2]) pairwise one [main=Main]: { Main };
test param (n in [1, 2], m in [1, 2]) pairwise two [main=Main]: { Main };
test param (n in [1, 2], m in [1, 2], b in [true, false]) pairwise three [main=Main]: { Main };
test param (n in [1, 2, 3], m in [1, 2]) (1 wise) each [main=Main]: { Main };
test param (n in [1, 2, 3], m in [1, 2, 3]) assume n + m != 4 (1 wise) some [main=Main]: { Main };",
        expect![[r#"
            test two___n_1__m_1 [Main]
            test two___n_2__m_1 [Main]
            test two___n_1__m_2 [Main]
            test two___n_2__m_2 [Main]
            test three___n_1__m_1__b_true [Main]
            test three___n_2__m_2__b_true [Main]
            test three___n_2__m_1__b_false [Main]
            test three___n_1__m_2__b_false [Main]
            test each___n_1__m_1 [Main]
            test each___n_2__m_2 [Main]
            test each___n_3__m_1 [Main]
            test some___n_1__m_1 [Main]
            test some___n_3__m_2 [Main]
            test some___n_2__m_3 [Main]
        "#]],
    );
}

#[test]
fn what_is_wrong_is_not_listed() {
    check_tests(
        "test open [main=Maker]: { Maker };
machine Maker { start state S { entry { new Other(); } } }
test refined [main=Main]: { Main } refines { Main };
test twice [main=Main]: { Main };
test twice [main=Main]: { Main };
implementation none: { Main };",
        expect![[r#"
            `{ Maker }` LS0505: the machines of this module create `Other`, and the module does not bind it
            `{ Main }` LS0508: tests with `refines` cannot be run: P has a syntax for them and no more
            `twice` LS0101: `twice` is declared already, as a test
            `none` LS0506: the implementation `none` has no main machine
            test twice [Main]
        "#]],
    );
}

#[test]
fn included_tests_are_not_listed() {
    let db = Database::default();
    let (own, files) = project(&db, Purpose::Checking, &["machine Main { start state S { } }", "test t [main=Main]: { Main };"]);
    let members = vec![Member::from(files[0]), Member { file: files[1], is_included: true }];
    let project = Project::open(&db, "including", members, own.purpose(&db));
    let names: Vec<&str> = project_tests(&db, project).iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["DefaultImpl"]);
}

#[test]
fn the_verifier_runs_no_tests() {
    let text = "param b: bool; fun f(): bool { return true; } machine Main { start state S { } }
test param (b in [true, true]) twice [main=Main]: { Main };
test assume f() called [main=Main]: { Main };
test assume 1 / 0 == 1 divided [main=Main]: { Main };
implementation none: { Main };";
    let found = |purpose| {
        let db = Database::default();
        let (project, files) = project(&db, purpose, &[text]);
        let found = checked(&db, ProjectFile::new(&db, project, files[0], false));
        found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(found(Purpose::Checking), ["LS0513", "LS0509", "LS0511", "LS0506"]);
    assert_eq!(found(Purpose::Verifying), [""; 0]);
}

// ---- Size ----

#[test]
fn absurd_sizes_end_in_words() {
    let list = |count: usize| (0..count).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
    let params = |count: usize, values: usize| {
        let all = (0..count).map(|number| format!("p{number} in [{}]", list(values)));
        all.collect::<Vec<_>>().join(", ")
    };
    let declared = (0..60).map(|number| format!("p{number}")).collect::<Vec<_>>().join(", ");
    let deep = format!("{}p0 == p1{}", "(".repeat(2_000), ")".repeat(2_000));
    let long = format!("p0 == {}0", "1 + ".repeat(2_000));
    let text = format!(
        "param {declared}: int; machine M {{ start state S {{ }} }}
test param ({}) all [main=M]: {{ M }};
test param ({}) pairwise pairs [main=M]: {{ M }};
test param ({}) (30 wise) many [main=M]: {{ M }};
test param ({}) classes [main=M]: {{ M }};
test param ({}) assume {long} long [main=M]: {{ M }};
test param ({}) assume {deep} deep [main=M]: {{ M }};",
        params(20, 100),
        params(20, 100),
        params(60, 1),
        params(17, 2),
        params(5, 10),
        params(2, 2),
    );
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[&text]);
    let found = checked(&db, ProjectFile::new(&db, project, files[0], false));
    let shown: String =
        found.iter().map(|found| format!("`{}` {}: {}\n", &text[found.range], found.code, found.message)).collect();
    expect![[r#"
        `all` LS0512: the parameters of this test have more than 1000000 combinations
        `pairs` LS0512: the parameters of this test have more than 1000000 combinations
        `many` LS0512: finding tests that cover this test's parameters would take too long
        `classes` LS0512: this stands for 131072 tests, and 100000 are the most
        `long` LS0512: this assumption is too long for so many combinations of parameters
    "#]]
    .assert_eq(&shown);
    let names: Vec<&str> = project_tests(&db, project).iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["deep___p0_0__p1_0", "deep___p0_1__p1_1"]);
}

// ---- Against a plain implementation ----

/// Written down again as P's compiler works: sets of tuples, and a scan of all combinations for each choice.
fn plainly_covering(sizes: &[usize], kept: &[u32], strength: usize) -> Vec<u32> {
    let value = |number: u32, param: usize| {
        let below: usize = sizes[..param].iter().product();
        number as usize / below % sizes[param]
    };
    let covered = |number: u32| -> std::collections::BTreeSet<Vec<(usize, usize)>> {
        let groups = (0_u32..1 << sizes.len()).filter(|group| group.count_ones() as usize == strength);
        groups
            .map(|group| {
                (0..sizes.len()).filter(|param| group >> param & 1 == 1).map(|param| (param, value(number, param))).collect()
            })
            .collect()
    };
    if strength == sizes.len() {
        return kept.to_vec();
    }
    let mut left: std::collections::BTreeSet<_> = kept.iter().flat_map(|number| covered(*number)).collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |number: u32| covered(number).intersection(&left).count();
        let rest: Vec<u32> = kept.iter().copied().filter(|number| !chosen.contains(number)).collect();
        let most = rest.iter().map(|number| gain(*number)).max().expect("something is left to cover");
        let best = *rest.iter().find(|number| gain(**number) == most).expect("there is one");
        left = left.difference(&covered(best)).cloned().collect();
        chosen.push(best);
    }
    chosen
}

#[test]
fn choices_are_those_of_a_plain_implementation() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = move |bound: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % bound as u64).expect("below a small number")
    };
    let mut compared = 0;
    for _ in 0..150 {
        let sizes: Vec<usize> = (0..1 + below(5)).map(|_| 1 + below(3)).collect();
        let all = u32::try_from(sizes.iter().product::<usize>()).expect("small");
        // An assumption keeps few or most or all of them.
        let keep = [1, 6, 12][below(3)];
        let kept: Vec<u32> = (0..all).filter(|_| below(12) < keep).collect();
        for strength in 1..=sizes.len() {
            let chosen = covering(&sizes, kept.clone(), strength).expect("small");
            assert_eq!(chosen, plainly_covering(&sizes, &kept, strength), "{sizes:?} {kept:?} {strength}");
            compared += usize::from(chosen.len() < kept.len());
        }
    }
    assert!(compared > 100, "most lists are shorter than all combinations");
}
