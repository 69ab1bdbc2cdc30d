//! The order of work: what a person has asked for goes before what is done in passing, and otherwise first come, first served.

/// For whom work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// A person waits for it.
    Asked,
    /// Nobody has asked: something was saved.
    Passing,
}

/// What waits.
pub(crate) struct Queue<T> {
    asked: Vec<T>,
    passing: Vec<T>,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Self {
        Self { asked: Vec::new(), passing: Vec::new() }
    }

    fn lane(&mut self, lane: Lane) -> &mut Vec<T> {
        match lane {
            Lane::Asked => &mut self.asked,
            Lane::Passing => &mut self.passing,
        }
    }

    pub(crate) fn push(&mut self, lane: Lane, item: T) {
        self.lane(lane).push(item);
    }

    /// Before everything else of its lane: work that was begun.
    pub(crate) fn push_again(&mut self, lane: Lane, item: T) {
        self.lane(lane).insert(0, item);
    }

    /// The next one whose lane is free, those a person waits for first.
    pub(crate) fn next(&mut self, is_free: impl Fn(Lane) -> bool) -> Option<(Lane, T)> {
        let lane = [Lane::Asked, Lane::Passing].into_iter().find(|lane| is_free(*lane) && !self.lane(*lane).is_empty())?;
        Some((lane, self.lane(lane).remove(0)))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.asked.iter_mut().chain(&mut self.passing)
    }

    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&T) -> bool) {
        self.asked.retain(&mut is_wanted);
        self.passing.retain(&mut is_wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_waits_for_comes_first() {
        let mut queue = Queue::new();
        queue.push(Lane::Passing, "saved");
        queue.push(Lane::Asked, "first click");
        queue.push(Lane::Asked, "second click");
        assert_eq!(queue.next(|_| true), Some((Lane::Asked, "first click")));
        assert_eq!(queue.next(|lane| lane == Lane::Passing), Some((Lane::Passing, "saved")), "its lane is free");
        queue.push_again(Lane::Asked, "first click");
        assert_eq!(queue.next(|_| true), Some((Lane::Asked, "first click")));
        queue.retain(|item| *item != "second click");
        assert_eq!(queue.next(|_| true), None);
    }
}
