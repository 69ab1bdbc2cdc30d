//! Machines that need not move in a state, because their moves are made elsewhere (monotonic reduction).
//!
//! Where two machines can move and their moves have nothing to do with each other, both orders lead to the same state, and one of them is enough:
//! that in which machines move in the order of their positions. So when a machine moves, those before it, which have moved from the same state,
//! are *asleep* in the state after that, until somebody does something that concerns them. Published as monotonic partial-order reduction; this
//! is the form of it that works where states are remembered, known as sleep sets.
//!
//! What a machine that sleeps could do in a state is done in another. So if a state is reached once more, and somebody is awake then who was asleep
//! when it was looked at, the moves of that machine are made belatedly (`Store::arrive`). A state that waits to be looked at is looked at with
//! those asleep who are so in all ways to reach it.
//!
//! Why nothing is lost. Take a state, a run from it that goes wrong, and suppose that no move with which a rearrangement of the run could begin is of
//! a machine that sleeps; rearranging means to exchange neighbours that have nothing to do with each other. Claim: what goes wrong is found. By
//! length of the run and then by the order in which states are first looked at:
//! - If a machine that is made to move (`reduction.rs`) moves in the run, the run can begin with a move of such a machine. Of these machines take the
//!   first. After its move the rest of the run, which is shorter, again begins with nobody who sleeps: neither with one who slept before,
//!   nor with one who has moved from the same state, for then the run could have begun with that.
//! - Otherwise none of these machines moves in the run, so the run is possible after any of their moves, and begins with the same machines. One
//!   of the moves leads to a state that has not been looked at, or all machines that are awake are made to move, and it is the case above.
//! - If somebody is woken belatedly and the run can begin with one of those, take the first of those who were woken last; what was made to move
//!   before does not sleep after its move.
//!
//! A machine that goes on as a matter of course (`Worker::go_on_alone`) is made to move, too, and may have slept: then it does not move in the run,
//! which could begin with that. Where machines get other names, nobody sleeps.
//!
//! Breadth first, and if nobody is put off, a state is reached after no more steps than without sleepers: a shortest run to it leads through states
//! that are reached in all shortest ways before any of them is looked at.
//!
//! An end is a state in which nobody can move, and is found by the same argument. Nobody sleeps in the first state.

use lockstep_runtime::Delivery;

use crate::reduction::Set;
use crate::steps::Touched;
use crate::tables::Who;

/// Who sleeps, by position in the state, as bits. Machines behind the last bit never do.
pub(crate) type Asleep = u32;

/// The first position that never sleeps. The bit is left for whoever keeps such sets.
pub(crate) const POSITIONS: usize = 31;

/// The bit of the machine at this position, whom somebody sends something. All behind the last bit share it: who sends to different ones of them
/// then seems to send to the same one, and is woken needlessly.
pub(crate) fn bit(position: usize) -> Set {
    1 << position.min(Set::BITS as usize - 1)
}

/// What a machine could do that sleeps, all its steps together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sleeper {
    /// Who is sent something, by `bit`.
    puts: Set,
    /// As in `Touched`.
    tells: u64,
    minds_arrivals: bool,
}

impl Sleeper {
    /// `whos` are the machines of the state by position.
    pub(crate) fn new(touched: &Touched, whos: &[Who]) -> Self {
        let place = |target: &Who| whos.iter().position(|who| who == target).map(bit);
        let puts = touched.puts.iter().filter_map(place).fold(0, |set, bit| set | bit);
        Self { puts, tells: touched.tells, minds_arrivals: touched.minds_arrivals }
    }
}

/// What a step of a machine did that others could notice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noticed {
    /// Who was sent something, by `bit` in the state before.
    pub(crate) puts: Set,
    /// As in `Touched`.
    pub(crate) tells: u64,
    /// Whether it was done because nothing had arrived.
    pub(crate) found_nothing: bool,
}

/// Whether a machine that sleeps can go on to sleep while another makes a step: both can be done in either order, and it is the same. `sleeper` and
/// `mover` are their positions.
pub(crate) fn sleeps_on(delivery: Delivery, sleeper: usize, asleep: &Sleeper, mover: usize, step: &Noticed) -> bool {
    let shares_spec = asleep.tells & step.tells != 0;
    // Messages to one machine are ordered, but on a network only those of one sender.
    let shares_target = delivery == Delivery::Inbox && asleep.puts & step.puts != 0;
    let is_woken = asleep.minds_arrivals && step.puts & bit(sleeper) != 0;
    // What a machine takes is not changed by what comes after it.
    let is_noticed = step.found_nothing && asleep.puts & bit(mover) != 0;
    !(shares_spec || shares_target || is_woken || is_noticed)
}

/// The same sleepers after a machine has come into being at a position.
pub(crate) fn make_place(asleep: Asleep, position: usize) -> Asleep {
    if position >= POSITIONS {
        return asleep;
    }
    let before = (1 << position) - 1;
    ((asleep & before) | (asleep & !before) << 1) & ((1 << POSITIONS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_made() {
        assert_eq!(make_place(0b1011, 0), 0b10110);
        assert_eq!(make_place(0b1011, 1), 0b10101);
        assert_eq!(make_place(0b1011, 4), 0b1011);
        assert_eq!(make_place(0b1011, 31), 0b1011);
        assert_eq!(make_place(1 << 30, 3), 0, "who moves behind the last place wakes up");
    }
}
