//! Messages that may never come, and broadcasts of many to many that nobody answers.

use super::dialog::local_work;
use super::sketch::{Block, MessageId, Phase, Sketch, Stmt, Type, block, line};

/// One side sends some of a few messages, on some ways or never; the other waits for them, but not for ever.
pub(super) fn late(sketch: &mut Sketch, from: usize, to: usize) -> Phase {
    let (from_name, to_name) = (sketch.name(from), sketch.name(to));
    let kinds: Vec<MessageId> = (0..1 + sketch.random.below(3))
        .map(|_| {
            let carries = sketch.plain_payload();
            if sketch.percent(80) { sketch.own_message(carries) } else { sketch.message(carries) }
        })
        .collect();
    let mut phase = sketch.silence();
    let spoken = maybe_send(sketch, from, &kinds, to_name);
    phase[from] = in_a_loop(sketch, to, spoken);
    let mut heard = wait(sketch, to, &kinds, from_name);
    if sketch.percent(25) {
        let again = wait(sketch, to, &kinds, from_name);
        heard.extend(again);
    }
    phase[to] = in_a_loop(sketch, from, heard);
    phase
}

fn in_a_loop(sketch: &Sketch, over: usize, turn: Block) -> Block {
    if !sketch.is_set(over) || turn.is_empty() {
        return turn;
    }
    vec![block(format!("for {} in {}", sketch.name(over), sketch.set_of(over)), turn)]
}

fn maybe_send(sketch: &mut Sketch, from: usize, kinds: &[MessageId], to: &str) -> Block {
    let first = sketch.send(from, kinds[0], to);
    let other = sketch.one_of(kinds);
    let second = sketch.send(from, other, to);
    match sketch.random.below(7) {
        0 => Vec::new(),
        1 => vec![first],
        2 => vec![block("if (*)", vec![first])],
        3 => vec![block(format!("if ({})", sketch.condition(from)), vec![first])],
        4 => vec![Stmt::Blocks(vec![("choose".to_owned(), vec![first]), ("or".to_owned(), vec![second])])],
        5 => vec![first, second],
        _ => vec![block("if (*)", vec![first]), block("if (*)", vec![second])],
    }
}

/// A receive that gives up, with as many cases as there are kinds.
fn wait(sketch: &mut Sketch, at: usize, kinds: &[MessageId], from: &str) -> Block {
    let missed = sketch.own_var(at, "missed", Type::Int, None);
    let given_up = vec![line(format!("{missed} = {missed} + 1;"))];
    let mut kinds = kinds.to_vec();
    kinds.dedup();
    if kinds.len() == 1 && sketch.percent(50) {
        let stores: Vec<String> = sketch.carries(kinds[0]).map(|ty| sketch.var(at, ty)).into_iter().collect();
        return vec![block(format!("recv {} timeout", sketch.reception(kinds[0], &stores, from)), given_up)];
    }
    kinds.sort_unstable();
    kinds.dedup();
    let mut cases: Block = Vec::new();
    for kind in kinds {
        let stores: Vec<String> = sketch.carries(kind).map(|ty| sketch.var(at, ty)).into_iter().collect();
        let work = if sketch.percent(50) { local_work(sketch, at) } else { Vec::new() };
        cases.push(block(format!("case {}:", sketch.reception(kind, &stores, from)), work));
    }
    cases.push(block("timeout:", given_up));
    vec![block("recv", cases)]
}

/// Every member of one set tells every member of another one, a few times one after another; nobody answers.
pub(super) fn broadcasts(sketch: &mut Sketch, first: usize, second: usize) -> Phase {
    let mut phase = sketch.silence();
    let is_one_way = sketch.percent(50);
    let repeated = sketch.plain_message();
    for nth in 0..1 + sketch.random.below(3) {
        let (from, to) = if is_one_way || nth % 2 == 0 { (first, second) } else { (second, first) };
        let message = if sketch.percent(20) { repeated } else { sketch.plain_message() };
        let (set_name, from_name, to_name) = (sketch.set_of(from), sketch.name(from), sketch.name(to));
        let mut turn = if sketch.percent(20) { local_work(sketch, from) } else { Vec::new() };
        turn.push(sketch.send(from, message, to_name));
        phase[from].push(block(format!("for {to_name} in {}", sketch.set_of(to)), turn));
        let (head, source) = match sketch.random.below(3) {
            0 => (format!("foreach {from_name} in {set_name}"), from_name.to_owned()),
            1 => {
                let ty = sketch.member_type(from);
                let who = sketch.own_var(to, "sender", ty, None);
                (format!("for _ in {set_name}"), format!("{who} in {set_name}"))
            }
            _ => (format!("for _ in {set_name}"), set_name.to_owned()),
        };
        let mut heard = vec![sketch.receive(to, message, &source)];
        if sketch.percent(20) {
            let work = local_work(sketch, to);
            heard.extend(work);
        }
        phase[to].push(block(head, heard));
    }
    phase
}
