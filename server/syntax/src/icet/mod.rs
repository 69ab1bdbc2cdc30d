//! IceT: from tree to typed file, item by item.

pub mod ast;
mod kinds;
mod lower;
#[cfg(test)]
mod tests;

use lockstep_base::Diagnostic;
use tree_sitter::Tree;

use self::ast::{File, Item};
use crate::tree::{self, Lowering};

/// The items of a segment.
pub(crate) fn lower(text: &str, tree: &Tree) -> File {
    LOWERING.items(text, tree)
}

const LOWERING: Lowering<Item> = Lowering {
    item: lower::item,
    opens: |node| matches!(node.kind(), "process" | "sequential"),
    is_member: |node| node.kind() == "variable_declaration" || !node.kind().ends_with("_declaration"),
    pieces: lower::broken_code,
};

/// What lowering itself found wrong.
pub(crate) fn problems(file: &File) -> impl Iterator<Item = Diagnostic> {
    file.items.iter().filter_map(|item| Some(tree::too_deep(item.value.too_deep? + item.start)))
}
