//! What every name of a program stands for.
//!
//! First everything is declared that can be used before it is written: what stands at the top, the variables of processes and the
//! fields of records (`declare`). Then each item is walked through with its local names (`walk`). A field or another process's
//! variable is found by the type of what stands before the dot (`types`); where that is not known, its meaning is `Unknown`.
//!
//! Invariants: `names` is in order of place, without empty ranges, each range once. Every declaration is among them.

mod declare;
mod types;
mod walk;

use lockstep_base::{Text, TextRange, TextSize};
use lockstep_syntax::Parse;
use lockstep_syntax::icet::ast::{Decl, File, Item, Part};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub(super) use types::Ty;

/// A name in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub range: TextRange,
    pub role: Role,
    pub meaning: Meaning,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// What is declared with the name at `range`.
    Declared {
        range: TextRange,
        kind: NameKind,
    },
    /// `card`, `finished` or `here`.
    Builtin,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Type,
    Enum,
    EnumElement,
    Message,
    Set,
    Constant,
    /// A ghost variable outside processes.
    SharedGhost,
    /// The only process of that name, or each member of a set inside of its own code.
    Process,
    Variable,
    /// A ghost variable of a process.
    Ghost,
    /// The variable of a loop over a set.
    Member,
    /// The number of a loop's turn.
    Index,
    /// The set of members whose turn is over.
    DoneSet,
    /// Bound by a quantifier or by `set (x: T) ::`.
    Bound,
    /// Of a record.
    Field,
    /// Of what a message or an enum element carries.
    Part,
    /// The label of an `invariant` or `ensures`.
    Claim,
}

/// What is done with a name at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Declare,
    Read,
    Write,
    Send,
    Receive,
    /// As a type, or as the set a process or another set belongs to.
    Type,
    /// As the case of a `match`.
    Case,
}

/// Every name in the text, in order.
pub fn names(parse: &Parse) -> Vec<Name> {
    let Some(program) = Program::of(parse) else { return Vec::new() };
    let name = |found: &Use| Name { range: found.range, role: found.role, meaning: program.meaning(found) };
    program.uses.iter().map(name).collect()
}

/// The index of a declaration.
pub(super) type DeclId = usize;

#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) name: SmolStr,
    pub(super) range: TextRange,
    pub(super) kind: NameKind,
    /// The item it stands in.
    pub(super) item: usize,
    /// Where it is known by its name alone; empty for what is only found behind a dot or not at all.
    pub(super) scope: TextRange,
    /// The process of a variable, the enum of an element, what carries a part.
    pub(super) owner: Option<DeclId>,
    pub(super) ty: Ty,
    /// What is written behind the name: the type with the initial value, the set of a loop, the condition of a claim.
    pub(super) rest: Option<TextRange>,
}

/// A name in the text, with what only this crate needs to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) range: TextRange,
    pub(super) role: Role,
    pub(super) target: Target,
    /// The process whose code it stands in.
    pub(super) process: Option<DeclId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Declared(DeclId),
    Builtin,
    Unknown,
    /// Behind a dot or in a record, of a type that is not known.
    UnknownField,
}

pub(super) struct Program<'p> {
    pub(super) text: &'p Text,
    pub(super) file: &'p File,
    pub(super) declarations: Vec<Declaration>,
    pub(super) uses: Vec<Use>,
    /// The first declaration of each name at the top.
    globals: FxHashMap<SmolStr, DeclId>,
    /// The variables of processes.
    variables: FxHashMap<(DeclId, SmolStr), DeclId>,
    /// The fields of record types: by item, by the type's place in it, by name.
    fields: FxHashMap<(usize, lockstep_syntax::icet::ast::TypeId, SmolStr), DeclId>,
    /// The process of each set, by the set's name.
    process_of_set: FxHashMap<SmolStr, DeclId>,
    /// What larger types are made of; only the index types of `Ty` know the order.
    parts: Vec<Ty>,
}

impl<'p> Program<'p> {
    /// `None` if the text is not IceT.
    pub(super) fn of(parse: &'p Parse) -> Option<Self> {
        let mut program = Self {
            text: parse.text(),
            file: parse.icet()?,
            declarations: Vec::new(),
            uses: Vec::new(),
            globals: FxHashMap::default(),
            variables: FxHashMap::default(),
            fields: FxHashMap::default(),
            process_of_set: FxHashMap::default(),
            parts: Vec::new(),
        };
        let locals = program.declare_items();
        program.walk_items(&locals);
        program.uses.sort_by_key(|found| (found.range.start(), found.range.end()));
        program.uses.dedup_by_key(|found| found.range);
        Some(program)
    }

    pub(super) fn meaning(&self, found: &Use) -> Meaning {
        match found.target {
            Target::Declared(id) => {
                let Declaration { range, kind, .. } = self.declarations[id];
                Meaning::Declared { range, kind }
            }
            Target::Builtin => Meaning::Builtin,
            Target::Unknown | Target::UnknownField => Meaning::Unknown,
        }
    }

    /// The name that `offset` is in or next to.
    pub(super) fn use_at(&self, offset: TextSize) -> Option<&Use> {
        let behind = self.uses.partition_point(|found| found.range.start() <= offset);
        self.uses[..behind].last().filter(|found| found.range.end() >= offset)
    }

    /// The declaration of the name at `offset`, and that name.
    pub(super) fn declared_at(&self, offset: TextSize) -> Option<(&Use, DeclId)> {
        let found = self.use_at(offset)?;
        match found.target {
            Target::Declared(id) => Some((found, id)),
            _ => None,
        }
    }

    /// Every place that means the declaration, in order.
    pub(super) fn uses_of(&self, id: DeclId) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |found| found.target == Target::Declared(id))
    }

    /// What is declared with the name at exactly that range.
    pub(super) fn declaration_at(&self, range: TextRange) -> Option<DeclId> {
        let at = self.uses.binary_search_by_key(&(range.start(), range.end()), |found| (found.range.start(), found.range.end()));
        match self.uses[at.ok()?] {
            Use { role: Role::Declare, target: Target::Declared(id), .. } => Some(id),
            _ => None,
        }
    }

    /// What a name means outside of all processes.
    pub(super) fn global(&self, name: &str) -> Option<DeclId> {
        self.globals.get(name).copied()
    }

    pub(super) fn slice(&self, range: TextRange) -> std::borrow::Cow<'p, str> {
        self.text.slice(range)
    }

    pub(super) fn item(&self, declaration: &Declaration) -> &'p Item {
        &self.file.items[declaration.item].value
    }

    /// All of the item that a declaration stands in.
    pub(super) fn item_range(&self, item: usize) -> TextRange {
        let placed = &self.file.items[item];
        TextRange::at(placed.start, placed.value.len)
    }

    /// What a message or an enum element carries.
    pub(super) fn payload(&self, id: DeclId) -> &'p [Part] {
        let declaration = &self.declarations[id];
        let item = self.item(declaration);
        let start = self.file.items[declaration.item].start;
        match &item.decl {
            Decl::Message { payload, .. } => payload,
            Decl::Enum { elements, .. } => {
                let place = declaration.range.start() - start;
                let at = elements.partition_point(|element| item.spans[element.name].start() < place);
                elements.get(at).map_or(&[], |element| &element.payload)
            }
            _ => &[],
        }
    }

    /// What a message or an enum element carries, part by part as written on one line.
    pub(super) fn payload_text(&self, id: DeclId) -> Vec<String> {
        let declaration = &self.declarations[id];
        let (item, start) = (self.item(declaration), self.file.items[declaration.item].start);
        let part = |part: &Part| {
            let ty = item.spans[part.ty];
            let name = part.name.map_or(ty, |name| item.spans[name]);
            self.one_line(name.cover(ty) + start)
        };
        self.payload(id).iter().map(part).collect()
    }

    /// A part of the text with single spaces only.
    pub(super) fn one_line(&self, range: TextRange) -> String {
        self.slice(range).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
