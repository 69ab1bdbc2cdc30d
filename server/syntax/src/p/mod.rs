//! P: from tree to typed file, item by item.

pub mod ast;
mod kinds;
mod lower;
#[cfg(test)]
mod tests;
mod words;

use lockstep_base::{Diagnostic, Text};
use tree_sitter::Tree;

use self::ast::{File, Item, ProblemKind};
pub use self::words::is_reserved_for_proofs;
use crate::tree::Lowering;
use crate::{codes, tree};

pub(crate) type Lowered = tree::Lowered<Item>;

pub(crate) fn lower(text: &Text, tree: &Tree, previous: Option<&Lowered>) -> Lowered {
    Lowered::new(text, tree, previous, &LOWERING)
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
