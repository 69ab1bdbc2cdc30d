//! What every other crate speaks in: texts and positions in them, diagnostics, verdicts.
//!
//! Knows nothing of P, IceT, files on disk or editors.

mod diagnostic;
mod text;
pub mod verdict;

pub use diagnostic::{Diagnostic, Fix, Related, Severity};
pub use text::{Edit, Encoding, Position, Text};
pub use text_size::{TextRange, TextSize};
