//! Node and field names of a tree-sitter language as Rust enums, looked up by number.

/// Declares an enum of names and the table from tree-sitter's numbers to them. Names that are not listed become `Other`.
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        // The names are the grammar's.
        #[allow(clippy::enum_variant_names)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            $($variant,)*
            Other,
        }

        impl $enum {
            fn from_name(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

pub(crate) use named;

use tree_sitter::{Language, Node, TreeCursor};

/// From tree-sitter's numbers to the enums of one language.
pub(crate) struct Table<Kind, Field> {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
    other_kind: Kind,
    other_field: Field,
}

impl<Kind: Copy, Field: Copy> Table<Kind, Field> {
    /// Only named nodes get a kind; tokens are matched by their text.
    pub(crate) fn new(language: &Language, kind: fn(&str) -> Kind, field: fn(&str) -> Field) -> Self {
        let count = u16::try_from(language.node_kind_count()).expect("a grammar has fewer than 65,536 symbols");
        let kinds = (0..count)
            .map(|id| match language.node_kind_for_id(id) {
                Some(name) if language.node_kind_is_named(id) => kind(name),
                _ => kind(""),
            })
            .collect();
        let count = u16::try_from(language.field_count()).expect("a grammar has few fields");
        let fields = (0..=count).map(|id| field(language.field_name_for_id(id).unwrap_or(""))).collect();
        Self { kinds, fields, other_kind: kind(""), other_field: field("") }
    }

    pub(crate) fn kind(&self, node: Node<'_>) -> Kind {
        self.kinds.get(usize::from(node.kind_id())).copied().unwrap_or(self.other_kind)
    }

    pub(crate) fn field(&self, cursor: &TreeCursor<'_>) -> Field {
        let id = cursor.field_id().map_or(0, |id| usize::from(id.get()));
        self.fields.get(id).copied().unwrap_or(self.other_field)
    }
}
