//! Rounds: processes and sets that go through numbered rounds together, and lose what is late.
//!
//! Invariant: what is sent inside of rounds is sent nowhere else, and rounds stand in no loop. Whether a later round reads what an
//! earlier one has written is left to chance: the language only warns of it.

use super::dialog::local_work;
use super::sketch::{Block, MessageId, Phase, Sketch, Stmt, Type, block, line};

/// How many rounds there are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Length {
    Counted,
    Endless,
}

/// The participants do a few things in each round. A trap is that they do not agree how many rounds there are.
pub(super) fn rounds(sketch: &mut Sketch, participants: &[usize], length: Length) -> Phase {
    let mut phase = sketch.silence();
    for _ in 0..1 + sketch.random.below(3) {
        let (from, to) = two_of(sketch, participants);
        exchange(sketch, &mut phase, from, to);
    }
    let count = sketch.count();
    for &process in participants {
        let body = std::mem::take(&mut phase[process]);
        if body.is_empty() && sketch.percent(80) {
            continue;
        }
        let head = match length {
            Length::Endless => "rounds as r".to_owned(),
            Length::Counted => {
                let count = if sketch.percent(6) { sketch.count() } else { count };
                format!("rounds {count} as r")
            }
        };
        if sketch.percent(5) {
            // The rounds of others are matched with these, the first ones.
            phase[process].push(block(head.clone(), local_work(sketch, process)));
        }
        phase[process].push(block(head, body));
    }
    phase
}

/// Two of the participants; the same one twice if it is a set that talks with itself.
fn two_of(sketch: &mut Sketch, participants: &[usize]) -> (usize, usize) {
    let from = sketch.one_of(participants);
    let others: Vec<usize> = participants.iter().copied().filter(|&other| other != from).collect();
    (from, if others.is_empty() { from } else { sketch.one_of(&others) })
}

/// One tells the other, which listens, listens for a while, or does not listen at all.
fn exchange(sketch: &mut Sketch, phase: &mut Phase, from: usize, to: usize) {
    let carries = sketch.one_of(&[None, Some(Type::Int), Some(Type::Int), Some(Type::Answer)]);
    let message = sketch.own_message(carries);
    let (from_name, to_name) = (sketch.name(from), sketch.name(to));
    if from == to {
        // A member does not write to itself.
        let work = local_work(sketch, from);
        phase[from].extend(work);
        return;
    }
    let spoken = match carries {
        Some(Type::Int) if sketch.percent(30) => sketch.send_value(message, Some("r"), to_name),
        _ => sketch.send(from, message, to_name),
    };
    let spoken = match sketch.random.below(8) {
        0 => block("if (*)", vec![spoken]),
        1 => block(format!("if ({})", sketch.condition(from)), vec![spoken]),
        _ => spoken,
    };
    phase[from].push(once_for_each(sketch, to, spoken));
    let heard = listen(sketch, to, message, from_name, from);
    phase[to].extend(heard);
}

fn once_for_each(sketch: &Sketch, process: usize, turn: Stmt) -> Stmt {
    if !sketch.is_set(process) {
        return turn;
    }
    block(format!("for {} in {}", sketch.name(process), sketch.set_of(process)), vec![turn])
}

fn listen(sketch: &mut Sketch, at: usize, message: MessageId, from_name: &str, from: usize) -> Block {
    let set_name = sketch.set_of(from);
    match sketch.random.below(10) {
        // What was sent is left over at the end of the round.
        0 => return Vec::new(),
        1 | 2 if sketch.is_set(from) => {
            let heard = hear(sketch, at, message, set_name, false);
            return vec![block(format!("for _ in {set_name}"), heard)];
        }
        _ => {}
    }
    let waits_for_ever = sketch.percent(35);
    let heard = hear(sketch, at, message, from_name, !waits_for_ever);
    if !sketch.is_set(from) {
        return heard;
    }
    let kind = sketch.one_of(&["for", "foreach"]);
    vec![block(format!("{kind} {from_name} in {set_name}"), heard)]
}

/// Receives a message and keeps it as the round's own, as everybody's, or as the sum of all rounds.
fn hear(sketch: &mut Sketch, at: usize, message: MessageId, source: &str, gives_up: bool) -> Block {
    let stores: Vec<String> = sketch.carries(message).map(|ty| sketch.var(at, ty)).into_iter().collect();
    let reception = sketch.reception(message, &stores, source);
    let kept = match (sketch.carries(message), sketch.random.below(4)) {
        (Some(Type::Int), 0 | 1) => {
            let table = sketch.own_var(at, "history", Type::Table, None);
            vec![line(format!("{table}[r] = {};", stores[0]))]
        }
        (Some(Type::Int), 2) => {
            let sum = sketch.own_var(at, "sum", Type::Int, None);
            vec![line(format!("{sum} = {sum} + {};", stores[0]))]
        }
        (None, 0) => {
            let table = sketch.own_var(at, "heard", Type::Table, None);
            vec![line(format!("{table}[r] = {table}[r] + 1;"))]
        }
        _ => Vec::new(),
    };
    if !gives_up {
        let mut heard = vec![sketch.receive_into(message, stores, source)];
        heard.extend(kept);
        return heard;
    }
    let missed = if sketch.percent(60) { local_work(sketch, at) } else { Vec::new() };
    if sketch.percent(50) {
        let mut heard = vec![block(format!("recv {reception} timeout"), missed)];
        heard.extend(kept);
        return heard;
    }
    vec![block("recv", vec![block(format!("case {reception}:"), kept), block("timeout:", missed)])]
}
