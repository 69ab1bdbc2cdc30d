//! Tests: their parameters and what is assumed of them.

use lockstep_syntax::p::ast::{BinaryOp, Decl as AstDecl, Expr, ExprId, NameId, Nodes, Test, TestParam, UnaryOp, Wise};
use smol_str::SmolStr;

use super::{Check, Seen, name_node};
use crate::body::Checker;
use crate::problem::{Code, Problem, Unit};
use crate::resolve::Types;
use crate::scope::{Space, lookup};
use crate::ty::Ty;

/// A value in the list of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Bool(bool),
    Int(i32),
}

/// The value of a literal in the list of a parameter; `None` if it is too large or cannot be read.
pub(crate) fn param_literal(nodes: &Nodes, id: ExprId) -> Option<Literal> {
    match &nodes[id] {
        Expr::Bool(value) => Some(Literal::Bool(*value)),
        Expr::Int(digits) => digits.parse().ok().map(Literal::Int),
        Expr::Unary { op: UnaryOp::Minus, operand } => match &nodes[*operand] {
            Expr::Int(digits) => digits.parse::<i32>().ok().map(|number| Literal::Int(-number)),
            _ => None,
        },
        _ => None,
    }
}

impl<'db> Check<'_, 'db> {
    pub(super) fn test(&mut self, test: &Test) {
        let mut seen = Seen::default();
        for param in &test.params {
            let name = self.name(param.name);
            if let Some(first) = seen.before(&name, param.name) {
                let (message, help) = (format!("`{name}` is given twice"), "put all its values into one list");
                self.report_second(Code::DuplicateField, param.name, first, message, Some(help));
            }
            self.param(param);
        }
        if let Some(Wise::Strength(id)) = test.wise {
            let digits = self.name(id);
            let most = test.params.len();
            match digits.parse::<i32>() {
                Err(_) if digits.is_empty() => {}
                Err(_) => {
                    self.report(Code::OutOfRange, id, format!("`{digits}` is too large: the largest number is {}", i32::MAX))
                }
                Ok(strength) if strength < 1 || usize::try_from(strength).is_ok_and(|strength| strength > most) => {
                    let message = match most {
                        0 => "there is nothing to combine: this test has no `param (...)`".to_owned(),
                        1 => format!("this test has one parameter: it cannot combine {strength}"),
                        _ => format!("a test of {most} parameters can combine 1 to {most} of them, not {strength}"),
                    };
                    self.report(Code::TestStrength, id, message);
                }
                Ok(_) => {}
            }
        }
        if let Some(assume) = test.assume {
            self.assume(test, assume);
        }
    }

    fn param(&mut self, param: &TestParam) {
        let name = self.name(param.name);
        let Some(def) = lookup(self.db, self.project, Space::Param, &name) else {
            if !name.is_empty() {
                let message = format!("there is no test parameter `{name}`: declare it with `param {name}: ...;`");
                let problem = Problem::new(Code::UnknownParam, param.name, message);
                self.types.problems.push(problem.with_similar(&name, &[Space::Param], vec![]));
            }
            return;
        };
        let shape = def.decl.shape(self.db);
        let AstDecl::Param { ty, .. } = &shape.0.decl else { return };
        let expected = Types::new(self.db, self.project, &shape.0.nodes).ty(*ty);
        let mut numbers = Vec::new();
        let mut is_reported = false;
        for &value in &param.values {
            let ty = self.literal_type(value);
            if !expected.is_same(&ty) && !is_reported {
                let message = format!("`{name}` is of type `{expected}`, and this is of type `{ty}`");
                let help = match expected {
                    Ty::Bool => Some("write `true` or `false`"),
                    Ty::Int => Some("write a whole number"),
                    _ => Some("the values in such a list are numbers, `true` and `false`"),
                };
                let declared = name_node(self.db, def.decl, def.part);
                let problem = Problem::new(Code::ParamType, value, message).with_advice(help);
                self.types.problems.push(problem.with_related(def.decl, declared, format!("`{name}` is declared here")));
                is_reported = true;
            }
            match param_literal(&self.item.nodes, value) {
                // P takes `true` twice. That is no mistake if the tests that come of it differ in other parameters.
                Some(Literal::Bool(_)) => {}
                Some(Literal::Int(number)) => {
                    if numbers.contains(&number) {
                        self.report(Code::DuplicateParamValue, value, format!("the value `{number}` is given twice"));
                    }
                    numbers.push(number);
                }
                None if ty == Ty::Int => {
                    let message = format!("this number is too large: the largest is {}", i32::MAX);
                    self.report(Code::OutOfRange, value, message);
                }
                None => {}
            }
        }
    }

    fn literal_type(&self, id: ExprId) -> Ty {
        match &self.item.nodes[id] {
            Expr::Bool(_) => Ty::Bool,
            Expr::Int(_) | Expr::Unary { op: UnaryOp::Minus, .. } => Ty::Int,
            _ => Ty::Error,
        }
    }

    /// An assumption is well typed, and P's compiler can compute it: it does so itself, before anything runs.
    fn assume(&mut self, test: &Test, assume: ExprId) {
        let mut checker = Checker::new(self.db, Unit::of(self.decl), &self.item.nodes, None, Vec::new());
        let ty = checker.expr(assume);
        if !checker.problems.is_empty() {
            return self.types.problems.append(&mut checker.problems);
        }
        // The verifier runs no tests.
        if self.is_verifying() {
            return;
        }
        let mut open = vec![assume];
        while let Some(id) = open.pop() {
            match &self.item.nodes[id] {
                Expr::Missing | Expr::Bool(_) | Expr::Int(_) => {}
                Expr::Paren(inner) => open.push(*inner),
                Expr::Unary { operand, .. } => open.push(*operand),
                Expr::Binary { op, left, right } if is_computable(*op) => open.extend([*right, *left]),
                Expr::Name(name) => self.assumed_name(test, id, *name),
                _ => {
                    let message = "this cannot be part of an assumption about parameters";
                    let help =
                        "numbers, `true`, `false`, parameters of the test, arithmetic, comparisons, `!`, `&&` and `||` can";
                    self.types.problems.push(Problem::new(Code::AssumeForm, id, message).with_help(help));
                    return;
                }
            }
        }
        if !Ty::Bool.accepts(&ty) {
            self.report(Code::AssumeType, assume, format!("an assumption is of type `bool`, and this is of type `{ty}`"));
        }
    }

    /// A name in an assumption: a parameter that the test gives values to.
    fn assumed_name(&mut self, test: &Test, id: ExprId, name: NameId) {
        let name: SmolStr = self.name(name);
        if test.params.iter().any(|param| self.item.nodes[param.name].0 == name) {
            return;
        }
        let problem = match lookup(self.db, self.project, Space::Param, &name) {
            Some(_) => Problem::new(Code::AssumeForm, id, format!("this test gives no values to `{name}`"))
                .with_help(format!("add `{name} in [...]` to its parameters")),
            None => Problem::new(Code::AssumeForm, id, format!("`{name}` is no parameter of this test")),
        };
        self.types.problems.push(problem);
    }
}

fn is_computable(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::In | BinaryOp::Implies | BinaryOp::Iff)
}
