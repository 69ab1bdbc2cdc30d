//! From tree-sitter's tree of one top-level declaration to a typed item.
//!
//! Reads only the nodes it knows, by field; what is missing becomes a hole and what is left over (error nodes) is passed by.
//! So every tree, however broken, gives an item.

mod expr;
mod stmt;

use lockstep_base::{TextRange, TextSize};
use smol_str::SmolStr;
use tree_sitter::{Node, TreeCursor};

use super::ast::*;
use super::kinds::{Field, Kind, TABLE};
use crate::tree::{MAX_DEPTH, relative};

/// Lowers a declaration; `None` for a node that declares nothing. `text` is the node's own text.
pub(super) fn item(node: Node<'_>, text: &str) -> Option<Item> {
    let mut lower = Lower::new(text, node.start_byte());
    let decl = lower.decl(&mut node.walk())?;
    Some(lower.into_item(decl))
}

/// A process or sequential part that is not closed: its first word, and what follows that can belong to it.
pub(super) fn broken_code(pieces: &[Node<'_>], text: &str) -> Item {
    let mut lower = Lower::new(text, pieces[0].start_byte());
    let mut body = Body::default();
    for piece in pieces {
        if TABLE.kind(*piece) == Kind::VariableDeclaration {
            body.vars.push(lower.var(&mut piece.walk()));
        } else if piece.kind().ends_with("_statement") {
            body.stmts.push(lower.stmt(&mut piece.walk()));
        }
    }
    if pieces[0].kind() == "sequential" {
        return lower.into_item(Decl::Sequential(body));
    }
    let identifier = |at: usize| pieces.get(at).filter(|node| TABLE.kind(**node) == Kind::Identifier);
    let name = match identifier(1) {
        Some(node) => lower.name(&mut node.walk()),
        None => lower.missing_name(pieces[0]),
    };
    let has_set = pieces.get(2).is_some_and(|node| node.kind() == "in");
    let set = identifier(3).filter(|_| has_set).map(|node| lower.name(&mut node.walk()));
    lower.into_item(Decl::Process { name, set, body })
}

struct Lower<'t> {
    /// The item's text, which starts at byte `start` of the file.
    text: &'t str,
    start: usize,
    nodes: Nodes,
    spans: Spans,
    too_deep: Option<TextRange>,
    depth: u32,
}

impl<'t> Lower<'t> {
    fn new(text: &'t str, start: usize) -> Self {
        Self { text, start, nodes: Nodes::default(), spans: Spans::default(), too_deep: None, depth: 0 }
    }

    fn into_item(self, decl: Decl) -> Item {
        let Self { mut nodes, mut spans, too_deep, text, .. } = self;
        nodes.finish(&mut spans);
        Item { decl, nodes, spans, too_deep, len: TextSize::of(text) }
    }

    // ---- Walking ----

    /// Lowers every child in the field `wanted`.
    fn each<'n, T>(
        &mut self,
        wanted: Field,
        cursor: &mut TreeCursor<'n>,
        mut lower: impl FnMut(&mut Self, &mut TreeCursor<'n>) -> T,
    ) -> Vec<T> {
        let mut found = Vec::new();
        if !cursor.goto_first_child() {
            return found;
        }
        loop {
            if TABLE.field(cursor) == wanted {
                found.push(lower(self, cursor));
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
        found
    }

    /// Lowers the child in the field `wanted`.
    fn one<'n, T>(
        &mut self,
        wanted: Field,
        cursor: &mut TreeCursor<'n>,
        lower: impl FnMut(&mut Self, &mut TreeCursor<'n>) -> T,
    ) -> Option<T> {
        self.each(wanted, cursor, lower).pop()
    }

    /// The word or sign in the field `wanted`.
    fn token<'n>(&mut self, wanted: Field, cursor: &mut TreeCursor<'n>) -> &'n str {
        self.one(wanted, cursor, |_, cursor| cursor.node().kind()).unwrap_or("")
    }

    /// Whether the child in the field `wanted` is of that kind.
    fn is(&mut self, kind: Kind, wanted: Field, cursor: &mut TreeCursor<'_>) -> bool {
        self.one(wanted, cursor, |_, cursor| TABLE.kind(cursor.node()) == kind) == Some(true)
    }

    /// Runs `lower` one level deeper, on more stack if needed; beyond the limit it reports and gives up.
    fn nested<T>(&mut self, node: Node<'_>, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.too_deep.get_or_insert(relative(node, self.start));
            return None;
        }
        self.depth += 1;
        let lowered = stacker::maybe_grow(64 * 1024, 1024 * 1024, || lower(self));
        self.depth -= 1;
        Some(lowered)
    }

    fn text_of(&self, node: Node<'_>) -> &'t str {
        let range = node.start_byte().saturating_sub(self.start)..node.end_byte().saturating_sub(self.start);
        self.text.get(range).unwrap_or("")
    }

    fn span(&self, node: Node<'_>) -> TextRange {
        relative(node, self.start)
    }

    fn end_of(&self, node: Node<'_>) -> TextRange {
        TextRange::empty(self.span(node).end())
    }

    // ---- Names ----

    /// A name, or a number kept as written.
    fn name(&mut self, cursor: &mut TreeCursor<'_>) -> NameId {
        let node = cursor.node();
        let name = Name(SmolStr::new(self.text_of(node)));
        let span = self.span(node);
        self.nodes.add_name(&mut self.spans, name, span)
    }

    /// The hole where a name should be, at the place where the surrounding node starts.
    fn missing_name(&mut self, node: Node<'_>) -> NameId {
        let span = TextRange::empty(self.span(node).start());
        self.nodes.add_name(&mut self.spans, Name(SmolStr::default()), span)
    }

    fn name_in(&mut self, field: Field, cursor: &mut TreeCursor<'_>) -> NameId {
        let name = self.one(field, cursor, Self::name);
        name.unwrap_or_else(|| self.missing_name(cursor.node()))
    }

    fn typed_name(&mut self, cursor: &mut TreeCursor<'_>) -> TypedName {
        TypedName { name: self.name_in(Field::Name, cursor), ty: self.type_in(Field::Type, cursor) }
    }

    // ---- Declarations ----

    fn decl(&mut self, cursor: &mut TreeCursor<'_>) -> Option<Decl> {
        let decl = match TABLE.kind(cursor.node()) {
            Kind::TypeDeclaration => {
                Decl::Type { name: self.name_in(Field::Name, cursor), definition: self.one(Field::Type, cursor, Self::ty) }
            }
            Kind::EnumDeclaration => Decl::Enum {
                name: self.name_in(Field::Name, cursor),
                elements: self.each(Field::Element, cursor, Self::enum_element),
            },
            Kind::MessageDeclaration => Decl::Message { name: self.name_in(Field::Name, cursor), payload: self.payload(cursor) },
            Kind::SetDeclaration => {
                Decl::Set { name: self.name_in(Field::Name, cursor), superset: self.one(Field::Superset, cursor, Self::name) }
            }
            Kind::ConstDeclaration => Decl::Const {
                name: self.name_in(Field::Name, cursor),
                ty: self.type_in(Field::Type, cursor),
                value: self.one(Field::Value, cursor, Self::expr),
            },
            Kind::VariableDeclaration => Decl::Var(self.var(cursor)),
            Kind::ProcessDeclaration => Decl::Process {
                name: self.name_in(Field::Name, cursor),
                set: self.one(Field::Set, cursor, Self::name),
                body: self.body(cursor),
            },
            Kind::SequentialDeclaration => Decl::Sequential(self.body(cursor)),
            Kind::AssumeDeclaration => Decl::Assume(self.expr_in(Field::Condition, cursor)),
            Kind::InvariantDeclaration => Decl::Invariant(self.claim(cursor)),
            Kind::EnsuresDeclaration => Decl::Ensures(self.claim(cursor)),
            _ => return None,
        };
        Some(decl)
    }

    fn enum_element(&mut self, cursor: &mut TreeCursor<'_>) -> EnumElement {
        EnumElement { name: self.name_in(Field::Name, cursor), payload: self.payload(cursor) }
    }

    fn payload(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<Part> {
        let parts = self.one(Field::Payload, cursor, |this, cursor| this.each(Field::Part, cursor, Self::part));
        parts.unwrap_or_default()
    }

    fn part(&mut self, cursor: &mut TreeCursor<'_>) -> Part {
        Part { name: self.one(Field::Name, cursor, Self::name), ty: self.type_in(Field::Type, cursor) }
    }

    fn var(&mut self, cursor: &mut TreeCursor<'_>) -> Var {
        Var {
            is_ghost: self.one(Field::Ghost, cursor, |_, _| ()).is_some(),
            names: self.each(Field::Name, cursor, Self::name),
            ty: self.type_in(Field::Type, cursor),
            value: self.one(Field::Value, cursor, Self::expr),
        }
    }

    fn body(&mut self, cursor: &mut TreeCursor<'_>) -> Body {
        let body = self.one(Field::Body, cursor, |this, cursor| Body {
            vars: this.each(Field::Variable, cursor, Self::var),
            stmts: this.block(cursor),
        });
        body.unwrap_or_else(|| Body { vars: Vec::new(), stmts: self.missing_block(cursor.node()) })
    }

    fn claim(&mut self, cursor: &mut TreeCursor<'_>) -> Claim {
        Claim { name: self.one(Field::Name, cursor, Self::name), condition: self.expr_in(Field::Condition, cursor) }
    }

    // ---- Types ----

    fn ty(&mut self, cursor: &mut TreeCursor<'_>) -> TypeId {
        let node = cursor.node();
        let ty = self.nested(node, |this| this.type_node(cursor)).unwrap_or(Type::Missing);
        let span = self.span(node);
        self.nodes.add_type(&mut self.spans, ty, span)
    }

    fn type_node(&mut self, cursor: &mut TreeCursor<'_>) -> Type {
        let node = cursor.node();
        match TABLE.kind(node) {
            _ if node.is_missing() => Type::Missing,
            Kind::TypeName => Type::Named(self.name(cursor)),
            Kind::PrimitiveType => primitive(self.text_of(node)).map_or(Type::Missing, Type::Primitive),
            Kind::SetType => Type::Set(self.type_in(Field::Element, cursor)),
            Kind::MapType => Type::Map(self.type_in(Field::Key, cursor), self.type_in(Field::Value, cursor)),
            Kind::TupleType => Type::Tuple(self.each(Field::Element, cursor, Self::ty)),
            Kind::RecordType => Type::Record(self.each(Field::Field, cursor, Self::typed_name)),
            _ => Type::Missing,
        }
    }

    fn type_in(&mut self, field: Field, cursor: &mut TreeCursor<'_>) -> TypeId {
        let ty = self.one(field, cursor, Self::ty);
        let span = self.end_of(cursor.node());
        ty.unwrap_or_else(|| self.nodes.add_type(&mut self.spans, Type::Missing, span))
    }
}

fn primitive(text: &str) -> Option<Primitive> {
    Some(match text {
        "bool" => Primitive::Bool,
        "int" => Primitive::Int,
        "pid" => Primitive::Pid,
        _ => return None,
    })
}
