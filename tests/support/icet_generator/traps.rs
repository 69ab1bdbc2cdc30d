//! Traps for whoever reasons about a program without looking at its values.
//!
//! A process keeps some state, changes it at random places, and waits for a message that never comes, sends one that nobody wants, or
//! fails, but only in some states. Whether that is ever reached depends on how often loops turn, on whether sets are empty, and on
//! what was received: nothing that the shape of the program tells.

use super::sketch::{Block, Sketch, Stmt, Type, block, line};

/// Puts a trap into the code of a process.
pub(super) fn set_trap(sketch: &mut Sketch, body: &mut Block, process: usize, other: &str) {
    let state = sketch.own_var(process, "state", Type::Int, None);
    for _ in 0..1 + sketch.random.below(3) {
        let change = match sketch.random.below(4) {
            0 => line(format!("{state} = ({state} + 1) % 3;")),
            1 => line(format!("{state} = {};", sketch.value(process, Type::Int))),
            _ => line(format!("{state} = {};", sketch.random.below(3))),
        };
        insert_anywhere(sketch, body, change);
    }
    let condition = match sketch.random.below(5) {
        0 => sketch.condition(process),
        1 => format!("{state} != {}", sketch.random.below(3)),
        _ => format!("{state} == {}", sketch.random.below(3)),
    };
    let message = sketch.plain_message();
    let sprung = match sketch.random.below(5) {
        0 | 1 => sketch.receive(process, message, other),
        2 | 3 => sketch.send(process, message, other),
        _ => line("fail \"this state was not expected\";"),
    };
    insert_anywhere(sketch, body, block(format!("if ({condition})"), vec![sprung]));
}

/// Puts a statement somewhere into a block or a block inside of it.
fn insert_anywhere(sketch: &mut Sketch, body: &mut Block, stmt: Stmt) {
    let mut here = body;
    let mut first = 0;
    loop {
        let nested: Vec<usize> = (0..here.len()).filter(|&at| is_open(&here[at])).collect();
        if nested.is_empty() || sketch.percent(40) {
            break;
        }
        let Stmt::Blocks(parts) = &mut here[sketch.one_of(&nested)] else { return };
        let part = sketch.random.below(parts.len());
        let (head, inside) = &mut parts[part];
        // What is directly inside of these are cases.
        let inside = if head == "recv" || head.starts_with("match") {
            let case = sketch.random.below(inside.len());
            let Stmt::Blocks(parts) = &mut inside[case] else { return };
            first = 0;
            &mut parts[0].1
        } else {
            // A `foreach` begins with a receive.
            first = usize::from(head.starts_with("foreach"));
            inside
        };
        here = inside;
    }
    let at = first + sketch.random.below(here.len() + 1 - first);
    here.insert(at, stmt);
}

/// Whether anything may be put inside. What is sent in rounds is sent nowhere else, so nothing is put there.
fn is_open(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Blocks(parts) if !parts.iter().any(|(head, _)| head.starts_with("rounds")))
}
