//! What is drawn, as plain data: boxes and arrows between them, in the order of the program.

use lockstep_base::TextRange;
use lockstep_program::SourceFile;

/// A diagram, before anybody knows where its parts are on the paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub kind: DiagramKind,
    /// What it shows: `Server`, `lease`, `tcCrash`.
    pub title: String,
    pub boxes: Vec<Box>,
    pub arrows: Vec<Arrow>,
    /// Where the parts are in the source. Parts know them by number.
    pub places: Vec<Place>,
    /// Whether some of what it is about could not be read: the diagram may lack something that is there.
    pub is_broken: bool,
}

/// More boxes or arrows are no picture that anybody could read, and take long to lay out.
const MOST_BOXES: usize = 300;
const MOST_ARROWS: usize = 900;

impl Diagram {
    /// Why it cannot be drawn as a picture, if it cannot.
    pub fn too_large(&self) -> Option<String> {
        let (boxes, arrows) = (self.boxes.len(), self.arrows.len());
        (boxes > MOST_BOXES || arrows > MOST_ARROWS)
            .then(|| format!("`{}` is too large for a picture: {boxes} boxes and {arrows} arrows", self.title))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramKind {
    /// The states of a machine.
    Machine,
    /// The states of a spec.
    Spec,
    /// Who sends what to whom.
    Flow,
}

/// Index into `Diagram::places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub file: SourceFile,
    pub range: TextRange,
}

/// A state, a machine or a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Box {
    pub kind: BoxKind,
    pub name: String,
    /// Whether everything begins here: the start state, the machine that a test starts.
    pub is_start: bool,
    pub rows: Vec<Row>,
    /// Its name in the source.
    pub place: Option<PlaceId>,
    /// All of it in the source.
    pub extent: Option<PlaceId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxKind {
    State(Option<Heat>),
    /// Where a machine is that has halted.
    Halted,
    Machine,
    Spec,
}

/// How a state of a spec stands to liveness. A spec none of whose states is hot or cold has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heat {
    Hot,
    Warm,
    Cold,
}

impl Heat {
    pub fn word(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }
}

/// A line inside of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub kind: RowKind,
    /// Events, or what is done.
    pub text: String,
    pub place: Option<PlaceId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowKind {
    Entry,
    Exit,
    /// Handled without leaving the state, or perhaps without.
    On,
    Defer,
    Ignore,
    /// What a spec watches.
    Observes,
    /// What is known of a machine and cannot be an arrow.
    Note,
}

impl RowKind {
    /// What stands before the text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Exit => "exit",
            Self::On => "on",
            Self::Defer => "defer",
            Self::Ignore => "ignore",
            Self::Observes => "observes",
            Self::Note => "",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub kind: ArrowKind,
    /// Index into `Diagram::boxes`.
    pub from: usize,
    pub to: usize,
    /// Never empty; which of them are written depends on the kind.
    pub labels: Vec<Label>,
}

impl Arrow {
    /// What stands beside the arrow. Creations and what specs see can be told by their looks, and would only be in the way.
    pub fn written(&self) -> &[Label] {
        match self.kind {
            ArrowKind::Create | ArrowKind::Observe => &[],
            ArrowKind::Goto | ArrowKind::Send | ArrowKind::MaySend | ArrowKind::Announce => &self.labels,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrowKind {
    /// From state to state.
    Goto,
    /// To what the type of the target names.
    Send,
    /// The target is some machine: this is one that takes the event.
    MaySend,
    Create,
    /// To a spec.
    Announce,
    /// A spec sees what a machine sends.
    Observe,
}

impl ArrowKind {
    /// As a verb: who does what.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Goto => "goes to",
            Self::Send => "sends to",
            Self::MaySend => "may send to",
            Self::Create => "creates",
            Self::Announce => "announces to",
            Self::Observe => "is observed by",
        }
    }
}

/// What leads along an arrow, mostly an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub text: String,
    pub place: Option<PlaceId>,
}
