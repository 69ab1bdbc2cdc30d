//! Values of types that are aliases, where P's compiler refuses them (`refused.rs`).
//!
//! Asked for only where the types go together; otherwise there is an error already.

use lockstep_syntax::p::ast::{Expr, ExprId, NameId, TypeId};

use super::Checker;
use crate::declaration::Decl;
use crate::problem::Node;
use crate::refused::{is_refused, refused, result, value_alias, written_alias};
use crate::scope::Space;
use crate::ty::Ty;

impl<'db> Checker<'_, 'db> {
    /// About a value of the type `ty` in a place that accepts it.
    pub(super) fn refuse_alias(&mut self, place: &Ty, value: ExprId, ty: &Ty) {
        if is_refused(place, ty)
            && let Some(alias) = self.alias_of(value)
        {
            self.problems.push(refused(self.db, value, alias, ty));
        }
    }

    /// About a value that an event carries, and that a place accepts.
    pub(super) fn refuse_payload(&mut self, place: &Ty, event: NameId, decl: Decl<'db>, payload: &Ty) {
        if is_refused(place, payload)
            && let Some(alias) = value_alias(self.db, decl)
        {
            self.problems.push(refused(self.db, event, alias, payload));
        }
    }

    /// About two values that are compared: one of them must fit where the other is.
    pub(super) fn refuse_comparison(&mut self, id: ExprId, (left, left_type): (ExprId, &Ty), (right, right_type): (ExprId, &Ty)) {
        let (is_left, is_right) = (may_be_refused(left_type), may_be_refused(right_type));
        let left = is_left.then(|| self.alias_of(left)).flatten();
        let right = is_right.then(|| self.alias_of(right)).flatten();
        self.refuse_pair(id, (left, left_type), (right, right_type));
    }

    /// About a value that is taken for one of another type with `as`.
    pub(super) fn refuse_cast(&mut self, id: ExprId, (value, from): (ExprId, &Ty), (written, to): (TypeId, &Ty)) {
        if !may_be_refused(from) && !may_be_refused(to) {
            return;
        }
        let left = self.alias_of(value);
        let right = written_alias(self.db, self.project, self.nodes, written);
        self.refuse_pair(id, (left, from), (right, to));
    }

    /// About a value that is converted with `to`: neither type may be an alias of a reference.
    pub(super) fn refuse_conversion(&mut self, (value, from): (ExprId, &Ty), (written, to): (TypeId, &Ty)) {
        if !matches!(to, Ty::Reference(..)) {
            return;
        }
        if let Some(alias) = written_alias(self.db, self.project, self.nodes, written) {
            self.problems.push(refused(self.db, written, alias, to));
        } else {
            self.refuse_alias(to, value, from);
        }
    }

    /// About a variable that goes through elements of a type.
    pub(super) fn refuse_variable(&mut self, element: &Ty, variable: NameId, ty: &Ty) {
        if is_refused(element, ty)
            && let Some(alias) = self.variable_alias(self.nodes[variable].as_str())
        {
            self.problems.push(refused(self.db, variable, alias, ty));
        }
    }

    fn refuse_pair(
        &mut self,
        at: impl Into<Node>,
        (left, left_type): (Option<Decl<'db>>, &Ty),
        (right, right_type): (Option<Decl<'db>>, &Ty),
    ) {
        let fits = |place: &Ty, value: &Ty, alias: Option<Decl<'db>>| {
            place.accepts(value) && !(alias.is_some() && is_refused(place, value))
        };
        if fits(left_type, right_type, right) || fits(right_type, left_type, left) {
            return;
        }
        let right = right.map(|alias| (alias, right_type));
        if let Some((alias, meaning)) = left.map(|alias| (alias, left_type)).or(right) {
            self.problems.push(refused(self.db, at, alias, meaning));
        }
    }

    /// The alias that is the type of an expression in P.
    pub(crate) fn alias_of(&self, value: ExprId) -> Option<Decl<'db>> {
        match &self.nodes[self.without_parens(value)] {
            Expr::Name(name) => self.variable_alias(self.nodes[*name].as_str()),
            Expr::Call { function, .. } => self.result_alias(self.nodes[*function].as_str()),
            Expr::As { ty, .. } => written_alias(self.db, self.project, self.nodes, *ty),
            _ => None,
        }
    }

    fn variable_alias(&self, name: &str) -> Option<Decl<'db>> {
        let own = &self.unit.decl.shape(self.db).0.nodes;
        if self.is_local(name) {
            let (_, unit, site) = self.sites.iter().rev().find(|(known, ..)| known == name)?;
            let nodes = if unit.body.is_some() { self.nodes } else { own };
            return written_alias(self.db, self.project, nodes, site.ty);
        }
        let vars = self.own_machine().map_or(&[][..], |machine| &machine.vars);
        let var = vars.iter().find(|var| var.names.iter().any(|id| own[*id].as_str() == name))?;
        written_alias(self.db, self.project, own, var.ty)
    }

    fn result_alias(&self, name: &str) -> Option<Decl<'db>> {
        let own = &self.unit.decl.shape(self.db).0.nodes;
        let functions = self.own_machine().map_or(&[][..], |machine| &machine.functions);
        if let Some(function) = functions.iter().find(|function| own[function.name].as_str() == name) {
            return written_alias(self.db, self.project, own, result(function)?);
        }
        let def = self.lookup(Space::Function, name).or_else(|| self.lookup(Space::Pure, name))?;
        value_alias(self.db, def.decl)
    }
}

fn may_be_refused(ty: &Ty) -> bool {
    matches!(ty, Ty::Enum(_) | Ty::Reference(..))
}
