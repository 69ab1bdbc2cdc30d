//! From a name to where it is declared, used, handled, or to its type.

use lockstep_base::TextSize;
use lockstep_program::{
    Db, Decl, DeclKind, Def, LocalPlace, MemberKind, ProjectFile, Role, Space, Target, decls, lookup, project_files,
};
use lockstep_syntax::p::ast::{
    Block, Decl as AstDecl, Expr, FunctionCode, HandlerKind, Module, NameId, Nodes, StateItemKind, Stmt, Type, TypeId,
};

use super::names::{FilePlace, NameAt, declared_at, name_at, names_in, names_of};
use crate::{Highlight, HighlightKind};

/// Where the name at a place is declared.
pub fn definition<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<(NameAt<'db>, FilePlace)> {
    let name = name_at(db, file, offset)?;
    let place = declared_at(db, &name.target)?;
    Some((name, place))
}

/// Every place where the name at a place is mentioned; its declaration comes first, if it is wanted.
pub fn references<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, with_declaration: bool) -> Vec<FilePlace> {
    let Some(name) = name_at(db, file, offset) else { return Vec::new() };
    let (mut declared, used): (Vec<_>, Vec<_>) =
        names_of(db, file, &name.target).into_iter().partition(|(_, role)| *role == Role::Declare);
    if !with_declaration {
        declared.clear();
    }
    declared.into_iter().chain(used).map(|(place, _)| place).collect()
}

/// The mentions in this file of the name at a place.
pub fn highlights<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<Highlight> {
    let Some(name) = name_at(db, file, offset) else { return Vec::new() };
    let same = names_in(db, file).into_iter().filter(|other| other.target == name.target);
    same.map(|other| Highlight { range: other.range, kind: highlight_kind(other.role) }).collect()
}

fn highlight_kind(role: Role) -> HighlightKind {
    match role {
        Role::Declare => HighlightKind::Declaration,
        Role::Write | Role::Send | Role::Raise | Role::Announce | Role::Create => HighlightKind::Write,
        _ => HighlightKind::Read,
    }
}

/// What makes the name at a place real: an event's handlers, the machines that are bound to an interface.
pub fn implementations<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<FilePlace> {
    let Some(name) = name_at(db, file, offset) else { return Vec::new() };
    match &name.target {
        Target::Global(def) if def.part.is_none() && def.decl.kind(db) == DeclKind::Event => {
            let mentions = names_of(db, file, &name.target).into_iter();
            mentions.filter(|(_, role)| *role == Role::Handle).map(|(place, _)| place).collect()
        }
        Target::Global(def) if def.decl.kind(db) == DeclKind::Interface => {
            let bound = bound_machines(db, file, def.decl).into_iter();
            bound.filter_map(|machine| declared_at(db, &Target::Global(machine))).collect()
        }
        target => declared_at(db, target).into_iter().collect(),
    }
}

/// The machines that some module binds to an interface.
fn bound_machines<'db>(db: &'db dyn Db, file: ProjectFile<'db>, interface: Decl<'db>) -> Vec<Def<'db>> {
    let project = file.project(db);
    let mut found = Vec::new();
    for decl in project_files(db, project).flat_map(|file| decls(db, file)) {
        let nodes = &decl.shape(db).0.nodes;
        for (_, module) in nodes.modules.iter() {
            let Module::Bindings(bindings) = module else { continue };
            for binding in bindings {
                let is_it = binding.interface.is_some_and(|name| nodes[name].as_str() == interface.name(db).as_str());
                let machine = lookup(db, project, Space::Type, nodes[binding.machine].as_str());
                found.extend(machine.filter(|machine| is_it && !found.contains(machine)));
            }
        }
    }
    found
}

/// Where the type of the name at a place is declared: of a variable its type's name, of an event that of its payload.
pub fn type_definition<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<FilePlace> {
    let name = name_at(db, file, offset)?;
    let declared = declared_type(db, &name.target)?;
    let project = file.project(db);
    let mut open = vec![declared.ty];
    while let Some(ty) = open.pop() {
        match &declared.nodes[ty] {
            Type::Named(name) => {
                let text = declared.nodes[*name].as_str();
                let spaces = [Space::Type, Space::EventSet, Space::Event];
                let def = spaces.into_iter().find_map(|space| lookup(db, project, space, text))?;
                return declared_at(db, &Target::Global(def));
            }
            Type::Seq(element) | Type::Set(element) => open.push(*element),
            Type::Map(key, value) => open.extend([*key, *value]),
            Type::Missing | Type::Primitive(_) | Type::Tuple(_) | Type::NamedTuple(_) => {}
        }
    }
    None
}

/// A type as it is written with a declaration.
pub(super) struct DeclaredType<'db> {
    pub(super) nodes: &'db Nodes,
    pub(super) ty: TypeId,
}

/// The type that is written where something is declared.
pub(super) fn declared_type<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<DeclaredType<'db>> {
    match target {
        Target::Global(def) => {
            let item = &def.decl.shape(db).0;
            let ty = match &item.decl {
                AstDecl::Event { payload, .. } => (*payload)?,
                AstDecl::Type { definition, .. } => (*definition)?,
                AstDecl::Param { ty, .. } => *ty,
                AstDecl::Function(function) => function.result?,
                AstDecl::Pure { result, .. } => *result,
                _ => return None,
            };
            Some(DeclaredType { nodes: &item.nodes, ty })
        }
        Target::Member { machine, kind, name } => {
            let item = &machine.shape(db).0;
            let AstDecl::Machine(machine) = &item.decl else { return None };
            let is_it = |id: &NameId| item.nodes[*id].as_str() == name.as_str();
            let ty = match kind {
                MemberKind::Variable => machine.vars.iter().find(|var| var.names.iter().any(is_it))?.ty,
                MemberKind::Function => machine.functions.iter().find(|function| is_it(&function.name))?.result?,
                MemberKind::State => return None,
            };
            Some(DeclaredType { nodes: &item.nodes, ty })
        }
        Target::Local { decl, place } => local_type(db, *decl, *place),
    }
}

fn local_type<'db>(db: &'db dyn Db, decl: Decl<'db>, place: LocalPlace) -> Option<DeclaredType<'db>> {
    let item = &decl.shape(db).0;
    match place.body {
        None => Some(DeclaredType { nodes: &item.nodes, ty: type_in_decl(&item.decl, &item.nodes, place.name)? }),
        Some(body) => {
            let body = &decl.bodies(db).get(body as usize)?.0;
            Some(DeclaredType { nodes: &body.nodes, ty: type_in_body(&body.block, &body.nodes, place.name)? })
        }
    }
}

/// The type of a parameter, or of a variable that a quantifier binds.
fn type_in_decl(decl: &AstDecl, nodes: &Nodes, name: NameId) -> Option<TypeId> {
    let functions: &[_] = match decl {
        AstDecl::Function(function) => std::slice::from_ref(function),
        AstDecl::Machine(machine) => &machine.functions,
        _ => &[],
    };
    let mut typed: Vec<_> = functions.iter().flat_map(|function| &function.params).copied().collect();
    for function in functions {
        if let FunctionCode::Foreign { result: Some(result), .. } = &function.code {
            typed.push(*result);
        }
    }
    match decl {
        AstDecl::Pure { params, .. } => typed.extend(params),
        AstDecl::Machine(machine) => {
            for item in machine.states.iter().flat_map(|state| &state.items) {
                let handler = match &item.kind {
                    StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => handler,
                    StateItemKind::OnGoto { with: Some(handler), .. } => handler,
                    _ => continue,
                };
                if let HandlerKind::Inline { param: Some(param), .. } = handler.kind {
                    typed.push(param);
                }
            }
        }
        _ => {}
    }
    typed.into_iter().find(|typed| typed.name == name).map(|typed| typed.ty).or_else(|| bound_type(nodes, name))
}

fn type_in_body(block: &Block, nodes: &Nodes, name: NameId) -> Option<TypeId> {
    let in_block = |block: &Block| block.vars.iter().find(|var| var.names.contains(&name)).map(|var| var.ty);
    let in_cases = || {
        nodes.stmts.iter().find_map(|(_, stmt)| {
            let Stmt::Receive { cases } = stmt else { return None };
            cases.iter().find_map(|case| {
                let param = case.param.filter(|param| param.name == name).map(|param| param.ty);
                param.or_else(|| in_block(&case.block))
            })
        })
    };
    in_block(block).or_else(in_cases).or_else(|| bound_type(nodes, name))
}

fn bound_type(nodes: &Nodes, name: NameId) -> Option<TypeId> {
    nodes.exprs.iter().find_map(|(_, expr)| match expr {
        Expr::Quantifier { bound, .. } => bound.iter().find(|bound| bound.name == name).map(|bound| bound.ty),
        _ => None,
    })
}
