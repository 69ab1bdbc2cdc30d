//! The syntax tree as plain data, for printing: a flat list in reading order, so that depth costs no stack.

use lockstep_base::{TextRange, TextSize};
use tree_sitter::Tree;

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

/// All nodes of the text, tokens and comments included, below one root.
pub fn outline(parse: &Parse) -> Vec<OutlineNode<'_>> {
    let mut nodes = vec![OutlineNode {
        depth: 0,
        field: None,
        kind: "source_file",
        is_named: true,
        is_error: false,
        is_missing: false,
        is_leaf: parse.text().is_empty(),
        range: TextRange::up_to(parse.text().len()),
    }];
    for (start, tree) in parse.trees() {
        add_tree(&mut nodes, tree, start);
    }
    if let Some(range) = parse.unread() {
        nodes.push(OutlineNode {
            depth: 1,
            field: None,
            kind: "ERROR",
            is_named: true,
            is_error: true,
            is_missing: false,
            is_leaf: true,
            range,
        });
    }
    nodes
}

/// Adds the nodes of a segment's tree one level down; its root only where it is an error.
fn add_tree<'p>(nodes: &mut Vec<OutlineNode<'p>>, tree: &'p Tree, start: TextSize) {
    let mut cursor = tree.walk();
    let mut depth = usize::from(tree.root_node().is_error());
    loop {
        let node = cursor.node();
        if depth > 0 {
            nodes.push(OutlineNode {
                depth,
                field: cursor.field_name(),
                kind: node.kind(),
                is_named: node.is_named(),
                is_error: node.is_error(),
                is_missing: node.is_missing(),
                is_leaf: node.child_count() == 0,
                range: TextRange::new(offset(node.start_byte()), offset(node.end_byte())) + start,
            });
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
