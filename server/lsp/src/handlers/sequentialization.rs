//! The sequentialization of an IceT program as a document, and the lens that leads there.

use lockstep_ide::icet::{self, SequentialView};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, Command, Range, Uri};

use super::refused;
use crate::convert;
use crate::snapshot::{FileView, Snapshot};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SequentializationParams {
    pub(crate) uri: Uri,
    /// Only what the first so many steps do.
    #[serde(default)]
    step: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sequentialization {
    text: String,
    language_id: &'static str,
    links: Vec<Link>,
    steps: Vec<String>,
    /// How many steps are shown, if not all.
    step: Option<usize>,
    verdict: String,
    /// Of the document it was made from, if that is open.
    version: Option<i32>,
}

#[derive(Clone, Debug, Serialize)]
struct Link {
    /// In the text.
    range: Range,
    /// In the source.
    targets: Vec<Range>,
}

pub(crate) fn sequentialization(snapshot: &Snapshot, params: &SequentializationParams) -> Result<Sequentialization> {
    let Some(file) = snapshot.file(&params.uri) else { return Err(refused("this file is not known".to_owned())) };
    let Some(view) = snapshot.icet(file.index) else { return Err(refused("only IceT programs are put in order".to_owned())) };
    let Some(record) = view.record() else { return Err(refused("nothing is declared in this file".to_owned())) };
    let name = std::path::Path::new(view.name).file_name().map_or(view.name.into(), |name| name.to_string_lossy());
    let SequentialView { text, links, steps, step } = match view.known() {
        Some(known) => icet::sequential_view(&name, file.parse.text(), known, &record.outcome, params.step),
        None => icet::empty_view(&name, &record.outcome),
    };
    let source = |range| convert::range(file.parse.text(), range, snapshot.encoding);
    let link = |(range, targets): (_, Vec<_>)| Link {
        range: convert::range(&text, range, snapshot.encoding),
        targets: targets.into_iter().map(source).collect(),
    };
    Ok(Sequentialization {
        links: links.into_iter().map(link).collect(),
        text: text.to_string(),
        language_id: "icet",
        steps,
        step,
        verdict: record.outcome.words(),
        version: snapshot.version(&snapshot.workspace.layout().files[file.index].key),
    })
}

/// What is known about the program, above its first process.
pub(super) fn icet_lenses(snapshot: &Snapshot, file: &FileView<'_>) -> Option<Vec<CodeLens>> {
    let view = snapshot.icet(file.index)?;
    let Some(record) = view.record() else { return Some(Vec::new()) };
    let lens = icet::lens(file.parse, &record, view.known());
    let range = convert::range(file.parse.text(), lens.range, snapshot.encoding);
    // Editors show a lens without a command as plain text.
    let command = if lens.leads && snapshot.has_own_commands { "lockstep.showSequentialization" } else { "" };
    let arguments = serde_json::to_value(&file.uri).into_iter().collect();
    let command = Command { title: lens.title, command: command.to_owned(), arguments: Some(arguments) };
    Some(vec![CodeLens { range, command: Some(command), data: None }])
}
