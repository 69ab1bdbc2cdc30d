//! Puts the blocks of a function in reverse post-order and leaves out those that are never reached.

use super::body::Draft;
use super::{live, number, slots};
use crate::code::{Block, BlockId, Terminator};
use crate::program::{Place, Variable};

/// The finished blocks, with what is dead where the function can pause. `slots` become fewer; the first `params` are parameters.
pub(super) fn finish(drafts: Vec<Draft>, slots: &mut Vec<Variable>, params: u32, place: Place) -> Vec<Block> {
    let mut blocks: Vec<Option<Block>> = drafts.into_iter().map(|draft| Some(draft.finish(place))).collect();
    let order = reverse_post_order(&blocks);
    let mut numbers = vec![BlockId(0); blocks.len()];
    for (position, old) in order.iter().enumerate() {
        numbers[*old] = BlockId(number(position));
    }
    let mut ordered: Vec<Block> = order.into_iter().filter_map(|old| blocks[old].take()).collect();
    for block in &mut ordered {
        renumber(&mut block.end, &numbers);
    }
    slots::share(&mut ordered, slots, params);
    live::mark_dead(&mut ordered, number(slots.len()));
    ordered
}

/// The old numbers of all blocks that can be reached from the first. The first successor of a block comes right behind it where
/// possible, so that the body of a loop comes before what follows the loop.
fn reverse_post_order(blocks: &[Option<Block>]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut left = Vec::new();
    let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
    let successors_of = |block: usize| blocks[block].as_ref().map(|block| successors(&block.end)).unwrap_or_default();
    if !blocks.is_empty() {
        seen[0] = true;
        path.push((0, successors_of(0)));
    }
    while let Some((block, open)) = path.last_mut() {
        match open.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                path.push((next, successors_of(next)));
            }
            Some(_) => {}
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    left
}

pub(super) fn successors(end: &Terminator) -> Vec<usize> {
    match end {
        Terminator::Jump(block) => vec![block.0 as usize],
        Terminator::Branch { then, otherwise, .. } => vec![then.0 as usize, otherwise.0 as usize],
        Terminator::Receive(cases) => cases.iter().map(|case| case.block.0 as usize).collect(),
        _ => Vec::new(),
    }
}

fn renumber(end: &mut Terminator, numbers: &[BlockId]) {
    let new = |block: &mut BlockId| *block = numbers[block.0 as usize];
    match end {
        Terminator::Jump(block) => new(block),
        Terminator::Branch { then, otherwise, .. } => {
            new(then);
            new(otherwise);
        }
        Terminator::Receive(cases) => cases.iter_mut().for_each(|case| new(&mut case.block)),
        _ => {}
    }
}
