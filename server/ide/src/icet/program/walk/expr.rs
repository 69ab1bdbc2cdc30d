//! Expressions, places and patterns.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{BinaryOp, Expr, ExprId, NameId, Pattern, PatternId, TypedName};

use super::super::{NameKind, Role, Ty};
use super::Walk;

impl Walk<'_, '_> {
    /// An expression that is read; gives its type. `expected` is the type of what it is for, which tells what the fields of a
    /// record stand for.
    pub(super) fn expr(&mut self, id: ExprId, expected: Ty) -> Ty {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(id, expected))
    }

    fn expr_node(&mut self, id: ExprId, expected: Ty) -> Ty {
        let item = self.item;
        match &item.nodes[id] {
            Expr::Name(_) | Expr::Field { .. } | Expr::Element { .. } | Expr::Index { .. } => self.place_node(id, Role::Read),
            Expr::Paren(value) => self.expr(*value, expected),
            Expr::Tuple(elements) => {
                let mut types = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    types.push(self.expr(*element, self.program.part(expected, index)));
                }
                self.program.tuple_of(&types)
            }
            Expr::Record(fields) => {
                for (name, value) in fields {
                    let field = self.field(*name, Role::Read, expected);
                    self.expr(*value, self.type_of(field));
                }
                expected
            }
            Expr::Set(elements) => self.set(elements, expected),
            Expr::Call { function, args } => self.call(*function, args),
            Expr::Unary { operand, .. } => {
                self.expr(*operand, Ty::Unknown);
                Ty::Unknown
            }
            Expr::Binary { op, left, right } => self.binary(*op, *left, *right, expected),
            Expr::Quantifier { bound, body, .. } => {
                self.bound(bound, *body, item.spans[id].end());
                Ty::Unknown
            }
            Expr::Comprehension { bound, body } => {
                self.bound(std::slice::from_ref(bound), *body, item.spans[id].end());
                self.program.set_of(self.written(bound.ty))
            }
            Expr::Missing | Expr::Int(_) | Expr::Bool(_) => Ty::Unknown,
        }
    }

    fn set(&mut self, elements: &[ExprId], expected: Ty) -> Ty {
        let of = self.program.element(expected);
        let mut found = of;
        for element in elements {
            let ty = self.expr(*element, of);
            if found == Ty::Unknown {
                found = ty;
            }
        }
        self.program.set_of(found)
    }

    /// An element of an enum with what it carries, or a built-in function.
    fn call(&mut self, function: NameId, args: &[ExprId]) -> Ty {
        let found = self.name(function, Role::Read);
        self.args(found, args);
        self.type_of(found)
    }

    /// What a message or an element is given to carry.
    pub(super) fn args(&mut self, of: Option<super::DeclId>, args: &[ExprId]) {
        let carries =
            |id: &super::DeclId| matches!(self.program.declarations[*id].kind, NameKind::Message | NameKind::EnumElement);
        let of = of.filter(carries);
        let payload = of.map_or(&[][..], |id| self.program.payload(id));
        let item = of.map_or(self.index, |id| self.program.declarations[id].item);
        for (index, arg) in args.iter().enumerate() {
            self.expr(*arg, payload.get(index).map_or(Ty::Unknown, |part| Ty::Written { item, ty: part.ty }));
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, expected: Ty) -> Ty {
        let is_of_operands = matches!(op, BinaryOp::Mul | BinaryOp::Add | BinaryOp::Sub);
        let left = self.expr(left, if is_of_operands { expected } else { Ty::Unknown });
        let same = matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Subset) || is_of_operands;
        let right = self.expr(right, if same { left } else { Ty::Unknown });
        match left {
            _ if !is_of_operands => Ty::Unknown,
            Ty::Unknown => right,
            _ => left,
        }
    }

    fn bound(&mut self, bound: &[TypedName], body: ExprId, end: lockstep_base::TextSize) {
        let mark = self.mark();
        for TypedName { name, ty } in bound {
            let place = self.place(*name);
            let scope = TextRange::new(place.start(), (end + self.start).max(place.end()));
            let rest = self.item.spans[*ty] + self.start;
            self.local(*name, NameKind::Bound, scope, self.written(*ty), Some(rest));
        }
        self.expr(body, Ty::Unknown);
        self.leave(mark);
    }

    // ---- Places ----

    /// Something that a value is stored in; gives its type.
    pub(super) fn written_place(&mut self, id: ExprId) -> Ty {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.place_node(id, Role::Write))
    }

    fn place_in(&mut self, id: ExprId, role: Role) -> Ty {
        if role == Role::Write { self.written_place(id) } else { self.expr(id, Ty::Unknown) }
    }

    fn place_node(&mut self, id: ExprId, role: Role) -> Ty {
        let item = self.item;
        match &item.nodes[id] {
            Expr::Name(name) => {
                let found = self.name(*name, role);
                self.type_of(found)
            }
            Expr::Field { value, field } => {
                let first = self.program.uses.len();
                let ty = self.place_in(*value, role);
                if role == Role::Write && self.program.process_of(ty).is_some() {
                    // `p.x = e` changes `x`; `p` only says whose.
                    let before = self.program.uses[first..].iter_mut().filter(|found| found.role == Role::Write);
                    before.for_each(|found| found.role = Role::Read);
                }
                let found = self.field(*field, role, ty);
                self.type_of(found)
            }
            Expr::Element { value, index } => {
                let ty = self.place_in(*value, role);
                let index = item.nodes[*index].as_str().parse();
                index.map_or(Ty::Unknown, |index| self.program.part(ty, index))
            }
            Expr::Index { value, index } => {
                let ty = self.place_in(*value, role);
                let (key, element) = self.program.map(ty).unwrap_or((Ty::Unknown, Ty::Unknown));
                self.expr(*index, key);
                element
            }
            _ => self.expr(id, Ty::Unknown),
        }
    }

    /// Gives the type of a pattern that is one place.
    pub(super) fn pattern(&mut self, id: PatternId) -> Ty {
        let item = self.item;
        match &item.nodes[id] {
            Pattern::Missing | Pattern::Wildcard => Ty::Unknown,
            Pattern::Place(place) => self.written_place(*place),
            Pattern::Tuple(parts) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                let types: Vec<Ty> = parts.iter().map(|part| self.pattern(*part)).collect();
                self.program.tuple_of(&types)
            }),
        }
    }
}
