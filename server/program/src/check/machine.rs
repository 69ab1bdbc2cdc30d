//! Machines, specs and scenarios: their members, states and handlers.

use lockstep_syntax::p::ast::{
    EventKind, EventRef, Handler, HandlerKind, Machine, MachineKind, NameId, State, StateItem, StateItemKind,
};

use super::{Check, Seen, describe, name_node};
use crate::problem::{Code, Node, Problem, Where, WordAt};
use crate::refused::{is_refused, refused, value_alias};
use crate::resolve::{Signature, carried, machine_info, takes};
use crate::scope::{Space, lookup};
use crate::ty::Ty;

impl Check<'_, '_> {
    pub(super) fn machine(&mut self, machine: &Machine) {
        self.events(machine.receives.as_deref().unwrap_or_default());
        self.events(machine.sends.as_deref().unwrap_or_default());
        self.events(&machine.observes);
        self.members(machine);
        let info = machine_info(self.db, self.decl);
        for function in &machine.functions {
            self.function(function);
            self.contract(function, Some(info));
        }
        self.start_states(machine);
        for state in &machine.states {
            self.state(machine, state);
        }
    }

    fn members(&mut self, machine: &Machine) {
        let mut fields = Seen::default();
        for var in &machine.vars {
            self.types.ty(var.ty);
            for id in &var.names {
                let name = self.name(*id);
                if let Some(first) = fields.before(&name, *id) {
                    let message = format!("`{name}` is declared twice");
                    self.report_second(Code::DuplicateDeclaration, *id, first, message, None);
                } else {
                    self.hidden_param(Code::HidesParam, *id, &name);
                }
            }
        }
        let mut functions = Seen::default();
        for function in &machine.functions {
            let name = self.name(function.name);
            // P looks only at what is declared before; a state that follows may have the function's name.
            let is_state = |state: &State| self.name(state.name) == name && state.part.into_raw() < function.part.into_raw();
            let state = machine.states.iter().find(|state| !name.is_empty() && is_state(state)).map(|state| state.name);
            if let Some(first) = functions.before(&name, function.name).or(state) {
                let message = format!("this machine has a function or state `{name}` already");
                self.report_second(Code::DuplicateDeclaration, function.name, first, message, None);
            }
        }
        let mut states = Seen::default();
        for state in &machine.states {
            let name = self.name(state.name);
            if let Some(first) = states.before(&name, state.name) {
                let message = format!("this machine has a state `{name}` already");
                self.report_second(Code::DuplicateDeclaration, state.name, first, message, None);
            }
        }
    }

    fn start_states(&mut self, machine: &Machine) {
        let mut starts = machine.states.iter().filter(|state| state.is_start);
        let first = starts.next();
        if first.is_none() && machine.kind == MachineKind::Machine {
            let message = format!("the machine `{}` has no start state", self.name(machine.name));
            let problem = Problem::new(Code::MissingStart, machine.name, message);
            self.types.problems.push(match &machine.states[..] {
                [only] => {
                    let name = self.name(only.name);
                    problem.with_help(format!("to start in `{name}`, write `start` before it")).with_fix(
                        format!("start in `{name}`"),
                        only.part,
                        Where::Before,
                        "start ",
                    )
                }
                _ => problem.with_help("write `start` before the state in which it begins"),
            });
        }
        let Some(first) = first else { return };
        for state in starts {
            let (message, help) = ("this machine has a start state already", "remove `start` from one of them");
            self.report_second(Code::DuplicateStart, state.name, first.name, message.to_owned(), Some(help));
        }
    }

    fn state(&mut self, machine: &Machine, state: &State) {
        let mut handled = Seen::default();
        let (mut entry, mut exit) = (None, None);
        let is_spec = machine.kind != MachineKind::Machine;
        for item in &state.items {
            match &item.kind {
                StateItemKind::Entry(handler) => {
                    let word = first_word("entry", item);
                    let first = *entry.get_or_insert(word);
                    if first != word {
                        let (message, help) = ("this state has an entry already", "put what both do into one `entry`");
                        self.report_second(Code::DuplicateEntry, word, first, message.to_owned(), Some(help));
                    }
                    self.handler_of_value(handler);
                }
                StateItemKind::Exit(handler) => {
                    let word = first_word("exit", item);
                    let first = *exit.get_or_insert(word);
                    if first != word {
                        let (message, help) = ("this state has an exit already", "put what both do into one `exit`");
                        self.report_second(Code::DuplicateExit, word, first, message.to_owned(), Some(help));
                    }
                    let takes_value = self.handler(handler).is_some_and(|signature| !signature.params.is_empty());
                    if takes_value {
                        let message = "the function is called without a value on exit: it can have no parameter";
                        self.report(Code::ExitParameters, handler.part, message);
                    }
                }
                StateItemKind::Defer(events) => {
                    if is_spec {
                        self.report(Code::DeferInSpec, item.part, "a spec has no queue: it cannot defer events");
                    }
                    self.actions(events, &mut handled, is_spec);
                }
                StateItemKind::Ignore(events) => self.actions(events, &mut handled, is_spec),
                StateItemKind::OnDo { events, handler } => {
                    self.actions(events, &mut handled, is_spec);
                    let signature = self.handler_of_value(handler);
                    self.payloads(events, signature.as_ref());
                }
                StateItemKind::OnGoto { events, target, with } => {
                    self.actions(events, &mut handled, is_spec);
                    if let Some(with) = with {
                        let signature = self.handler_of_value(with);
                        self.payloads(events, signature.as_ref());
                    }
                    self.transition(events, *target);
                }
            }
        }
    }

    /// The events of one item of a state: known, and not handled before.
    fn actions(&mut self, events: &[EventRef], handled: &mut Seen, is_spec: bool) {
        for event in events {
            let name = self.name(event.name);
            match event.kind {
                EventKind::Declared if self.event(event.name).is_none() => continue,
                EventKind::Null if is_spec => {
                    self.report(Code::NullInSpec, event.name, "a spec is never idle: it cannot handle `null`");
                }
                _ => {}
            }
            if let Some(first) = handled.before(&name, event.name) {
                let message = format!("this state says already what happens on `{name}`");
                let help = "remove one of them, or do in one handler what both do";
                self.report_second(Code::DuplicateEventAction, event.name, first, message, Some(help));
            }
        }
    }

    /// The handler of an event or entry: it may take the event's value.
    fn handler_of_value(&mut self, handler: &Handler) -> Option<Signature> {
        let signature = self.handler(handler);
        if let (HandlerKind::Named(id), Some(count @ 2..)) = (handler.kind, signature.as_ref().map(|of| of.params.len())) {
            let message = format!("a handler takes at most one value, and `{}` takes {count}", self.name(id));
            self.report(Code::HandlerParameters, id, message);
            return None;
        }
        signature
    }

    /// The signature of a handler, with its parameter's type resolved; reports what cannot be one.
    fn handler(&mut self, handler: &Handler) -> Option<Signature> {
        match &handler.kind {
            HandlerKind::Missing => None,
            HandlerKind::Inline { param, .. } => {
                let params = self.types.params(param.as_slice());
                self.hidden_params(param.as_slice());
                Some(Signature { params, result: Ty::Null, has_body: true })
            }
            HandlerKind::Named(id) => {
                let name = self.name(*id);
                let signature = machine_info(self.db, self.decl).function(&name).cloned();
                match &signature {
                    Some(signature) if !signature.has_body => {
                        self.report(Code::GlobalHandler, *id, format!("`{name}` is a foreign function and cannot be a handler"));
                    }
                    Some(_) => {}
                    None if lookup(self.db, self.project, Space::Function, &name).is_some() => {
                        let message = format!("`{name}` is a global function: a handler must be a function of the machine");
                        self.report(Code::GlobalHandler, *id, message);
                    }
                    None if name.is_empty() => {}
                    None => {
                        let message = format!("there is no function `{name}` in this machine");
                        let functions = &machine_info(self.db, self.decl).functions;
                        let functions = functions.iter().map(|(name, _)| name.clone()).collect();
                        let problem = Problem::new(Code::UnknownFunction, *id, message).with_similar(&name, &[], functions);
                        self.types.problems.push(problem);
                    }
                }
                signature
            }
        }
    }

    /// Whether each event's payload fits the handler's parameter.
    fn payloads(&mut self, events: &[EventRef], signature: Option<&Signature>) {
        let Some((_, param)) = signature.and_then(|signature| signature.params.first()) else { return };
        let param = param.clone();
        for event in events {
            self.payload(event, &param, "the handler");
        }
    }

    fn transition(&mut self, events: &[EventRef], target: NameId) {
        let name = self.name(target);
        let state = machine_info(self.db, self.decl).state(&name).cloned();
        match state {
            Some(state) => {
                if let Some(entry) = state.entry {
                    for event in events {
                        self.payload(event, &entry, &format!("the entry of `{name}`"));
                    }
                }
            }
            None if name.is_empty() => {}
            None => {
                if let Some(def) = lookup(self.db, self.project, Space::Type, &name) {
                    let message = format!("`{name}` is {}, not a state", describe(self.db, def));
                    let problem = Problem::new(Code::UnknownState, target, message);
                    let declared = name_node(self.db, def.decl, def.part);
                    let problem = problem.with_related(def.decl, declared, format!("`{name}` is declared here"));
                    return self.types.problems.push(problem);
                }
                let message = format!("there is no state `{name}` in this machine");
                let states = machine_info(self.db, self.decl).states.iter().map(|state| state.name.clone()).collect();
                let problem = Problem::new(Code::UnknownState, target, message).with_similar(&name, &[], states);
                self.types.problems.push(problem);
            }
        }
    }

    fn payload(&mut self, event: &EventRef, param: &Ty, whose: &str) {
        let name = self.name(event.name);
        let Some((payload, declared)) = carried(self.db, self.project, &self.item.nodes, event) else { return };
        if takes(param, &payload) {
            let alias = declared.filter(|_| is_refused(param, &payload)).and_then(|decl| value_alias(self.db, decl));
            self.types.problems.extend(alias.map(|alias| refused(self.db, event.name, alias, &payload)));
            return;
        }
        let (message, help) = match payload {
            Ty::Null => {
                let message = format!("`{name}` carries no value, and {whose} takes one of type `{param}`");
                let or = declared.map_or(String::new(), |_| format!(", or declare `event {name}: {param};`"));
                (message, format!("leave the parameter out{or}"))
            }
            payload => {
                let message = format!("`{name}` carries a value of type `{payload}`, and {whose} takes one of type `{param}`");
                (message, "give the parameter the type of that value, or leave it out".to_owned())
            }
        };
        let mut problem = Problem::new(Code::HandlerPayload, event.name, message).with_help(help);
        if let Some(decl) = declared {
            problem = problem.with_related(decl, name_node(self.db, decl, None), format!("`{name}` is declared here"));
        }
        self.types.problems.push(problem);
    }
}

/// The word that an entry or exit begins with.
fn first_word(word: &'static str, item: &StateItem) -> Node {
    Node::Word(word, WordAt::StartOfPart(item.part))
}
