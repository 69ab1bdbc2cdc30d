//! The two languages.

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    P,
    Icet,
}

impl Language {
    /// By the file name's ending.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "p" => Some(Self::P),
            "icet" => Some(Self::Icet),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::P => "P",
            Self::Icet => "IceT",
        }
    }

    pub(crate) fn tree_sitter(self) -> tree_sitter::Language {
        match self {
            Self::P => tree_sitter_p::p::LANGUAGE.into(),
            Self::Icet => tree_sitter_p::icet::LANGUAGE.into(),
        }
    }

    /// Whether a word belongs to the language itself and cannot be a name.
    pub fn is_reserved(self, word: &str) -> bool {
        let words = match self {
            Self::P => &*P_WORDS,
            Self::Icet => &*ICET_WORDS,
        };
        words.contains(word) || (self == Self::P && crate::p::is_reserved_for_proofs(word))
    }
}

static P_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words(Language::P));
static ICET_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words(Language::Icet));

/// The words that the grammar mentions.
fn words(language: Language) -> HashSet<String> {
    let grammar = language.tree_sitter();
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let kinds = (0..count).filter(|kind| !grammar.node_kind_is_named(*kind)).filter_map(|kind| grammar.node_kind_for_id(kind));
    let kinds = kinds.map(str::to_owned).chain(words_with_a_rule(language));
    kinds.filter(|kind| kind.starts_with(|first: char| first.is_ascii_alphabetic())).collect()
}

/// A word that is a rule of its own, such as `halt` of P, is a named node like any other: only the rules tell.
fn words_with_a_rule(language: Language) -> Vec<String> {
    let grammar = match language {
        Language::P => tree_sitter_p::p::GRAMMAR,
        Language::Icet => tree_sitter_p::icet::GRAMMAR,
    };
    let grammar: serde_json::Value = serde_json::from_str(grammar).expect("the grammar is JSON");
    let rules = grammar["rules"].as_object().into_iter().flat_map(|rules| rules.values());
    let words = rules.filter(|rule| rule["type"] == "STRING").filter_map(|rule| rule["value"].as_str());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_language_are_reserved() {
        for word in ["machine", "halt", "null", "this", "default"] {
            assert!(Language::P.is_reserved(word), "{word}");
        }
        for word in ["process", "any", "ghost"] {
            assert!(Language::Icet.is_reserved(word), "{word}");
        }
        assert!(!Language::P.is_reserved("comment") && !Language::Icet.is_reserved("body"), "nodes are not words");
    }
}
