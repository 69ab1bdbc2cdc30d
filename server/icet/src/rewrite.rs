//! Sequentialization: a program of many processes rewritten into one that does the same in an order of its own.

mod emit;
mod facts;
mod kernel;
mod state;
mod steps;
mod strategy;
mod value;

pub use emit::Sequential;
pub use facts::Facts;
pub use kernel::Refusal;
pub use steps::Step;
pub use value::Who;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crate::program::{Program, StmtId};

/// What came of the attempt to put a program in order.
pub struct Outcome {
    /// Which rules were applied.
    pub steps: Vec<Step>,
    /// How many messages were received on the way.
    pub matched: usize,
    /// Which send was received where, as far as the steps lead.
    pub pairs: BTreeSet<(StmtId, StmtId)>,
    /// Whether all processes came to their end, or wait to serve, and no message is left.
    pub is_complete: bool,
    /// Who could not go on, and why.
    pub stuck: Vec<(Who, Refusal)>,
    /// Assertions that were met, and whether they hold for sure.
    pub asserts: BTreeMap<StmtId, bool>,
    /// What the steps do, as a program; as far as they lead.
    pub sequential: Result<Sequential, Refusal>,
    /// Processes that go on for ever, or wait in endless loops to serve.
    pub remaining: Vec<Who>,
    /// Those of them that go on for ever by themselves; each of their turns was gone through.
    pub endless: Vec<Who>,
    /// The next statement of each of these.
    pub next: Vec<(Who, StmtId)>,
}

/// How many rules are tried before the search is given up.
pub const BUDGET: usize = 200_000;

/// Puts a program in order.
pub fn sequentialize(program: &Program) -> Outcome {
    sequentialize_until(program, None)
}

/// The same, until it is no longer wanted: then it ends as if the budget was spent.
pub fn sequentialize_until(program: &Program, cancel: Option<&AtomicBool>) -> Outcome {
    let facts = Facts::of(program);
    let found = strategy::search(program, &facts, BUDGET, cancel);
    let left = found.kernel.state.actors.iter().filter_map(|actor| Some((actor.who, actor.code.head()?)));
    let next = left.collect();
    let is_left = |who: Who, code: &state::Code| !code.is_done() || found.kernel.endless.contains(&who);
    let left = found.kernel.state.actors.iter().filter(|actor| is_left(actor.who, &actor.code));
    let remaining = left.map(|actor| actor.who).collect();
    Outcome {
        sequential: emit::emit(program, &facts, &found.steps),
        matched: found.kernel.matched,
        next,
        is_complete: found.kernel.is_finished() && program.sequential.is_none(),
        asserts: found.kernel.asserts,
        pairs: found.kernel.pairs,
        stuck: found.stuck,
        steps: found.steps,
        endless: found.kernel.endless.into_iter().collect(),
        remaining,
    }
}

/// What the first steps of an attempt do, as a program: their part in order, and what is left of each process.
pub fn after(program: &Program, steps: &[Step]) -> Result<Sequential, Refusal> {
    emit::emit(program, &Facts::of(program), steps)
}
