//! P: from tree to typed file, item by item.

pub mod ast;
mod kinds;
mod lower;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

use lockstep_base::{Diagnostic, TextRange};
use tree_sitter::Tree;

use self::ast::{Decl, File, Item, ProblemKind};
pub use self::words::is_reserved_for_proofs;
use crate::tree::Lowering;
use crate::{codes, tree};

/// The items of a segment.
pub(crate) fn lower(text: &str, tree: &Tree) -> File {
    let mut file = LOWERING.items(text, tree);
    if has_error_between_items(tree) {
        // A brace too many ends a machine early; what follows belongs to it.
        for item in file.items.iter_mut().filter_map(|item| Arc::get_mut(&mut item.value)) {
            item.is_damaged |= matches!(item.decl, Decl::Machine(_));
        }
    }
    file
}

fn has_error_between_items(tree: &Tree) -> bool {
    let root = tree.root_node();
    root.has_error() && (root.is_error() || root.children(&mut root.walk()).any(|node| node.is_error()))
}

const LOWERING: Lowering<Item> = Lowering {
    item: lower::item,
    opens: |node| matches!(node.kind(), "machine" | "spec" | "scenario"),
    is_member: |node| match node.kind() {
        "variable_declaration" | "function_declaration" | "state_declaration" => true,
        other => !other.ends_with("_declaration"),
    },
    pieces: lower::broken_machine,
};

/// What lowering itself found wrong. A reserved word is reported where it first stands: one rename mends them all. Where
/// `is_sure` says no, the text is broken and the word may be no name.
pub(crate) fn problems(file: &File, is_sure: impl Fn(TextRange) -> bool) -> impl Iterator<Item = Diagnostic> {
    let mut reported: Vec<&str> = Vec::new();
    let problems = file.items.iter().flat_map(|item| item.value.problems.iter().map(|problem| (item.start, problem)));
    problems.filter_map(move |(start, problem)| {
        let range = problem.range + start;
        match &problem.kind {
            ProblemKind::ReservedName(word) if reported.contains(&word.as_str()) || !is_sure(range) => None,
            ProblemKind::ReservedName(word) => {
                reported.push(word);
                let message = format!("`{word}` is a reserved word of P and cannot be used as a name");
                let help = "P 3 reserves the words of its proof language everywhere: rename it here and wherever it is used";
                Some(Diagnostic::error(codes::RESERVED_NAME, range, message).with_help(help))
            }
            ProblemKind::TooDeep => Some(tree::too_deep(range)),
        }
    })
}
