//! What can be done to the text at a place: fixes of findings, and changes that leave the meaning as it is.
//!
//! One file for each family. A family says nothing where it is not sure: a fix takes its finding away and brings no other, and
//! nothing is offered that would change text which could not be read. What is written follows the layout of the formatter, with the
//! indentation that the file has. Families look at what is at the place only, so that an editor can ask with every move of the
//! cursor; the types of expressions are found out when one needs them.

mod create;
mod create_code;
mod events;
mod extract;
mod handlers;
mod inline;
mod machines;
mod modules;
mod names;
mod remove;
mod site;
mod suppress;
mod syntax;
mod table;
mod texts;
mod values;

use lockstep_base::{Diagnostic, Edit, Severity, TextRange};
use lockstep_program::{Db, ProjectFile, SourceFile};

use site::Site;
pub use table::{Fixing, fixing, fixings};

/// What kind of change it is, as editors sort them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Mends a finding.
    Fix,
    /// Switches a warning off.
    Suppress,
    Extract,
    Inline,
    /// Says the same in other words.
    Rewrite,
}

/// A change of the text with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// As an order: "declare the event `ePing`".
    pub title: String,
    pub kind: ActionKind,
    /// Which of the findings it mends.
    pub finding: Option<usize>,
    /// Whether it is clearly the right one.
    pub is_preferred: bool,
    /// Those of one file are in order and do not overlap.
    pub edits: Vec<(SourceFile, Edit)>,
}

/// What a family proposes.
#[derive(Debug)]
struct Proposal {
    title: String,
    kind: ActionKind,
    is_preferred: bool,
    edits: Vec<(SourceFile, Edit)>,
}

impl Proposal {
    /// Clearly the right fix.
    fn preferred(self) -> Self {
        Self { is_preferred: true, ..self }
    }

    fn kind(self, kind: ActionKind) -> Self {
        Self { kind, ..self }
    }
}

/// What can be done in a range of a file, in view of the findings of this file: fixes first, the preferred ones before others.
pub fn actions<'db>(db: &'db dyn Db, file: ProjectFile<'db>, within: TextRange, findings: &[Diagnostic]) -> Vec<Action> {
    let site = Site::new(db, file);
    let mut found = Vec::new();
    let here = |finding: &&Diagnostic| finding.range.intersect(within).is_some();
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| here(finding)) {
        let fixes = fixes(&site, finding).into_iter().map(|fix| (Some(index), fix));
        found.extend(fixes.filter(|(_, fix)| site.is_readable(fix, finding)));
    }
    let changes = [handlers::changes(&site, within), extract::changes(&site, within), inline::changes(&site, within)];
    found.extend(changes.into_iter().flatten().filter(|change| site.can_be_changed(change)).map(|change| (None, change)));
    for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| here(finding)) {
        if finding.severity == Severity::Warning {
            found.extend(suppress::suppression(&site, finding).map(|change| (Some(index), change)));
        }
    }
    found.into_iter().filter_map(|(finding, proposal)| action(finding, proposal)).collect()
}

/// The fixes of one finding: what the check itself proposes, and what the families do.
fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let own = finding.fix.as_ref().filter(|fix| !create_code::is_of_own_loop(site, finding.range, fix)).map(|fix| {
        let edits = fix.edits.iter().map(|edit| (site.input(), site.whole_line(edit.clone()))).collect();
        Proposal { title: fix.title.clone(), kind: ActionKind::Fix, is_preferred: true, edits }
    });
    let families = [
        syntax::fixes(site, finding),
        names::fixes(site, finding),
        values::fixes(site, finding),
        texts::fixes(site, finding),
        machines::fixes(site, finding),
        events::fixes(site, finding),
        modules::fixes(site, finding),
        remove::fixes(site, finding),
        create::fixes(site, finding),
    ];
    own.into_iter().chain(families.into_iter().flatten()).collect()
}

/// `None` if its edits are not what edits have to be.
fn action(finding: Option<usize>, proposal: Proposal) -> Option<Action> {
    let Proposal { title, kind, is_preferred, mut edits } = proposal;
    edits.sort_by_key(|(_, edit)| (edit.range.start(), edit.range.end()));
    edits.dedup();
    let mut files: Vec<SourceFile> = edits.iter().map(|(file, _)| *file).collect();
    files.dedup();
    let overlap = files.iter().any(|file| {
        let ranges: Vec<TextRange> = edits.iter().filter(|(other, _)| other == file).map(|(_, edit)| edit.range).collect();
        ranges.windows(2).any(|pair| pair[0].end() > pair[1].start())
    });
    (!edits.is_empty() && !overlap).then_some(Action { title, kind, finding, is_preferred, edits })
}
