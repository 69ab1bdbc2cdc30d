//! Features of P, over a file as part of a project.

mod actions;
mod calls;
mod completion;
mod declared;
mod describe;
mod expected;
mod fields;
mod hints;
mod hover;
mod lens;
mod mentions;
mod names;
mod navigate;
mod path;
pub mod project_file;
mod rename;
mod rename_field;
mod scope;
mod search;
mod signature;
mod surroundings;
#[cfg(test)]
mod tests;
mod tokens;
mod unhandled;
mod verdicts;

pub use actions::{Action, ActionKind, Fixing, actions, fixing, fixings};
pub use calls::{Call, CallItem, SentFromVariable, incoming_calls, outgoing_calls, prepare_calls, sent_from_variables};
pub use completion::completions;
pub use hints::{Hint, HintKind, WantedHints, hints, told_to_other_files};
pub use hover::hover;
pub use lens::{Lens, TestAction, lenses};
pub use names::{FilePlace, NameAt, name_at, names_in};
pub use navigate::{definition, definitions, highlights, implementations, references, type_definition};
pub use rename::{prepare_rename, rename};
pub use search::{ProjectSymbol, project_symbols};
pub use signature::signature_help;
pub use tokens::tokens;
pub use unhandled::{StateFix, state_fixes};
pub use verdicts::{Outcomes, records, test_item};
