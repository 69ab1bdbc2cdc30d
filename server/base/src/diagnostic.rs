//! A finding in a text: where, how bad, what, and what to do about it.

use serde::Serialize;

use crate::{Edit, TextRange, TextSize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// One finding in one file. `code` is stable across versions; everything else may be reworded. A fix or a place in the finding's own
/// file moves with it; one in another file does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    /// What to do, when that is not obvious from the message.
    pub help: Option<String>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// A change that mends it, where that is mechanical.
    pub fix: Option<Fix>,
    /// Whether it says that the text of its range has no effect: editors show such text faded.
    pub is_unused: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    /// Another file, or `None` for the finding's own.
    pub path: Option<String>,
    pub range: TextRange,
    pub message: String,
}

/// Changes of the finding's own file that belong together, in order and without overlap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// What it does, as an order: "declare the event `ePing`".
    pub title: String,
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    pub fn error(code: &'static str, range: TextRange, message: impl Into<String>) -> Self {
        let (help, related, fix) = (None, Vec::new(), None);
        Self { code, severity: Severity::Error, range, message: message.into(), help, related, fix, is_unused: false }
    }

    pub fn warning(code: &'static str, range: TextRange, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, range, message) }
    }

    /// The same finding in a text that has `by` more bytes in front.
    #[must_use]
    pub fn shifted(mut self, by: TextSize) -> Self {
        self.range += by;
        self.related.iter_mut().filter(|related| related.path.is_none()).for_each(|related| related.range += by);
        self.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.range += by);
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related { path: None, range, message: message.into() });
        self
    }
}
