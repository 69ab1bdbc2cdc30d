//! Features of IceT. A program is one text, so everything is a function of its parse.
//!
//! `program` says what every name stands for; the features read it off. Completion and signature help work while the text is
//! broken at the cursor, so they look at the words in front of it (`context`) and ask `program` only what is declared. What takes long
//! to find out about a program is given to them (`known`), with the text it was put to.

mod comment;
mod completion;
mod context;
mod hover;
mod known;
mod navigation;
mod program;
mod rename;
mod sequential;
mod signature;
mod tokens;
mod verdicts;

#[cfg(test)]
mod tests;

pub use completion::completions;
pub use hover::hover;
pub use known::{Known, Lens, hover_of_known, lens, outcome};
pub use navigation::{definition, highlights, references};
pub use program::{Meaning, Name, NameKind, Role, names};
pub use rename::{prepare_rename, rename};
pub use sequential::{SequentialView, empty_view, sequential_view};
pub use signature::signature_help;
pub use tokens::tokens;
pub use verdicts::{Standing, records};

use lockstep_syntax::Language;

/// Functions that every program knows.
const BUILTINS: [&str; 3] = ["card", "finished", "here"];

/// Whether a word belongs to the language and is never a name.
fn is_reserved(word: &str) -> bool {
    word == "_" || Language::Icet.is_reserved(word)
}
