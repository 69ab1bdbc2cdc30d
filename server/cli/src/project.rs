//! A P project file: the paths it names and where in it they stand.
//!
//! Reads one file and never what it names; `inputs` follows the paths.

use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use lockstep_base::{Diagnostic, Encoding, Position, Text, TextRange, TextSize};
use roxmltree::{Document, Node};

use crate::source::{Checked, Source};

/// A project file that cannot be read or is not XML.
pub(crate) const PROJECT_FILE: &str = "LS0010";
/// A path in a project file that leads nowhere.
pub(crate) const PROJECT_PATH: &str = "LS0011";

#[derive(Clone, Debug)]
pub(crate) struct Project {
    pub(crate) path: PathBuf,
    pub(crate) checked: Checked,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// A file or a folder of files, in `PFile`.
    Input,
    /// Another project, in `IncludeProject`.
    Include,
}

/// One path as it is written in the project file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    pub(crate) written: String,
    pub(crate) range: TextRange,
}

impl Entry {
    /// The path this means for a project in `folder`. Both kinds of slashes separate on every system.
    pub(crate) fn below(&self, folder: &Path) -> PathBuf {
        let written = self.written.replace('\\', std::path::MAIN_SEPARATOR_STR);
        simplest(&folder.join(written))
    }
}

impl Project {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let source = Source::read(path)?;
        let (entries, problem) = match &source.not_utf8 {
            Some(problem) => (Vec::new(), Some(problem.clone())),
            None => entries(&source.text),
        };
        let diagnostics = problem.into_iter().collect();
        Ok(Self { path: path.to_owned(), checked: Checked { source, diagnostics }, entries })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(crate) fn report(&mut self, code: &'static str, entry: &Entry, message: String) {
        self.checked.diagnostics.push(Diagnostic::error(code, entry.range, message));
    }
}

/// `path` without `.` and without going into folders only to leave them; unless a link makes that another path.
fn simplest(path: &Path) -> PathBuf {
    let mut simple = PathBuf::new();
    for component in path.components() {
        match (component, simple.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(simple.pop()),
            _ => simple.push(component),
        }
    }
    if fs::canonicalize(&simple).ok() == fs::canonicalize(path).ok() { simple } else { path.to_owned() }
}

fn entries(text: &str) -> (Vec<Entry>, Option<Diagnostic>) {
    match Document::parse(text) {
        Ok(document) => (document.descendants().filter_map(entry).collect(), None),
        Err(error) => (Vec::new(), Some(not_xml(text, &error))),
    }
}

fn entry(element: Node<'_, '_>) -> Option<Entry> {
    let within = |name| element.parent_element().is_some_and(|parent| parent.tag_name().name() == name);
    let kind = match element.tag_name().name() {
        "PFile" if within("InputFiles") => EntryKind::Input,
        "IncludeProject" => EntryKind::Include,
        _ => return None,
    };
    let content: String = element.children().filter_map(|child| child.is_text().then(|| child.text()).flatten()).collect();
    let range = place(element, content.trim()).unwrap_or_else(|| element.range());
    Some(Entry { kind, written: content.trim().to_owned(), range: text_range(range) })
}

/// Where exactly `content` stands in the element, unless references or comments are mixed into it.
fn place(element: Node<'_, '_>, content: &str) -> Option<Range<usize>> {
    if content.is_empty() {
        return None;
    }
    let range = element.first_child()?.range();
    let written = &element.document().input_text()[range.clone()];
    let start = range.start + written.find(content)?;
    Some(start..start + content.len())
}

fn not_xml(text: &str, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let position = Position { line: at.row.saturating_sub(1), column: at.col.saturating_sub(1) };
    let offset = Text::from(text).offset(position, Encoding::Utf32);
    let said = error.to_string();
    let said = said.strip_suffix(&format!(" at {at}")).unwrap_or(&said);
    Diagnostic::error(PROJECT_FILE, TextRange::empty(offset), format!("this project file cannot be read as XML: {said}"))
}

fn text_range(range: Range<usize>) -> TextRange {
    let size = |at| TextSize::try_from(at).expect("sources are smaller than 4 GiB");
    TextRange::new(size(range.start), size(range.end))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let (entries, problem) = entries(text);
        let mut shown = String::new();
        for entry in entries {
            shown += &format!("{:?} {:?} written as {:?}\n", entry.kind, entry.written, &text[entry.range]);
        }
        if let Some(problem) = problem {
            shown += &format!("{} at {:?}: {}\n", problem.code, problem.range, problem.message);
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn files_and_included_projects() {
        check(
            r"<?xml version='1.0'?>
            <Project>
                <ProjectName>Lease</ProjectName>
                <IncludeProject>..\Common\Common.pproj</IncludeProject>
                <InputFiles>
                    <PFile> ./PSrc/ </PFile> <!-- <PFile>old</PFile> -->
                    <PFile>A&amp;B.p</PFile>
                    <PFile/>
                </InputFiles>
                <PFile>elsewhere</PFile>
            </Project>",
            expect![[r#"
                Include "..\\Common\\Common.pproj" written as "..\\Common\\Common.pproj"
                Input "./PSrc/" written as "./PSrc/"
                Input "A&B.p" written as "<PFile>A&amp;B.p</PFile>"
                Input "" written as "<PFile/>"
            "#]],
        );
    }

    #[test]
    fn a_namespace_changes_nothing() {
        check(
            "<Project xmlns='urn:p'><InputFiles><PFile>a.p</PFile></InputFiles></Project>",
            expect![[r#"
                Input "a.p" written as "a.p"
            "#]],
        );
    }

    #[test]
    fn what_is_not_xml_is_told_with_its_place() {
        check(
            "<Project>\r\n  <InputFiles>\r\n</Project>",
            expect![[r#"
                LS0010 at 27..27: this project file cannot be read as XML: expected 'InputFiles' tag, not 'Project'
            "#]],
        );
        check(
            "",
            expect![[r#"
                LS0010 at 0..0: this project file cannot be read as XML: the document does not have a root node
            "#]],
        );
        check(
            "é <",
            expect![[r#"
                LS0010 at 0..0: this project file cannot be read as XML: unknown token
            "#]],
        );
        check(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            expect![[r#"
                LS0010 at 0..0: this project file cannot be read as XML: XML with DTD detected
            "#]],
        );
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(entries(&deep), (Vec::new(), None));
    }

    #[test]
    fn both_kinds_of_slashes_separate() {
        let path = |written: &str| {
            let entry = Entry { kind: EntryKind::Input, written: written.to_owned(), range: TextRange::default() };
            entry.below(Path::new("project")).to_string_lossy().replace('\\', "/")
        };
        assert_eq!(path(r".\PSrc\Timer.p"), "project/PSrc/Timer.p");
        assert_eq!(path("./PSrc//./Timer.p"), "project/PSrc/Timer.p");
        assert_eq!(path("../../Common"), "../Common");
        assert_eq!(path("../Common/"), "Common");
    }
}
