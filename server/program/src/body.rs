//! The check of one body: the types of its expressions and everything that is wrong with its statements.
//!
//! Depends on the body's own code, on the signatures of its machine, and on the names it mentions; on no other body.

mod expr;
mod stmt;

use lockstep_syntax::p::ast::{
    self, BodyId, Decl as AstDecl, ExprId, FunctionCode, HandlerKind, MachineKind, Nodes, StateItemKind, TypedName,
};
use smol_str::SmolStr;

use crate::db::{Db, Project, Purpose};
use crate::declaration::{Code, Decl};
use crate::problem::{Code as ProblemCode, Node, Problem};
use crate::resolve::{MachineInfo, Signature, Types, machine_info, signature};
use crate::scope::{Def, Space, lookup};
use crate::ty::Ty;

/// What checking a body gives.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct BodyCheck<'db> {
    pub problems: Vec<Problem<'db>>,
    pub facts: Facts<'db>,
}

/// What a body does, as far as others must know.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Facts<'db> {
    pub sends: bool,
    pub receives: bool,
    pub raises: bool,
    pub changes_state: bool,
    pub is_nondeterministic: bool,
    /// Asserts, prints, or assigns variables of its machine.
    pub acts: bool,
    /// Interfaces it creates, by name.
    pub creates: Vec<SmolStr>,
    /// Global functions it calls.
    pub calls: Vec<Decl<'db>>,
    /// Functions of its own machine it calls, by name.
    pub own_calls: Vec<SmolStr>,
}

#[salsa::tracked]
pub fn check_body<'db>(db: &'db dyn Db, code: Code<'db>) -> BodyCheck<'db> {
    let decl = code.decl(db);
    let shape = decl.shape(db);
    let body = &code.shape(db).0;
    let project = decl.file(db).project(db);
    let machine = matches!(shape.0.decl, AstDecl::Machine(_)).then(|| machine_info(db, decl));
    let mut types = Types::new(db, project, &shape.0.nodes);
    let owner = owner(&mut types, &shape.0.decl, BodyId(code.nth(db)));
    let mut checker = Checker {
        db,
        project,
        nodes: &body.nodes,
        machine,
        result: owner.result.clone(),
        scopes: vec![owner.params],
        case_depth: 0,
        loop_depth: 0,
        loops_around_case: 0,
        tuple_depth: 0,
        problems: Vec::new(),
        facts: Facts::default(),
    };
    checker.block(&body.block);
    if owner.result != Ty::Null && owner.result != Ty::Error && !checker.surely_returns(&body.block.stmts) {
        let message = format!("not every path through this function returns a value of type `{}`", owner.result);
        checker.report(ProblemCode::MissingReturn, Node::Whole, message);
    }
    let nth = code.nth(db);
    let problems = checker.problems.into_iter().map(|problem| problem.in_body(nth)).collect();
    BodyCheck { problems, facts: checker.facts }
}

/// What a body does, apart from what is wrong with it: most edits leave this as it was.
#[salsa::tracked]
pub fn body_facts<'db>(db: &'db dyn Db, code: Code<'db>) -> Facts<'db> {
    check_body(db, code).facts.clone()
}

/// What a body belongs to: its parameters and the type it must return.
struct Owner {
    params: Vec<(SmolStr, Ty)>,
    result: Ty,
}

fn owner(types: &mut Types<'_, '_>, decl: &AstDecl, body: BodyId) -> Owner {
    let functions: &[ast::Function] = match decl {
        AstDecl::Function(function) => std::slice::from_ref(function),
        AstDecl::Machine(machine) => &machine.functions,
        _ => &[],
    };
    if let Some(function) = functions.iter().find(|function| matches!(function.code, FunctionCode::Body(id) if id == body)) {
        let Signature { params, result, .. } = signature(types, function);
        return Owner { params, result };
    }
    let param = match decl {
        AstDecl::Machine(machine) => machine.states.iter().flat_map(|state| &state.items).find_map(|item| {
            let handler = match &item.kind {
                StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => handler,
                StateItemKind::OnGoto { with: Some(handler), .. } => handler,
                _ => return None,
            };
            match handler.kind {
                HandlerKind::Inline { param, body: id } if id == body => Some(param),
                _ => None,
            }
        }),
        _ => None,
    };
    Owner { params: types.params(param.flatten().as_slice()), result: Ty::Null }
}

struct Checker<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    nodes: &'a Nodes,
    machine: Option<&'a MachineInfo>,
    result: Ty,
    /// Innermost last: the function's parameters and variables, then those of the receive cases around the statement.
    scopes: Vec<Vec<(SmolStr, Ty)>>,
    case_depth: u32,
    loop_depth: u32,
    /// Loops around the receive cases around the statement.
    loops_around_case: u32,
    /// How many tuples the expression stands in.
    tuple_depth: u32,
    problems: Vec<Problem<'db>>,
    facts: Facts<'db>,
}

impl<'db> Checker<'_, 'db> {
    fn report(&mut self, code: ProblemCode, node: impl Into<Node>, message: impl Into<String>) {
        self.problems.push(Problem::new(code, node, message));
    }

    /// Reports what breaks in the code that P generates. The verifier generates other code.
    fn warn(&mut self, problem: Problem<'db>) {
        if self.project.purpose(self.db) == Purpose::Checking {
            self.problems.push(problem);
        }
    }

    fn name(&self, id: ast::NameId) -> SmolStr {
        self.nodes[id].0.clone()
    }

    /// Whether the body belongs to a spec or scenario.
    fn is_spec(&self) -> bool {
        self.machine.is_some_and(|machine| machine.kind != MachineKind::Machine)
    }

    fn types(&mut self, params: &[TypedName]) -> Vec<(SmolStr, Ty)> {
        let mut types = Types::new(self.db, self.project, self.nodes);
        let params = types.params(params);
        self.problems.append(&mut types.problems);
        params
    }

    fn ty(&mut self, id: ast::TypeId) -> Ty {
        let mut types = Types::new(self.db, self.project, self.nodes);
        let ty = types.ty(id);
        self.problems.append(&mut types.problems);
        ty
    }

    fn lookup(&self, space: Space, name: &str) -> Option<Def<'db>> {
        lookup(self.db, self.project, space, name)
    }

    /// A variable: of the function, of a receive case, of the machine.
    fn variable(&self, name: &str) -> Option<Ty> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(known, _)| known == name));
        local.map(|(_, ty)| ty.clone()).or_else(|| self.machine?.field(name).cloned())
    }

    fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|(known, _)| known == name)
    }

    /// The event a name stands for where an expression is exactly that name.
    fn literal_event(&self, expr: ExprId) -> Option<Decl<'db>> {
        match &self.nodes[expr] {
            ast::Expr::Paren(inner) => self.literal_event(*inner),
            ast::Expr::Name(name) => {
                let name = self.nodes[*name].as_str();
                if self.variable(name).is_some() {
                    return None;
                }
                self.lookup(Space::Event, name).filter(|def| def.part.is_none()).map(|def| def.decl)
            }
            _ => None,
        }
    }
}
