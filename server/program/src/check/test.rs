//! Tests and their parameters.

use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, Test, TestParam, UnaryOp, Wise};

use super::Check;
use crate::problem::{Code, Problem};
use crate::resolve::Types;
use crate::scope::{Space, lookup};
use crate::ty::Ty;

impl Check<'_, '_> {
    pub(super) fn test(&mut self, test: &Test) {
        let mut seen = Vec::new();
        for param in &test.params {
            let name = self.name(param.name);
            if seen.contains(&name) && !name.is_empty() {
                self.report(Code::DuplicateField, param.name, format!("`{name}` is given twice"));
            }
            seen.push(name);
            self.param(param);
        }
        if let Some(Wise::Strength(id)) = test.wise {
            let digits = self.name(id);
            let most = test.params.len();
            match digits.parse::<i32>() {
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
        for value in &param.values {
            let Some(literal) = self.literal(*value) else { continue };
            if let Literal::Int(number) = literal {
                if numbers.contains(&number) {
                    self.report(Code::DuplicateParamValue, *value, format!("the value `{number}` is given twice"));
                }
                numbers.push(number);
            }
            let ty = if matches!(literal, Literal::Bool) { Ty::Bool } else { Ty::Int };
            if !expected.is_same(&ty) {
                let message = format!("`{name}` is of type `{expected}`, and this is of type `{ty}`");
                self.report(Code::ParamType, *value, message);
            }
        }
    }

    /// A value in a list; reports a number that is too large.
    fn literal(&mut self, id: ExprId) -> Option<Literal> {
        let (digits, sign) = match &self.item.nodes[id] {
            Expr::Bool(_) => return Some(Literal::Bool),
            Expr::Int(digits) => (digits, 1),
            Expr::Unary { op: UnaryOp::Minus, operand } => match &self.item.nodes[*operand] {
                Expr::Int(digits) => (digits, -1),
                _ => return None,
            },
            _ => return None,
        };
        let number = digits.parse::<i32>();
        if number.is_err() {
            self.report(Code::OutOfRange, id, format!("`{digits}` is too large: the largest number is {}", i32::MAX));
        }
        number.ok().map(|number| Literal::Int(sign * number))
    }
}

enum Literal {
    Bool,
    Int(i32),
}
