//! Fewer slots: every call makes all slots of a function and every copy of a machine copies them, so it pays to have few.
//!
//! What is computed and then only copied is computed where it is wanted. Intermediate values that are made and used up in one block take
//! turns in the same slots. Where a function can pause or wait this changes nothing but numbers: a slot that nobody reads any more is
//! emptied there whether or not somebody used it before (`live.rs`). The result of a call or of `new` is the exception, since its
//! slot is left as it is meanwhile; so such results do not take turns.

use super::live::{reads_of, reads_of_end, written, written_mut};
use super::number;
use crate::code::{Access, Block, Op, Operand, Root, Slot, Target, Terminator};
use crate::program::Variable;

/// Makes do with fewer slots. Slots without a name are intermediate values; the first `params` are parameters.
pub(super) fn share(blocks: &mut [Block], slots: &mut Vec<Variable>, params: u32) {
    let uses = Uses::of(blocks, slots, params);
    blocks.iter_mut().for_each(|block| compute_where_wanted(block, &uses));
    let uses = Uses::of(blocks, slots, params);
    // What is not used any more goes with those that take turns, of which there are no more than are needed.
    let mut turns: Vec<Option<u32>> = uses.all.iter().map(|known| known.is_unused().then_some(0)).collect();
    let mut pool = Vec::new();
    for (position, block) in blocks.iter().enumerate() {
        take_turns(block, number(position), &uses, &mut turns, &mut pool);
    }
    renumber(blocks, slots, &turns, pool.len());
}

/// Who writes and reads each slot.
struct Uses {
    all: Vec<Use>,
}

#[derive(Clone, Default)]
struct Use {
    is_temporary: bool,
    writes: u32,
    reads: u32,
    /// The block in which it is used, if that is one.
    block: Option<u32>,
    is_in_several: bool,
    /// Whether the first instruction that has to do with it writes it.
    is_written_first: bool,
}

impl Use {
    fn is_unused(&self) -> bool {
        self.is_temporary && self.writes + self.reads == 0
    }
}

impl Uses {
    fn of(blocks: &[Block], slots: &[Variable], params: u32) -> Self {
        let is_temporary = |(position, slot): (u32, &Variable)| position >= params && slot.name.is_empty();
        let all = (0..).zip(slots).map(|slot| Use { is_temporary: is_temporary(slot), ..Use::default() });
        let mut uses = Self { all: all.collect() };
        for (position, block) in (0..).zip(blocks) {
            for instr in &block.instrs {
                reads_of(&instr.op, |slot| uses.note(slot, position, false));
                if let Some(slot) = written(&instr.op) {
                    uses.note(slot, position, true);
                }
                // What stays in the slot meanwhile must be what was there before.
                if let Op::Call { to: Some(slot), .. } | Op::New { to: Some(slot), .. } = &instr.op {
                    uses.all[slot.0 as usize].is_temporary = false;
                }
            }
            reads_of_end(&block.end, |slot| uses.note(slot, position, false));
            if let Terminator::Receive(cases) = &block.end {
                for (slot, _) in cases.iter().filter_map(|case| case.param) {
                    uses.all[slot.0 as usize].is_temporary = false;
                }
            }
        }
        uses
    }

    fn note(&mut self, slot: Slot, block: u32, is_write: bool) {
        let known = &mut self.all[slot.0 as usize];
        if known.writes + known.reads == 0 {
            known.is_written_first = is_write;
        }
        known.is_in_several |= known.block.is_some_and(|other| other != block);
        known.block = Some(block);
        known.writes += u32::from(is_write);
        known.reads += u32::from(!is_write);
    }

    /// Whether it is written once and then read, all in this block.
    fn is_local(&self, slot: Slot, block: u32) -> bool {
        let known = &self.all[slot.0 as usize];
        known.is_temporary && known.is_written_first && known.writes == 1 && !known.is_in_several && known.block == Some(block)
    }

    /// Whether it is written once and read once.
    fn is_handed_on(&self, slot: Slot) -> bool {
        let known = &self.all[slot.0 as usize];
        known.is_temporary && known.writes == 1 && known.reads == 1
    }
}

/// `t = ...; x = t` becomes `x = ...` where nobody else asks for `t`.
fn compute_where_wanted(block: &mut Block, uses: &Uses) {
    let instrs = std::mem::take(&mut block.instrs);
    for instr in instrs {
        if let Op::Copy { to, from: Operand::Slot(from) } = instr.op
            && uses.is_handed_on(from)
            && let Some(last) = block.instrs.last_mut()
            && let Some(written) = written_mut(&mut last.op)
            && *written == from
        {
            *written = to;
            continue;
        }
        block.instrs.push(instr);
    }
}

/// Which values take turns with which. Whoever asks what a slot can hold gets one answer for all that take turns in it (`rename.rs`), so
/// values of machines, which are asked about, do not, and values that are no machines keep to themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    NoMachine,
    Any,
}

fn sort(op: &Op) -> Option<Sort> {
    match op {
        Op::Unary { .. } | Op::Binary { .. } | Op::Size { .. } | Op::Contains { .. } => Some(Sort::NoMachine),
        Op::Element { .. } | Op::Field { .. } | Op::Index { .. } | Op::Choose { .. } | Op::Cast { .. } => Some(Sort::Any),
        _ => None,
    }
}

/// Lets the local slots of a block take turns. `pool` is what each turn is for.
fn take_turns(block: &Block, position: u32, uses: &Uses, turns: &mut [Option<u32>], pool: &mut Vec<Sort>) {
    let mut left: Vec<u32> = uses.all.iter().map(|known| known.reads).collect();
    let mut free: Vec<u32> = (0..number(pool.len())).collect();
    for instr in &block.instrs {
        reads_of(&instr.op, |slot| give_back(slot, turns, &mut left, &mut free));
        let Some(sort) = sort(&instr.op) else { continue };
        let Some(slot) = written(&instr.op).filter(|slot| uses.is_local(*slot, position)) else { continue };
        let turn = match free.iter().position(|turn| pool[*turn as usize] == sort) {
            Some(place) => free.swap_remove(place),
            None => {
                pool.push(sort);
                number(pool.len() - 1)
            }
        };
        turns[slot.0 as usize] = Some(turn);
        if left[slot.0 as usize] == 0 {
            free.push(turn);
        }
    }
}

/// A slot is read; after the last time its turn is over.
fn give_back(slot: Slot, turns: &[Option<u32>], left: &mut [u32], free: &mut Vec<u32>) {
    let index = slot.0 as usize;
    left[index] = left[index].saturating_sub(1);
    if let Some(turn) = turns[index].filter(|_| left[index] == 0) {
        free.push(turn);
    }
}

/// Gives every slot its new number: those that keep theirs come first, then those that are taken in turns.
fn renumber(blocks: &mut [Block], slots: &mut Vec<Variable>, turns: &[Option<u32>], pool: usize) {
    let mut numbers = Vec::new();
    let mut kept = 0;
    for turn in turns {
        numbers.push(kept);
        kept += u32::from(turn.is_none());
    }
    for (new, turn) in numbers.iter_mut().zip(turns) {
        if let Some(turn) = turn {
            *new = kept + turn;
        }
    }
    let shared = slots.iter().zip(turns).filter(|(_, turn)| turn.is_some()).map(|(slot, _)| slot.clone());
    let shared: Vec<Variable> = shared.take(pool).collect();
    let mut position = 0;
    slots.retain(|_| {
        position += 1;
        turns[position - 1].is_none()
    });
    slots.extend(shared);
    let new = |slot: &mut Slot| slot.0 = numbers[slot.0 as usize];
    for block in blocks {
        block.instrs.iter_mut().for_each(|instr| each_slot(&mut instr.op, new));
        each_slot_of_end(&mut block.end, new);
    }
}

fn each_slot(op: &mut Op, mut visit: impl FnMut(&mut Slot)) {
    if let Some(slot) = written_mut(op) {
        visit(slot);
    }
    let mut operand = |operand: &mut Operand| {
        if let Operand::Slot(slot) = operand {
            visit(slot);
        }
    };
    match op {
        Op::Copy { from, .. } | Op::Cast { from, .. } | Op::Convert { from, .. } | Op::Abstract { from, .. } => operand(from),
        Op::Unary { operand: value, .. } | Op::Print { text: value } => operand(value),
        Op::Binary { left, right, .. } => [left, right].into_iter().for_each(operand),
        Op::Tuple { elements, .. } | Op::Named { elements, .. } => elements.iter_mut().for_each(operand),
        Op::Element { tuple, .. } | Op::Field { tuple, .. } => operand(tuple),
        Op::Index { collection, index, .. } => [collection, index].into_iter().for_each(operand),
        Op::Contains { item, collection, .. } => [item, collection].into_iter().for_each(operand),
        Op::Size { collection, .. } | Op::Elements { collection, .. } => operand(collection),
        Op::Keys { map, .. } | Op::Values { map, .. } => operand(map),
        Op::Format { values, .. } => values.iter_mut().for_each(operand),
        Op::This { .. } => {}
        Op::Choose { among, .. } => among.iter_mut().for_each(operand),
        Op::Call { args, .. } => args.iter_mut().for_each(operand),
        Op::New { payload, .. } => payload.iter_mut().for_each(operand),
        Op::Send { target, event, payload } => [target, event].into_iter().chain(payload).for_each(operand),
        Op::Announce { event, payload } => std::iter::once(event).chain(payload).for_each(operand),
        Op::Store { target, from } => {
            operand(from);
            each_slot_of_target(target, operand);
        }
        Op::Insert { target, key, value } => {
            key.iter_mut().chain([value]).for_each(&mut operand);
            each_slot_of_target(target, operand);
        }
        Op::Remove { target, key } => {
            operand(key);
            each_slot_of_target(target, operand);
        }
    }
}

fn each_slot_of_target(target: &mut Target, mut operand: impl FnMut(&mut Operand)) {
    if let Root::Slot(slot) = &mut target.root {
        let mut root = Operand::Slot(*slot);
        operand(&mut root);
        if let Operand::Slot(new) = root {
            *slot = new;
        }
    }
    for access in &mut target.path {
        if let Access::Index(index) = access {
            operand(index);
        }
    }
}

fn each_slot_of_end(end: &mut Terminator, mut visit: impl FnMut(&mut Slot)) {
    let mut operand = |operand: &mut Operand| {
        if let Operand::Slot(slot) = operand {
            visit(slot);
        }
    };
    match end {
        Terminator::Branch { condition, .. } => operand(condition),
        Terminator::Return(value) => value.iter_mut().for_each(operand),
        Terminator::Goto { payload, .. } => payload.iter_mut().for_each(operand),
        Terminator::Raise { event, payload } => std::iter::once(event).chain(payload).for_each(operand),
        Terminator::Fail { message } => message.iter_mut().for_each(operand),
        Terminator::Receive(cases) => cases.iter_mut().filter_map(|case| case.param.as_mut()).for_each(|(slot, _)| visit(slot)),
        Terminator::Jump(_) | Terminator::Unsupported(_) => {}
    }
}
