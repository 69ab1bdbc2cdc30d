//! Statements.

use lockstep_syntax::p::ast::{Block, EventKind, EventRef, Expr, ExprId, NameId, ReceiveCase, Stmt, StmtId, TypedName};
use smol_str::SmolStr;

use super::{Checker, advice};
use crate::check::no_event;
use crate::problem::{Code, Node, Problem, WordAt, hides_param};
use crate::resolve::event_payload;
use crate::scope::{Def, Space};
use crate::ty::Ty;

impl<'db> Checker<'_, 'db> {
    pub(super) fn block(&mut self, block: &Block) {
        for var in &block.vars {
            let ty = self.ty(var.ty);
            for name in &var.names {
                self.declare(TypedName { name: *name, ty: var.ty }, ty.clone());
            }
        }
        for stmt in &block.stmts {
            self.stmt(*stmt);
        }
    }

    fn declare(&mut self, site: TypedName, ty: Ty) {
        let id = site.name;
        let name = self.name(id);
        let scope = self.scopes.last().expect("there is a function");
        if !name.is_empty() && scope.iter().any(|(known, _)| *known == name) {
            let problem = Problem::new(Code::DuplicateDeclaration, id, format!("`{name}` is declared twice"));
            self.problems.push(match self.local_site(&name) {
                Some((unit, first)) => problem.with_related_in(unit, first, "the first one"),
                None => problem,
            });
        } else {
            if let Some(param) = self.lookup(Space::Param, &name) {
                let problem = Problem::new(Code::DuplicateDeclaration, id, hides_param(&name));
                self.problems.push(self.declared(problem, &name, param));
            }
            self.sites.push((name.clone(), self.unit, site));
        }
        self.scopes.last_mut().expect("there is a function").push((name, ty));
    }

    fn stmt(&mut self, id: StmtId) {
        crate::stack::level(|| self.stmt_here(id));
    }

    fn stmt_here(&mut self, id: StmtId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Stmt::Missing | Stmt::Empty => {}
            Stmt::Compound(stmts) => stmts.iter().for_each(|stmt| self.stmt(*stmt)),
            Stmt::Assert { condition, message } | Stmt::Assume { condition, message } => {
                self.facts.acts = true;
                self.condition(*condition);
                if let Some(message) = message {
                    self.message(*message);
                }
            }
            Stmt::Print { message } => {
                self.facts.acts = true;
                self.message(*message);
            }
            Stmt::Return { value } => self.return_value(id, *value),
            Stmt::Break | Stmt::Continue => self.leave_loop(id),
            Stmt::Assign { target, value } => {
                let place = self.place(*target);
                let value_type = self.expr(*value);
                self.copied(*value, &place, &value_type);
                if place.accepts(&value_type) {
                    self.refuse_alias(&place, *value, &value_type);
                } else {
                    let message = match nodes[*value] {
                        Expr::Call { function, .. } if value_type == Ty::Null => {
                            format!("`{}` returns nothing that could be stored", self.name(function))
                        }
                        _ => format!("a value of type `{value_type}` cannot be stored in a place of type `{place}`"),
                    };
                    let problem = self.declared_root(Problem::new(Code::AssignedType, *value, message), *target);
                    self.problems.push(problem.with_advice(advice::on_storing(&place, &value_type)));
                }
            }
            Stmt::Insert { target, key, value } => self.insert(*target, *key, *value),
            Stmt::Remove { target, value } => self.remove(*target, *value),
            Stmt::While { condition, body } => {
                self.condition(*condition);
                self.in_loop(*body);
            }
            Stmt::Foreach { variable, collection, invariants, body } => {
                self.foreach(*variable, *collection);
                self.loop_invariants(invariants);
                self.in_loop(*body);
            }
            Stmt::If { condition, then, otherwise } => {
                self.condition(*condition);
                self.stmt(*then);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise);
                }
            }
            Stmt::New { interface, args } => {
                self.create(*interface, args);
            }
            Stmt::Call { function, args } => {
                self.not_pure(*function);
                self.call(*function, args);
            }
            Stmt::Raise { event, payload } => {
                self.facts.raises = true;
                if self.result == Ty::Null {
                    return self.emit(*event, payload);
                }
                self.expr(*event);
                payload.iter().for_each(|value| drop(self.expr(*value)));
                let message = "an event cannot be raised in a function that returns a value";
                let problem = Problem::new(Code::RaiseInFunction, id, message);
                self.problems.push(problem.with_help("return what the caller needs to know, and raise the event there"));
            }
            Stmt::Send { target, event, payload } => {
                self.facts.sends = true;
                self.not_in_spec(id, "send events");
                let target_type = self.expr(*target);
                self.receivers.push((id, target_type.clone()));
                if !Ty::Machine.accepts(&target_type) || target_type == Ty::Null {
                    let message = format!("an event is sent to a machine, and this is of type `{target_type}`");
                    self.report(Code::TargetType, *target, message);
                } else {
                    self.refuse_alias(&Ty::Machine, *target, &target_type);
                }
                self.emit(*event, payload);
            }
            Stmt::Announce { event, payload } => {
                self.facts.sends = true;
                self.not_in_spec(id, "announce events");
                self.emit(*event, payload);
            }
            Stmt::Goto { target, payload } => self.goto(id, *target, payload),
            Stmt::Receive { cases } => {
                self.facts.receives = true;
                let first = cases.first().and_then(|case| case.events.first());
                let word = first.map_or(Node::Stmt(id), |event| Node::Word("receive", WordAt::BeforeName(event.name)));
                self.not_in_spec(word, "wait for events");
                self.receive(cases);
            }
        }
    }

    /// `break` or `continue`. In a receive case, `break` leaves the case; P says nothing against it.
    fn leave_loop(&mut self, id: StmtId) {
        if self.loop_depth > 0 {
            return;
        }
        if self.nodes[id] == Stmt::Continue && self.loops_around_case == 0 {
            self.report(Code::LoopControl, id, "`continue` stands outside of any loop");
        } else if self.nodes[id] == Stmt::Break && self.case_depth == 0 {
            self.report(Code::LoopControl, id, "`break` stands outside of any loop");
        } else if self.nodes[id] == Stmt::Break {
            let (message, help) = match self.loops_around_case {
                0 => ("this ends the case: there is no loop to leave", "skip what follows in the case with an `if`"),
                _ => (
                    "this leaves the case only, and no loop around the `receive`",
                    "remember in a variable that the loop is to end, and look at it after the `receive`",
                ),
            };
            self.warn(Problem::new(Code::BreakLeavesCase, id, message).with_help(help));
        }
    }

    /// P copies variables and literals in a way that does not work for all types.
    fn copied(&mut self, value: ExprId, place: &Ty, value_type: &Ty) {
        let is_copied = match &self.nodes[self.without_parens(value)] {
            Expr::Name(_) | Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::Halt | Expr::This => true,
            // What a call or an operator gives is moved, and strings are made by one.
            _ => false,
        };
        let is_broken = matches!(place, Ty::Data | Ty::NamedTuple(_)) && *value_type != Ty::Null;
        if is_copied && is_broken && place.accepts(value_type) && !place.is_same(value_type) {
            let message = format!("a value of type `{value_type}` cannot be copied into a place of type `{place}`");
            let problem = Problem::new(Code::AssignedCopy, value, message);
            self.warn(problem.with_help("P accepts this, but the C# that it generates does not compile"));
        }
    }

    fn not_in_spec(&mut self, id: impl Into<Node>, what: &str) {
        if self.is_spec() {
            self.report(Code::NotInSpec, id, format!("a spec only watches: it cannot {what}"));
        }
    }

    /// A pure function does nothing: P does not let one be called as a statement.
    fn not_pure(&mut self, function: NameId) {
        let name = self.name(function);
        if !self.is_function(&name) && self.is_verifying() && self.lookup(Space::Pure, &name).is_some() {
            let message = format!("`{name}` is a pure function and does nothing: use its value");
            self.report(Code::UnknownFunction, function, message);
        }
    }

    fn condition(&mut self, id: ExprId) {
        let ty = self.expr(id);
        if !Ty::Bool.accepts(&ty) {
            self.report(Code::ConditionType, id, format!("a condition is of type `bool`, and this is of type `{ty}`"));
        }
    }

    fn message(&mut self, id: ExprId) {
        let ty = self.expr(id);
        if !Ty::String.accepts(&ty) {
            let message = format!("a message is of type `string`, and this is of type `{ty}`");
            let problem = Problem::new(Code::MessageType, id, message);
            self.problems.push(problem.with_help("`format(\"{0}\", ...)` makes a text of any value"));
        }
    }

    fn return_value(&mut self, id: StmtId, value: Option<ExprId>) {
        let ty = value.map_or(Ty::Null, |value| self.expr(value));
        // A receive case is a piece of code of its own, without a result.
        let expected = if self.case_depth > 0 { Ty::Null } else { self.result.clone() };
        if expected.accepts(&ty) {
            if let Some(value) = value {
                self.refuse_alias(&expected, value, &ty);
            }
            return;
        }
        let message = match value {
            None => format!("a value of type `{expected}` must be returned"),
            Some(_) if self.case_depth > 0 => {
                "a receive case returns nothing: keep the value in a variable and return it after the `receive`".to_owned()
            }
            Some(_) if expected == Ty::Null => "nothing can be returned here: no type of a result is declared".to_owned(),
            Some(_) => format!("a value of type `{expected}` must be returned, and this is of type `{ty}`"),
        };
        let node: Node = value.map_or(id.into(), Node::Expr);
        self.problems.push(Problem::new(Code::ReturnType, node, message).with_advice(advice::on_storing(&expected, &ty)));
    }

    /// The type of what is assigned to.
    fn place(&mut self, id: ExprId) -> Ty {
        let nodes = self.nodes;
        let ty = crate::stack::level(|| match &nodes[id] {
            Expr::Name(name) => self.variable_to_change(id, *name),
            Expr::Field { value, field } => {
                let ty = self.place(*value);
                self.field_of(&ty, *value, *field)
            }
            Expr::Element { value, index } => {
                let ty = self.place(*value);
                self.element_of(&ty, *index)
            }
            Expr::Index { value, index } => match self.place(*value) {
                Ty::Set(_) => {
                    self.expr(*index);
                    let message =
                        "elements of a set cannot be changed: remove the old one with `-=` and add the new one with `+=`";
                    self.report(Code::IndexType, id, message);
                    Ty::Error
                }
                collection => self.index_of(&collection, *value, *index),
            },
            _ => self.expr(id),
        });
        self.see(id, &ty);
        ty
    }

    fn variable_to_change(&mut self, id: ExprId, name: NameId) -> Ty {
        let name = self.name(name);
        if name.is_empty() {
            return Ty::Error;
        }
        if let Some(ty) = self.variable(&name) {
            self.facts.acts |= !self.is_local(&name);
            return ty;
        }
        if let Some(param) = self.lookup(Space::Param, &name) {
            let problem = Problem::new(Code::ModifiesParam, id, format!("the test parameter `{name}` cannot be changed"));
            self.problems.push(self.declared(problem, &name, param));
        } else if let Some((what, def)) = self.stands_for(&name, &[Space::Event, Space::Type, Space::EventSet, Space::Function]) {
            let problem = Problem::new(Code::UnknownName, id, format!("`{name}` is {what}: only variables can be changed"));
            self.problems.push(self.declared(problem, &name, def));
        } else {
            let problem = Problem::new(Code::UnknownName, id, format!("there is no variable `{name}` here"));
            self.report_unknown(problem, &name, &[], self.variables());
        }
        Ty::Error
    }

    fn insert(&mut self, target: ExprId, key: Option<ExprId>, value: ExprId) {
        let collection = self.place(target);
        let key_type = key.map(|key| (key, self.expr(key)));
        let value_type = self.expr(value);
        let (key_place, value_place) = match (&collection, &key_type) {
            (Ty::Error, _) => return,
            (Ty::Set(element), None) => (None, Some(element)),
            (Ty::Seq(element), Some(_)) => (Some(&Ty::Int), Some(element)),
            (Ty::Map(key, element), Some(_)) => (Some(&**key), Some(element)),
            _ => (None, None),
        };
        let Some(value_place) = value_place else {
            let message = match key {
                None => format!("`+= (value)` adds to a set, and this is of type `{collection}`"),
                Some(_) => format!("`+= (key, value)` adds to a sequence or a map, and this is of type `{collection}`"),
            };
            let problem = Problem::new(Code::InsertType, target, message);
            return self.problems.push(problem.with_advice(advice::on_adding(&collection)));
        };
        if let (Some(place), Some((key, ty))) = (key_place, &key_type) {
            if place.accepts(ty) {
                self.refuse_alias(place, *key, ty);
            } else {
                let what = if matches!(collection, Ty::Map(..)) { "the key" } else { "the index" };
                self.report(Code::InsertType, *key, format!("{what} must be of type `{place}`, and this is of type `{ty}`"));
            }
        }
        if value_place.accepts(&value_type) {
            self.refuse_alias(value_place, value, &value_type);
        } else {
            let message = format!("the value must be of type `{value_place}`, and this is of type `{value_type}`");
            self.report(Code::InsertType, value, message);
        }
    }

    fn remove(&mut self, target: ExprId, value: ExprId) {
        let collection = self.place(target);
        let ty = self.expr(value);
        let (what, place) = match &collection {
            Ty::Error => return,
            Ty::Seq(_) => ("what is removed from a sequence is the index of an element, which", &Ty::Int),
            Ty::Set(element) => ("the element", &**element),
            Ty::Map(key, _) => ("what is removed from a map is a key, which", &**key),
            _ => {
                let message = format!("`-=` removes from a sequence, set or map, and this is of type `{collection}`");
                return self.report(Code::RemoveType, target, message);
            }
        };
        if place.accepts(&ty) {
            self.refuse_alias(place, value, &ty);
        } else {
            self.report(Code::RemoveType, value, format!("{what} must be of type `{place}`, and this is of type `{ty}`"));
        }
    }

    fn foreach(&mut self, variable: NameId, collection: ExprId) {
        let ty = self.expr(collection);
        let name = self.name(variable);
        // P lets a test parameter be the variable of a loop, although it lets nothing else change one.
        self.facts.acts |= !self.is_local(&name);
        let Some(declared) = self.variable(&name).or_else(|| self.param(&name)) else {
            if !name.is_empty() {
                let message = format!("there is no variable `{name}` here: declare it with `var {name}: ...;`");
                self.report_unknown(Problem::new(Code::UnknownName, variable, message), &name, &[], self.variables());
            }
            return;
        };
        match &ty {
            Ty::Error => {}
            Ty::Seq(element) | Ty::Set(element) => {
                if declared.is_same(element) {
                    self.refuse_variable(element, variable, &declared);
                } else {
                    let message = format!("`{name}` is of type `{declared}`, and the elements are of type `{element}`");
                    self.report(Code::ForeachType, variable, message);
                }
            }
            _ => {
                let message = format!("`foreach` goes through a sequence or a set, and this is of type `{ty}`");
                let mut problem = Problem::new(Code::ForeachType, collection, message);
                if matches!(ty, Ty::Map(..)) {
                    problem = problem.with_help("go through `keys(...)` or `values(...)` of the map");
                }
                self.problems.push(problem);
            }
        }
    }

    fn in_loop(&mut self, body: StmtId) {
        self.loop_depth += 1;
        self.stmt(body);
        self.loop_depth -= 1;
    }

    /// The event and payload of `send`, `raise` or `announce`.
    fn emit(&mut self, event: ExprId, payload: &[ExprId]) {
        let plain = self.without_parens(event);
        if self.nodes[plain] == Expr::Null {
            payload.iter().for_each(|value| drop(self.expr(*value)));
            return self.report(Code::NullEvent, event, "`null` is not an event that can be sent, raised or announced");
        }
        let ty = self.expr(event);
        if !Ty::Event.accepts(&ty) {
            payload.iter().for_each(|value| drop(self.expr(*value)));
            return self.report(Code::EventType, event, format!("this must be an event, and it is of type `{ty}`"));
        }
        if self.nodes[plain] == Expr::Halt {
            return self.payload(event, payload, &Ty::Null, "halt", None);
        }
        match self.literal_event(plain) {
            Some(def) => {
                let expected = event_payload(self.db, def.decl).clone();
                self.payload(event, payload, &expected, def.decl.name(self.db).clone().as_str(), Some(def));
            }
            None => payload.iter().for_each(|value| drop(self.expr(*value))),
        }
    }

    /// Arguments that together are one value of type `expected`, for the event or machine `of`, which is declared at `def`.
    pub(super) fn payload(&mut self, at: impl Into<Node>, args: &[ExprId], expected: &Ty, of: &str, def: Option<Def<'db>>) {
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg)).collect();
        let report = |this: &mut Self, problem: Problem<'db>| {
            this.problems.push(match def {
                Some(def) => this.declared(problem, of, def),
                None => problem,
            });
        };
        match (args, expected) {
            (_, Ty::Error) => {}
            ([], Ty::Null) => {}
            ([], _) => {
                let message = format!("`{of}` takes a value of type `{expected}`, and none is given");
                report(self, Problem::new(Code::ArgumentType, at, message));
            }
            ([arg], expected) => {
                let ty = &types[0];
                if expected.accepts(ty) {
                    self.refuse_alias(expected, *arg, ty);
                } else {
                    let message = match expected {
                        Ty::Null => format!("`{of}` takes no value"),
                        _ => format!("`{of}` takes a value of type `{expected}`, and this is of type `{ty}`"),
                    };
                    let problem = Problem::new(Code::ArgumentType, *arg, message);
                    report(self, problem.with_advice(advice::on_storing(expected, ty)));
                }
            }
            (_, Ty::Tuple(elements)) if elements.len() == args.len() => {
                for ((arg, ty), element) in args.iter().zip(&types).zip(elements.iter()) {
                    if element.accepts(ty) {
                        self.refuse_alias(element, *arg, ty);
                    } else {
                        let message = format!("this must be of type `{element}`, and it is of type `{ty}`");
                        report(self, Problem::new(Code::ArgumentType, *arg, message));
                    }
                }
            }
            _ => {
                let message = match expected {
                    Ty::Null => format!("`{of}` takes no value"),
                    _ => format!("`{of}` takes one value of type `{expected}`, not {}", args.len()),
                };
                report(self, Problem::new(Code::ArgumentCount, at, message));
            }
        }
    }

    fn goto(&mut self, id: StmtId, target: NameId, payload: &[ExprId]) {
        self.facts.changes_state = true;
        let types: Vec<Ty> = payload.iter().map(|value| self.expr(*value)).collect();
        if self.result != Ty::Null {
            let message = "the state cannot be changed in a function that returns a value";
            let problem = Problem::new(Code::GotoInFunction, id, message);
            return self.problems.push(problem.with_help("return what the caller needs to know, and change the state there"));
        }
        let name = self.name(target);
        let Some(state) = self.machine.and_then(|machine| machine.state(&name)).cloned() else {
            if let Some((what, def)) = self.stands_for(&name, &[Space::Type]) {
                let problem = Problem::new(Code::UnknownState, target, format!("`{name}` is {what}, not a state"));
                self.problems.push(self.declared(problem, &name, def));
            } else if !name.is_empty() {
                let message = match self.machine {
                    Some(_) => format!("there is no state `{name}` in this machine"),
                    None => format!("there is no state `{name}` here: this function belongs to no machine"),
                };
                let states = self.machine.map_or(&[][..], |machine| &machine.states);
                let names = states.iter().map(|state| state.name.clone()).collect();
                self.report_unknown(Problem::new(Code::UnknownState, target, message), &name, &[], names);
            }
            return;
        };
        if state.entry == Some(Ty::Error) {
            return;
        }
        let expected = usize::from(state.entry.is_some());
        if payload.len() != expected {
            let message = match (expected, payload.len()) {
                (0, _) => format!("the entry of `{name}` takes no value"),
                (_, 0) => format!("the entry of `{name}` takes one value, and none is given"),
                (_, given) => format!("the entry of `{name}` takes one value, not {given}"),
            };
            let problem = self.declared_state(Problem::new(Code::ArgumentCount, target, message), &name);
            return self.problems.push(problem);
        }
        let (Some(entry), [ty], [value]) = (state.entry, &types[..], payload) else { return };
        if entry.accepts(ty) {
            self.refuse_alias(&entry, *value, ty);
        } else {
            let message = format!("the entry of `{name}` takes a value of type `{entry}`, and this is of type `{ty}`");
            let problem = self.declared_state(Problem::new(Code::ArgumentType, *value, message), &name);
            self.problems.push(problem.with_advice(advice::on_storing(&entry, ty)));
        }
    }

    fn receive(&mut self, cases: &[ReceiveCase]) {
        let mut seen: Vec<(SmolStr, NameId)> = Vec::new();
        for case in cases {
            let params = self.types(case.param.as_slice());
            if let (Some(param), Some((name, _))) = (&case.param, params.first())
                && let Some(hidden) = self.lookup(Space::Param, name)
            {
                let problem = Problem::new(Code::DuplicateDeclaration, param.name, hides_param(name));
                self.problems.push(self.declared(problem, name, hidden));
            }
            for event in &case.events {
                let name = self.name(event.name);
                if let Some((_, first)) = seen.iter().find(|(known, _)| *known == name) {
                    let problem = Problem::new(Code::DuplicateReceiveCase, event.name, format!("`{name}` has a case already"));
                    self.problems.push(self.after_first(problem, *first));
                    continue;
                }
                seen.push((name, event.name));
                self.received(event, params.first().map(|(_, ty)| ty));
            }
            let sites = self.sites.len();
            let param_names = case.param.iter().map(|param| (self.nodes[param.name].0.clone(), self.unit, *param));
            self.sites.extend(param_names);
            self.scopes.push(params);
            self.case_depth += 1;
            let loops = std::mem::take(&mut self.loop_depth);
            self.loops_around_case += loops;
            self.block(&case.block);
            self.loops_around_case -= loops;
            self.loop_depth = loops;
            self.case_depth -= 1;
            self.scopes.pop();
            self.sites.truncate(sites);
        }
    }

    /// Whether what an event carries fits the parameter of its receive case.
    fn received(&mut self, event: &EventRef, param: Option<&Ty>) {
        let name = self.name(event.name);
        let declared = self.lookup(Space::Event, &name).filter(|def| def.part.is_none());
        let payload = match event.kind {
            EventKind::Declared => match declared {
                Some(def) => event_payload(self.db, def.decl).clone(),
                None if name.is_empty() => return,
                None => {
                    if let Some(problem) = no_event(self.db, self.project, event.name, &name) {
                        return self.problems.push(problem);
                    }
                    let problem = Problem::new(Code::UnknownEvent, event.name, format!("there is no event `{name}`"));
                    return self.report_unknown(problem, &name, &[Space::Event], vec![]);
                }
            },
            EventKind::Halt | EventKind::Null => Ty::Null,
        };
        if param.unwrap_or(&Ty::Null).accepts(&payload) {
            if let (Some(param), Some(def)) = (param, declared) {
                self.refuse_payload(param, event.name, def.decl, &payload);
            }
            return;
        }
        let carries = match payload {
            Ty::Null => format!("`{name}` carries no value"),
            _ => format!("`{name}` carries a value of type `{payload}`"),
        };
        let problem = match param {
            None => Problem::new(Code::ReceivePayload, event.name, format!("{carries}, and the case takes none"))
                .with_help(format!("write `case {name}: (value: {payload}) {{ ... }}`, even if the value is not used")),
            Some(param) => {
                let message = format!("{carries}, and the case takes one of type `{param}`");
                Problem::new(Code::ReceivePayload, event.name, message)
            }
        };
        self.problems.push(problem);
    }

    /// Whether running these statements always ends in a return, or goes no further.
    pub(super) fn surely_returns(&self, stmts: &[StmtId]) -> bool {
        stmts.iter().any(|stmt| crate::stack::level(|| self.surely_ends(*stmt)))
    }

    fn surely_ends(&self, stmt: StmtId) -> bool {
        match &self.nodes[stmt] {
            Stmt::Return { .. } | Stmt::Goto { .. } | Stmt::Raise { .. } => true,
            // Whatever stands here has been reported.
            Stmt::Missing => true,
            Stmt::Assert { condition, .. } | Stmt::Assume { condition, .. } => {
                self.nodes[self.without_parens(*condition)] == Expr::Bool(false)
            }
            Stmt::Compound(stmts) => self.surely_returns(stmts),
            Stmt::If { then, otherwise: Some(otherwise), .. } => {
                self.surely_returns(&[*then]) && self.surely_returns(&[*otherwise])
            }
            Stmt::Receive { cases } => cases.iter().all(|case| self.surely_returns(&case.block.stmts)),
            _ => false,
        }
    }
}
