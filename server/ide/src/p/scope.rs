//! What is known at a place: the declaration around it and the names one can use there.
//!
//! Local names come from the words in front of the place, members of the machine from its tree, so that both are there while the
//! text is broken.

use lockstep_base::TextSize;
use lockstep_program::ty::{Events, Ty};
use lockstep_program::{
    Db, Decl, DeclKind, Def, MemberKind, Project, ProjectFile, Purpose, Signature, Space, Target, event_payload, event_set,
    function_signature, lookup, machine_info, type_named, written_type,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, Item, Machine, Placed, State};
use lockstep_syntax::{Language, Parse};
use smol_str::SmolStr;

use super::declared::meant_type;
use super::describe;
use super::names::{item_at, items};
use super::surroundings::{Surroundings, surroundings};

/// A place in a text, with what is around it.
pub(super) struct Scope<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) project: Project,
    pub(super) around: Surroundings,
    offset: TextSize,
    item: Option<(&'db Placed<Item>, Decl<'db>)>,
}

/// A variable or parameter that can be used at the place.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) is_parameter: bool,
    /// Its type as it is written.
    pub(super) ty: Option<String>,
}

impl<'db> Scope<'db> {
    /// `None` inside of a comment or string. `offset` is where the word at the cursor begins.
    pub(super) fn at(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Self> {
        let around = surroundings(db, file, offset)?;
        // What is not closed yet ends with its last word, which may stand before the place.
        let unclosed = || {
            let start = file.file(db).parse(db).segment_start(offset);
            let before = items(db, file).filter(|(item, _)| start <= item.start && item.start <= offset).last();
            before.filter(|_| !around.braces.is_empty())
        };
        let item = item_at(db, file, offset).or_else(unclosed);
        Some(Self { db, project: file.project(db), around, offset, item })
    }

    pub(super) fn machine(&self) -> Option<(&'db Item, Decl<'db>, &'db Machine)> {
        let (item, decl) = self.item?;
        match &item.value.decl {
            AstDecl::Machine(machine) => Some((&item.value, decl, machine)),
            _ => None,
        }
    }

    /// The state around the place.
    pub(super) fn state(&self) -> Option<&'db State> {
        let (item, start) = self.item.map(|(item, _)| (&item.value, item.start))?;
        let (_, _, machine) = self.machine()?;
        machine.states.iter().find(|state| (item.spans[state.part] + start).contains_inclusive(self.offset))
    }

    /// The function of this name that can be called here.
    pub(super) fn function(&self, name: &str) -> Option<(Signature, Target<'db>)> {
        if let Some((_, machine, _)) = self.machine()
            && let Some(signature) = machine_info(self.db, machine).function(name)
        {
            let target = Target::Member { machine, kind: MemberKind::Function, name: name.into() };
            return Some((signature.clone(), target));
        }
        let def = [Space::Function, Space::Pure].into_iter().find_map(|space| self.lookup(space, name))?;
        Some((function_signature(self.db, def.decl).clone(), Target::Global(def)))
    }

    pub(super) fn event(&self, name: &str) -> Option<Def<'db>> {
        self.lookup(Space::Event, name).filter(|def| def.part.is_none())
    }

    pub(super) fn lookup(&self, space: Space, name: &str) -> Option<Def<'db>> {
        lookup(self.db, self.project, space, name)
    }

    /// Those of the innermost code first. Of several with one name only the first counts.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let mut found: Vec<Variable> = Vec::new();
        for local in self.around.locals.iter().rev().filter(|local| !Language::P.is_reserved(&local.name)) {
            let ty = Some(self.around.type_text(local)).filter(|ty| !ty.is_empty());
            found.push(Variable { name: local.name.clone(), is_parameter: local.is_parameter, ty });
        }
        for (name, target) in self.members(MemberKind::Variable) {
            found.push(Variable { name, is_parameter: false, ty: describe::type_text(self.db, &target) });
        }
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|variable| seen.insert(variable.name.clone()));
        found
    }

    pub(super) fn members(&self, kind: MemberKind) -> Vec<(String, Target<'db>)> {
        let Some((item, machine, ast)) = self.machine() else { return Vec::new() };
        let names: Vec<_> = match kind {
            MemberKind::Variable => ast.vars.iter().flat_map(|var| &var.names).copied().collect(),
            MemberKind::Function => ast.functions.iter().map(|function| function.name).collect(),
            MemberKind::State => ast.states.iter().map(|state| state.name).collect(),
        };
        let names = names.into_iter().map(|name| &item.nodes[name].0).filter(|name| !name.is_empty());
        names.map(|name| (name.to_string(), Target::Member { machine, kind, name: name.clone() })).collect()
    }

    /// The type of a variable that can be used here, of a parameter of tests, or of a spec's name.
    pub(super) fn value_type(&self, name: &str) -> Option<Ty> {
        if let Some(local) = self.around.locals.iter().rev().find(|local| local.name == name) {
            return self.type_of_text(&self.around.type_text(local));
        }
        let member = self.members(MemberKind::Variable).into_iter().find(|(known, _)| known == name);
        if let Some((_, target)) = member {
            return meant_type(self.db, &target);
        }
        if let Some(param) = self.lookup(Space::Param, name) {
            return meant_type(self.db, &Target::Global(param));
        }
        let is_spec = |def: &Def<'db>| matches!(def.decl.kind(self.db), DeclKind::Spec | DeclKind::Scenario);
        let spec = self.lookup(Space::Type, name).filter(is_spec)?;
        Some(Ty::Reference(spec.decl.name(self.db).clone(), Events::All))
    }

    /// What the words of a type mean.
    pub(super) fn type_of_text(&self, text: &str) -> Option<Ty> {
        let parse = Parse::new(Language::P, format!("type t = {text};").as_str());
        let item = parse.p()?.items.first()?;
        match &item.value.decl {
            AstDecl::Type { definition: Some(ty), .. } => Some(written_type(self.db, self.project, &item.value.nodes, *ty)),
            _ => None,
        }
    }

    /// The fields that can be read behind a dot. Machines and events have some in proofs only.
    pub(super) fn fields(&self, ty: &Ty) -> Vec<(SmolStr, Ty)> {
        match ty {
            Ty::NamedTuple(fields) => fields.to_vec(),
            Ty::Tuple(elements) => {
                let number = |number: usize| SmolStr::new(number.to_string());
                elements.iter().enumerate().map(|(at, ty)| (number(at), ty.clone())).collect()
            }
            Ty::Reference(name, _) if self.project.purpose(self.db) == Purpose::Verifying => self.fields_in_proofs(name),
            _ => Vec::new(),
        }
    }

    fn fields_in_proofs(&self, name: &str) -> Vec<(SmolStr, Ty)> {
        let Some(def) = type_named(self.db, self.project, name) else { return Vec::new() };
        let payload = |event: Def<'db>| match event_payload(self.db, event.decl) {
            Ty::NamedTuple(fields) => fields.to_vec(),
            _ => Vec::new(),
        };
        match def.decl.kind(self.db) {
            DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario => machine_info(self.db, def.decl).fields.clone(),
            DeclKind::Event => payload(def),
            DeclKind::EventSet => match event_set(self.db, def.decl) {
                Events::Only(events) => events.iter().filter_map(|event| self.event(event)).flat_map(payload).collect(),
                Events::All => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
