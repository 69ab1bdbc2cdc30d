//! P: from tree to typed file, item by item.

pub mod ast;
mod lower;
mod words;

use lockstep_base::{Diagnostic, Text, TextRange, TextSize};
use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use self::ast::{File, Item, MachineKind, Placed, ProblemKind};
pub(crate) use self::lower::MAX_DEPTH;
pub use self::words::is_reserved_for_proofs;
use crate::codes;

/// A typed file together with the tree nodes its items came from, so that the next version can keep what did not change.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub(crate) file: File,
    /// For each item the identity of its node, or `None` if it was put together from pieces of an error node.
    nodes: Vec<Option<usize>>,
}

/// Lowers every top-level node. A node that is already in `previous` is the same node with the same text (tree-sitter shares
/// unchanged subtrees between versions, and the previous tree is still alive), so its item is taken over.
pub(crate) fn lower(text: &Text, tree: &Tree, previous: Option<&Lowered>) -> Lowered {
    let known: FxHashMap<usize, &Placed<Item>> = previous
        .into_iter()
        .flat_map(|previous| previous.nodes.iter().zip(&previous.file.items))
        .filter_map(|(node, item)| Some(((*node)?, item)))
        .collect();
    let mut lowered = Lowered { file: File::default(), nodes: Vec::new() };
    let root = tree.root_node();
    let mut cursor = root.walk();
    for node in root.children(&mut cursor) {
        if node.is_error() {
            salvage(text, node, &mut lowered);
        } else if let Some(item) = known.get(&node.id()) {
            lowered.push(Some(node.id()), Placed { start: size(node.start_byte()), value: item.value.clone() });
        } else {
            lowered.lower(text, node);
        }
    }
    lowered
}

impl Lowered {
    fn push(&mut self, node: Option<usize>, item: Placed<Item>) {
        self.nodes.push(node);
        self.file.items.push(item);
    }

    fn lower(&mut self, text: &Text, node: Node<'_>) {
        if let Some(item) = lower::item(node, &text.slice(range(node))) {
            self.push(Some(node.id()), Placed { start: size(node.start_byte()), value: item.into() });
        }
    }
}

/// What can be saved from an error node: whole declarations in it, and a machine whose opening is there but not its end.
fn salvage(text: &Text, error: Node<'_>, lowered: &mut Lowered) {
    let mut cursor = error.walk();
    let children: Vec<Node<'_>> = error.children(&mut cursor).collect();
    let mut at = 0;
    while at < children.len() {
        let kind = match children[at].kind() {
            "machine" => MachineKind::Machine,
            "spec" => MachineKind::Spec,
            "scenario" => MachineKind::Scenario,
            _ => {
                lowered.lower(text, children[at]);
                at += 1;
                continue;
            }
        };
        let is_opening = |node: &Node<'_>| matches!(node.kind(), "machine" | "spec" | "scenario");
        let length = children[at + 1..].iter().take_while(|node| !is_opening(node)).count();
        let parts = &children[at + 1..=at + length];
        let name = parts.first().filter(|node| node.kind() == "identifier").copied();
        let start = children[at].start_byte();
        let end = children[at + length].end_byte();
        let source = text.slice(TextRange::new(size(start), size(end)));
        let item = lower::broken_machine(kind, name, parts, &source, start);
        lowered.push(None, Placed { start: size(start), value: item.into() });
        at += length + 1;
    }
}

/// What lowering itself found wrong.
pub(crate) fn problems(file: &File) -> impl Iterator<Item = Diagnostic> {
    file.items.iter().flat_map(|item| {
        item.value.problems.iter().map(|problem| {
            let range = problem.range + item.start;
            match &problem.kind {
                ProblemKind::ReservedName(word) => Diagnostic::error(
                    codes::RESERVED_NAME,
                    range,
                    format!("`{word}` is a reserved word of P and cannot be used as a name"),
                )
                .with_help("P 3 reserves the words of its proof language everywhere; rename this"),
                ProblemKind::TooDeep => Diagnostic::error(
                    codes::TOO_DEEP,
                    range,
                    format!("this is nested more than {MAX_DEPTH} levels deep and is not looked into"),
                ),
            }
        })
    })
}

fn range(node: Node<'_>) -> TextRange {
    TextRange::new(size(node.start_byte()), size(node.end_byte()))
}

fn size(bytes: usize) -> TextSize {
    TextSize::try_from(bytes).expect("texts are smaller than 4 GiB")
}
