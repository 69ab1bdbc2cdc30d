//! What a module is: plain data, without any trace of how it was written.
//!
//! Invariant: every list but `specs` is sorted by name and has no repetitions, so that modules put together in another order are
//! equal up to the order of their specs. That order is kept because specs are started in it.

use std::sync::Arc;

use smol_str::SmolStr;

use super::alphabet::Alphabet;
use crate::declaration::Decl;

/// A module without errors.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Module<'db> {
    /// Shared with the modules this one is made of.
    pub bindings: Vec<Arc<BoundInterface<'db>>>,
    pub sends: Alphabet,
    pub receives: Alphabet,
    /// Interfaces its machines create, after renaming.
    pub creates: Vec<SmolStr>,
    /// In the order in which they were attached.
    pub specs: Vec<AttachedSpec<'db>>,
    pub private_events: Vec<SmolStr>,
    pub private_interfaces: Vec<SmolStr>,
}

/// An interface and the machine that stands behind it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct BoundInterface<'db> {
    pub interface: SmolStr,
    pub machine: Decl<'db>,
    pub links: Vec<Link>,
}

/// Where the machine's code says `new written()`, it gets `interface`. They differ after `rename`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub written: SmolStr,
    pub interface: SmolStr,
}

/// A spec and the interfaces whose machines it watches.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct AttachedSpec<'db> {
    pub spec: Decl<'db>,
    pub interfaces: Vec<SmolStr>,
}

impl<'db> Module<'db> {
    pub(super) fn new(mut bindings: Vec<Arc<BoundInterface<'db>>>, sends: Alphabet, receives: Alphabet) -> Self {
        bindings.sort_by(|a, b| a.interface.cmp(&b.interface));
        let creates = created(&bindings);
        let (specs, private_events, private_interfaces) = (Vec::new(), Vec::new(), Vec::new());
        Self { bindings, sends, receives, creates, specs, private_events, private_interfaces }
    }

    /// The machine behind an interface.
    pub fn machine(&self, interface: &str) -> Option<Decl<'db>> {
        self.position(interface).map(|at| self.bindings[at].machine)
    }

    pub fn is_bound(&self, interface: &str) -> bool {
        self.position(interface).is_some()
    }

    pub fn is_created(&self, interface: &str) -> bool {
        self.creates.binary_search_by(|name| name.as_str().cmp(interface)).is_ok()
    }

    /// Interfaces that are created, and nothing in the module stands behind them.
    pub fn unbound(&self) -> impl Iterator<Item = &SmolStr> {
        self.creates.iter().filter(|name| !self.is_bound(name))
    }

    /// Interfaces that the world outside of the module creates or must provide.
    pub(super) fn open_interfaces(&self) -> impl Iterator<Item = &SmolStr> {
        let provided = self.bindings.iter().map(|bound| &bound.interface).filter(|name| !self.is_created(name));
        provided.chain(self.unbound())
    }

    /// All interfaces that are bound or created.
    pub(super) fn interfaces(&self) -> impl Iterator<Item = &SmolStr> {
        self.bindings.iter().map(|bound| &bound.interface).chain(self.unbound())
    }

    /// A machine of the module that creates this interface.
    pub fn creator(&self, interface: &str) -> Option<Decl<'db>> {
        let creates = |bound: &&Arc<BoundInterface<'db>>| bound.links.iter().any(|link| link.interface == interface);
        self.bindings.iter().find(creates).map(|bound| bound.machine)
    }

    pub(super) fn rename(&mut self, from: &SmolStr, to: &SmolStr) {
        let rename = |name: &mut SmolStr| {
            if name == from {
                *name = to.clone();
            }
        };
        let has_it = |bound: &&mut Arc<BoundInterface<'db>>| {
            bound.interface == *from || bound.links.iter().any(|link| link.interface == *from)
        };
        for bound in self.bindings.iter_mut().filter(has_it).map(Arc::make_mut) {
            rename(&mut bound.interface);
            bound.links.iter_mut().for_each(|link| rename(&mut link.interface));
        }
        self.bindings.sort_by(|a, b| a.interface.cmp(&b.interface));
        self.creates = created(&self.bindings);
        for names in self.specs.iter_mut().map(|spec| &mut spec.interfaces).chain([&mut self.private_interfaces]) {
            names.iter_mut().for_each(rename);
            names.sort();
        }
    }

    fn position(&self, interface: &str) -> Option<usize> {
        self.bindings.binary_search_by(|bound| bound.interface.as_str().cmp(interface)).ok()
    }
}

fn created(bindings: &[Arc<BoundInterface<'_>>]) -> Vec<SmolStr> {
    let links = bindings.iter().flat_map(|bound| &bound.links);
    let mut creates: Vec<SmolStr> = links.map(|link| link.interface.clone()).collect();
    creates.sort();
    creates.dedup();
    creates
}

/// Adds names to a sorted list.
pub(super) fn add_names(names: &mut Vec<SmolStr>, more: &[SmolStr]) {
    names.extend_from_slice(more);
    names.sort();
    names.dedup();
}
