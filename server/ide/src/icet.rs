//! Features of IceT. A program is one text, so everything is a function of its parse.
//!
//! `program` says what every name stands for; the features read it off. Completion and signature help work while the text is
//! broken at the cursor, so they look at the words in front of it (`context`) and ask `program` only what is declared.

mod comment;
mod completion;
mod context;
mod hover;
mod navigation;
mod program;
mod rename;
mod signature;
mod tokens;

#[cfg(test)]
mod tests;

pub use completion::completions;
pub use hover::hover;
pub use navigation::{definition, highlights, references};
pub use program::{Meaning, Name, NameKind, Role, names};
pub use rename::{prepare_rename, rename};
pub use signature::signature_help;
pub use tokens::tokens;

/// Functions that every program knows.
const BUILTINS: [&str; 3] = ["card", "finished", "here"];

/// Words that are never names, as the grammar has them.
const KEYWORDS: [&str; 51] = [
    "_",
    "any",
    "as",
    "assert",
    "assume",
    "atomic",
    "bool",
    "break",
    "case",
    "choose",
    "const",
    "default",
    "done",
    "else",
    "ensures",
    "enum",
    "exists",
    "fail",
    "false",
    "for",
    "forall",
    "foreach",
    "from",
    "ghost",
    "havoc",
    "if",
    "in",
    "int",
    "invariant",
    "map",
    "match",
    "message",
    "or",
    "parallel",
    "pick",
    "pid",
    "process",
    "recv",
    "repeat",
    "rounds",
    "send",
    "sequential",
    "set",
    "skip",
    "subset",
    "timeout",
    "to",
    "true",
    "type",
    "var",
    "while",
];
