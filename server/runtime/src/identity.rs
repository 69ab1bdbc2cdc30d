//! Who a machine is: the way from the main machine to it.
//!
//! A machine is known by its creator and by how many that one had created before. So it does not matter for its name what other
//! machines did meanwhile, and the same machine has the same name in all schedules.

use std::fmt;
use std::sync::Arc;

/// A machine of a run. The main machine is the first in the order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MachineId(Arc<[u32]>);

impl MachineId {
    pub fn main() -> Self {
        Self(Arc::new([]))
    }

    /// The machine this one creates after having created `before` others.
    pub fn child(&self, before: u32) -> Self {
        Self(self.0.iter().copied().chain([before]).collect())
    }

    /// The machine that has created this one, and how many it had created before; `None` for the main machine.
    pub fn creator(&self) -> Option<(Self, u32)> {
        self.0.split_last().map(|(before, path)| (Self(path.into()), *before))
    }

    /// How many machines there were before at each creation, from the main machine on.
    pub fn path(&self) -> &[u32] {
        &self.0
    }
}

/// Counted from 1: the main machine is `1`, the second machine it creates `1.2`.
impl fmt::Display for MachineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("1")?;
        self.0.iter().try_for_each(|before| write!(f, ".{}", u64::from(*before) + 1))
    }
}
