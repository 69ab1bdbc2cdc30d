//! Changes that are offered: each is applied, and what the checks say then is compared with what they said before.
//!
//! A fix takes its finding away and brings no other. What creates a declaration brings no error; that nothing uses the new declaration
//! yet may be said of it.

mod anywhere;
mod changes;
mod codes;
mod fixes;

use std::collections::BTreeMap;

use lockstep_base::{Diagnostic, TextRange};
use lockstep_ide::p::{Action, ActionKind, actions};
use lockstep_program::{ProjectFile, Purpose, file_diagnostics};
use lockstep_tests::PProject;

use crate::Opened;

/// Begins another file of a project.
const FILE: &str = "// file: ";

/// A project of the files in a text; what comes before the first `// file:` is `example.p`.
fn project(purpose: Purpose, text: &str) -> PProject {
    let mut files = vec![("example.p".to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix(FILE) {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => files.last_mut().expect("there is one").1.push_str(line),
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    PProject { name: "example".to_owned(), purpose, files }
}

impl Opened {
    fn findings(&self) -> Vec<(ProjectFile<'_>, Vec<Diagnostic>)> {
        self.files().into_iter().map(|file| (file, file_diagnostics(&self.db, file))).collect()
    }

    /// How many findings of each code there are.
    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for (_, findings) in self.findings() {
            findings.iter().for_each(|finding| *counts.entry(finding.code).or_default() += 1);
        }
        counts
    }

    /// The project after a change.
    fn after(&self, action: &Action, purpose: Purpose) -> PProject {
        let mut files = Vec::new();
        for file in self.files() {
            let input = file.file(&self.db);
            let mut text = self.text(input);
            let edits: Vec<_> = action.edits.iter().filter(|(other, _)| *other == input).map(|(_, edit)| edit).collect();
            assert!(
                edits.windows(2).all(|pair| pair[0].range.end() <= pair[1].range.start()),
                "`{}` has edits that overlap: {edits:?}",
                action.title
            );
            for edit in edits.into_iter().rev() {
                text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
            }
            files.push((input.path(&self.db).clone(), text));
        }
        PProject { name: "after".to_owned(), purpose, files }
    }

    /// What is offered for findings of a code, without what switches them off.
    fn fixes_of(&self, code: &str) -> Vec<Action> {
        let mut found = Vec::new();
        for (file, findings) in self.findings() {
            for (index, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.code == code) {
                let offered = actions(&self.db, file, finding.range, &findings).into_iter();
                found.extend(offered.filter(|action| action.kind == ActionKind::Fix && action.finding == Some(index)));
            }
        }
        found
    }
}

/// What is wrong with a fix of a finding of `code`, if anything.
fn judge(before: &Opened, action: &Action, code: &str, purpose: Purpose) -> Option<String> {
    let changed = before.after(action, purpose);
    let text: String = changed.files.iter().map(|(_, text)| text.as_str()).collect();
    let (old, new) = (before.counts(), Opened::new(&changed).counts());
    let count = |counts: &BTreeMap<&str, usize>, code: &str| counts.get(code).copied().unwrap_or_default();
    let creates = action.title.starts_with("create ");
    let is_more = |found: &str| count(&new, found) > count(&old, found) && !(creates && found > "LS1");
    let more: Vec<&&str> = new.keys().filter(|found| is_more(found)).collect();
    // Of several reserved names in one text that are spelt alike one is told: when it is gone, the next.
    let is_next = code == "LS0005" && count(&new, code) == count(&old, code);
    if count(&new, code) >= count(&old, code) && !is_next {
        return Some(format!("{code} `{}` leaves the finding:\n{text}", action.title));
    }
    (!more.is_empty()).then(|| format!("{code} `{}` brings {more:?}:\n{text}", action.title))
}

/// The place that is marked with `$0` in a text, or the range between two such marks, and the text without them.
fn marked(text: &str) -> (String, TextRange) {
    let start = text.find("$0").expect("a mark");
    let text = text.replacen("$0", "", 1);
    let end = text.find("$0").unwrap_or(start);
    (text.replacen("$0", "", 1), TextRange::new(crate::size(start), crate::size(end)))
}
