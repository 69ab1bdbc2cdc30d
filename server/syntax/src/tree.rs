//! What the typed trees of P and IceT share: names, nodes with their places beside them, and a file's items.

use std::sync::Arc;

use la_arena::{Idx, RawIdx};
use lockstep_base::{Diagnostic, TextRange, TextSize};
use smol_str::SmolStr;
use tree_sitter::{Node, Tree};

use crate::codes;
use crate::parse::offset;

/// Deeper nesting is cut off with an error, so that what later passes need of the stack is bounded. A sum of that many
/// terms and as many `else if`s nest as deep.
pub(crate) const MAX_DEPTH: u32 = 5_000;

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

/// How a language's top-level nodes become items.
pub(crate) struct Lowering<Item> {
    /// A declaration with its own text; `None` for a node that declares nothing.
    pub(crate) item: fn(Node<'_>, &str) -> Option<Item>,
    /// Whether a token opens a declaration with members, whose end may be missing.
    pub(crate) opens: fn(Node<'_>) -> bool,
    /// Whether a node can be a member of such a declaration.
    pub(crate) is_member: fn(Node<'_>) -> bool,
    /// A declaration of which only the opening token and what follows it are left; the text starts at the first node.
    pub(crate) pieces: fn(&[Node<'_>], &str) -> Item,
}

impl<Item> Lowering<Item> {
    /// The items of every top-level node of `text`.
    pub(crate) fn items(&self, text: &str, tree: &Tree) -> File<Item> {
        let mut file = File::default();
        let root = tree.root_node();
        if root.is_error() {
            self.salvage(text, root, &mut file);
        } else {
            let mut cursor = root.walk();
            root.children(&mut cursor).for_each(|node| self.declaration(text, node, &mut file));
        }
        file
    }

    fn declaration(&self, text: &str, node: Node<'_>, file: &mut File<Item>) {
        if node.is_error() {
            self.salvage(text, node, file);
        } else if let Some(item) = (self.item)(node, &text[node.byte_range()]) {
            file.items.push(Placed { start: offset(node.start_byte()), value: item.into() });
        }
    }

    /// What can be saved from an error node: whole declarations in it, and one whose opening is there but not its end.
    fn salvage(&self, text: &str, error: Node<'_>, file: &mut File<Item>) {
        let mut cursor = error.walk();
        let children: Vec<Node<'_>> = error.children(&mut cursor).collect();
        let mut rest = children.as_slice();
        while let [first, following @ ..] = rest {
            if !(self.opens)(*first) {
                self.declaration(text, *first, file);
                rest = following;
                continue;
            }
            let belongs = |node: &&Node<'_>| !(self.opens)(**node) && (self.is_member)(**node);
            let length = 1 + following.iter().take_while(belongs).count();
            let (pieces, others) = rest.split_at(length);
            let start = first.start_byte();
            let item = (self.pieces)(pieces, &text[start..pieces[length - 1].end_byte()]);
            file.items.push(Placed { start: offset(start), value: item.into() });
            rest = others;
        }
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

        impl Nodes {
            /// Gives back what was reserved for more nodes: none will come.
            pub(super) fn finish(&mut self, spans: &mut Spans) {
                $(
                    self.$arena.shrink_to_fit();
                    spans.$arena.shrink_to_fit();
                )*
            }
        }
    };
}

pub(crate) use node_kinds;

pub(crate) fn raw<T>(id: Idx<T>) -> usize {
    RawIdx::into_u32(id.into_raw()) as usize
}
