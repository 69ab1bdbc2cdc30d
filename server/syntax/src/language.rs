//! The two languages.

use std::path::Path;

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
}
