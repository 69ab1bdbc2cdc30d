//! Which slots are read later: backwards through the blocks until nothing changes.

use super::order::successors;
use crate::code::{Access, Block, Instr, Op, Operand, Root, Slot, Target, Terminator};

/// Notes at every instruction at which a function can pause, wait for a call or receive which slots nobody reads afterwards.
pub(super) fn mark_dead(blocks: &mut [Block], slots: u32) {
    let count = slots as usize;
    let mut at_start: Vec<Vec<bool>> = vec![vec![false; count]; blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..blocks.len()).rev() {
            let mut live = after(&blocks[number], &at_start, count);
            reads_of_end(&blocks[number].end, |slot| live[slot.0 as usize] = true);
            blocks[number].instrs.iter().rev().for_each(|instr| before(instr, &mut live));
            changed |= live != at_start[number];
            at_start[number] = live;
        }
    }
    for block in blocks {
        let mut live = after(block, &at_start, count);
        if matches!(block.end, Terminator::Receive(_)) {
            block.dead = dead(&live);
        }
        reads_of_end(&block.end, |slot| live[slot.0 as usize] = true);
        for instr in block.instrs.iter_mut().rev() {
            if matches!(instr.op, Op::Call { .. } | Op::New { .. } | Op::Send { .. }) {
                instr.dead = dead(&live);
            }
            before(instr, &mut live);
        }
    }
}

fn dead(live: &[bool]) -> Box<[Slot]> {
    (0..).zip(live).filter(|(_, live)| !**live).map(|(slot, _)| Slot(slot)).collect()
}

/// What is live behind the end of a block.
fn after(block: &Block, at_start: &[Vec<bool>], count: usize) -> Vec<bool> {
    let mut live = vec![false; count];
    for successor in successors(&block.end) {
        for (mine, theirs) in live.iter_mut().zip(&at_start[successor]) {
            *mine |= *theirs;
        }
    }
    if let Terminator::Receive(cases) = &block.end {
        // What a case takes is written before it is read; no other case knows that slot.
        cases.iter().filter_map(|case| case.param).for_each(|(slot, _)| live[slot.0 as usize] = false);
    }
    live
}

/// Goes back over one instruction.
fn before(instr: &Instr, live: &mut [bool]) {
    if let Some(slot) = written(&instr.op) {
        live[slot.0 as usize] = false;
    }
    reads_of(&instr.op, |slot| live[slot.0 as usize] = true);
}

/// The slot that an instruction writes as a whole.
pub(crate) fn written(op: &Op) -> Option<Slot> {
    match op {
        Op::Copy { to, .. }
        | Op::Unary { to, .. }
        | Op::Binary { to, .. }
        | Op::Tuple { to, .. }
        | Op::Named { to, .. }
        | Op::Element { to, .. }
        | Op::Field { to, .. }
        | Op::Index { to, .. }
        | Op::Contains { to, .. }
        | Op::Size { to, .. }
        | Op::Keys { to, .. }
        | Op::Values { to, .. }
        | Op::Elements { to, .. }
        | Op::Cast { to, .. }
        | Op::Convert { to, .. }
        | Op::Abstract { to, .. }
        | Op::Format { to, .. }
        | Op::This { to }
        | Op::Choose { to, .. } => Some(*to),
        Op::Call { to, .. } | Op::New { to, .. } => *to,
        Op::Store { target: Target { root: Root::Slot(slot), path }, .. } if path.is_empty() => Some(*slot),
        Op::Store { .. } | Op::Insert { .. } | Op::Remove { .. } => None,
        Op::Send { .. } | Op::Announce { .. } | Op::Print { .. } => None,
    }
}

/// The slot an instruction writes as a whole, to be exchanged for another.
pub(super) fn written_mut(op: &mut Op) -> Option<&mut Slot> {
    match op {
        Op::Copy { to, .. }
        | Op::Unary { to, .. }
        | Op::Binary { to, .. }
        | Op::Tuple { to, .. }
        | Op::Named { to, .. }
        | Op::Element { to, .. }
        | Op::Field { to, .. }
        | Op::Index { to, .. }
        | Op::Contains { to, .. }
        | Op::Size { to, .. }
        | Op::Keys { to, .. }
        | Op::Values { to, .. }
        | Op::Elements { to, .. }
        | Op::Cast { to, .. }
        | Op::Convert { to, .. }
        | Op::Abstract { to, .. }
        | Op::Format { to, .. }
        | Op::This { to }
        | Op::Choose { to, .. } => Some(to),
        Op::Call { to, .. } | Op::New { to, .. } => to.as_mut(),
        Op::Store { .. } | Op::Insert { .. } | Op::Remove { .. } => None,
        Op::Send { .. } | Op::Announce { .. } | Op::Print { .. } => None,
    }
}

pub(crate) fn reads_of(op: &Op, mut read: impl FnMut(Slot)) {
    let mut operand = |operand: &Operand| {
        if let Operand::Slot(slot) = operand {
            read(*slot);
        }
    };
    match op {
        Op::Copy { from, .. } | Op::Cast { from, .. } | Op::Convert { from, .. } | Op::Abstract { from, .. } => operand(from),
        Op::Unary { operand: value, .. } | Op::Print { text: value } => operand(value),
        Op::Binary { left, right, .. } => [left, right].into_iter().for_each(operand),
        Op::Tuple { elements, .. } | Op::Named { elements, .. } => elements.iter().for_each(operand),
        Op::Element { tuple, .. } | Op::Field { tuple, .. } => operand(tuple),
        Op::Index { collection, index, .. } => [collection, index].into_iter().for_each(operand),
        Op::Contains { item, collection, .. } => [item, collection].into_iter().for_each(operand),
        Op::Size { collection, .. } | Op::Elements { collection, .. } => operand(collection),
        Op::Keys { map, .. } | Op::Values { map, .. } => operand(map),
        Op::Format { values, .. } => values.iter().for_each(operand),
        Op::This { .. } => {}
        Op::Choose { among, .. } => among.iter().for_each(operand),
        Op::Call { args, .. } => args.iter().for_each(operand),
        Op::New { payload, .. } => payload.iter().for_each(operand),
        Op::Send { target, event, payload } => [target, event].into_iter().chain(payload).for_each(operand),
        Op::Announce { event, payload } => std::iter::once(event).chain(payload).for_each(operand),
        Op::Store { target, from } => {
            operand(from);
            target_reads(target, !target.path.is_empty(), operand);
        }
        Op::Insert { target, key, value } => {
            key.iter().chain([value]).for_each(&mut operand);
            target_reads(target, true, operand);
        }
        Op::Remove { target, key } => {
            operand(key);
            target_reads(target, true, operand);
        }
    }
}

/// A variable of which only a part is changed is read too.
fn target_reads(target: &Target, reads_root: bool, mut operand: impl FnMut(&Operand)) {
    if let (Root::Slot(slot), true) = (target.root, reads_root) {
        operand(&Operand::Slot(slot));
    }
    for access in &target.path {
        if let Access::Index(index) = access {
            operand(index);
        }
    }
}

pub(crate) fn reads_of_end(end: &Terminator, mut read: impl FnMut(Slot)) {
    let operands: Vec<Operand> = match end {
        Terminator::Branch { condition, .. } => vec![*condition],
        Terminator::Return(value) => value.iter().copied().collect(),
        Terminator::Goto { payload, .. } => payload.iter().copied().collect(),
        Terminator::Raise { event, payload } => std::iter::once(*event).chain(*payload).collect(),
        Terminator::Fail { message } => message.iter().copied().collect(),
        Terminator::Jump(_) | Terminator::Receive(_) | Terminator::Unsupported(_) => Vec::new(),
    };
    for operand in operands {
        if let Operand::Slot(slot) = operand {
            read(slot);
        }
    }
}
