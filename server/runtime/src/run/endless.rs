//! Runs that never end, as far as that can be seen: the machine is where it was before, and everything it knows is as it was.
//!
//! Such a run goes round for ever: between two choices a run depends on nothing but the machine. What others are told or sent on the way
//! would count, because somebody could fail because of it, so only runs that do nothing to others are taken for endless. A run that
//! changes something each time round is not recognised, and ends at the bound of its instructions.
//!
//! The machine is compared with a copy of itself. The copy is made anew when twice as many instructions have been run, so a circle of any
//! length can be met, and the number of comparisons is small whatever the run does: values can be large.

use super::Effect;
use crate::local::{Frame, Local};
use crate::program::Place;

/// Instructions after which it is worth a look. Hardly any handler runs for so long.
pub(super) const FROM: u64 = 1_000;
/// How often a machine is compared with one copy.
const LOOKS: u32 = 64;

#[derive(Clone, Debug)]
pub(super) struct Watch<V> {
    /// Instructions after which the next copy is made.
    next: u64,
    copy: Option<Box<Copy<V>>>,
}

#[derive(Clone, Debug)]
struct Copy<V> {
    local: Local<V>,
    choices: u64,
    effects: usize,
    looks: u32,
    /// The first place in the text that was passed since the machine was seen to be back.
    first: Option<Place>,
    is_back: bool,
}

impl<V: Clone + Eq> Watch<V> {
    pub(super) fn new() -> Self {
        Self { next: FROM, copy: None }
    }

    /// Looks at a machine before each of its instructions, from `FROM` on; `choices` is how many have been answered. If the run
    /// never ends, gives the place of the circle in the text.
    pub(super) fn look(
        &mut self,
        instructions: u64,
        local: &Local<V>,
        choices: u64,
        effects: &[Effect<V>],
        place: Option<Place>,
    ) -> Option<Place> {
        if let Some(copy) = &mut self.copy {
            if copy.is_back {
                copy.first = [copy.first, place].into_iter().flatten().min_by_key(|place| (place.file.0, place.range.start()));
            }
            if (copy.is_back || copy.looks < LOOKS) && is_same_place(local, &copy.local) {
                copy.looks += 1;
                let is_quiet = effects[copy.effects..].iter().all(|effect| matches!(effect, Effect::Print(_)));
                if choices == copy.choices && is_quiet && *local == copy.local {
                    if copy.is_back {
                        return copy.first;
                    }
                    copy.is_back = true;
                }
            }
        }
        // A copy that was met once is kept until it is met again.
        if instructions >= self.next && !self.copy.as_ref().is_some_and(|copy| copy.is_back) {
            self.next = instructions * 2;
            let effects = effects.len();
            self.copy = Some(Box::new(Copy { local: local.clone(), choices, effects, looks: 0, first: None, is_back: false }));
        }
        None
    }
}

/// Whether two machines are about to do the same. That is cheap to find out, and mostly not so.
fn is_same_place<V>(a: &Local<V>, b: &Local<V>) -> bool {
    let place = |frame: &Frame<V>| (frame.function, frame.block, frame.instr);
    a.frames.len() == b.frames.len() && a.state == b.state && a.frames.last().map(place) == b.frames.last().map(place)
}
