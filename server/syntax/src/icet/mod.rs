//! IceT: from tree to typed file.

pub mod ast;

use lockstep_base::{Diagnostic, Text};
use tree_sitter::Tree;

#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub(crate) file: ast::File,
}
pub(crate) fn lower(_text: &Text, _tree: &Tree, _previous: Option<&Lowered>) -> Lowered {
    Lowered { file: ast::File::default() }
}
pub(crate) fn problems(_file: &ast::File) -> impl Iterator<Item = Diagnostic> {
    std::iter::empty()
}
