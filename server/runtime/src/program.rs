//! A test case as plain data: everything a run needs, and nothing of how it was written but places.
//!
//! Made by `lower`. Everything is found by number: `EventId(3)` is the fourth of `Program::events`. Two programs that differ in
//! white space and comments only have the same fingerprint, because places do not count for it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lockstep_base::TextRange;
use smol_str::SmolStr;

use crate::code::Function;
use crate::fingerprint::{Fingerprint, StableHasher};
use crate::value::Value;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}

ids! {
    /// Into `Program::files`.
    FileId;
    /// Into `Program::events`.
    EventId;
    /// Into `Program::event_sets`.
    EventSetId;
    /// Into `Program::enums`.
    EnumId;
    /// Which values are told apart, by `Program::abstractions`.
    AbstractionId;
    /// Into `Program::types`.
    TypeId;
    /// Into `Program::field_names`: the names of a named tuple's fields.
    NamesId;
    /// Into `Program::fields`: the name of a field, in whichever tuples.
    FieldId;
    /// Into `Program::interfaces`.
    InterfaceId;
    /// Into `Program::machines`: a machine, spec or scenario as declared.
    MachineTypeId;
    /// Into `MachineType::states`.
    StateId;
    /// Into `Program::functions`.
    FunctionId;
    /// Into `Program::monitors`: a spec or scenario that watches this test.
    MonitorId;
    /// Into `Program::created_names`: a name as written behind `new`.
    CreatedId;
    /// Into `Program::constants`.
    ConstId;
}

/// The built-in event that means that there is nothing else to do.
pub const NULL_EVENT: EventId = EventId(0);
/// The built-in event that ends a machine that does not handle it.
pub const HALT: EventId = EventId(1);

/// Values of which some are told apart, and all others are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Abstraction {
    /// In fields with this name; `None` for numbers themselves.
    pub field: Option<SmolStr>,
    pub values: Vec<i64>,
}

/// One test case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// As P names it, with the values of its parameters.
    pub name: String,
    /// Paths, for places.
    pub files: Vec<String>,
    /// `null` and `halt` first.
    pub events: Vec<Event>,
    pub event_sets: Vec<EventSet>,
    pub enums: Vec<Enum>,
    pub types: Vec<Type>,
    pub field_names: Vec<Arc<[SmolStr]>>,
    /// Names of fields that the code mentions.
    pub fields: Vec<SmolStr>,
    /// For each of `field_names`, where the fields with these names are in it.
    pub(crate) field_places: Vec<Box<[Option<u32>]>>,
    pub interfaces: Vec<Interface>,
    pub machines: Vec<MachineType>,
    pub monitors: Vec<Monitor>,
    pub functions: Vec<Function>,
    pub created_names: Vec<SmolStr>,
    pub constants: Vec<Value>,
    /// What is not told apart; nothing, in a program that is run as it is written.
    pub abstractions: Vec<Abstraction>,
    /// What is started.
    pub main: InterfaceId,
}

impl Program {
    /// Whether the main machine can create nobody, so that it stays the only one.
    pub fn has_one_machine(&self) -> bool {
        self.interface(self.main).links.iter().all(Option::is_none)
    }

    /// Changes with everything that a run depends on, and with nothing else: not with where its files lie.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = StableHasher::default();
        Self { files: Vec::new(), ..self.clone() }.hash(&mut hasher);
        hasher.fingerprint()
    }

    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// Which of a tuple's elements has this name.
    #[inline]
    pub fn field_place(&self, names: NamesId, field: FieldId) -> Option<usize> {
        self.field_places[names.index()][field.index()].map(|place| place as usize)
    }

    pub fn field_name(&self, id: FieldId) -> &SmolStr {
        &self.fields[id.index()]
    }

    pub fn interface(&self, id: InterfaceId) -> &Interface {
        &self.interfaces[id.index()]
    }

    pub fn machine(&self, id: MachineTypeId) -> &MachineType {
        &self.machines[id.index()]
    }

    pub fn state(&self, machine: MachineTypeId, state: StateId) -> &State {
        &self.machine(machine).states[state.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub fn events_of(&self, id: EventSetId) -> &EventSet {
        &self.event_sets[id.index()]
    }
}

/// A place in the text of a program. All places are equal to a hasher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub range: TextRange,
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    pub name: SmolStr,
    /// What it carries; `Type::Null` if nothing.
    pub payload: TypeId,
}

/// A set of events, as a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventSet(Vec<u64>);

impl EventSet {
    pub fn insert(&mut self, event: EventId) {
        let word = event.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (event.index() % 64);
    }

    pub fn contains(&self, event: EventId) -> bool {
        self.0.get(event.index() / 64).is_some_and(|word| word >> (event.index() % 64) & 1 == 1)
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(index, word)| word & !other.0.get(index).copied().unwrap_or_default() == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = EventId> {
        let bits =
            self.0.iter().zip(0_u32..).flat_map(|(word, number)| (0..64).map(move |bit| (*word >> bit & 1, number * 64 + bit)));
        bits.filter(|(set, _)| *set == 1).map(|(_, event)| EventId(event))
    }
}

impl FromIterator<EventId> for EventSet {
    fn from_iter<I: IntoIterator<Item = EventId>>(events: I) -> Self {
        let mut set = Self::default();
        events.into_iter().for_each(|event| set.insert(event));
        set
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    pub name: SmolStr,
    pub elements: Vec<(SmolStr, i64)>,
}

impl Enum {
    /// The element with this number. Numbers can be given twice, and then the first counts.
    pub fn element(&self, number: i64) -> Option<&SmolStr> {
        self.elements.iter().find(|(_, value)| *value == number).map(|(name, _)| name)
    }
}

/// A type, as far as runs care.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Any,
    Null,
    Bool,
    Int,
    Float,
    String,
    Event,
    /// A reference to a machine, whatever it takes.
    Machine,
    Enum(EnumId),
    Foreign(SmolStr),
    Seq(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Tuple(Vec<TypeId>),
    Named(NamesId, Vec<TypeId>),
}

/// What can be created: a name, and the machine that this test has put behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interface {
    pub name: SmolStr,
    pub machine: MachineTypeId,
    /// What a reference that `new` gives may be sent.
    pub receives: EventSetId,
    /// What `new` creates in its machine, by `CreatedId`; `None` where it never does.
    pub links: Vec<Option<InterfaceId>>,
    /// Who watches what its machine sends and announces, in the order in which they are told.
    pub monitors: Vec<MonitorId>,
}

/// A machine, spec or scenario as declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MachineType {
    pub name: SmolStr,
    pub fields: Vec<Variable>,
    pub states: Vec<State>,
    /// `None` for a spec without a start state, which P accepts.
    pub start: Option<StateId>,
    /// What `this` may be sent.
    pub receives: EventSetId,
    pub sends: EventSetId,
    pub is_monitor: bool,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    pub name: SmolStr,
    pub ty: TypeId,
    /// What it is at first.
    pub initial: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub name: SmolStr,
    pub temperature: Temperature,
    pub entry: Option<FunctionId>,
    pub exit: Option<FunctionId>,
    /// What to do with an event, by `EventId`; shorter than the list of events where the rest is unhandled.
    pub reactions: Vec<Reaction>,
    pub place: Place,
}

impl State {
    pub fn reaction(&self, event: EventId) -> Reaction {
        self.reactions.get(event.index()).copied().unwrap_or(Reaction::Unhandled)
    }

    /// Whether the state does something when there is nothing else to do.
    pub fn handles_null(&self) -> bool {
        matches!(self.reaction(NULL_EVENT), Reaction::Do(_) | Reaction::Goto { .. })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reaction {
    Unhandled,
    Defer,
    Ignore,
    Do(FunctionId),
    Goto { target: StateId, with: Option<FunctionId> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Temperature {
    Hot,
    Warm,
    Cold,
}

/// A spec or scenario that watches the test.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    pub machine: MachineTypeId,
    pub observes: EventSet,
    /// A scenario is something that may happen; it is no error if it does not.
    pub is_scenario: bool,
}
