//! The database: what is put in, and what everything else is derived from.
//!
//! Inputs are parsed files and projects. A file is put in parsed, because parsing has its own incrementality; the parse is a
//! function of the text, so this is the same as putting in the text.

use std::sync::Arc;

use lockstep_syntax::Parse;
use salsa::{Durability, Setter};

use crate::declaration::Shapes;
use crate::scope::DeclaredNames;

#[salsa::db]
pub trait Db: salsa::Database {}

#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {}

impl Database {
    /// A database that tells `listener` what it does; for tests that show which queries run.
    pub fn with_listener(listener: impl Fn(salsa::Event) + Send + Sync + 'static) -> Self {
        Self { storage: salsa::Storage::new(Some(Box::new(listener))) }
    }
}

/// A file. What it declares is kept beside its text, because that changes far less often: whatever asks for names and types depends
/// on the former only, and after a keystroke in a body need not be looked at again (salsa's durability).
#[salsa::input(debug)]
pub struct SourceFile {
    pub path: String,
    parsed: ParsedFile,
    declared: DeclaredNames,
    shapes: Shapes,
    /// Whether it is expected to change. What is found out about all other files together stays as it is while one types.
    #[returns(copy)]
    edited: bool,
}

impl SourceFile {
    pub fn open(db: &dyn Db, path: impl Into<String>, parse: impl Into<Arc<Parse>>) -> Self {
        let parse = parse.into();
        let (declared, shapes) = (DeclaredNames::of(&parse), Shapes::of(&parse));
        Self::builder(path.into(), ParsedFile(parse), declared, shapes, false).durability(Durability::HIGH).new(db)
    }

    pub fn parse(self, db: &dyn Db) -> &Arc<Parse> {
        &self.parsed(db).0
    }

    pub(crate) fn declared_names(self, db: &dyn Db) -> &DeclaredNames {
        self.declared(db)
    }

    pub(crate) fn declared_shapes(self, db: &dyn Db) -> &Shapes {
        self.shapes(db)
    }

    pub(crate) fn is_edited(self, db: &dyn Db) -> bool {
        self.edited(db)
    }

    /// Says that the file is about to be edited: an editor has opened it. The first edit of a file of which this was not said checks
    /// everything again that depends on the file, since salsa takes the loss of durability for a change.
    pub fn expect_edits(self, db: &mut dyn Db) {
        if self.edited(db) {
            return;
        }
        self.set_edited(db).with_durability(Durability::HIGH).to(true);
        let shapes = self.shapes(db).clone();
        self.set_shapes(db).with_durability(Durability::MEDIUM).to(shapes);
        let parsed = self.parsed(db).clone();
        self.set_parsed(db).with_durability(Durability::LOW).to(parsed);
    }

    /// Says that nobody edits the file any more.
    pub fn expect_no_edits(self, db: &mut dyn Db) {
        if self.edited(db) {
            self.set_edited(db).with_durability(Durability::HIGH).to(false);
            let shapes = self.shapes(db).clone();
            self.set_shapes(db).with_durability(Durability::HIGH).to(shapes);
            let parsed = self.parsed(db).clone();
            self.set_parsed(db).with_durability(Durability::HIGH).to(parsed);
        }
    }

    /// Gives the file another text.
    pub fn update(self, db: &mut dyn Db, parse: impl Into<Arc<Parse>>) {
        self.expect_edits(db);
        let parse = parse.into();
        let (declared, shapes) = (DeclaredNames::of(&parse), Shapes::of(&parse));
        if *self.declared(db) != declared {
            self.set_declared(db).with_durability(Durability::HIGH).to(declared);
        }
        if *self.shapes(db) != shapes {
            self.set_shapes(db).with_durability(Durability::MEDIUM).to(shapes);
        }
        self.set_parsed(db).with_durability(Durability::LOW).to(ParsedFile(parse));
    }
}

/// A parse that can be shared. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct ParsedFile(Arc<Parse>);

impl PartialEq for ParsedFile {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ParsedFile {}

/// What a project is made for. Proof constructs are errors unless it is for the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    Checking,
    Verifying,
}

/// Files that form one program. Made with `Project::open`.
#[salsa::input(debug)]
pub struct Project {
    pub name: String,
    pub files: Vec<Member>,
    #[returns(copy)]
    pub purpose: Purpose,
}

impl Project {
    pub fn open(db: &dyn Db, name: impl Into<String>, files: Vec<Member>, purpose: Purpose) -> Self {
        Self::builder(name.into(), files, purpose).durability(Durability::HIGH).new(db)
    }
}

/// A file of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    pub file: SourceFile,
    /// Whether it comes from an included project. The tests of such a file are not tests of this project.
    pub is_included: bool,
}

impl From<SourceFile> for Member {
    fn from(file: SourceFile) -> Self {
        Self { file, is_included: false }
    }
}

/// A file as part of a project: the same file can mean different things in two projects.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ProjectFile<'db> {
    #[returns(copy)]
    pub project: Project,
    #[returns(copy)]
    pub file: SourceFile,
    #[returns(copy)]
    pub is_included: bool,
}

/// The files of a project, in its order.
pub fn project_files(db: &dyn Db, project: Project) -> impl Iterator<Item = ProjectFile<'_>> {
    project.files(db).iter().map(move |member| ProjectFile::new(db, project, member.file, member.is_included))
}
