//! Declarations of the proof language, and contracts of foreign functions.
//!
//! Their expressions are checked by the checker of bodies. In a project that is not for the verifier the opening word of each is
//! reported and nothing else.

mod circle;
#[cfg(test)]
mod tests;

use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, Function, FunctionCode, Goals, GroupKind, Invariant, ProveCommand};
use smol_str::SmolStr;

pub(crate) use self::circle::closed_circle;
use super::Check;
use crate::body::proof::proof_word;
use crate::body::{Checker, NamedByType};
use crate::db::Db;
use crate::declaration::{Decl, DeclKind};
use crate::field::FieldUse;
use crate::problem::{Code, Problem, Unit, Where, WordAt};
use crate::refused::{is_refused, refused};
use crate::resolve::{MachineInfo, Types, function_signature, machine_info, signature};
use crate::scope::{Space, lookup};
use crate::ty::Ty;

/// The word that opens a declaration of the proof language.
pub(super) fn opening_word(decl: &AstDecl) -> Option<&'static str> {
    Some(match decl {
        AstDecl::Pure { .. } => "pure",
        AstDecl::Invariant(_) => "invariant",
        AstDecl::InvariantGroup { kind: GroupKind::Lemma, .. } => "Lemma",
        AstDecl::InvariantGroup { kind: GroupKind::Theorem, .. } => "Theorem",
        AstDecl::Axiom { .. } => "axiom",
        AstDecl::InitCondition { .. } => "init-condition",
        AstDecl::Proof { .. } => "Proof",
        _ => return None,
    })
}

/// What names in a declaration's own expressions mean, where only types say so.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct ByType<'db> {
    pub(crate) named: Vec<NamedByType<'db>>,
    pub(crate) fields: Vec<FieldUse>,
}

/// The names in a declaration's own expressions that only types give a meaning.
#[salsa::tracked]
pub(crate) fn named_by_type<'db>(db: &'db dyn Db, decl: Decl<'db>) -> ByType<'db> {
    let item = &decl.shape(db).0;
    let mut check = Check::new(db, decl, item);
    let depends_on_types = |expr: &Expr| matches!(expr, Expr::Field { .. } | Expr::Is { .. } | Expr::NamedTuple(_));
    if !check.is_verifying() || !item.nodes.exprs.iter().any(|(_, expr)| depends_on_types(expr)) {
        return ByType::default();
    }
    match &item.decl {
        AstDecl::Machine(machine) => {
            let info = machine_info(db, decl);
            machine.functions.iter().for_each(|function| check.contract(function, Some(info)));
        }
        AstDecl::Function(function) => check.contract(function, None),
        declaration => check.proof_declaration(declaration),
    }
    check.by_type
}

impl<'db> Check<'_, 'db> {
    /// A declaration of the proof language. Only in projects for the verifier.
    pub(super) fn proof_declaration(&mut self, decl: &AstDecl) {
        match decl {
            AstDecl::Pure { params, result, body, .. } => {
                self.params(params);
                self.types.ty(*result);
                if let Some(body) = body {
                    let signature = function_signature(self.db, self.decl);
                    self.claim(*body, &signature.result, "the value of this function", signature.params.clone(), None);
                }
            }
            AstDecl::Invariant(invariant) => self.invariant(invariant),
            AstDecl::InvariantGroup { invariants, .. } => invariants.iter().for_each(|invariant| self.invariant(invariant)),
            AstDecl::Axiom { body } => self.claim(*body, &Ty::Bool, "an axiom", vec![], None),
            AstDecl::InitCondition { body } => self.claim(*body, &Ty::Bool, "an initial condition", vec![], None),
            AstDecl::Proof { commands, .. } => self.proof(commands),
            _ => {}
        }
    }

    fn invariant(&mut self, invariant: &Invariant) {
        self.claim(invariant.body, &Ty::Bool, "an invariant", vec![], None);
    }

    /// What a foreign function requires and ensures.
    pub(super) fn contract(&mut self, function: &Function, machine: Option<&MachineInfo>) {
        let FunctionCode::Foreign { result, requires, ensures, .. } = &function.code else { return };
        if !self.is_verifying() {
            let first = requires.first().map(|first| ("requires", *first));
            let first = first.or_else(|| ensures.first().map(|first| ("ensures", *first)));
            self.types.problems.extend(first.map(|(word, first)| proof_word(word, WordAt::BeforeExpr(first))));
            return;
        }
        // Types of parameters are reported where the function is checked.
        let mut quiet = Types::new(self.db, self.project, &self.item.nodes);
        let mut variables = signature(&mut quiet, function).params;
        variables.extend(quiet.params(result.as_slice()));
        for (clauses, what) in [(requires, "what a function requires"), (ensures, "what a function ensures")] {
            for clause in clauses {
                self.claim(*clause, &Ty::Bool, what, variables.clone(), machine);
            }
        }
    }

    /// Checks an expression of the declaration itself, which must be of exactly this type.
    fn claim(&mut self, id: ExprId, expected: &Ty, what: &str, variables: Vec<(SmolStr, Ty)>, machine: Option<&MachineInfo>) {
        let mut checker = Checker::new(self.db, Unit::of(self.decl), &self.item.nodes, machine, variables);
        let ty = checker.expr(id);
        let alias = if is_refused(expected, &ty) { checker.alias_of(id) } else { None };
        self.types.problems.append(&mut checker.problems);
        self.by_type.named.append(&mut checker.named_by_type);
        self.by_type.fields.append(&mut checker.fields);
        if let Some(alias) = alias.filter(|_| expected.is_same(&ty)) {
            self.types.problems.push(refused(self.db, id, alias, &ty));
        } else if !expected.is_same(&ty) {
            self.report(Code::ProofType, id, format!("{what} is of type `{expected}`, and this is of type `{ty}`"));
        }
    }

    fn proof(&mut self, commands: &[ProveCommand]) {
        for command in commands {
            for goals in [&command.goals, &command.premises] {
                if let Goals::Listed(listed) = goals {
                    listed.iter().for_each(|goal| self.goal(*goal));
                }
            }
            command.except.iter().for_each(|goal| self.goal(*goal));
        }
        if let Some(circle) = closed_circle(self.db, self.decl)
            && let Some(command) = commands.get(circle.command as usize)
        {
            let mut problem = Problem::new(Code::CircularProof, command.part, circle.message())
                .with_help("prove one of them without the others, or all of them together in one `prove`");
            for step in circle.others() {
                problem = problem.with_related(step.decl, step.part, step.message());
            }
            self.types.problems.push(problem);
        }
    }

    /// Something to prove or to use: an invariant, a lemma, or an expression that holds or not.
    fn goal(&mut self, id: ExprId) {
        if let Expr::Name(name) = self.item.nodes[id] {
            let name = self.name(name);
            if !name.is_empty() && !self.is_known(&name) {
                return self.unknown_goal(id, &name);
            }
        }
        self.claim(id, &Ty::Bool, "what is proved or used", vec![], None);
    }

    /// Whether a name means anything in an expression.
    fn is_known(&self, name: &str) -> bool {
        let spaces = [Space::Invariant, Space::InvariantGroup, Space::Param, Space::Event];
        let spec = lookup(self.db, self.project, Space::Type, name)
            .filter(|def| matches!(def.decl.kind(self.db), DeclKind::Spec | DeclKind::Scenario));
        spec.is_some() || spaces.into_iter().any(|space| lookup(self.db, self.project, space, name).is_some())
    }

    fn unknown_goal(&mut self, id: ExprId, name: &str) {
        let message = format!("there is no invariant or lemma `{name}`");
        let problem = Problem::new(Code::UnknownGoal, id, message);
        let problem = match lookup(self.db, self.project, Space::GroupMember, name) {
            Some(def) => {
                let full = format!("{}_{name}", def.decl.name(self.db));
                problem.with_help(format!("outside of its lemma the invariant is called `{full}`")).with_fix(
                    format!("replace it by `{full}`"),
                    id,
                    Where::Instead,
                    full,
                )
            }
            None => problem.with_similar(name, &[Space::Invariant, Space::InvariantGroup], vec![]),
        };
        self.types.problems.push(problem);
    }
}
