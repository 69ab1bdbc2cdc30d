//! Programs of the stratified pairwise fragment, all of which can be sequentialized.
//!
//! The fragment is built up: two processes that only talk to each other, without loops and races; one of them lifted over a set, so
//! that the other goes through the members in a loop; then that other lifted over a set, too, so that the members serve it with a
//! `foreach`; and such programs one after another, process by process.
//!
//! Three things must be exact. A receive names one process, so there is no race. What is lifted twice is *one* loop: if every
//! member of one set went through the other set twice in a row, and was served in one turn, two of them could hold each other up.
//! And in what is lifted twice, the server has the last word, or never says anything: else the members could go on before they are
//! served, and be served in orders that no order of asking explains.

use super::dialog::{Seat, dialog, opened_dialog, tell};
use super::sketch::{Phase, Sketch, append, block};
use crate::Random;

/// A pairwise program with up to `size` parts.
pub(super) fn pairwise(random: &mut Random, size: usize) -> String {
    let reuse = [0, 40, 80][random.below(3)];
    let mut sketch = Sketch::new(random, reuse);
    let singles: Vec<usize> = ["hub", "desk"].map(|name| sketch.add_process(name)).to_vec();
    let crowds: Vec<usize> = [("Nodes", "n"), ("Peers", "p")].map(|(set, member)| sketch.add_set(set, member)).to_vec();
    let parts = 1 + sketch.random.below(size.max(1));
    let mut program = sketch.silence();
    for _ in 0..parts {
        let moves = 1 + sketch.random.below(3);
        let part = match sketch.random.below(6) {
            0 | 1 => base(&mut sketch, singles[0], singles[1], moves),
            2..=4 => {
                let (single, crowd) = (sketch.one_of(&singles), sketch.one_of(&crowds));
                broadcast(&mut sketch, single, crowd, moves)
            }
            _ => {
                let (from, to) = sketch.one_of(&[(crowds[0], crowds[1]), (crowds[1], crowds[0])]);
                multicast(&mut sketch, from, to, moves)
            }
        };
        append(&mut program, part);
    }
    for (process, body) in program.into_iter().enumerate() {
        sketch.processes[process].body = body;
    }
    sketch.text()
}

/// Two processes talk.
pub(super) fn base(sketch: &mut Sketch, left: usize, right: usize, moves: usize) -> Phase {
    let (left_name, right_name) = (sketch.name(left), sketch.name(right));
    let (at_left, at_right) = (Seat { process: left, partner: right_name }, Seat { process: right, partner: left_name });
    let (lefts, rights) = dialog(sketch, at_left, at_right, moves);
    let mut phase = sketch.silence();
    phase[left] = lefts;
    phase[right] = rights;
    phase
}

/// One process talks with each member of a set, in the order of its own choice.
pub(super) fn broadcast(sketch: &mut Sketch, single: usize, crowd: usize, moves: usize) -> Phase {
    let mut phase = base(sketch, single, crowd, moves);
    let head = format!("for {} in {}", sketch.name(crowd), sketch.set_of(crowd));
    let turn = std::mem::take(&mut phase[single]);
    phase[single] = if turn.is_empty() { turn } else { vec![block(head, turn)] };
    phase
}

/// Each member of one set talks with each member of another one, which serves them as they come.
pub(super) fn multicast(sketch: &mut Sketch, from: usize, to: usize, moves: usize) -> Phase {
    let (from_name, to_name) = (sketch.name(from), sketch.name(to));
    let (speaker, server) = (Seat { process: from, partner: to_name }, Seat { process: to, partner: from_name });
    let is_monologue = sketch.percent(30);
    let (mut spoken, mut served) = if is_monologue {
        let words: Vec<_> = (0..moves).map(|_| tell(sketch, speaker, server)).collect();
        let (spoken, served): (Vec<_>, Vec<_>) = words.into_iter().unzip();
        (spoken.concat(), served.concat())
    } else {
        opened_dialog(sketch, speaker, server, moves - 1)
    };
    if !is_monologue {
        let (last, heard) = tell(sketch, server, speaker);
        served.extend(last);
        spoken.extend(heard);
    }
    let mut phase = sketch.silence();
    phase[from] = vec![block(format!("for {to_name} in {}", sketch.set_of(to)), spoken)];
    phase[to] = vec![block(format!("foreach {from_name} in {}", sketch.set_of(from)), served)];
    phase
}
