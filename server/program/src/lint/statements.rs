//! Statements that are never run, do nothing, or do something else than they seem to.

use lockstep_syntax::p::ast::{
    Decl as AstDecl, EventKind, Expr, ExprId, HandlerKind, MachineKind, NameId, StateItemKind, Stmt, StmtId,
};
use rustc_hash::FxHashMap;

use super::BodyLint;
use super::flow::{Fate, vain_raises};
use super::mentions::{Role, body_mentions};
use super::owner::{Owner, events};
use super::tree::{assigned_root, handlers, is_fleeting, is_same_expr, strip};
use crate::declaration::codes;
use crate::effects::{FunctionKey, function_summary};
use crate::problem::{Code, Problem, Where};
use crate::resolve::{Signature, function_signature, machine_info};
use crate::scope::{Space, lookup};
use crate::stack;
use crate::ty::Ty;

impl BodyLint<'_, '_> {
    pub(super) fn statements(&mut self) {
        self.unreachable();
        self.idle_for_nothing();
        let body = self.body;
        for (id, stmt) in body.nodes.stmts.iter() {
            match stmt {
                Stmt::Assert { condition, .. } => self.constant_condition(id, *condition, true),
                Stmt::Assume { .. } => self.verifier_only(id),
                Stmt::If { condition, then, otherwise } => {
                    if let Expr::Bool(value) = body.nodes[strip(&body.nodes, *condition)] {
                        self.constant_condition(id, *condition, value);
                    }
                    self.empty_statement(*then, "if");
                    otherwise.iter().for_each(|otherwise| self.empty_statement(*otherwise, "else"));
                }
                Stmt::While { condition, body } => {
                    self.constant_condition(id, *condition, false);
                    self.empty_statement(*body, "while");
                }
                Stmt::Foreach { body, .. } => self.empty_statement(*body, "foreach"),
                Stmt::Assign { target, value } => {
                    let nodes = &body.nodes;
                    if is_same_expr(nodes, *target, *value) && !is_fleeting(nodes, *target) {
                        self.report(Code::SelfAssignment, id, "this assigns a variable to itself");
                    }
                    self.changed_payload(id, *target);
                }
                Stmt::Insert { target, .. } | Stmt::Remove { target, .. } => self.changed_payload(id, *target),
                Stmt::Call { function, .. } => self.useless_call(id, *function),
                Stmt::Raise { event, payload } => {
                    self.several_payloads(payload);
                    self.raise(id, *event);
                }
                Stmt::Send { event, payload, .. } => {
                    self.several_payloads(payload);
                    self.not_declared(*event);
                }
                Stmt::Announce { event, payload } => {
                    self.several_payloads(payload);
                    if body.nodes[strip(&body.nodes, *event)] == Expr::Halt && self.is_for_checking() {
                        self.report(Code::AnnouncedHalt, *event, "`halt` cannot be announced: a run that comes here fails");
                    }
                }
                Stmt::Goto { target, payload } if !payload.is_empty() => self.goto(*target),
                Stmt::Receive { .. } => self.receive(stmt),
                _ => {}
            }
        }
    }

    /// Conditions that are written out. `assert false` and `while (true)` are what they seem.
    fn constant_condition(&mut self, stmt: StmtId, condition: ExprId, doubtful: bool) {
        let value = self.body.nodes[strip(&self.body.nodes, condition)].clone();
        if value == Expr::Bool(doubtful) {
            let message = match self.body.nodes[stmt] {
                Stmt::Assert { .. } => "this assertion always holds",
                Stmt::While { .. } => "this loop is never run",
                _ if doubtful => "this condition always holds",
                _ => "this condition never holds",
            };
            self.report(Code::ConstantCondition, condition, message);
        }
    }

    fn verifier_only(&mut self, stmt: StmtId) {
        if self.is_for_checking() {
            let problem = Problem::new(Code::VerifierOnly, stmt, "`assume` is for the verifier: P's compiler crashes on it");
            self.push(problem.with_help("write `assert`, or leave what is assumed to the test"));
        }
    }

    fn empty_statement(&mut self, body: StmtId, word: &str) {
        if self.body.nodes[body] == Stmt::Empty {
            let message = format!("this `;` is all there is to the `{word}`");
            let problem = Problem::new(Code::EmptyStatement, body, message);
            let problem = problem.with_help("remove it if a block follows; write `{ }` if nothing is to be done");
            self.push(problem.with_fix("write an empty block", body, Where::Instead, "{ }"));
        }
    }

    /// A spec shares what an event carries with the machine that gets it.
    fn changed_payload(&mut self, stmt: StmtId, target: ExprId) {
        let is_spec = matches!(&self.item.decl, AstDecl::Machine(machine) if machine.kind != MachineKind::Machine);
        if !is_spec {
            return;
        }
        let Some(Owner::Handler { param: [param], kind }) = self.owner else { return };
        let nodes = &self.body.nodes;
        let root = assigned_root(nodes, target);
        let is_whole = root == target && matches!(nodes[stmt], Stmt::Assign { .. });
        let is_event = matches!(kind, StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. });
        if let Expr::Name(name) = &nodes[root]
            && nodes[*name].0 == self.item.nodes[param.name].0
            && is_event
            && !is_whole
        {
            let message = format!("the machine that gets the event sees this change of `{}`", nodes[*name].as_str());
            let problem = Problem::new(Code::SpecChangesPayload, target, message);
            self.push(problem.with_help("a spec should not change what it watches: copy it into a variable first"));
        }
    }

    /// A call whose result is thrown away, of a function that does nothing but give one.
    fn useless_call(&mut self, stmt: StmtId, function: NameId) {
        let name = self.name(function);
        let own = match &self.item.decl {
            AstDecl::Machine(_) => machine_info(self.db, self.decl).function(name),
            _ => None,
        };
        let (key, signature): (_, &Signature) = match own {
            Some(signature) => (FunctionKey::new(self.db, self.decl, Some(name.into())), signature),
            None => match lookup(self.db, self.project, Space::Function, name) {
                Some(def) => (FunctionKey::new(self.db, def.decl, None), function_signature(self.db, def.decl)),
                None => return,
            },
        };
        let gives_result = signature.result != Ty::Null && signature.result != Ty::Error;
        if signature.has_body && gives_result && function_summary(self.db, key).effects.are_none() {
            let message = format!("the result of `{name}` is not used, and `{name}` does nothing else");
            self.report(Code::UselessCall, stmt, message);
        }
    }

    fn several_payloads(&mut self, payload: &[ExprId]) {
        if let (true, [first, second, ..]) = (self.is_for_checking(), payload) {
            let message = "only the first value is sent: P drops the others";
            let problem = Problem::new(Code::SeveralPayloads, *second, message).with_help("put them into a tuple: `(a, b)`");
            let last = payload.last().copied().unwrap_or(*second);
            let mut problem = problem.with_fix("put them into a tuple", *first, Where::Before, "(");
            if let Some(fix) = &mut problem.fix {
                let place = crate::problem::Place { body: None, node: last.into() };
                fix.changes.push(crate::problem::Change { place, at: Where::After, text: ")".to_owned() });
            }
            self.push(problem);
        }
    }

    /// Whether this expression is the name of an event, and not of a variable.
    fn event_name(&self, event: ExprId, role: Role) -> Option<&str> {
        let Expr::Name(name) = &self.body.nodes[strip(&self.body.nodes, event)] else { return None };
        let name = self.name(*name);
        let code = codes(self.db, self.decl).get(self.id.0 as usize)?;
        let is_event = body_mentions(self.db, *code).contains(role, name)
            && lookup(self.db, self.project, Space::Event, name).is_some_and(|def| def.part.is_none());
        is_event.then_some(name)
    }

    fn raise(&mut self, stmt: StmtId, event: ExprId) {
        if is_fleeting(&self.body.nodes, event) && self.is_for_checking() {
            let problem = Problem::new(Code::RaiseRunsTwice, event, "P runs the expression after `raise` twice");
            self.push(problem.with_help("put its value into a variable first"));
        }
        let Some(name) = self.event_name(event, Role::Raised) else { return };
        let raises = vain_raises(self.db, self.decl);
        let Some((_, _, fate)) = raises.iter().find(|(body, raised, _)| *body == self.id.0 && raised == name) else { return };
        let (code, message, help) = match fate {
            Fate::Unhandled => (
                Code::RaiseUnhandled,
                format!("no state in which this runs handles `{name}`: a run that comes here fails"),
                "what is raised is handled next, in the same state",
            ),
            Fate::Lost => (
                Code::RaiseLost,
                format!("`{name}` is lost: every state in which this runs defers or ignores it"),
                "what is raised is handled next and cannot be deferred: `send this, ...` puts an event into the queue",
            ),
        };
        self.push(Problem::new(code, stmt, message).with_help(help));
    }

    /// A machine that says what it sends fails when it sends something else.
    fn not_declared(&mut self, event: ExprId) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        let Some(sends) = &machine.sends else { return };
        let name = match &self.body.nodes[strip(&self.body.nodes, event)] {
            Expr::Halt => "halt",
            _ => match self.event_name(event, Role::Sent).or_else(|| self.event_name(event, Role::SentToSelf)) {
                Some(name) => name,
                None => return,
            },
        };
        if self.is_for_checking() && !sends.iter().any(|sent| self.item.nodes[sent.name].as_str() == name) {
            let message = format!("`{name}` is not among the events this machine sends: a run that comes here fails");
            let problem = Problem::new(Code::SendNotDeclared, event, message);
            self.push(problem.with_help(format!("add `{name}` to the `sends` of the machine")));
        }
    }

    /// A value for a state whose entry is a named function gets lost.
    fn goto(&mut self, target: NameId) {
        let AstDecl::Machine(machine) = &self.item.decl else { return };
        let name = self.name(target);
        let Some(state) = machine.states.iter().find(|state| self.item.nodes[state.name].as_str() == name) else { return };
        let entry = state.items.iter().find(|item| matches!(item.kind, StateItemKind::Entry(_)));
        let handler = entry.and_then(|entry| handlers(&entry.kind).next());
        if let Some(HandlerKind::Named(function)) = handler.map(|handler| handler.kind)
            && self.is_for_checking()
        {
            let function = self.item.nodes[function].as_str();
            let problem = Problem::new(Code::GotoNamedEntry, target, format!("P loses the value on the way to `{function}`"));
            let help =
                format!("values reach entries that are written in place only: `entry (value: ...) {{ {function}(value); }}`");
            self.push(problem.with_help(help));
        }
    }

    fn receive(&mut self, stmt: &Stmt) {
        let Stmt::Receive { cases } = stmt else { return };
        for event in cases.iter().flat_map(|case| &case.events) {
            match event.kind {
                EventKind::Null => {
                    let message = "this case is never taken: `receive` waits until an event comes";
                    self.report(Code::NullCase, event.name, message);
                }
                EventKind::Halt if self.is_for_checking() => {
                    let message = "the C# that P generates for a case of `halt` does not compile";
                    self.report(Code::HaltCase, event.name, message);
                }
                _ => {}
            }
        }
    }

    /// `on null do { }`: a machine with nothing to do does nothing, again and again.
    fn idle_for_nothing(&mut self) {
        let nodes = &self.body.nodes;
        let is_empty = self.body.block.stmts.iter().all(|stmt| nodes[*stmt] == Stmt::Empty);
        let Some(Owner::Handler { kind: kind @ StateItemKind::OnDo { .. }, .. }) = self.owner else {
            return;
        };
        if let (true, Some(null)) = (is_empty, events(kind).iter().find(|event| event.kind == EventKind::Null)) {
            let problem =
                Problem::new(Code::IdleForNothing, null.name, "this does nothing, again and again while no event is there");
            self.problems.push(problem.with_help("without it the machine waits, and a run can come to its end"));
        }
    }

    /// Reports the first statement that nothing leads to, in each list of statements.
    fn unreachable(&mut self) {
        let body = self.body;
        let mut ends = Ends { nodes: &body.nodes, known: FxHashMap::default() };
        let mut lists: Vec<&[StmtId]> = vec![&body.block.stmts];
        for (_, stmt) in body.nodes.stmts.iter() {
            match stmt {
                Stmt::Compound(stmts) => lists.push(stmts),
                Stmt::Receive { cases } => lists.extend(cases.iter().map(|case| case.block.stmts.as_slice())),
                _ => {}
            }
        }
        for list in lists {
            let Some(end) = list.iter().position(|stmt| ends.ends(*stmt)) else { continue };
            let after = list[end + 1..].iter().find(|stmt| body.nodes[**stmt] != Stmt::Empty);
            if let Some(stmt) = after {
                self.report(Code::UnreachableCode, *stmt, "this is never run");
            }
        }
    }
}

/// Which statements never let the next one run.
struct Ends<'a> {
    nodes: &'a lockstep_syntax::p::ast::Nodes,
    known: FxHashMap<StmtId, bool>,
}

impl Ends<'_> {
    fn ends(&mut self, stmt: StmtId) -> bool {
        if let Some(known) = self.known.get(&stmt) {
            return *known;
        }
        let ends = stack::level(|| match &self.nodes[stmt] {
            Stmt::Return { .. } | Stmt::Goto { .. } | Stmt::Raise { .. } | Stmt::Break | Stmt::Continue => true,
            Stmt::Compound(stmts) => stmts.iter().any(|stmt| self.ends(*stmt)),
            Stmt::If { then, otherwise: Some(otherwise), .. } => self.ends(*then) && self.ends(*otherwise),
            // `assert false` ends the run as well, but a `return` after it is how P asks to write it.
            _ => false,
        });
        self.known.insert(stmt, ends);
        ends
    }
}
