//! Operations on guards written down as they are made, so that other libraries can be measured with the same load.
//!
//! Guards have numbers. A line is `i N V:L:H ...` for a guard that comes from elsewhere, with its nodes from the bottom up (the variable, and the
//! nodes to go to; 0 and 1 are the constants), or `& A B R` for an operation (`&`, `|`, `-` for what is in the first only, `=` for where both are the same), or
//! `e A B R V,...` for both with some variables done away with. Everything that was recorded is kept, so this is for short searches.

use std::fmt::Write as _;
use std::sync::Arc;

use biodivine_lib_bdd::Bdd;
use rustc_hash::FxHashMap;

/// Operations after which no more are written down, and nodes.
const MOST_OPERATIONS: usize = 40_000;
const MOST_NODES: usize = 60_000_000;

#[derive(Default)]
pub(crate) struct Recording {
    text: String,
    /// By where they are, which nobody else can come to be as long as they are kept.
    numbers: FxHashMap<usize, usize>,
    kept: Vec<Arc<Bdd>>,
    nodes: usize,
    operations: usize,
}

impl Recording {
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// An operation that was made. Without bounds or excesses, so `result` is right.
    pub(crate) fn note(&mut self, operation: char, [a, b, result]: [&Arc<Bdd>; 3], gone: &[u16]) {
        if self.operations >= MOST_OPERATIONS || self.nodes >= MOST_NODES {
            return;
        }
        self.operations += 1;
        let (a, b) = (self.input(a), self.input(b));
        let result = self.numbers.get(&place(result)).copied().unwrap_or_else(|| self.keep(result));
        let gone: Vec<String> = gone.iter().map(ToString::to_string).collect();
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{operation} {a} {b} {result} {}", gone.join(","));
    }

    fn input(&mut self, guard: &Arc<Bdd>) -> usize {
        if let Some(number) = self.numbers.get(&place(guard)) {
            return *number;
        }
        let number = self.keep(guard);
        let _ = write!(self.text, "i {number}");
        if guard.is_true() {
            self.text.push_str(" true");
        }
        for pointer in guard.pointers().skip(2) {
            let (low, high) = (guard.low_link_of(pointer), guard.high_link_of(pointer));
            let _ = write!(self.text, " {}:{}:{}", guard.var_of(pointer).to_index(), low.to_index(), high.to_index());
        }
        self.text.push('\n');
        number
    }

    fn keep(&mut self, guard: &Arc<Bdd>) -> usize {
        let number = self.kept.len();
        self.nodes += guard.size();
        self.numbers.insert(place(guard), number);
        self.kept.push(guard.clone());
        number
    }
}

fn place(guard: &Arc<Bdd>) -> usize {
    Arc::as_ptr(guard).addr()
}
