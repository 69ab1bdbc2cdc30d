//! Which machines need to move in a state, so that everything that can go wrong still does.
//!
//! A set of machines is *persistent* if whatever the others do on their own, however long, neither changes what the set can do next nor
//! can tell whether it was done before or after. Then it is enough to let the machines of the set move first: any run in which one of
//! them moves can be reordered to start with that move, and a run in which none of them moves stays possible after any of their moves.
//! Every way to end is kept, and every failure, if no move is put off for ever: `worker.rs` takes back the reduction where all moves
//! of the set lead to states that were looked at already. (The argument goes by the length of the run and then by the order in which
//! states are looked at.)
//!
//! What machines have to do with each other:
//! - Monitors see the order of all sends they observe. Who may ever tell a monitor that a move tells depends on that move. This is
//!   missing in the published reductions for P.
//! - Inbox: messages to one machine are ordered. Who has a reference to the target may put something there, now or later; who has none
//!   cannot get one from outside the set. The target's own moves do not mind a message behind the one they take, unless it can find
//!   that nothing has arrived (`on null`).
//! - Network: messages of different senders are not ordered, and the target's moves do not mind another one; but what arrives can be
//!   taken at once, so who can take something depends on all who may send to it.
//! - Who cannot move depends on all who may send to it.

use lockstep_runtime::{Delivery, InterfaceId};

use crate::footprint::Footprints;
use crate::steps::Steps;
use crate::tables::{Component, Who};

/// Machines by position in the state, as bits.
pub(crate) type Set = u64;

/// One machine of a state.
pub(crate) struct Member<'a> {
    /// The same as that of the component, which need not be looked at for it.
    pub(crate) who: Who,
    pub(crate) component: &'a Component,
    pub(crate) steps: &'a Steps,
    pub(crate) interface: InterfaceId,
}

/// A set of machines that is enough, as small as can be found; `None` if all have to move. Somebody in it is awake; what those who sleep could do
/// costs nothing.
pub(crate) fn persistent_set(footprints: &Footprints, delivery: Delivery, members: &[Member<'_>], asleep: Set) -> Option<Set> {
    if members.len() > Set::BITS as usize {
        return None;
    }
    let can_move = |position: usize| !members[position].steps.all.is_empty() && asleep >> position & 1 == 0;
    let private = (0..members.len()).find(|position| can_move(*position) && members[*position].steps.touched.is_private());
    if let Some(position) = private {
        let is_alone = (0..members.len()).filter(|position| can_move(*position)).count() == 1;
        return (!is_alone).then_some(1 << position);
    }
    let situation = Situation { footprints, delivery, members, senders: senders(footprints, members) };
    let moves = |set: Set| {
        let inside = members.iter().enumerate().filter(|(position, _)| (set & !asleep) >> position & 1 == 1);
        inside.map(|(_, member)| member.steps.all.len()).sum::<usize>()
    };
    let dependent: Vec<Set> = (0..members.len()).map(|position| situation.dependent(position)).collect();
    let seeds = (0..members.len()).filter(|position| can_move(*position));
    let best = seeds.map(|seed| closed(&dependent, seed)).min_by_key(|set| moves(*set))?;
    (moves(best) < moves(Set::MAX)).then_some(best)
}

struct Situation<'a> {
    footprints: &'a Footprints,
    delivery: Delivery,
    members: &'a [Member<'a>],
    /// For each machine, who may send to it without being given a reference first.
    senders: Vec<Set>,
}

fn senders(footprints: &Footprints, members: &[Member<'_>]) -> Vec<Set> {
    let mut senders = vec![0; members.len()];
    for (position, member) in members.iter().enumerate() {
        for mentioned in &member.component.mentions {
            if let Some(target) = members.iter().position(|other| other.who == *mentioned) {
                senders[target] |= 1 << position;
            }
        }
        if footprints.of(member.interface).names_itself {
            senders[position] |= 1 << position;
        }
    }
    senders
}

/// The smallest persistent set with this machine in it. For each machine it is known who has to be in a set with it.
fn closed(dependent: &[Set], seed: usize) -> Set {
    let mut set: Set = 1 << seed;
    let mut done: Set = 0;
    while set != done {
        let position = (set & !done).trailing_zeros() as usize;
        done |= 1 << position;
        set |= dependent[position];
    }
    set
}

impl Situation<'_> {
    /// Who has to be in a set with this machine.
    fn dependent(&self, position: usize) -> Set {
        let Member { component, steps, .. } = &self.members[position];
        if component.is_halted {
            return 0;
        }
        let mut set = 0;
        if steps.all.is_empty() || steps.touched.minds_arrivals {
            set |= self.senders[position];
        }
        if steps.touched.tells != 0 {
            for (other, member) in self.members.iter().enumerate() {
                if self.footprints.of(member.interface).may_tell & steps.touched.tells != 0 {
                    set |= 1 << other;
                }
            }
        }
        if self.delivery == Delivery::Inbox {
            for who in &steps.touched.puts {
                // A target that is not there yet is created in the same step; nobody else knows it.
                let Some(target) = self.members.iter().position(|member| member.who == *who) else { continue };
                set |= self.senders[target];
                if self.footprints.of(self.members[target].interface).handles_null {
                    set |= 1 << target;
                }
            }
        }
        set
    }
}
