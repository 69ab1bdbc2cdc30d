//! `peers-diagrams FILE ENGINE`: makes the operations of a recorded symbolic search again and prints what they cost.
//!
//! The engines: biodivine as Lockstep uses it (`shared`: diagrams shared whole, shortcuts for constants and for one and the same, a bound on nodes),
//! the same without a bound (`unlimited`), without shortcuts, and with a table of all diagrams and of all results (`interned`); a plain
//! hash-consed table of nodes with a memory of results, which never forgets (`hash-consed`); and oxidd, with complement edges. All have the same order
//! of variables. A guard is dropped after its last use.

mod biodivine;
mod hash_consed;
mod oxidd_bcdd;
mod recording;

use std::time::Instant;

use crate::recording::{Line, Recording};

/// A kind of decision diagrams. Variables are numbers in their order, without gaps.
trait Engine {
    type Guard: Clone;
    /// Nodes from the bottom up: the variable and where to go; 0 and 1 are the constants, the last is the root.
    fn input(&mut self, nodes: &[(u16, usize, usize)], is_true: bool) -> Self::Guard;
    fn operate(&mut self, operation: char, a: &Self::Guard, b: &Self::Guard) -> Self::Guard;
    fn and_some(&mut self, a: &Self::Guard, b: &Self::Guard, gone: &[u16]) -> Self::Guard;
    fn is_false(&self, guard: &Self::Guard) -> bool;
    /// How many nodes there are at this time, as far as the engine knows; 0 if it does not.
    fn nodes(&self) -> usize;
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, engine] = &arguments[..] else { panic!("a file and the name of an engine are expected") };
    let text = std::fs::read_to_string(file).expect("the recording can be read");
    let recording = Recording::of(&text);
    let most = recording.variables;
    match engine.as_str() {
        "shared" => run(engine, &recording, biodivine::Diagrams::new(most, biodivine::Use::Shared)),
        "unlimited" => run(engine, &recording, biodivine::Diagrams::new(most, biodivine::Use::Unlimited)),
        "without shortcuts" => run(engine, &recording, biodivine::Diagrams::new(most, biodivine::Use::WithoutShortcuts)),
        "interned" => run(engine, &recording, biodivine::Diagrams::new(most, biodivine::Use::Interned)),
        "hash-consed" => run(engine, &recording, hash_consed::Diagrams::default()),
        "oxidd" => run(engine, &recording, oxidd_bcdd::Diagrams::new(most)),
        other => panic!("there is no engine `{other}`"),
    }
}

fn run<E: Engine>(name: &str, recording: &Recording, mut engine: E) {
    let mut guards: Vec<Option<E::Guard>> = vec![None; recording.guards];
    let (mut empty, mut most_nodes) = (0, 0);
    let begun = Instant::now();
    for (number, line) in recording.lines.iter().enumerate() {
        let (result, made) = match line {
            Line::Input { number, nodes, is_true } => (*number, engine.input(nodes, *is_true)),
            Line::Operation { operation, a, b, result, gone } => {
                let (Some(a), Some(b)) = (&guards[*a], &guards[*b]) else { panic!("a guard is missing") };
                let made = if *operation == 'e' { engine.and_some(a, b, gone) } else { engine.operate(*operation, a, b) };
                empty += u32::from(engine.is_false(&made));
                (*result, made)
            }
        };
        guards[result] = Some(made);
        for done in &recording.last_uses[number] {
            guards[*done] = None;
        }
        if number % 256 == 0 {
            most_nodes = most_nodes.max(engine.nodes());
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let nodes = if most_nodes == 0 { "-".to_owned() } else { most_nodes.to_string() };
    println!("  {name:<20} {seconds:>8.3} s {:>6} MB {nodes:>10} nodes  ({} operations, {empty} empty)", peak() >> 20, recording.operations);
}

/// The most memory that this process has had, the recording with it; 0 where the system does not tell.
fn peak() -> u64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default();
    kilobytes * 1024
}
