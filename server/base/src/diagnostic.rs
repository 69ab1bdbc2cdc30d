//! A finding in a text: where, how bad, what, and what to do about it.

use serde::Serialize;

use crate::{TextRange, TextSize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// One finding in one file. `code` is stable across versions; everything else may be reworded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    /// What to do, when that is not obvious from the message.
    pub help: Option<String>,
    /// Other places of the same file that explain the finding.
    pub related: Vec<Related>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    pub range: TextRange,
    pub message: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, range: TextRange, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, range, message: message.into(), help: None, related: Vec::new() }
    }

    /// The same finding in a text that has `by` more bytes in front.
    #[must_use]
    pub fn shifted(mut self, by: TextSize) -> Self {
        self.range += by;
        self.related.iter_mut().for_each(|related| related.range += by);
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related { range, message: message.into() });
        self
    }
}
