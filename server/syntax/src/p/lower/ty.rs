//! Types.

use tree_sitter::{Node, TreeCursor};

use super::super::ast::*;
use super::super::kinds::{Field, Kind, TABLE};
use super::Lower;

impl Lower<'_> {
    pub(super) fn ty(&mut self, cursor: &mut TreeCursor<'_>) -> TypeId {
        let node = cursor.node();
        let ty = self.nested(node, |this| this.type_node(cursor)).unwrap_or(Type::Missing);
        let span = self.span(node);
        self.nodes.add_type(&mut self.spans, ty, span)
    }

    pub(super) fn type_node(&mut self, cursor: &mut TreeCursor<'_>) -> Type {
        let node = cursor.node();
        let kind = TABLE.kind(node);
        match kind {
            Kind::TypeName => return Type::Named(self.name(node)),
            Kind::PrimitiveType => return primitive(self.text_of(node)).map_or(Type::Missing, Type::Primitive),
            _ => {}
        }
        let (mut types, mut fields) = (Vec::new(), Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Element | Field::Key | Field::Value => types.push(this.ty(cursor)),
            Field::Field => fields.push(this.typed_name(cursor)),
            _ => {}
        });
        let mut inner = types.iter().copied();
        match kind {
            Kind::SeqType => Type::Seq(self.type_or_missing(inner.next(), node)),
            Kind::SetType => Type::Set(self.type_or_missing(inner.next(), node)),
            Kind::MapType => {
                let key = self.type_or_missing(inner.next(), node);
                Type::Map(key, self.type_or_missing(inner.next(), node))
            }
            Kind::TupleType => Type::Tuple(types),
            Kind::NamedTupleType => Type::NamedTuple(fields),
            _ => Type::Missing,
        }
    }

    pub(super) fn type_or_missing(&mut self, ty: Option<TypeId>, node: Node<'_>) -> TypeId {
        let span = self.end_of(node);
        ty.unwrap_or_else(|| self.nodes.add_type(&mut self.spans, Type::Missing, span))
    }
}

fn primitive(text: &str) -> Option<Primitive> {
    Some(match text {
        "bool" => Primitive::Bool,
        "int" => Primitive::Int,
        "float" => Primitive::Float,
        "string" => Primitive::String,
        "event" => Primitive::Event,
        "machine" => Primitive::Machine,
        "data" => Primitive::Data,
        "any" => Primitive::Any,
        _ => return None,
    })
}
