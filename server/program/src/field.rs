//! The fields of named tuples in the text, each with the type of its tuple.
//!
//! A field has no declaration of its own: two tuple types with the same fields are one type in P, wherever they are written. So a field
//! is a name in a type, and what belongs together follows from which types take each other's values (`Ty::is_comparable`).

use lockstep_syntax::p::ast::{Expr, ExprId, NameId, Nodes, Stmt, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::check_body;
use crate::check::named_by_type;
use crate::db::{Db, Project};
use crate::declaration::{Code, Decl};
use crate::resolve::Types;
use crate::ty::Ty;

/// A field that an expression reads, writes or gives, as the check of the expression knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldUse {
    pub name: NameId,
    pub tuple: Ty,
    /// Whether it cannot be the field of another tuple as well: a message may be one of several events.
    pub is_sure: bool,
}

/// The name of a field in a declaration or body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: NameId,
    pub role: FieldRole,
    /// `Ty::Error` if it is not known.
    pub tuple: Ty,
    pub is_sure: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldRole {
    /// In a type.
    Declare,
    /// In the text of a tuple: `(name = value)`.
    Give,
    Read,
    Write,
}

/// The fields in a declaration, apart from its bodies, in no particular order.
pub fn decl_fields<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Field> {
    let known = named_by_type(db, decl);
    let variables = known.named.iter().map(|named| named.name).collect();
    fields(db, decl.file(db).project(db), &decl.shape(db).0.nodes, &known.fields, &variables)
}

/// The fields in a body, in no particular order.
pub fn body_fields<'db>(db: &'db dyn Db, code: Code<'db>) -> Vec<Field> {
    let known = check_body(db, code);
    let variables = known.named_by_type.iter().map(|named| named.name).collect();
    fields(db, code.decl(db).file(db).project(db), &code.shape(db).0.nodes, &known.fields, &variables)
}

/// `variables` are those names behind dots that are variables of machines.
fn fields(db: &dyn Db, project: Project, nodes: &Nodes, known: &[FieldUse], variables: &FxHashSet<NameId>) -> Vec<Field> {
    let known: FxHashMap<NameId, &FieldUse> = known.iter().map(|used| (used.name, used)).collect();
    let used = |name: NameId, role: FieldRole| match known.get(&name) {
        Some(FieldUse { tuple, is_sure, .. }) => Field { name, role, tuple: tuple.clone(), is_sure: *is_sure },
        None => Field { name, role, tuple: Ty::Error, is_sure: false },
    };
    let mut found = Vec::new();
    for (id, ty) in nodes.types.iter() {
        let Type::NamedTuple(declared) = ty else { continue };
        let tuple = Types::new(db, project, nodes).ty(id);
        let field = |name: NameId| Field { name, role: FieldRole::Declare, tuple: tuple.clone(), is_sure: true };
        found.extend(declared.iter().map(|declared| field(declared.name)));
    }
    let written = written_fields(nodes);
    for (_, expr) in nodes.exprs.iter() {
        match expr {
            Expr::NamedTuple(given) => found.extend(given.iter().map(|(name, _)| used(*name, FieldRole::Give))),
            Expr::Field { field, .. } if !variables.contains(field) => {
                found.push(used(*field, if written.contains(field) { FieldRole::Write } else { FieldRole::Read }));
            }
            _ => {}
        }
    }
    found
}

/// The fields that statements change: of `a.b.c = 1` that is `c`, of `a.b[0] = 1` it is `b`.
fn written_fields(nodes: &Nodes) -> FxHashSet<NameId> {
    let targets = nodes.stmts.iter().filter_map(|(_, stmt)| match stmt {
        Stmt::Assign { target, .. } | Stmt::Insert { target, .. } | Stmt::Remove { target, .. } => Some(*target),
        _ => None,
    });
    targets.filter_map(|target| outermost_field(nodes, target)).collect()
}

fn outermost_field(nodes: &Nodes, mut place: ExprId) -> Option<NameId> {
    loop {
        match &nodes[place] {
            Expr::Field { field, .. } => return Some(*field),
            Expr::Index { value, .. } | Expr::Element { value, .. } | Expr::Paren(value) => place = *value,
            _ => return None,
        }
    }
}
