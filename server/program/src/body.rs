//! The check of one body: the types of its expressions and everything that is wrong with its statements.
//!
//! Depends on the body's own code, on the signatures of its machine, and on the names it mentions; on no other body.

mod advice;
mod alias;
mod expr;
mod origin;
pub(crate) mod proof;
mod stmt;
#[cfg(test)]
mod tests;

use lockstep_syntax::p::ast::{
    self, BodyId, Decl as AstDecl, EventRef, ExprId, FunctionCode, HandlerKind, MachineKind, NameId, Nodes, StateItemKind,
    StmtId, TypedName,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{Db, Project, Purpose};
use crate::declaration::{Code, Decl};
use crate::diagnostics::place_range;
use crate::field::FieldUse;
use crate::occurrence::MemberKind;
use crate::problem::{Code as ProblemCode, Node, Place, Problem, Unit};
use crate::resolve::{MachineInfo, Signature, Types, can_take, machine_info, signature};
use crate::scope::{Def, Space, lookup};
use crate::ty::Ty;

/// What checking a body gives.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct BodyCheck<'db> {
    pub problems: Vec<Problem<'db>>,
    pub facts: Facts<'db>,
    pub named_by_type: Vec<NamedByType<'db>>,
    /// The fields of tuples that its expressions name.
    pub fields: Vec<FieldUse>,
    /// The type of whom each `send` is meant for.
    pub receivers: Vec<(StmtId, Ty)>,
}

/// A name that only types give a meaning: the variable of a machine behind a dot, a state behind `is`. Only proofs have such names.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct NamedByType<'db> {
    pub name: NameId,
    pub machine: Decl<'db>,
    pub kind: MemberKind,
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
    checked(db, code, None).0
}

/// The types of the expressions of a body. They are found out by checking it again: nobody needs them but whoever changes the text,
/// and kept with every body they would cost more than they are worth.
pub fn expr_types<'db>(db: &'db dyn Db, code: Code<'db>) -> FxHashMap<ExprId, Ty> {
    checked(db, code, Some(FxHashMap::default())).1.unwrap_or_default()
}

/// What checking a body gives, and the types of its expressions if they are asked for.
fn checked<'db>(
    db: &'db dyn Db,
    code: Code<'db>,
    seen: Option<FxHashMap<ExprId, Ty>>,
) -> (BodyCheck<'db>, Option<FxHashMap<ExprId, Ty>>) {
    let decl = code.decl(db);
    let shape = decl.shape(db);
    let body = &code.shape(db).0;
    let project = decl.file(db).project(db);
    let machine = matches!(shape.0.decl, AstDecl::Machine(_)).then(|| machine_info(db, decl));
    let mut types = Types::new(db, project, &shape.0.nodes);
    let mut owner = owner(&mut types, &shape.0.decl, BodyId(code.nth(db)));
    if let [(_, param)] = &mut owner.params[..]
        && owner.events.iter().any(|event| !can_take(db, project, &shape.0.nodes, event, param))
    {
        // Reported at the handler. What is wrong with the uses of the parameter follows from it.
        *param = Ty::Error;
    }
    let unit = Unit { decl, body: Some(code.nth(db)) };
    let mut checker = Checker::new(db, unit, &body.nodes, machine, owner.params);
    for param in owner.names {
        let name = &shape.0.nodes[param.name].0;
        if checker.local_site(name).is_none() {
            checker.sites.push((name.clone(), Unit::of(decl), param));
        }
    }
    checker.result = owner.result.clone();
    checker.seen = seen;
    checker.block(&body.block);
    let mut missing_return = None;
    if owner.result != Ty::Null && owner.result != Ty::Error && !checker.surely_returns(&body.block.stmts) {
        missing_return = Some(owner.result);
    }
    let nth = code.nth(db);
    let mut problems: Vec<Problem<'db>> = checker.problems.into_iter().map(|problem| problem.in_body(nth)).collect();
    // A return statement may be what could not be read.
    if let Some(result) = missing_return.filter(|_| is_readable(db, code)) {
        let message = format!("not every path through this function returns a value of type `{result}`");
        let problem = match owner.function {
            Some(name) => Problem::new(ProblemCode::MissingReturn, name, message),
            None => Problem::new(ProblemCode::MissingReturn, Node::Whole, message).in_body(nth),
        };
        let help = "end every path with `return ...;`, or with `assert false;` where it is never reached";
        problems.push(problem.with_help(help));
    }
    let Checker { facts, named_by_type, fields, receivers, seen, .. } = checker;
    (BodyCheck { problems, facts, named_by_type, fields, receivers }, seen)
}

/// Whether the text of a body has no syntax error. It depends on positions, and is asked only where it matters.
#[salsa::tracked(returns(copy))]
fn is_readable<'db>(db: &'db dyn Db, code: Code<'db>) -> bool {
    let decl = code.decl(db);
    let errors = decl.file(db).file(db).parse(db).errors();
    let whole = Place { body: Some(code.nth(db)), node: Node::Whole };
    errors.is_empty()
        || place_range(db, decl, whole).is_none_or(|body| !errors.iter().any(|error| body.contains_range(error.range)))
}

/// What a body does, apart from what is wrong with it: most edits leave this as it was.
#[salsa::tracked]
pub fn body_facts<'db>(db: &'db dyn Db, code: Code<'db>) -> Facts<'db> {
    check_body(db, code).facts.clone()
}

/// What a body belongs to: its parameters and the type it must return.
struct Owner {
    params: Vec<(SmolStr, Ty)>,
    /// The parameters as the declaration has them.
    names: Vec<TypedName>,
    /// The function's own name.
    function: Option<NameId>,
    /// The events whose handler it is.
    events: Vec<EventRef>,
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
        let names = function.params.clone();
        return Owner { params, names, function: Some(function.name), events: Vec::new(), result };
    }
    let handler = match decl {
        AstDecl::Machine(machine) => {
            machine.states.iter().flat_map(|state| &state.items).find_map(|item| match item.handler()?.kind {
                HandlerKind::Inline { param, body: id } if id == body => Some((param, handled(item))),
                _ => None,
            })
        }
        _ => None,
    };
    let (param, events) = handler.unwrap_or_default();
    let names = param.into_iter().collect();
    Owner { params: types.params(param.as_slice()), names, function: None, events, result: Ty::Null }
}

/// The events that an item of a state handles.
fn handled(item: &ast::StateItem) -> Vec<EventRef> {
    match &item.kind {
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => events.clone(),
        _ => Vec::new(),
    }
}

/// Checks statements and expressions of one unit: of a body, or those that stand in a declaration itself.
pub(crate) struct Checker<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    /// What the nodes belong to.
    unit: Unit<'db>,
    nodes: &'a Nodes,
    machine: Option<&'a MachineInfo>,
    result: Ty,
    /// Innermost last: the function's parameters and variables, then those of the receive cases around the statement.
    scopes: Vec<Vec<(SmolStr, Ty)>>,
    /// Where those in scope are declared, innermost last; of several with one name in one scope only the first.
    sites: Vec<(SmolStr, Unit<'db>, TypedName)>,
    case_depth: u32,
    loop_depth: u32,
    /// Loops around the receive cases around the statement.
    loops_around_case: u32,
    /// How many tuples the expression stands in.
    tuple_depth: u32,
    pub(crate) problems: Vec<Problem<'db>>,
    pub(crate) named_by_type: Vec<NamedByType<'db>>,
    pub(crate) fields: Vec<FieldUse>,
    receivers: Vec<(StmtId, Ty)>,
    facts: Facts<'db>,
    /// The types of expressions, if somebody wants them.
    seen: Option<FxHashMap<ExprId, Ty>>,
}

impl<'a, 'db> Checker<'a, 'db> {
    /// A checker where only `variables` and the fields of `machine` are in scope, of code without a result.
    pub(crate) fn new(
        db: &'db dyn Db,
        unit: Unit<'db>,
        nodes: &'a Nodes,
        machine: Option<&'a MachineInfo>,
        variables: Vec<(SmolStr, Ty)>,
    ) -> Self {
        Self {
            db,
            project: unit.decl.file(db).project(db),
            unit,
            nodes,
            machine,
            result: Ty::Null,
            scopes: vec![variables],
            sites: Vec::new(),
            case_depth: 0,
            loop_depth: 0,
            loops_around_case: 0,
            tuple_depth: 0,
            problems: Vec::new(),
            named_by_type: Vec::new(),
            fields: Vec::new(),
            receivers: Vec::new(),
            facts: Facts::default(),
            seen: None,
        }
    }
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

    /// Reports a name that means nothing, with where one that was meant may be found.
    fn report_unknown(&mut self, problem: Problem<'db>, name: &str, spaces: &'static [Space], nearby: Vec<SmolStr>) {
        self.problems.push(problem.with_similar(name, spaces, nearby));
    }

    fn name(&self, id: ast::NameId) -> SmolStr {
        self.nodes[id].0.clone()
    }

    /// Whether the body belongs to a spec or scenario.
    fn is_spec(&self) -> bool {
        self.machine.is_some_and(|machine| machine.kind != MachineKind::Machine)
    }

    /// Whether the project is for the verifier, which knows more expressions.
    fn is_verifying(&self) -> bool {
        self.project.purpose(self.db) == Purpose::Verifying
    }

    fn types(&mut self, params: &[TypedName]) -> Vec<(SmolStr, Ty)> {
        let mut types = Types::reporting(self.db, self.unit, self.nodes);
        let params = types.params(params);
        self.problems.append(&mut types.problems);
        params
    }

    fn ty(&mut self, id: ast::TypeId) -> Ty {
        let mut types = Types::reporting(self.db, self.unit, self.nodes);
        let ty = types.ty(id);
        self.problems.append(&mut types.problems);
        ty
    }

    fn lookup(&self, space: Space, name: &str) -> Option<Def<'db>> {
        lookup(self.db, self.project, space, name)
    }

    /// Whether there is a function of this name that is not pure.
    fn is_function(&self, name: &str) -> bool {
        let is_own = self.machine.is_some_and(|machine| machine.function(name).is_some());
        is_own || self.lookup(Space::Function, name).is_some()
    }

    /// A variable: of the function, of a receive case, of the machine.
    fn variable(&self, name: &str) -> Option<Ty> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(known, _)| known == name));
        local.map(|(_, ty)| ty.clone()).or_else(|| self.machine?.field(name).cloned())
    }

    fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|(known, _)| known == name)
    }

    /// The names of all variables in scope, those of the machine too.
    fn variables(&self) -> Vec<SmolStr> {
        let fields = self.machine.map_or(&[][..], |machine| &machine.fields);
        self.scopes.iter().flatten().chain(fields).map(|(name, _)| name.clone()).collect()
    }

    /// The type of a test parameter.
    fn param(&self, name: &str) -> Option<Ty> {
        let decl = self.lookup(Space::Param, name)?.decl;
        let shape = decl.shape(self.db);
        match &shape.0.decl {
            AstDecl::Param { ty, .. } => Some(Types::new(self.db, self.project, &shape.0.nodes).ty(*ty)),
            _ => None,
        }
    }

    /// The expression inside of any parentheses around it.
    fn without_parens(&self, mut expr: ExprId) -> ExprId {
        while let ast::Expr::Paren(inner) = self.nodes[expr] {
            expr = inner;
        }
        expr
    }

    /// The event a name stands for where an expression is exactly that name.
    fn literal_event(&self, expr: ExprId) -> Option<Def<'db>> {
        match &self.nodes[self.without_parens(expr)] {
            ast::Expr::Name(name) => {
                let name = self.nodes[*name].as_str();
                if self.variable(name).is_some() {
                    return None;
                }
                self.lookup(Space::Event, name).filter(|def| def.part.is_none())
            }
            _ => None,
        }
    }
}
