//! Diagrams of P programs: the states of a machine or spec, and who sends what to whom.
//!
//! From the checked program to plain data (`graph`), from there to a layout without anything outside (`layout`), and to pictures and
//! texts (`svg`, `mermaid`, `dot`, `text`). A broken program has a diagram of what can be read of it. Nothing here reads files.

mod acts;
mod collect;
mod dot;
mod flow;
mod graph;
pub mod layout;
mod measure;
mod mermaid;
mod states;
mod subject;
mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use dot::dot;
pub use graph::{Arrow, ArrowKind, Box, BoxKind, Diagram, DiagramKind, Heat, Label, Place, PlaceId, Row, RowKind};
pub use mermaid::mermaid;
pub use subject::{Subject, draw, machines, subject_at, tests_of};
pub use svg::{STYLE, sheet, svg, svg_with_places};
pub use text::{Line, text, text_lines};
