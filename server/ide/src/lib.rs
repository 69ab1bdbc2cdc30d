//! Editor features as plain functions over the database: a position in, plain data out.
//!
//! Knows nothing of the protocol, of open documents or of threads. Ranges are byte ranges of the file they belong to. `p` asks the
//! database, `icet` one parsed text, `symbols` and `structure` work for both languages.

mod data;
pub mod icet;
pub mod p;
mod structure;
mod symbols;
mod verdicts;
mod words;

pub use data::{
    CannotRename, Completion, CompletionKind, Completions, Highlight, HighlightKind, Hover, SignatureHelp, TOKEN_MODIFIERS,
    TOKEN_TYPES, Token, TokenKind,
};
pub use structure::{Fold, FoldKind, folds, selection_ranges};
pub use symbols::{Symbol, SymbolKind, document_symbols};
