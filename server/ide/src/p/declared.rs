//! What the declaration of something says: its name, its place, its type.

use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, Decl, DeclKind, Def, LocalPlace, MemberKind, Node, Place, Target, codes, name_of, place_range, written_type,
};
use lockstep_syntax::p::ast::{
    Block, Decl as AstDecl, Expr, Function, FunctionCode, HandlerKind, NameId, Nodes, StateItem, Stmt, TypeId, TypedName,
};

use super::names::FilePlace;

/// The declaration something is or belongs to.
pub(super) fn decl_of<'db>(target: &Target<'db>) -> Decl<'db> {
    match target {
        Target::Global(def) => def.decl,
        Target::Member { machine: decl, .. } | Target::Local { decl, .. } => *decl,
    }
}

/// Where something is declared: its name there.
pub(super) fn declared_at<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<FilePlace> {
    let (body, name) = name_node(db, target)?;
    let decl = decl_of(target);
    let range = place_range(db, decl, Place { body, node: name.into() })?;
    Some(FilePlace { file: decl.file(db).file(db), range })
}

/// The name of something.
pub(super) fn name<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    let (body, name) = name_node(db, target)?;
    nodes(db, decl_of(target), body).map(|nodes| nodes[name].as_str().to_owned()).filter(|name| !name.is_empty())
}

/// The words that mention something. An invariant of a lemma is called by the names of both outside of it.
pub(super) fn written<'db>(db: &'db dyn Db, target: &Target<'db>) -> Vec<String> {
    let mut words: Vec<String> = name(db, target).into_iter().collect();
    if let Target::Global(Def { decl, part }) = target
        && let item = &decl.shape(db).0
        && let AstDecl::InvariantGroup { invariants, .. } = &item.decl
    {
        let mentioned = (0..).zip(invariants).filter(|(number, _)| part.is_none_or(|part| part == *number));
        words.extend(mentioned.map(|(_, invariant)| format!("{}_{}", decl.name(db), item.nodes[invariant.name].as_str())));
    }
    words
}

/// The body, if it is in one, and the name with which something is declared.
fn name_node<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<(Option<u32>, NameId)> {
    match target {
        Target::Global(def) => Some((None, name_of(db, *def)?)),
        Target::Member { machine, kind, name } => Some((None, member_name(db, *machine, *kind, name)?)),
        Target::Local { place, .. } => Some((place.body, place.name)),
    }
}

fn member_name(db: &dyn Db, machine: Decl<'_>, kind: MemberKind, name: &str) -> Option<NameId> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(machine) = &item.decl else { return None };
    let is_it = |id: &NameId| item.nodes[*id].as_str() == name;
    match kind {
        MemberKind::Variable => machine.vars.iter().flat_map(|var| &var.names).copied().find(is_it),
        MemberKind::Function => machine.functions.iter().map(|function| function.name).find(is_it),
        MemberKind::State => machine.states.iter().map(|state| state.name).find(is_it),
    }
}

fn nodes<'db>(db: &'db dyn Db, decl: Decl<'db>, body: Option<u32>) -> Option<&'db Nodes> {
    match body {
        None => Some(&decl.shape(db).0.nodes),
        Some(body) => codes(db, decl).get(body as usize).map(|code| &code.shape(db).0.nodes),
    }
}

/// A type as it is written with a declaration.
pub(super) struct DeclaredType<'db> {
    pub(super) nodes: &'db Nodes,
    pub(super) ty: TypeId,
    place: Place,
}

impl DeclaredType<'_> {
    /// Where it is written in the text of the declaration.
    pub(super) fn place(&self) -> Place {
        self.place
    }
}

/// The type that is written where something is declared: of an event that of its payload, of a function that of its result.
pub(super) fn declared_type<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<DeclaredType<'db>> {
    let decl = decl_of(target);
    let (body, ty) = match target {
        Target::Global(def) => (None, global_type(db, *def)?),
        Target::Member { machine, kind, name } => (None, member_type(db, *machine, *kind, name)?),
        Target::Local { place, .. } => (place.body, local_type(db, decl, *place)?),
    };
    Some(DeclaredType { nodes: nodes(db, decl, body)?, ty, place: Place { body, node: Node::Type(ty) } })
}

/// What that type means.
pub(super) fn meant_type<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<Ty> {
    let declared = declared_type(db, target)?;
    Some(written_type(db, decl_of(target).file(db).project(db), declared.nodes, declared.ty))
}

fn global_type(db: &dyn Db, def: Def<'_>) -> Option<TypeId> {
    match &def.decl.shape(db).0.decl {
        AstDecl::Event { payload, .. } | AstDecl::Interface { payload, .. } => *payload,
        AstDecl::Type { definition, .. } => *definition,
        AstDecl::Param { ty, .. } => Some(*ty),
        AstDecl::Function(function) => result_type(function),
        AstDecl::Pure { result, .. } => Some(*result),
        _ => None,
    }
}

fn member_type(db: &dyn Db, machine: Decl<'_>, kind: MemberKind, name: &str) -> Option<TypeId> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(machine) = &item.decl else { return None };
    let is_it = |id: &NameId| item.nodes[*id].as_str() == name;
    match kind {
        MemberKind::Variable => Some(machine.vars.iter().find(|var| var.names.iter().any(is_it))?.ty),
        MemberKind::Function => result_type(machine.functions.iter().find(|function| is_it(&function.name))?),
        MemberKind::State => None,
    }
}

fn result_type(function: &Function) -> Option<TypeId> {
    function.result.or(match &function.code {
        FunctionCode::Foreign { result, .. } => result.map(|result| result.ty),
        FunctionCode::Body(_) => None,
    })
}

fn local_type(db: &dyn Db, decl: Decl<'_>, place: LocalPlace) -> Option<TypeId> {
    let in_decl = || {
        let item = &decl.shape(db).0;
        parameter_type(&item.decl, place.name).or_else(|| bound_type(&item.nodes, place.name))
    };
    let in_body = |body: u32| {
        let body = &codes(db, decl).get(body as usize)?.shape(db).0;
        variable_type(&body.block, &body.nodes, place.name).or_else(|| bound_type(&body.nodes, place.name))
    };
    place.body.map_or_else(in_decl, in_body)
}

/// The type of a parameter of a function or handler, or of the named result of a foreign function.
fn parameter_type(decl: &AstDecl, name: NameId) -> Option<TypeId> {
    let of_function = |function: &Function| {
        let result = match &function.code {
            FunctionCode::Foreign { result, .. } => *result,
            FunctionCode::Body(_) => None,
        };
        typed(&function.params, name).or_else(|| typed(result.as_slice(), name))
    };
    let of_handler = |item: &StateItem| match item.handler()?.kind {
        HandlerKind::Inline { param, .. } => typed(param.as_slice(), name),
        HandlerKind::Named(_) | HandlerKind::Missing => None,
    };
    match decl {
        AstDecl::Function(function) => of_function(function),
        AstDecl::Pure { params, .. } => typed(params, name),
        AstDecl::Machine(machine) => machine
            .functions
            .iter()
            .find_map(of_function)
            .or_else(|| machine.states.iter().flat_map(|state| &state.items).find_map(of_handler)),
        _ => None,
    }
}

fn typed(names: &[TypedName], name: NameId) -> Option<TypeId> {
    names.iter().find(|typed| typed.name == name).map(|typed| typed.ty)
}

/// The type of a variable of a body, or of a receive case in it or the case's parameter.
fn variable_type(block: &Block, nodes: &Nodes, name: NameId) -> Option<TypeId> {
    let in_block = |block: &Block| block.vars.iter().find(|var| var.names.contains(&name)).map(|var| var.ty);
    let in_cases = || {
        let receives = nodes.stmts.iter().filter_map(|(_, stmt)| match stmt {
            Stmt::Receive { cases } => Some(cases),
            _ => None,
        });
        let mut cases = receives.flatten();
        cases.find_map(|case| typed(case.param.as_slice(), name).or_else(|| in_block(&case.block)))
    };
    in_block(block).or_else(in_cases)
}

/// The type of a variable that a quantifier binds.
fn bound_type(nodes: &Nodes, name: NameId) -> Option<TypeId> {
    nodes.exprs.iter().find_map(|(_, expr)| match expr {
        Expr::Quantifier { bound, .. } => typed(bound, name),
        _ => None,
    })
}

/// Whether something is an event.
pub(super) fn is_event(db: &dyn Db, target: &Target<'_>) -> bool {
    matches!(target, Target::Global(Def { decl, part: None }) if decl.kind(db) == DeclKind::Event)
}
