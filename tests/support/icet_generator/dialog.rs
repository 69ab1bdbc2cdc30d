//! Loop-free conversations of two processes, which are what all others are made of.
//!
//! Invariant: both sides are written in one order of moves, every receive names the one process it waits for, and a branch that the
//! two take together is taken on a value that one of them has just sent. So a conversation always comes to its end, with every
//! message received, whatever the values are.

use super::sketch::{Block, Sketch, Stmt, Type, block, hasten, line};

/// One of the two, and what it calls the other.
#[derive(Clone, Copy)]
pub(super) struct Seat<'a> {
    pub process: usize,
    pub partner: &'a str,
}

/// Some moves between the two, in any direction.
pub(super) fn dialog(sketch: &mut Sketch, left: Seat, right: Seat, moves: usize) -> (Block, Block) {
    let mut blocks = (Vec::new(), Vec::new());
    for _ in 0..moves {
        if sketch.percent(50) {
            let (spoken, heard) = one_move(sketch, left, right, moves);
            blocks.0.extend(spoken);
            blocks.1.extend(heard);
        } else {
            let (spoken, heard) = one_move(sketch, right, left, moves);
            blocks.0.extend(heard);
            blocks.1.extend(spoken);
        }
    }
    hurry(sketch, &mut blocks.0, 0);
    hurry(sketch, &mut blocks.1, 0);
    blocks
}

/// Like `dialog`, and the left one begins: its first statement sends what the right one's first statement receives.
pub(super) fn opened_dialog(sketch: &mut Sketch, left: Seat, right: Seat, moves: usize) -> (Block, Block) {
    let (mut lefts, mut rights) = tell(sketch, left, right);
    let (rest_of_left, rest_of_right) = dialog(sketch, left, right, moves);
    lefts.extend(rest_of_left);
    rights.extend(rest_of_right);
    hurry(sketch, &mut lefts, 0);
    hurry(sketch, &mut rights, 1);
    (lefts, rights)
}

fn hurry(sketch: &mut Sketch, block: &mut Block, from: usize) {
    if sketch.percent(25) {
        hasten(sketch.random, block, from);
    }
}

fn one_move(sketch: &mut Sketch, speaker: Seat, listener: Seat, moves: usize) -> (Block, Block) {
    match sketch.random.below(10) {
        0 => (local_work(sketch, speaker.process), local_work(sketch, listener.process)),
        1 => alternatives(sketch, speaker, listener),
        2 | 3 if moves > 1 => decision(sketch, speaker, listener, moves / 2),
        _ => tell(sketch, speaker, listener),
    }
}

/// One message. The listener remembers it, sometimes for good.
pub(super) fn tell(sketch: &mut Sketch, speaker: Seat, listener: Seat) -> (Block, Block) {
    let message = sketch.plain_message();
    let mut heard = Vec::new();
    if sketch.carries(message) == Some(Type::Int) && sketch.percent(30) {
        let number = sketch.var(listener.process, Type::Int);
        let last = sketch.own_var(listener.process, "last", Type::Int, None);
        heard.push(sketch.receive_into(message, vec![number.clone()], listener.partner));
        heard.push(line(format!("{last} = {number};")));
    } else {
        heard.push(sketch.receive(listener.process, message, listener.partner));
    }
    (vec![sketch.send(speaker.process, message, speaker.partner)], heard)
}

/// The speaker sends the same message from both branches of a choice that the listener does not learn of.
fn alternatives(sketch: &mut Sketch, speaker: Seat, listener: Seat) -> (Block, Block) {
    let message = sketch.plain_message();
    let first = vec![sketch.send(speaker.process, message, speaker.partner)];
    let mut second = local_work(sketch, speaker.process);
    second.push(sketch.send(speaker.process, message, speaker.partner));
    let condition = sketch.condition(speaker.process);
    let heads = match sketch.random.below(3) {
        0 => ("choose".to_owned(), "or"),
        1 => ("if (*)".to_owned(), "else"),
        _ => (format!("if ({condition})"), "else"),
    };
    let spoken = Stmt::Blocks(vec![(heads.0, first), (heads.1.to_owned(), second)]);
    (vec![spoken], vec![sketch.receive(listener.process, message, listener.partner)])
}

/// The speaker decides, says so, and both go on accordingly.
fn decision(sketch: &mut Sketch, speaker: Seat, listener: Seat, moves: usize) -> (Block, Block) {
    let ty = sketch.one_of(&[Type::Bool, Type::Answer, Type::Int]);
    let message = sketch.message(Some(ty));
    let learnt = sketch.own_var(listener.process, "decision", ty, None);
    let (spoken_if, heard_if) = dialog(sketch, speaker, listener, moves);
    let (spoken_else, heard_else) = dialog(sketch, speaker, listener, moves / 2);
    let heard = vec![
        sketch.receive_into(message, vec![learnt.clone()], listener.partner),
        branch(sketch, &learnt, ty, heard_if, heard_else),
    ];
    if sketch.percent(40) {
        let (yes, no) = match ty {
            Type::Bool => ("true", "false"),
            Type::Int => ("1", "0"),
            _ => ("Yes", "No"),
        };
        let mut agreed = vec![sketch.send_value(message, Some(yes), speaker.partner)];
        agreed.extend(spoken_if);
        let mut denied = vec![sketch.send_value(message, Some(no), speaker.partner)];
        denied.extend(spoken_else);
        let heads = sketch.one_of(&[("if (*)", "else"), ("choose", "or")]);
        let spoken = Stmt::Blocks(vec![(heads.0.to_owned(), agreed), (heads.1.to_owned(), denied)]);
        return (vec![spoken], heard);
    }
    let decided = sketch.own_var(speaker.process, "decision", ty, None);
    let mut spoken = decide(sketch, speaker.process, &decided, ty);
    spoken.push(sketch.send_value(message, Some(&decided), speaker.partner));
    spoken.push(branch(sketch, &decided, ty, spoken_if, spoken_else));
    (spoken, heard)
}

/// Gives a variable a value that nobody can foresee, or one that depends on what the process knows.
pub(super) fn decide(sketch: &mut Sketch, process: usize, var: &str, ty: Type) -> Block {
    if sketch.percent(30) {
        let value = sketch.value(process, ty);
        return vec![line(format!("{var} = {value};"))];
    }
    if ty == Type::Int {
        let first = vec![line(format!("{var} = 0;"))];
        let second = vec![line(format!("{var} = 1;"))];
        return vec![Stmt::Blocks(vec![("choose".to_owned(), first), ("or".to_owned(), second)])];
    }
    vec![line(format!("havoc {var};"))]
}

/// A branch on a value.
pub(super) fn branch(sketch: &mut Sketch, var: &str, ty: Type, agreed: Block, denied: Block) -> Stmt {
    match ty {
        Type::Bool => Stmt::Blocks(vec![(format!("if ({var})"), agreed), ("else".to_owned(), denied)]),
        Type::Answer if sketch.percent(60) => {
            let other = sketch.one_of(&["case No:", "default:"]);
            block(format!("match ({var})"), vec![block("case Yes:", agreed), block(other, denied)])
        }
        Type::Answer => Stmt::Blocks(vec![(format!("if ({var} != Yes)"), denied), ("else".to_owned(), agreed)]),
        _ => Stmt::Blocks(vec![(format!("if ({var} == 1)"), agreed), ("else".to_owned(), denied)]),
    }
}

/// Something that concerns nobody else. Never fails, never waits, never loops.
pub(super) fn local_work(sketch: &mut Sketch, process: usize) -> Block {
    let number = sketch.var(process, Type::Int);
    let stmt = match sketch.random.below(7) {
        0 => line(format!("{number} = ({number} + 1) % 3;")),
        1 => {
            let flag = sketch.var(process, Type::Bool);
            line(format!("havoc {flag};"))
        }
        2 => {
            let flag = sketch.var(process, Type::Bool);
            block("if (*)", vec![line(format!("{flag} = !{flag};"))])
        }
        3 => {
            let zero = vec![line(format!("{number} = 0;"))];
            Stmt::Blocks(vec![("choose".to_owned(), zero), ("or".to_owned(), vec![line("skip;")])])
        }
        4 => {
            let answer = sketch.var(process, Type::Answer);
            let yes = vec![line(format!("{number} = 1;"))];
            branch(sketch, &answer, Type::Answer, yes, vec![line("skip;")])
        }
        5 => {
            let value = sketch.value(process, Type::Answer);
            let answer = sketch.var(process, Type::Answer);
            line(format!("{answer} = {value};"))
        }
        _ => {
            let condition = sketch.condition(process);
            let value = sketch.value(process, Type::Int);
            block(format!("if ({condition})"), vec![line(format!("{number} = {value};"))])
        }
    };
    vec![stmt]
}
