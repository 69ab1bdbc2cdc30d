//! Whether a receive could take another message than the certificate says.
//!
//! From the state that the certificate has reached, everybody is followed on all ways, up to a receive that only *held up* actors can
//! serve: the one that receives, those who are done, and those who wait for them. A receive with `timeout` holds nobody up, and neither
//! does one for which a message is there. Members of a set with an open scope are followed without stopping, because they can be anywhere.

use super::state::{Actor, State};
use super::value::{Val, eval};
use crate::program::{Block, Case, Expr, Program, SetId, Source, StmtId, StmtKind, Type, Whose};
use crate::rewrite::Who;
use crate::stack::level;

pub(super) struct Race<'a> {
    pub(super) program: &'a Program,
    pub(super) state: &'a State,
    /// Sets with an open scope.
    pub(super) open: Vec<SetId>,
    pub(super) receiver: &'a Actor,
    pub(super) receive: StmtId,
    /// Whether anybody can send to the receiver while it waits.
    pub(super) is_reachable: bool,
}

/// What else the receive could take.
#[derive(Default)]
pub(super) struct Rivals {
    /// Other members of the sender's set can send something that would be taken.
    pub(super) members: bool,
    /// So can somebody else.
    pub(super) others: Option<Who>,
}

/// Who a pid or a set of pids can mean.
#[derive(Clone, Copy, PartialEq)]
enum Meant {
    Anybody,
    Just(Who),
    MembersOf(SetId),
}

impl Race<'_> {
    /// Who else than `from` could be first, and what else than `message` could `from` itself send. Without `from`: who else than nobody.
    pub(super) fn rivals(&self, from: Option<Who>, chosen: usize) -> Rivals {
        let held = self.held();
        let set = from.and_then(|from| self.state.actor(from)).and_then(|actor| actor.set);
        let mut rivals = Rivals::default();
        for actor in &self.state.actors {
            let is_sender = Some(actor.who) == from;
            let except = is_sender.then_some(chosen);
            if actor.who == self.receiver.who && !matches!(actor.who, Who::Each(_)) {
                continue;
            }
            if !self.is_rival(actor, &held, except) {
                continue;
            }
            if !is_sender && actor.set.is_some() && actor.set == set {
                rivals.members = true;
            } else {
                rivals.others = Some(actor.who);
            }
        }
        for bag in &self.state.bags {
            let is_taken_by = |case: &Case| case.message == bag.message && self.fits(case, Who::Each(bag.set));
            if from.is_some() && bag.to == self.receiver.who && self.cases().iter().any(is_taken_by) {
                rivals.others = Some(Who::Each(bag.set));
            }
        }
        rivals
    }

    /// Whether nobody will send what the receiver waits for, and nothing of it is there.
    pub(super) fn is_in_vain(&self) -> bool {
        let from: Vec<&Actor> =
            self.state.actors.iter().filter(|actor| self.cases().iter().any(|case| self.fits(case, actor.who))).collect();
        // Without a barrier: whatever the others do.
        from.into_iter().all(|actor| !self.is_under_way(actor, None) && !self.can_get_to_send(actor, None, None))
    }

    /// Whether, beside the message of one case, another one is there or can be sent.
    pub(super) fn has_alternative(&self, taken: usize) -> bool {
        let except = Some(taken);
        self.state.actors.iter().any(|actor| self.is_under_way(actor, except) || self.can_get_to_send(actor, None, except))
    }

    /// Whether a member that had its turn can still send what a choice of the receiver would take, or has sent it already.
    pub(super) fn comes_back(&self, member: &Actor) -> bool {
        self.is_rival(member, &self.held(), None)
    }

    fn is_rival(&self, actor: &Actor, held: &[Who], except: Option<usize>) -> bool {
        let held = if self.is_open(actor) { None } else { Some(held) };
        self.is_under_way(actor, except) || self.is_reachable && self.can_get_to_send(actor, held, except)
    }

    fn is_under_way(&self, actor: &Actor, except: Option<usize>) -> bool {
        self.cases().iter().enumerate().any(|(nth, case)| {
            Some(nth) != except && self.fits(case, actor.who) && self.state.is_there((actor.who, self.receiver.who, case.message))
        })
    }

    fn can_get_to_send(&self, actor: &Actor, held: Option<&[Who]>, except: Option<usize>) -> bool {
        let mut walk = Walk { race: self, actor, held, except, is_met: false };
        let position = actor.at.inward(self.program);
        for (nth, (block, at)) in position.rest_of_round(self.program).into_iter().enumerate() {
            if !walk.block(block, at, nth == 0) {
                break;
            }
        }
        walk.is_met
    }

    fn cases(&self) -> &[Case] {
        match &self.program.stmt(self.receive).kind {
            StmtKind::Receive { cases, .. } => cases,
            _ => &[],
        }
    }

    fn is_open(&self, actor: &Actor) -> bool {
        matches!(actor.who, Who::Each(set) if self.open.contains(&set))
    }

    /// Whether the receiver's case could take a message of this sender.
    fn fits(&self, case: &Case, sender: Who) -> bool {
        match senders(self.program, self.receiver, &case.source, true) {
            Meant::Anybody => true,
            Meant::Just(who) => who == sender,
            Meant::MembersOf(set) => self.state.actor(sender).is_some_and(|actor| actor.set == Some(set)),
        }
    }

    /// Who cannot move before the receiver does.
    fn held(&self) -> Vec<Who> {
        let mut held = vec![self.receiver.who];
        loop {
            let more: Vec<Who> = self
                .state
                .actors
                .iter()
                .filter(|actor| !held.contains(&actor.who) && !self.is_open(actor))
                .filter(|actor| {
                    let at = actor.at.inward(self.program);
                    at.is_done() || at.next().is_some_and(|stmt| self.waits(actor, stmt, &held, true))
                })
                .map(|actor| actor.who)
                .collect();
            if more.is_empty() {
                return held;
            }
            held.extend(more);
        }
    }

    /// Whether an actor cannot go past this statement before somebody held up goes on. `is_now`: its variables are as known now.
    fn waits(&self, actor: &Actor, stmt: StmtId, held: &[Who], is_now: bool) -> bool {
        match &self.program.stmt(stmt).kind {
            StmtKind::Receive { cases, timeout: None } => cases.iter().all(|case| {
                let meant = senders(self.program, actor, &case.source, is_now);
                let could = |sender: &Actor| match meant {
                    Meant::Anybody => sender.who != actor.who,
                    Meant::Just(who) => who == sender.who,
                    Meant::MembersOf(set) => sender.set == Some(set),
                };
                let is_there = |sender: &Actor| self.state.is_there((sender.who, actor.who, case.message));
                let is_in_bag = self.state.bags.iter().any(|bag| bag.to == actor.who && bag.message == case.message);
                !is_in_bag
                    && self
                        .state
                        .actors
                        .iter()
                        .filter(|sender| could(sender))
                        .all(|sender| held.contains(&sender.who) && !is_there(sender))
            }),
            _ => false,
        }
    }
}

/// One way through an actor's code.
struct Walk<'a> {
    race: &'a Race<'a>,
    actor: &'a Actor,
    /// Without it, nothing stops.
    held: Option<&'a [Who]>,
    except: Option<usize>,
    is_met: bool,
}

impl Walk<'_> {
    /// Goes through a block from a statement on; whether it can get to its end.
    fn block(&mut self, block: &Block, from: usize, is_now: bool) -> bool {
        block.iter().skip(from).enumerate().all(|(nth, stmt)| level(|| self.stmt(*stmt, is_now && nth == 0)))
    }

    fn stmt(&mut self, stmt: StmtId, is_now: bool) -> bool {
        let program = self.race.program;
        if self.held.is_some_and(|held| self.race.waits(self.actor, stmt, held, is_now)) {
            return false;
        }
        match &program.stmt(stmt).kind {
            StmtKind::Send { message, target, .. } => {
                let receiver = self.race.receiver;
                let may_be = match meant(program, self.actor, target, is_now) {
                    Meant::Anybody => true,
                    Meant::Just(who) => who == receiver.who,
                    Meant::MembersOf(set) => receiver.set == Some(set),
                };
                let cases = self.race.cases().iter().enumerate();
                self.is_met |= may_be
                    && cases.into_iter().any(|(nth, case)| {
                        Some(nth) != self.except && case.message == *message && self.race.fits(case, self.actor.who)
                    });
                true
            }
            // Whether a loop has turns, and whether a `break` leaves it, is not known.
            StmtKind::While { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::Rounds { body, .. } => {
                self.block(body, 0, false);
                true
            }
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                self.block(&set_loop.body, 0, false);
                true
            }
            _ => {
                let blocks = program.blocks(stmt);
                let mut goes_on = blocks.is_empty();
                for block in blocks {
                    goes_on |= self.block(block, 0, false);
                }
                goes_on
            }
        }
    }
}

fn senders(program: &Program, actor: &Actor, source: &Source, is_now: bool) -> Meant {
    match source {
        Source::Any => Meant::Anybody,
        Source::One(pid) => meant(program, actor, pid, is_now),
        Source::Of(Expr::Set(set)) => Meant::MembersOf(root(program, *set)),
        Source::Of(_) => Meant::Anybody,
    }
}

fn meant(program: &Program, actor: &Actor, pid: &Expr, is_now: bool) -> Meant {
    if let Expr::Process(process) = pid {
        return Meant::Just(Who::One(*process));
    }
    if is_now && let Val::Pid(who) = eval(program, actor, pid) {
        return Meant::Just(who);
    }
    let code = &program.process(actor.process).code;
    let ty = match pid {
        Expr::Own(var) => code.vars.get(var.index()).map(|var| &var.ty),
        Expr::Local(local) => code.locals.get(local.index()).map(|local| &local.ty),
        _ => None,
    };
    match ty {
        Some(Type::Pid(Whose::Process(process))) => Meant::Just(Who::One(*process)),
        Some(Type::Pid(Whose::Member(set))) => Meant::MembersOf(root(program, *set)),
        _ => Meant::Anybody,
    }
}

/// The set whose process the members run.
pub(super) fn root(program: &Program, set: SetId) -> SetId {
    let mut set = set;
    // Supersets are no circle in a program without static errors; counting makes sure of the end.
    for _ in 0..program.sets.len() {
        match program.set(set).superset {
            Some(superset) => set = superset,
            None => break,
        }
    }
    set
}
