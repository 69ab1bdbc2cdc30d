//! An independent check of sequentialization certificates.
//!
//! The rules are those of `RULES.md`, written down a second time: nothing of what finds certificates is used here but the form of the
//! steps, so that a mistake on one side is seen by the other. Where the rules leave room, or promise more than they ask for, the strict
//! reading is taken:
//!
//! - *One choice at a time.* A choice among members of a set is made at most once in a turn of a Loop and in a Pick, a `for` that names
//!   its member and a `foreach` being such choices. In Parallel, whoever made a choice must be back before the next one is made, by
//!   anybody; that excludes that two members wait for each other, which two-phase locking does not. Each choice needs a Section of its own.
//! - *Answers.* In Parallel, the member must be answered by whoever made a choice before somebody else makes one, and before a turn
//!   ends. Else the member runs ahead, and may be served in another order than it asks: parts one after the other do not show that.
//! - *Nobody comes back.* At the end of Loop and Parallel, the member must not be able to send, and must not have sent, what a choice
//!   made for it would take. It is followed up to a receive that only the chooser, or somebody who waits for it, can serve.
//! - *No old messages.* A scope that stands for many turns receives no message between others that was under way before.
//! - *Addresses.* A member that nobody can name or was told of is sent nothing (`address.rs`).
//! - A receive with `timeout` holds nobody up, and neither does one for which a message is there.
//! - Scopes of one set are not nested, and are those of sets with a process; subsets are not looked at.
//! - `Each` only works locally.

mod address;
mod choice;
mod file;
mod place;
mod race;
mod scope;
mod shape;
mod single;
mod state;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use file::in_words;
pub use file::{FileError, from_json, to_json};

use std::collections::BTreeMap;

use crate::program::{Program, StmtId};
use crate::rewrite::{Step, Who};
use crate::stack::level;
use scope::Scope;
use shape::Shape;
use state::State;

/// What a certificate proves, for every size that the program's assumptions allow: no run is stuck, and no message is left.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims {
    /// How many messages were received on the way.
    pub matched: usize,
    /// Processes that wait to serve in the end.
    pub remaining: Vec<Who>,
    /// Assertions that were met and hold each time.
    pub asserts: Vec<StmtId>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// Where the step is: a number for each level, counted from 0. Ways of a Branch are a level. Empty for the end of the certificate.
    pub path: Vec<usize>,
    /// In words.
    pub reason: String,
}

/// Follows a certificate step by step.
pub fn certify(program: &Program, steps: &[Step]) -> Result<Claims, Rejection> {
    let mut checker = Checker {
        program,
        shape: Shape::of(program),
        state: State::start(program),
        scopes: Vec::new(),
        matched: 0,
        asserts: BTreeMap::new(),
        endless: Vec::new(),
        path: Vec::new(),
    };
    let checked = checker.steps(steps).and_then(|()| checker.finish());
    checked.map_err(|reason| Rejection { path: checker.path.clone(), reason })
}

/// A reason in words.
type Checked<T = ()> = Result<T, String>;

struct Checker<'p> {
    program: &'p Program,
    shape: Shape,
    state: State,
    /// Open ones, the innermost last.
    scopes: Vec<Scope>,
    matched: usize,
    /// Whether an assertion held each time it was met.
    asserts: BTreeMap<StmtId, bool>,
    /// Whose rounds go on for ever.
    endless: Vec<Who>,
    /// Of the step that is looked at; stays where a check fails.
    path: Vec<usize>,
}

impl Checker<'_> {
    fn steps(&mut self, steps: &[Step]) -> Checked {
        for (nth, step) in steps.iter().enumerate() {
            self.path.push(nth);
            level(|| self.step(step))?;
            self.path.pop();
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Checked {
        match step {
            Step::Local { who } => self.local(*who),
            Step::Enter { who } => self.enter(*who),
            Step::Send { who } => self.send(*who),
            Step::Receive { who, case, from } => self.receive(*who, *case, *from),
            Step::TakeFromBag { who, case } => self.take_from_bag(*who, *case),
            Step::Branch { who, ways } => self.branch(*who, ways),
            Step::Loop { drivers, focus, steps } => self.set_loop(drivers, *focus, steps),
            Step::Parallel { set, focus, steps } => self.parallel(*set, *focus, steps),
            Step::Pick { set, chosen, focus, steps } => self.pick(*set, *chosen, *focus, steps),
            Step::Repeat { drivers, steps } => self.repeat(drivers, steps),
            Step::While { driver, steps } => self.endless_or_not(*driver, steps),
            Step::Serve { who, focus } => self.serve(*who, *focus),
            Step::Section => self.section(),
        }
    }

    /// Everybody is through or waits to serve, and nothing is under way.
    fn finish(&self) -> Checked<Claims> {
        if self.program.sequential.is_some() {
            return Err("the program has a `sequential` block already".to_owned());
        }
        if let Some((from, to, message)) = self.state.channels.keys().next() {
            let message = &self.program.message(*message).name;
            return Err(format!("a `{message}` from {} to {} is never received", self.name(*from), self.name(*to)));
        }
        if let Some(bag) = self.state.bags.first() {
            return Err(format!(
                "messages `{}` to {} are never received",
                self.program.message(bag.message).name,
                self.name(bag.to)
            ));
        }
        let mut remaining = Vec::new();
        for actor in self.state.actors.iter().filter(|actor| !actor.at.is_done() || self.endless.contains(&actor.who)) {
            if !self.endless.contains(&actor.who) && !actor.at.is_idle(self.program) {
                return Err(format!("{} does not come to its end", self.name(actor.who)));
            }
            remaining.push(actor.who);
        }
        if self.matched == 0 && !remaining.is_empty() {
            return Err("no message was received, so nothing is said about the loops that remain".to_owned());
        }
        let asserts = self.asserts.iter().filter(|(_, holds)| **holds).map(|(stmt, _)| *stmt).collect();
        Ok(Claims { matched: self.matched, remaining, asserts })
    }

    fn name(&self, who: Who) -> String {
        let name =
            |process: Option<usize>| process.and_then(|nth| self.program.processes.get(nth)).map_or("?", |found| &found.name);
        match who {
            Who::One(process) => format!("`{}`", name(Some(process.index()))),
            Who::Each(set) => match self.program.sets.get(set.index()) {
                Some(set) => format!("each of `{}`", set.name),
                None => "a set that does not exist".to_owned(),
            },
            Who::Focus(number) => match self.state.actor(who) {
                Some(actor) => format!("member {number} `{}`", name(Some(actor.process.index()))),
                None => format!("member {number}, which is not looked at here"),
            },
        }
    }
}
