//! Statements.

use lockstep_syntax::p::ast::{Block, EventKind, Expr, ExprId, NameId, ReceiveCase, Stmt, StmtId};

use super::Checker;
use crate::lint::strip;
use crate::problem::{Code, Problem};
use crate::resolve::event_payload;
use crate::scope::Space;
use crate::ty::Ty;

impl Checker<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) {
        for var in &block.vars {
            let ty = self.ty(var.ty);
            for name in &var.names {
                self.declare(*name, ty.clone());
            }
        }
        for stmt in &block.stmts {
            self.stmt(*stmt);
        }
    }

    fn declare(&mut self, id: NameId, ty: Ty) {
        let name = self.name(id);
        let scope = self.scopes.last().expect("there is a function");
        if !name.is_empty() && scope.iter().any(|(known, _)| *known == name) {
            let message = format!("`{name}` is declared twice");
            self.report(Code::DuplicateDeclaration, id, message);
        } else if self.lookup(Space::Param, &name).is_some() {
            let message = format!("`{name}` is the name of a test parameter and cannot be declared again");
            self.report(Code::DuplicateDeclaration, id, message);
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
                if !place.accepts(&value_type) {
                    let message = format!("a value of type `{value_type}` cannot be stored in a place of type `{place}`");
                    self.report(Code::AssignedType, *value, message);
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
                invariants.iter().for_each(|invariant| self.condition(*invariant));
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
                self.call(*function, args);
            }
            Stmt::Raise { event, payload } => {
                self.facts.raises = true;
                if self.result != Ty::Null && self.case_depth == 0 {
                    self.report(Code::RaiseInFunction, id, "an event cannot be raised in a function that returns a value");
                }
                self.emit(*event, payload);
            }
            Stmt::Send { target, event, payload } => {
                self.facts.sends = true;
                self.not_in_spec(id, "send events");
                let target_type = self.expr(*target);
                if !Ty::Machine.accepts(&target_type) || target_type == Ty::Null {
                    let message = format!("an event is sent to a machine, and this is of type `{target_type}`");
                    self.report(Code::TargetType, *target, message);
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
                self.not_in_spec(id, "wait for events");
                self.receive(cases);
            }
        }
    }

    /// `break` or `continue`. P does not look for them in receive cases.
    fn leave_loop(&mut self, id: StmtId) {
        let word = if self.nodes[id] == Stmt::Break { "break" } else { "continue" };
        if self.loop_depth > 0 {
            return;
        }
        if self.case_depth == 0 {
            self.report(Code::LoopControl, id, format!("`{word}` stands outside of any loop"));
        } else if word == "break" {
            let problem = Problem::new(Code::BreakLeavesCase, id, "this leaves the case only, and no loop around the `receive`");
            self.warn(problem.with_help("remember in a variable that the loop is to end, and look at it after the `receive`"));
        } else if self.loops_around_case == 0 {
            let problem = Problem::new(Code::ContinueInCase, id, "`continue` stands outside of any loop");
            self.warn(problem.with_help("P accepts this, but the C# that it generates does not compile"));
        }
    }

    /// P copies variables and literals in a way that does not work for all types.
    fn copied(&mut self, value: ExprId, place: &Ty, value_type: &Ty) {
        let is_copied = match &self.nodes[strip(self.nodes, value)] {
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

    fn not_in_spec(&mut self, id: StmtId, what: &str) {
        if self.is_spec() {
            self.report(Code::NotInSpec, id, format!("a spec only watches: it cannot {what}"));
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
            self.report(Code::MessageType, id, message);
        }
    }

    fn return_value(&mut self, id: StmtId, value: Option<ExprId>) {
        let ty = value.map_or(Ty::Null, |value| self.expr(value));
        // A receive case is a piece of code of its own, without a result.
        let expected = if self.case_depth > 0 { Ty::Null } else { self.result.clone() };
        if expected.accepts(&ty) {
            return;
        }
        let message = match value {
            None => format!("a value of type `{expected}` must be returned"),
            Some(_) if expected == Ty::Null => "nothing can be returned here".to_owned(),
            Some(_) => format!("a value of type `{expected}` must be returned, and this is of type `{ty}`"),
        };
        match value {
            Some(value) => self.report(Code::ReturnType, value, message),
            None => self.report(Code::ReturnType, id, message),
        }
    }

    /// The type of what is assigned to.
    fn place(&mut self, id: ExprId) -> Ty {
        let mut root = id;
        while let Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } = &self.nodes[root] {
            root = *value;
        }
        if let Expr::Name(name) = &self.nodes[root] {
            let name = self.name(*name);
            if self.variable(&name).is_none() && !name.is_empty() {
                if self.lookup(Space::Param, &name).is_some() {
                    self.report(Code::ModifiesParam, root, format!("the test parameter `{name}` cannot be changed"));
                } else {
                    self.report(Code::UnknownName, root, format!("there is no variable `{name}` here"));
                }
                return Ty::Error;
            }
            self.facts.acts |= !self.is_local(&name);
        }
        if let Expr::Index { value, .. } = &self.nodes[id] {
            let collection = self.quietly(|this| this.expr(*value));
            if matches!(collection, Ty::Set(_)) {
                let _ = self.expr(id);
                let message = "elements of a set cannot be assigned: remove the old one with `-=` and add the new one with `+=`";
                self.report(Code::IndexType, id, message);
                return Ty::Error;
            }
        }
        self.expr(id)
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
            return self.report(Code::InsertType, target, message);
        };
        if let (Some(place), Some((key, ty))) = (key_place, &key_type)
            && !place.accepts(ty)
        {
            self.report(Code::InsertType, *key, format!("this must be of type `{place}`, and it is of type `{ty}`"));
        }
        if !value_place.accepts(&value_type) {
            let message = format!("this must be of type `{value_place}`, and it is of type `{value_type}`");
            self.report(Code::InsertType, value, message);
        }
    }

    fn remove(&mut self, target: ExprId, value: ExprId) {
        let collection = self.place(target);
        let ty = self.expr(value);
        let place = match &collection {
            Ty::Error => return,
            Ty::Seq(_) => &Ty::Int,
            Ty::Set(element) => element,
            Ty::Map(key, _) => key,
            _ => {
                let message = format!("`-=` removes from a sequence, set or map, and this is of type `{collection}`");
                return self.report(Code::RemoveType, target, message);
            }
        };
        if !place.accepts(&ty) {
            self.report(Code::RemoveType, value, format!("this must be of type `{place}`, and it is of type `{ty}`"));
        }
    }

    fn foreach(&mut self, variable: NameId, collection: ExprId) {
        let ty = self.expr(collection);
        let name = self.name(variable);
        let declared = self.variable(&name);
        self.facts.acts |= !self.is_local(&name);
        if declared.is_none() && !name.is_empty() {
            let message = format!("there is no variable `{name}` here: declare it with `var {name}: ...;`");
            self.report(Code::UnknownName, variable, message);
        }
        match (&ty, declared) {
            (Ty::Error, _) => {}
            (Ty::Seq(element) | Ty::Set(element), Some(declared)) => {
                if !declared.is_same(element) {
                    let message = format!("`{name}` is of type `{declared}`, and the elements are of type `{element}`");
                    self.report(Code::ForeachType, variable, message);
                }
            }
            (Ty::Seq(_) | Ty::Set(_), None) => {}
            _ => {
                let message = format!("`foreach` goes through a sequence or a set, and this is of type `{ty}`");
                self.report(Code::ForeachType, collection, message);
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
        if self.nodes[event] == Expr::Null {
            payload.iter().for_each(|value| drop(self.expr(*value)));
            return self.report(Code::NullEvent, event, "`null` is no event that can be sent");
        }
        let ty = self.expr(event);
        if !Ty::Event.accepts(&ty) {
            payload.iter().for_each(|value| drop(self.expr(*value)));
            return self.report(Code::EventType, event, format!("this must be an event, and it is of type `{ty}`"));
        }
        match self.literal_event(event) {
            Some(decl) => {
                let expected = event_payload(self.db, decl).clone();
                self.payload(event, payload, &expected, decl.name(self.db).clone().as_str());
            }
            None => payload.iter().for_each(|value| drop(self.expr(*value))),
        }
    }

    /// Arguments that together are one value of type `expected`.
    pub(super) fn payload(&mut self, at: ExprId, args: &[ExprId], expected: &Ty, of: &str) {
        let types: Vec<Ty> = args.iter().map(|arg| self.expr(*arg)).collect();
        match (args, expected) {
            (_, Ty::Error) => {}
            ([], Ty::Null) => {}
            ([], _) => {
                self.report(Code::ArgumentType, at, format!("`{of}` takes a value of type `{expected}`, and none is given"))
            }
            ([arg], expected) => {
                let ty = &types[0];
                if !expected.accepts(ty) {
                    let message = match expected {
                        Ty::Null => format!("`{of}` takes no value"),
                        _ => format!("`{of}` takes a value of type `{expected}`, and this is of type `{ty}`"),
                    };
                    self.report(Code::ArgumentType, *arg, message);
                }
            }
            (_, Ty::Tuple(elements)) if elements.len() == args.len() => {
                for ((arg, ty), element) in args.iter().zip(&types).zip(elements.iter()) {
                    if !element.accepts(ty) {
                        self.report(
                            Code::ArgumentType,
                            *arg,
                            format!("this must be of type `{element}`, and it is of type `{ty}`"),
                        );
                    }
                }
            }
            _ => {
                let message = format!("`{of}` takes one value of type `{expected}`, and {} are given", args.len());
                self.report(Code::ArgumentCount, at, message);
            }
        }
    }

    fn goto(&mut self, id: StmtId, target: NameId, payload: &[ExprId]) {
        self.facts.changes_state = true;
        if self.result != Ty::Null && self.case_depth == 0 {
            self.report(Code::GotoInFunction, id, "the state cannot be changed in a function that returns a value");
        }
        let types: Vec<Ty> = payload.iter().map(|value| self.expr(*value)).collect();
        let name = self.name(target);
        let Some(state) = self.machine.and_then(|machine| machine.state(&name)).cloned() else {
            if !name.is_empty() {
                self.report(Code::UnknownState, target, format!("there is no state `{name}` in this machine"));
            }
            return;
        };
        let expected = usize::from(state.entry.is_some());
        if payload.len() != expected {
            let message = match expected {
                0 => format!("the entry of `{name}` takes no value"),
                _ => format!("the entry of `{name}` takes one value, and {} are given", payload.len()),
            };
            return self.report(Code::ArgumentCount, id, message);
        }
        if let (Some(entry), [ty], [value]) = (state.entry, &types[..], payload)
            && !entry.accepts(ty)
        {
            let message = format!("the entry of `{name}` takes a value of type `{entry}`, and this is of type `{ty}`");
            self.report(Code::ArgumentType, *value, message);
        }
    }

    fn receive(&mut self, cases: &[ReceiveCase]) {
        let mut seen = Vec::new();
        for case in cases {
            let params = self.types(case.param.as_slice());
            for event in &case.events {
                let name = self.name(event.name);
                if seen.contains(&name) {
                    self.report(Code::DuplicateReceiveCase, event.name, format!("`{name}` has a case already"));
                }
                seen.push(name.clone());
                let payload = match event.kind {
                    EventKind::Declared => match self.lookup(Space::Event, &name).filter(|def| def.part.is_none()) {
                        Some(def) => event_payload(self.db, def.decl).clone(),
                        None => {
                            if !name.is_empty() {
                                self.report(Code::UnknownEvent, event.name, format!("there is no event `{name}`"));
                            }
                            continue;
                        }
                    },
                    EventKind::Halt | EventKind::Null => Ty::Null,
                };
                let expected = params.first().map_or(&Ty::Null, |(_, ty)| ty);
                if !expected.accepts(&payload) {
                    let message = match params.first() {
                        None => format!("`{name}` carries a value of type `{payload}`, and the case takes none"),
                        Some(_) => {
                            format!("`{name}` carries a value of type `{payload}`, and the case takes one of type `{expected}`")
                        }
                    };
                    self.report(Code::ReceivePayload, event.name, message);
                }
            }
            self.scopes.push(params);
            self.case_depth += 1;
            let loops = std::mem::take(&mut self.loop_depth);
            self.loops_around_case += loops;
            self.block(&case.block);
            self.loops_around_case -= loops;
            self.loop_depth = loops;
            self.case_depth -= 1;
            self.scopes.pop();
        }
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
            Stmt::Assert { condition, .. } | Stmt::Assume { condition, .. } => self.nodes[*condition] == Expr::Bool(false),
            Stmt::Compound(stmts) => self.surely_returns(stmts),
            Stmt::If { then, otherwise: Some(otherwise), .. } => {
                self.surely_returns(&[*then]) && self.surely_returns(&[*otherwise])
            }
            Stmt::Receive { cases } => cases.iter().all(|case| self.surely_returns(&case.block.stmts)),
            _ => false,
        }
    }

    /// Runs `check` without keeping what it reports.
    pub(super) fn quietly<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.problems.len();
        let value = check(self);
        self.problems.truncate(before);
        value
    }
}
