//! What the search finds in an instance, as lines of the program: where those stand who wait in a deadlock, who sent what nobody
//! receives, and which claim failed.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_base::TextRange;
use lockstep_icet::program::{Program, StmtId};
use lockstep_icet::run::instance::Instance;
use lockstep_icet::run::search::{Failed, Limits, Mode, explore};
use lockstep_icet::run::state::Failure;

use crate::traffic::{Traffic, traffic};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Deadlock,
    Orphan,
    Failure,
    Race,
}

/// The lines for each kind of finding that there is.
pub(crate) type Findings = BTreeMap<Kind, BTreeSet<String>>;

/// Whether races count, which only some programs are meant to be free of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Races {
    Sought,
    LeftOut,
}

/// Adds what is wrong in an instance. `Err` if there is more to see than the limits allow.
pub(crate) fn add_findings(
    found: &mut Findings,
    source: &Source<'_>,
    instance: &Instance,
    limits: &Limits,
    sought: Races,
) -> Result<(), String> {
    let program = source.program;
    let outcome = explore(program, instance, Mode::Reduced, limits);
    for deadlock in &outcome.deadlocks {
        source.add_lines(found, Kind::Deadlock, deadlock.waiting.iter().map(|(_, stmt)| *stmt));
    }
    for failed in &outcome.failures {
        found.entry(Kind::Failure).or_default().insert(source.line_of_failure(failed));
    }
    if sought == Races::Sought || !outcome.orphans.is_empty() {
        let Traffic { racing, orphaned } = traffic(program, instance, limits.states)?;
        assert_eq!(orphaned.is_empty(), outcome.orphans.is_empty(), "the two searches differ");
        source.add_lines(found, Kind::Orphan, orphaned);
        if sought == Races::Sought {
            source.add_lines(found, Kind::Race, racing);
        }
    }
    if outcome.limits.is_empty() { Ok(()) } else { Err(format!("{:?}", outcome.limits)) }
}

/// A program and its text.
pub(crate) struct Source<'a> {
    pub(crate) program: &'a Program,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    fn add_lines(&self, found: &mut Findings, kind: Kind, stmts: impl IntoIterator<Item = StmtId>) {
        for stmt in stmts {
            found.entry(kind).or_default().insert(self.line_of(stmt));
        }
    }

    fn line_of(&self, stmt: StmtId) -> String {
        self.line(self.program.stmt(stmt).range)
    }

    /// The line in which something starts, without the space around it.
    fn line(&self, range: TextRange) -> String {
        let start = usize::from(range.start());
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        line.trim().to_owned()
    }

    fn line_of_failure(&self, failed: &Failed) -> String {
        match (&failed.failure, failed.stmt) {
            (Failure::Ensures(at), _) => self.line(self.program.ensures[*at as usize].range),
            (Failure::Invariant(at), _) => self.line(self.program.invariants[*at as usize].range),
            (_, Some(stmt)) => self.line_of(stmt),
            (failure, None) => panic!("a failure of no statement: {failure:?}"),
        }
    }
}
