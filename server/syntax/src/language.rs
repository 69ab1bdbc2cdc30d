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
        words.contains(word) || (self == Self::P && (NODES_OF_P.contains(&word) || crate::p::is_reserved_for_proofs(word)))
    }
}

/// Words of P that are nodes with a name of their own, and therefore not among the words that the grammar mentions.
const NODES_OF_P: [&str; 3] = ["halt", "null", "this"];

static P_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words(Language::P));
static ICET_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| words(Language::Icet));

/// The words that the grammar mentions.
fn words(language: Language) -> HashSet<String> {
    let grammar = language.tree_sitter();
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let kinds = (0..count).filter(|kind| !grammar.node_kind_is_named(*kind)).filter_map(|kind| grammar.node_kind_for_id(kind));
    kinds.filter(|kind| kind.starts_with(|first: char| first.is_ascii_alphabetic())).map(str::to_owned).collect()
}
