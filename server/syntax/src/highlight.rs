//! Syntax highlighting from the grammars' queries, the same that editors use.

use std::sync::LazyLock;

use lockstep_base::TextRange;
use tree_sitter_highlight::{HighlightConfiguration, HighlightEvent, Highlighter};

use crate::parse::offset;
use crate::{Language, Parse, outline};

/// A stretch of text and the name of what it is (`keyword`, `type.builtin`, ...).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub range: TextRange,
    pub name: &'static str,
}

/// Nested deeper than this, running the queries takes minutes.
const MAX_DEPTH: usize = 10_000;

/// The highlighted stretches of `text` in order, not overlapping; none if it is nested absurdly deep.
pub fn highlight(language: Language, text: &str) -> Vec<Highlight> {
    let config = match language {
        Language::P => &*P,
        Language::Icet => &*ICET,
    };
    if outline(&Parse::new(language, text)).iter().any(|node| node.depth > MAX_DEPTH) {
        return Vec::new();
    }
    let mut highlighter = Highlighter::new();
    let Ok(events) = highlighter.highlight(&config.highlights, text.as_bytes(), None, None, |_| None) else {
        return Vec::new();
    };
    let mut active = Vec::new();
    let mut highlights = Vec::new();
    for event in events.map_while(Result::ok) {
        match event {
            HighlightEvent::HighlightStart(highlight) => active.push(highlight.0),
            HighlightEvent::HighlightEnd => drop(active.pop()),
            HighlightEvent::Source { start, end } => {
                if let Some(&name) = active.last() {
                    let range = TextRange::new(offset(start), offset(end));
                    highlights.push(Highlight { range, name: config.names[name].as_str() });
                }
            }
        }
    }
    highlights
}

struct Config {
    highlights: HighlightConfiguration,
    names: Vec<String>,
}

static P: LazyLock<Config> = LazyLock::new(|| config(Language::P, tree_sitter_p::p::HIGHLIGHTS, tree_sitter_p::p::LOCALS));
static ICET: LazyLock<Config> =
    LazyLock::new(|| config(Language::Icet, tree_sitter_p::icet::HIGHLIGHTS, tree_sitter_p::icet::LOCALS));

fn config(language: Language, highlights: &str, locals: &str) -> Config {
    let mut highlights = HighlightConfiguration::new(language.tree_sitter(), language.name(), highlights, "", locals)
        .expect("the grammar's queries are checked by its tests");
    let names: Vec<String> = highlights.names().iter().map(|name| (*name).to_owned()).collect();
    highlights.configure(&names);
    Config { highlights, names }
}
