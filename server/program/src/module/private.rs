//! Private events: those that `hidee` takes from the world outside of a module.
//!
//! P's compiler makes all checks of `hidee` but the last, and stops working there even if nothing is wrong, so that no program with
//! `hidee` was ever accepted. What is right by those checks, and by the last as it is meant, is right here.

use std::sync::Arc;

use lockstep_syntax::p::ast::{ModuleId, NameId};
use smol_str::SmolStr;

use super::alphabet::Alphabet;
use super::eval::Evaluator;
use super::parts::{interface, interface_part};
use super::value::{Module, add_names};
use crate::problem::{Code, Node, Problem};
use crate::resolve::event_payload;
use crate::scope::{Space, lookup};
use crate::ty::{Events, Ty};

impl<'db> Evaluator<'_, 'db> {
    /// `hidee` of events that exist.
    pub(super) fn hide_known_events(
        &mut self,
        id: ModuleId,
        events: &[(NameId, SmolStr)],
        mut module: Arc<Module<'db>>,
    ) -> Option<Arc<Module<'db>>> {
        let mut is_right = true;
        for (place, name) in events {
            let message = match (module.sends.contains(name), module.receives.contains(name)) {
                (true, true) => continue,
                (false, true) => format!("`{name}` cannot be hidden: no machine of this module sends it"),
                (true, false) => format!("`{name}` cannot be hidden: no machine of this module receives it"),
                (false, false) => format!("`{name}` cannot be hidden: no machine of this module sends or receives it"),
            };
            self.report(Code::HiddenEvent, *place, message);
            is_right = false;
        }
        if !is_right {
            return None;
        }
        let names: Vec<SmolStr> = events.iter().map(|(_, name)| name.clone()).collect();
        let (mut sends, mut receives) = (module.sends.clone(), module.receives.clone());
        sends.remove(&names);
        receives.remove(&names);
        let mut public = sends.clone();
        public.add(&receives);
        let open: Vec<&SmolStr> = module.open_interfaces().collect();
        let all: Vec<&SmolStr> = module.interfaces().collect();
        if let Some((event, why)) = self.exposed(&names, &public, &open, &all) {
            let place = events.iter().find(|(_, name)| *name == event).map_or(Node::Module(id), |(place, _)| Node::Name(*place));
            self.report(Code::ExposedEvent, place, format!("`{event}` cannot be hidden: {why}"));
            return None;
        }
        let hidden = Arc::make_mut(&mut module);
        (hidden.sends, hidden.receives) = (sends, receives);
        add_names(&mut hidden.private_events, &names);
        Some(module)
    }

    /// Whether the private events of modules that are put together stay private.
    pub(super) fn check_private_events(&mut self, modules: &[(ModuleId, Arc<Module<'db>>)]) -> bool {
        let mut private = Vec::new();
        modules.iter().for_each(|(_, module)| add_names(&mut private, &module.private_events));
        if private.is_empty() {
            return true;
        }
        let mut public = Alphabet::none();
        for (_, module) in modules {
            public.add(&module.sends);
            public.add(&module.receives);
        }
        let is_public = |event: &str, module: &Module<'db>| module.sends.contains(event) || module.receives.contains(event);
        let open: Vec<&SmolStr> = modules.iter().flat_map(|(_, module)| module.open_interfaces()).collect();
        let all: Vec<&SmolStr> = modules.iter().flat_map(|(_, module)| module.interfaces()).collect();
        let clash = private.iter().find(|event| public.contains(event));
        let (event, why) = match clash {
            Some(event) => (event.clone(), "another one sends or receives it".to_owned()),
            None => match self.exposed(&private, &public, &open, &all) {
                Some(found) => found,
                None => return true,
            },
        };
        let hides = modules.iter().find(|(_, module)| module.private_events.contains(&event));
        let Some((place, _)) = hides else { return true };
        let message = format!("`{event}` is hidden in this module and not in the others it is put together with: {why}");
        let mut problem = Problem::new(Code::PrivateInOne, *place, message);
        if let Some((other, _)) = modules.iter().find(|(_, module)| is_public(&event, module)) {
            problem = problem.with_related(self.decl, *other, format!("`{event}` is not hidden here"));
        }
        self.problems.push(problem);
        false
    }

    /// A private event that the world outside could still send, and how: to a machine of an interface it knows, or to one whose
    /// reference it gets in a public event or must give when it creates a machine.
    fn exposed(
        &self,
        private: &[SmolStr],
        public: &Alphabet,
        open: &[&SmolStr],
        interfaces: &[&SmolStr],
    ) -> Option<(SmolStr, String)> {
        let (db, project) = (self.db, self.project);
        for name in open {
            let Some(decl) = interface(db, project, name) else { continue };
            let receives = &interface_part(db, decl).receives;
            if let Some(event) = private.iter().find(|event| receives.contains(event)) {
                let why = format!("the interface `{name}` receives it, and is not both created and bound in the module");
                return Some((event.clone(), why));
            }
        }
        for carrier in public.events(db, project) {
            let Some(def) = lookup(db, project, Space::Event, &carrier).filter(|def| def.part.is_none()) else { continue };
            let payload = event_payload(db, def.decl);
            if let Some(event) = private.iter().find(|event| lets_send(payload, event)) {
                return Some((event.clone(), format!("`{carrier}` can carry a machine that receives it")));
            }
        }
        for name in interfaces {
            let Some(decl) = interface(db, project, name) else { continue };
            let constructor = &interface_part(db, decl).constructor;
            if let Some(event) = private.iter().find(|event| lets_send(constructor, event)) {
                return Some((event.clone(), format!("`{name}` can be created with a machine that receives it")));
            }
        }
        None
    }
}

/// Whether a value of this type can hold a machine to which the event may be sent.
fn lets_send(ty: &Ty, event: &str) -> bool {
    crate::stack::level(|| match ty {
        Ty::Any | Ty::Machine | Ty::Foreign(_) => true,
        Ty::Reference(_, events) => Events::contains(events, event),
        Ty::Seq(element) | Ty::Set(element) => lets_send(element, event),
        Ty::Map(key, value) => lets_send(key, event) || lets_send(value, event),
        Ty::Tuple(elements) => elements.iter().any(|element| lets_send(element, event)),
        Ty::NamedTuple(fields) => fields.iter().any(|(_, field)| lets_send(field, event)),
        _ => false,
    })
}
