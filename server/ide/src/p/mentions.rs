//! Where in the project something is mentioned.
//!
//! Files that do not contain a name at all are passed over (`mentioned_names`), so that this costs little in a large project.

use lockstep_program::{Db, Decl, ProjectFile, Purpose, Role, Target, mentioned_names, project_files};
use lockstep_syntax::p::ast::Item;
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared::{decl_of, written};
use super::names::{FilePlace, item_names, items};

/// A name that stands for what was looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention<'db> {
    pub(super) place: FilePlace,
    pub(super) role: Role,
    /// The declaration it stands in.
    pub(super) owner: Decl<'db>,
}

/// All names of the project that stand for `target`, in the order of the files and of their texts.
pub(super) fn mentions_of<'db>(db: &'db dyn Db, target: &Target<'db>) -> Vec<Mention<'db>> {
    mentions_of_all(db, std::slice::from_ref(target)).pop().unwrap_or_default()
}

/// The same for several at once, which takes not much longer than for one.
pub(super) fn mentions_of_all<'db>(db: &'db dyn Db, targets: &[Target<'db>]) -> Vec<Vec<Mention<'db>>> {
    let mut found: Vec<Vec<Mention<'db>>> = targets.iter().map(|_| Vec::new()).collect();
    let Some(project) = targets.first().map(|target| decl_of(target).file(db).project(db)) else { return found };
    let numbers: FxHashMap<&Target<'db>, usize> = targets.iter().zip(0..).collect();
    let words: Vec<Vec<String>> = targets.iter().map(|target| written(db, target)).collect();
    for file in project_files(db, project) {
        let known = mentioned_names(db, file.file(db));
        let reached = targets.iter().zip(&words).filter(|(target, _)| can_reach(db, target, file));
        let wanted: FxHashSet<&str> =
            reached.flat_map(|(_, words)| words).map(String::as_str).filter(|word| known.contains(*word)).collect();
        if wanted.is_empty() {
            continue;
        }
        for (item, owner) in items(db, file).filter(|(item, _)| has_one_of(&item.value, &wanted)) {
            let mut names = item_names(db, item, owner);
            names.sort_by_key(|name| name.range.start());
            for name in names {
                if let Some(number) = numbers.get(&name.target) {
                    let place = FilePlace { file: file.file(db), range: name.range };
                    found[*number].push(Mention { place, role: name.role, owner });
                }
            }
        }
    }
    found
}

/// Whether a file can know about something: members of machines are known elsewhere to proofs only.
fn can_reach<'db>(db: &'db dyn Db, target: &Target<'db>, file: ProjectFile<'db>) -> bool {
    match target {
        Target::Global(_) => true,
        Target::Member { machine, .. } => file == machine.file(db) || file.project(db).purpose(db) == Purpose::Verifying,
        Target::Local { decl, .. } => file == decl.file(db),
    }
}

pub(super) fn has_one_of(item: &Item, words: &FxHashSet<&str>) -> bool {
    let bodies = item.bodies.iter().map(|body| &body.value.nodes);
    let mut names = std::iter::once(&item.nodes).chain(bodies).flat_map(|nodes| nodes.names.iter());
    names.any(|(_, name)| words.contains(name.as_str()))
}
