//! Values that are taken together: whatever goes wrong with all of them told apart goes wrong with them taken together.

use std::fmt::Write as _;

use lockstep_explore::{Budgets, Engine, Liveness, Options, Outcome, Reduction, Report, Why};
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

/// Values that are taken together can still be too many to choose from.
#[test]
fn too_many_to_choose_from_are_too_many_together() {
    let text = "machine Main {\n var many: int; var key: int;\n start state S { entry {\n many = 10001;\n\
                key = choose(many); // lockstep: abstract(0)\n } }\n}\ntest tc [main=Main]: { Main };\n";
    let tests = both(text, |_| true);
    let [(plain, together)] = &tests[..] else { panic!("one test") };
    for program in [plain, together] {
        assert!(matches!(searched(program, Delivery::Inbox).outcome, Outcome::Bug(_)));
    }
}

/// Random assignments to numbers and to what is made of them, some of them with values taken together, and conditions that may not hold.
struct Writer {
    random: Random,
    text: String,
}

/// What every machine has.
const VARIABLES: &str = "var a: int; var b: int; var c: int; var steps: int;
var pair: (x: int, y: int); var deep: (inner: (x: int, y: int), n: int);
var all: seq[int]; var pairs: seq[(x: int, y: int)]; var known: set[int]; var book: map[int, int]; var box: any;
fun pick(n: int, m: int): int { if (n == m) { return n + 1; } return m; }
";
const PLACES: [&str; 7] = ["a", "b", "c", "pair.x", "deep.inner.x", "deep.n", "book[1]"];

impl Writer {
    fn pick<'t>(&mut self, among: &[&'t str]) -> &'t str {
        among[self.random.below(among.len())]
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("it is memory");
    }

    fn operand(&mut self) -> String {
        match self.random.below(6) {
            0 => self.random.below(4).to_string(),
            1 => self.pick(&["pair.x", "deep.inner.x", "deep.n"]).to_owned(),
            _ => self.pick(&["a", "b", "c"]).to_owned(),
        }
    }

    fn number(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        match self.random.below(14) {
            0..=3 => format!("choose({})", 2 + self.random.below(6)),
            4 => format!("{left} + {right}"),
            5 => format!("{left} - {right}"),
            6 => format!("{left} {} {right}", self.pick(&["/", "%", "*"])),
            7 => format!("-{left}"),
            8 => format!("pick({left}, {right})"),
            9 => format!("pick({left}, choose({}))", 2 + self.random.below(6)),
            10 => self.pick(&["sizeof(all)", "sizeof(known)", "book[1]", "box as int", "choose(a)", "all[b]"]).to_owned(),
            _ => left,
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        match self.random.below(14) {
            0 => format!("(x = {left}, y = 1) == pair"),
            1 => format!("{left} in all"),
            2 => format!("(x = {left}, y = 1) in pairs"),
            3 => format!("{left} in {}", self.pick(&["known", "book"])),
            4 => format!("{left} in values(book)"),
            5 => format!("deep == (inner = pair, n = {right})"),
            6 => self.pick(&["box == null", "sizeof(known) > 1", "values(book) == all", "pair in pairs"]).to_owned(),
            _ => format!("{left} {} {right}", self.pick(&["==", "!=", "<", ">="])),
        }
    }

    /// Which values are kept, of these fields or of the number itself; or nothing of all this.
    fn comment(&mut self, fields: &[&str]) -> String {
        let kept = |random: &mut Random| match random.below(3) {
            0 => format!("{} | {}", random.below(4), random.below(4)),
            _ => random.below(4).to_string(),
        };
        if self.random.below(3) == 0 {
            return String::new();
        }
        let random = &mut self.random;
        let list = match fields {
            [] => kept(random),
            [first, ..] if random.below(2) == 0 => format!("{first} = {}", kept(random)),
            fields => fields.iter().map(|field| format!("{field} = {}", kept(random))).collect::<Vec<_>>().join(", "),
        };
        format!(" // lockstep: abstract({list})")
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth > 1 { 11 } else { 15 }) {
            0..=4 => {
                let (to, value, comment) = (self.pick(&PLACES), self.number(), self.comment(&[]));
                self.line(&format!("{to} = {value};{comment}"));
            }
            5 => {
                let (value, comment) = (self.number(), self.comment(&["x"]));
                self.line(&format!("pair = (x = {value}, y = 1);{comment}"));
            }
            6 => {
                let (value, number, comment) = (self.number(), self.number(), self.comment(&["x", "n"]));
                self.line(&format!("deep = (inner = (x = {value}, y = 1), n = {number});{comment}"));
            }
            7 => {
                let value = self.operand();
                let change =
                    self.pick(&["all += (sizeof(all), V);", "all += (0, V);", "known += (V);", "box = V;", "book[2] = V;"]);
                self.line(&change.replace('V', &value));
            }
            8 => {
                let comment = self.comment(&["x"]);
                self.line(&format!("pairs += (0, pair);\npairs = pairs;{comment}"));
            }
            9 => {
                let change =
                    self.pick(&["all = values(book);", "pair = deep.inner;", "book -= (1);", "known -= (a);", "box = pair;"]);
                self.line(change);
            }
            10 => self.line("foreach (c in all) { b = b + c; }"),
            11 | 12 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.statement(depth + 1);
                self.line("} else {");
                self.statement(depth + 1);
                self.line("}");
            }
            13 => {
                let condition = self.condition();
                self.line(&format!("while (steps < 3 && {condition}) {{ steps = steps + 1;"));
                self.statement(depth + 1);
                self.line("}");
            }
            _ => {
                let condition = self.condition();
                self.line(&format!("assert {condition};"));
            }
        }
    }

    fn statements(&mut self) {
        (0..1 + self.random.below(3)).for_each(|_| self.statement(0));
    }

    /// Machines that tell each other numbers and go on with what they are told: in which order is left open.
    fn program(seed: u64) -> String {
        let mut writer = Self { random: Random::new(seed), text: String::new() };
        let others = 1 + writer.random.below(2);
        writer.line("event e: (first: int, second: int); event back: int;");
        writer.line(&format!("machine Main {{\n{VARIABLES}start state S {{ entry {{\nbook[1] = 0;"));
        writer.statements();
        for _ in 0..others {
            let (value, comment) = (writer.number(), writer.comment(&[]));
            writer.line(&format!("b = {value};{comment}\nsend new Other(this), e, (first = b, second = pair.x);"));
        }
        writer.line("}\non back do (n: int) {\nc = n;");
        writer.statements();
        writer.line(&format!("}} }}\n}}\nmachine Other {{\nvar parent: machine;\n{VARIABLES}start state S {{"));
        writer.line("entry (m: machine) { parent = m; book[1] = 0; }\non e do (m: (first: int, second: int)) {");
        let comment = writer.comment(&[]);
        writer.line(&format!("a = m.first;{comment}\nb = m.second;"));
        writer.statements();
        let condition = writer.condition();
        // Most conditions fail for some value; this one holds for all.
        let condition = if seed.is_multiple_of(2) { format!("{condition} || !({condition})") } else { condition };
        let answer = writer.operand();
        writer.line(&format!("assert {condition};\nsend parent, back, {answer};\n}} }}\n}}"));
        match writer.random.below(6) {
            0 => {
                let kept = writer.random.below(4);
                let handler = format!("on back do (n: int) {{\nlast = n; // lockstep: abstract({kept})\nassert last != 3;\n}}");
                writer.line(&format!("spec Seen observes back {{ var last: int; start state S {{ {handler} }} }}"));
                writer.line("test tc [main=Main]: assert Seen in { Main, Other };");
            }
            1 | 2 => {
                writer.line("spec Seen observes e, back { var a: int; var b: int; var c: int; var more: int; start state S {");
                writer.line("on e do (m: (first: int, second: int)) { if (m.first == a) { b = b + 1; } else { a = m.second; } }");
                let (comment, kept) = (writer.comment(&[]), writer.random.below(4));
                writer.line(&format!("on back do (n: int) {{\nc = n;{comment}\nif (c == {kept} || n < b) {{ goto T; }} }} }}"));
                let condition = format!("n {} {}", writer.pick(&["==", "!=", "<"]), writer.pick(&["a", "b", "c", "2"]));
                let condition = if writer.random.below(2) == 0 { format!("{condition} || !({condition})") } else { condition };
                writer
                    .line(&format!("state T {{ ignore e; on back do (n: int) {{ more = more + 1; assert {condition}; }} }} }}"));
                writer.line("test tc [main=Main]: assert Seen in { Main, Other };");
            }
            _ => writer.line("test tc [main=Main]: { Main, Other };"),
        }
        writer.text
    }
}

#[test]
fn random_programs_lose_no_bug() {
    let (mut proved, mut failed, mut spurious) = (0, 0, 0);
    for seed in 0..count(400) {
        let seed = first_seed() + 9_000_000 + seed;
        let text = Writer::program(seed);
        let delivery = if seed.is_multiple_of(3) { Delivery::Network } else { Delivery::Inbox };
        for (plain, together) in both(&text, |_| true) {
            let found = searched(&together, delivery);
            let most = if matches!(found.outcome, Outcome::Exhausted(_)) { 20_000 } else { 1_000 };
            let all = naive::explore(&plain, &Settings { delivery, ..Settings::default() }, most);
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

/// The same programs with all values told apart have much to compute, too: as sets of states they say what they say one by one.
#[test]
fn random_programs_compute_the_same_as_sets() {
    let (mut exhausted, mut failed) = (0, 0);
    for seed in 0..count(100) {
        let seed = first_seed() + 9_500_000 + seed;
        let text = Writer::program(seed);
        let delivery = if seed.is_multiple_of(3) { Delivery::Network } else { Delivery::Inbox };
        let settings = Settings { delivery, ..Settings::default() };
        for (plain, _) in both(&text, |_| true) {
            let all = naive::explore(&plain, &settings, 3_000);
            let budgets = Budgets { guard_nodes: Some(10_000_000), ..Budgets::default() };
            let liveness = Liveness::AtEnd;
            let options = Options {
                settings,
                engine: Engine::Symbolic,
                reduction: Reduction::NONE,
                liveness,
                budgets,
                ..Options::default()
            };
            let found = search(&plain, &options);
            match &found.outcome {
                Outcome::Exhausted(sets) => {
                    assert!(all.failures.is_empty(), "seed {seed}: {:?}\n{text}", all.failures.first());
                    assert!(!all.is_complete || sets.states == all.configurations as u64, "seed {seed}: {sets:?}\n{text}");
                    exhausted += 1;
                }
                Outcome::Bug(bug) => {
                    let is_known = all.failures.iter().any(|(failure, _)| *failure == bug.failure);
                    assert!(is_known || !all.is_complete, "seed {seed}: {:?}\n{text}", bug.failure);
                    failed += 1;
                }
                Outcome::Unknown { why, .. } => assert!(!matches!(why, Why::NotReplayed(_)), "seed {seed}: {why}\n{text}"),
                Outcome::Unsupported(what) => panic!("seed {seed}: {what:?}\n{text}"),
            }
        }
    }
    assert!(exhausted >= 10 && failed >= 20, "{exhausted} exhausted, {failed} failed");
}
