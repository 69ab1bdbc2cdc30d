//! The ends of calls.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{
    Db, Decl, DeclKind, Def, MemberKind, Node, Place, ProjectFile, Space, Target, WordAt, lookup, place_range,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, EventRef, Machine, PartId, State, StateItem, StateItemKind};

use super::super::declared::{decl_of, declared_at, name};
use super::super::names::{FilePlace, item_at, name_at};
use super::CallItem;
use crate::SymbolKind;

/// Something that calls or is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Party<'db> {
    /// A function, an event, a machine or interface, a test or implementation, or a state.
    Declared(Target<'db>),
    /// What a state does when it is entered or left, or says about events; by the numbers of the state and of the item in it.
    Item { machine: Decl<'db>, state: usize, item: usize },
}

impl<'db> Party<'db> {
    /// What a name stands for, if that can call or be called.
    pub(super) fn of(db: &'db dyn Db, target: &Target<'db>) -> Option<Self> {
        let is_one = match target {
            Target::Global(Def { part: Some(_), .. }) | Target::Local { .. } => false,
            Target::Global(def) => symbol_kind(def.decl.kind(db)).is_some(),
            Target::Member { kind, .. } => *kind != MemberKind::Variable,
        };
        is_one.then(|| Self::Declared(target.clone()))
    }

    /// What the name at a place stands for, or the item of a state whose first word is there.
    pub(super) fn at(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Self> {
        if let Some(name) = name_at(db, file, offset) {
            return Self::of(db, &name.target);
        }
        let (_, decl) = item_at(db, file, offset)?;
        let item = Self::item_around(db, decl, TextRange::empty(offset))?;
        item.word(db).filter(|word| word.contains_inclusive(offset)).map(|_| item)
    }

    /// The innermost one that a place of a declaration belongs to.
    pub(super) fn around(db: &'db dyn Db, decl: Decl<'db>, range: TextRange) -> Option<Self> {
        if let Some(machine) = machine_of(db, decl) {
            let nodes = &decl.shape(db).0.nodes;
            let is_around = |part: PartId| part_range(db, decl, part).is_some_and(|all| all.contains_range(range));
            if let Some(function) = machine.functions.iter().find(|function| is_around(function.part)) {
                let name = nodes[function.name].0.clone();
                return Some(Self::Declared(Target::Member { machine: decl, kind: MemberKind::Function, name }));
            }
            if let Some(item) = Self::item_around(db, decl, range) {
                return Some(item);
            }
        }
        Self::of(db, &Target::Global(Def { decl, part: None }))
    }

    fn item_around(db: &'db dyn Db, machine: Decl<'db>, range: TextRange) -> Option<Self> {
        let is_around = |part: PartId| part_range(db, machine, part).is_some_and(|all| all.contains_range(range));
        let states = &machine_of(db, machine)?.states;
        let state = states.iter().position(|state| is_around(state.part))?;
        let item = states[state].items.iter().position(|item| is_around(item.part))?;
        Some(Self::Item { machine, state, item })
    }

    pub(super) fn name(&self, db: &'db dyn Db) -> Option<String> {
        match self {
            Self::Declared(target @ Target::Member { machine, .. }) => {
                Some(format!("{}.{}", machine.name(db), name(db, target)?))
            }
            Self::Declared(target) => name(db, target),
            Self::Item { machine, .. } => {
                let (state, item) = self.state_item(db)?;
                let nodes = &machine.shape(db).0.nodes;
                let text = |event: &EventRef| nodes[event.name].as_str().to_owned();
                let list = |events: &[EventRef]| events.iter().map(text).collect::<Vec<_>>().join(", ");
                let what = match &item.kind {
                    StateItemKind::Entry(_) => "entry".to_owned(),
                    StateItemKind::Exit(_) => "exit".to_owned(),
                    StateItemKind::Defer(events) => format!("defer {}", list(events)),
                    StateItemKind::Ignore(events) => format!("ignore {}", list(events)),
                    StateItemKind::OnDo { events, .. } => format!("on {}", list(events)),
                    StateItemKind::OnGoto { events, target, .. } => {
                        format!("on {} goto {}", list(events), nodes[*target].as_str())
                    }
                };
                Some(format!("{}.{} {what}", machine.name(db), nodes[state.name].as_str()))
            }
        }
    }

    pub(super) fn item(&self, db: &'db dyn Db, detail: Option<String>) -> Option<CallItem> {
        let (place, range, kind) = match self {
            Self::Declared(target) => {
                let place = declared_at(db, target)?;
                let (decl, node) = (decl_of(target), self.whole(db)?);
                let range = place_range(db, decl, Place { body: None, node })?;
                let kind = match target {
                    Target::Member { kind: MemberKind::State, .. } => SymbolKind::State,
                    Target::Member { .. } => SymbolKind::Function,
                    _ => symbol_kind(decl.kind(db))?,
                };
                (place, range, kind)
            }
            Self::Item { machine, .. } => {
                let place = FilePlace { file: machine.file(db).file(db), range: self.word(db)? };
                (place, part_range(db, *machine, self.state_item(db)?.1.part)?, SymbolKind::Handler)
            }
        };
        // Of broken text a part may not be around its name.
        Some(CallItem { name: self.name(db)?, kind, detail, place, range: range.cover(place.range) })
    }

    /// The declaration and the range of what it does itself.
    pub(super) fn code(&self, db: &'db dyn Db) -> Option<(Decl<'db>, TextRange)> {
        match self {
            Self::Declared(Target::Member { machine, kind: MemberKind::State, name }) => {
                let nodes = &machine.shape(db).0.nodes;
                let states = &machine_of(db, *machine)?.states;
                let state = states.iter().find(|state| nodes[state.name].as_str() == name)?;
                let entry = state.items.iter().find(|item| matches!(item.kind, StateItemKind::Entry(_)))?;
                Some((*machine, part_range(db, *machine, entry.part)?))
            }
            Self::Declared(target) => {
                let decl = decl_of(target);
                Some((decl, place_range(db, decl, Place { body: None, node: self.whole(db)? })?))
            }
            Self::Item { machine, .. } => Some((*machine, part_range(db, *machine, self.state_item(db)?.1.part)?)),
        }
    }

    /// What an item of a state is.
    pub(super) fn kind_of_item(&self, db: &'db dyn Db) -> Option<&'db StateItemKind> {
        self.state_item(db).map(|(_, item)| &item.kind)
    }

    /// Where the handler in an item of a state stands.
    pub(super) fn handler_range(&self, db: &'db dyn Db) -> Option<TextRange> {
        let Self::Item { machine, .. } = self else { return None };
        part_range(db, *machine, self.state_item(db)?.1.handler()?.part)
    }

    fn state_item(&self, db: &'db dyn Db) -> Option<(&'db State, &'db StateItem)> {
        let Self::Item { machine, state, item } = self else { return None };
        let state = machine_of(db, *machine)?.states.get(*state)?;
        Some((state, state.items.get(*item)?))
    }

    /// The word that an item of a state begins with.
    fn word(&self, db: &'db dyn Db) -> Option<TextRange> {
        let Self::Item { machine, .. } = self else { return None };
        let (_, item) = self.state_item(db)?;
        let word = match item.kind {
            StateItemKind::Entry(_) => "entry",
            StateItemKind::Exit(_) => "exit",
            StateItemKind::Defer(_) => "defer",
            StateItemKind::Ignore(_) => "ignore",
            StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. } => "on",
        };
        place_range(db, *machine, Place { body: None, node: Node::Word(word, WordAt::StartOfPart(item.part)) })
    }

    /// The node of all that declares it.
    fn whole(&self, db: &'db dyn Db) -> Option<Node> {
        let Self::Declared(Target::Member { machine, kind, name }) = self else { return Some(Node::Whole) };
        let (nodes, machine) = (&machine.shape(db).0.nodes, machine_of(db, *machine)?);
        let part = match kind {
            MemberKind::Function => machine.functions.iter().find(|function| nodes[function.name].as_str() == name)?.part,
            _ => machine.states.iter().find(|state| nodes[state.name].as_str() == name)?.part,
        };
        Some(Node::Part(part))
    }
}

pub(super) fn machine_of<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<&'db Machine> {
    match &decl.shape(db).0.decl {
        AstDecl::Machine(machine) => Some(machine),
        _ => None,
    }
}

fn part_range<'db>(db: &'db dyn Db, decl: Decl<'db>, part: PartId) -> Option<TextRange> {
    place_range(db, decl, Place { body: None, node: Node::Part(part) })
}

/// A state by its number.
pub(super) fn state_target<'db>(db: &'db dyn Db, machine: Decl<'db>, state: usize) -> Option<Target<'db>> {
    let state = machine_of(db, machine)?.states.get(state)?;
    let name = machine.shape(db).0.nodes[state.name].0.clone();
    Some(Target::Member { machine, kind: MemberKind::State, name })
}

pub(super) fn is_start_state(db: &dyn Db, target: &Target<'_>) -> bool {
    let Target::Member { machine, kind: MemberKind::State, name } = target else { return false };
    let nodes = &machine.shape(db).0.nodes;
    let states = machine_of(db, *machine).map_or(&[][..], |machine| &machine.states);
    states.iter().any(|state| state.is_start && nodes[state.name].as_str() == name)
}

/// The declared events that an item of a state is about.
pub(super) fn events_of<'db>(db: &'db dyn Db, machine: Decl<'db>, kind: &StateItemKind) -> Vec<Target<'db>> {
    let events = match kind {
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => return Vec::new(),
        StateItemKind::Defer(events) | StateItemKind::Ignore(events) => events,
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => events,
    };
    let (project, nodes) = (machine.file(db).project(db), &machine.shape(db).0.nodes);
    let declared = events.iter().filter(|event| event.kind == EventKind::Declared);
    let found = declared.filter_map(|event| lookup(db, project, Space::Event, nodes[event.name].as_str()));
    found.filter(|def| def.part.is_none()).map(Target::Global).collect()
}

fn symbol_kind(kind: DeclKind) -> Option<SymbolKind> {
    Some(match kind {
        DeclKind::Event => SymbolKind::Event,
        DeclKind::Function | DeclKind::Pure => SymbolKind::Function,
        DeclKind::Machine => SymbolKind::Machine,
        DeclKind::Spec | DeclKind::Scenario => SymbolKind::Spec,
        DeclKind::Interface => SymbolKind::Interface,
        DeclKind::Test => SymbolKind::Test,
        DeclKind::Implementation => SymbolKind::Module,
        _ => return None,
    })
}
