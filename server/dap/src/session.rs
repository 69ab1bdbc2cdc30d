//! A debugger at a point of a run: going on, going back, and where to stop.
//!
//! A session is a function of the program and its trace, with a cursor. Whatever moves the cursor gives the point where it stands then
//! and why; the same cursor is always the same situation.

use std::sync::Arc;

use lockstep_runtime::{Failure, Place, Program, Settings, Trace};
use lockstep_trace::{Bug, Story, moment_words};

use crate::recording::{Actor, Kind, Point, Recording, Situation};
use crate::stops::{Stops, Watched};

/// A place in the list of all points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// The number of decisions stands for the end.
    pub decision: usize,
    pub index: usize,
}

/// Why a session stands where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The beginning of the trace.
    Entry,
    Step,
    /// Breakpoints, by their numbers: lines, events and functions, variables.
    Lines(Vec<u64>),
    Names(Vec<u64>),
    Data(Vec<u64>),
    Goto,
    /// The bug.
    Bug,
    /// The end, for who does not want to hear of the bug.
    End,
}

/// What a move led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub reason: Reason,
    /// Who is to be looked at.
    pub actor: Actor,
    /// What was printed on the way, if it was a way forward.
    pub printed: Vec<String>,
}

/// A debugger at a point of a run.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) recording: Recording,
    pub stops: Stops,
    at: Cursor,
    /// The points of the decision at the cursor.
    points: Arc<Vec<Point>>,
}

impl Session {
    /// At the beginning of a trace that the program can follow. The story and what it ends in are those of `lockstep_trace::tell`.
    pub fn new(program: Program, settings: Settings, trace: Trace, story: Story, failure: Option<Failure>) -> Self {
        let recording = Recording::new(program, settings, trace, story, failure);
        let points = Arc::new(recording.points(0));
        Self { recording, stops: Stops::default(), at: Cursor::default(), points }
    }

    pub fn program(&self) -> &Program {
        &self.recording.program
    }

    pub fn at(&self) -> Cursor {
        self.at
    }

    /// Where the session stands.
    pub fn point(&self) -> &Point {
        &self.points[self.at.index]
    }

    pub fn situation(&self) -> &Situation {
        &self.point().situation
    }

    /// What the trace ends in.
    pub fn bug(&self) -> Option<&Bug> {
        self.recording.story.bug.as_ref()
    }

    pub fn story(&self) -> &Story {
        &self.recording.story
    }

    pub fn is_at_end(&self) -> bool {
        self.at.decision == self.recording.decisions()
    }

    /// Everybody who is there at some time. Numbers do not change.
    pub fn actors(&self) -> &[Actor] {
        &self.recording.actors
    }

    pub fn name(&self, actor: &Actor) -> String {
        self.recording.name(actor)
    }

    /// The next point, of whoever acts: the next statement, or else the next thing that happens.
    pub fn step_in(&mut self) -> Stopped {
        self.forward(&mut |_, _| true)
    }

    /// Before the next thing that this actor does.
    pub fn next(&mut self, actor: &Actor) -> Stopped {
        self.forward(&mut |_, point| matches!(point.kind, Kind::Moment(_)) && point.actor == *actor)
    }

    /// Until the innermost function of this actor has been left.
    pub fn step_out(&mut self, actor: &Actor) -> Stopped {
        let innermost = |point: &Point| {
            let open = &point.situation.remembered.get(actor)?.open;
            Some((open.len(), open.last()?.number))
        };
        let Some((depth, number)) = innermost(self.point()) else { return self.next(actor) };
        let stopped = self.forward(&mut |_, point| {
            let known = point.situation.remembered.get(actor);
            known.and_then(|known| known.open.get(depth - 1)).is_none_or(|activation| activation.number != number)
        });
        let actor = if stopped.reason == Reason::Step { actor.clone() } else { stopped.actor };
        Stopped { actor, ..stopped }
    }

    /// To the next breakpoint or the end.
    pub fn resume(&mut self) -> Stopped {
        self.forward(&mut |_, _| false)
    }

    /// The point before.
    pub fn step_back(&mut self) -> Stopped {
        self.backward(&mut |_| true)
    }

    /// Back to the breakpoint before, or the beginning.
    pub fn reverse(&mut self) -> Stopped {
        self.backward(&mut |_| false)
    }

    /// Before the moment with this number, from 1; `None` if there is none. One behind the last is the end.
    pub fn go_to_step(&mut self, step: usize) -> Option<Stopped> {
        let moment = step.checked_sub(1)?;
        if moment == self.story().moments.len() {
            return Some(self.go_to(Cursor { decision: self.recording.decisions(), index: 0 }));
        }
        let decision = self.recording.decision_of(moment)?;
        let points = self.recording.points(decision);
        // A moment without a point of its own, such as `print`, belongs to the one before it.
        let is_it = |point: &Point| matches!(point.kind, Kind::Moment(Some(known)) if known <= moment);
        let index = points.iter().rposition(is_it)?;
        Some(self.go_to(Cursor { decision, index }))
    }

    pub fn go_to(&mut self, cursor: Cursor) -> Stopped {
        self.set(cursor);
        self.stopped(if self.is_at_end() { self.ending() } else { Reason::Goto }, Vec::new())
    }

    /// To where this function, counted from the outermost, was entered.
    pub fn restart(&mut self, actor: &Actor, depth: usize) -> Option<Stopped> {
        let number = |point: &Point| Some(point.situation.remembered.get(actor)?.open.get(depth)?.number);
        let wanted = number(self.point())?;
        let mut best = self.at;
        while self.back() && number(self.point()) == Some(wanted) {
            best = self.at;
        }
        Some(self.go_to(best))
    }

    /// All points at which a statement of these is next, with the actor.
    pub fn visits(&self, is_it: &dyn Fn(Place) -> bool, most: usize) -> Vec<(Cursor, Actor)> {
        let mut found = Vec::new();
        for decision in 0..self.recording.decisions() {
            for (index, point) in self.recording.points(decision).into_iter().enumerate() {
                if matches!(point.kind, Kind::Statement(place) if is_it(place)) {
                    found.push((Cursor { decision, index }, point.actor));
                }
                if found.len() >= most {
                    return found;
                }
            }
        }
        found
    }

    /// The number of the moment that the point at the cursor belongs to, from 1. The end has the one behind the last.
    pub fn step(&self) -> usize {
        self.step_of(self.at)
    }

    pub(crate) fn step_of(&self, cursor: Cursor) -> usize {
        let is_here = cursor.decision == self.at.decision;
        let points = if is_here { self.points.clone() } else { Arc::new(self.recording.points(cursor.decision)) };
        let told = points[..=cursor.index.min(points.len() - 1)].iter().rev().find_map(|point| match point.kind {
            Kind::Moment(Some(moment)) => Some(moment + 1),
            _ => None,
        });
        let moments = &self.story().moments;
        told.unwrap_or_else(|| 1 + moments.iter().filter(|moment| moment.decision < cursor.decision).count())
    }

    /// What happens in a step, in words; what the run ends in for the end.
    pub fn step_words(&self, step: usize) -> String {
        match (self.story().moments.get(step.wrapping_sub(1)), self.bug()) {
            (Some(moment), _) => moment_words(self.story(), moment),
            (None, Some(bug)) => bug.message.clone(),
            (None, None) => String::new(),
        }
    }

    fn forward(&mut self, is_enough: &mut dyn FnMut(&Self, &Point) -> bool) -> Stopped {
        let mut printed = Vec::new();
        let mut watched = Watched::new(self);
        while self.on() {
            printed.extend(self.point().printed.iter().cloned());
            if self.is_at_end() {
                break;
            }
            let reason = self.stops.hit(self, self.point(), watched.changed(self));
            if let Some(reason) = reason.or_else(|| is_enough(self, self.point()).then_some(Reason::Step)) {
                return self.stopped(reason, printed);
            }
        }
        self.stopped(self.ending(), printed)
    }

    fn backward(&mut self, is_enough: &mut dyn FnMut(&Point) -> bool) -> Stopped {
        let mut watched = Watched::new(self);
        while self.back() {
            if self.at == Cursor::default() {
                break;
            }
            let reason = self.stops.hit(self, self.point(), watched.changed(self));
            if let Some(reason) = reason.or_else(|| is_enough(self.point()).then_some(Reason::Step)) {
                return self.stopped(reason, Vec::new());
            }
        }
        self.stopped(Reason::Entry, Vec::new())
    }

    pub(crate) fn stopped(&self, reason: Reason, printed: Vec<String>) -> Stopped {
        Stopped { reason, actor: self.point().actor.clone(), printed }
    }

    fn ending(&self) -> Reason {
        if self.stops.at_bug && self.recording.failure.is_some() { Reason::Bug } else { Reason::End }
    }

    /// One point on; not from the end.
    fn on(&mut self) -> bool {
        let Cursor { decision, index } = self.at;
        if self.is_at_end() {
            return false;
        }
        let is_inside = index + 1 < self.recording.count(decision);
        self.set(if is_inside { Cursor { decision, index: index + 1 } } else { Cursor { decision: decision + 1, index: 0 } });
        true
    }

    /// One point back; not from the beginning.
    fn back(&mut self) -> bool {
        let Cursor { decision, index } = self.at;
        let before = match (decision, index) {
            (0, 0) => return false,
            (decision, 0) => Cursor { decision: decision - 1, index: self.recording.count(decision - 1) - 1 },
            (decision, index) => Cursor { decision, index: index - 1 },
        };
        self.set(before);
        true
    }

    fn set(&mut self, cursor: Cursor) {
        if cursor.decision != self.at.decision {
            self.points = Arc::new(self.recording.points(cursor.decision));
        }
        self.at = Cursor { decision: cursor.decision, index: cursor.index.min(self.points.len() - 1) };
    }
}
