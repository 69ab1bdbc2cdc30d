//! What can be written at a place of a project file: elements, paths, targets.

use std::path::Path;

use lockstep_base::{TextRange, TextSize};
use lockstep_workspace::manifest::{
    Entry, EntryKind, IN_INPUT_FILES, IN_ROOT, INCLUDE_PROJECT, INPUT_FILES, P_FILE, TARGET, TARGETS,
};

use super::tags::{Place, context, name_length};
use super::{Disk, Found, meaning};
use crate::{Completion, CompletionKind, Completions};

/// What could stand at the cursor in the project file at `path`.
pub fn completions(path: &Path, text: &str, offset: TextSize, disk: &dyn Disk) -> Completions {
    let at = usize::from(offset);
    let nothing = || Completions { replace: TextRange::empty(offset), items: Vec::new() };
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return nothing() };
    let context = context(before);
    let replace = |start: usize, end: usize| {
        let size = |at: usize| TextSize::try_from(at).unwrap_or(offset);
        TextRange::new(size(start), size(end))
    };
    let innermost = context.open.last().copied();
    match context.place {
        Place::Tag { name_start, is_closing } => {
            let end = at + name_length(after);
            let has_end = text[end..].starts_with('>');
            let items = match (is_closing, innermost) {
                (true, Some(open)) => vec![closing(open, has_end)],
                (true, None) => Vec::new(),
                (false, _) => elements(&context.open).iter().map(|name| element(name, "", has_end)).collect(),
            };
            Completions { replace: replace(name_start, end), items }
        }
        Place::Content { start } => match innermost {
            Some(name @ (P_FILE | INCLUDE_PROJECT)) => {
                let written = before[start..].trim_start();
                let name_start = written.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
                let typed =
                    Entry { kind: EntryKind::Input, written: written[..name_start].to_owned(), range: TextRange::default() };
                let folder = typed.below(path.parent().unwrap_or(Path::new("")));
                let end = at + after.find(['<', '\n', '\r', '/', '\\']).unwrap_or(after.len());
                // The slash of a folder that is there already is not written twice.
                let end = if after[end - at..].starts_with(['/', '\\']) { end + 1 } else { end };
                let items = paths(path, &folder, name, written.is_empty(), disk);
                Completions { replace: replace(at - (written.len() - name_start), end), items }
            }
            Some(TARGET) => {
                let written = before[start..].rsplit([',', ' ', '\n']).next().unwrap_or_default();
                let items = TARGETS.iter().map(|target| plain(target, CompletionKind::Constant)).collect();
                Completions { replace: replace(at - written.len(), at + name_length(after)), items }
            }
            _ => {
                let word = before[start..].rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
                let items = elements(&context.open).iter().map(|name| element(name, "<", false)).collect();
                Completions { replace: replace(at - word.len(), at), items }
            }
        },
        Place::Elsewhere => nothing(),
    }
}

/// The elements that P reads inside of those that are open.
fn elements(open: &[&str]) -> &'static [&'static str] {
    match open {
        [] => &["Project"],
        [_] => &IN_ROOT,
        [_, INPUT_FILES] => &IN_INPUT_FILES,
        _ => &[],
    }
}

/// An element whose tag begins with `opening`, which may be there already. Where the tag is closed, only the name is missing.
fn element(name: &str, opening: &str, has_end: bool) -> Completion {
    let insert = match name {
        _ if has_end => name.to_owned(),
        "Project" => {
            format!(
                "{opening}{name}>\n  <ProjectName>${{1:Name}}</ProjectName>\n  <{INPUT_FILES}>\n    <{P_FILE}>${{2:PSrc}}</{P_FILE}>\n  </{INPUT_FILES}>\n</{name}>"
            )
        }
        INPUT_FILES => format!("{opening}{name}>\n  <{P_FILE}>$1</{P_FILE}>\n</{name}>"),
        _ => format!("{opening}{name}>$1</{name}>"),
    };
    let (label, detail) = (name.to_owned(), meaning(name));
    Completion { label, kind: CompletionKind::Element, detail, insert, is_snippet: !has_end, rank: 0 }
}

fn closing(name: &str, has_end: bool) -> Completion {
    let insert = if has_end { name.to_owned() } else { format!("{name}>") };
    Completion { insert, ..plain(name, CompletionKind::Element) }
}

fn plain(name: &str, kind: CompletionKind) -> Completion {
    Completion { label: name.to_owned(), kind, detail: None, insert: name.to_owned(), is_snippet: false, rank: 0 }
}

/// What lies in a folder and can be named: P files for `PFile`, other project files for `IncludeProject`, folders for both.
fn paths(own: &Path, folder: &Path, element: &str, is_first: bool, disk: &dyn Disk) -> Vec<Completion> {
    let ending = if element == P_FILE { "p" } else { "pproj" };
    let is_wanted = |path: &Path| path != own && path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    let mut listed = disk.list(folder);
    listed.sort_by(|(a, _), (b, _)| a.cmp(b));
    let visible = listed.into_iter().filter(|(name, _)| !name.starts_with('.'));
    let mut items: Vec<Completion> = visible
        .filter_map(|(name, found)| match found {
            Found::Folder => {
                let label = format!("{name}/");
                Some(Completion { insert: escaped(&label), rank: 1, ..plain(&label, CompletionKind::Folder) })
            }
            Found::File if is_wanted(&folder.join(&name)) => {
                Some(Completion { insert: escaped(&name), ..plain(&name, CompletionKind::File) })
            }
            Found::File => None,
        })
        .collect();
    if is_first {
        items.push(Completion { rank: 2, ..plain("../", CompletionKind::Folder) });
    }
    items
}

/// A text as XML has it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
