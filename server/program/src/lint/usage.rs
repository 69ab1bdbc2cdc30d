//! Who mentions what in the whole project.
//!
//! One table for all names, and small queries before it: whoever asks about a name is asked again only if the mentions of that name
//! changed. Text that cannot be read may mention anything that is written in it, so the names in files with syntax errors are
//! uncertain, and nothing is said about them.

use indexmap::IndexMap;
use lockstep_syntax::p::ast::{Decl as AstDecl, FunctionCode};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smol_str::SmolStr;

use super::mentions::{Role, body_mentions, decl_mentions};
use super::unknown::{may_mean, unknown_names};
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

/// Where `name` is mentioned.
pub(crate) fn uses<'db>(db: &'db dyn Db, project: Project, name: &str) -> &'db Uses<'db> {
    uses_of(db, UsedName::new(db, project, SmolStr::new(name)))
}

#[salsa::interned]
struct UsedName<'db> {
    #[returns(copy)]
    project: Project,
    name: SmolStr,
}

#[salsa::tracked]
fn uses_of<'db>(db: &'db dyn Db, key: UsedName<'db>) -> Uses<'db> {
    let (project, name) = (key.project(db), key.name(db));
    let of = &project_uses(db, project).of;
    let uses = match of.binary_search_by(|known| known.name.cmp(name)) {
        Ok(index) => of[index].uses.clone(),
        Err(_) => Vec::new(),
    };
    let is_unread = unread_words(db, project).binary_search(name).is_ok();
    Uses { uses, is_uncertain: is_unread || may_mean(project_unknown(db, project), name) }
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

#[salsa::tracked]
fn project_uses<'db>(db: &'db dyn Db, project: Project) -> AllUses<'db> {
    let mut of: FxIndexMap<&SmolStr, Vec<Use<'db>>> = FxIndexMap::default();
    for file in project_files(db, project) {
        for NameUses { name, uses } in &file_uses(db, file).of {
            of.entry(name).or_default().extend(uses);
        }
    }
    sorted(of)
}

/// What a file mentions. Apart from the project's table, so that after an edit only one file is gone through.
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
                uses.push(Use { role, by: decl });
            }
        }
    }
    sorted(of)
}

/// The names anywhere in the project that mean nothing, sorted.
#[salsa::tracked]
fn project_unknown(db: &dyn Db, project: Project) -> Vec<SmolStr> {
    let mut unknown: Vec<SmolStr> = project_files(db, project).flat_map(|file| file_unknown(db, file)).cloned().collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}

#[salsa::tracked]
fn file_unknown<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<SmolStr> {
    decls(db, file).iter().flat_map(|decl| unknown_names(db, *decl)).cloned().collect()
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

/// The words of all texts with syntax errors, sorted.
#[salsa::tracked]
fn unread_words(db: &dyn Db, project: Project) -> Vec<SmolStr> {
    let files = project.files(db).iter();
    let mut words: Vec<SmolStr> = files.flat_map(|member| unread_words_of(db, member.file)).cloned().collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[salsa::tracked]
fn unread_words_of(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let parse = file.parse(db);
    if parse.errors().is_empty() {
        return Vec::new();
    }
    let text = parse.text().to_string();
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character| !is_word(character)).filter(|word| !word.is_empty());
    let mut words: Vec<SmolStr> = words.map(SmolStr::new).collect();
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
    /// Whether all of it could be read.
    pub(crate) is_readable: bool,
}

#[salsa::tracked(returns(copy))]
pub(crate) fn overview(db: &dyn Db, project: Project) -> Overview {
    let mut all = Overview { is_readable: true, ..Overview::default() };
    for file in project_files(db, project) {
        let one = file_overview(db, file);
        all.has_tests |= one.has_tests;
        all.is_closed |= one.is_closed;
        all.has_foreign_code |= one.has_foreign_code;
        all.is_readable &= one.is_readable;
    }
    all
}

#[salsa::tracked(returns(copy))]
fn file_overview<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Overview {
    let mut overview = Overview { is_readable: file.file(db).parse(db).errors().is_empty(), ..Overview::default() };
    for &decl in decls(db, file) {
        match decl.kind(db) {
            DeclKind::Test => overview.has_tests |= !file.is_included(db),
            DeclKind::Implementation => overview.is_closed = true,
            DeclKind::Machine if decl.name(db) == "Main" => overview.is_closed = true,
            _ => {}
        }
        overview.has_foreign_code |= has_foreign_code(&decl.shape(db).0.decl);
    }
    overview.is_closed |= overview.has_tests;
    overview
}

fn has_foreign_code(decl: &AstDecl) -> bool {
    let is_foreign = |code: &FunctionCode| matches!(code, FunctionCode::Foreign { .. });
    match decl {
        AstDecl::Function(function) => is_foreign(&function.code),
        AstDecl::Machine(machine) => machine.functions.iter().any(|function| is_foreign(&function.code)),
        _ => false,
    }
}
