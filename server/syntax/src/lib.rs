//! Parsing of P and IceT: incremental, never failing, with typed trees and syntax errors.
//!
//! Knows one text at a time. What names mean, which files belong together and what is on disk is for the crates above. The only
//! crate that speaks to tree-sitter.

mod errors;
mod highlight;
pub mod icet;
mod kinds;
mod language;
mod outline;
pub mod p;
mod parse;
mod parts;
#[cfg(test)]
mod queries;
mod segments;
mod tree;

pub use errors::codes;
pub use highlight::{Highlight, highlight};
pub use language::Language;
pub use outline::{OutlineNode, outline};
pub use parse::Parse;
pub use parts::{KindName, Part, Step, kind_names};
