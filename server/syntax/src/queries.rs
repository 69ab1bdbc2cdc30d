//! Tests of the grammars' queries, most of which only editors run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tree_sitter::{Query, QueryCursor, StreamingIterator};

use crate::Language;
use crate::parse::parse_tree;

/// What captures are called in highlighting queries, before the first dot: the names that editors know.
const HIGHLIGHTS: [&str; 20] = [
    "attribute",
    "boolean",
    "character",
    "comment",
    "constant",
    "constructor",
    "diff",
    "function",
    "keyword",
    "label",
    "markup",
    "module",
    "number",
    "operator",
    "property",
    "punctuation",
    "string",
    "tag",
    "type",
    "variable",
];

const LANGUAGES: [Language; 2] = [Language::P, Language::Icet];

/// The six queries of a grammar, each with its text and what its captures may be called before the first dot.
fn queries(language: Language) -> [(&'static str, &'static str, &'static [&'static str]); 6] {
    use tree_sitter_p::{icet, p};
    let [highlights, locals, tags, folds, indents, injections] = match language {
        Language::P => [p::HIGHLIGHTS, p::LOCALS, p::TAGS, p::FOLDS, p::INDENTS, p::INJECTIONS],
        Language::Icet => [icet::HIGHLIGHTS, icet::LOCALS, icet::TAGS, icet::FOLDS, icet::INDENTS, icet::INJECTIONS],
    };
    [
        ("highlights", highlights, &HIGHLIGHTS),
        ("locals", locals, &["local"]),
        ("tags", tags, &["name", "definition", "reference"]),
        ("folds", folds, &["fold"]),
        ("indents", indents, &["indent"]),
        ("injections", injections, &["injection"]),
    ]
}

#[test]
fn queries_compile_and_capture_what_editors_know() {
    for language in LANGUAGES {
        for (file, text, known) in queries(language) {
            let query = Query::new(&language.tree_sitter(), text);
            let query = query.unwrap_or_else(|error| panic!("{file}.scm of {}: {error}", language.name()));
            assert!(query.pattern_count() > 0, "{file}.scm of {} has no patterns", language.name());
            for name in query.capture_names() {
                let first = name.split('.').next().unwrap_or(name);
                assert!(known.contains(&first), "{file}.scm of {}: editors know no `@{name}`", language.name());
            }
        }
    }
}

#[test]
fn tags_are_what_the_grammars_tests_say() {
    for (language, grammar) in LANGUAGES.into_iter().zip(["p", "icet"]) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tree-sitter-p").join(grammar).join("test/tags");
        let mut count = 0;
        for entry in fs::read_dir(&folder).expect("the grammar has a folder of tests") {
            let path = entry.expect("the folder of tests can be read").path();
            let text = fs::read_to_string(&path).expect("a test is a readable text");
            let found = tags(language, &text);
            for (at, expected) in assertions(&text) {
                let found = found.iter().find(|((start, end), _)| (*start..*end).contains(&at)).map(|(_, tag)| tag.as_str());
                let line = text[..at].lines().count();
                assert_eq!(found, Some(expected), "{grammar}/test/tags/{}:{line}", path.file_name().unwrap().display());
                count += 1;
            }
        }
        assert!(count > 0, "{grammar}/test/tags asserts nothing");
    }
}

/// The tag of each name by where the name stands. Where several patterns tag one name the first pattern counts, as in
/// tree-sitter's own reading of tags.
fn tags(language: Language, text: &str) -> BTreeMap<(usize, usize), String> {
    let tree = parse_tree(language, text, None);
    assert!(!tree.root_node().has_error(), "{text}");
    let [_, _, (_, query, _), ..] = queries(language);
    let query = Query::new(&language.tree_sitter(), query).expect("the query compiles");
    let mut tags: BTreeMap<(usize, usize), (usize, String)> = BTreeMap::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    while let Some(found) = matches.next() {
        let captures = || found.captures().iter().map(|capture| (query.capture_names()[capture.index as usize], capture.node));
        let name = captures().find(|(name, _)| *name == "name").expect("every tag has a name").1;
        let tag = captures().find(|(name, _)| *name != "name").expect("every pattern tags something").0;
        let entry = tags.entry((name.start_byte(), name.end_byte())).or_insert((found.pattern_index, tag.to_owned()));
        if found.pattern_index < entry.0 {
            *entry = (found.pattern_index, tag.to_owned());
        }
    }
    tags.into_iter().map(|(name, (_, tag))| (name, tag)).collect()
}

/// The tags asked for, by byte: comments with an arrow `^` at a column of the last line that is no such comment.
fn assertions(text: &str) -> Vec<(usize, &str)> {
    let mut assertions = Vec::new();
    let (mut start, mut above) = (0, 0);
    for line in text.split_inclusive('\n') {
        match line.find('^').filter(|_| line.trim_start().starts_with("//")) {
            Some(column) => assertions.push((above + column, line[column + 1..].trim())),
            None => above = start,
        }
        start += line.len();
    }
    assertions
}

/// The queries that only Zed has lie with its extension; they have to keep up with the grammars too.
#[test]
fn the_queries_of_the_zed_extension_compile() {
    for (language, folder) in [(Language::P, "p"), (Language::Icet, "icet")] {
        for (name, captures) in [("outline", ["name", "item"]), ("brackets", ["open", "close"])] {
            let path = format!("{}/../../editors/zed/languages/{folder}/{name}.scm", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            let query = Query::new(&language.tree_sitter(), &text).unwrap_or_else(|error| panic!("{path}: {error}"));
            for capture in captures {
                assert!(query.capture_names().contains(&capture), "{path}: @{capture}");
            }
        }
    }
}
