//! Local variables and parameters: unused, unread, hiding others, holding `halt`.
//!
//! Names that begin with `_` say themselves that they are not used.

use lockstep_syntax::p::ast::{Block, Decl as AstDecl, Expr, ExprId, NameId, ReceiveCase, StateItemKind, Stmt, StmtId, Var};
use smol_str::SmolStr;

use super::BodyLint;
use super::mentions::{Role, decl_mentions};
use super::owner::{Owner, events};
use super::tree::{assigned_root, expressions, handlers, parts, statements, strip};
use super::unknown::{may_mean, unknown_in_body};
use crate::declaration::codes;
use crate::problem::{Code, Problem, Where};

/// A variable or parameter of the body.
struct Local {
    name: SmolStr,
    at: Declared,
    is_read: bool,
    is_assigned: bool,
    /// Whether it is assigned something else than `halt`.
    may_be_no_halt: bool,
    /// Where it is sent or raised.
    emitted: Option<ExprId>,
}

#[derive(Clone, Copy)]
enum Declared {
    /// By `var`, alone there or with others.
    Var { name: NameId, alone: Option<lockstep_syntax::p::ast::PartId> },
    /// As a parameter of the function or handler; a node of the declaration.
    Param(NameId),
    /// As what a receive case takes. It has to take what the event carries.
    Case(NameId),
}

/// What is still to be looked at: an explicit stack, because code can be nested deeply.
enum Task<'a> {
    Stmt(StmtId),
    Enter(&'a ReceiveCase),
    Leave,
}

impl BodyLint<'_, '_> {
    pub(super) fn variables(&mut self) {
        let mut walk = Walk { lint: self, locals: Vec::new(), visible: Vec::new(), scopes: Vec::new() };
        walk.params();
        walk.vars(&walk.lint.body.block.vars);
        walk.hidden_fields();
        walk.block(&walk.lint.body.block);
        let locals = walk.locals;
        let code = codes(self.db, self.decl).get(self.id.0 as usize);
        let unknown = code.map_or(&[][..], |code| unknown_in_body(self.db, *code));
        for local in locals.iter().filter(|local| !local.name.starts_with('_') && !local.name.is_empty()) {
            if !may_mean(unknown, &local.name) {
                self.local(local);
            }
        }
    }

    fn local(&mut self, local: &Local) {
        let Local { name, .. } = local;
        match local.at {
            Declared::Var { name: at, alone } if !local.is_read && !local.is_assigned => {
                let mut problem = Problem::new(Code::UnusedVariable, at, format!("the variable `{name}` is never used"));
                if let Some(part) = alone {
                    problem = problem.with_fix("remove the variable", part, Where::Instead, "");
                }
                self.push(problem);
            }
            Declared::Var { name: at, .. } if !local.is_read => {
                self.report(Code::UnreadVariable, at, format!("the variable `{name}` is assigned, but never read"));
            }
            Declared::Param(at) if !local.is_read && !local.is_assigned && self.may_drop_params() => {
                let problem = Problem::new(Code::UnusedParameter, at, format!("the parameter `{name}` is never used"));
                self.problems.push(problem.with_help(format!("if it must be there, call it `_{name}`")));
            }
            Declared::Var { .. } if local.is_assigned && !local.may_be_no_halt && self.is_for_checking() => {
                if let Some(at) = local.emitted {
                    let problem = Problem::new(
                        Code::HaltInVariable,
                        at,
                        "`halt` cannot be sent from a variable: a run that comes here fails",
                    );
                    self.push(problem.with_help("write `halt` itself"));
                }
            }
            _ => {}
        }
    }

    /// Whether the parameters of the body could be left out. Not where the code is only sketched, and not where a function must be
    /// as it is because it handles several events.
    fn may_drop_params(&self) -> bool {
        if self.body.block.stmts.is_empty() {
            return false;
        }
        match self.owner {
            Some(Owner::Function(function)) => {
                let name = self.item.nodes[function.name].as_str();
                let AstDecl::Machine(machine) = &self.item.decl else { return true };
                if !decl_mentions(self.db, self.decl).contains(Role::Handler, name) {
                    return true;
                }
                let items = machine.states.iter().flat_map(|state| &state.items);
                let is_handler = |kind: &StateItemKind| {
                    handlers(kind).any(|handler| match handler.kind {
                        lockstep_syntax::p::ast::HandlerKind::Named(id) => self.item.nodes[id].as_str() == name,
                        _ => false,
                    })
                };
                let handled = items.filter(|item| is_handler(&item.kind)).map(|item| events(&item.kind).len().max(1));
                handled.sum::<usize>() < 2
            }
            // What the entry takes is what `new` and `goto` give: leaving it out is a change of all of them.
            // Whether the verifier takes handlers without it is not known.
            Some(Owner::Handler { kind, .. }) => !matches!(kind, StateItemKind::Entry(_)) && self.is_for_checking(),
            None => false,
        }
    }
}

struct Walk<'l, 'a, 'db> {
    lint: &'l mut BodyLint<'a, 'db>,
    locals: Vec<Local>,
    /// Indices of the locals that are visible, innermost last.
    visible: Vec<usize>,
    /// How many were visible outside of each case around.
    scopes: Vec<usize>,
}

impl<'a> Walk<'_, 'a, '_> {
    fn declare(&mut self, name: SmolStr, at: Declared) {
        self.visible.push(self.locals.len());
        self.locals.push(Local { name, at, is_read: false, is_assigned: false, may_be_no_halt: false, emitted: None });
    }

    fn params(&mut self) {
        let item = self.lint.item;
        let params = self.lint.owner.map_or(&[][..], |owner| owner.params());
        for param in params {
            self.declare(item.nodes[param.name].0.clone(), Declared::Param(param.name));
        }
    }

    fn vars(&mut self, vars: &[Var]) {
        for var in vars {
            for name in &var.names {
                let alone = (var.names.len() == 1).then_some(var.part);
                self.declare(self.lint.body.nodes[*name].0.clone(), Declared::Var { name: *name, alone });
            }
        }
    }

    /// Reports what of the body's own variables hides a variable of the machine.
    fn hidden_fields(&mut self) {
        let item = self.lint.item;
        let AstDecl::Machine(machine) = &item.decl else { return };
        for local in &self.locals {
            let mut fields = machine.vars.iter().flat_map(|var| &var.names);
            let Some(field) = fields.find(|field| item.nodes[**field].0 == local.name && !local.name.is_empty()) else {
                continue;
            };
            let message = format!("this hides the variable `{}` of the machine", local.name);
            let problem =
                |at: NameId| {
                    Problem::new(Code::HidesVariable, at, message.clone())
                        .with_help("give one of them another name")
                        .with_related(self.lint.decl, *field, "the variable of the machine")
                };
            match local.at {
                Declared::Param(at) => self.lint.problems.push(problem(at)),
                Declared::Var { name: at, .. } | Declared::Case(at) => {
                    self.lint.problems.push(problem(at).in_body(self.lint.id.0));
                }
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        let nodes = &self.lint.body.nodes;
        let mut open: Vec<Task<'a>> = block.stmts.iter().rev().map(|stmt| Task::Stmt(*stmt)).collect();
        while let Some(task) = open.pop() {
            match task {
                Task::Stmt(id) => {
                    let stmt = &nodes[id];
                    self.stmt(stmt);
                    open.extend(statements(stmt).into_iter().rev().map(Task::Stmt));
                    if let Stmt::Receive { cases } = stmt {
                        for case in cases {
                            open.push(Task::Leave);
                            open.extend(case.block.stmts.iter().rev().map(|stmt| Task::Stmt(*stmt)));
                            open.push(Task::Enter(case));
                        }
                    }
                }
                Task::Enter(case) => self.enter(case),
                Task::Leave => {
                    let outside = self.scopes.pop().unwrap_or(0);
                    self.visible.truncate(outside);
                }
            }
        }
    }

    fn enter(&mut self, case: &ReceiveCase) {
        let nodes = &self.lint.body.nodes;
        let outside = self.visible.len();
        self.scopes.push(outside);
        if let Some(param) = &case.param {
            self.declare(nodes[param.name].0.clone(), Declared::Case(param.name));
        }
        self.vars(&case.block.vars);
        for new in outside..self.visible.len() {
            let local = &self.locals[self.visible[new]];
            let hidden = self.visible[..outside].iter().any(|other| self.locals[*other].name == local.name);
            let (Declared::Var { name: at, .. } | Declared::Case(at) | Declared::Param(at)) = local.at;
            if hidden && !local.name.is_empty() {
                let message = format!("this hides the variable `{}` outside of the case", local.name);
                let problem = Problem::new(Code::HidesVariable, at, message).with_help("give one of them another name");
                self.lint.push(problem);
            }
        }
    }

    fn find(&mut self, name: NameId) -> Option<&mut Local> {
        let name = &self.lint.body.nodes[name].0;
        let index = self.visible.iter().rev().find(|index| self.locals[**index].name == *name)?;
        self.locals.get_mut(*index)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let nodes = &self.lint.body.nodes;
        let mut read = expressions(stmt);
        match stmt {
            Stmt::Assign { target, .. } | Stmt::Insert { target, .. } | Stmt::Remove { target, .. } => {
                self.assigned(stmt, *target);
                // Only what is inside brackets is read.
                read.remove(0);
                let mut place = *target;
                while let Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } = &nodes[place] {
                    if let Expr::Index { index, .. } = &nodes[place] {
                        read.push(*index);
                    }
                    place = *value;
                }
            }
            // The variable has to be there even if the loop makes no use of it.
            Stmt::Foreach { variable, .. } => {
                if let Some(local) = self.find(*variable) {
                    (local.is_read, local.is_assigned, local.may_be_no_halt) = (true, true, true);
                }
            }
            Stmt::Send { event, .. } | Stmt::Raise { event, .. } => {
                let event = strip(nodes, *event);
                if let Expr::Name(name) = &nodes[event]
                    && let Some(local) = self.find(*name)
                {
                    local.emitted = Some(event);
                }
            }
            _ => {}
        }
        while let Some(id) = read.pop() {
            if let Expr::Name(name) = &nodes[id]
                && let Some(local) = self.find(*name)
            {
                local.is_read = true;
            }
            read.extend(parts(&nodes[id]));
        }
    }

    fn assigned(&mut self, stmt: &Stmt, target: ExprId) {
        let nodes = &self.lint.body.nodes;
        let root = assigned_root(nodes, target);
        let is_halt = matches!(stmt, Stmt::Assign { value, .. } if nodes[strip(nodes, *value)] == Expr::Halt) && root == target;
        if let Expr::Name(name) = &nodes[root]
            && let Some(local) = self.find(*name)
        {
            local.is_assigned = true;
            local.may_be_no_halt |= !is_halt;
        }
    }
}
