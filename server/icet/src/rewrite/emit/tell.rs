//! What the steps of a certificate do, in words, with the statements they are about: for people who have never seen the rules.
//!
//! The words are found while the steps are gone through, because a step names who moves and not what it does: that is the statement the
//! process has come to. Members are called as the sequential program calls them.

use lockstep_base::TextRange;

use super::Emitter;
use crate::print;
use crate::program::{Condition, Expr, MessageId, Program, SetId, StmtId, StmtKind};
use crate::rewrite::steps::Step;
use crate::rewrite::value::Who;

/// The most letters of a statement that are shown.
const MOST_LETTERS: usize = 60;

/// What one step does, or in which case the steps below it are done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// How many steps it is inside of.
    pub depth: usize,
    /// The name of the rule; none for one of the ways of a branch.
    pub rule: Option<&'static str>,
    /// Ends in a colon if steps inside of it follow.
    pub words: String,
    /// The statement that is executed.
    pub stmt: Option<StmtId>,
    /// Where the message was sent that is received.
    pub sent: Option<StmtId>,
}

impl Told {
    /// In one line. `line` says in which line of the source, counted from 1, a place is.
    pub fn text(&self, program: &Program, line: &dyn Fn(TextRange) -> u32) -> String {
        let line = |stmt: StmtId| line(program.stmt(stmt).range);
        let mut more = Vec::new();
        if let Some(stmt) = self.stmt {
            more.push(format!("line {}: `{}`", line(stmt), shortened(&print::stmt_head(program, stmt))));
        }
        more.extend(self.sent.map(|sent| format!("sent in line {}", line(sent))));
        more.extend(self.rule.map(|rule| format!("rule {rule}")));
        match (more.is_empty(), self.words.strip_suffix(':')) {
            (true, _) => self.words.clone(),
            (false, Some(words)) => format!("{words} ({}):", more.join("; ")),
            (false, None) => format!("{} ({})", self.words, more.join("; ")),
        }
    }
}

/// The deepest indentation: whoever nests more reads the numbers.
const DEEPEST: usize = 40;

/// Steps with the number of each among those it stands with, what is inside of a step indented. `line` as in `Told::text`.
pub fn told_lines(program: &Program, told: &[Told], line: &dyn Fn(TextRange) -> u32) -> Vec<String> {
    let mut counts: Vec<usize> = Vec::new();
    let numbered = told.iter().map(|told| {
        counts.resize(told.depth + 1, 0);
        counts[told.depth] += 1;
        format!("{}{}. {}", "  ".repeat(told.depth.min(DEEPEST)), counts[told.depth], told.text(program, line))
    });
    numbered.collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}...", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// What was told so far.
#[derive(Default)]
pub(super) struct Teller {
    told: Vec<Told>,
    depth: usize,
}

impl Teller {
    /// What was told, and for steps that could not be gone through, at least that they are there.
    pub(super) fn finish(mut self, steps: &[Step]) -> Vec<Told> {
        let told = self.told.iter().filter(|told| told.depth == 0).count();
        for step in steps.get(told..).unwrap_or_default() {
            let words = "this step could not be followed".to_owned();
            self.told.push(Told { depth: 0, rule: Some(step.rule()), words, stmt: None, sent: None });
        }
        self.told
    }
}

impl<'p> Emitter<'p> {
    /// Notes a step before it is done. What is to be given to `end_telling`.
    pub(super) fn begin_telling(&mut self, step: &Step) -> Option<usize> {
        self.teller.as_ref()?;
        let stmt = moving(step).and_then(|who| self.kernel.head(who)).map(|(head, _)| head);
        let sent = match step {
            Step::Receive { who, case, from } => self.message_of(*who, *case).and_then(|message| {
                let queue = self.queues.get(&(*from, *who, message))?;
                queue.first().map(|pending| pending.sent)
            }),
            _ => None,
        };
        let words = self.words_before(step);
        self.note(Told { depth: 0, rule: Some(step.rule()), words, stmt, sent })
    }

    /// Who takes part is called by name only when the step has given out the names.
    pub(super) fn end_telling(&mut self, at: Option<usize>, step: &Step) {
        let words = if at.is_some() { self.words_after(step) } else { None };
        let Some((teller, at)) = self.teller.as_mut().zip(at) else { return };
        teller.depth -= 1;
        if let Some(words) = words {
            teller.told[at].words = words;
        }
    }

    pub(super) fn begin_way(&mut self, head: StmtId, way: usize) {
        if self.teller.is_some() {
            let words = self.way_words(head, way);
            self.note(Told { depth: 0, rule: None, words, stmt: None, sent: None });
        }
    }

    pub(super) fn end_way(&mut self) {
        if let Some(teller) = &mut self.teller {
            teller.depth -= 1;
        }
    }

    fn note(&mut self, told: Told) -> Option<usize> {
        let teller = self.teller.as_mut()?;
        teller.told.push(Told { depth: teller.depth, ..told });
        teller.depth += 1;
        Some(teller.told.len() - 1)
    }

    /// The words of steps that are about one statement, which is gone afterwards.
    fn words_before(&self, step: &Step) -> String {
        match step {
            Step::Local { who } => format!("{} does this by itself", self.called(*who)),
            Step::Enter { who } => {
                let what = match self.kernel.head(*who).map(|(_, kind)| kind) {
                    Some(StmtKind::Atomic(_)) => "goes into its `atomic` block",
                    Some(StmtKind::Break) => "leaves its loop",
                    _ => "goes the only way that is possible here",
                };
                format!("{} {what}", self.called(*who))
            }
            Step::Send { who } => match self.kernel.head(*who) {
                Some((_, StmtKind::Send { message, target, .. })) => {
                    let target = print::expr(self.program, self.home(*who), target);
                    format!("{} sends `{}` to `{target}`", self.called(*who), self.message(*message))
                }
                _ => format!("{} sends a message", self.called(*who)),
            },
            Step::Receive { who, case, from } => {
                format!("{} receives {} from {}", self.called(*who), self.received(*who, *case), self.called(*from))
            }
            Step::TakeFromBag { who, case } => {
                format!("{} receives any {} of those that are there", self.called(*who), self.received(*who, *case))
            }
            Step::Branch { who, ways } => match self.kernel.head(*who).map(|(_, kind)| kind) {
                Some(StmtKind::Receive { .. }) => {
                    format!("what {} waits for comes or is lost, and then all go on from the same place:", self.called(*who))
                }
                _ => format!("{} can go {} ways, which all lead to the same place:", self.called(*who), ways.len()),
            },
            Step::Section => "a new part begins: other members can have theirs in between".to_owned(),
            Step::Loop { .. }
            | Step::Parallel { .. }
            | Step::Pick { .. }
            | Step::Repeat { .. }
            | Step::While { .. }
            | Step::Serve { .. } => String::new(),
        }
    }

    /// The words of steps that name members.
    fn words_after(&self, step: &Step) -> Option<String> {
        let all = |drivers: &[Who]| drivers.iter().map(|who| self.called(*who)).collect::<Vec<_>>().join(" and ");
        let have = |drivers: &[Who]| if drivers.len() == 1 { "has" } else { "have" };
        Some(match step {
            Step::Loop { drivers, focus, .. } => {
                let set = self.kernel.state.set_of(*focus).map(|set| self.set(set)).unwrap_or_default();
                let (drivers, have) = (all(drivers), have(drivers));
                format!("for every member {} of {set}, one after the other, {drivers} {have} a turn:", self.called(*focus))
            }
            Step::Parallel { set, focus, .. } => {
                format!("all members of {} do the following side by side, each as {}:", self.set(*set), self.called(*focus))
            }
            Step::Pick { set, chosen: None, focus, .. } => {
                format!("any one member of {} takes part, called {}:", self.set(*set), self.called(*focus))
            }
            Step::Pick { set, focus, .. } => {
                format!("the member of {} that was chosen before takes part, called {}:", self.set(*set), self.called(*focus))
            }
            Step::Repeat { drivers, .. } => format!("again and again, {} {} a turn:", all(drivers), have(drivers)),
            Step::While { driver, .. } => format!("as long as the loop goes on, {} has a turn:", self.called(*driver)),
            Step::Serve { who, focus } => format!("{} serves {} in a turn of its loop", self.called(*who), self.called(*focus)),
            _ => return None,
        })
    }

    fn way_words(&self, head: StmtId, way: usize) -> String {
        let stmt = self.program.stmt(head);
        match &stmt.kind {
            StmtKind::If { condition: Condition::Holds(condition), .. } if way == 0 => {
                let condition = print::expr(self.program, print::Home::of(stmt.process), condition);
                format!("if `{}` holds:", shortened(&condition))
            }
            StmtKind::If { condition: Condition::Holds(_), .. } => "if not:".to_owned(),
            StmtKind::Receive { .. } if way == 0 => "if it comes:".to_owned(),
            StmtKind::Receive { .. } => "if it is lost:".to_owned(),
            StmtKind::Match { value, arms, .. } => match arms.get(way) {
                Some(arm) => {
                    format!("case `{}`:", print::element(self.program, print::Home::of(stmt.process), value, arm.element))
                }
                None => "in all other cases:".to_owned(),
            },
            _ => format!("way {}:", way + 1),
        }
    }

    /// How somebody is called in the sequential program.
    fn called(&self, who: Who) -> String {
        match (who, self.pid(who)) {
            (Who::Each(set), _) => format!("each member of {}", self.set(set)),
            (Who::One(process), _) => format!("`{}`", self.program.process(process).name),
            (_, Expr::Local(local)) => {
                self.locals.get(local.index()).map_or_else(String::new, |local| format!("`{}`", local.name))
            }
            (_, Expr::Own(var)) => self.vars.get(var.index()).map_or_else(String::new, |var| format!("`{}`", var.name)),
            _ => "a member".to_owned(),
        }
    }

    fn home(&self, who: Who) -> print::Home {
        print::Home::of(self.kernel.actor(who).ok().map(|actor| actor.process))
    }

    fn set(&self, set: SetId) -> String {
        format!("`{}`", self.program.set(set).name)
    }

    fn message(&self, message: MessageId) -> &'p str {
        &self.program.message(message).name
    }

    fn message_of(&self, who: Who, case: usize) -> Option<MessageId> {
        match self.kernel.head(who) {
            Some((_, StmtKind::Receive { cases, .. })) => cases.get(case).map(|case| case.message),
            _ => None,
        }
    }

    fn received(&self, who: Who, case: usize) -> String {
        self.message_of(who, case).map_or_else(|| "a message".to_owned(), |message| format!("`{}`", self.message(message)))
    }
}

/// The one whose next statement a step is about.
fn moving(step: &Step) -> Option<Who> {
    match step {
        Step::Local { who }
        | Step::Enter { who }
        | Step::Send { who }
        | Step::Receive { who, .. }
        | Step::TakeFromBag { who, .. }
        | Step::Branch { who, .. }
        | Step::Serve { who, .. } => Some(*who),
        Step::Loop { drivers, .. } | Step::Repeat { drivers, .. } => drivers.first().copied(),
        Step::While { driver, .. } => Some(*driver),
        Step::Parallel { .. } | Step::Pick { .. } | Step::Section => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::check::tests::{check_text, programs};
    use crate::rewrite::{Step, sequentialize, tell, told_lines};

    /// The steps of a program, a line each.
    fn told(text: &str) -> String {
        let program = check_text(text).program.unwrap();
        let line = |range: lockstep_base::TextRange| 1 + text[..range.start().into()].matches('\n').count() as u32;
        let told = tell(&program, &sequentialize(&program).steps);
        told_lines(&program, &told, &line).into_iter().map(|told| told + "\n").collect()
    }

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&told(text));
    }

    #[test]
    fn who_does_what_where() {
        check(
            "message Ping(int);
             process a { send Ping(1) to b; }
             process b { var m: int; recv Ping(m) from a; m = m + 1; }",
            expect![[r#"
                1. `a` sends `Ping` to `b` (line 2: `send Ping(1) to b`; rule Send)
                2. `b` receives `Ping` from `a` (line 3: `recv Ping(m) from a`; sent in line 2; rule Receive)
                3. `b` does this by itself (line 3: `m = m + 1`; rule Local)
            "#]],
        );
    }

    #[test]
    fn a_loop_over_members_and_ways_of_a_branch() {
        check(
            "set Nodes; message Ask; message Answer(yes: bool);
             process a {
                 var yes: bool; var count: int;
                 for n in Nodes {
                     send Ask to n;
                     recv Answer(yes) from n;
                     if (yes) { count = count + 1; send Ask to n; } else { send Ask to n; }
                 }
             }
             process n in Nodes {
                 var yes: bool;
                 recv Ask from a; havoc yes; send Answer(yes) to a; recv Ask from a;
             }",
            expect![[r#"
                1. for every member `n` of `Nodes`, one after the other, `a` has a turn (line 4: `for n in Nodes`; rule Loop):
                  1. `a` sends `Ask` to `n` (line 5: `send Ask to n`; rule Send)
                  2. `n` receives `Ask` from `a` (line 12: `recv Ask from a`; sent in line 5; rule Receive)
                  3. `n` does this by itself (line 12: `havoc yes`; rule Local)
                  4. `n` sends `Answer` to `a` (line 12: `send Answer(yes) to a`; rule Send)
                  5. `a` receives `Answer` from `n` (line 6: `recv Answer(yes) from n`; sent in line 12; rule Receive)
                  6. `a` can go 2 ways, which all lead to the same place (line 7: `if (yes)`; rule Branch):
                    1. if `yes` holds:
                      1. `a` does this by itself (line 7: `count = count + 1`; rule Local)
                      2. `a` sends `Ask` to `n` (line 7: `send Ask to n`; rule Send)
                    2. if not:
                      1. `a` sends `Ask` to `n` (line 7: `send Ask to n`; rule Send)
                  7. `n` receives `Ask` from `a` (line 12: `recv Ask from a`; sent in line 7; rule Receive)
            "#]],
        );
    }

    #[test]
    fn members_side_by_side_and_a_server() {
        check(
            "set Clients; message Ask(c: Clients); message Answer;
             process server { var who: Clients; while (true) { recv Ask(who) from Clients; send Answer to who; } }
             process c in Clients { send Ask(c) to server; recv Answer from server; }",
            expect![[r#"
                1. all members of `Clients` do the following side by side, each as `c` (rule Parallel):
                  1. `c` sends `Ask` to `server` (line 3: `send Ask(c) to server`; rule Send)
                  2. `server` goes the only way that is possible here (line 2: `while (true)`; rule Enter)
                  3. `server` receives `Ask` from `c` (line 2: `recv Ask(who) from Clients`; sent in line 3; rule Receive)
                  4. `server` sends `Answer` to `who` (line 2: `send Answer to who`; rule Send)
                  5. `c` receives `Answer` from `server` (line 3: `recv Answer from server`; sent in line 2; rule Receive)
            "#]],
        );
    }

    #[test]
    fn loops_that_are_repeated_and_messages_that_get_lost() {
        check(
            "message Ping; message Stop;
             process a { repeat 3 { send Ping to b; } }
             process b { repeat 3 { recv Ping from a timeout { skip; } } }",
            expect![[r#"
                1. again and again, `a` and `b` have a turn (line 2: `repeat 3`; rule Repeat):
                  1. `a` sends `Ping` to `b` (line 2: `send Ping to b`; rule Send)
                  2. what `b` waits for comes or is lost, and then all go on from the same place (line 3: `recv Ping from a`; rule Branch):
                    1. if it comes:
                    2. if it is lost:
                      1. `b` does this by itself (line 3: `skip`; rule Local)
            "#]],
        );
    }

    #[test]
    fn a_long_statement_is_shortened() {
        let sum = ["1"; 60].join(" + ");
        let told = told(&format!("message M(int); process a {{ send M({sum}) to b; }} process b {{ recv M(_) from a; }}"));
        let first = told.lines().next().unwrap();
        assert!(first.len() < 150 && first.contains("1 + 1...`"), "{first}");
    }

    /// Every step of every program of the suite is told, with its statement if it has one.
    #[test]
    fn nothing_is_left_out() {
        let mut count = 0;
        for (name, text) in programs() {
            let program = check_text(&text).program.unwrap();
            let steps = sequentialize(&program).steps;
            let told = tell(&program, &steps);
            assert_eq!(told.iter().filter(|told| told.rule.is_some()).count(), count_of(&steps), "{name}");
            let has_stmt = |rule: &str| !matches!(rule, "Parallel" | "Pick" | "Section");
            for told in told {
                assert!(!told.words.is_empty() && !told.words.contains("could not"), "{name}: {told:?}");
                assert_eq!(told.stmt.is_some(), told.rule.is_some_and(has_stmt), "{name}: {told:?}");
                count += 1;
            }
        }
        assert!(count > 200);
    }

    fn count_of(steps: &[Step]) -> usize {
        let inside = |step: &Step| match step {
            Step::Branch { ways, .. } => ways.iter().map(|way| count_of(way)).sum(),
            Step::Loop { steps, .. }
            | Step::Parallel { steps, .. }
            | Step::Pick { steps, .. }
            | Step::Repeat { steps, .. }
            | Step::While { steps, .. } => count_of(steps),
            _ => 0,
        };
        steps.iter().map(|step| 1 + inside(step)).sum()
    }
}
