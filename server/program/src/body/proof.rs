//! Expressions of the proof language, and the fields that only proofs can read.
//!
//! P's compiler takes these words in projects for the verifier only. What it leaves unchecked there (the operands of `inflight`,
//! `sent` and `targets`, the types of a quantifier's body and of a loop's invariant) gives warnings here and no errors: the
//! verifier's own input would be wrong.

use lockstep_syntax::p::ast::{Expr, ExprId, NameId, Quantifier, TypedName};
use smol_str::SmolStr;

use super::{Checker, NamedByType};
use crate::declaration::{Decl, DeclKind};
use crate::field::FieldUse;
use crate::occurrence::MemberKind;
use crate::problem::{Code, Node, Problem, WordAt};
use crate::resolve::{event_payload, event_set, machine_info};
use crate::scope::Space;
use crate::ty::{Events, Ty};

/// A word of the proof language in a project that is not for the verifier.
pub(crate) fn proof_word<'db>(word: &'static str, at: WordAt) -> Problem<'db> {
    let message = format!("`{word}` belongs to proofs, and this project is not for the verifier");
    Problem::new(Code::ProofWord, Node::Word(word, at), message)
        .with_help("write `<Target>PVerifier</Target>` into the project file to prove things about this program")
}

/// What a reference type refers to.
enum Origin<'db> {
    Machine(Decl<'db>),
    /// A message: one of these events.
    Message(Events),
}

impl<'db> Checker<'_, 'db> {
    /// `is`, `targets`, `inflight`, `sent` and quantifiers.
    pub(super) fn proof_expr(&mut self, id: ExprId) -> Ty {
        if !self.is_verifying() {
            // `sent (1)` may call a function of an older model; its name is reported where it is declared.
            let word = opening_word(id, &self.nodes[id]).filter(|(word, _)| !self.is_function(word));
            self.problems.extend(word.map(|(word, at)| proof_word(word, at)));
            return Ty::Error;
        }
        let nodes = self.nodes;
        match &nodes[id] {
            Expr::Is { value, kind } => self.is(*value, *kind),
            Expr::Inflight(message) | Expr::Sent(message) => bool_unless_error(&[self.message_operand(*message)]),
            Expr::Targets { message, target } => {
                let message = self.message_operand(*message);
                let machine = self.expr(*target);
                if !Ty::Machine.accepts(&machine) || self.is_message(&machine) {
                    let text =
                        format!("an event targets a machine, and this is of type `{machine}`: the verifier will refuse it");
                    self.report(Code::ProofOperand, *target, text);
                }
                bool_unless_error(&[message, machine])
            }
            Expr::Quantifier { is_new, bound, body, .. } => self.quantifier(id, *is_new, bound, *body),
            _ => Ty::Error,
        }
    }

    /// The invariants of a loop.
    pub(super) fn loop_invariants(&mut self, invariants: &[ExprId]) {
        if self.is_verifying() {
            invariants.iter().for_each(|invariant| self.claim(*invariant));
        } else if let Some(first) = invariants.first() {
            self.problems.push(proof_word("invariant", WordAt::BeforeExpr(*first)));
        }
    }

    /// Something that holds or not.
    fn claim(&mut self, id: ExprId) {
        let ty = self.expr(id);
        if !Ty::Bool.accepts(&ty) {
            let message = format!("this must be of type `bool`, and it is of type `{ty}`: the verifier will refuse it");
            self.report(Code::ProofOperand, id, message);
        }
    }

    fn message_operand(&mut self, id: ExprId) -> Ty {
        let ty = self.expr(id);
        if !matches!(ty, Ty::Error | Ty::Event) && !self.is_message(&ty) {
            let message = format!("this must be an event, and it is of type `{ty}`: the verifier will refuse it");
            self.report(Code::ProofOperand, id, message);
        }
        ty
    }

    /// Whether values of this type are events of known names.
    fn is_message(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Reference(name, _) if matches!(self.origin(name), Some(Origin::Message(_))))
    }

    /// Whether a value is a machine or event of this name, or a machine in a state of this name.
    fn is(&mut self, value: ExprId, kind: NameId) -> Ty {
        let ty = self.expr(value);
        let name = self.name(kind);
        if name.is_empty() {
            return Ty::Error;
        }
        let is_event = self.lookup(Space::Event, &name).is_some_and(|def| def.part.is_none());
        if self.machine_named(&name).is_some() || is_event {
            return bool_unless_error(&[ty]);
        }
        let (is_state, states) = match self.machine_of(value, &ty) {
            Some(decl) => {
                let machine = machine_info(self.db, decl);
                (machine.state(&name).is_some(), machine.states.iter().map(|state| state.name.clone()).collect())
            }
            None => (self.lookup(Space::State, &name).is_some(), Vec::new()),
        };
        if is_state {
            let machine = self.machine_with_state(value, &ty, &name);
            self.named_by_type.extend(machine.map(|machine| NamedByType { name: kind, machine, kind: MemberKind::State }));
        } else {
            let spaces: &[Space] = if states.is_empty() { &[Space::Type, Space::Event, Space::State] } else { &[] };
            let message = format!("there is no machine, event or state `{name}`");
            self.report_unknown(Problem::new(Code::UnknownKind, kind, message), &name, spaces, states);
            return Ty::Error;
        }
        bool_unless_error(&[ty])
    }

    fn quantifier(&mut self, id: ExprId, is_new: bool, bound: &[TypedName], body: ExprId) -> Ty {
        let variables = self.types(bound);
        for (nth, variable) in bound.iter().enumerate() {
            let name = self.name(variable.name);
            if !name.is_empty() && variables[..nth].iter().any(|(known, _)| *known == name) {
                self.report(Code::DuplicateDeclaration, variable.name, format!("`{name}` is declared twice"));
            }
        }
        let is_sound = !is_new || self.new_variable(id, bound, &variables);
        let sites = self.sites.len();
        self.sites.extend(bound.iter().map(|variable| (self.nodes[variable.name].0.clone(), self.unit, *variable)));
        self.scopes.push(variables);
        self.claim(body);
        self.scopes.pop();
        self.sites.truncate(sites);
        if is_sound { Ty::Bool } else { Ty::Error }
    }

    /// `forall new` speaks about the events that a loop has sent: about one at a time.
    fn new_variable(&mut self, id: ExprId, bound: &[TypedName], variables: &[(SmolStr, Ty)]) -> bool {
        let ([variable], [(_, ty)]) = (bound, variables) else {
            let word = quantifier_word(&self.nodes[id]);
            let message = format!("`{word} new` takes exactly one variable, and {} are given", bound.len());
            self.report(Code::NewQuantifierCount, Node::Word(word, WordAt::StartOf(id)), message);
            return false;
        };
        let is_message = matches!(ty, Ty::Error | Ty::Event) || self.is_message(ty);
        if !is_message {
            let message = format!("`new` is about events that have been sent, and this is of type `{ty}`");
            self.report(Code::NewQuantifierType, variable.ty, message);
        }
        is_message
    }

    /// The field of a machine or of a message. `None` if only a tuple can have it, for which the caller looks.
    pub(super) fn proof_field(&mut self, value: ExprId, ty: &Ty, field: NameId) -> Option<Ty> {
        if !self.is_verifying() || self.nodes[field].as_str().is_empty() {
            return None;
        }
        let origin = match ty {
            Ty::Reference(name, _) => self.origin(name)?,
            Ty::Machine => match self.spec_named_by(value) {
                Some(spec) => Origin::Machine(spec),
                None => return Some(self.field_of_any_machine(field)),
            },
            _ => return None,
        };
        Some(match origin {
            Origin::Machine(decl) => self.machine_field(decl, field),
            Origin::Message(events) => self.message_field(ty, &events, field),
        })
    }

    fn field_of_any_machine(&mut self, field: NameId) -> Ty {
        let message = "this may be any machine, and so its fields are not known";
        let help = "give it the type of one machine, as in `forall (m: Client) :: m.field`";
        self.problems.push(Problem::new(Code::FieldAccess, field, message).with_help(help));
        Ty::Error
    }

    fn machine_field(&mut self, decl: Decl<'db>, field: NameId) -> Ty {
        let name = self.name(field);
        let machine = machine_info(self.db, decl);
        if let Some(ty) = machine.field(&name) {
            self.named_by_type.push(NamedByType { name: field, machine: decl, kind: MemberKind::Variable });
            return ty.clone();
        }
        let message = format!("`{}` has no variable `{name}`", machine.name);
        let fields = machine.fields.iter().map(|(field, _)| field.clone()).collect();
        self.report_unknown(Problem::new(Code::UnknownMachineField, field, message), &name, &[], fields);
        Ty::Error
    }

    /// The field of the first event that carries one of this name.
    fn message_field(&mut self, ty: &Ty, events: &Events, field: NameId) -> Ty {
        let name = self.name(field);
        let Events::Only(events) = events else { return Ty::Error };
        let mut known = Vec::new();
        for event in events.iter() {
            let Some(def) = self.lookup(Space::Event, event).filter(|def| def.part.is_none()) else { continue };
            let tuple = event_payload(self.db, def.decl);
            let Ty::NamedTuple(fields) = tuple else { continue };
            if let Some((_, ty)) = fields.iter().find(|(field, _)| *field == name) {
                self.fields.push(FieldUse { name: field, tuple: tuple.clone(), is_sure: events.len() == 1 });
                return ty.clone();
            }
            known.extend(fields.iter().map(|(field, _)| field.clone()));
        }
        let message = format!("no value that `{ty}` carries has a field `{name}`");
        self.report_unknown(Problem::new(Code::UnknownEventField, field, message), &name, &[], known);
        Ty::Error
    }

    /// An event of a known name may be given to a pure function that takes any event.
    pub(super) fn is_message_for_pure(&self, function: NameId, expected: &Ty, given: &Ty) -> bool {
        let (Ty::Event, Ty::Reference(name, _)) = (expected, given) else { return false };
        !self.is_function(self.nodes[function].as_str())
            && matches!(self.origin(name), Some(Origin::Message(Events::Only(events))) if events.len() == 1)
    }

    /// What a type's name refers to, in the order in which P looks for the names of types. An interface refers to nothing that has
    /// fields.
    fn origin(&self, name: &str) -> Option<Origin<'db>> {
        if let Some(set) = self.lookup(Space::EventSet, name) {
            return Some(Origin::Message(event_set(self.db, set.decl).clone()));
        }
        if self.lookup(Space::Type, name).is_some() {
            return self.machine_named(name).map(Origin::Machine);
        }
        let event = self.lookup(Space::Event, name).filter(|def| def.part.is_none())?;
        Some(Origin::Message(Events::only([event.decl.name(self.db).clone()])))
    }

    /// The machine, spec or scenario of this name.
    fn machine_named(&self, name: &str) -> Option<Decl<'db>> {
        let is_machine = |decl: &Decl<'db>| decl.kind(self.db).is_machine();
        self.lookup(Space::Type, name).map(|def| def.decl).filter(is_machine)
    }

    fn spec_named(&self, name: &str) -> Option<Decl<'db>> {
        self.machine_named(name).filter(|decl| decl.kind(self.db) != DeclKind::Machine)
    }

    /// The spec that an expression is the name of.
    fn spec_named_by(&self, expr: ExprId) -> Option<Decl<'db>> {
        let Expr::Name(name) = &self.nodes[self.without_parens(expr)] else { return None };
        let name = self.nodes[*name].as_str();
        let is_hidden = self.variable(name).is_some()
            || self.lookup(Space::Param, name).is_some()
            || self.lookup(Space::Event, name).is_some();
        if is_hidden { None } else { self.spec_named(name) }
    }

    /// The one machine whose states a value can be in. As in P, a type that names a machine does not decide it: any machine that
    /// takes the same events may be stored there. Only specs and `this` are sure.
    fn machine_of(&self, value: ExprId, ty: &Ty) -> Option<Decl<'db>> {
        match (&self.nodes[self.without_parens(value)], ty) {
            (Expr::This, Ty::Reference(name, _)) => self.machine_named(name),
            (_, Ty::Reference(name, _)) if self.lookup(Space::EventSet, name).is_none() => self.spec_named(name),
            _ => self.spec_named_by(value),
        }
    }
}

impl<'db> Checker<'_, 'db> {
    /// Whose state is most likely meant: that of the machine the type names, otherwise that of the first machine that has one.
    fn machine_with_state(&self, value: ExprId, ty: &Ty, state: &str) -> Option<Decl<'db>> {
        let has_it = |decl: &Decl<'db>| machine_info(self.db, *decl).state(state).is_some();
        let named = match ty {
            Ty::Reference(name, _) => self.machine_named(name),
            _ => None,
        };
        let sure = self.machine_of(value, ty).or(named).filter(has_it);
        sure.or_else(|| self.lookup(Space::State, state).map(|def| def.decl))
    }
}

fn bool_unless_error(operands: &[Ty]) -> Ty {
    if operands.contains(&Ty::Error) { Ty::Error } else { Ty::Bool }
}

/// The proof word of an expression, and where it stands.
fn opening_word(id: ExprId, expr: &Expr) -> Option<(&'static str, WordAt)> {
    Some(match expr {
        Expr::Is { kind, .. } => ("is", WordAt::BeforeName(*kind)),
        Expr::Targets { target, .. } => ("targets", WordAt::BeforeExpr(*target)),
        Expr::Inflight(_) => ("inflight", WordAt::StartOf(id)),
        Expr::Sent(_) => ("sent", WordAt::StartOf(id)),
        Expr::Quantifier { .. } => (quantifier_word(expr), WordAt::StartOf(id)),
        _ => return None,
    })
}

fn quantifier_word(expr: &Expr) -> &'static str {
    match expr {
        Expr::Quantifier { kind: Quantifier::Exists, .. } => "exists",
        _ => "forall",
    }
}
