//! Who mentions what in the whole project.
//!
//! Two tables: one of all files that nobody edits, which stays as it is while one types, and a small one of the files that are
//! edited. What is said about a declaration is found out from the first and kept (`settled`); where the second has something to
//! add about one of the names it was asked for, it is found out anew from both. So a keystroke costs what the edited files cost.
//!
//! Text that cannot be read may mention anything that is written in it, so the names in files with syntax errors are uncertain, and
//! nothing is said about them.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smol_str::SmolStr;

use super::mentions::{Role, body_mentions, decl_mentions};
use super::unknown::{may_mean, unknown_names};
use crate::damage;
use crate::db::{Db, Project, ProjectFile, SourceFile, project_files};
use crate::declaration::{Decl, DeclKind, codes, decls};
use crate::scope::names;

type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Where a name is mentioned.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Uses<'db> {
    /// In which role and by which declaration, its bodies included; in the order of the files, without repetition.
    uses: Vec<Use<'db>>,
    /// Whether the name stands in text that could not be read, or a name that means nothing may be meant for it.
    pub(crate) is_uncertain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Use<'db> {
    /// The number of the file in the project.
    file: usize,
    role: Role,
    by: Decl<'db>,
}

impl<'db> Uses<'db> {
    /// The declarations that mention the name in this role.
    pub(crate) fn by(&self, role: Role) -> impl Iterator<Item = Decl<'db>> {
        self.uses.iter().filter(move |other| other.role == role).map(|other| other.by)
    }

    pub(crate) fn any(&self, roles: &[Role]) -> bool {
        self.uses.iter().any(|other| roles.contains(&other.role))
    }

    /// Whether another declaration than `own` mentions the name in one of these roles.
    pub(crate) fn any_but(&self, own: Decl<'db>, roles: &[Role]) -> bool {
        self.uses.iter().any(|other| other.by != own && roles.contains(&other.role))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }
}

/// Where `name` is mentioned in files that nobody edits.
pub(crate) fn settled_uses<'db>(db: &'db dyn Db, project: Project, name: &str) -> &'db Uses<'db> {
    settled_uses_of(db, UsedName::new(db, project, SmolStr::new(name)))
}

#[salsa::interned]
struct UsedName<'db> {
    #[returns(copy)]
    project: Project,
    name: SmolStr,
}

#[salsa::tracked]
fn settled_uses_of<'db>(db: &'db dyn Db, key: UsedName<'db>) -> Uses<'db> {
    settled(db, key.project(db)).uses(key.name(db))
}

/// What some files of a project mention.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Mentioned<'db> {
    all: AllUses<'db>,
    /// The names in `all`: after a keystroke it is asked thousands of times whether one is among them.
    names: FxHashSet<SmolStr>,
    /// The names that mean nothing, sorted.
    unknown: Vec<SmolStr>,
    /// The words of texts with syntax errors, sorted.
    unread: Vec<SmolStr>,
}

impl<'db> Mentioned<'db> {
    fn uses(&self, name: &SmolStr) -> Uses<'db> {
        let of = &self.all.of;
        let uses = match of.binary_search_by(|known| known.name.cmp(name)) {
            Ok(index) => of[index].uses.clone(),
            Err(_) => Vec::new(),
        };
        let is_unread = self.unread.binary_search(name).is_ok();
        Uses { uses, is_uncertain: is_unread || may_mean(&self.unknown, name) }
    }

    /// Whether these files have anything to say about the name.
    pub(crate) fn concerns(&self, name: &SmolStr) -> bool {
        self.names.contains(name) || self.unread.binary_search(name).is_ok() || may_mean(&self.unknown, name)
    }

    /// What is known about the name from these files and from others.
    pub(crate) fn with(&self, others: &Uses<'db>, name: &str) -> Uses<'db> {
        let mut all = self.uses(&SmolStr::new(name));
        all.is_uncertain |= others.is_uncertain;
        all.uses.extend(&others.uses);
        // In the order of the files; what one file says keeps its order.
        all.uses.sort_by_key(|one| one.file);
        all
    }
}

/// What the files mention that nobody edits.
#[salsa::tracked]
fn settled<'db>(db: &'db dyn Db, project: Project) -> Mentioned<'db> {
    mentioned(db, project, |file| !file.is_edited(db))
}

/// What the files mention that are being edited.
#[salsa::tracked]
pub(crate) fn recent<'db>(db: &'db dyn Db, project: Project) -> Mentioned<'db> {
    mentioned(db, project, |file| file.is_edited(db))
}

fn mentioned<'db>(db: &'db dyn Db, project: Project, is_wanted: impl Fn(SourceFile) -> bool) -> Mentioned<'db> {
    let mut of: FxIndexMap<&SmolStr, Vec<Use<'db>>> = FxIndexMap::default();
    let (mut unknown, mut unread) = (Vec::new(), Vec::new());
    for (number, file) in project_files(db, project).enumerate().filter(|(_, file)| is_wanted(file.file(db))) {
        for NameUses { name, uses } in &file_uses(db, file).of {
            of.entry(name).or_default().extend(uses.iter().map(|one| Use { file: number, ..*one }));
        }
        unknown.extend(file_unknown(db, file).iter().cloned());
        unread.extend(unread_words_of(db, file.file(db)).iter().cloned());
    }
    for words in [&mut unknown, &mut unread] {
        words.sort_unstable();
        words.dedup();
    }
    Mentioned { names: of.keys().copied().cloned().collect(), all: sorted(of), unknown, unread }
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct AllUses<'db> {
    /// Sorted by name.
    of: Vec<NameUses<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct NameUses<'db> {
    name: SmolStr,
    uses: Vec<Use<'db>>,
}

/// What a file mentions. Apart from the tables, so that after an edit only one file is gone through. The number of the file is left
/// open.
#[salsa::tracked]
fn file_uses<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> AllUses<'db> {
    let declared = declared(db, file.project(db));
    let mut of: FxIndexMap<&SmolStr, Vec<Use<'db>>> = FxIndexMap::default();
    for &decl in decls(db, file) {
        let bodies = codes(db, decl).iter().map(|code| body_mentions(db, *code));
        for (role, name) in std::iter::once(decl_mentions(db, decl)).chain(bodies).flat_map(|mentions| mentions.iter()) {
            if !declared.contains(name) {
                continue;
            }
            let uses = of.entry(name).or_default();
            // What this declaration said before stands at the end.
            let is_known = uses.iter().rev().take_while(|other| other.by == decl).any(|other| other.role == role);
            if !is_known {
                uses.push(Use { file: 0, role, by: decl });
            }
        }
    }
    sorted(of)
}

#[salsa::tracked]
fn file_unknown<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<SmolStr> {
    decls(db, file).iter().flat_map(|decl| unknown_names(db, *decl)).collect()
}

/// Every name that a file of the project declares. Other names are local to a machine or a body, and nobody asks who mentions them.
#[salsa::tracked]
pub(crate) fn declared(db: &dyn Db, project: Project) -> FxHashSet<SmolStr> {
    names(db, project).all_names().cloned().collect()
}

fn sorted<'db>(mut of: FxIndexMap<&SmolStr, Vec<Use<'db>>>) -> AllUses<'db> {
    of.sort_unstable_keys();
    AllUses { of: of.into_iter().map(|(name, uses)| NameUses { name: name.clone(), uses }).collect() }
}

#[salsa::tracked]
fn unread_words_of(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let parse = file.parse(db);
    if parse.errors().is_empty() {
        return Vec::new();
    }
    let text = parse.text().to_string();
    let mut words: Vec<SmolStr> = damage::words(&text).map(SmolStr::new).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// What kind of project it is, as far as it matters for what can be said about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overview {
    pub(crate) has_tests: bool,
    /// Whether there is something to run, so that nothing outside of the project uses what is declared in it.
    pub(crate) is_closed: bool,
    /// Whether there is code in another language, which may do anything.
    pub(crate) has_foreign_code: bool,
}

/// A function of the names that are declared, which seldom change.
#[salsa::tracked(returns(copy))]
pub(crate) fn overview(db: &dyn Db, project: Project) -> Overview {
    let mut overview = Overview::default();
    for file in project_files(db, project) {
        let declared = file.file(db).declared_names(db);
        overview.has_foreign_code |= declared.has_foreign_code();
        for (kind, name) in declared.declarations() {
            match kind {
                DeclKind::Test => overview.has_tests |= !file.is_included(db),
                DeclKind::Implementation => overview.is_closed = true,
                DeclKind::Machine if name == "Main" => overview.is_closed = true,
                _ => {}
            }
        }
    }
    overview.is_closed |= overview.has_tests;
    overview
}

/// Whether all of the project could be read.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_readable(db: &dyn Db, project: Project) -> bool {
    project_files(db, project).all(|file| is_file_readable(db, file.file(db)))
}

#[salsa::tracked(returns(copy))]
fn is_file_readable(db: &dyn Db, file: SourceFile) -> bool {
    file.parse(db).errors().is_empty()
}
