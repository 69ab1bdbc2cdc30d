//! Expressions.

use lockstep_syntax::p::ast::{BinaryOp, Expr, ExprId, NameId, UnaryOp};
use smol_str::SmolStr;

use super::{Checker, advice};
use crate::alias::MOST_DEPTH;
use crate::check::{describe, not_creatable};
use crate::declaration::{Decl, DeclKind};
use crate::field::FieldUse;
use crate::problem::{Code, Problem};
use crate::resolve::{constructor, function_signature, interface_events, machine_info};
use crate::scope::{Def, Space};
use crate::ty::{Events, Ty};

/// The largest number of choices P allows.
const MOST_CHOICES: i32 = 10_000;

impl<'db> Checker<'_, 'db> {
    pub(crate) fn expr(&mut self, id: ExprId) -> Ty {
        let ty = crate::stack::level(|| self.expr_here(id));
        self.see(id, &ty);
        ty
    }

    pub(super) fn see(&mut self, id: ExprId, ty: &Ty) {
        if let Some(seen) = &mut self.seen {
            seen.insert(id, ty.clone());
        }
    }

    fn expr_here(&mut self, id: ExprId) -> Ty {
        let nodes = self.nodes;
        match &nodes[id] {
            Expr::Missing => Ty::Error,
            Expr::Name(name) => self.named(id, *name),
            Expr::Int(digits) => {
                if digits.parse::<i32>().is_err() {
                    self.report(Code::OutOfRange, id, format!("`{digits}` is too large: the largest number is {}", i32::MAX));
                    return Ty::Error;
                }
                Ty::Int
            }
            Expr::Float(_) => Ty::Float,
            Expr::Bool(_) => Ty::Bool,
            Expr::String(text) => {
                self.placeholders(id, text);
                Ty::String
            }
            Expr::Null => Ty::Null,
            Expr::Halt => Ty::Event,
            Expr::This => self.this(id),
            Expr::Nondet { .. } => {
                self.facts.is_nondeterministic = true;
                self.expr_not_in_spec(id, "make choices");
                Ty::Bool
            }
            Expr::Paren(inner) => self.expr(*inner),
            Expr::Tuple(elements) => {
                self.in_tuple(id, |this| Ty::Tuple(elements.iter().map(|element| this.expr(*element)).collect()))
            }
            Expr::NamedTuple(fields) => self.in_tuple(id, |this| this.named_tuple(fields)),
            Expr::Field { value, field } => self.field(*value, *field),
            Expr::Element { value, index } => self.element(*value, *index),
            Expr::Is { .. } | Expr::Targets { .. } | Expr::Inflight(_) | Expr::Sent(_) | Expr::Quantifier { .. } => {
                self.proof_expr(id)
            }
            Expr::Index { value, index } => self.index(*value, *index),
            Expr::Keys(map) | Expr::Values(map) => {
                let ty = self.expr(*map);
                match (&nodes[id], ty) {
                    (_, Ty::Error) => Ty::Error,
                    (Expr::Keys(_), Ty::Map(key, _)) => Ty::Seq(key),
                    (_, Ty::Map(_, value)) => Ty::Seq(value),
                    (_, ty) => {
                        self.report(Code::CollectionType, *map, format!("this must be a map, and it is of type `{ty}`"));
                        Ty::Error
                    }
                }
            }
            Expr::Sizeof(collection) => {
                let ty = self.expr(*collection);
                if !matches!(ty, Ty::Error | Ty::Seq(_) | Ty::Set(_) | Ty::Map(..)) {
                    self.report(
                        Code::CollectionType,
                        *collection,
                        format!("only collections have a size, and this is of type `{ty}`"),
                    );
                    return Ty::Error;
                }
                Ty::Int
            }
            Expr::Default(ty) => self.ty(*ty),
            Expr::New { interface, args } => self.new_machine(id, *interface, args),
            Expr::Call { function, args } => self.call(*function, args),
            Expr::Choose(argument) => self.choose(*argument),
            Expr::Format { text, args } => self.format(*text, args),
            Expr::Unary { op, operand } => self.unary(*op, *operand),
            Expr::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            Expr::As { value, ty } => {
                let from = self.expr(*value);
                let to = self.ty(*ty);
                if !from.is_comparable(&to) {
                    let message = format!("a value of type `{from}` can never be of type `{to}`");
                    let problem = Problem::new(Code::Incomparable, id, message);
                    self.problems.push(problem.with_advice(advice::on_converting(&from, &to)));
                    return Ty::Error;
                }
                self.refuse_cast(id, (*value, &from), (*ty, &to));
                to
            }
            Expr::To { value, ty } => {
                let from = self.expr(*value);
                let to = self.ty(*ty);
                if !self.coerce(id, &from, &to) {
                    return Ty::Error;
                }
                self.refuse_conversion((*value, &from), (*ty, &to));
                to
            }
        }
    }

    fn expr_not_in_spec(&mut self, id: ExprId, what: &str) {
        if self.is_spec() {
            self.report(Code::NotInSpec, id, format!("a spec only watches: it cannot {what}"));
        }
    }

    fn named(&mut self, id: ExprId, name: NameId) -> Ty {
        let name = self.name(name);
        if name.is_empty() {
            return Ty::Error;
        }
        if let Some(ty) = self.variable(&name) {
            return ty;
        }
        if let Some(ty) = self.param(&name) {
            return ty;
        }
        if let Some(def) = self.lookup(Space::Event, &name) {
            return match def.part {
                Some(_) => Ty::Enum(def.decl.name(self.db).clone()),
                None => Ty::Event,
            };
        }
        let is_spec = |decl: Decl<'db>| matches!(decl.kind(self.db), DeclKind::Spec | DeclKind::Scenario);
        if self.lookup(Space::Type, &name).is_some_and(|def| is_spec(def.decl)) {
            return Ty::Machine;
        }
        if self.lookup(Space::Invariant, &name).or_else(|| self.lookup(Space::InvariantGroup, &name)).is_some() {
            return Ty::Bool;
        }
        let message = format!("there is no variable, enum element or event `{name}` here");
        let mut problem = Problem::new(Code::UnknownName, id, message);
        if self.creatable(&name).is_some() {
            problem = problem.with_help(format!("`{name}` is a machine: `new {name}(...)` creates one"));
        } else if self.lookup(Space::Function, &name).is_some() || self.machine.is_some_and(|of| of.function(&name).is_some()) {
            problem = problem.with_help(format!("`{name}` is a function: `{name}(...)` calls it"));
        }
        let spaces: &[Space] = match self.is_verifying() {
            true => &[Space::Event, Space::Param, Space::Invariant, Space::InvariantGroup],
            false => &[Space::Event, Space::Param],
        };
        self.report_unknown(problem, &name, spaces, self.variables());
        Ty::Error
    }

    fn this(&mut self, id: ExprId) -> Ty {
        self.expr_not_in_spec(id, "refer to itself with `this`");
        match self.machine {
            Some(machine) => Ty::Reference(machine.name.clone(), machine.receives.clone()),
            None => {
                let message = "`this` means a machine, and this code belongs to none";
                let problem = Problem::new(Code::ThisOutsideMachine, id, message);
                self.problems.push(problem.with_help("a function can be given the machine as an argument"));
                Ty::Error
            }
        }
    }

    /// The type of a tuple, unless it would be too deep; declared types have the same limit (`alias::Size`).
    fn in_tuple(&mut self, id: ExprId, ty: impl FnOnce(&mut Self) -> Ty) -> Ty {
        self.tuple_depth += 1;
        let inner = ty(self);
        self.tuple_depth -= 1;
        if self.tuple_depth < MOST_DEPTH {
            return inner;
        }
        if self.tuple_depth == MOST_DEPTH {
            self.report(Code::TypeTooLarge, id, "tuples are nested too deeply here");
        }
        Ty::Error
    }

    fn named_tuple(&mut self, fields: &[(NameId, ExprId)]) -> Ty {
        let mut typed: Vec<(SmolStr, Ty)> = Vec::new();
        for (id, value) in fields {
            let name = self.name(*id);
            if let Some(first) = typed.iter().position(|(known, _)| *known == name && !name.is_empty()) {
                let problem = Problem::new(Code::DuplicateField, *id, format!("the field `{name}` is given twice"));
                self.problems
                    .push(self.after_first(problem.with_help("remove one of them, or give it another name"), fields[first].0));
            }
            let ty = self.expr(*value);
            typed.push((name, ty));
        }
        let tuple = Ty::NamedTuple(typed.into());
        self.fields.extend(fields.iter().map(|(name, _)| FieldUse { name: *name, tuple: tuple.clone(), is_sure: true }));
        tuple
    }

    fn field(&mut self, value: ExprId, field: NameId) -> Ty {
        let ty = self.expr(value);
        if let Some(ty) = self.proof_field(value, &ty, field) {
            return ty;
        }
        self.field_of(&ty, value, field)
    }

    /// The field of `value`, which is of type `ty`.
    pub(super) fn field_of(&mut self, ty: &Ty, value: ExprId, field: NameId) -> Ty {
        let name = self.name(field);
        match ty {
            Ty::Error => Ty::Error,
            _ if name.is_empty() => Ty::Error,
            Ty::NamedTuple(fields) => match fields.iter().find(|(known, _)| *known == name) {
                Some((_, of_field)) => {
                    self.fields.push(FieldUse { name: field, tuple: ty.clone(), is_sure: true });
                    of_field.clone()
                }
                None => {
                    let problem = Problem::new(Code::UnknownField, field, format!("`{ty}` has no field `{name}`"));
                    self.report_unknown(problem, &name, &[], fields.iter().map(|(field, _)| field.clone()).collect());
                    Ty::Error
                }
            },
            _ => {
                let message = format!("only named tuples have fields, and this is of type `{ty}`");
                let help = match (&self.nodes[self.without_parens(value)], ty) {
                    (Expr::This, _) => Some(format!("a variable of this machine is written `{name}`, without `this`")),
                    (_, Ty::Machine | Ty::Reference(..)) if !self.is_verifying() => {
                        Some("a machine's variables are its own: others learn of them by events".to_owned())
                    }
                    _ => None,
                };
                self.problems.push(Problem::new(Code::FieldAccess, field, message).with_advice(help));
                Ty::Error
            }
        }
    }

    fn element(&mut self, value: ExprId, index: NameId) -> Ty {
        let ty = self.expr(value);
        self.element_of(&ty, index)
    }

    pub(super) fn element_of(&mut self, ty: &Ty, index: NameId) -> Ty {
        let digits = self.name(index);
        match (ty, digits.parse::<i32>()) {
            (Ty::Error, _) => {}
            (_, Err(_)) => self.report(Code::OutOfRange, index, format!("`{digits}` is too large for the number of an element")),
            (Ty::Tuple(elements), Ok(number)) => {
                if let Some(element) = usize::try_from(number).ok().and_then(|number| elements.get(number)) {
                    return element.clone();
                }
                let message = match elements.len() {
                    1 => format!("`{ty}` has no element {number}: its only element is 0"),
                    count => format!("`{ty}` has no element {number}: its elements are 0 to {}", count.saturating_sub(1)),
                };
                self.report(Code::ElementOutOfBounds, index, message);
            }
            (Ty::NamedTuple(_), Ok(_)) => {
                let message = format!("the elements of `{ty}` have names: write `.name` instead of `.{digits}`");
                self.report(Code::ElementAccess, index, message);
            }
            _ => {
                let message = format!("only tuples have numbered elements, and this is of type `{ty}`");
                self.report(Code::ElementAccess, index, message);
            }
        }
        Ty::Error
    }

    fn index(&mut self, value: ExprId, index: ExprId) -> Ty {
        let collection = self.expr(value);
        self.index_of(&collection, value, index)
    }

    pub(super) fn index_of(&mut self, collection: &Ty, value: ExprId, index: ExprId) -> Ty {
        let ty = self.expr(index);
        let (place, element) = match collection {
            Ty::Error => return Ty::Error,
            Ty::Seq(element) | Ty::Set(element) => (&Ty::Int, element),
            Ty::Map(key, element) => (&**key, element),
            _ => {
                let message = format!("only collections can be indexed, and this is of type `{collection}`");
                self.report(Code::IndexType, value, message);
                return Ty::Error;
            }
        };
        if !place.accepts(&ty) {
            let what = if matches!(collection, Ty::Map(..)) { "the key" } else { "the index" };
            self.report(Code::IndexType, index, format!("{what} must be of type `{place}`, and this is of type `{ty}`"));
            return Ty::Error;
        }
        self.refuse_alias(place, index, &ty);
        (**element).clone()
    }

    /// `new` as an expression.
    fn new_machine(&mut self, id: ExprId, interface: NameId, args: &[ExprId]) -> Ty {
        if !self.is_spec() || self.creatable(self.nodes[interface].as_str()).is_none() {
            return self.create(interface, args);
        }
        args.iter().for_each(|arg| drop(self.expr(*arg)));
        self.expr_not_in_spec(id, "create machines");
        Ty::Error
    }

    /// The machine or interface of this name.
    fn creatable(&self, name: &str) -> Option<Decl<'db>> {
        let decl = self.lookup(Space::Type, name)?.decl;
        matches!(decl.kind(self.db), DeclKind::Machine | DeclKind::Interface).then_some(decl)
    }

    /// `new` as a statement or an expression.
    pub(super) fn create(&mut self, interface: NameId, args: &[ExprId]) -> Ty {
        let name = self.name(interface);
        let Some(decl) = self.creatable(&name) else {
            args.iter().for_each(|arg| drop(self.expr(*arg)));
            if !name.is_empty() {
                self.problems.push(not_creatable(self.db, self.project, interface, &name));
            }
            return Ty::Error;
        };
        self.facts.creates.push(name.clone());
        let expected = constructor(self.db, decl);
        self.payload(interface, args, &expected, &name, Some(Def { decl, part: None }));
        let events = match decl.kind(self.db) {
            DeclKind::Interface => interface_events(self.db, decl).clone(),
            _ => machine_info(self.db, decl).receives.clone(),
        };
        Ty::Reference(name, events)
    }

    pub(super) fn call(&mut self, function: NameId, args: &[ExprId]) -> Ty {
        let name = self.name(function);
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg)).collect();
        let own = self.machine.and_then(|machine| machine.function(&name)).cloned();
        let (signature, def) = match own {
            Some(signature) => {
                self.facts.own_calls.push(name.clone());
                (signature, None)
            }
            None => match self.lookup(Space::Function, &name).or_else(|| self.lookup(Space::Pure, &name)) {
                Some(def) => {
                    self.facts.calls.push(def.decl);
                    (function_signature(self.db, def.decl).clone(), Some(def))
                }
                None => {
                    if let Some(decl) = self.creatable(&name) {
                        let def = Def { decl, part: None };
                        let message = format!("`{name}` is {}, not a function", describe(self.db, def));
                        let problem = Problem::new(Code::UnknownFunction, function, message);
                        let problem = problem.with_help(format!("`new {name}(...)` creates one"));
                        self.problems.push(self.declared(problem, &name, def));
                    } else if !name.is_empty() {
                        let problem = Problem::new(Code::UnknownFunction, function, format!("there is no function `{name}`"));
                        let own = self.machine.map_or(&[][..], |machine| &machine.functions);
                        let own = own.iter().map(|(name, _)| name.clone()).collect();
                        self.report_unknown(problem, &name, &[Space::Function, Space::Pure], own);
                    }
                    return Ty::Error;
                }
            },
        };
        if args.len() != signature.params.len() {
            let message = takes(&format!("`{name}`"), "argument", signature.params.len(), args.len());
            let problem = Problem::new(Code::ArgumentCount, function, message);
            self.problems.push(self.declared_callee(problem, &name, def));
            return Ty::Error;
        }
        for ((arg, ty), (param, expected)) in args.iter().zip(&types).zip(&signature.params) {
            if expected.accepts(ty) {
                self.refuse_alias(expected, *arg, ty);
            } else if !self.is_message_for_pure(function, expected, ty) {
                let message = format!("`{param}` of `{name}` is of type `{expected}`, and this is of type `{ty}`");
                let problem = self.declared_callee(Problem::new(Code::ArgumentType, *arg, message), &name, def);
                self.problems.push(problem.with_advice(advice::on_storing(expected, ty)));
            }
        }
        signature.result
    }

    fn choose(&mut self, argument: Option<ExprId>) -> Ty {
        self.facts.is_nondeterministic = true;
        let Some(argument) = argument else { return Ty::Bool };
        if let Expr::Int(digits) = &self.nodes[self.without_parens(argument)]
            && digits.parse::<i32>().is_ok_and(|count| count > MOST_CHOICES)
        {
            self.report(Code::ChooseValue, argument, format!("`choose` chooses among at most {MOST_CHOICES} values"));
            return Ty::Error;
        }
        match self.expr(argument) {
            Ty::Error => Ty::Error,
            Ty::Int => Ty::Int,
            Ty::Seq(element) | Ty::Set(element) | Ty::Map(element, _) => (*element).clone(),
            ty => {
                let message = format!("`choose` takes a number or a collection, and this is of type `{ty}`");
                self.report(Code::ChooseType, argument, message);
                Ty::Error
            }
        }
    }

    fn format(&mut self, text: ExprId, args: &[ExprId]) -> Ty {
        args.iter().for_each(|arg| drop(self.expr(*arg)));
        if let Expr::String(literal) = &self.nodes[text] {
            match placeholders(literal) {
                Ok(count) if count != args.len() => {
                    let message = takes("the text", "value", count, args.len());
                    self.report(Code::ArgumentCount, text, message);
                }
                Ok(_) => {}
                Err(message) => self.report(Code::FormatText, text, message),
            }
        }
        Ty::String
    }

    /// A text outside of `format` has no places for values.
    fn placeholders(&mut self, id: ExprId, text: &str) {
        match placeholders(text) {
            Ok(0) => {}
            Ok(_) => self.report(Code::ArgumentCount, id, "places for values such as `{0}` are filled by `format(...)` only"),
            Err(message) => self.report(Code::FormatText, id, message),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Ty {
        let ty = self.expr(operand);
        let fits = match op {
            UnaryOp::Minus => matches!(ty, Ty::Int | Ty::Float | Ty::Error),
            UnaryOp::Not => matches!(ty, Ty::Bool | Ty::Error),
        };
        if !fits {
            let expected = if op == UnaryOp::Minus { "a number" } else { "of type `bool`" };
            self.report(Code::OperandType, operand, format!("this must be {expected}, and it is of type `{ty}`"));
            return Ty::Error;
        }
        ty
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Ty {
        let left_type = self.expr(left);
        let right_type = self.expr(right);
        if left_type == Ty::Error || right_type == Ty::Error {
            return Ty::Error;
        }
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                let mut result = Ty::Bool;
                for (side, ty) in [(left, left_type), (right, right_type)] {
                    if ty != Ty::Bool {
                        self.report(Code::OperandType, side, format!("this must be of type `bool`, and it is of type `{ty}`"));
                        result = Ty::Error;
                    }
                }
                result
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                if !left_type.is_comparable(&right_type) {
                    let message = format!("values of the types `{left_type}` and `{right_type}` cannot be compared");
                    let problem = Problem::new(Code::Incomparable, id, message);
                    self.problems.push(problem.with_advice(advice::on_comparing(&left_type, &right_type)));
                    return Ty::Error;
                }
                self.refuse_comparison(id, (left, &left_type), (right, &right_type));
                Ty::Bool
            }
            BinaryOp::In => self.membership((left, &left_type), (right, &right_type)),
            BinaryOp::Mod => {
                if !matches!((&left_type, &right_type), (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float)) {
                    let message =
                        format!("`%` takes two numbers of one type, and these are of the types `{left_type}` and `{right_type}`");
                    self.report(Code::Incomparable, id, message);
                    return Ty::Error;
                }
                left_type
            }
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub => {
                if !self.are_of_one_type(id, &left_type, &right_type) {
                    return Ty::Error;
                }
                if left_type == Ty::String && op != BinaryOp::Add {
                    let problem = Problem::new(Code::StringArithmetic, id, "strings can only be joined and compared");
                    self.warn(problem.with_help("P accepts this, but the C# that it generates does not compile"));
                }
                left_type
            }
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => {
                if self.are_of_one_type(id, &left_type, &right_type) {
                    Ty::Bool
                } else {
                    Ty::Error
                }
            }
        }
    }

    /// Whether both are numbers of one type or strings, as arithmetic and order want it; reports if not.
    fn are_of_one_type(&mut self, id: ExprId, left: &Ty, right: &Ty) -> bool {
        let fits = matches!((left, right), (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float) | (Ty::String, Ty::String));
        if !fits {
            let types = format!("these are of the types `{left}` and `{right}`");
            let message = format!("this takes two numbers of one type or two strings, and {types}");
            let problem = Problem::new(Code::BinaryOperands, id, message);
            self.problems.push(problem.with_advice(advice::on_calculating(left, right)));
        }
        fits
    }

    fn membership(&mut self, (left, left_type): (ExprId, &Ty), (right, right_type): (ExprId, &Ty)) -> Ty {
        let (what, element) = match right_type {
            Ty::Seq(element) | Ty::Set(element) => ("elements", element),
            Ty::Map(key, _) => ("keys", key),
            ty => {
                self.report(Code::MembershipType, right, format!("this must be a collection, and it is of type `{ty}`"));
                return Ty::Error;
            }
        };
        if !element.accepts(left_type) {
            let message = format!("the {what} are of type `{element}`, and this is of type `{left_type}`");
            self.report(Code::MembershipType, left, message);
            return Ty::Error;
        }
        self.refuse_alias(element, left, left_type);
        Ty::Bool
    }

    /// Whether a value can be converted; reports if not.
    fn coerce(&mut self, id: ExprId, from: &Ty, to: &Ty) -> bool {
        let (code, message) = match (from, to) {
            (Ty::Error, _) | (_, Ty::Error) => return true,
            (Ty::Int | Ty::Float, Ty::Int | Ty::Float) | (Ty::Enum(_), Ty::Int) | (Ty::Machine, Ty::Reference(..)) => {
                return true;
            }
            (Ty::Reference(_, mine), Ty::Reference(_, theirs)) if Events::is_subset(theirs, mine) => return true,
            (Ty::Reference(..), Ty::Reference(..)) => {
                (Code::CoerceInterface, format!("`{from}` does not receive all events of `{to}`"))
            }
            (_, Ty::Int | Ty::Float | Ty::Reference(..)) => {
                (Code::Incomparable, format!("a value of type `{from}` cannot be converted to `{to}`"))
            }
            _ => (Code::CoerceType, format!("`to` converts to `int`, `float` or the type of a machine, not to `{to}`")),
        };
        self.problems.push(Problem::new(code, id, message).with_advice(advice::on_converting(from, to)));
        false
    }
}

/// That something takes another number of values than it is given.
fn takes(what: &str, noun: &str, expected: usize, given: usize) -> String {
    let takes = match expected {
        0 => return format!("{what} takes no {noun}s"),
        1 => format!("{what} takes one {noun}"),
        _ => format!("{what} takes {expected} {noun}s"),
    };
    match given {
        0 => format!("{takes}, and none is given"),
        _ => format!("{takes}, not {given}"),
    }
}

/// How many values a text has places for, or what is wrong with it.
fn placeholders(literal: &str) -> Result<usize, &'static str> {
    let mut count = 0;
    let mut rest = literal.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '{' if rest.next_if_eq(&'{').is_some() => {}
            '}' if rest.next_if_eq(&'}').is_some() => {}
            '{' => {
                let digits: String = std::iter::from_fn(|| rest.next_if(char::is_ascii_digit)).collect();
                let number = digits.parse::<usize>().ok().filter(|_| rest.next() == Some('}'));
                let Some(number) = number else {
                    return Err("a place for a value is written `{0}`, and a brace `{{` or `}}`");
                };
                count = count.max(number.saturating_add(1));
            }
            '}' => return Err("a brace in a text is written `{{` or `}}`"),
            _ => {}
        }
    }
    Ok(count)
}
