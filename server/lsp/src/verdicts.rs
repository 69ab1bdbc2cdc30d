//! Verdict records on their way to the client: `lockstep/verdicts`, for each file whose records have changed.

use lockstep_base::verdict::{Check, Outcome, Record};
use lockstep_ide::p;
use lockstep_syntax::Language;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::{Range, Uri};

use crate::convert;
use crate::publish::fingerprint_of;
use crate::snapshot::Snapshot;

/// All records of one file, instead of what was told of it before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Verdicts {
    pub(crate) uri: Uri,
    /// Of the document, if the client has it open.
    pub(crate) version: Option<i32>,
    pub(crate) items: Vec<Item>,
}

/// A record as it is sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    id: String,
    check: Check,
    range: Range,
    name_range: Range,
    #[serde(flatten)]
    outcome: Outcome,
    /// The outcome in a few words, so that every surface says the same.
    words: String,
}

pub(crate) enum VerdictsNotification {}

impl Notification for VerdictsNotification {
    type Params = Verdicts;
    const METHOD: &'static str = "lockstep/verdicts";
}

/// What the client was last told of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Of all of it, so that nothing is sent twice.
    fingerprint: u64,
    /// Of what it says, wherever that stands.
    pub(crate) meaning: u64,
}

impl Verdicts {
    pub(crate) fn told(&self) -> Told {
        let meaning: Vec<(&str, Check, &str)> =
            self.items.iter().map(|item| (item.id.as_str(), item.check, item.words.as_str())).collect();
        Told { fingerprint: fingerprint_of(&self.items), meaning: fingerprint_of(&meaning) }
    }
}

/// The records of a file of the layout, in all programs it belongs to.
pub(crate) fn file_verdicts(snapshot: &Snapshot, index: usize) -> Option<Verdicts> {
    let file = snapshot.file_at(index)?;
    let layout = &snapshot.workspace.layout().files[index];
    let records: Vec<Record> = match file.parse.language() {
        Language::Icet => snapshot.icet(index)?.record().into_iter().collect(),
        Language::P => {
            let programs = snapshot.workspace.project_files(&snapshot.db, index);
            programs.flat_map(|file| p::records(&snapshot.db, file, &|item, case| snapshot.test_outcome(item, case))).collect()
        }
    };
    let range = |range| convert::range(file.parse.text(), range, snapshot.encoding);
    let items = records.into_iter().map(|record| Item {
        id: record.item,
        check: record.check,
        range: range(record.range),
        name_range: range(record.name_range),
        words: record.outcome.words(),
        outcome: record.outcome,
    });
    Some(Verdicts { version: snapshot.version(&layout.key), items: items.collect(), uri: file.uri.clone() })
}
