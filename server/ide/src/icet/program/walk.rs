//! Walks through the code of every item and says what each name in it stands for.
//!
//! Nesting costs heap, not stack: every level of statements, patterns and expressions may move to a new stretch of it.

mod expr;
mod stmt;

use std::ops::Range;

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::icet::ast::{Claim, Decl, Item, NameId, Type, TypeId, Var};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{DeclId, Declaration, NameKind, Program, Role, Target, Ty, Use};
use crate::icet::BUILTINS;

impl<'p> Program<'p> {
    /// `declared` has for each item what it declared already.
    pub(super) fn walk_items(&mut self, declared: &[Range<DeclId>]) {
        let file = self.file;
        for (index, placed) in file.items.iter().enumerate() {
            let mut walk = Walk {
                program: self,
                item: &placed.value,
                index,
                start: placed.start,
                process: None,
                locals: FxHashMap::default(),
                open: Vec::new(),
            };
            walk.types();
            walk.item(declared[index].clone());
        }
    }
}

struct Walk<'a, 'p> {
    program: &'a mut Program<'p>,
    item: &'p Item,
    index: usize,
    start: TextSize,
    /// The process whose code this is.
    process: Option<DeclId>,
    /// Local names, the innermost last.
    locals: FxHashMap<SmolStr, Vec<DeclId>>,
    /// Local names in the order they came into scope.
    open: Vec<DeclId>,
}

/// A point to go back to when a scope ends.
#[derive(Clone, Copy)]
struct Mark(usize);

impl Walk<'_, '_> {
    fn item(&mut self, declared: Range<DeclId>) {
        let item = self.item;
        match &item.decl {
            Decl::Set { superset, .. } => superset.iter().for_each(|set| self.global_name(*set)),
            Decl::Const { ty, value: Some(value), .. } => _ = self.expr(*value, self.written(*ty)),
            Decl::Var(var) => self.initial_value(var),
            Decl::Process { set, body, .. } => {
                set.iter().for_each(|set| self.global_name(*set));
                self.bring_into_scope(declared);
                body.vars.iter().for_each(|var| self.initial_value(var));
                self.block(&body.stmts);
            }
            Decl::Sequential(body) => {
                self.bring_into_scope(declared);
                body.vars.iter().for_each(|var| self.initial_value(var));
                self.block(&body.stmts);
            }
            Decl::Assume(condition) => _ = self.expr(*condition, Ty::Unknown),
            Decl::Invariant(claim) | Decl::Ensures(claim) => self.claim(*claim),
            Decl::Type { .. } | Decl::Enum { .. } | Decl::Message { .. } | Decl::Const { .. } => {}
        }
    }

    /// The names of types in the item. They do not depend on scopes: all types stand at the top.
    fn types(&mut self) {
        let item = self.item;
        for (_, node) in item.nodes.types.iter() {
            if let Type::Named(name) = node {
                self.global_name(*name);
            }
        }
    }

    /// Makes a process's own name and variables known. Of two with the same name, the first counts.
    fn bring_into_scope(&mut self, declared: Range<DeclId>) {
        for id in declared.rev() {
            match self.program.declarations[id].kind {
                NameKind::Process => {
                    self.process = Some(id);
                    self.enter(id);
                }
                NameKind::Variable | NameKind::Ghost => self.enter(id),
                _ => {}
            }
        }
    }

    fn initial_value(&mut self, var: &Var) {
        if let Some(value) = var.value {
            self.expr(value, self.written(var.ty));
        }
    }

    fn claim(&mut self, claim: Claim) {
        if let Some(name) = claim.name {
            let nowhere = TextRange::empty(self.place(name).start());
            let condition = self.item.spans[claim.condition] + self.start;
            self.declare(name, NameKind::Claim, nowhere, Ty::Unknown, Some(condition));
        }
        self.expr(claim.condition, Ty::Unknown);
    }

    // ---- Scopes ----

    fn mark(&self) -> Mark {
        Mark(self.open.len())
    }

    /// Forgets the local names that came into scope since then.
    fn leave(&mut self, mark: Mark) {
        for id in self.open.drain(mark.0..).rev() {
            if let Some(same) = self.locals.get_mut(&self.program.declarations[id].name) {
                same.pop();
            }
        }
    }

    fn enter(&mut self, id: DeclId) {
        self.locals.entry(self.program.declarations[id].name.clone()).or_default().push(id);
        self.open.push(id);
    }

    /// Declares a local name and brings it into scope.
    fn local(&mut self, name: NameId, kind: NameKind, scope: TextRange, ty: Ty, rest: Option<TextRange>) {
        if let Some(id) = self.declare(name, kind, scope, ty, rest) {
            self.enter(id);
        }
    }

    fn declare(&mut self, name: NameId, kind: NameKind, scope: TextRange, ty: Ty, rest: Option<TextRange>) -> Option<DeclId> {
        let declaration = Declaration {
            name: self.item.nodes[name].0.clone(),
            range: self.place(name),
            kind,
            item: self.index,
            scope,
            owner: self.process,
            ty,
            rest,
        };
        self.program.declare(declaration, self.process)
    }

    fn lookup(&self, name: &SmolStr) -> Option<DeclId> {
        let local = self.locals.get(name).and_then(|same| same.last());
        local.copied().or_else(|| self.program.global(name))
    }

    // ---- Names ----

    /// A plain name: what it stands for is noted and given.
    fn name(&mut self, name: NameId, role: Role) -> Option<DeclId> {
        let found = self.lookup(&self.item.nodes[name].0);
        self.note(name, role, found.map_or(Target::Unknown, Target::Declared));
        found
    }

    /// The name of a type or set.
    fn global_name(&mut self, name: NameId) {
        let found = self.program.global(self.item.nodes[name].as_str());
        self.note(name, Role::Type, found.map_or(Target::Unknown, Target::Declared));
    }

    /// A name behind a dot or in a record.
    fn field(&mut self, name: NameId, role: Role, of: Ty) -> Option<DeclId> {
        let found = self.program.field(of, &self.item.nodes[name].0);
        self.note(name, role, found.map_or(Target::UnknownField, Target::Declared));
        found
    }

    fn note(&mut self, name: NameId, role: Role, target: Target) {
        let range = self.place(name);
        let text = &self.item.nodes[name];
        if text.is_missing() || range.is_empty() {
            return;
        }
        let target = match target {
            Target::Unknown if BUILTINS.contains(&text.as_str()) => Target::Builtin,
            _ => target,
        };
        self.program.uses.push(Use { range, role, target, process: self.process });
    }

    fn type_of(&self, id: Option<DeclId>) -> Ty {
        id.map_or(Ty::Unknown, |id| self.program.declarations[id].ty)
    }

    fn place(&self, name: NameId) -> TextRange {
        self.item.spans[name] + self.start
    }

    fn written(&self, ty: TypeId) -> Ty {
        Ty::Written { item: self.index, ty }
    }
}
