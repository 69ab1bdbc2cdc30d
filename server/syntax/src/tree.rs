//! What the typed trees of P and IceT share: names, nodes with their places beside them, and a file's items, taken over from
//! the version before where nothing changed.

use std::sync::Arc;

use la_arena::{Idx, RawIdx};
use lockstep_base::{Diagnostic, TextRange, TextSize};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tree_sitter::{Node, Tree};

use crate::codes;
use crate::parse::offset;

/// Deeper nesting is cut off with an error, so that no later pass has to fear for its stack.
pub(crate) const MAX_DEPTH: u32 = 500;

/// A name as written; empty where the text has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub SmolStr);

impl Name {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_missing(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// Something that knows only positions relative to its own start, and that start.
#[derive(Debug, PartialEq, Eq)]
pub struct Placed<T> {
    pub start: TextSize,
    pub value: Arc<T>,
}

impl<T> Clone for Placed<T> {
    fn clone(&self) -> Self {
        Self { start: self.start, value: self.value.clone() }
    }
}

/// A file's items in order, each with where it starts.
#[derive(Debug, PartialEq, Eq)]
pub struct File<Item> {
    pub items: Vec<Placed<Item>>,
}

impl<Item> Clone for File<Item> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone() }
    }
}

impl<Item> Default for File<Item> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

/// A typed file together with the tree nodes its items came from, so that the next version can keep what did not change.
#[derive(Debug)]
pub(crate) struct Lowered<Item> {
    pub(crate) file: File<Item>,
    /// For each item the identity of its node, or `None` if it was put together from pieces of an error node.
    nodes: Vec<Option<usize>>,
}

impl<Item> Lowered<Item> {
    /// Has `lower` add the items of every top-level node. A node that is already in `previous` is the same node with the same
    /// text (tree-sitter shares unchanged subtrees between versions, and the previous tree is still alive), so its item is
    /// taken over.
    pub(crate) fn new(tree: &Tree, previous: Option<&Self>, mut lower: impl FnMut(&mut Self, Node<'_>)) -> Self {
        let known: FxHashMap<usize, &Placed<Item>> = previous
            .into_iter()
            .flat_map(|previous| previous.nodes.iter().zip(&previous.file.items))
            .filter_map(|(node, item)| Some(((*node)?, item)))
            .collect();
        let mut lowered = Self { file: File::default(), nodes: Vec::new() };
        let root = tree.root_node();
        let mut cursor = root.walk();
        for node in root.children(&mut cursor) {
            if let Some(item) = known.get(&node.id()) {
                lowered.nodes.push(Some(node.id()));
                lowered.file.items.push(Placed { start: offset(node.start_byte()), value: item.value.clone() });
            } else {
                lower(&mut lowered, node);
            }
        }
        lowered
    }

    /// Adds the item that `node` is.
    pub(crate) fn push(&mut self, node: Node<'_>, item: Item) {
        self.nodes.push(Some(node.id()));
        self.file.items.push(Placed { start: offset(node.start_byte()), value: item.into() });
    }

    /// Adds an item put together from pieces, the first of which starts at byte `start`.
    pub(crate) fn push_pieces(&mut self, start: usize, item: Item) {
        self.nodes.push(None);
        self.file.items.push(Placed { start: offset(start), value: item.into() });
    }
}

/// Where `node` is, counted from byte `origin`.
pub(crate) fn relative(node: Node<'_>, origin: usize) -> TextRange {
    TextRange::new(offset(node.start_byte().saturating_sub(origin)), offset(node.end_byte().saturating_sub(origin)))
}

pub(crate) fn too_deep(range: TextRange) -> Diagnostic {
    let message = format!("this is nested more than {MAX_DEPTH} levels deep and is not looked into");
    Diagnostic::error(codes::TOO_DEEP, range, message)
}

/// Lets `Nodes` and `Spans` be indexed by the ids of their nodes, and nodes be added to both at once.
macro_rules! node_kinds {
    ($($node:ident, $arena:ident, $add:ident;)*) => {
        $(
            impl std::ops::Index<la_arena::Idx<$node>> for Nodes {
                type Output = $node;

                fn index(&self, id: la_arena::Idx<$node>) -> &$node {
                    &self.$arena[id]
                }
            }

            impl std::ops::Index<la_arena::Idx<$node>> for Spans {
                type Output = lockstep_base::TextRange;

                fn index(&self, id: la_arena::Idx<$node>) -> &lockstep_base::TextRange {
                    &self.$arena[$crate::tree::raw(id)]
                }
            }

            impl Nodes {
                pub(super) fn $add(
                    &mut self,
                    spans: &mut Spans,
                    node: $node,
                    span: lockstep_base::TextRange,
                ) -> la_arena::Idx<$node> {
                    spans.$arena.push(span);
                    self.$arena.alloc(node)
                }
            }
        )*
    };
}

pub(crate) use node_kinds;

pub(crate) fn raw<T>(id: Idx<T>) -> usize {
    RawIdx::into_u32(id.into_raw()) as usize
}
