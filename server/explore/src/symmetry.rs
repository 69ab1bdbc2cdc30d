//! States that differ only in who is who.
//!
//! Programs can compare machines with `==` and nothing else. So if machines that one creator has created exchange their names, together with
//! whatever they have created themselves, everybody who knows them included, the system does what it did before: the two states are
//! bisimilar, and one of them is enough. (Only machines that exist change names: the next one that is created gets the same name in
//! both.) A program that writes names into texts is left alone, see `lockstep_runtime::shows_names`.
//!
//! Which of all these states is taken is decided by going through the system from the machines that keep their names: whoever is known to them
//! comes in the order in which they know it, then whoever is known to those, and so on. Where machines are left that nobody knows, the one
//! whose colour is the smallest comes next, which is a hash of what it is without names. Sisters are then named in this order. If two with
//! the same colour are not really the same, two states remain where one would do, and nothing is lost. As long as somebody has a list of
//! the machines it has created, they keep their names.
//!
//! Everything comes from content, never from numbers that depend on who found what first.

use rustc_hash::FxHashMap;
use std::sync::Arc;

use lockstep_runtime::{InterfaceId, MachineId, Program, are_created_alike, shows_names};

use crate::hash::{mixed, spread};
use crate::steps::Shared;
use crate::tables::{MONITORS, Shape, Who};

/// Systems of more machines are left as they are.
const MOST_MACHINES: usize = 64;

const NOBODY: u32 = u32::MAX;

/// Whether a program creates machines that could exchange names.
pub(crate) fn is_of_use(program: &Program) -> bool {
    let alike = are_created_alike(program);
    let mut created = program.interfaces.iter().flat_map(|creator| creator.links.iter().flatten());
    created.any(|interface| alike[interface.index()]) && !shows_names(program)
}

pub(crate) struct Symmetry<'a> {
    shared: &'a Shared<'a>,
    /// By the number of the component.
    shapes: Vec<Option<Arc<Shape>>>,
    /// The creator of a machine, and how many it had created before.
    origins: Vec<Option<(Who, u32)>>,
    children: FxHashMap<(Who, u32), Who>,
    /// A component, and then the new names of all it knows: the component with these names, and its hash.
    renamed: FxHashMap<Box<[u32]>, (u32, u128)>,
    /// By interface: whether machines are worth exchanging.
    alike: Vec<bool>,
    nodes: Vec<Node>,
    /// Whether some of them could exchange names.
    has_family: bool,
    /// Where a machine is among the nodes.
    places: Vec<u32>,
    /// Nodes in the order in which they are come to.
    visited: Vec<u32>,
    left: Vec<(u64, u32)>,
    colours: Vec<u64>,
    /// How many machines the creator of each node had created before, with the new names.
    indices: Vec<u32>,
    key: Vec<u32>,
    /// The names that were exchanged in the last state.
    renames: Vec<(Who, Who)>,
}

/// A machine or monitor of the state that is looked at.
struct Node {
    who: Who,
    /// What it was created as; `None` for a monitor.
    interface: Option<InterfaceId>,
    /// Where its creator is.
    creator: u32,
    /// How many that one had created before.
    index: u32,
    /// The first of the sisters with which it can exchange names; itself if there are none before it.
    family: u32,
    is_fixed: bool,
    /// When it was come to; `NOBODY` if it was not.
    rank: u32,
}

impl<'a> Symmetry<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>) -> Self {
        Self {
            shared,
            shapes: Vec::new(),
            origins: Vec::new(),
            children: FxHashMap::default(),
            renamed: FxHashMap::default(),
            alike: are_created_alike(shared.program),
            nodes: Vec::new(),
            has_family: false,
            places: Vec::new(),
            visited: Vec::new(),
            left: Vec::new(),
            colours: Vec::new(),
            indices: Vec::new(),
            key: Vec::new(),
            renames: Vec::new(),
        }
    }

    /// Puts the state that stands for all of its kind in the place of a state. Gives the hash of it.
    pub(crate) fn stand_for(&mut self, state: &mut [u32], hash: u128) -> u128 {
        self.renames.clear();
        if state.len() > MOST_MACHINES || !self.has_families(state) {
            return hash;
        }
        self.go_through(state);
        if self.name_anew() { self.rename(state, hash) } else { hash }
    }

    /// A hash of what a state is up to names: the same for all states that one stands for. `None` if no machines could exchange names.
    pub(crate) fn kind(&mut self, state: &[u32]) -> Option<u128> {
        if state.len() > MOST_MACHINES || !self.has_families(state) {
            return None;
        }
        self.go_through(state);
        let rank = |who: Who| self.place(who).map_or(u64::from(NOBODY), |place| u64::from(self.nodes[place].rank));
        let parts = self.nodes.iter().zip(state).map(|(node, number)| {
            let shape = self.shape(*number);
            let known = shape.edges.iter().map(|(label, who)| spread(label ^ rank(*who).rotate_left(20)));
            mixed(u128::from(known.fold(shape.colour, u64::wrapping_add)) << 64 | u128::from(node.rank))
        });
        Some(parts.fold(0, u128::wrapping_add))
    }

    /// The state that comes next keeps the names it has.
    pub(crate) fn keep_names(&mut self) {
        self.renames.clear();
    }

    /// Who is called what in the last state that was given to `stand_for`; nothing if all names were kept.
    pub(crate) fn renames(&self) -> &[(Who, Who)] {
        &self.renames
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.renamed.capacity() * 96 + self.shapes.capacity() * 8) as u64
    }

    fn shape(&self, number: u32) -> &Shape {
        // Invariant: `has_families` asks for the shapes of all parts of the state.
        self.shapes[number as usize].as_deref().expect("it was asked for")
    }

    /// Lists the parts of the state. Gives whether some machines could exchange names.
    fn has_families(&mut self, state: &[u32]) -> bool {
        state.iter().for_each(|number| self.learn(*number));
        if !self.are_the_same(state) {
            self.list(state);
        }
        self.nodes.iter_mut().for_each(|node| node.rank = NOBODY);
        self.has_family
    }

    /// Whether the last state had the same machines, so that everything is known about their families.
    fn are_the_same(&self, state: &[u32]) -> bool {
        let is_same = |(node, number): (&Node, &u32)| {
            let shape = self.shape(*number);
            node.who == shape.who && node.interface == shape.interface
        };
        self.nodes.len() == state.len() && self.nodes.iter().zip(state).all(is_same)
    }

    fn list(&mut self, state: &[u32]) {
        for node in &self.nodes {
            if node.who < MONITORS {
                self.places[node.who as usize] = NOBODY;
            }
        }
        self.nodes.clear();
        self.has_family = false;
        for &number in state {
            let (who, interface) = {
                let shape = self.shape(number);
                (shape.who, shape.interface)
            };
            let place = u32::try_from(self.nodes.len()).unwrap_or(NOBODY);
            let mut node = Node { who, interface, creator: NOBODY, index: 0, family: place, is_fixed: true, rank: NOBODY };
            if who < MONITORS {
                if let Some((creator, index)) = self.origin(who) {
                    node.creator = self.places.get(creator as usize).copied().unwrap_or(NOBODY);
                    node.index = index;
                    let is_alike = interface.is_some_and(|interface| self.alike[interface.index()]);
                    if let Some(sister) = self.sister(&node).filter(|_| is_alike) {
                        node.family = self.nodes[sister].family;
                        node.is_fixed = false;
                        self.nodes[sister].is_fixed = false;
                        self.has_family = true;
                    }
                }
                if self.places.len() <= who as usize {
                    self.places.resize(who as usize + 1, NOBODY);
                }
                self.places[who as usize] = place;
            }
            self.nodes.push(node);
        }
        // What was created by a machine that may change its name does not keep its own. Creators come before what they have created.
        for place in 1..self.nodes.len() {
            if let Some(creator) = self.nodes.get(self.nodes[place].creator as usize) {
                self.nodes[place].is_fixed &= creator.is_fixed;
            }
        }
    }

    /// A machine with which this one can exchange names.
    fn sister(&self, node: &Node) -> Option<usize> {
        let is_sister = |place: &usize| {
            let other = &self.nodes[*place];
            other.creator == node.creator && other.interface == node.interface
        };
        // The first is the main machine, which is a sister of nobody.
        (1..self.nodes.len()).find(is_sister).filter(|_| node.creator != NOBODY)
    }

    fn learn(&mut self, number: u32) {
        let index = number as usize;
        if self.shapes.len() <= index {
            self.shapes.resize(index + 1, None);
        }
        if self.shapes[index].is_none() {
            self.shapes[index] = Some(Arc::new(self.shared.tables().shape(number)));
        }
    }

    fn origin(&mut self, who: Who) -> Option<(Who, u32)> {
        let index = who as usize;
        if self.origins.len() <= index {
            self.origins.resize(index + 1, None);
        }
        if self.origins[index].is_none() {
            let mut tables = self.shared.tables();
            let (creator, number) = tables.machine_id(who).creator()?;
            self.origins[index] = Some((tables.who(&creator), number));
        }
        self.origins[index]
    }

    /// Goes through the system and numbers everybody in an order that does not depend on the names of sisters.
    fn go_through(&mut self, state: &[u32]) {
        self.visited.clear();
        for place in 0..self.nodes.len() {
            if self.nodes[place].is_fixed {
                self.visit(place);
            }
        }
        let mut next = 0;
        loop {
            next = self.follow(state, next);
            if self.visited.len() == self.nodes.len() {
                return;
            }
            self.colour_the_rest(state);
            for left in 0..self.left.len() {
                let (_, place) = self.left[left];
                if self.nodes[place as usize].rank == NOBODY {
                    self.visit(place as usize);
                    let before = self.visited.len();
                    next = self.follow(state, next);
                    if self.visited.len() > before {
                        break;
                    }
                }
            }
        }
    }

    fn visit(&mut self, place: usize) {
        if self.nodes[place].rank == NOBODY {
            let place_of_it = u32::try_from(place).unwrap_or(NOBODY);
            self.nodes[place].rank = u32::try_from(self.visited.len()).unwrap_or(NOBODY);
            self.visited.push(place_of_it);
        }
    }

    /// Visits whoever is known to those that were visited from `next` on. Gives how many were visited.
    fn follow(&mut self, state: &[u32], next: usize) -> usize {
        let mut next = next;
        while next < self.visited.len() {
            let place = self.visited[next] as usize;
            next += 1;
            let shape = self.shapes[state[place] as usize].take();
            for (_, who) in shape.iter().flat_map(|shape| &shape.edges) {
                if let Some(known) = self.place(*who) {
                    self.visit(known);
                }
            }
            self.shapes[state[place] as usize] = shape;
        }
        next
    }

    fn place(&self, who: Who) -> Option<usize> {
        self.places.get(who as usize).copied().filter(|place| *place != NOBODY).map(|place| place as usize)
    }

    /// Lists those that nobody knows who was visited, in the order of their colours.
    fn colour_the_rest(&mut self, state: &[u32]) {
        let mut left = std::mem::take(&mut self.left);
        let mut colours = std::mem::take(&mut self.colours);
        colours.clear();
        colours.resize(self.nodes.len(), 0);
        left.clear();
        // What was created comes behind its creator, and its colour is part of that of its creator.
        for place in (0..self.nodes.len()).rev() {
            let node = &self.nodes[place];
            let shape = self.shape(state[place]);
            let mut colour = u64::from(node.rank);
            if node.rank == NOBODY {
                let creator = self.nodes.get(node.creator as usize).map_or(0, |creator| u64::from(creator.rank));
                colour = spread(shape.colour ^ creator).wrapping_add(colours[place]);
                for (label, who) in &shape.edges {
                    let rank = |place: usize| u64::from(self.nodes[place].rank);
                    let known = if *who == shape.who { u64::MAX } else { self.place(*who).map_or(0, rank) };
                    colour = colour.wrapping_add(spread(label ^ known.rotate_left(20)));
                }
                left.push((colour, u32::try_from(place).unwrap_or(NOBODY)));
            }
            if let Some(of_creator) = colours.get_mut(node.creator as usize) {
                *of_creator = of_creator.wrapping_add(spread(colour));
            }
        }
        left.sort_unstable();
        self.left = left;
        self.colours = colours;
    }

    /// Names sisters in the order in which they were come to. Gives whether a name changes.
    fn name_anew(&mut self) -> bool {
        self.indices.clear();
        self.indices.extend(self.nodes.iter().map(|node| node.index));
        let mut has_changed = false;
        for first in 0..self.nodes.len() {
            let members = || (first..self.nodes.len()).filter(|at| self.nodes[*at].family as usize == first);
            if self.nodes[first].family as usize != first || members().is_sorted_by_key(|at| self.nodes[at].rank) {
                continue;
            }
            has_changed = true;
            let mut in_order: Vec<usize> = members().collect();
            in_order.sort_by_key(|at| self.nodes[*at].rank);
            for (old, new) in members().zip(&in_order) {
                self.indices[*new] = self.nodes[old].index;
            }
        }
        has_changed
    }

    /// Gives everybody the new name, and everybody who knows somebody the new name of that one.
    fn rename(&mut self, state: &mut [u32], hash: u128) -> u128 {
        // Creators come before what they have created.
        for position in 0..self.nodes.len() {
            let Node { creator, who, .. } = self.nodes[position];
            let new_who = match self.renames.get(creator as usize) {
                Some(&(_, creator)) => self.child(creator, self.indices[position]),
                None => who,
            };
            self.renames.push((who, new_who));
        }
        let mut hash = hash;
        for (position, number) in state.iter_mut().enumerate() {
            let (new, change) = self.with_new_names(*number, self.renames[position].1);
            *number = new;
            hash = hash.wrapping_add(change);
        }
        self.put_in_order(state);
        self.renames.retain(|(who, _)| *who < MONITORS);
        hash
    }

    fn child(&mut self, creator: Who, index: u32) -> Who {
        let shared = self.shared;
        *self.children.entry((creator, index)).or_insert_with(|| {
            let mut tables = shared.tables();
            let id = tables.machine_id(creator).child(index);
            tables.who(&id)
        })
    }

    /// The component with new names, and by how much the hash changes.
    fn with_new_names(&mut self, number: u32, new_who: Who) -> (u32, u128) {
        let shape = self.shapes[number as usize].clone().expect("it was asked for");
        let mut key = std::mem::take(&mut self.key);
        let new_name = |who: Who| self.place(who).map_or(who, |place| self.renames[place].1);
        key.clear();
        key.push(number);
        key.push(new_who);
        key.extend(shape.names.iter().map(|who| new_name(*who)));
        let is_same = new_who == shape.who && shape.names.iter().eq(&key[2..]);
        let (new, hash) = if is_same {
            (number, shape.hash)
        } else if let Some(known) = self.renamed.get(key.as_slice()) {
            *known
        } else {
            let pairs = shape.names.iter().copied().zip(key[2..].iter().copied());
            let known = self.shared.renamed(number, new_who, pairs);
            self.renamed.insert(key.clone().into(), known);
            known
        };
        self.key = key;
        (new, hash.wrapping_sub(shape.hash))
    }

    /// Machines are in the order of their names.
    fn put_in_order(&self, state: &mut [u32]) {
        let machines = self.nodes.iter().take_while(|node| node.who < MONITORS).count();
        let renames = &self.renames[..machines];
        let places: Option<Vec<usize>> = renames.iter().map(|(_, new)| self.place(*new)).collect();
        let old = state[..machines].to_vec();
        match places {
            // The names are the same all in all.
            Some(places) => places.iter().zip(old).for_each(|(place, number)| state[*place] = number),
            None => {
                let tables = self.shared.tables();
                let mut named: Vec<(&MachineId, u32)> = renames.iter().map(|(_, new)| tables.machine_id(*new)).zip(old).collect();
                named.sort();
                named.iter().zip(state).for_each(|((_, number), place)| *place = *number);
            }
        }
    }
}
