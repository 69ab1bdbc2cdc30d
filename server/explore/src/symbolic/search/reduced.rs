//! A level in which not every machine moves in every state.

use super::{Expanded, Search, Sets};
use crate::report::Why;
use crate::search::Observer;
use crate::symbolic::filters::Needed;
use crate::symbolic::guard::Guard;
use crate::symbolic::system::{Group, Stepped};

impl Search<'_> {
    /// Everything that needs to happen in the states of a level. `None` if that is everything, or if it cannot be made at once: then it
    /// is made without a filter, which can be done in parts.
    pub(super) fn reduced_level(
        &mut self,
        level: &mut Sets,
        groups: &[Group],
        observer: &mut Observer<'_>,
    ) -> Result<Option<Expanded>, Why> {
        if self.filters.are_none() || groups.len() < 2 {
            return Ok(None);
        }
        let mut made: Vec<Stepped> = Vec::new();
        for group in groups {
            self.spent(observer)?;
            let before = self.system.space.cells.variables().len();
            let stepped = self.system.step(&level.states, group);
            self.runs += 1;
            self.runs_apart += group.size();
            let is_excess = self.gives_up()?;
            let states = level.states.clone();
            self.grown(level, &states, before)?;
            if is_excess {
                return Ok(None);
            }
            if let Some(wrong) = self.wrong(&level.states, group, &stepped) {
                return Ok(Some(Expanded::Wrong(Box::new(wrong))));
            }
            made.push(stepped);
            self.tell(observer, &states);
        }
        let needed = self.filters.needed(&mut self.system, &level.states, groups, &made);
        let next = needed.as_ref().map(|needed| self.next(needed, groups, &made));
        if self.gives_up()? {
            return Ok(None);
        }
        let count = |set: &Guard| self.system.space.cells.count(&self.system.space.guards, set);
        let (next, reduced, spared) = match next.zip(needed) {
            Some(((next, reduced), needed)) => (next, count(&reduced), count(&needed.spared)),
            None => (self.images(&made, |_| level.states.clone()), 0, 0),
        };
        if self.gives_up()? {
            return Ok(None);
        }
        for stepped in made {
            self.limit = self.limit.take().or(stepped.limit.map(Why::Run));
            self.unsupported = self.unsupported.take().or(stepped.unsupported);
        }
        self.reduced += reduced;
        self.spared += spared;
        self.seen_now(&next).map(Some)
    }

    /// The states after the steps that are needed, and those in which that was not all. Where these steps lead only to what was seen before,
    /// all others are made, too: otherwise they could be put off for ever.
    fn next(&self, needed: &Needed, groups: &[Group], made: &[Stepped]) -> (Guard, Guard) {
        let space = &self.system.space;
        let guards = &space.guards;
        let next = self.images(made, |number| needed.of(space, &groups[number]));
        let new = guards.minus(&next, &self.seen);
        let leads_on = groups.iter().zip(made).map(|(group, stepped)| {
            let states = guards.and(&needed.reduced, &needed.of(space, group));
            stepped.relation.leading_to(space, &states, &new)
        });
        let open = guards.any(leads_on);
        let closed = guards.minus(&needed.reduced, &open);
        if closed.is_false() {
            return (next, needed.reduced.clone());
        }
        let rest = self.images(made, |number| needed.rest(space, &groups[number], &closed));
        (guards.or(&next, &rest), guards.minus(&needed.reduced, &closed))
    }

    /// What the steps of each group lead to from some states.
    fn images(&self, made: &[Stepped], states: impl Fn(usize) -> Guard) -> Guard {
        let space = &self.system.space;
        let images = made.iter().enumerate().map(|(number, stepped)| {
            let states = states(number);
            if states.is_false() { states } else { stepped.relation.image(space, &states) }
        });
        space.guards.any(images)
    }
}
