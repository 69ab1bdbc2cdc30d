//! The diagram of what is around a place: a picture or a text, with where its parts lead.

use lockstep_base::{Text, TextRange};
use lockstep_diagram::{Diagram, DiagramKind, Place, Subject, draw, subject_at, svg, svg_with_places, text_lines};
use lockstep_program::ProjectFile;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Location, Position, Range, Uri};

use super::refused;
use crate::convert;
use crate::snapshot::Snapshot;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DiagramParams {
    pub(crate) uri: Uri,
    position: Position,
    #[serde(default)]
    view: View,
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum View {
    /// The machine or test at the place, else the flow of the project.
    #[default]
    Auto,
    /// The flow of the project.
    Flow,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Format {
    /// A picture whose parts know the numbers of their places.
    #[default]
    Picture,
    /// A picture that stands on its own.
    File,
    Text,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DrawnDiagram {
    /// `machine`, `spec` or `flow`.
    kind: &'static str,
    /// Of what.
    title: String,
    /// The picture, or the text.
    content: String,
    /// Where the parts of a picture lead, by number.
    places: Vec<Location>,
    /// Where parts of a text lead.
    links: Vec<TextLink>,
    /// The number of the box that the place is in.
    current: Option<usize>,
    /// Whether there are syntax errors in what is drawn, so that something may be missing.
    is_broken: bool,
}

#[derive(Clone, Debug, Serialize)]
struct TextLink {
    range: Range,
    target: Location,
}

pub(crate) fn diagram(snapshot: &Snapshot, params: &DiagramParams) -> Result<DrawnDiagram> {
    let file = snapshot.file(&params.uri).ok_or_else(|| refused("this file is not known".to_owned()))?;
    let program = file.program.ok_or_else(|| refused("only P programs have diagrams".to_owned()))?;
    let offset = convert::offset(file.parse.text(), params.position, snapshot.encoding);
    let diagram = drawn(snapshot, program, offset, params.view);
    let input = program.file(&snapshot.db);
    // What begins on a line is meant from its margin on.
    let is_before = |place: &Place| {
        let start = convert::range(file.parse.text(), place.range, snapshot.encoding).start;
        start.line == params.position.line && params.position.character <= start.character
    };
    let is_around = |place: &Place| place.file == input && (place.range.contains_inclusive(offset) || is_before(place));
    let extent = |number: &usize| diagram.boxes[*number].extent.map(|id| diagram.places[id.0 as usize]);
    let current = (0..diagram.boxes.len()).find(|number| extent(number).is_some_and(|place| is_around(&place)));
    if let Some(why) = diagram.too_large().filter(|_| params.format != Format::Text) {
        return Err(refused(why));
    }
    let (content, links) = match params.format {
        Format::Picture => (svg_with_places(&diagram), Vec::new()),
        Format::File => (svg(&diagram), Vec::new()),
        Format::Text => as_text(snapshot, &diagram),
    };
    // Numbers must stay what they are, so a place that is not to be had becomes the file itself.
    let nowhere = || Location { uri: file.uri.clone(), range: Range::default() };
    let places = diagram.places.iter().map(|place| location(snapshot, *place).unwrap_or_else(nowhere)).collect();
    let kind = match diagram.kind {
        DiagramKind::Machine => "machine",
        DiagramKind::Spec => "spec",
        DiagramKind::Flow => "flow",
    };
    Ok(DrawnDiagram { kind, title: diagram.title, content, places, links, current, is_broken: diagram.is_broken })
}

/// What is asked for. The module of a test may have an error: then there is the flow of the project.
fn drawn(snapshot: &Snapshot, program: ProjectFile<'_>, offset: lockstep_base::TextSize, view: View) -> Diagram {
    let db = &snapshot.db;
    let whole = Subject::Project(program.project(db));
    let subject = if view == View::Flow { whole } else { subject_at(db, program, offset) };
    let name = program.project(db).name(db);
    if let Some(diagram) = draw(db, subject, name) {
        return diagram;
    }
    let instead = draw(db, whole, name).map(|diagram| Diagram { is_broken: true, ..diagram });
    instead.expect("a project always has a flow")
}

fn as_text(snapshot: &Snapshot, diagram: &Diagram) -> (String, Vec<TextLink>) {
    let mut written = String::new();
    let mut found = Vec::new();
    for line in text_lines(diagram) {
        let start = written.len();
        found.extend(line.links.into_iter().map(|(bytes, place)| (start + bytes.start..start + bytes.end, place)));
        written += &line.text;
        written.push('\n');
    }
    let text = Text::from(written.as_str());
    let link = |(bytes, place): (std::ops::Range<usize>, lockstep_diagram::PlaceId)| {
        let range = TextRange::new(u32::try_from(bytes.start).ok()?.into(), u32::try_from(bytes.end).ok()?.into());
        let target = location(snapshot, diagram.places[place.0 as usize])?;
        Some(TextLink { range: convert::range(&text, range, snapshot.encoding), target })
    };
    (written, found.into_iter().filter_map(link).collect())
}

fn location(snapshot: &Snapshot, place: Place) -> Option<Location> {
    let file = snapshot.file_at(snapshot.index_of_input(place.file)?)?;
    Some(Location { range: convert::range(file.parse.text(), place.range, snapshot.encoding), uri: file.uri })
}
