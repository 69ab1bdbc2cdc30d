//! Searches a model with Stateright and prints how many states it has: `peers-stateright MODEL SIZE`.
//!
//! Built and run by `cargo xtask bench explore --peers`, and no part of the workspace.

mod ring;
mod two_phase;

use std::hash::Hash;

use stateright::{Checker, Model};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (model, size) = match &arguments[..] {
        [model, size] => (model.as_str(), size.parse().expect("the size is a number")),
        _ => panic!("usage: peers-stateright MODEL SIZE"),
    };
    match model {
        "two_phase_commit" => search(two_phase::TwoPhase { participants: size }),
        "chang_roberts" => search(ring::model(size)),
        other => panic!("there is no model `{other}`"),
    }
}

/// On one thread, until there is nothing left.
fn search<M>(model: M)
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + std::fmt::Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + std::fmt::Debug + PartialEq + Send + Sync,
{
    let checker = model.checker().threads(1).spawn_bfs().join();
    checker.assert_properties();
    println!("{} states, {} generated", checker.unique_state_count(), checker.state_count());
}
