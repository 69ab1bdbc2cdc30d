//! What is known at a place: the declaration around it and the names one can use there.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, Decl, LocalPlace, MemberKind, ProjectFile, Role, Target, body_occurrences, codes, decl_occurrences, written_type,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, Item, Machine, Placed, State};

use super::names::item_at;
use super::navigate::declared_type;

/// A place in a text, with what is around it.
pub(super) struct Scope<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) file: ProjectFile<'db>,
    pub(super) offset: TextSize,
    pub(super) item: Option<(&'db Placed<Item>, Decl<'db>)>,
}

impl<'db> Scope<'db> {
    pub(super) fn at(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Self {
        let item = item_at(db, file, offset);
        Self { db, file, offset, item }
    }

    pub(super) fn machine(&self) -> Option<(&'db Placed<Item>, Decl<'db>, &'db Machine)> {
        let (item, decl) = self.item?;
        match &item.value.decl {
            AstDecl::Machine(machine) => Some((item, decl, machine)),
            _ => None,
        }
    }

    /// The state around the place.
    pub(super) fn state(&self) -> Option<&'db State> {
        let (item, _, machine) = self.machine()?;
        machine.states.iter().find(|state| self.is_in(item.value.spans[state.part] + item.start))
    }

    /// Whether the place is in a piece of code.
    pub(super) fn is_in_code(&self) -> bool {
        self.body().is_some()
    }

    fn is_in(&self, range: TextRange) -> bool {
        range.contains_inclusive(self.offset)
    }

    /// The number of the body around the place.
    fn body(&self) -> Option<u32> {
        let (item, _) = self.item?;
        let bodies = (0..).zip(&item.value.bodies);
        bodies
            .filter(|(_, body)| {
                let range = TextRange::at(item.start + body.start, body.value.len);
                range.start() < self.offset && self.offset <= range.end()
            })
            .map(|(number, _)| number)
            .next()
    }

    /// Parameters and variables of the code around the place, with their names; inner ones first.
    pub(super) fn locals(&self) -> Vec<(String, Target<'db>)> {
        let Some((item, decl)) = self.item else { return Vec::new() };
        let mut found = Vec::new();
        let mut add = |place: LocalPlace, name: String| found.push((name, Target::Local { decl, place }));
        if let Some(body) = self.body() {
            let placed = &item.value.bodies[body as usize];
            if let Some(code) = codes(self.db, decl).get(body as usize) {
                let declared = body_occurrences(self.db, *code).iter().filter(|known| known.role == Role::Declare);
                for known in declared {
                    if let Target::Local { place, .. } = known.target {
                        add(place, placed.value.nodes[known.name].as_str().to_owned());
                    }
                }
            }
        }
        let parts = self.parts();
        let declared = decl_occurrences(self.db, decl).iter().filter(|known| known.role == Role::Declare);
        for known in declared {
            let range = item.value.spans[known.name] + item.start;
            let is_near = parts.is_empty() || parts.iter().any(|part| part.contains_range(range));
            if let (Target::Local { place, .. }, true) = (&known.target, is_near) {
                add(*place, item.value.nodes[known.name].as_str().to_owned());
            }
        }
        found
    }

    /// The functions and handlers around the place.
    fn parts(&self) -> Vec<TextRange> {
        let Some((item, _, machine)) = self.machine() else { return Vec::new() };
        let functions = machine.functions.iter().map(|function| function.part);
        let handlers = machine.states.iter().flat_map(|state| &state.items).map(|item| item.part);
        functions.chain(handlers).map(|part| item.value.spans[part] + item.start).filter(|range| self.is_in(*range)).collect()
    }

    pub(super) fn members(&self, kind: MemberKind) -> Vec<(String, Target<'db>)> {
        let Some((item, decl, machine)) = self.machine() else { return Vec::new() };
        let names: Vec<_> = match kind {
            MemberKind::Variable => machine.vars.iter().flat_map(|var| &var.names).copied().collect(),
            MemberKind::Function => machine.functions.iter().map(|function| function.name).collect(),
            MemberKind::State => machine.states.iter().map(|state| state.name).collect(),
        };
        names
            .into_iter()
            .map(|name| &item.value.nodes[name].0)
            .filter(|name| !name.is_empty())
            .map(|name| (name.to_string(), Target::Member { machine: decl, kind, name: name.clone() }))
            .collect()
    }

    /// The type of a variable that can be used here.
    pub(super) fn variable_type(&self, name: &str) -> Option<Ty> {
        let variables = self.locals().into_iter().chain(self.members(MemberKind::Variable));
        let (_, target) = { variables }.find(|(known, _)| known == name)?;
        self.type_of(&target)
    }

    /// The type declared for something.
    pub(super) fn type_of(&self, target: &Target<'db>) -> Option<Ty> {
        let declared = declared_type(self.db, target)?;
        Some(written_type(self.db, self.file.project(self.db), declared.nodes, declared.ty))
    }
}
