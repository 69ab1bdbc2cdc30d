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
/// An element that P passes over: not known, or not known where it stands.
pub(crate) const PROJECT_ELEMENT: &str = "LS0012";
/// A project without P files.
pub(crate) const PROJECT_EMPTY: &str = "LS0013";

/// What P reads directly in the root element, whatever that is called, and in `INPUT_FILES`.
const IN_ROOT: [&str; 6] = ["ProjectName", INPUT_FILES, "OutputDir", "Target", INCLUDE_PROJECT, "pobserve-package"];
const IN_INPUT_FILES: [&str; 1] = [P_FILE];
const INPUT_FILES: &str = "InputFiles";
const P_FILE: &str = "PFile";
const INCLUDE_PROJECT: &str = "IncludeProject";

#[derive(Clone, Debug)]
pub(crate) struct Project {
    pub(crate) path: PathBuf,
    pub(crate) checked: Checked,
    pub(crate) entries: Vec<Entry>,
    /// Where the name of the root element stands.
    pub(crate) root: TextRange,
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
        let Contents { entries, root, problems } = match &source.not_utf8 {
            Some(problem) => Contents { problems: vec![problem.clone()], ..Contents::default() },
            None => contents(&source.text),
        };
        Ok(Self { path: path.to_owned(), checked: Checked { source, diagnostics: problems }, entries, root })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(crate) fn report(&mut self, code: &'static str, entry: &Entry, message: String) -> &mut Diagnostic {
        let diagnostics = &mut self.checked.diagnostics;
        diagnostics.push(Diagnostic::error(code, entry.range, message));
        diagnostics.last_mut().expect("one was added")
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Contents {
    entries: Vec<Entry>,
    root: TextRange,
    problems: Vec<Diagnostic>,
}

fn contents(text: &str) -> Contents {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return Contents { problems: vec![not_xml(text, &error)], ..Contents::default() },
    };
    let root = document.root_element();
    let mut contents = Contents { root: name_range(root), ..Contents::default() };
    for element in root.children().filter(Node::is_element) {
        match element.tag_name().name() {
            INPUT_FILES => {
                for element in element.children().filter(Node::is_element) {
                    match element.tag_name().name() {
                        P_FILE => contents.entries.push(entry(EntryKind::Input, element)),
                        _ => contents.problems.push(unknown(element, &IN_INPUT_FILES)),
                    }
                }
            }
            INCLUDE_PROJECT => contents.entries.push(entry(EntryKind::Include, element)),
            name if IN_ROOT.contains(&name) => {}
            _ => contents.problems.push(unknown(element, &IN_ROOT)),
        }
    }
    contents
}

/// A finding about an element that P passes over where it stands; `known` are those that it reads there.
fn unknown(element: Node<'_, '_>, known: &[&str]) -> Diagnostic {
    let name = element.tag_name().name();
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (message, help) = if IN_INPUT_FILES.contains(&name) {
        (format!("P does not read `{name}` here"), format!("it belongs in `{INPUT_FILES}`"))
    } else if IN_ROOT.contains(&name) {
        (format!("P does not read `{name}` here"), format!("it belongs outside of `{INPUT_FILES}`"))
    } else {
        let help = similar(name).map_or(format!("P reads here: {list}"), |similar| format!("did you mean `{similar}`?"));
        (format!("P does not know the element `{name}` and passes over it"), help)
    };
    Diagnostic::warning(PROJECT_ELEMENT, name_range(element), message).with_help(help)
}

/// The element that was probably meant: a few letters differ, or its end is missing.
fn similar(written: &str) -> Option<&'static str> {
    let lower = written.to_ascii_lowercase();
    let distance = |name: &str| {
        let name = name.to_ascii_lowercase();
        let begins = lower.len() >= 3 && name.starts_with(&lower);
        if begins { 1 } else { strsim::damerau_levenshtein(&lower, &name) }
    };
    let names = IN_ROOT.into_iter().chain(IN_INPUT_FILES).map(|name| (distance(name), name));
    let (distance, name) = names.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.len() / 6 && distance < lower.len()).then_some(name)
}

/// Where the name in the element's start tag stands.
fn name_range(element: Node<'_, '_>) -> TextRange {
    let start = element.range().start + "<".len();
    let rest = &element.document().input_text()[start..];
    let length = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(rest.len());
    text_range(start..start + length)
}

fn entry(kind: EntryKind, element: Node<'_, '_>) -> Entry {
    let content: String = element.children().filter_map(|child| child.is_text().then(|| child.text()).flatten()).collect();
    let range = place(element, content.trim()).unwrap_or_else(|| element.range());
    Entry { kind, written: content.trim().to_owned(), range: text_range(range) }
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
        let Contents { entries, root: _, problems } = contents(text);
        let mut shown = String::new();
        for entry in entries {
            shown += &format!("{:?} {:?} written as {:?}\n", entry.kind, entry.written, &text[entry.range]);
        }
        for problem in problems {
            let at = &text[problem.range];
            shown += &format!("{} at {:?} `{at}`: {}", problem.code, problem.range, problem.message);
            shown += &problem.help.map_or("\n".to_owned(), |help| format!("; {help}\n"));
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
                LS0012 at 388..393 `PFile`: P does not read `PFile` here; it belongs in `InputFiles`
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
                LS0010 at 27..27 ``: this project file cannot be read as XML: expected 'InputFiles' tag, not 'Project'
            "#]],
        );
        check(
            "",
            expect![[r#"
                LS0010 at 0..0 ``: this project file cannot be read as XML: the document does not have a root node
            "#]],
        );
        check(
            "é <",
            expect![[r#"
                LS0010 at 0..0 ``: this project file cannot be read as XML: unknown token
            "#]],
        );
        check(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            expect![[r#"
                LS0010 at 0..0 ``: this project file cannot be read as XML: XML with DTD detected
            "#]],
        );
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        let contents = contents(&deep);
        assert_eq!((contents.entries.len(), contents.problems.len()), (0, 1));
    }

    #[test]
    fn elements_that_p_passes_over() {
        check(
            "<Project><Inputfiles><PFile>a.p</PFile></Inputfiles><Include>b.pproj</Include><PFile>c.p</PFile>\
             <InputFiles><pfile>d.p</pfile><Files/><Target/></InputFiles><Compile/><x/></Project>",
            expect![[r#"
                LS0012 at 10..20 `Inputfiles`: P does not know the element `Inputfiles` and passes over it; did you mean `InputFiles`?
                LS0012 at 53..60 `Include`: P does not know the element `Include` and passes over it; did you mean `IncludeProject`?
                LS0012 at 79..84 `PFile`: P does not read `PFile` here; it belongs in `InputFiles`
                LS0012 at 109..114 `pfile`: P does not know the element `pfile` and passes over it; did you mean `PFile`?
                LS0012 at 127..132 `Files`: P does not know the element `Files` and passes over it; P reads here: `PFile`
                LS0012 at 135..141 `Target`: P does not read `Target` here; it belongs outside of `InputFiles`
                LS0012 at 157..164 `Compile`: P does not know the element `Compile` and passes over it; P reads here: `ProjectName`, `InputFiles`, `OutputDir`, `Target`, `IncludeProject`, `pobserve-package`
                LS0012 at 167..168 `x`: P does not know the element `x` and passes over it; P reads here: `ProjectName`, `InputFiles`, `OutputDir`, `Target`, `IncludeProject`, `pobserve-package`
            "#]],
        );
        let meant = ["File", "OutputDirectory", "Targets", "Include", "Name", "pf", "é", ""].map(similar);
        assert_eq!(meant, [Some("PFile"), None, Some("Target"), Some("IncludeProject"), None, None, None, None]);
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
