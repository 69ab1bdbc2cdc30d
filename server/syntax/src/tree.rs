//! What the typed trees of P and IceT share: names, nodes with their places beside them, and a file's items, taken over from
//! the version before where nothing changed.

use std::sync::Arc;

use la_arena::{Idx, RawIdx};
use lockstep_base::{Diagnostic, Text, TextRange, TextSize};
use rustc_hash::{FxBuildHasher, FxHashMap};
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

impl<Item> Lowered<Item> {
    /// Lowers every top-level node. A node that is already in `previous` is the same node with the same text (tree-sitter
    /// shares unchanged subtrees between versions, and the previous tree is still alive), so its item is taken over.
    pub(crate) fn new(text: &Text, tree: &Tree, previous: Option<&Self>, lowering: &Lowering<Item>) -> Self {
        let count = previous.map_or(0, |previous| previous.nodes.len());
        let mut known: FxHashMap<usize, &Placed<Item>> = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        for (node, item) in previous.into_iter().flat_map(|previous| previous.nodes.iter().zip(&previous.file.items)) {
            known.extend(node.map(|node| (node, item)));
        }
        let mut builder = Builder {
            text,
            known,
            lowering,
            lowered: Self { file: File { items: Vec::with_capacity(count) }, nodes: Vec::with_capacity(count) },
        };
        let root = tree.root_node();
        if root.is_error() {
            builder.salvage(root);
        } else {
            let mut cursor = root.walk();
            root.children(&mut cursor).for_each(|node| builder.declaration(node));
        }
        builder.lowered
    }
}

struct Builder<'a, Item> {
    text: &'a Text,
    known: FxHashMap<usize, &'a Placed<Item>>,
    lowering: &'a Lowering<Item>,
    lowered: Lowered<Item>,
}

impl<Item> Builder<'_, Item> {
    fn declaration(&mut self, node: Node<'_>) {
        if node.is_error() {
            return self.salvage(node);
        }
        let identity = identity(node);
        let value = match identity.and_then(|identity| self.known.get(&identity)) {
            Some(item) => item.value.clone(),
            // Comments and tokens declare nothing; their text is not worth fetching.
            None if node.is_extra() || !node.is_named() => return,
            None => match (self.lowering.item)(node, &self.text.slice(relative(node, 0))) {
                Some(item) => item.into(),
                None => return,
            },
        };
        self.push(identity, node.start_byte(), value);
    }

    /// What can be saved from an error node: whole declarations in it, and one whose opening is there but not its end.
    fn salvage(&mut self, error: Node<'_>) {
        let mut cursor = error.walk();
        let children: Vec<Node<'_>> = error.children(&mut cursor).collect();
        let mut rest = children.as_slice();
        while let [first, following @ ..] = rest {
            if !(self.lowering.opens)(*first) {
                self.declaration(*first);
                rest = following;
                continue;
            }
            let belongs = |node: &&Node<'_>| !(self.lowering.opens)(**node) && (self.lowering.is_member)(**node);
            let length = 1 + following.iter().take_while(belongs).count();
            let (pieces, others) = rest.split_at(length);
            let start = first.start_byte();
            let source = self.text.slice(TextRange::new(offset(start), offset(pieces[length - 1].end_byte())));
            let item = (self.lowering.pieces)(pieces, &source);
            self.push(None, start, item.into());
            rest = others;
        }
    }

    fn push(&mut self, identity: Option<usize>, start: usize, value: Arc<Item>) {
        self.lowered.nodes.push(identity);
        self.lowered.file.items.push(Placed { start: offset(start), value });
    }
}

/// What a declaration has in common with another version's if and only if tree-sitter shares its subtree between the two.
/// The node's own id will not do: it is the address of the place the node has in its parent, and the parent may be new. The
/// place of its first child is in the node itself, as every declaration begins with a word and not with a hidden rule.
fn identity(declaration: Node<'_>) -> Option<usize> {
    declaration.child(0).map(|child| child.id())
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

#[cfg(test)]
mod tests {
    use lockstep_base::Edit;
    use proptest::prelude::*;

    use super::*;
    use crate::{Language, Parse, icet, p};

    const P: &str = "event e; machine A { start state S { on e do { x = 1; } } }
        fun f(a: int) { return; }\n// c\nmachine B { var x: int; start state S { defer e; } } test T [main = A]: { A, B };";
    const ICET: &str = "set S; process a { for c in S { send M(1) to c; } }
        message M(int);\n// c\nprocess c in S { var x: int; recv M(x) from a; } ensures safe: card(S) > 0;";
    const INSERTS: [&str; 14] =
        ["", "", " ", "{", "}", ";", "(", "x", "1", "// ", "/*", "*/", "process b { skip; }", "machine C { }"];

    /// Where, how many bytes go, and what comes.
    fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u32, &'static str)>> {
        prop::collection::vec((any::<prop::sample::Index>(), 0_u32..6, prop::sample::select(&INSERTS)), 1..12)
    }

    proptest! {
        #[test]
        fn items_taken_over_are_what_lowering_would_give(edits in edits()) {
            for (language, text) in [(Language::P, P), (Language::Icet, ICET)] {
                let mut parse = Parse::new(language, text);
                for (at, deleted, insert) in &edits {
                    let len = u32::from(parse.text().len());
                    let start = u32::try_from(at.index(len as usize + 1)).unwrap();
                    let range = TextRange::new(start.into(), (start + deleted).min(len).into());
                    parse = parse.edit(&[Edit { range, insert: (*insert).into() }]);
                    let (text, tree) = (parse.text(), parse.tree());
                    match language {
                        Language::P => prop_assert_eq!(parse.p().unwrap(), &p::lower(text, tree, None).file),
                        Language::Icet => prop_assert_eq!(parse.icet().unwrap(), &icet::lower(text, tree, None).file),
                    }
                }
            }
        }
    }
}
