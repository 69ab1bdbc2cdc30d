//! A parsed text part by part, each a walk over the nodes and tokens of its tree: for whoever needs the text as it is written, with its
//! comments, which the typed trees do not have.
//!
//! A part is a segment: what is wrong in one does not matter to how another is read. The walk goes through a tree of any depth without
//! recursion.

use std::ops::Range;

use lockstep_base::{TextRange, TextSize};

use crate::Language;
use crate::parse::Parse;

/// A stretch of a text that is read on its own. All of them together are the text.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    pub range: TextRange,
    pub text: &'p str,
    /// Whether all of it is what the grammar says.
    pub is_sound: bool,
    pub(crate) parse: &'p Parse,
    pub(crate) index: usize,
}

/// One step of a walk; positions count from the start of the part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a node, by the number of its kind.
    Enter(u16),
    /// A token or comment, with the number of its kind.
    Leaf(u16, Range<usize>),
    /// Out of the node entered last.
    Leave,
}

impl Part<'_> {
    pub fn start(&self) -> TextSize {
        self.range.start()
    }

    /// Goes through the tree of the part in the order of the text, without its root.
    pub fn walk(&self, mut visit: impl FnMut(Step)) {
        let tree = self.parse.tree_for_now(self.index);
        let mut cursor = tree.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut depth = 0_usize;
        loop {
            let node = cursor.node();
            if cursor.goto_first_child() {
                depth += 1;
                visit(Step::Enter(node.kind_id()));
                continue;
            }
            visit(Step::Leaf(node.kind_id(), node.byte_range()));
            while !cursor.goto_next_sibling() {
                if depth == 0 {
                    return;
                }
                cursor.goto_parent();
                depth -= 1;
                visit(Step::Leave);
            }
        }
    }
}

/// A kind of nodes or tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindName {
    pub name: String,
    /// Tokens such as `;` are not: their name is their text.
    pub is_named: bool,
}

/// All kinds of nodes and tokens, by number.
pub fn kind_names(language: Language) -> Vec<KindName> {
    let grammar = language.tree_sitter();
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let named = |kind| KindName {
        name: grammar.node_kind_for_id(kind).unwrap_or_default().to_owned(),
        is_named: grammar.node_kind_is_named(kind),
    };
    (0..count).map(named).collect()
}
