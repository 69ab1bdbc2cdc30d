//! The formatter of P and IceT: a parsed text in, edits out.
//!
//! Only white space is changed: between tokens, at the ends of comment lines, and before the lines inside of comments that are moved as a
//! whole. So neither the tokens nor their order change, and with them the tree. A part of the text that has a syntax error stays as it is, byte
//! for byte.

mod edits;
mod indent;
mod kinds;
mod layout;
mod options;
mod read;
mod rules;
mod sheet;
#[cfg(test)]
mod tests;
mod typing;

pub use edits::{format, format_range};
pub use options::{Braces, Indent, Options, Width};
pub use typing::format_on_type;
