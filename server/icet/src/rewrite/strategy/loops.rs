//! Loops: one turn at a time, alone or together with those whose loops it talks with.

use super::{Done, Goal, MOST_TRIES, Strategy};
use crate::program::{Expr, StmtId, StmtKind};
use crate::rewrite::kernel::{Refusal, ScopeKind};
use crate::rewrite::steps::Step;
use crate::rewrite::value::{Known, Who};

/// How many go through loops together.
const MOST_PARTNERS: usize = 8;

impl Strategy<'_> {
    pub(super) fn while_turn(&mut self, driver: Who) -> Done {
        self.scoped(
            |strategy| strategy.kernel.open_while(driver),
            |strategy, ()| {
                strategy.run(driver, &Goal::TurnOver)?;
                strategy.settle(&[driver], None)
            },
            |(), steps| Step::While { driver, steps },
        )
    }

    pub(super) fn set_loop(&mut self, who: Who) -> Done {
        // A loop that serves whoever comes, in the middle of steps of all: it takes the turn of the one that is looked at.
        if let Some(focus) = self.served_now(who)? {
            return self.serve(who, focus);
        }
        let refusal = match self.with_partners(who, |strategy, drivers| strategy.turn_over_set(drivers, true)) {
            Err(refusal @ Refusal::Moved { .. }) => refusal,
            other => return other,
        };
        // Whoever would have to take what is sent in the turn cannot yet, so it stays under way.
        self.attempt(|strategy| strategy.turn_over_set(&[who], false)).map_err(|_| refusal)
    }

    /// A turn of loops over a set. `is_settled`: what is sent to the member in the turn is taken in it.
    pub(super) fn turn_over_set(&mut self, drivers: &[Who], is_settled: bool) -> Done {
        self.scoped(
            |strategy| strategy.kernel.open_loop(drivers),
            |strategy, focus| {
                for driver in drivers {
                    strategy.run(*driver, &Goal::TurnOver)?;
                }
                if is_settled { strategy.settle(drivers, Some(focus)) } else { Ok(()) }
            },
            |focus, steps| Step::Loop { drivers: drivers.to_vec(), focus, steps },
        )
    }

    pub(super) fn serve(&mut self, who: Who, focus: Who) -> Done {
        match self.kernel.clone().serve(who, focus) {
            Err(Refusal::NeedsSection) => {
                self.kernel.section()?;
                self.steps.push(Step::Section);
            }
            Err(refusal) => return Err(refusal),
            Ok(()) => {}
        }
        self.kernel.serve(who, focus)?;
        self.steps.push(Step::Serve { who, focus });
        Ok(())
    }

    /// The member that a loop which serves all could serve now. In the turn of another loop over them it cannot; the two may go together.
    pub(super) fn served_now(&self, who: Who) -> Done<Option<Who>> {
        let Some((stmt, StmtKind::For(set_loop) | StmtKind::Foreach(set_loop))) = self.kernel.head(who) else { return Ok(None) };
        let Expr::Set(set) = set_loop.set else { return Ok(None) };
        let Some(scope) = self.kernel.scopes.iter().rev().find(|scope| scope.set == Some(set)) else { return Ok(None) };
        match scope.kind {
            ScopeKind::Loop { .. } => Err(Refusal::Moved { who, stmt: Some(stmt) }),
            _ => Ok(scope.focus),
        }
    }

    pub(super) fn repeat(&mut self, who: Who) -> Done {
        self.with_partners(who, |strategy, drivers| {
            strategy.scoped(
                |strategy| strategy.kernel.open_repeat(drivers),
                |strategy, ()| {
                    for driver in drivers {
                        strategy.run(*driver, &Goal::TurnOver)?;
                    }
                    strategy.settle(drivers, None)
                },
                |(), steps| Step::Repeat { drivers: drivers.to_vec(), steps },
            )
        })
    }

    /// A round of everybody who stands before such rounds.
    pub(super) fn rounds(&mut self, who: Who) -> Done {
        let count = self.kernel.counted(who).and_then(|counted| counted.count.cloned());
        let is_part = |other: Who| {
            let counted = self.kernel.counted(other);
            !matches!(other, Who::Focus(_)) && counted.is_some_and(|counted| counted.is_rounds && counted.count == count.as_ref())
        };
        let drivers: Vec<Who> = self.kernel.state.actors.iter().map(|actor| actor.who).filter(|who| is_part(*who)).collect();
        if !drivers.contains(&who) {
            return Err(Refusal::NotNow);
        }
        self.scoped(
            |strategy| strategy.kernel.open_repeat(&drivers),
            |strategy, ()| strategy.one_round(&drivers),
            |(), steps| Step::Repeat { drivers: drivers.clone(), steps },
        )
    }

    pub(super) fn one_round(&mut self, drivers: &[Who]) -> Done {
        loop {
            let before = self.count();
            let mut last = Refusal::NotNow;
            for is_careful in [true, false] {
                for driver in
                    drivers.iter().filter(|driver| !self.is_reached(**driver, &Goal::TurnOver)).copied().collect::<Vec<_>>()
                {
                    let result = match driver {
                        Who::Each(set) => self.attempt(|strategy| strategy.parallel(set, is_careful)),
                        _ => self.as_far_as_possible(driver),
                    };
                    last = result.err().unwrap_or(last);
                }
                if self.count() > before {
                    break;
                }
            }
            if drivers.iter().all(|driver| self.is_reached(*driver, &Goal::TurnOver)) {
                return Ok(());
            }
            if self.count() == before {
                return Err(last);
            }
        }
    }

    /// Goes through a loop together with those who stand before such a loop, too, and talk with it; then alone, and with whoever else
    /// would have to move in it.
    pub(super) fn with_partners(&mut self, who: Who, turn: impl Fn(&mut Self, &[Who]) -> Done) -> Done {
        let together = self.partners(who);
        if together.len() == 1 {
            return self.with_more_partners(together, &turn);
        }
        let refusal = match self.with_more_partners(together, &turn) {
            Ok(()) => return Ok(()),
            Err(refusal) => refusal,
        };
        // Each time inside of another doubles the work.
        if self.tried >= MOST_TRIES {
            return Err(refusal);
        }
        self.tried += 1;
        let result = self.with_more_partners(vec![who], &turn);
        self.tried -= 1;
        result
    }

    pub(super) fn with_more_partners(&mut self, mut drivers: Vec<Who>, turn: &impl Fn(&mut Self, &[Who]) -> Done) -> Done {
        let who = drivers[0];
        loop {
            let refusal = match self.attempt(|strategy| turn(strategy, &drivers)) {
                Ok(()) => return Ok(()),
                Err(refusal) => refusal,
            };
            let partner = match &refusal {
                Refusal::Moved { who, .. } => Some(*who),
                Refusal::Leftover { send } => self.receiver_at_loop(*send, &drivers),
                _ => None,
            };
            let partner = partner.filter(|partner| !drivers.contains(partner) && self.is_alike(who, *partner));
            let Some(partner) = partner.filter(|_| drivers.len() < MOST_PARTNERS) else { return Err(refusal) };
            drivers.push(partner);
        }
    }

    /// Somebody who stands before a loop, and those before such a loop whose turns talk with it.
    pub(super) fn partners(&self, who: Who) -> Vec<Who> {
        let mut drivers = vec![who];
        let Some((stmt, _)) = self.kernel.head(who) else { return drivers };
        for actor in &self.kernel.state.actors {
            let talks = |other: StmtId| self.kernel.facts.talk(stmt, other);
            let is_partner = actor.who != who && !matches!(actor.who, Who::Each(_)) && self.is_alike(who, actor.who);
            if is_partner && actor.code.head().is_some_and(talks) {
                drivers.push(actor.who);
            }
        }
        drivers
    }

    pub(super) fn receiver_at_loop(&self, send: StmtId, drivers: &[Who]) -> Option<Who> {
        let StmtKind::Send { target, .. } = &self.program().stmt(send).kind else { return None };
        let sender = self.program().stmt(send).process;
        let is_sender = |who: Who, process| drivers.contains(&who) && Some(process) == sender;
        let from = self.kernel.state.actors.iter().find(|actor| is_sender(actor.who, actor.process))?;
        match from.env.eval(target) {
            Known::Pid(to) => Some(to),
            _ => None,
        }
    }

    /// Whether two processes stand before loops that could have their turns together.
    pub(super) fn is_alike(&self, one: Who, other: Who) -> bool {
        match (self.kernel.head(one), self.kernel.head(other)) {
            (Some((_, StmtKind::For(a))), Some((_, StmtKind::For(b)))) => a.set == b.set,
            (Some((_, StmtKind::Repeat { count: a, .. })), Some((_, StmtKind::Repeat { count: b, .. }))) => a == b,
            _ => false,
        }
    }

    /// At the end of a turn: messages to the member are taken, and who serves goes back to where it waits.
    pub(super) fn settle(&mut self, drivers: &[Who], focus: Option<Who>) -> Done {
        if let Some(focus) = focus {
            let _ = self.attempt(|strategy| strategy.deliver_to(focus));
            let _ = self.attempt(|strategy| strategy.coast(focus));
        }
        let Some(start) = self.kernel.scopes.last().map(|scope| scope.start_codes()) else { return Ok(()) };
        for (who, code) in start {
            let is_set = matches!((who, focus), (Who::Each(set), Some(focus)) if self.kernel.state.set_of(focus) == Some(set));
            if drivers.contains(&who) || is_set {
                continue;
            }
            let now = &self.kernel.actor(who)?.code;
            if *now != code && !now.is_turn_over() {
                let _ = self.attempt(|strategy| strategy.run(who, &Goal::Code(code)));
            }
        }
        Ok(())
    }
}
