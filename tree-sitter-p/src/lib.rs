//! The grammars of P and IceT as tree-sitter languages, with their queries and their rules as data.
//!
//! Holds no logic: it only makes what lies in `p/` and `icet/` reachable from Rust. The crate depends on
//! `tree-sitter-language` alone, so that the grammars and the tree-sitter runtime can move apart.

// The languages are C functions; wrapping the two symbols is one of the few places that need `unsafe`.
#![allow(unsafe_code)]

use tree_sitter_language::LanguageFn;

macro_rules! grammar {
    ($name:ident, $symbol:ident, $folder:literal) => {
        pub mod $name {
            use super::LanguageFn;

            unsafe extern "C" {
                fn $symbol() -> *const ();
            }

            // SAFETY: the generated parser defines this symbol; it returns a static language table.
            pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw($symbol) };
            /// The grammar's rules, as tree-sitter's `grammar.json`.
            pub const GRAMMAR: &str = include_str!(concat!("../", $folder, "/src/grammar.json"));
            pub const NODE_TYPES: &str = include_str!(concat!("../", $folder, "/src/node-types.json"));
            pub const HIGHLIGHTS: &str = include_str!(concat!("../", $folder, "/queries/highlights.scm"));
            pub const LOCALS: &str = include_str!(concat!("../", $folder, "/queries/locals.scm"));
            pub const TAGS: &str = include_str!(concat!("../", $folder, "/queries/tags.scm"));
            pub const FOLDS: &str = include_str!(concat!("../", $folder, "/queries/folds.scm"));
            pub const INDENTS: &str = include_str!(concat!("../", $folder, "/queries/indents.scm"));
            pub const INJECTIONS: &str = include_str!(concat!("../", $folder, "/queries/injections.scm"));
        }
    };
}

grammar!(p, tree_sitter_p, "p");
grammar!(icet, tree_sitter_icet, "icet");
