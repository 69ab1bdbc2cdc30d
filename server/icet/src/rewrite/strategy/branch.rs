//! Branches: every way is followed to where they meet again.

use super::{Done, Goal, MOST_TRIES, Strategy};
use crate::program::MessageId;
use crate::rewrite::kernel::Kernel;
use crate::rewrite::state::{Actor, FrameKind, State};
use crate::rewrite::steps::Step;
use crate::rewrite::value::Who;

impl<'p> Strategy<'p> {
    /// Follows every way of a branch to where they meet.
    pub(super) fn branch(&mut self, who: Who, ways: usize, enter: impl Fn(&mut Kernel<'p>, usize) -> Done) -> Done {
        let mut after = self.kernel.actor(who)?.code.clone();
        after.advance();
        let start = self.kernel.clone();
        let outside = std::mem::take(&mut self.steps);
        let mut ends: Vec<(Kernel<'p>, Vec<Step>)> = Vec::new();
        let mut result = Ok(());
        for way in 0..ways {
            self.kernel = Kernel { budget: self.kernel.budget, ..start.clone() };
            self.steps = Vec::new();
            result = enter(&mut self.kernel, way).and_then(|()| self.run(who, &Goal::Code(after.clone())));
            if result.is_err() {
                break;
            }
            ends.push((self.kernel.clone(), std::mem::take(&mut self.steps)));
        }
        if result.is_ok() {
            result = self.meet(who, &start, ends, outside.len());
        }
        let ways = std::mem::replace(&mut self.steps, outside);
        match result {
            Ok(()) => {
                self.steps.extend(ways);
                Ok(())
            }
            Err(refusal) => {
                self.kernel = Kernel { budget: self.kernel.budget, ..start };
                Err(refusal)
            }
        }
    }

    /// Brings the ways of a branch together: at once, after everything sent in them is received, or at the end of what is around.
    fn meet(&mut self, who: Who, start: &Kernel<'p>, mut ends: Vec<(Kernel<'p>, Vec<Step>)>, _outside: usize) -> Done {
        let mut joined = join(&ends);
        if joined.is_err() {
            for end in &mut ends {
                self.in_end(end, |strategy| strategy.deliver_since(start));
            }
            for who in apart(&ends) {
                for end in &mut ends {
                    self.in_end(end, |strategy| strategy.coast(who));
                    // What is sent on some ways only, those who can give up wait for in vain on others.
                    self.in_end(end, |strategy| strategy.enter(who));
                }
            }
            joined = join(&ends);
        }
        if joined.is_err() && self.tried < MOST_TRIES {
            self.tried += 1;
            for end in &mut ends {
                self.in_end(end, |strategy| strategy.finish_around(who));
            }
            self.tried -= 1;
            joined = join(&ends);
        }
        self.kernel = joined?;
        let ways = ends.into_iter().map(|(_, steps)| steps).collect();
        self.steps = vec![Step::Branch { who, ways }];
        Ok(())
    }

    /// Works on one end of a branch; what fails there is undone.
    fn in_end(&mut self, end: &mut (Kernel<'p>, Vec<Step>), work: impl FnOnce(&mut Self) -> Done) {
        let budget = self.kernel.budget;
        std::mem::swap(&mut self.kernel, &mut end.0);
        std::mem::swap(&mut self.steps, &mut end.1);
        self.kernel.budget = self.kernel.budget.min(budget);
        let _ = self.attempt(work);
        let budget = self.kernel.budget;
        std::mem::swap(&mut self.kernel, &mut end.0);
        std::mem::swap(&mut self.steps, &mut end.1);
        self.kernel.budget = self.kernel.budget.min(budget);
    }

    /// Has everybody take what was sent since.
    pub(super) fn deliver_since(&mut self, start: &Kernel<'p>) -> Done {
        loop {
            let old = |channel: &(Who, Who, MessageId)| start.state.channels.get(channel).map_or(0, Vec::len);
            let state = &self.kernel.state;
            let more = state.channels.iter().filter(|(channel, content)| content.len() > old(channel));
            let channels: Vec<_> = more.map(|(channel, _)| *channel).collect();
            let before = self.count();
            for (from, to, message) in channels {
                let _ = self.attempt(|strategy| strategy.run(to, &Goal::Taken(from, to, message)));
            }
            let moved = |who: &Who| match (self.kernel.state.actor(*who), start.state.actor(*who)) {
                (Some(now), Some(then)) => now.code != then.code,
                _ => true,
            };
            let everybody: Vec<Who> = self.kernel.state.actors.iter().map(|actor| actor.who).filter(moved).collect();
            for who in everybody {
                let _ = self.attempt(|strategy| strategy.coast(who));
                // Who served goes back to where it waits.
                let idle = start.state.actor(who).filter(|actor| start.state.is_idle(self.program(), actor));
                if let Some(home) = idle.map(|actor| actor.code.clone()) {
                    let _ = self.attempt(|strategy| strategy.run(who, &Goal::Code(home)));
                }
            }
            if self.count() == before {
                return Ok(());
            }
        }
    }

    fn finish_around(&mut self, who: Who) -> Done {
        let goal = if self.kernel.actor(who)?.code.0.iter().any(|frame| frame.kind == FrameKind::Turn) {
            Goal::TurnOver
        } else {
            Goal::End
        };
        self.run(who, &goal)?;
        let start = self.kernel.clone();
        self.deliver_since(&Kernel { state: State::default(), ..start })
    }
}

/// Who does not stand at the same place in all ends of a branch.
fn apart(ends: &[(Kernel<'_>, Vec<Step>)]) -> Vec<Who> {
    let Some(((first, _), others)) = ends.split_first() else { return Vec::new() };
    let is_apart = |actor: &&Actor| {
        others.iter().any(|(other, _)| other.state.actor(actor.who).is_none_or(|other| other.code != actor.code))
    };
    first.state.actors.iter().filter(is_apart).map(|actor| actor.who).collect()
}

fn join<'p>(ends: &[(Kernel<'p>, Vec<Step>)]) -> Done<Kernel<'p>> {
    Kernel::join(ends.iter().map(|(kernel, _)| kernel.clone()).collect())
}
