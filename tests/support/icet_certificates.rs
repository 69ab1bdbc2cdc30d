//! Certificates with a random change: a step left out, done twice, in another place, or by somebody else.

use lockstep_icet::program::{ProcessId, SetId};
use lockstep_icet::rewrite::{Step, Who};

use crate::Random;

/// Changes something in one of the lists of steps. What comes of it may be no certificate, or the same.
pub fn mutate_steps(random: &mut Random, steps: &mut Vec<Step>) {
    let list = some_list(random, steps);
    if list.is_empty() {
        return;
    }
    let nth = random.below(list.len());
    match random.below(8) {
        0 | 1 => {
            list.remove(nth);
        }
        2 => {
            let copy = list[nth].clone();
            let to = random.below(list.len() + 1);
            list.insert(to, copy);
        }
        3 => {
            let other = random.below(list.len());
            list.swap(nth, other);
        }
        4 => list.insert(nth, Step::Section),
        5 => unfold(list, nth),
        _ => change(random, &mut list[nth]),
    }
}

/// A list of steps at some depth.
fn some_list<'s>(random: &mut Random, steps: &'s mut Vec<Step>) -> &'s mut Vec<Step> {
    let mut list = steps;
    loop {
        let nested: Vec<usize> = (0..list.len()).filter(|nth| !lists(&mut list[*nth]).is_empty()).collect();
        if nested.is_empty() || random.below(4) == 0 {
            return list;
        }
        let mut inner = lists(&mut list[nested[random.below(nested.len())]]);
        let nth = random.below(inner.len());
        list = inner.swap_remove(nth);
    }
}

/// The steps of a scope are done once, outside of it; or a step goes into the scope after it.
fn unfold(list: &mut Vec<Step>, nth: usize) {
    if let Some(inner) = lists(&mut list[nth]).into_iter().next().map(std::mem::take) {
        list.splice(nth..=nth, inner);
    } else if nth + 1 < list.len() && !lists(&mut list[nth + 1]).is_empty() {
        let moved = list.remove(nth);
        lists(&mut list[nth])[0].insert(0, moved);
    }
}

fn change(random: &mut Random, step: &mut Step) {
    let number = u32::try_from(random.below(4)).unwrap_or(0);
    let other = [Who::One(ProcessId(number)), Who::Each(SetId(number % 3)), Who::Focus(number % 3)][random.below(3)];
    match step {
        Step::Local { who } | Step::Enter { who } | Step::Send { who } | Step::Serve { who, .. } => *who = other,
        Step::Receive { who, case, from } => match random.below(3) {
            0 => *who = other,
            1 => *from = other,
            _ => *case = 1 - (*case).min(1),
        },
        Step::TakeFromBag { who, case } => match random.below(2) {
            0 => *who = other,
            _ => *case = 1 - (*case).min(1),
        },
        Step::Branch { who, ways } => match random.below(3) {
            0 => *who = other,
            1 => ways.reverse(),
            _ => {
                ways.pop();
            }
        },
        Step::Loop { drivers, .. } | Step::Repeat { drivers, .. } => match random.below(3) {
            0 => drivers.push(other),
            1 => {
                drivers.pop();
            }
            _ => drivers.reverse(),
        },
        Step::Parallel { set, .. } | Step::Pick { set, chosen: None, .. } => *set = SetId(number % 3),
        Step::Pick { chosen, .. } => *chosen = None,
        Step::While { driver, .. } => *driver = other,
        Step::Section => *step = Step::Local { who: other },
    }
}

fn lists(step: &mut Step) -> Vec<&mut Vec<Step>> {
    match step {
        Step::Branch { ways, .. } => ways.iter_mut().collect(),
        Step::Loop { steps, .. }
        | Step::Parallel { steps, .. }
        | Step::Pick { steps, .. }
        | Step::Repeat { steps, .. }
        | Step::While { steps, .. } => vec![steps],
        _ => Vec::new(),
    }
}
