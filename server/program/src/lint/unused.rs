//! Declarations that nothing uses.
//!
//! Said only of projects that have something to run: what a library declares is for others. What an included project declares is
//! that project's affair.

use lockstep_syntax::p::ast::{Decl as AstDecl, FunctionCode};

use super::Lint;
use super::mentions::Role;
use super::usage::overview;
use crate::db::Purpose;
use crate::declaration::DeclKind;
use crate::problem::{Code, Problem};

/// All ways in which a type or machine can be named.
const AS_TYPE: &[Role] = &[Role::Type, Role::Created, Role::Bound, Role::Asserted, Role::Value];

impl Lint<'_, '_> {
    pub(super) fn unused_declaration(&mut self) {
        if !overview(self.db, self.project).is_closed || self.is_included() {
            return;
        }
        match self.decl.kind(self.db) {
            DeclKind::Event => self.unused_event(),
            // Code in another language can use what P generates for a type.
            DeclKind::Type | DeclKind::Enum if overview(self.db, self.project).has_foreign_code => {}
            DeclKind::Type => self.unused_name(Code::UnusedType, "type", AS_TYPE),
            DeclKind::Enum => self.unused_enum(),
            DeclKind::EventSet => self.unused_name(Code::UnusedEventSet, "event set", &[Role::Type, Role::Listed]),
            DeclKind::Interface => self.unused_name(Code::UnusedInterface, "interface", AS_TYPE),
            DeclKind::Module => self.unused_name(Code::UnusedModule, "module", &[Role::Module]),
            DeclKind::Function => self.unused_function(),
            DeclKind::Machine | DeclKind::Spec => self.unused_machine(),
            DeclKind::Param => self.test_params(),
            _ => {}
        }
    }

    /// Whether anything but the declaration itself mentions the name so, or might.
    fn is_used(&self, name: &str, roles: &[Role]) -> bool {
        let uses = self.uses(name);
        uses.is_uncertain || uses.any_but(self.decl, roles)
    }

    fn unused_name(&mut self, code: Code, what: &str, roles: &[Role]) {
        let name = self.decl.name(self.db).clone();
        if !name.is_empty() && !name.starts_with('_') && !self.is_used(&name, roles) {
            self.report_unused(code, format!("the {what} `{name}` is never used"));
        }
    }

    fn report_unused(&mut self, code: Code, message: String) {
        if let Some(name) = self.item.name() {
            self.problems.push(Problem::new(code, name, message));
        }
    }

    /// An event that is mentioned nowhere. How events that are mentioned come and go is the affair of `flow`.
    fn unused_event(&mut self) {
        let name = self.decl.name(self.db).clone();
        let uses = self.uses(&name);
        // Code in another language can name events.
        let is_doubtful = uses.is_uncertain || overview(self.db, self.project).has_foreign_code;
        if !name.is_empty() && uses.is_empty() && !is_doubtful {
            self.report_unused(Code::UnusedEvent, format!("the event `{name}` is never used"));
        }
    }

    fn unused_enum(&mut self) {
        let AstDecl::Enum { elements, .. } = &self.item.decl else { return };
        let is_element_used = elements.iter().any(|element| self.is_used(self.item.nodes[element.name].as_str(), &[Role::Value]));
        if !is_element_used {
            self.unused_name(Code::UnusedType, "enum", AS_TYPE);
        }
    }

    fn unused_function(&mut self) {
        let AstDecl::Function(function) = &self.item.decl else { return };
        // A function in another language may be there for the code in that language.
        if matches!(function.code, FunctionCode::Body(_)) && !overview(self.db, self.project).has_foreign_code {
            self.unused_name(Code::UnusedFunction, "function", &[Role::Called, Role::Handler]);
        }
    }

    /// A machine that no test can run. Without tests P itself makes one of all machines. The verifier looks at every machine.
    fn unused_machine(&mut self) {
        if !overview(self.db, self.project).has_tests || self.project.purpose(self.db) == Purpose::Verifying {
            return;
        }
        let name = self.decl.name(self.db).clone();
        if name.is_empty() || self.is_used(&name, &[Role::Created, Role::Bound, Role::Asserted]) {
            return;
        }
        let problem = match self.decl.kind(self.db) {
            DeclKind::Spec => Problem::new(Code::UnusedMachine, self.node(), format!("no test checks the spec `{name}`"))
                .with_help(format!("a test checks it if its module is written `assert {name} in ...`")),
            _ => Problem::new(Code::UnusedMachine, self.node(), format!("no test runs the machine `{name}`"))
                .with_help("nothing creates it, and no module contains it"),
        };
        self.problems.push(problem);
    }

    fn test_params(&mut self) {
        let AstDecl::Param { names, .. } = &self.item.decl else { return };
        if !overview(self.db, self.project).has_tests {
            return;
        }
        for id in names {
            let name = self.item.nodes[*id].0.clone();
            let uses = self.uses(&name);
            if name.is_empty() || uses.is_uncertain {
                continue;
            }
            if !uses.any(&[Role::Value]) {
                let message = format!("the test parameter `{name}` is never read");
                self.problems.push(Problem::new(Code::UnusedTestParam, *id, message));
            } else if !uses.any(&[Role::Given]) {
                let message = format!("no test gives the parameter `{name}` a value");
                let help =
                    format!("it keeps the first value of its type; a test gives others with `test param ({name} in [...])`");
                self.problems.push(Problem::new(Code::UnsetTestParam, *id, message).with_help(help));
            }
        }
    }
}
