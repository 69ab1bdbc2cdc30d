//! What a name means in a project.
//!
//! All files share one scope. Whoever needs a name asks for that name alone (`lookup`), so that a new declaration concerns only
//! those who mention its name.

use lockstep_syntax::p::ast::Decl as AstDecl;
use smol_str::SmolStr;

use crate::db::{Db, Project, ProjectFile, project_files};
use crate::declaration::{Decl, DeclKind, decls};

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
    Module,
    /// Tests and implementations.
    Test,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Def<'db> {
    pub decl: Decl<'db>,
    /// For an element of an enum, a parameter of a list or an invariant of a group: which one.
    pub part: Option<u32>,
}

/// All names of a project, sorted by space and name; declarations of one name in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Names<'db> {
    entries: Vec<Entry<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Entry<'db> {
    pub space: Space,
    pub name: SmolStr,
    pub def: Def<'db>,
}

impl<'db> Names<'db> {
    /// Every name that is declared in these spaces, with repetitions.
    pub(crate) fn in_spaces(&self, spaces: &[Space]) -> impl Iterator<Item = &SmolStr> {
        self.entries.iter().filter(|entry| spaces.contains(&entry.space)).map(|entry| &entry.name)
    }

    /// The names of events, without elements of enums.
    pub(crate) fn events(&self) -> impl Iterator<Item = &SmolStr> {
        let is_event = |entry: &&Entry<'db>| entry.space == Space::Event && entry.def.part.is_none();
        self.entries.iter().filter(is_event).map(|entry| &entry.name)
    }

    /// All that is declared under this name.
    pub(crate) fn all(&self, space: Space, name: &str) -> &[Entry<'db>] {
        let before = |entry: &Entry<'db>| (entry.space, entry.name.as_str()) < (space, name);
        let start = self.entries.partition_point(before);
        let same = |entry: &&Entry<'db>| entry.space == space && entry.name == name;
        let count = self.entries[start..].iter().take_while(same).count();
        &self.entries[start..start + count]
    }
}

#[salsa::tracked]
pub(crate) fn names<'db>(db: &'db dyn Db, project: Project) -> Names<'db> {
    let mut entries = Vec::new();
    for file in project_files(db, project) {
        entries.extend(file_names(db, file).iter().cloned());
    }
    entries.sort_by(|a, b| (a.space, &a.name).cmp(&(b.space, &b.name)));
    Names { entries }
}

/// The names a file declares.
#[salsa::tracked]
fn file_names<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Entry<'db>> {
    decls(db, file).iter().flat_map(|decl| declared_names(db, *decl)).collect()
}

fn add_names<'db>(db: &'db dyn Db, decl: Decl<'db>, entries: &mut Vec<Entry<'db>>) {
    let space = match decl.kind(db) {
        DeclKind::Type | DeclKind::Enum | DeclKind::Interface | DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario => {
            Space::Type
        }
        DeclKind::Event => Space::Event,
        DeclKind::EventSet => Space::EventSet,
        DeclKind::Function => Space::Function,
        DeclKind::Param => Space::Param,
        DeclKind::Module => Space::Module,
        DeclKind::Implementation => Space::Test,
        DeclKind::Test if decl.file(db).is_included(db) => return,
        DeclKind::Test => Space::Test,
        DeclKind::Pure => Space::Pure,
        DeclKind::Invariant => Space::Invariant,
        DeclKind::InvariantGroup => Space::InvariantGroup,
        DeclKind::Axiom | DeclKind::InitCondition | DeclKind::Proof => return,
    };
    let shape = decl.shape(db);
    let nodes = &shape.0.nodes;
    let mut add = |space, name: SmolStr, part| entries.push(Entry { space, name, def: Def { decl, part } });
    match &shape.0.decl {
        AstDecl::Param { names, .. } => {
            for (part, name) in (0..).zip(names) {
                add(space, nodes[*name].0.clone(), Some(part));
            }
        }
        AstDecl::Enum { elements, .. } => {
            add(space, decl.name(db).clone(), None);
            for (part, element) in (0..).zip(elements) {
                add(Space::Event, nodes[element.name].0.clone(), Some(part));
            }
        }
        AstDecl::InvariantGroup { invariants, .. } => {
            add(space, decl.name(db).clone(), None);
            // An invariant of a group is known by the names of both.
            for (part, invariant) in (0..).zip(invariants) {
                let name = format!("{}_{}", decl.name(db), nodes[invariant.name].as_str());
                add(Space::Invariant, name.into(), Some(part));
            }
        }
        _ => add(space, decl.name(db).clone(), None),
    }
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
    homonyms_of(db, key).first().copied()
}

/// All declarations of `name`, in the order of the files.
pub fn homonyms<'db>(db: &'db dyn Db, project: Project, space: Space, name: &str) -> &'db [Def<'db>] {
    homonyms_of(db, NameKey::new(db, project, space, SmolStr::new(name)))
}

#[salsa::tracked]
fn homonyms_of<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Vec<Def<'db>> {
    names(db, key.project(db)).all(key.space(db), key.name(db)).iter().map(|entry| entry.def).collect()
}

/// The names a declaration declares.
pub(crate) fn declared_names<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Entry<'db>> {
    let mut entries = Vec::new();
    add_names(db, decl, &mut entries);
    entries.retain(|entry| !entry.name.is_empty());
    entries
}
