//! Which rule is tried when.
//!
//! Demand drives it: the first process that has something to do goes on until it needs a message, then whoever can send that goes
//! on until it has, and so forth. Loops are gone through one turn at a time; what has come and gone in a turn must be settled at its
//! end. Rules are tried in a fixed order, and what fails is undone, so the same program gives the same result. Everything that is
//! done goes through the kernel: a bad strategy finds less, it does not prove more.

mod branch;
mod loops;

use std::sync::atomic::AtomicBool;

use super::facts::Facts;
use super::kernel::{Done, Kernel, Refusal};
use super::state::Code;
use super::steps::Step;
use super::value::{Known, Who};
use crate::program::{Case, Condition, Expr, MessageId, Program, SetId, Source, StmtId, StmtKind};

/// What a search for a sequentialization came to.
pub(crate) struct Found<'p> {
    pub kernel: Kernel<'p>,
    pub steps: Vec<Step>,
    /// Why it did not come to the end; the last word of everyone who could not go on.
    pub stuck: Vec<(Who, Refusal)>,
}

/// Searches until nothing more can be done.
pub(crate) fn search<'p>(program: &'p Program, facts: &'p Facts, budget: usize, cancel: Option<&'p AtomicBool>) -> Found<'p> {
    let kernel = Kernel { cancel, ..Kernel::new(program, facts, budget) };
    let mut strategy = Strategy { kernel, steps: Vec::new(), asked: Vec::new(), tried: 0, is_last: false };
    let mut stuck = Vec::new();
    loop {
        let before = strategy.count();
        // Nothing comes after what goes on for ever, so it comes last.
        for (is_last, is_careful) in [(false, true), (false, false), (true, true), (true, false)] {
            stuck.clear();
            strategy.is_last = is_last;
            strategy.round(is_careful, &mut stuck);
            if strategy.count() > before {
                break;
            }
        }
        let is_spent = stuck.iter().any(|(_, refusal)| *refusal == Refusal::Budget);
        if strategy.kernel.is_finished() || strategy.count() == before || is_spent {
            break;
        }
    }
    Found { kernel: strategy.kernel, steps: strategy.steps, stuck }
}

/// Until when somebody goes on.
#[derive(Clone)]
enum Goal {
    /// A message is in this channel.
    Sent(Who, Who, MessageId),
    /// The same, or the one who waits for it has gone on.
    Served(Who, Who, MessageId, Code),
    /// No message is in this channel.
    Taken(Who, Who, MessageId),
    TurnOver,
    /// The code is this, or what is around it.
    Code(Code),
    End,
}

struct Strategy<'p> {
    kernel: Kernel<'p>,
    steps: Vec<Step>,
    /// Who waits for whom.
    asked: Vec<Who>,
    /// How often both ways of a branch were followed to the end of what is around it.
    tried: usize,
    /// Whether it is time for what goes on for ever.
    is_last: bool,
}

type Mark<'p> = (Kernel<'p>, usize);

impl<'p> Strategy<'p> {
    fn count(&self) -> usize {
        self.steps.len()
    }

    fn mark(&self) -> Mark<'p> {
        (self.kernel.clone(), self.steps.len())
    }

    fn undo(&mut self, (mut kernel, steps): Mark<'p>) {
        // What was spent is spent.
        kernel.budget = self.kernel.budget.min(kernel.budget);
        self.kernel = kernel;
        self.steps.truncate(steps);
    }

    fn program(&self) -> &'p Program {
        self.kernel.program
    }

    /// Everybody once.
    fn round(&mut self, is_careful: bool, stuck: &mut Vec<(Who, Refusal)>) {
        let everybody: Vec<Who> = self.kernel.state.actors.iter().map(|actor| actor.who).collect();
        for who in everybody.iter().copied().filter(|who| matches!(who, Who::One(_))) {
            if let Err(refusal) = self.as_far_as_possible(who) {
                stuck.push((who, refusal));
            }
        }
        for who in everybody.iter().copied() {
            if let Who::Each(set) = who
                && let Err(refusal) = self.attempt(|strategy| strategy.parallel(set, is_careful))
            {
                stuck.push((who, refusal));
            }
        }
        let channels: Vec<_> = self.kernel.state.channels.keys().copied().collect();
        for (from, to, message) in channels {
            if matches!((from, to), (Who::One(_), Who::One(_))) {
                let _ = self.attempt(|strategy| strategy.run(to, &Goal::Taken(from, to, message)));
            }
        }
    }

    /// Undoes what was done if it fails.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        // What is kept in order to be able to go back costs something, too.
        self.kernel.budget = self.kernel.budget.saturating_sub(1);
        let mark = self.mark();
        let asked = self.asked.len();
        let result = work(self);
        self.asked.truncate(asked);
        if result.is_err() {
            self.undo(mark);
        }
        result
    }

    fn as_far_as_possible(&mut self, who: Who) -> Done {
        loop {
            let Some((_, kind)) = self.kernel.head(who) else { return Ok(()) };
            let actor = self.kernel.actor(who)?;
            if self.kernel.state.is_idle(self.program(), actor) {
                return Ok(());
            }
            let is_endless = is_endless(kind) || matches!(kind, StmtKind::Rounds { count: None, .. });
            if is_endless && !self.is_last {
                return Err(Refusal::NotNow);
            }
            if is_endless && self.attempt(|strategy| strategy.while_turn(who)).is_ok() {
                continue;
            }
            let before = self.count();
            self.attempt(|strategy| strategy.step(who))?;
            if self.count() == before {
                return Err(Refusal::NotNow);
            }
        }
    }

    fn run(&mut self, who: Who, goal: &Goal) -> Done {
        while !self.is_reached(who, goal) {
            if self.kernel.head(who).is_none() {
                return Err(Refusal::NotNow);
            }
            self.step(who)?;
        }
        Ok(())
    }

    fn is_reached(&self, who: Who, goal: &Goal) -> bool {
        let state = &self.kernel.state;
        match goal {
            Goal::Sent(from, to, message) => state.pending(&(*from, *to, *message)).is_some(),
            Goal::Served(from, to, message, code) => {
                state.pending(&(*from, *to, *message)).is_some() || state.actor(*to).is_none_or(|actor| actor.code != *code)
            }
            Goal::Taken(from, to, message) => state.pending(&(*from, *to, *message)).is_none(),
            Goal::TurnOver => state.actor(who).is_some_and(|actor| actor.code.is_turn_over()),
            Goal::Code(code) => state.actor(who).is_none_or(|actor| actor.code == *code || actor.code.0.len() < code.0.len()),
            Goal::End => state.actor(who).is_none_or(|actor| actor.code.is_done()),
        }
    }

    fn step(&mut self, who: Who) -> Done {
        let (head, kind) = self.kernel.head(who).ok_or(Refusal::NotNow)?;
        if self.kernel.facts.is_local(head) {
            self.kernel.local(who)?;
            self.steps.push(Step::Local { who });
            return Ok(());
        }
        match kind {
            StmtKind::Send { .. } => self.send(who),
            StmtKind::Receive { timeout: Some(_), cases } => self.receive_or_time_out(who, head, cases),
            StmtKind::Receive { cases, .. } => self.receive(who, head, cases),
            StmtKind::Atomic(_) | StmtKind::Break => self.enter(who),
            StmtKind::If { .. } | StmtKind::Match { .. } if self.kernel.decided(who).is_some() => self.enter(who),
            StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose { .. } => {
                let ways = self.kernel.arms(who);
                self.branch(who, ways, |kernel, way| kernel.enter_arm(who, way))
            }
            StmtKind::While { .. } if self.kernel.decided(who).is_some() => self.enter(who),
            StmtKind::While { .. } => self.while_turn(who),
            StmtKind::For(_) | StmtKind::Foreach(_) => self.set_loop(who),
            StmtKind::Repeat { .. } => self.repeat(who),
            StmtKind::Rounds { .. } => self.rounds(who),
            _ => Err(Refusal::Unsupported { stmt: head, what: "this statement" }),
        }
    }

    fn enter(&mut self, who: Who) -> Done {
        self.kernel.enter(who)?;
        self.steps.push(Step::Enter { who });
        Ok(())
    }

    fn send(&mut self, who: Who) -> Done {
        match self.kernel.send(who) {
            Ok(()) => {
                self.steps.push(Step::Send { who });
                Ok(())
            }
            Err(Refusal::NeedsFocus { set, chosen }) => self.with_chosen(who, set, chosen),
            Err(refusal) => Err(refusal),
        }
    }

    /// Looks at the member that a process chose, to the end of the block in which it deals with it; or for one statement only.
    fn with_chosen(&mut self, who: Who, set: SetId, chosen: u32) -> Done {
        let depth = self.kernel.actor(who)?.code.0.len();
        let to_the_end = self.attempt(|strategy| {
            strategy.pick(set, Some(chosen), |strategy, _| {
                loop {
                    strategy.step(who)?;
                    let code = &strategy.kernel.actor(who)?.code;
                    if code.0.len() < depth || code.is_turn_over() {
                        return Ok(());
                    }
                }
            })
        });
        to_the_end.or_else(|_| self.pick(set, Some(chosen), |strategy, _| strategy.step(who)))
    }

    /// Looks at a member alone, has it take what was sent to it, and puts it back.
    fn pick(&mut self, set: SetId, chosen: Option<u32>, work: impl FnOnce(&mut Self, Who) -> Done) -> Done {
        let focus = self.kernel.open_pick(set, chosen)?;
        let outside = std::mem::take(&mut self.steps);
        let result = work(self, focus).and_then(|()| self.settle_focus(focus, set)).and_then(|()| self.kernel.close());
        let steps = std::mem::replace(&mut self.steps, outside);
        result?;
        self.steps.push(Step::Pick { set, chosen, focus, steps });
        Ok(())
    }

    /// Goes on with a member until it is where its set is.
    fn settle_focus(&mut self, focus: Who, set: SetId) -> Done {
        self.deliver_to(focus)?;
        let home = self.kernel.actor(Who::Each(set))?.code.clone();
        self.run(focus, &Goal::Code(home))?;
        self.deliver_from(focus);
        Ok(())
    }

    /// Has those who wait for it take what a member sent, while it is known who sent it.
    fn deliver_from(&mut self, focus: Who) {
        let channels: Vec<_> = self.kernel.state.channels.keys().copied().filter(|(from, _, _)| *from == focus).collect();
        for (from, to, message) in channels {
            let is_waiting = matches!(self.kernel.head(to), Some((_, StmtKind::Receive { timeout: None, .. })));
            if is_waiting && self.can_receive(to) {
                let _ = self.attempt(|strategy| strategy.run(to, &Goal::Taken(from, to, message)));
            }
        }
    }

    fn deliver_to(&mut self, focus: Who) -> Done {
        loop {
            let mut channels = self.kernel.state.channels.keys();
            let Some(&(from, to, message)) = channels.find(|(_, to, _)| *to == focus) else { return Ok(()) };
            self.run(focus, &Goal::Taken(from, to, message))?;
            self.coast(focus)?;
        }
    }

    fn receive(&mut self, who: Who, head: StmtId, cases: &[Case]) -> Done {
        if let [Case { source: Source::One(source), .. }] = cases
            && let Known::Chosen(set, chosen) = self.kernel.actor(who)?.env.eval(source)
            && !self.kernel.is_open(set)
        {
            return self.with_chosen(who, set, chosen);
        }
        let candidates = self.candidates(who, cases);
        let is_definite = matches!(cases, [case] if self.kernel.source(who, case).is_some());
        for &(case, from) in &candidates {
            if self.kernel.state.pending(&(from, who, cases[case].message)).is_some() {
                return self.take(who, case, from);
            }
        }
        for case in 0..cases.len() {
            if self.attempt(|strategy| strategy.take_from_bag(who, case)).is_ok() {
                return Ok(());
            }
        }
        let mut last = Refusal::Empty { receive: head };
        for &(case, from) in &candidates {
            let result = self.attempt(|strategy| strategy.ask(who, case, from, cases[case].message));
            match result {
                Ok(()) => return Ok(()),
                Err(Refusal::NotNow | Refusal::Empty { .. }) => {}
                Err(refusal) => last = refusal,
            }
        }
        // Nobody in particular: whoever got something from this one may pass it on.
        if !is_definite && self.attempt(|strategy| strategy.push(who)).is_ok() { Ok(()) } else { Err(last) }
    }

    /// Has those who wait for it take what somebody sent, and see it through, in the hope that this comes back.
    fn push(&mut self, who: Who) -> Done {
        let waiting = self.kernel.actor(who)?.code.clone();
        let channels: Vec<_> = self.kernel.state.channels.keys().copied().filter(|(from, _, _)| *from == who).collect();
        for (from, to, message) in channels {
            if self.asked.contains(&to) || !self.can_receive(to) {
                continue;
            }
            let home = self.kernel.actor(to)?.code.clone();
            self.asked.push(who);
            let result = self.attempt(|strategy| {
                strategy.run(to, &Goal::Taken(from, to, message))?;
                strategy.run(to, &Goal::Code(home))
            });
            self.asked.pop();
            if result.is_ok() && self.kernel.actor(who)?.code != waiting {
                return Ok(());
            }
        }
        Err(Refusal::NotNow)
    }

    fn take_from_bag(&mut self, who: Who, case: usize) -> Done {
        self.kernel.take_from_bag(who, case)?;
        self.steps.push(Step::TakeFromBag { who, case });
        Ok(())
    }

    fn take(&mut self, who: Who, case: usize, from: Who) -> Done {
        match self.kernel.clone().receive(who, case, from) {
            Err(Refusal::NeedsSection) => {
                self.kernel.section()?;
                self.steps.push(Step::Section);
            }
            Err(refusal) => return Err(refusal),
            Ok(()) => {}
        }
        self.kernel.receive(who, case, from)?;
        self.steps.push(Step::Receive { who, case, from });
        Ok(())
    }

    /// Has `from` go on until it has sent, and takes the message.
    fn ask(&mut self, who: Who, case: usize, from: Who, message: MessageId) -> Done {
        if from == who || self.asked.contains(&from) && !self.can_receive(from) {
            return Err(Refusal::NotNow);
        }
        if let Who::Each(set) = from {
            return self.pick(set, None, |strategy, focus| strategy.ask(who, case, focus, message));
        }
        self.asked.push(who);
        let waiting = self.kernel.actor(who)?.code.clone();
        let result = self.run(from, &Goal::Served(from, who, message, waiting.clone()));
        self.asked.pop();
        result?;
        if self.kernel.actor(who)?.code != waiting {
            return Ok(());
        }
        self.take(who, case, from)
    }

    /// Whether what a process waits for is there.
    fn can_receive(&self, who: Who) -> bool {
        let Some((_, StmtKind::Receive { cases, .. })) = self.kernel.head(who) else { return true };
        let is_there = |case: &Case| match self.kernel.source(who, case) {
            Some(from) => self.kernel.state.pending(&(from, who, case.message)).is_some(),
            None => self.kernel.state.channels.keys().any(|(_, to, message)| *to == who && *message == case.message),
        };
        cases.iter().any(is_there)
    }

    /// Does what is decided and concerns nobody else.
    fn coast(&mut self, who: Who) -> Done {
        while let Some((head, kind)) = self.kernel.head(who) {
            let is_sure = match kind {
                StmtKind::Atomic(_) | StmtKind::Break => true,
                StmtKind::If { .. } | StmtKind::Match { .. } => self.kernel.decided(who).is_some(),
                _ => false,
            };
            if !is_sure && !self.kernel.facts.is_local(head) {
                return Ok(());
            }
            self.step(who)?;
        }
        Ok(())
    }

    /// Who could send what a receive takes, by case, those that are looked at alone first.
    fn candidates(&self, who: Who, cases: &[Case]) -> Vec<(usize, Who)> {
        let kernel = &self.kernel;
        let mut found = Vec::new();
        for (nth, case) in cases.iter().enumerate() {
            if let Some(from) = kernel.source(who, case) {
                found.push((nth, from));
                continue;
            }
            for actor in kernel.state.actors.iter().rev().filter(|actor| actor.who != who) {
                let set = kernel.state.set_of(actor.who);
                let is_meant = match &case.source {
                    Source::Any => true,
                    Source::Of(Expr::Set(of)) => set == Some(*of),
                    _ => false,
                };
                let is_resting = matches!(actor.who, Who::Each(set) if kernel.is_open(set));
                let can = || {
                    kernel.state.pending(&(actor.who, who, case.message)).is_some()
                        || kernel.could_send(actor.who, who, &[case.message]).is_some()
                };
                if is_meant && !is_resting && can() {
                    found.push((nth, actor.who));
                }
            }
        }
        found
    }

    fn receive_or_time_out(&mut self, who: Who, head: StmtId, cases: &[Case]) -> Done {
        let is_there = |strategy: &Self| !matches!(strategy.kernel.case_there(who, head, cases), Err(Refusal::Empty { .. }));
        if !is_there(self) {
            self.attempt(|strategy| strategy.enter(who)).or_else(|_| self.ask_for_any(who, head, cases))?;
            // Given up, or served meanwhile.
            if self.kernel.head(who).is_none_or(|(next, _)| next != head) {
                return Ok(());
            }
        }
        self.branch(who, 2, |kernel, way| kernel.receive_or_time_out(who, way))
    }

    /// Has the sender go on until it has sent what one of the cases takes.
    fn ask_for_any(&mut self, who: Who, head: StmtId, cases: &[Case]) -> Done {
        let mut last = Refusal::Empty { receive: head };
        for case in cases {
            let from = self.kernel.source(who, case).ok_or(Refusal::UnknownPartner { stmt: head })?;
            if self.asked.contains(&from) {
                return Err(Refusal::NotNow);
            }
            let result = self.attempt(|strategy| {
                strategy.asked.push(who);
                strategy.run(from, &Goal::Sent(from, who, case.message))
            });
            match result {
                Ok(()) => return Ok(()),
                Err(refusal) => last = refusal,
            }
        }
        Err(last)
    }

    /// Opens a scope, works in it, closes it, and records it as one step.
    fn scoped<T: Copy>(
        &mut self,
        open: impl FnOnce(&mut Self) -> Done<T>,
        work: impl FnOnce(&mut Self, T) -> Done,
        step: impl FnOnce(T, Vec<Step>) -> Step,
    ) -> Done {
        let opened = open(self)?;
        let outside = std::mem::take(&mut self.steps);
        let result = work(self, opened).and_then(|()| self.kernel.close());
        let steps = std::mem::replace(&mut self.steps, outside);
        result?;
        self.steps.push(step(opened, steps));
        Ok(())
    }

    /// All members of a set go as far as they can, each with processes that serve them. `is_careful`: but not so far that a message is
    /// left of which nobody knows afterwards that it says what the member did.
    fn parallel(&mut self, set: SetId, is_careful: bool) -> Done {
        let mut why = Refusal::NotNow;
        let mut moved = 0;
        self.scoped(
            |strategy| strategy.kernel.open_parallel(set),
            |strategy, focus| {
                let mut safe = strategy.mark();
                while let Some((_, kind)) = strategy.kernel.head(focus) {
                    if is_endless(kind) {
                        // What goes on for ever is looked at by the turn, unless it waits to serve.
                        let actor = strategy.kernel.actor(focus)?;
                        if !strategy.is_last || strategy.kernel.state.is_idle(strategy.program(), actor) {
                            break;
                        }
                        if let Err(refusal) = strategy.attempt(|strategy| strategy.while_turn(focus)) {
                            why = refusal;
                        }
                        break;
                    }
                    if is_careful && !strategy.kernel.has_secret(focus) {
                        safe = strategy.mark();
                    }
                    if let Err(refusal) = strategy.attempt(|strategy| {
                        strategy.step(focus)?;
                        strategy.settle(&[], Some(focus))
                    }) {
                        why = refusal;
                        break;
                    }
                }
                let _ = strategy.attempt(|strategy| strategy.serve_all_from(focus));
                strategy.settle(&[], Some(focus))?;
                if is_careful && strategy.kernel.has_secret(focus) {
                    strategy.undo(safe);
                }
                moved = strategy.count();
                if moved == 0 { Err(why.clone()) } else { Ok(()) }
            },
            |focus, steps| Step::Parallel { set, focus, steps },
        )
    }

    /// Has whoever waits to serve take what the member sent.
    fn serve_all_from(&mut self, focus: Who) -> Done {
        loop {
            let mut channels = self.kernel.state.channels.keys();
            let Some(&(from, to, message)) = channels.find(|(from, to, _)| *from == focus && self.is_server(*to)) else {
                return Ok(());
            };
            self.run(to, &Goal::Taken(from, to, message))?;
            self.settle(&[], Some(focus))?;
        }
    }

    fn is_server(&self, who: Who) -> bool {
        self.kernel.state.actor(who).is_some_and(|actor| self.kernel.state.is_idle(self.program(), actor))
    }
}

/// How often ways of branches inside of each other are followed to the end of what is around: each time doubles the work.
const MOST_TRIES: usize = 2;

fn is_endless(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), .. })
}
