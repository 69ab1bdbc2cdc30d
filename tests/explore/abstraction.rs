//! Values that are taken together: whatever goes wrong with all of them told apart goes wrong with them taken together.

use std::fmt::Write as _;

use lockstep_explore::{Budgets, Liveness, Options, Outcome, Report};
use lockstep_program::{Database, project_errors, project_tests};
use lockstep_runtime::{self as runtime, Delivery, Program, Settings, lower, naive};
use lockstep_tests::{Random, p_project};

use crate::{count, first_seed, search};

/// The tests of a program as it is written, and with values taken together.
fn both(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<(Program, Program)> {
    let db = Database::default();
    let (project, _) = p_project(&db, vec![("test.p".to_owned(), text.to_owned())]);
    assert_eq!(project_errors(&db, project), 0, "{text}");
    let together = runtime::Options { is_abstract: true, ..runtime::Options::default() };
    let cases = project_tests(&db, project).iter().filter(|case| is_wanted(&case.name));
    let lowered = |options: &runtime::Options, case| lower(&db, project, case, options).expect("there are no errors");
    cases.map(|case| (lowered(&runtime::Options::default(), case), lowered(&together, case))).collect()
}

fn searched(program: &Program, delivery: Delivery) -> Report {
    let budgets = Budgets { states: Some(300_000), ..Budgets::default() };
    let settings = Settings { delivery, ..Settings::default() };
    search(program, &Options { settings, liveness: Liveness::AtEnd, budgets, ..Options::default() })
}

#[test]
fn a_commit_of_values_without_an_end_has_an_end() {
    let text = include_str!("../programs/models/commit_keys.p");
    let tests =
        both(text, |name| name.contains("participants_2") && name.contains("key_count_1000") && name.contains("writes_9999"));
    let [(plain, together)] = &tests[..] else { panic!("{} tests", tests.len()) };
    for delivery in [Delivery::Inbox, Delivery::Network] {
        assert!(matches!(searched(plain, delivery).outcome, Outcome::Unknown { .. }), "the values have no end");
        let found = searched(together, delivery);
        assert!(matches!(found.outcome, Outcome::Exhausted(_)), "{delivery:?}: {:?}", found.outcome);
    }
}

#[test]
fn models_with_mistakes_fail_with_values_taken_together() {
    for text in [
        include_str!("../programs/models/broken/commit_keys_any_key.p"),
        include_str!("../programs/models/broken/paxos_values_old_value_forgotten.p"),
    ] {
        for (_, together) in both(text, |_| true) {
            assert!(!together.abstractions.is_empty());
            assert!(matches!(searched(&together, Delivery::Inbox).outcome, Outcome::Bug(_)), "{text}");
        }
    }
}

/// A number that is not told apart is still no text: the cast fails as it does with every number.
#[test]
fn a_number_is_nothing_else() {
    let text = "machine Main {\n var any_value: any; var text: string; var key: int;\n start state S { entry {\n\
                key = choose(100); // lockstep: abstract(0)\n any_value = key; text = any_value as string; } }\n}\n\
                test tc [main=Main]: { Main };\n";
    let tests = both(text, |_| true);
    let [(plain, together)] = &tests[..] else { panic!("one test") };
    assert!(!together.abstractions.is_empty());
    for program in [plain, together] {
        assert!(matches!(searched(program, Delivery::Inbox).outcome, Outcome::Bug(_)));
    }
}

/// Random assignments to numbers, some of them with values taken together, and conditions that may not hold.
struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn pick<'t>(&mut self, among: &[&'t str]) -> &'t str {
        among[self.random.below(among.len())]
    }

    fn operand(&mut self) -> String {
        match self.random.below(5) {
            0 => self.random.below(4).to_string(),
            1 => "pair.x".to_owned(),
            _ => self.pick(&["a", "b", "c"]).to_owned(),
        }
    }

    fn number(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        match self.random.below(8) {
            0 | 1 => format!("choose({})", 2 + self.random.below(6)),
            2 => format!("{left} + {right}"),
            3 => format!("{left} - {right}"),
            4 => format!("{left} / {right}"),
            5 => format!("-{left}"),
            _ => left,
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        let compared = self.pick(&["==", "!=", "<", ">="]);
        match self.random.below(5) {
            0 => format!("(x = {left}, y = 1) == pair"),
            1 => format!("{left} in all"),
            _ => format!("{left} {compared} {right}"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let kept = |random: &mut Random| random.below(4);
        match self.random.below(if depth > 1 { 6 } else { 8 }) {
            0..=3 => {
                let (to, value) = (self.pick(&["a", "b", "c", "pair.x"]), self.number());
                let comment = match self.random.below(3) {
                    0 => String::new(),
                    1 => format!(" // lockstep: abstract({})", kept(&mut self.random)),
                    _ => format!(" // lockstep: abstract({} | {})", kept(&mut self.random), kept(&mut self.random)),
                };
                writeln!(self.text, "{to} = {value};{comment}").expect("it is memory");
            }
            4 => {
                let (value, field) = (self.number(), kept(&mut self.random));
                writeln!(self.text, "pair = (x = {value}, y = 1); // lockstep: abstract(x = {field})").expect("it is memory");
            }
            5 => {
                let value = self.operand();
                writeln!(self.text, "all += (sizeof(all), {value});").expect("it is memory");
            }
            6 => {
                let condition = self.condition();
                writeln!(self.text, "if ({condition}) {{").expect("it is memory");
                self.statement(depth + 1);
                self.text.push_str("} else {\n");
                self.statement(depth + 1);
                self.text.push_str("}\n");
            }
            _ => {
                let condition = self.condition();
                writeln!(self.text, "assert {condition};").expect("it is memory");
            }
        }
    }

    /// Two machines: one computes and sends what it has, the other goes on with that.
    fn program(seed: u64) -> String {
        let mut writer = Self { random: Random::new(seed), text: String::new() };
        let variables = "var a: int; var b: int; var c: int; var pair: (x: int, y: int); var all: seq[int];\n";
        writer.text.push_str("event e: (first: int, second: int);\nmachine Main {\n");
        writer.text.push_str(variables);
        writer.text.push_str("start state S { entry {\n");
        (0..3).for_each(|_| writer.statement(0));
        writer.text.push_str("send new Other(), e, (first = a, second = pair.x);\n} }\n}\nmachine Other {\n");
        writer.text.push_str(variables);
        writer.text.push_str("start state S { on e do (m: (first: int, second: int)) {\na = m.first; b = m.second;\n");
        (0..3).for_each(|_| writer.statement(0));
        let condition = writer.condition();
        // Most conditions fail for some value; this one holds for all.
        let condition = if seed.is_multiple_of(2) { format!("{condition} || !({condition})") } else { condition };
        writeln!(writer.text, "assert {condition};\n}} }}\n}}\ntest tc [main=Main]: {{ Main, Other }};").expect("it is memory");
        writer.text
    }
}

#[test]
fn random_programs_lose_no_bug() {
    let (mut proved, mut failed, mut spurious) = (0, 0, 0);
    for seed in 0..count(400) {
        let seed = first_seed() + 9_000_000 + seed;
        let text = Writer::program(seed);
        for (plain, together) in both(&text, |_| true) {
            let all = naive::explore(&plain, &Settings::default(), 20_000);
            let found = searched(&together, Delivery::Inbox);
            match (&found.outcome, all.failures.is_empty()) {
                (Outcome::Exhausted(_), is_right) => {
                    assert!(is_right, "seed {seed}: {:?}\n{text}", all.failures.first());
                    proved += u32::from(all.is_complete && !together.abstractions.is_empty());
                }
                (Outcome::Bug(_), true) => spurious += 1,
                (Outcome::Bug(_), false) => failed += 1,
                (Outcome::Unknown { .. } | Outcome::Unsupported(_), _) => {}
            }
        }
    }
    assert!(proved >= 10 && failed >= 50 && spurious >= 1, "{proved} proved, {failed} failed, {spurious} spurious");
}
