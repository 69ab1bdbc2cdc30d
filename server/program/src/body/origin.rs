//! Where that is declared which a finding is about: the places that are shown beside it.
//!
//! Asked for only when there is something to report, so that correct code depends on no declaration more than it must.

use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, Machine, NameId};

use super::Checker;
use crate::check::{describe, name_node};
use crate::problem::{Problem, Unit};
use crate::scope::{Def, Space};

impl<'db> Checker<'_, 'db> {
    /// With the declaration of what a name of the project stands for.
    pub(super) fn declared(&self, problem: Problem<'db>, name: &str, def: Def<'db>) -> Problem<'db> {
        problem.with_related(def.decl, name_node(self.db, def.decl, def.part), format!("`{name}` is declared here"))
    }

    /// What a name is that is not what it must be here, in words, and where it is declared.
    pub(super) fn stands_for(&self, name: &str, spaces: &[Space]) -> Option<(&'static str, Def<'db>)> {
        let def = spaces.iter().find_map(|space| self.lookup(*space, name))?;
        Some((describe(self.db, def), def))
    }

    /// With the place of the first of two in this code.
    pub(super) fn after_first(&self, problem: Problem<'db>, first: NameId) -> Problem<'db> {
        problem.with_related_in(self.unit, first, "the first one")
    }

    /// With the declaration of the variable that an assigned place is, or is a part of.
    pub(super) fn declared_root(&self, problem: Problem<'db>, mut place: ExprId) -> Problem<'db> {
        loop {
            match &self.nodes[place] {
                Expr::Name(name) => return self.declared_variable(problem, self.nodes[*name].as_str()),
                Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } | Expr::Paren(value) => {
                    place = *value;
                }
                _ => return problem,
            }
        }
    }

    fn declared_variable(&self, problem: Problem<'db>, name: &str) -> Problem<'db> {
        let local = self.local_site(name);
        let field = || {
            let names = self.own_machine()?.vars.iter().flat_map(|var| &var.names);
            Some((Unit::of(self.unit.decl), self.own_name(names.copied(), name)?))
        };
        match local.or_else(|| field().filter(|_| !self.is_local(name))) {
            Some((unit, id)) => problem.with_related_in(unit, id, format!("`{name}` is declared here")),
            None => problem,
        }
    }

    /// Where a variable of this code is declared; of those that hide each other, the one that is seen.
    pub(super) fn local_site(&self, name: &str) -> Option<(Unit<'db>, NameId)> {
        self.sites.iter().rev().find(|(known, ..)| known == name).map(|(_, unit, site)| (*unit, site.name))
    }

    /// With the declaration of a function that is called: the global one at `def`, or one of the machine.
    pub(super) fn declared_callee(&self, problem: Problem<'db>, name: &str, def: Option<Def<'db>>) -> Problem<'db> {
        if let Some(def) = def {
            return self.declared(problem, name, def);
        }
        let names = self.own_machine().into_iter().flat_map(|machine| &machine.functions).map(|function| function.name);
        self.declared_member(problem, self.own_name(names, name), name)
    }

    /// With the declaration of a state of the machine.
    pub(super) fn declared_state(&self, problem: Problem<'db>, name: &str) -> Problem<'db> {
        let names = self.own_machine().into_iter().flat_map(|machine| &machine.states).map(|state| state.name);
        self.declared_member(problem, self.own_name(names, name), name)
    }

    fn declared_member(&self, problem: Problem<'db>, id: Option<NameId>, name: &str) -> Problem<'db> {
        match id {
            Some(id) => problem.with_related(self.unit.decl, id, format!("`{name}` is declared here")),
            None => problem,
        }
    }

    pub(super) fn own_machine(&self) -> Option<&'db Machine> {
        match &self.unit.decl.shape(self.db).0.decl {
            AstDecl::Machine(machine) => Some(machine),
            _ => None,
        }
    }

    /// The first of some names of the declaration that is this one.
    fn own_name(&self, mut ids: impl Iterator<Item = NameId>, name: &str) -> Option<NameId> {
        let nodes = &self.unit.decl.shape(self.db).0.nodes;
        ids.find(|id| nodes[*id].as_str() == name)
    }
}
