//! The syntax tree as plain data, for printing: a flat list in reading order, so that depth costs no stack.

use lockstep_base::TextRange;

use crate::Parse;
use crate::parse::offset;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineNode<'p> {
    pub depth: usize,
    pub field: Option<&'p str>,
    pub kind: &'p str,
    /// Tokens such as `;` are not named.
    pub is_named: bool,
    pub is_error: bool,
    /// Not in the text: the parser assumed it.
    pub is_missing: bool,
    pub is_leaf: bool,
    pub range: TextRange,
}

/// All nodes of the tree, tokens and comments included.
pub fn outline(parse: &Parse) -> Vec<OutlineNode<'_>> {
    let mut nodes = Vec::new();
    let mut cursor = parse.tree().walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        nodes.push(OutlineNode {
            depth,
            field: cursor.field_name(),
            kind: node.kind(),
            is_named: node.is_named(),
            is_error: node.is_error(),
            is_missing: node.is_missing(),
            is_leaf: node.child_count() == 0,
            range: TextRange::new(offset(node.start_byte()), offset(node.end_byte())),
        });
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
            }
            depth -= 1;
        }
    }
}
