//! `lockstep check --fix`: the fixes that are clearly right, made.
//!
//! Fixes that do not touch each other are made together, and what the checks say then decides: if any code is found more often than before,
//! they are made one by one, and only those are kept that bring nothing. This goes on until there is nothing left to fix. A declaration with a
//! syntax error is left alone, nothing is removed because it is not used, and no name is guessed.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use lockstep_base::{Edit, Text, TextRange, TextSize};
use lockstep_ide::p::{Action, ActionKind, actions};
use lockstep_program::{Database, Settings};
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::Workspace;

use crate::fmt::{diff, replace};
use crate::output::{Terminal, write_all};

/// Fixes that uncover what others can fix are followed so often.
const MOST_ROUNDS: usize = 20;

/// A fix by the numbers of files.
struct Planned {
    told: String,
    code: &'static str,
    edits: Vec<(usize, Edit)>,
}

/// What was done, in order, and the files as they were before.
pub(crate) struct Made {
    told: Vec<String>,
    before: Vec<Option<Text>>,
}

impl Made {
    /// Takes everything back: what is said next is about the files as they are.
    pub(crate) fn undo(&self, workspace: &mut Workspace, db: &mut Database) {
        for (index, before) in self.before.iter().enumerate() {
            let Some(before) =
                before.as_ref().filter(|before| workspace.file(index).is_some_and(|file| file.parse.text() != *before))
            else {
                continue;
            };
            let key = workspace.layout().files[index].key.clone();
            workspace.set_parse(db, &key, Arc::new(Parse::new(Language::P, before.to_string().as_str())));
        }
    }
}

pub(crate) fn make(workspace: &mut Workspace, db: &mut Database, settings: &Settings) -> Made {
    let text = |index: usize| workspace.file(index).map(|file| file.source.text.clone());
    let before = (0..workspace.layout().files.len()).map(text).collect();
    let mut told = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let plan = planned(workspace, db, settings);
        if plan.is_empty() {
            break;
        }
        let all: Vec<&Planned> = plan.iter().collect();
        if tried(workspace, db, settings, &all) {
            told.extend(plan.into_iter().map(|fix| fix.told));
            continue;
        }
        // The places of the others are no longer right after the first that is kept.
        let Some(kept) = plan.iter().find(|fix| tried(workspace, db, settings, &[fix])) else { break };
        told.push(kept.told.clone());
    }
    Made { told, before }
}

/// Writes the files that have changed, or shows what would change; and says what was done.
pub(crate) fn finish(made: &Made, workspace: &Workspace, is_shown_only: bool, terminal: Terminal) -> anyhow::Result<()> {
    let mut written: Vec<(usize, &Text)> = Vec::new();
    for (index, (file, before)) in workspace.layout().files.iter().zip(&made.before).enumerate() {
        let (Some(loaded), Some(before)) = (workspace.file(index), before) else { continue };
        if loaded.parse.text() == before {
            continue;
        }
        if is_shown_only {
            let edits = line_edits(before, loaded.parse.text());
            write_all(terminal.stdout(), |output| diff::write(output, &file.name, before, &edits))?;
        } else {
            if let Err(why) = write(workspace, index, loaded.parse.text()) {
                // A fix may change several files: all of them, or none.
                let back = written.iter().filter(|(index, before)| write(workspace, *index, before).is_err());
                let lost: Vec<&str> = back.map(|(index, _)| workspace.layout().files[*index].name.as_str()).collect();
                return Err(match lost.as_slice() {
                    [] => why.context("nothing was changed"),
                    lost => why.context(format!("these were changed and could not be changed back: {}", lost.join(", "))),
                });
            }
            written.push((index, before));
        }
    }
    let verb = if is_shown_only { "would fix" } else { "fixed" };
    write_all(terminal.stdout(), |output| made.told.iter().try_for_each(|line| writeln!(output, "{verb} {line}")))?;
    Ok(())
}

/// Writes a file as it was read, with or without a mark.
fn write(workspace: &Workspace, index: usize, text: &Text) -> anyhow::Result<()> {
    let file = &workspace.layout().files[index];
    let mark = if workspace.file(index).is_some_and(|loaded| loaded.source.bom > 0) { "\u{feff}" } else { "" };
    replace(&file.path, &file.name, format!("{mark}{text}").as_bytes())
}

/// The preferred fix of each finding, as long as it does not touch one before it.
fn planned(workspace: &Workspace, db: &Database, settings: &Settings) -> Vec<Planned> {
    let mut plan: Vec<Planned> = Vec::new();
    let asked = workspace.layout().files.iter().enumerate().filter(|(_, file)| file.is_asked && file.language == Language::P);
    for (index, file) in asked {
        let (Some(loaded), Some(program)) = (workspace.file(index), workspace.project_files(db, index).next()) else { continue };
        if loaded.source.not_utf8.is_some() {
            continue;
        }
        let findings = workspace.file_findings(db, index, settings);
        let is_syntax = |code: &str| code < "LS01" && code != "LS0005";
        // What is not used may be about to be, or is not found because of a mistake elsewhere: only its author removes it.
        let is_unused = |code: &str| code.starts_with("LS11");
        // A name that is like another may still be meant for something else.
        let is_name = |code: &str| code.starts_with("LS01");
        let is_left = |code: &str| is_syntax(code) || is_unused(code) || is_name(code);
        for (number, finding) in findings.iter().enumerate().filter(|(_, finding)| !is_left(finding.code)) {
            let is_it = |action: &Action| action.kind == ActionKind::Fix && action.is_preferred && action.finding == Some(number);
            let mut preferred = actions(db, program, finding.range, &findings).into_iter().filter(is_it);
            // Of two, only the author knows which.
            let (Some(action), None) = (preferred.next(), preferred.next()) else { continue };
            let line = loaded.parse.text().line_of(finding.range.start()) + 1;
            let told = format!("{}:{line}: {}: {}", file.name, finding.code, action.title);
            let edits = action.edits.into_iter().map(|(input, edit)| Some((workspace.index_of_input(input)?, edit)));
            let Some(edits) = edits.collect::<Option<Vec<(usize, Edit)>>>() else { continue };
            let is_text = |index: usize| workspace.file(index).is_some_and(|file| file.source.not_utf8.is_none());
            let may_change = |index: usize| workspace.layout().files[index].is_asked && is_text(index);
            if edits.iter().all(|(index, edit)| may_change(*index) && is_apart(&plan, *index, edit.range)) {
                plan.push(Planned { told, code: finding.code, edits });
            }
        }
    }
    plan
}

/// Whether nothing that is planned touches a place.
fn is_apart(plan: &[Planned], index: usize, range: TextRange) -> bool {
    let mut others = plan.iter().flat_map(|fix| &fix.edits).filter(|(other, _)| *other == index);
    others.all(|(_, edit)| edit.range.intersect(range).is_none())
}

/// Makes fixes, and takes them back if something is found more often than before.
fn tried(workspace: &mut Workspace, db: &mut Database, settings: &Settings, fixes: &[&Planned]) -> bool {
    let before = counts(workspace, db, settings);
    let mut changed: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    for (index, edit) in fixes.iter().flat_map(|fix| &fix.edits) {
        changed.entry(*index).or_default().push(edit.clone());
    }
    let mut old: Vec<(usize, Arc<Parse>)> = Vec::new();
    for (index, mut edits) in changed {
        let Some(parse) = workspace.file(index).map(|loaded| Arc::clone(&loaded.parse)) else { continue };
        edits.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
        let mut text = parse.text().to_string();
        for edit in edits.iter().rev() {
            text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
        }
        let key = workspace.layout().files[index].key.clone();
        workspace.expect_edits(db, &key);
        workspace.set_parse(db, &key, Arc::new(Parse::new(Language::P, text.as_str())));
        old.push((index, parse));
    }
    let after = counts(workspace, db, settings);
    // Each takes its own finding away, so one that brings another of the same code is noticed even if others take theirs away.
    let fixed = |code: &str| fixes.iter().filter(|fix| fix.code == code).count();
    let most = |code: &str| before.get(code).copied().unwrap_or_default().saturating_sub(fixed(code));
    let is_good = after.iter().all(|(code, count)| *count <= most(code));
    if !is_good {
        for (index, parse) in old {
            let key = workspace.layout().files[index].key.clone();
            workspace.set_parse(db, &key, parse);
        }
    }
    is_good
}

/// How many findings of each code there are.
fn counts(workspace: &Workspace, db: &Database, settings: &Settings) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for index in 0..workspace.layout().files.len() {
        for finding in workspace.file_findings(db, index, settings) {
            *counts.entry(finding.code).or_default() += 1;
        }
    }
    counts
}

/// More pairs of lines are not compared.
const MOST_PAIRS: usize = 4_000_000;

fn size(lines: &[&str]) -> TextSize {
    TextSize::try_from(lines.iter().map(|line| line.len()).sum::<usize>()).unwrap_or_default()
}

/// What makes one text of another, in whole lines: the longest common ones stay.
fn line_edits(old: &Text, new: &Text) -> Vec<Edit> {
    let (old, new) = (old.to_string(), new.to_string());
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = rest.take_while(|(old, new)| old == new).count();
    let (a, b) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    if a.len().saturating_mul(b.len()) > MOST_PAIRS {
        let at = TextRange::at(size(&old[..start]), size(a));
        return vec![Edit { range: at, insert: b.concat() }];
    }
    // How long the common part is from each pair of lines on.
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let mut edits: Vec<Edit> = Vec::new();
    let (mut i, mut j, mut at) = (0, 0, size(&old[..start]));
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            at += size(&a[i..=i]);
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let is_removed = j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1];
        let (range, insert) = match is_removed {
            true => (TextRange::at(at, size(&a[i..=i])), ""),
            false => (TextRange::empty(at), b[j]),
        };
        match edits.last_mut().filter(|last| last.range.end() == range.start()) {
            Some(last) => (last.range, last.insert) = (last.range.cover(range), format!("{}{insert}", last.insert)),
            None => edits.push(Edit { range, insert: insert.to_owned() }),
        }
        at = range.end();
        (i, j) = if is_removed { (i + 1, j) } else { (i, j + 1) };
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ() {
        let (old, new) = ("a\nb\nc\nd\ne\n", "a\nx\nc\ne\nf\n");
        let edits = line_edits(&Text::from(old), &Text::from(new));
        let mut text = old.to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
        }
        assert_eq!(text, new);
        assert_eq!(edits.len(), 3, "{edits:?}");
    }
}
