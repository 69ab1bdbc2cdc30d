//! Sets of events that a module sends or receives.
//!
//! "All events" is not written out, because most machines send and receive all, and a new event must not change every module. The
//! few questions that depend on which events exist ask for them only when there is no other answer.

use smol_str::SmolStr;

use crate::db::{Db, Project};
use crate::scope::names;
use crate::ty::Events;

pub(crate) const HALT: &str = "halt";

/// Sorted, without repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alphabet {
    Only(Vec<SmolStr>),
    /// All that are declared and `halt`, apart from these.
    AllBut(Vec<SmolStr>),
}

impl Alphabet {
    pub(super) fn none() -> Self {
        Self::Only(Vec::new())
    }

    pub fn contains(&self, event: &str) -> bool {
        let is_listed = |names: &[SmolStr]| names.binary_search_by(|name| name.as_str().cmp(event)).is_ok();
        match self {
            Self::Only(names) => is_listed(names),
            Self::AllBut(names) => !is_listed(names),
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let mine = std::mem::replace(self, Self::none());
        *self = match (mine, other) {
            (Self::Only(mut mine), Self::Only(theirs)) => {
                mine.extend_from_slice(theirs);
                mine.sort();
                mine.dedup();
                Self::Only(mine)
            }
            (Self::AllBut(missing), other) => Self::AllBut(missing.into_iter().filter(|name| !other.contains(name)).collect()),
            (mine, Self::AllBut(missing)) => Self::AllBut(missing.iter().filter(|name| !mine.contains(name)).cloned().collect()),
        };
    }

    pub(super) fn remove(&mut self, events: &[SmolStr]) {
        match self {
            Self::Only(names) => names.retain(|name| !events.contains(name)),
            Self::AllBut(missing) => {
                missing.extend_from_slice(events);
                missing.sort();
                missing.dedup();
            }
        }
    }

    /// An event of both, if there is one.
    pub(super) fn common(&self, other: &Self, db: &dyn Db, project: Project) -> Option<SmolStr> {
        match (self, other) {
            (Self::Only(names), other) | (other, Self::Only(names)) => names.iter().find(|name| other.contains(name)).cloned(),
            (Self::AllBut(_), Self::AllBut(_)) => {
                let is_common = |name: &&SmolStr| self.contains(name) && other.contains(name);
                match self.contains(HALT) && other.contains(HALT) {
                    true => Some(SmolStr::new_static(HALT)),
                    false => declared_events(db, project).iter().find(is_common).cloned(),
                }
            }
        }
    }

    /// Its events, written out.
    pub(super) fn events(&self, db: &dyn Db, project: Project) -> Vec<SmolStr> {
        match self {
            Self::Only(names) => names.clone(),
            Self::AllBut(_) => {
                let declared = declared_events(db, project).iter().cloned();
                declared.chain([SmolStr::new_static(HALT)]).filter(|name| self.contains(name)).collect()
            }
        }
    }
}

impl From<&Events> for Alphabet {
    fn from(events: &Events) -> Self {
        match events {
            Events::All => Self::AllBut(Vec::new()),
            Events::Only(names) => Self::Only(names.to_vec()),
        }
    }
}

/// The first event of `small` that is not in `large`. A list can hold all events, too: then nothing is missing.
pub(super) fn missing_event(db: &dyn Db, project: Project, small: &Events, large: &Events) -> Option<SmolStr> {
    match (small, large) {
        (_, Events::All) => None,
        (Events::Only(names), large) => names.iter().find(|name| !large.contains(name)).cloned(),
        (Events::All, large) => {
            let missing = declared_events(db, project).iter().find(|name| !large.contains(name)).cloned();
            missing.or_else(|| (!large.contains(HALT)).then(|| SmolStr::new_static(HALT)))
        }
    }
}

/// The events a project declares, in order of their names.
#[salsa::tracked]
pub(super) fn declared_events(db: &dyn Db, project: Project) -> Vec<SmolStr> {
    let mut events: Vec<SmolStr> = names(db, project).events().cloned().collect();
    events.sort();
    events.dedup();
    events
}
