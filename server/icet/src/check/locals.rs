//! The names that are known in a piece of code besides the global ones: the own pid, variables, and what loops and quantifiers bind.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::NameId;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{Checker, More, codes, next};
use crate::program::{Local, LocalId, Type, VarId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// The own pid, in the code of `process c in S`.
    Me,
    Own(VarId),
    Local(LocalId, LocalKind),
    /// The variable of a loop, at the loop's head: known, but without a value.
    AtHead,
    /// A variable whose declaration comes further down.
    Later,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalKind {
    Member,
    Index,
    Done,
    Bound,
}

impl LocalKind {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Member => "the variable of a loop",
            Self::Index => "the index of a loop",
            Self::Done => "the set of members that are done",
            Self::Bound => "a bound name",
        }
    }
}

/// A stack of names; the innermost of a name is found first.
#[derive(Default)]
pub(super) struct Scope {
    known: FxHashMap<SmolStr, Vec<(Binding, TextRange)>>,
    order: Vec<SmolStr>,
}

impl Scope {
    pub(super) fn find(&self, name: &str) -> Option<(Binding, TextRange)> {
        self.known.get(name)?.last().copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.order.iter()
    }

    /// What `leave` goes back to.
    pub(super) fn mark(&self) -> usize {
        self.order.len()
    }

    pub(super) fn leave(&mut self, mark: usize) {
        for name in self.order.drain(mark..) {
            if let Some(found) = self.known.get_mut(&name) {
                found.pop();
            }
        }
    }

    pub(super) fn bind(&mut self, name: SmolStr, binding: Binding, range: TextRange) {
        self.known.entry(name.clone()).or_default().push((binding, range));
        self.order.push(name);
    }

    /// Gives a name that is known another meaning.
    pub(super) fn rebind(&mut self, name: &str, binding: Binding) {
        if let Some(found) = self.known.get_mut(name).and_then(|found| found.last_mut()) {
            found.0 = binding;
        }
    }
}

impl Checker<'_> {
    /// Names a local of the code at hand, known until the scope is left.
    pub(super) fn bind_local(&mut self, name: NameId, ty: Type, kind: LocalKind) -> LocalId {
        self.check_hiding(name);
        let id = self.new_local(name, ty);
        self.scope.bind(self.text(name).clone(), Binding::Local(id, kind), self.range(name));
        id
    }

    pub(super) fn new_local(&mut self, name: NameId, ty: Type) -> LocalId {
        let id = LocalId(next(self.locals.len()));
        let name = self.text(name).clone();
        self.has_holes |= name.is_empty();
        self.locals.push(Local { name, ty });
        id
    }

    /// Reports a new name that is already known here, or means something else.
    pub(super) fn check_hiding(&mut self, name: NameId) {
        let (text, range) = (self.text(name), self.range(name));
        if text.is_empty() {
            self.has_holes = true;
            return;
        }
        if self.check_reserved(name) {
            return;
        }
        // The variable of a loop is not known in the claims at the loop's head.
        let known = self.scope.find(text);
        if known.is_some_and(|(binding, _)| binding == Binding::AtHead) {
            return;
        }
        let known = known.map(|(_, range)| range);
        let Some(outer) = known.or_else(|| self.globals.get(text).map(|(_, range)| *range)) else { return };
        let message = format!("`{text}` hides another `{text}`");
        self.error(codes::HIDDEN, range, message)
            .help("give it a name that is not in use here")
            .related(outer, format!("`{text}` is declared here"));
    }

    /// Reports a name that is kept for a function.
    pub(super) fn check_reserved(&mut self, name: NameId) -> bool {
        let text = self.text(name);
        let is_reserved = matches!(text.as_str(), "card" | "here" | "finished");
        if is_reserved {
            let message = format!("`{text}` is the name of a function");
            self.error(codes::HIDDEN, self.range(name), message).help("choose another name");
        }
        is_reserved
    }
}
