//! Certificates with one random change. Few of them are certificates again, and those must claim the same.

use super::{REJECTED, certificates};
use crate::certify::certify;
use crate::program::{ProcessId, SetId};
use crate::rewrite::{Step, Who};

const MUTANTS: u64 = 400;

#[test]
fn mutants_are_rejected_or_claim_the_same() {
    let (mut accepted, mut all) = (0, 0);
    for (name, program, steps) in certificates() {
        let Ok(claims) = certify(&program, &steps) else {
            assert!(REJECTED.contains(&&*name), "{name}");
            continue;
        };
        for seed in 0..MUTANTS {
            let mut random = Random(seed * 2 + 1);
            let mut mutant = steps.clone();
            let kind = mutate(&mut mutant, &mut random);
            if mutant == steps {
                continue;
            }
            all += 1;
            let Ok(again) = certify(&program, &mutant) else { continue };
            accepted += 1;
            // An order of other steps is fine. Whatever loses a step is not. What may be done once more is a part that begins, and the head
            // of an endless loop that is entered.
            assert!(matches!(kind, Kind::Swap | Kind::Rename | Kind::Move | Kind::Duplicate), "{name} {seed} {kind:?}");
            if kind == Kind::Duplicate {
                let harmless = |steps: &[Step]| count(steps, |step| matches!(step, Step::Section | Step::Enter { .. }));
                assert!(harmless(&mutant) > harmless(&steps), "{name} {seed}");
            }
            let size = |steps: &[Step]| count(steps, |_| true);
            assert!(kind == Kind::Duplicate || size(&mutant) == size(&steps), "{name} {seed} {kind:?}");
            assert_eq!(again, claims, "{name} {seed} {kind:?}");
        }
    }
    assert!(accepted * 50 < all, "{accepted} of {all} mutants are certificates, too");
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Drop,
    Duplicate,
    Swap,
    Who,
    Rename,
    Case,
    Set,
    Way,
    Move,
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let end = u64::try_from(end.max(1)).expect("a small number");
        usize::try_from((self.0 >> 33) % end).expect("a small number")
    }
}

/// Changes something in one of the lists of steps.
fn mutate(steps: &mut Vec<Step>, random: &mut Random) -> Kind {
    let kinds = [Kind::Drop, Kind::Duplicate, Kind::Swap, Kind::Who, Kind::Rename, Kind::Case, Kind::Set, Kind::Way, Kind::Move];
    let kind = kinds[random.below(kinds.len())];
    let mut list = steps;
    // Down into a random list.
    loop {
        let nested: Vec<usize> = (0..list.len()).filter(|nth| !lists(&mut list[*nth]).is_empty()).collect();
        if nested.is_empty() || random.below(4) == 0 {
            break;
        }
        let mut inner = lists(&mut list[nested[random.below(nested.len())]]);
        let nth = random.below(inner.len());
        list = inner.swap_remove(nth);
    }
    if list.is_empty() {
        return kind;
    }
    let nth = random.below(list.len());
    match kind {
        Kind::Drop => drop(list.remove(nth)),
        Kind::Duplicate => {
            let copy = list[nth].clone();
            list.insert(nth, copy);
        }
        Kind::Swap => {
            let next = (nth + 1) % list.len();
            list.swap(nth, next);
        }
        Kind::Move => move_step(list, nth),
        _ => change(&mut list[nth], kind, random),
    }
    kind
}

/// A step goes into the scope after it, or the first step of a scope goes out of it.
fn move_step(list: &mut Vec<Step>, nth: usize) {
    let is_scope = !lists(&mut list[nth]).is_empty();
    if is_scope {
        let moved = lists(&mut list[nth]).into_iter().next().filter(|first| !first.is_empty()).map(|first| first.remove(0));
        list.splice(nth..nth, moved);
    } else if nth + 1 < list.len() && !lists(&mut list[nth + 1]).is_empty() {
        let moved = list.remove(nth);
        lists(&mut list[nth])[0].insert(0, moved);
    }
}

fn change(step: &mut Step, kind: Kind, random: &mut Random) {
    let number = u32::try_from(random.below(4)).expect("a small number");
    let whos = [Who::One(ProcessId(number)), Who::Each(SetId(number % 2)), Who::Focus(number)];
    let other = whos[random.below(whos.len())];
    match (kind, step) {
        (
            Kind::Who,
            Step::Local { who }
            | Step::Enter { who }
            | Step::Send { who }
            | Step::TakeFromBag { who, .. }
            | Step::Branch { who, .. }
            | Step::Serve { who, .. }
            | Step::While { driver: who, .. }
            | Step::Receive { from: who, .. },
        ) => *who = other,
        (Kind::Who, Step::Loop { drivers, .. } | Step::Repeat { drivers, .. }) => drivers.push(other),
        (Kind::Rename, Step::Loop { focus, .. } | Step::Parallel { focus, .. } | Step::Pick { focus, .. }) => *focus = other,
        (Kind::Case, Step::Receive { case, .. } | Step::TakeFromBag { case, .. }) => *case = 1 - (*case).min(1),
        (Kind::Set, Step::Parallel { set, .. } | Step::Pick { set, .. }) => *set = SetId(number),
        (Kind::Way, Step::Branch { ways, .. }) => {
            let nth = random.below(ways.len());
            ways.remove(nth);
        }
        _ => {}
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

fn count(steps: &[Step], counts: fn(&Step) -> bool) -> usize {
    steps
        .iter()
        .map(|step| {
            usize::from(counts(step)) + lists(&mut step.clone()).into_iter().map(|list| count(list, counts)).sum::<usize>()
        })
        .sum()
}
