//! Whether rounds are independent of each other: that no round reads what an earlier one wrote.

use lockstep_base::Diagnostic;

use crate::program::Program;

/// Not looked at yet.
pub(super) fn warn_of_interference(_program: &Program, _diagnostics: &mut [Diagnostic]) {}
