//! The value of a module expression, and what is wrong with it.

use std::sync::Arc;

use lockstep_syntax::p::ast::{Binding, EventRef, Module as AstModule, ModuleId, NameId, Nodes};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Evaluated;
use super::alphabet::{Alphabet, missing_event};
use super::join::Join;
use super::parts::{interface, interface_part, is_event, machine, machine_part};
use super::value::{AttachedSpec, BoundInterface, Link, Module, add_names};
use crate::check::name_node;
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Node, Problem};
use crate::refused::{is_refused, refused, value_alias};
use crate::scope::{Space, lookup};
use crate::ty::Ty;

/// Evaluates the module expressions of one declaration.
pub(super) struct Evaluator<'a, 'db> {
    pub(super) db: &'db dyn Db,
    pub(super) project: Project,
    pub(super) decl: Decl<'db>,
    nodes: &'a Nodes,
    /// The modules this one mentions, apart from those it forms a circle with.
    known: &'a FxHashMap<Decl<'db>, Evaluated<'db>>,
    pub(super) problems: Vec<Problem<'db>>,
}

type Value<'db> = Option<Arc<Module<'db>>>;

impl<'a, 'db> Evaluator<'a, 'db> {
    pub(super) fn new(
        db: &'db dyn Db,
        decl: Decl<'db>,
        nodes: &'a Nodes,
        known: &'a FxHashMap<Decl<'db>, Evaluated<'db>>,
    ) -> Self {
        Self { db, project: decl.file(db).project(db), decl, nodes, known, problems: Vec::new() }
    }

    pub(super) fn module(&mut self, id: ModuleId) -> Value<'db> {
        crate::stack::level(|| self.module_here(id))
    }

    fn module_here(&mut self, id: ModuleId) -> Value<'db> {
        let nodes = self.nodes;
        match &nodes[id] {
            AstModule::Missing => None,
            AstModule::Named(name) => self.named(*name),
            AstModule::Paren(inner) => self.module(*inner),
            AstModule::Bindings(bindings) => self.bindings(bindings),
            AstModule::Compose(operands) => self.join(Join::Compose, operands),
            AstModule::Union(operands) => self.join(Join::Union, operands),
            AstModule::HideEvents { events, module } => {
                let value = self.module(*module);
                self.hide_events(id, events, value)
            }
            AstModule::HideInterfaces { interfaces, module } => {
                let value = self.module(*module);
                self.hide_interfaces(interfaces, value)
            }
            AstModule::Assert { specs, module } => {
                let value = self.module(*module);
                self.assert(specs, value)
            }
            AstModule::Rename { from, to, module } => {
                let value = self.module(*module);
                self.rename(*from, *to, value)
            }
            // P reads the name of the machine and forgets it.
            AstModule::Main { module, .. } => self.module(*module),
        }
    }

    pub(super) fn report(&mut self, code: Code, node: impl Into<Node>, message: impl Into<String>) {
        self.problems.push(Problem::new(code, node, message));
    }

    fn name(&self, id: NameId) -> SmolStr {
        self.nodes[id].0.clone()
    }

    fn named(&mut self, id: NameId) -> Value<'db> {
        let name = self.name(id);
        if let Some(def) = lookup(self.db, self.project, Space::Module, &name) {
            return self.known.get(&def.decl)?.module.clone();
        }
        if let Some(decl) = machine(self.db, self.project, &name).filter(|decl| decl.kind(self.db) == DeclKind::Machine) {
            let message = format!("`{name}` is a machine, and a module is meant here");
            let problem = Problem::new(Code::UnknownModule, id, message).with_help(format!("write `{{ {name} }}`"));
            self.problems.push(problem.with_related(decl, name_node(self.db, decl, None), "declared here"));
        } else if !name.is_empty() {
            let problem = Problem::new(Code::UnknownModule, id, format!("there is no module `{name}`"));
            self.problems.push(problem.with_similar(&name, &[Space::Module], Vec::new()));
        }
        None
    }

    /// `{ Machine, Machine -> Interface }`
    fn bindings(&mut self, bindings: &[Binding]) -> Value<'db> {
        let (mut sends, mut receives) = (Alphabet::none(), Alphabet::none());
        let mut bound: Vec<Arc<BoundInterface<'db>>> = Vec::new();
        let mut places: FxHashMap<SmolStr, NameId> = FxHashMap::default();
        let mut is_right = true;
        for binding in bindings {
            let place = binding.interface.unwrap_or(binding.machine);
            let name = self.name(place);
            let Some(machine) = self.binding(binding) else {
                is_right = false;
                continue;
            };
            if let Some(first) = places.get(&name) {
                let message = format!("the interface `{name}` is bound twice");
                let problem = Problem::new(Code::DuplicateBinding, place, message);
                self.problems.push(problem.with_related(self.decl, *first, "bound here already"));
                is_right = false;
                continue;
            }
            places.insert(name.clone(), place);
            let part = machine_part(self.db, machine);
            sends.add(&Alphabet::from(&part.sends));
            receives.add(&Alphabet::from(&part.receives));
            let links = part.creates.iter().map(|name| Link { written: name.clone(), interface: name.clone() });
            bound.push(Arc::new(BoundInterface { interface: name, machine, links: links.collect() }));
        }
        is_right.then(|| Arc::new(Module::new(bound, sends, receives)))
    }

    /// The machine of a binding, if it can stand behind the interface.
    fn binding(&mut self, binding: &Binding) -> Option<Decl<'db>> {
        let name = self.name(binding.machine);
        // A spec stands behind nothing: P's compiler reports it or crashes on it.
        let machine = machine(self.db, self.project, &name).filter(|decl| decl.kind(self.db) == DeclKind::Machine);
        if machine.is_none() {
            self.unknown_machine(binding.machine, &name);
        }
        // A machine always fits the interface of its own name.
        let Some(interface_name) = binding.interface else {
            if let Some(machine) = machine {
                self.refuse_constructor(binding.machine, machine, machine);
            }
            return machine;
        };
        let interface = self.interface(interface_name);
        let (machine, interface) = (machine?, interface?);
        let (part, wanted) = (machine_part(self.db, machine), interface_part(self.db, interface));
        let interface_name = self.name(interface_name);
        let problem = if let Some(event) = missing_event(self.db, self.project, &wanted.receives, &part.receives) {
            let message = format!("`{name}` cannot stand behind `{interface_name}`: it does not receive `{event}`");
            Problem::new(Code::BindReceives, binding.part, message)
        } else if !part.constructor.accepts(&wanted.constructor) {
            let value = |ty: &Ty| if *ty == Ty::Null { "nothing".to_owned() } else { format!("a value of type `{ty}`") };
            let (mine, theirs) = (value(&part.constructor), value(&wanted.constructor));
            let message = format!(
                "`{name}` cannot stand behind `{interface_name}`: it is created with {mine}, and the interface with {theirs}"
            );
            Problem::new(Code::BindConstructor, binding.part, message)
        } else {
            self.refuse_constructor(binding.machine, machine, interface);
            return Some(machine);
        };
        let problem = problem.with_related(interface, name_node(self.db, interface, None), "the interface");
        self.problems.push(problem.with_related(machine, name_node(self.db, machine, None), "the machine"));
        None
    }

    /// P's compiler refuses a machine behind an interface that is created with a value of some aliases.
    fn refuse_constructor(&mut self, place: NameId, machine: Decl<'db>, interface: Decl<'db>) {
        let (part, wanted) = (machine_part(self.db, machine), interface_part(self.db, interface));
        if is_refused(&part.constructor, &wanted.constructor)
            && let Some(alias) = value_alias(self.db, interface)
        {
            self.problems.push(refused(self.db, place, alias, &wanted.constructor));
        }
    }

    fn unknown_machine(&mut self, id: NameId, name: &str) {
        let declared = lookup(self.db, self.project, Space::Type, name).map(|def| def.decl);
        let problem = match declared.map(|decl| decl.kind(self.db)) {
            _ if name.is_empty() => return,
            Some(DeclKind::Interface) => {
                let message = format!("`{name}` is an interface, and a machine must stand behind it");
                Problem::new(Code::UnknownMachine, id, message).with_help(format!("write `Machine -> {name}`"))
            }
            Some(DeclKind::Spec | DeclKind::Scenario) => {
                let message = format!("`{name}` is a spec, and specs are not bound");
                Problem::new(Code::UnknownMachine, id, message).with_help(format!("attach it with `assert {name} in ...`"))
            }
            _ if lookup(self.db, self.project, Space::Module, name).is_some() => {
                let message = format!("`{name}` is a module, and in braces stand machines");
                Problem::new(Code::UnknownMachine, id, message)
                    .with_help(format!("modules are put together outside of braces: `union {name}, {{ ... }}`"))
            }
            _ => Problem::new(Code::UnknownMachine, id, format!("there is no machine `{name}`")).with_similar(
                name,
                &[Space::Type],
                Vec::new(),
            ),
        };
        self.problems.push(problem);
    }

    /// The interface of this name; reports if there is none.
    fn interface(&mut self, id: NameId) -> Option<Decl<'db>> {
        let name = self.name(id);
        let found = interface(self.db, self.project, &name);
        if found.is_none() && !name.is_empty() {
            let problem = Problem::new(Code::UnknownInterface, id, format!("there is no machine or interface `{name}`"));
            self.problems.push(problem.with_similar(&name, &[Space::Type], Vec::new()));
        }
        found
    }

    fn assert(&mut self, specs: &[NameId], value: Value<'db>) -> Value<'db> {
        let known: Vec<Option<Decl<'db>>> = specs.iter().map(|spec| self.spec(*spec)).collect();
        let mut value = value?;
        let mut is_right = true;
        for (&id, spec) in specs.iter().zip(known) {
            let Some(spec) = spec else {
                is_right = false;
                continue;
            };
            let name = spec.name(self.db);
            let observes = &machine_part(self.db, spec).observes;
            if let Some(event) = observes.iter().find(|event| !value.sends.contains(event)) {
                let message = format!("`{name}` watches `{event}`, which no machine of this module sends");
                let problem = Problem::new(Code::AssertUnsent, id, message);
                self.problems.push(problem.with_related(spec, name_node(self.db, spec, None), "the spec"));
                is_right = false;
            } else if value.specs.iter().any(|attached| attached.spec == spec) {
                self.report(Code::AssertTwice, id, format!("the spec `{name}` is attached to this module already"));
                is_right = false;
            } else {
                let interfaces = value.bindings.iter().map(|bound| bound.interface.clone()).collect();
                Arc::make_mut(&mut value).specs.push(AttachedSpec { spec, interfaces });
            }
        }
        is_right.then_some(value)
    }

    fn spec(&mut self, id: NameId) -> Option<Decl<'db>> {
        let name = self.name(id);
        let decl = machine(self.db, self.project, &name);
        match decl.map(|decl| (decl, decl.kind(self.db))) {
            Some((decl, DeclKind::Machine)) => {
                let problem = Problem::new(Code::NotASpec, id, format!("`{name}` is a machine, and only specs can be attached"));
                self.problems.push(problem.with_related(decl, name_node(self.db, decl, None), "declared here"));
                None
            }
            Some((decl, _)) => Some(decl),
            None => {
                if !name.is_empty() {
                    let problem = Problem::new(Code::UnknownSpec, id, format!("there is no spec `{name}`"));
                    self.problems.push(problem.with_similar(&name, &[Space::Type], Vec::new()));
                }
                None
            }
        }
    }

    fn rename(&mut self, from: NameId, to: NameId, value: Value<'db>) -> Value<'db> {
        let (old, new) = (self.interface(from), self.interface(to));
        let (mut value, old, new) = (value?, old?, new?);
        let (old_name, new_name) = (self.name(from), self.name(to));
        let (old_part, new_part) = (interface_part(self.db, old), interface_part(self.db, new));
        let (mine, theirs) = (&old_part.receives, &new_part.receives);
        let missing = missing_event(self.db, self.project, mine, theirs);
        let problem = if let Some(event) = missing.or_else(|| missing_event(self.db, self.project, theirs, mine)) {
            let message = format!("`{old_name}` and `{new_name}` must receive the same events, but only one receives `{event}`");
            Problem::new(Code::RenameReceives, to, message)
                .with_related(old, name_node(self.db, old, None), format!("`{old_name}`"))
                .with_related(new, name_node(self.db, new, None), format!("`{new_name}`"))
        } else if !value.is_bound(&old_name) && !value.is_created(&old_name) {
            let message = format!("`{old_name}` is neither bound nor created in this module");
            Problem::new(Code::RenameAbsent, from, message)
        } else if value.is_bound(&new_name) || value.is_created(&new_name) {
            let message = format!("`{new_name}` is bound or created in this module already");
            Problem::new(Code::RenameTaken, to, message)
        } else {
            Arc::make_mut(&mut value).rename(&old_name, &new_name);
            return Some(value);
        };
        self.problems.push(problem);
        None
    }

    fn hide_interfaces(&mut self, interfaces: &[NameId], value: Value<'db>) -> Value<'db> {
        let is_known: Vec<bool> = interfaces.iter().map(|id| self.interface(*id).is_some()).collect();
        let mut value = value?;
        let mut is_right = true;
        for (&id, is_known) in interfaces.iter().zip(is_known) {
            let name = self.name(id);
            let what = match (value.is_created(&name), value.is_bound(&name)) {
                _ if !is_known => None,
                (true, true) => continue,
                (true, false) => Some("created and not bound"),
                (false, true) => Some("bound and not created"),
                (false, false) => Some("neither created nor bound"),
            };
            is_right = false;
            if let Some(what) = what {
                let message = format!("`{name}` cannot be hidden: it is {what} in this module, and must be both");
                self.report(Code::HiddenInterface, id, message);
            }
        }
        if !is_right {
            return None;
        }
        let names: Vec<SmolStr> = interfaces.iter().map(|id| self.name(*id)).collect();
        add_names(&mut Arc::make_mut(&mut value).private_interfaces, &names);
        Some(value)
    }

    fn hide_events(&mut self, id: ModuleId, events: &[EventRef], value: Value<'db>) -> Value<'db> {
        let mut is_right = true;
        for event in events {
            let name = self.name(event.name);
            if !is_event(self.db, self.project, &name) {
                is_right = false;
                if !name.is_empty() {
                    let problem = Problem::new(Code::UnknownEvent, event.name, format!("there is no event `{name}`"));
                    self.problems.push(problem.with_similar(&name, &[Space::Event], Vec::new()));
                }
            }
        }
        let value = value?;
        if !is_right {
            return None;
        }
        let events: Vec<(NameId, SmolStr)> = events.iter().map(|event| (event.name, self.name(event.name))).collect();
        self.hide_known_events(id, &events, value)
    }
}
