//! P: from tree to typed file, item by item.

pub mod ast;
mod kinds;
mod lower;
mod words;

use lockstep_base::{Diagnostic, Text, TextRange};
use tree_sitter::{Node, Tree};

use self::ast::{File, Item, MachineKind, ProblemKind};
pub use self::words::is_reserved_for_proofs;
use crate::parse::offset;
use crate::{codes, tree};

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
                declaration(text, children[at], lowered);
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
        let source = text.slice(TextRange::new(offset(start), offset(end)));
        let item = lower::broken_machine(kind, name, parts, &source, start);
        lowered.push_pieces(start, item);
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
                ProblemKind::TooDeep => tree::too_deep(range),
            }
        })
    })
}
