//! What was found out about IceT programs, kept beside the database: putting a program in order can take long, and whoever holds the
//! database keeps it from being changed.
//!
//! Invariant: what is kept is about a program apart from its places (`lockstep_icet::shape`). It is shown exactly as long as the program
//! of the file equals that one, put to the places of the text at hand; so nothing that is shown can be stale.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_base::verdict::{Check, Outcome, Record};
use lockstep_base::{Diagnostic, Severity};
use lockstep_icet::analysis::Analysis;
use lockstep_icet::program::Program;
use lockstep_ide::icet::{self, Known, Standing};
use lockstep_syntax::Parse;
use lockstep_workspace::{CheckedIcet, checked_icet};

use crate::snapshot::Snapshot;

#[derive(Clone, Default)]
pub(crate) struct Analyses {
    /// By the name of the file.
    known: BTreeMap<String, Analysed>,
    /// The file whose program is being looked at for longer than a moment.
    running: Option<String>,
}

/// What was found out about a program.
#[derive(Clone)]
pub(crate) struct Analysed {
    pub(crate) shape: Arc<Program>,
    /// `None` if a mistake of ours ended it.
    pub(crate) analysis: Option<Arc<Analysis>>,
}

/// A program that nothing is known about.
#[derive(Clone)]
pub(crate) struct Unknown {
    pub(crate) name: String,
    pub(crate) shape: Arc<Program>,
}

impl Unknown {
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && is_same(&self.shape, &other.shape)
    }
}

impl Analyses {
    pub(crate) fn set(&mut self, name: String, analysed: Analysed) {
        self.known.insert(name, analysed);
    }

    pub(crate) fn set_running(&mut self, name: Option<String>) {
        self.running = name;
    }

    pub(crate) fn is_running(&self, name: &str) -> bool {
        self.running.as_deref() == Some(name)
    }
}

fn is_same(a: &Arc<Program>, b: &Arc<Program>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// An IceT file with what is known about it.
pub(crate) struct IcetView<'s> {
    pub(crate) name: &'s str,
    parse: &'s Parse,
    checked: &'s CheckedIcet,
    analysed: Option<&'s Analysed>,
    last: Option<&'s Outcome>,
    is_running: bool,
}

impl Snapshot {
    /// `None` for P.
    pub(crate) fn icet(&self, index: usize) -> Option<IcetView<'_>> {
        let loaded = self.workspace.file(index)?;
        let checked = checked_icet(&self.db, loaded.icet?);
        let name = self.workspace.layout().files[index].name.as_str();
        let analysed =
            self.analyses.known.get(name).filter(|known| checked.shape.as_ref().is_some_and(|now| is_same(now, &known.shape)));
        let last = self.results.get(name, Check::Sequentialization);
        let is_running = self.analyses.is_running(name);
        Some(IcetView { name, parse: &loaded.parse, checked, analysed, last, is_running })
    }
}

impl<'s> IcetView<'s> {
    /// The program, if nothing is known about it yet.
    pub(crate) fn unknown(&self) -> Option<Unknown> {
        let shape = self.checked.shape.as_ref().filter(|_| self.analysed.is_none())?;
        // Where there are no processes there is nothing to put in order.
        (!shape.processes.is_empty()).then(|| Unknown { name: self.name.to_owned(), shape: shape.clone() })
    }

    pub(crate) fn known(&self) -> Option<Known<'s>> {
        let analysed = self.analysed?;
        Some(Known { shape: &analysed.shape, places: &self.checked.places, analysis: analysed.analysis.as_deref()? })
    }

    /// What was found out about the program as it is now.
    pub(crate) fn findings(&self) -> Vec<Diagnostic> {
        let known = self.known();
        known.iter().flat_map(|known| &known.analysis.findings).map(|found| self.checked.places.diagnostic(found)).collect()
    }

    pub(crate) fn record(&self) -> Option<Record> {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let standing = match (&self.checked.shape, self.analysed) {
            (None, _) => Standing::Broken(self.checked.diagnostics.iter().filter(is_error).count()),
            (Some(_), Some(_)) => Standing::Same,
            (Some(_), None) if self.unknown().is_some() && self.is_running => Standing::Running,
            (Some(_), None) if self.unknown().is_some() => Standing::Changed,
            (Some(_), None) => return self.records(None, Standing::Same),
        };
        self.records(self.last, standing)
    }

    fn records(&self, last: Option<&Outcome>, standing: Standing) -> Option<Record> {
        icet::records(self.parse, self.name, last, standing).pop()
    }
}
