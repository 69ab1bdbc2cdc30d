//! What values are stored in: variables, parts of them, and patterns.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, ExprId, NameId, PatternId};

use super::expr::Typed;
use super::locals::Binding;
use super::name::{Global, Named};
use super::{Checker, More, codes};
use crate::program::{Expr, Pattern, Place, Root, Step, Type};
use crate::stack;
use crate::types::{fits, is_unknown, unknown};

/// Something that a value is stored in.
pub(super) struct Target<P> {
    pub(super) place: P,
    pub(super) ty: Type,
    pub(super) is_ghost: bool,
}

impl Checker<'_> {
    /// A variable or a part of one; `None` if that was reported.
    pub(super) fn place(&mut self, id: ExprId) -> Option<Target<Place>> {
        let typed = self.expr(id, None);
        let Typed { expr, ty, ghost } = typed;
        let Some(place) = into_place(expr) else {
            if !is_unknown(&ty) {
                self.not_assignable(id);
            }
            return None;
        };
        let is_ghost = self.is_ghost(&place.root);
        if !is_ghost {
            // Then it is a key or a process that mentions something ghost.
            self.no_ghost(&Typed { expr: Expr::Bool(false), ty: unknown(), ghost }, "which part of a variable changes");
        }
        Some(Target { place, ty, is_ghost })
    }

    /// A variable by its name alone.
    pub(super) fn variable(&mut self, name: NameId) -> Option<Target<Place>> {
        let root = match self.resolve(name)? {
            Named::Inner(Binding::Own(var)) => Root::Own(var),
            Named::Global(Global::Shared(var)) => Root::Shared(var),
            _ => {
                self.name_not_assignable(name);
                return None;
            }
        };
        let is_ghost = self.is_ghost(&root);
        let ty = match &root {
            Root::Shared(var) => self.program.shared[var.index()].ty.clone(),
            Root::Own(var) => self.program.code(self.around.process)?.vars.get(var.index())?.ty.clone(),
            Root::Of { .. } => unknown(),
        };
        Some(Target { place: Place { root, path: Vec::new() }, ty, is_ghost })
    }

    fn is_ghost(&self, root: &Root) -> bool {
        let vars = match root {
            Root::Shared(_) => return true,
            Root::Own(var) => self.program.code(self.around.process).and_then(|code| code.vars.get(var.index())),
            Root::Of { process, var, .. } => self.program.process(*process).code.vars.get(var.index()),
        };
        vars.is_some_and(|var| var.is_ghost)
    }

    fn not_assignable(&mut self, mut id: ExprId) {
        loop {
            id = match &self.item.nodes[id] {
                ast::Expr::Field { value, .. } | ast::Expr::Element { value, .. } | ast::Expr::Index { value, .. } => *value,
                ast::Expr::Paren(inner) => *inner,
                ast::Expr::Name(name) => return self.name_not_assignable(*name),
                _ => {
                    self.error(codes::NOT_ASSIGNABLE, self.range(id), "only variables can be assigned to");
                    return;
                }
            };
        }
    }

    fn name_not_assignable(&mut self, name: NameId) {
        let text = self.text(name);
        let (what, declared) = match (self.scope.find(text), self.globals.get(text)) {
            (Some((Binding::Local(_, kind), range)), _) => (kind.describe(), range),
            (Some((Binding::Me, range)), _) => ("the process itself", range),
            (Some((_, range)), _) => ("not a variable", range),
            (None, Some((global, range))) => (global.describe(), *range),
            (None, None) => return,
        };
        let message = format!("`{text}` is {what} and cannot be assigned to");
        self.error(codes::NOT_ASSIGNABLE, self.range(name), message)
            .help("only variables change: declare one with `var`")
            .related(declared, format!("`{text}` is declared here"));
    }

    // ---- Patterns ----

    /// A pattern and the type of the values it takes, as far as it has an opinion. It is ghost if all of its variables are.
    pub(super) fn pattern(&mut self, id: PatternId) -> Target<Pattern> {
        stack::level(|| self.pattern_node(id))
    }

    fn pattern_node(&mut self, id: PatternId) -> Target<Pattern> {
        let nothing = Target { place: Pattern::Wildcard, ty: unknown(), is_ghost: true };
        match &self.item.nodes[id] {
            ast::Pattern::Missing => {
                self.has_holes = true;
                nothing
            }
            ast::Pattern::Wildcard => nothing,
            ast::Pattern::Place(place) => match self.place(*place) {
                Some(Target { place, ty, is_ghost }) => Target { place: Pattern::Place(place), ty, is_ghost },
                None => nothing,
            },
            ast::Pattern::Tuple(parts) => {
                let targets: Vec<Target<Pattern>> = parts.iter().map(|part| self.pattern(*part)).collect();
                self.has_holes |= parts.len() < 2;
                let is_ghost = targets.iter().all(|target| target.is_ghost);
                let (places, types) = targets.into_iter().map(|target| (target.place, target.ty)).unzip();
                let ty = self.bounded(self.range(id), Type::Tuple(types));
                Target { place: Pattern::Tuple(places), ty, is_ghost }
            }
        }
    }

    /// Patterns for what a message or an element of an enum carries.
    pub(super) fn patterns(&mut self, name: NameId, patterns: &[PatternId], payload: Option<&[Type]>) -> Vec<Pattern> {
        if let Some(payload) = payload {
            self.check_count(name, "pattern", patterns.len(), payload.len());
        }
        let mut found = Vec::new();
        for (at, id) in patterns.iter().enumerate() {
            let target = self.pattern(*id);
            if let Some(ty) = payload.and_then(|payload| payload.get(at)) {
                self.check_stored(self.range(*id), &target, ty);
            }
            found.push(target.place);
        }
        found
    }

    /// Reports a value of a type that does not fit its pattern.
    pub(super) fn check_stored(&mut self, range: TextRange, target: &Target<Pattern>, value: &Type) {
        if fits(&self.program.sets, value, &target.ty) {
            return;
        }
        let (wanted, found) = (self.describe(&target.ty), self.describe(value));
        match (&target.place, value) {
            (Pattern::Tuple(parts), Type::Tuple(values)) if parts.len() != values.len() => {
                let message = format!("this pattern has {} parts, and the value {found} has {}", parts.len(), values.len());
                self.error(codes::COUNT, range, message).help("write `_` for parts that are not needed");
            }
            (Pattern::Tuple(_), _) => {
                self.error(codes::TYPE, range, format!("a value {found} cannot be taken apart like this"));
            }
            _ => {
                self.error(codes::TYPE, range, format!("a value {found} cannot be stored in a variable {wanted}"));
            }
        }
    }
}

fn into_place(expr: Expr) -> Option<Place> {
    let mut path = Vec::new();
    let mut expr = expr;
    let root = loop {
        expr = match expr {
            Expr::Own(var) => break Root::Own(var),
            Expr::Shared(var) => break Root::Shared(var),
            Expr::Of { pid, process, var } => break Root::Of { pid, process, var },
            Expr::Part(inner, part) => {
                path.push(Step::Part(part));
                *inner
            }
            Expr::Key(inner, key) => {
                path.push(Step::Key(*key));
                *inner
            }
            _ => return None,
        };
    };
    path.reverse();
    Some(Place { root, path })
}
