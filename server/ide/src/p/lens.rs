//! Short notes above declarations.

use lockstep_base::TextRange;
use lockstep_program::{Db, DeclKind, Def, ProjectFile, Role, Target, decls, name_of};

use super::names::{FilePlace, declared_at, names_of};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name it stands above.
    pub range: TextRange,
    pub title: String,
    /// Where it leads.
    pub places: Vec<FilePlace>,
}

/// Who creates machines, and who sends and handles events.
pub fn lenses<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for &decl in decls(db, file) {
        let target = Target::Global(Def { decl, part: None });
        if name_of(db, Def { decl, part: None }).is_none() {
            continue;
        }
        let kinds: &[(&str, &[Role])] = match decl.kind(db) {
            DeclKind::Machine => &[("created", &[Role::Create])],
            DeclKind::Event => &[("sent", &[Role::Send, Role::Raise, Role::Announce]), ("handled", &[Role::Handle])],
            _ => continue,
        };
        let Some(place) = declared_at(db, &target) else { continue };
        let mentions = names_of(db, file, &target);
        for (what, roles) in kinds {
            let places: Vec<FilePlace> =
                mentions.iter().filter(|(_, role)| roles.contains(role)).map(|(place, _)| *place).collect();
            let title = match places.len() {
                0 => format!("never {what}"),
                1 => format!("{what} in 1 place"),
                count => format!("{what} in {count} places"),
            };
            lenses.push(Lens { range: place.range, title, places });
        }
    }
    lenses
}
