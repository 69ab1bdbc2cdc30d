//! A P project file: what it says and where in it that stands.
//!
//! Reads one text and follows nothing that it names; `layout` follows the paths. What is wrong is told as P would take it: P
//! compares element names exactly, passes over elements it does not know or that are in a namespace, and looks at the name and the
//! targets of the outermost project only. Elements in a namespace are read here nevertheless: what they mean is clear.

use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use lockstep_base::{Diagnostic, Encoding, Position, Text, TextRange, TextSize};
use lockstep_program::Purpose;
use roxmltree::{Document, Node};

use crate::{PROJECT_ELEMENT, PROJECT_FILE, PROJECT_NAME, PROJECT_PATH, PROJECT_TARGET};

/// What P reads directly in the root element, whatever that is called, and in `INPUT_FILES`.
pub const IN_ROOT: [&str; 6] = [PROJECT_NAME_ELEMENT, INPUT_FILES, "OutputDir", TARGET, INCLUDE_PROJECT, "pobserve-package"];
pub const IN_INPUT_FILES: [&str; 1] = [P_FILE];
const PROJECT_NAME_ELEMENT: &str = "ProjectName";
pub const INPUT_FILES: &str = "InputFiles";
pub const P_FILE: &str = "PFile";
pub const INCLUDE_PROJECT: &str = "IncludeProject";
pub const TARGET: &str = "Target";

pub const TARGETS: [&str; 4] = ["PChecker", "PEx", "PObserve", VERIFIER];
const VERIFIER: &str = "PVerifier";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) name: Option<String>,
    pub(crate) purpose: Purpose,
    pub(crate) entries: Vec<Entry>,
    /// Where the name of the root element stands.
    pub(crate) root: TextRange,
    /// What is wrong with it, also where another project includes it.
    pub(crate) problems: Vec<Diagnostic>,
    /// What is wrong with it as a project of its own.
    pub(crate) own_problems: Vec<Diagnostic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file or a folder of files, in `PFile`.
    Input,
    /// Another project, in `IncludeProject`.
    Include,
}

/// One path as it is written in the project file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub kind: EntryKind,
    pub written: String,
    /// Of the path, or of the whole element if references or comments are mixed into it.
    pub range: TextRange,
}

/// The paths that a project file names, in order; none if it cannot be read.
pub fn entries(text: &str) -> Vec<Entry> {
    Manifest::parse(text).entries
}

impl Manifest {
    pub(crate) fn parse(text: &str) -> Self {
        match Document::parse(text) {
            Ok(document) => contents(document.root_element()),
            Err(error) => Self::unreadable(not_xml(text, &error)),
        }
    }

    /// A project of which nothing is known but why.
    pub(crate) fn unreadable(problem: Diagnostic) -> Self {
        let (entries, problems, own_problems) = (Vec::new(), vec![problem], Vec::new());
        Self { name: None, purpose: Purpose::Checking, entries, root: TextRange::default(), problems, own_problems }
    }
}

impl Entry {
    /// The path this means for a project in `folder`. Both kinds of slashes separate on every system.
    pub fn below(&self, folder: &Path) -> PathBuf {
        let written = self.written.replace('\\', std::path::MAIN_SEPARATOR_STR);
        simplest(&folder.join(written))
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

fn contents(root: Node<'_, '_>) -> Manifest {
    let (entries, problems, own_problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut manifest =
        Manifest { name: None, purpose: Purpose::Checking, entries, root: name_range(root), problems, own_problems };
    for element in root.children().filter(Node::is_element) {
        match element.tag_name().name() {
            INPUT_FILES => {
                for element in element.children().filter(Node::is_element) {
                    match element.tag_name().name() {
                        P_FILE => manifest.add_entry(EntryKind::Input, element),
                        _ => manifest.problems.push(unknown(element, &IN_INPUT_FILES)),
                    }
                }
            }
            INCLUDE_PROJECT => manifest.add_entry(EntryKind::Include, element),
            name if IN_ROOT.contains(&name) => {}
            _ => manifest.problems.push(unknown(element, &IN_ROOT)),
        }
    }
    manifest.problems.extend(in_namespace(root));
    // P reads the first of each and passes over the others.
    let first = |name: &str| root.children().find(|child| child.is_element() && child.tag_name().name() == name);
    manifest.read_name(first(PROJECT_NAME_ELEMENT));
    if let Some(element) = first(TARGET) {
        manifest.read_targets(element);
    }
    manifest
}

impl Manifest {
    fn add_entry(&mut self, kind: EntryKind, element: Node<'_, '_>) {
        let content = content(element);
        let written = content.trim();
        let range = text_range(place(element, written).unwrap_or_else(|| element.range()));
        if !written.is_empty() && written != content {
            let message = "P takes the white space around this path as part of it, and finds nothing";
            let help = format!("write <{0}>{written}</{0}>", element.tag_name().name());
            self.problems.push(Diagnostic::warning(PROJECT_PATH, range, message).with_help(help));
        }
        self.entries.push(Entry { kind, written: written.to_owned(), range });
    }

    fn read_name(&mut self, element: Option<Node<'_, '_>>) {
        const HELP: &str = "a project's name consists of letters, digits and `_`, and does not begin with a digit";
        let Some(element) = element else {
            let help = "add <ProjectName>...</ProjectName>";
            self.own_problems
                .push(Diagnostic::error(PROJECT_NAME, self.root, "this project has no `ProjectName`").with_help(help));
            return;
        };
        let content = content(element);
        let written = content.trim();
        if is_name(content.strip_suffix('\n').unwrap_or(&content)) {
            self.name = Some(written.to_owned());
            return;
        }
        let range = text_range(place(element, written).unwrap_or_else(|| element.range()));
        let message = match written {
            "" => "the name of this project is empty".to_owned(),
            _ if is_name(written) => "P takes the white space around this name as part of it, and refuses it".to_owned(),
            _ => format!("P refuses `{written}` as the name of a project"),
        };
        self.own_problems.push(Diagnostic::error(PROJECT_NAME, range, message).with_help(HELP));
    }

    /// P separates targets by commas and spaces, and compares them without regard to capitals.
    fn read_targets(&mut self, element: Node<'_, '_>) {
        let content = content(element);
        let range = text_range(place(element, content.trim()).unwrap_or_else(|| element.range()));
        let written: Vec<&str> = content.split([',', ' ']).filter(|target| !target.is_empty()).collect();
        let is_verifier = |target: &&str| target.eq_ignore_ascii_case(VERIFIER);
        if written.iter().any(is_verifier) {
            self.purpose = Purpose::Verifying;
        }
        let mut report = |message, help: &str| {
            self.own_problems.push(Diagnostic::error(PROJECT_TARGET, range, message).with_help(help));
        };
        let is_target = |written: &str| TARGETS.iter().any(|target| target.eq_ignore_ascii_case(written));
        match written.iter().find(|target| !is_target(target)) {
            Some(target) if target.trim().is_empty() || is_target(target.trim()) => {
                report(
                    "P takes the line break as part of the target, and refuses it".to_owned(),
                    "write the targets on one line",
                );
            }
            Some(target) => {
                let known = TARGETS.map(|target| format!("`{target}`")).join(", ");
                report(format!("P knows no target `{}`", target.trim()), &format!("the targets are {known}"));
            }
            None if written.len() > 1 && written.iter().any(is_verifier) => {
                report(format!("P takes the target `{VERIFIER}` only alone"), "make a project of its own for the verifier");
            }
            None => {}
        }
    }
}

fn is_name(written: &str) -> bool {
    let mut bytes = written.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// That P passes over elements because they are in a namespace, told once. Of the root element P does not look at the name.
fn in_namespace(root: Node<'_, '_>) -> Option<Diagnostic> {
    let elements = root.children().filter(Node::is_element);
    let mut read = elements.flat_map(|element| std::iter::once(element).chain(element.children().filter(Node::is_element)));
    let first = read.find(|element| element.tag_name().namespace().is_some())?;
    let name = first.tag_name().name();
    let message = format!("P passes over `{name}`, because it is in an XML namespace");
    Some(Diagnostic::warning(PROJECT_ELEMENT, name_range(first), message).with_help("remove `xmlns` from the project file"))
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

/// The text in an element, apart from that of elements in it.
fn content(element: Node<'_, '_>) -> String {
    element.children().filter_map(|child| child.is_text().then(|| child.text()).flatten()).collect()
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
        let manifest = Manifest::parse(text);
        let mut shown = format!("{:?} {:?}\n", manifest.name, manifest.purpose);
        for entry in manifest.entries {
            shown += &format!("{:?} {:?} written as {:?}\n", entry.kind, entry.written, &text[entry.range]);
        }
        for problem in manifest.problems.into_iter().chain(manifest.own_problems) {
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
                Some("Lease") Checking
                Include "..\\Common\\Common.pproj" written as "..\\Common\\Common.pproj"
                Input "./PSrc/" written as "./PSrc/"
                Input "A&B.p" written as "<PFile>A&amp;B.p</PFile>"
                Input "" written as "<PFile/>"
                LS0011 at 222..229 `./PSrc/`: P takes the white space around this path as part of it, and finds nothing; write <PFile>./PSrc/</PFile>
                LS0012 at 388..393 `PFile`: P does not read `PFile` here; it belongs in `InputFiles`
            "#]],
        );
    }

    #[test]
    fn elements_in_a_namespace_are_read() {
        check(
            "<Project xmlns='urn:p'><InputFiles><PFile>a.p</PFile></InputFiles></Project>",
            expect![[r#"
                None Checking
                Input "a.p" written as "a.p"
                LS0012 at 24..34 `InputFiles`: P passes over `InputFiles`, because it is in an XML namespace; remove `xmlns` from the project file
                LS0015 at 1..8 `Project`: this project has no `ProjectName`; add <ProjectName>...</ProjectName>
            "#]],
        );
        check(
            "<p:Project xmlns:p='urn:p'><p:ProjectName>A</p:ProjectName><p:InputFiles><p:PFile>a.p</p:PFile></p:InputFiles></p:Project>",
            expect![[r#"
                Some("A") Checking
                Input "a.p" written as "a.p"
                LS0012 at 28..41 `p:ProjectName`: P passes over `ProjectName`, because it is in an XML namespace; remove `xmlns` from the project file
            "#]],
        );
        check(
            "<p:Project xmlns:p='urn:p'><ProjectName>A</ProjectName></p:Project>",
            expect![[r#"
                Some("A") Checking
            "#]],
        );
    }

    #[test]
    fn what_is_not_xml_is_told_with_its_place() {
        check(
            "<Project>\r\n  <InputFiles>\r\n</Project>",
            expect![[r#"
                None Checking
                LS0010 at 27..27 ``: this project file cannot be read as XML: expected 'InputFiles' tag, not 'Project'
            "#]],
        );
        check(
            "",
            expect![[r#"
                None Checking
                LS0010 at 0..0 ``: this project file cannot be read as XML: the document does not have a root node
            "#]],
        );
        check(
            "é <",
            expect![[r#"
                None Checking
                LS0010 at 0..0 ``: this project file cannot be read as XML: unknown token
            "#]],
        );
        check(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            expect![[r#"
                None Checking
                LS0010 at 0..0 ``: this project file cannot be read as XML: XML with DTD detected
            "#]],
        );
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        let manifest = Manifest::parse(&deep);
        assert_eq!((manifest.entries.len(), manifest.problems.len()), (0, 1));
    }

    #[test]
    fn elements_that_p_passes_over() {
        check(
            "<Project><Inputfiles><PFile>a.p</PFile></Inputfiles><Include>b.pproj</Include><PFile>c.p</PFile>\
             <InputFiles><pfile>d.p</pfile><Files/><Target/></InputFiles><Compile/><x/></Project>",
            expect![[r#"
                None Checking
                LS0012 at 10..20 `Inputfiles`: P does not know the element `Inputfiles` and passes over it; did you mean `InputFiles`?
                LS0012 at 53..60 `Include`: P does not know the element `Include` and passes over it; did you mean `IncludeProject`?
                LS0012 at 79..84 `PFile`: P does not read `PFile` here; it belongs in `InputFiles`
                LS0012 at 109..114 `pfile`: P does not know the element `pfile` and passes over it; did you mean `PFile`?
                LS0012 at 127..132 `Files`: P does not know the element `Files` and passes over it; P reads here: `PFile`
                LS0012 at 135..141 `Target`: P does not read `Target` here; it belongs outside of `InputFiles`
                LS0012 at 157..164 `Compile`: P does not know the element `Compile` and passes over it; P reads here: `ProjectName`, `InputFiles`, `OutputDir`, `Target`, `IncludeProject`, `pobserve-package`
                LS0012 at 167..168 `x`: P does not know the element `x` and passes over it; P reads here: `ProjectName`, `InputFiles`, `OutputDir`, `Target`, `IncludeProject`, `pobserve-package`
                LS0015 at 1..8 `Project`: this project has no `ProjectName`; add <ProjectName>...</ProjectName>
            "#]],
        );
        let meant = ["File", "OutputDirectory", "Targets", "Include", "Name", "pf", "é", ""].map(similar);
        assert_eq!(meant, [Some("PFile"), None, Some("Target"), Some("IncludeProject"), None, None, None, None]);
    }

    #[test]
    fn names_that_p_refuses() {
        check(
            "<Project><ProjectName>my-shop</ProjectName></Project>",
            expect![[r#"
            None Checking
            LS0015 at 22..29 `my-shop`: P refuses `my-shop` as the name of a project; a project's name consists of letters, digits and `_`, and does not begin with a digit
        "#]],
        );
        check(
            "<Project><ProjectName> Shop </ProjectName></Project>",
            expect![[r#"
            None Checking
            LS0015 at 23..27 `Shop`: P takes the white space around this name as part of it, and refuses it; a project's name consists of letters, digits and `_`, and does not begin with a digit
        "#]],
        );
        check(
            "<Project><ProjectName>_Shop2\n</ProjectName><ProjectName>?</ProjectName></Project>",
            expect![[r#"
            Some("_Shop2") Checking
        "#]],
        );
        check(
            "<Project><ProjectName/></Project>",
            expect![[r#"
            None Checking
            LS0015 at 9..23 `<ProjectName/>`: the name of this project is empty; a project's name consists of letters, digits and `_`, and does not begin with a digit
        "#]],
        );
    }

    #[test]
    fn targets() {
        let check = |targets: &str, expected| {
            check(&format!("<Project><ProjectName>A</ProjectName><Target>{targets}</Target></Project>"), expected);
        };
        check(
            "pchecker, PEX,,PObserve",
            expect![[r#"
            Some("A") Checking
        "#]],
        );
        check(
            "PVerifier",
            expect![[r#"
            Some("A") Verifying
        "#]],
        );
        check(
            "PVerifier PEx",
            expect![[r#"
            Some("A") Verifying
            LS0016 at 45..58 `PVerifier PEx`: P takes the target `PVerifier` only alone; make a project of its own for the verifier
        "#]],
        );
        check(
            "PChecker C",
            expect![[r#"
            Some("A") Checking
            LS0016 at 45..55 `PChecker C`: P knows no target `C`; the targets are `PChecker`, `PEx`, `PObserve`, `PVerifier`
        "#]],
        );
        check(
            "\n PChecker\n",
            expect![[r#"
            Some("A") Checking
            LS0016 at 47..55 `PChecker`: P takes the line break as part of the target, and refuses it; write the targets on one line
        "#]],
        );
        check(
            "",
            expect![[r#"
            Some("A") Checking
        "#]],
        );
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
