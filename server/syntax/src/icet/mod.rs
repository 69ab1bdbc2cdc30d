//! IceT: from tree to typed file, item by item.

pub mod ast;
mod kinds;
mod lower;
#[cfg(test)]
mod tests;

use lockstep_base::{Diagnostic, Text, TextRange};
use tree_sitter::{Node, Tree};

use self::ast::{File, Item};
use crate::parse::offset;
use crate::tree;

pub(crate) type Lowered = tree::Lowered<Item>;

pub(crate) fn lower(text: &Text, tree: &Tree, previous: Option<&Lowered>) -> Lowered {
    Lowered::new(tree, previous, |lowered, node| {
        if node.is_error() {
            salvage(text, node, lowered);
        } else {
            declaration(text, node, lowered);
        }
    })
}

fn declaration(text: &Text, node: Node<'_>, lowered: &mut Lowered) {
    if let Some(item) = lower::item(node, &text.slice(tree::relative(node, 0))) {
        lowered.push(node, item);
    }
}

/// What can be saved from an error node: whole declarations in it, and code whose opening is there but not its end.
fn salvage(text: &Text, error: Node<'_>, lowered: &mut Lowered) {
    let mut cursor = error.walk();
    let children: Vec<Node<'_>> = error.children(&mut cursor).collect();
    let mut rest = children.as_slice();
    while let [first, following @ ..] = rest {
        if !is_opening(*first) {
            declaration(text, *first, lowered);
            rest = following;
            continue;
        }
        let length = 1 + following.iter().take_while(|node| !is_opening(**node) && !is_outside_code(**node)).count();
        let (pieces, others) = rest.split_at(length);
        let start = first.start_byte();
        let source = text.slice(TextRange::new(offset(start), offset(pieces[length - 1].end_byte())));
        lowered.push_pieces(start, lower::broken_code(pieces, &source));
        rest = others;
    }
}

fn is_opening(node: Node<'_>) -> bool {
    matches!(node.kind(), "process" | "sequential")
}

/// Whether the node is a declaration that cannot stand in a process.
fn is_outside_code(node: Node<'_>) -> bool {
    node.kind().ends_with("_declaration") && node.kind() != "variable_declaration"
}

/// What lowering itself found wrong.
pub(crate) fn problems(file: &File) -> impl Iterator<Item = Diagnostic> {
    file.items.iter().filter_map(|item| Some(tree::too_deep(item.value.too_deep? + item.start)))
}
