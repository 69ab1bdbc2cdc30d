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
                Err(_) => self.report(Code::OutOfRange, id, format!("`{digits}` is too large")),
                Ok(strength) if strength < 1 || usize::try_from(strength).is_ok_and(|strength| strength > most) => {
                    let message = format!("{strength} parameters cannot be combined: this test has {most}");
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
                let message = format!("there is no parameter `{name}`: declare it with `param {name} : ...;`");
                let problem = Problem::new(Code::UnknownParam, param.name, message);
                self.types.problems.push(problem.with_similar(&name, &[Space::Param], vec![]));
            }
            return;
        };
        let shape = def.decl.shape(self.db);
        let AstDecl::Param { ty, .. } = &shape.0.decl else { return };
        let expected = Types::new(self.db, self.project, &shape.0.nodes).ty(*ty);
        let mut values = Vec::new();
        for value in &param.values {
            let ty = self.literal_type(*value);
            if !expected.accepts(&ty) {
                let message = format!("`{name}` is of type `{expected}`, and this is of type `{ty}`");
                self.report(Code::ParamType, *value, message);
            }
            let text = self.literal(*value);
            if values.contains(&text) {
                self.report(Code::DuplicateParamValue, *value, format!("the value `{text}` is given twice"));
            }
            values.push(text);
        }
    }

    fn literal_type(&self, id: ExprId) -> Ty {
        match &self.item.nodes[id] {
            Expr::Bool(_) => Ty::Bool,
            Expr::Int(_) | Expr::Unary { op: UnaryOp::Minus, .. } => Ty::Int,
            _ => Ty::Error,
        }
    }

    fn literal(&self, id: ExprId) -> String {
        match &self.item.nodes[id] {
            Expr::Bool(value) => value.to_string(),
            Expr::Int(digits) => digits.trim_start_matches('0').to_owned(),
            Expr::Unary { operand, .. } => format!("-{}", self.literal(*operand)),
            _ => String::new(),
        }
    }
}
