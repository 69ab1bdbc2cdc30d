//! Expressions.

use lockstep_syntax::p::ast::{BinaryOp, Decl as AstDecl, Expr, ExprId, NameId, UnaryOp};
use smol_str::SmolStr;

use super::Checker;
use crate::alias::MOST_DEPTH;
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem};
use crate::resolve::{Types, constructor, function_signature, interface_events, machine_info};
use crate::scope::Space;
use crate::ty::{Events, Ty};

/// The largest number of choices P allows.
const MOST_CHOICES: u32 = 10_000;

impl<'db> Checker<'_, 'db> {
    pub(super) fn expr(&mut self, id: ExprId) -> Ty {
        crate::stack::level(|| self.expr_here(id))
    }

    fn expr_here(&mut self, id: ExprId) -> Ty {
        let nodes = self.nodes;
        match &nodes[id] {
            Expr::Missing => Ty::Error,
            Expr::Name(name) => self.named(id, *name),
            Expr::Int(digits) => {
                if digits.parse::<i32>().is_err() {
                    self.report(Code::OutOfRange, id, format!("`{digits}` is too large: the largest number is {}", i32::MAX));
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
                self.expr_not_in_spec(id, "choose");
                Ty::Bool
            }
            Expr::Paren(inner) => self.expr(*inner),
            Expr::Tuple(elements) => {
                self.in_tuple(id, |this| Ty::Tuple(elements.iter().map(|element| this.expr(*element)).collect()))
            }
            Expr::NamedTuple(fields) => self.in_tuple(id, |this| this.named_tuple(fields)),
            Expr::Field { value, field } => self.field(*value, *field),
            Expr::Element { value, index } => self.element(*value, *index),
            Expr::Is { value, .. } | Expr::Inflight(value) | Expr::Sent(value) => {
                self.expr(*value);
                Ty::Bool
            }
            Expr::Targets { message, target } => {
                self.expr(*message);
                self.expr(*target);
                Ty::Bool
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
                }
                Ty::Int
            }
            Expr::Default(ty) => self.ty(*ty),
            Expr::New { interface, args } => {
                self.expr_not_in_spec(id, "create machines");
                self.create(*interface, args)
            }
            Expr::Call { function, args } => self.call(*function, args),
            Expr::Choose(argument) => self.choose(*argument),
            Expr::Format { text, args } => self.format(*text, args),
            Expr::Unary { op, operand } => self.unary(*op, *operand),
            Expr::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            Expr::As { value, ty } => {
                let from = self.expr(*value);
                let to = self.ty(*ty);
                if !from.is_comparable(&to) {
                    self.report(Code::Incomparable, id, format!("a value of type `{from}` can never be of type `{to}`"));
                }
                to
            }
            Expr::To { value, ty } => {
                let from = self.expr(*value);
                let to = self.ty(*ty);
                self.coerce(id, &from, &to);
                to
            }
            Expr::Quantifier { bound, body, .. } => {
                let scope = self.types(bound);
                self.scopes.push(scope);
                let ty = self.expr(*body);
                self.scopes.pop();
                if !Ty::Bool.accepts(&ty) {
                    self.report(Code::OperandType, *body, format!("this must be of type `bool`, and it is of type `{ty}`"));
                }
                Ty::Bool
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
        if let Some(def) = self.lookup(Space::Param, &name) {
            return param_type(self, def.decl);
        }
        if let Some(def) = self.lookup(Space::Event, &name) {
            return match def.part {
                Some(_) => Ty::Enum(def.decl.name(self.db).clone()),
                None => Ty::Event,
            };
        }
        let is_spec = self.lookup(Space::Type, &name).is_some_and(|def| def.decl.kind(self.db) == DeclKind::Spec);
        if is_spec {
            return Ty::Machine;
        }
        if self.lookup(Space::Invariant, &name).or_else(|| self.lookup(Space::InvariantGroup, &name)).is_some() {
            return Ty::Bool;
        }
        self.report(Code::UnknownName, id, format!("there is no variable, enum element or event `{name}` here"));
        Ty::Error
    }

    fn this(&mut self, id: ExprId) -> Ty {
        self.expr_not_in_spec(id, "refer to itself with `this`");
        match self.machine {
            Some(machine) => Ty::Reference("this".into(), machine.receives.clone()),
            None => {
                self.report(Code::ThisOutsideMachine, id, "`this` means a machine, and this function belongs to none");
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
            if typed.iter().any(|(known, _)| *known == name) && !name.is_empty() {
                self.report(Code::DuplicateField, *id, format!("the field `{name}` is given twice"));
            }
            let ty = self.expr(*value);
            typed.push((name, ty));
        }
        Ty::NamedTuple(typed.into())
    }

    fn field(&mut self, value: ExprId, field: NameId) -> Ty {
        let ty = self.expr(value);
        let name = self.name(field);
        match &ty {
            Ty::Error => Ty::Error,
            _ if name.is_empty() => Ty::Error,
            Ty::NamedTuple(fields) => match fields.iter().find(|(known, _)| *known == name) {
                Some((_, ty)) => ty.clone(),
                None => {
                    self.report(Code::UnknownField, field, format!("`{ty}` has no field `{name}`"));
                    Ty::Error
                }
            },
            _ => {
                let message = format!("only named tuples have fields, and this is of type `{ty}`");
                self.report(Code::FieldAccess, field, message);
                Ty::Error
            }
        }
    }

    fn element(&mut self, value: ExprId, index: NameId) -> Ty {
        let ty = self.expr(value);
        let digits = self.name(index);
        match &ty {
            Ty::Error => Ty::Error,
            _ if digits.parse::<i32>().is_err() => {
                self.report(Code::OutOfRange, index, format!("`{digits}` is too large"));
                Ty::Error
            }
            Ty::Tuple(elements) => match digits.parse::<usize>().ok().and_then(|index| elements.get(index)) {
                Some(element) => element.clone(),
                None => {
                    let message = format!("`{ty}` has the elements 0 to {}", elements.len().saturating_sub(1));
                    self.report(Code::ElementOutOfBounds, index, message);
                    Ty::Error
                }
            },
            Ty::NamedTuple(fields) => match digits.parse::<usize>().ok().and_then(|index| fields.get(index)) {
                Some((_, element)) => element.clone(),
                None => {
                    self.report(Code::ElementOutOfBounds, index, format!("`{ty}` has {} elements", fields.len()));
                    Ty::Error
                }
            },
            _ => {
                self.report(
                    Code::ElementAccess,
                    index,
                    format!("only tuples have numbered elements, and this is of type `{ty}`"),
                );
                Ty::Error
            }
        }
    }

    fn index(&mut self, value: ExprId, index: ExprId) -> Ty {
        let collection = self.expr(value);
        let ty = self.expr(index);
        let (place, element) = match &collection {
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
            self.report(Code::IndexType, index, format!("this must be of type `{place}`, and it is of type `{ty}`"));
        }
        (**element).clone()
    }

    /// `new` as a statement or an expression.
    pub(super) fn create(&mut self, interface: NameId, args: &[ExprId]) -> Ty {
        let name = self.name(interface);
        let is_creatable = |decl: &Decl<'db>| matches!(decl.kind(self.db), DeclKind::Machine | DeclKind::Interface);
        let Some(decl) = self.lookup(Space::Type, &name).map(|def| def.decl).filter(is_creatable) else {
            args.iter().for_each(|arg| drop(self.expr(*arg)));
            if !name.is_empty() {
                self.report(Code::UnknownInterface, interface, format!("there is no machine or interface `{name}`"));
            }
            return Ty::Error;
        };
        self.facts.creates.push(name.clone());
        let expected = constructor(self.db, decl);
        match args {
            [] if expected != Ty::Null && expected != Ty::Error => {
                let message = format!("`{name}` is created with a value of type `{expected}`, and none is given");
                self.report(Code::ArgumentType, interface, message);
            }
            [_, _, ..] if !matches!(&expected, Ty::Tuple(elements) if elements.len() == args.len()) && expected != Ty::Error => {
                args.iter().for_each(|arg| drop(self.expr(*arg)));
                let message = format!("`{name}` is created with one value of type `{expected}`, and {} are given", args.len());
                self.report(Code::ArgumentCount, interface, message);
            }
            _ => {
                if let Some(first) = args.first() {
                    self.payload(*first, args, &expected, &name);
                }
            }
        }
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
        let signature = match own {
            Some(signature) => {
                self.facts.own_calls.push(name.clone());
                signature
            }
            None => match self.lookup(Space::Function, &name).or_else(|| self.lookup(Space::Pure, &name)) {
                Some(def) => {
                    self.facts.calls.push(def.decl);
                    function_signature(self.db, def.decl).clone()
                }
                None => {
                    if !name.is_empty() {
                        self.report(Code::UnknownFunction, function, format!("there is no function `{name}`"));
                    }
                    return Ty::Error;
                }
            },
        };
        if args.len() != signature.params.len() {
            let message = format!("`{name}` takes {} arguments, and {} are given", signature.params.len(), args.len());
            self.report(Code::ArgumentCount, function, message);
            return signature.result;
        }
        for ((arg, ty), (param, expected)) in args.iter().zip(&types).zip(&signature.params) {
            if !expected.accepts(ty) {
                let message = format!("`{param}` of `{name}` is of type `{expected}`, and this is of type `{ty}`");
                self.report(Code::ArgumentType, *arg, message);
            }
        }
        signature.result
    }

    fn choose(&mut self, argument: Option<ExprId>) -> Ty {
        self.facts.is_nondeterministic = true;
        let Some(argument) = argument else { return Ty::Bool };
        if let Expr::Int(digits) = &self.nodes[argument]
            && digits.parse::<u32>().is_ok_and(|count| count > MOST_CHOICES)
        {
            self.report(Code::ChooseValue, argument, format!("`choose` chooses among at most {MOST_CHOICES} values"));
            return Ty::Int;
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
                    let message = format!("the text has places for {count} values, and {} are given", args.len());
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
        let known = left_type != Ty::Error && right_type != Ty::Error;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                for (side, ty) in [(left, &left_type), (right, &right_type)] {
                    if !Ty::Bool.accepts(ty) {
                        self.report(Code::OperandType, side, format!("this must be of type `bool`, and it is of type `{ty}`"));
                    }
                }
                Ty::Bool
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                if !left_type.is_comparable(&right_type) {
                    let message = format!("values of the types `{left_type}` and `{right_type}` are never equal");
                    self.report(Code::Incomparable, id, message);
                }
                Ty::Bool
            }
            BinaryOp::In => {
                let element = match &right_type {
                    Ty::Seq(element) | Ty::Set(element) | Ty::Map(element, _) => element.clone(),
                    Ty::Error => return Ty::Bool,
                    ty => {
                        self.report(Code::MembershipType, right, format!("this must be a collection, and it is of type `{ty}`"));
                        return Ty::Bool;
                    }
                };
                if !element.accepts(&left_type) {
                    let message = format!("the elements are of type `{element}`, and this is of type `{left_type}`");
                    self.report(Code::MembershipType, left, message);
                }
                Ty::Bool
            }
            BinaryOp::Mod => {
                if known && !matches!((&left_type, &right_type), (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float)) {
                    let message =
                        format!("`%` takes two numbers of one type, and these are of the types `{left_type}` and `{right_type}`");
                    self.report(Code::Incomparable, id, message);
                    return Ty::Error;
                }
                left_type
            }
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Lt
            | BinaryOp::Gt
            | BinaryOp::Le
            | BinaryOp::Ge => {
                let same = (&left_type, &right_type);
                let fits = matches!(same, (Ty::Int, Ty::Int) | (Ty::Float, Ty::Float) | (Ty::String, Ty::String));
                if known && !fits {
                    let message = format!(
                        "this takes two numbers or two strings, and these are of the types `{left_type}` and `{right_type}`"
                    );
                    self.report(Code::BinaryOperands, id, message);
                    return Ty::Error;
                }
                if left_type == Ty::String && matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Sub) {
                    let problem = Problem::new(Code::StringArithmetic, id, "strings can only be joined and compared");
                    self.warn(problem.with_help("P accepts this, but the C# that it generates does not compile"));
                }
                match op {
                    BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => Ty::Bool,
                    _ => left_type,
                }
            }
        }
    }

    fn coerce(&mut self, id: ExprId, from: &Ty, to: &Ty) {
        match (from, to) {
            (Ty::Error, _) | (_, Ty::Error) => {}
            (_, Ty::Int | Ty::Float | Ty::Reference(..)) => {
                let fits = match (from, to) {
                    (Ty::Int | Ty::Float, Ty::Int | Ty::Float) | (Ty::Enum(_), Ty::Int) | (Ty::Machine, Ty::Reference(..)) => {
                        true
                    }
                    (Ty::Reference(_, mine), Ty::Reference(_, theirs)) => {
                        if !Events::is_subset(theirs, mine) {
                            let message = format!("`{from}` does not take all events of `{to}`");
                            self.report(Code::CoerceInterface, id, message);
                        }
                        true
                    }
                    _ => false,
                };
                if !fits {
                    self.report(Code::Incomparable, id, format!("a value of type `{from}` cannot be converted to `{to}`"));
                }
            }
            _ => self.report(Code::CoerceType, id, format!("`to` converts to `int`, `float` or a machine, not to `{to}`")),
        }
    }
}

fn param_type(checker: &Checker<'_, '_>, decl: Decl<'_>) -> Ty {
    let shape = decl.shape(checker.db);
    match &shape.0.decl {
        AstDecl::Param { ty, .. } => Types::new(checker.db, checker.project, &shape.0.nodes).ty(*ty),
        _ => Ty::Error,
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
