//! Puts a diagram together: boxes by name, one arrow for everything of a kind between the same two boxes.

use indexmap::IndexMap;
use lockstep_base::TextRange;
use lockstep_program::{Db, Decl, Node, Place as NodePlace, place_range};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::graph::{Arrow, ArrowKind, Box, Diagram, DiagramKind, Label, Place, PlaceId};

pub(crate) struct Collect<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) boxes: Vec<Box>,
    arrows: IndexMap<(usize, usize, ArrowKind), Vec<Label>, FxBuildHasher>,
    places: Vec<Place>,
    numbers: FxHashMap<Place, PlaceId>,
}

impl<'db> Collect<'db> {
    pub(crate) fn new(db: &'db dyn Db) -> Self {
        let (arrows, numbers) = (IndexMap::default(), FxHashMap::default());
        Self { db, boxes: Vec::new(), arrows, places: Vec::new(), numbers }
    }

    pub(crate) fn place(&mut self, place: Option<Place>) -> Option<PlaceId> {
        let place = place?;
        let next = PlaceId(u32::try_from(self.places.len()).ok()?);
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        Some(number)
    }

    /// The place of a node of a declaration, outside of its bodies.
    pub(crate) fn node(&mut self, decl: Decl<'db>, node: impl Into<Node>) -> Option<PlaceId> {
        let place = NodePlace { body: None, node: node.into() };
        let range: Option<TextRange> = place_range(self.db, decl, place);
        let file = decl.file(self.db).file(self.db);
        self.place(range.map(|range| Place { file, range }))
    }

    /// Adds a label to the arrow between two boxes. The first of several with the same text stays.
    pub(crate) fn arrow(&mut self, kind: ArrowKind, from: usize, to: usize, label: Label) {
        let labels = self.arrows.entry((from, to, kind)).or_default();
        if !labels.iter().any(|known| known.text == label.text) {
            labels.push(label);
        }
    }

    pub(crate) fn finish(self, kind: DiagramKind, title: String, is_broken: bool) -> Diagram {
        let arrows = self.arrows.into_iter();
        let arrows = arrows.map(|((from, to, kind), labels)| Arrow { kind, from, to, labels }).collect();
        Diagram { kind, title, boxes: self.boxes, arrows, places: self.places, is_broken }
    }
}
