//! What a name means in a project.
//!
//! All files share one scope. Whoever needs a name asks for that name alone (`lookup`), so that a new declaration concerns only
//! those who mention its name.

use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Decl as AstDecl, FunctionCode, Item, MachineKind, NameId};
use smol_str::SmolStr;

use crate::db::{Db, Project, ProjectFile, project_files};
use crate::declaration::{Decl, DeclKey, DeclKind, decl_indexes, decls, keys};

/// Names that do not clash with names of another space. The order of the first four is the order in which an expression's name
/// is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Types, machines, interfaces, specs.
    Type,
    /// Events and elements of enums.
    Event,
    EventSet,
    /// Parameters of tests.
    Param,
    Function,
    Pure,
    Invariant,
    InvariantGroup,
    Proof,
    Module,
    /// Tests and implementations.
    Test,
    // What follows is looked for, but does not clash.
    /// States of any machine.
    State,
    /// Invariants of groups, by the name inside of the group.
    GroupMember,
    /// Event sets, and what can be created: P refuses an event set that comes after a machine or interface of its name.
    EventSetOrInterface,
}

impl Space {
    /// Whether a name can be declared once only.
    pub(crate) fn is_exclusive(self) -> bool {
        !matches!(self, Self::State | Self::GroupMember | Self::EventSetOrInterface)
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Def<'db> {
    pub decl: Decl<'db>,
    /// For an element of an enum, a parameter of a list, an invariant of a group or a state of a machine: which one.
    pub part: Option<u32>,
}

/// The names a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredNames {
    names: Vec<Declared>,
    /// Whether it has functions in another language.
    has_foreign_code: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Declared {
    key: DeclKey,
    entry: Entry,
}

/// One name a declaration declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) space: Space,
    pub(crate) name: SmolStr,
    pub(crate) part: Option<u32>,
}

impl DeclaredNames {
    pub(crate) fn of(parse: &Parse) -> Self {
        let items = parse.p().map_or(&[][..], |file| &file.items);
        let mut declared = Vec::new();
        for (key, item) in keys(items.iter().map(|item| &*item.value)).zip(items) {
            declared.extend(entries(&key, &item.value).into_iter().map(|entry| Declared { key: key.clone(), entry }));
        }
        let has_foreign_code = items.iter().any(|item| has_foreign_code(&item.value.decl));
        Self { names: declared, has_foreign_code }
    }

    pub(crate) fn has_foreign_code(&self) -> bool {
        self.has_foreign_code
    }

    /// The kinds and names of the declarations that have names.
    pub(crate) fn declarations(&self) -> impl Iterator<Item = (DeclKind, &str)> {
        self.names.iter().map(|declared| (declared.key.kind, declared.key.name.as_str()))
    }
}

fn has_foreign_code(decl: &AstDecl) -> bool {
    let is_foreign = |code: &FunctionCode| matches!(code, FunctionCode::Foreign { .. });
    match decl {
        AstDecl::Function(function) => is_foreign(&function.code),
        AstDecl::Machine(machine) => machine.functions.iter().any(|function| is_foreign(&function.code)),
        _ => false,
    }
}

/// All names of a project, sorted by space and name; declarations of one name in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Names<'db> {
    found: Vec<(ProjectFile<'db>, Declared)>,
}

impl<'db> Names<'db> {
    /// Every name that is declared in these spaces, with repetitions.
    pub(crate) fn in_spaces(&self, spaces: &[Space]) -> impl Iterator<Item = &SmolStr> {
        self.found
            .iter()
            .map(|(_, declared)| &declared.entry)
            .filter(|entry| spaces.contains(&entry.space))
            .map(|entry| &entry.name)
    }

    /// Every name that is declared, with repetitions.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.found.iter().map(|(_, declared)| &declared.entry.name)
    }

    /// The names of events, without elements of enums.
    pub(crate) fn events(&self) -> impl Iterator<Item = &SmolStr> {
        let entries = self.found.iter().map(|(_, declared)| &declared.entry);
        entries.filter(|entry| entry.space == Space::Event && entry.part.is_none()).map(|entry| &entry.name)
    }

    /// All that is declared under this name.
    fn all(&self, space: Space, name: &str) -> &[(ProjectFile<'db>, Declared)] {
        let key = |(_, declared): &(ProjectFile<'db>, Declared)| (declared.entry.space, declared.entry.name.clone());
        let wanted = (space, SmolStr::new(name));
        let start = self.found.partition_point(|found| key(found) < wanted);
        let count = self.found[start..].iter().take_while(|found| key(found) == wanted).count();
        &self.found[start..start + count]
    }
}

#[salsa::tracked]
pub(crate) fn names<'db>(db: &'db dyn Db, project: Project) -> Names<'db> {
    let mut found = Vec::new();
    for file in project_files(db, project) {
        // The tests of an included project are not tests of this one.
        let is_dropped = |declared: &Declared| declared.key.kind == DeclKind::Test && file.is_included(db);
        let declared = file.file(db).declared_names(db).names.iter().filter(|declared| !is_dropped(declared));
        found.extend(declared.map(|declared| (file, declared.clone())));
    }
    found.sort_by(|(_, a), (_, b)| (a.entry.space, &a.entry.name).cmp(&(b.entry.space, &b.entry.name)));
    Names { found }
}

/// The names an item declares.
fn entries(key: &DeclKey, item: &Item) -> Vec<Entry> {
    let space = match key.kind {
        DeclKind::Type | DeclKind::Enum | DeclKind::Interface | DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario => {
            Space::Type
        }
        DeclKind::Event => Space::Event,
        DeclKind::EventSet => Space::EventSet,
        DeclKind::Function => Space::Function,
        DeclKind::Param => Space::Param,
        DeclKind::Module => Space::Module,
        DeclKind::Implementation | DeclKind::Test => Space::Test,
        DeclKind::Pure => Space::Pure,
        DeclKind::Invariant => Space::Invariant,
        DeclKind::InvariantGroup => Space::InvariantGroup,
        DeclKind::Proof => Space::Proof,
        DeclKind::Axiom | DeclKind::InitCondition => return Vec::new(),
    };
    let nodes = &item.nodes;
    let mut entries = Vec::new();
    let mut add = |space, name: SmolStr, part| entries.push(Entry { space, name, part });
    if !matches!(item.decl, AstDecl::Param { .. }) {
        add(space, key.name.clone(), None);
    }
    let mut parts = |space, names: &mut dyn Iterator<Item = NameId>| {
        (0..).zip(names).for_each(|(part, name)| add(space, nodes[name].0.clone(), Some(part)));
    };
    match &item.decl {
        AstDecl::Param { names, .. } => parts(space, &mut names.iter().copied()),
        AstDecl::Enum { elements, .. } => parts(Space::Event, &mut elements.iter().map(|element| element.name)),
        AstDecl::InvariantGroup { invariants, .. } => {
            parts(Space::GroupMember, &mut invariants.iter().map(|invariant| invariant.name));
            // Elsewhere an invariant of a group is known by the names of both.
            for (part, invariant) in (0..).zip(invariants) {
                let name = format!("{}_{}", key.name, nodes[invariant.name].as_str());
                add(Space::Invariant, name.into(), Some(part));
            }
        }
        AstDecl::Machine(machine) => {
            parts(Space::State, &mut machine.states.iter().map(|state| state.name));
            if machine.kind == MachineKind::Machine {
                add(Space::EventSetOrInterface, key.name.clone(), None);
            }
        }
        AstDecl::Interface { .. } | AstDecl::EventSet { .. } => add(Space::EventSetOrInterface, key.name.clone(), None),
        _ => {}
    }
    entries.retain(|entry| !entry.name.is_empty());
    entries
}

#[salsa::interned]
struct NameKey<'db> {
    #[returns(copy)]
    project: Project,
    #[returns(copy)]
    space: Space,
    name: SmolStr,
}

/// The first declaration of `name`.
pub fn lookup<'db>(db: &'db dyn Db, project: Project, space: Space, name: &str) -> Option<Def<'db>> {
    if name.is_empty() {
        return None;
    }
    lookup_key(db, NameKey::new(db, project, space, SmolStr::new(name)))
}

#[salsa::tracked(returns(copy))]
fn lookup_key<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Def<'db>> {
    definitions(db, key).next()
}

/// All declarations of `name`, in the order of the files.
pub fn homonyms<'db>(db: &'db dyn Db, project: Project, space: Space, name: &str) -> &'db [Def<'db>] {
    homonyms_of(db, NameKey::new(db, project, space, SmolStr::new(name)))
}

#[salsa::tracked]
fn homonyms_of<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Vec<Def<'db>> {
    definitions(db, key).collect()
}

fn definitions<'db>(db: &'db dyn Db, key: NameKey<'db>) -> impl Iterator<Item = Def<'db>> {
    let found = names(db, key.project(db)).all(key.space(db), key.name(db)).iter();
    found.filter_map(|(file, declared)| {
        let index = decl_indexes(db, *file).get(&declared.key)?;
        Some(Def { decl: *decls(db, *file).get(*index)?, part: declared.entry.part })
    })
}

/// Whether a name is declared more than once in a space.
pub(crate) fn is_repeated(db: &dyn Db, project: Project, entry: &Entry) -> bool {
    repeated(db, project).binary_search_by(|(space, name)| (space, name).cmp(&(&entry.space, &entry.name))).is_ok()
}

/// The names that are declared more than once, sorted. Few, so asking for them first saves a look at every name.
#[salsa::tracked]
fn repeated(db: &dyn Db, project: Project) -> Vec<(Space, SmolStr)> {
    let of = |(_, declared): &(ProjectFile<'_>, Declared)| (declared.entry.space, declared.entry.name.clone());
    let found = &names(db, project).found;
    let mut repeated: Vec<_> = found.windows(2).filter(|pair| of(&pair[0]) == of(&pair[1])).map(|pair| of(&pair[0])).collect();
    repeated.dedup();
    repeated
}

/// The declarations of one kind, in the order of their names. Depends on those files only that have some.
pub(crate) fn declarations<'db>(db: &'db dyn Db, project: Project, kind: DeclKind) -> impl Iterator<Item = Decl<'db>> {
    let found =
        names(db, project).found.iter().filter(move |(_, declared)| declared.key.kind == kind && declared.entry.part.is_none());
    found.filter_map(move |(file, declared)| decls(db, *file).get(*decl_indexes(db, *file).get(&declared.key)?).copied())
}

/// The names a declaration declares, with what they stand for.
pub(crate) fn declared_names<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<(Entry, Def<'db>)> {
    if decl.kind(db) == DeclKind::Test && decl.file(db).is_included(db) {
        return Vec::new();
    }
    let found = entries(&DeclKey::of(db, decl), &decl.shape(db).0).into_iter();
    found.map(|entry| (entry.clone(), Def { decl, part: entry.part })).collect()
}
