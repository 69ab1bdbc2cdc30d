//! Which of the possible steps comes next.

use crate::configuration::Step;
use crate::identity::MachineId;

/// How schedules are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Each possible step is as likely as any other.
    Random,
    /// Machines have priorities, and so many times in a schedule the one that runs loses its own: few reorderings, in unlikely places.
    Pct { changes: u32 },
    /// A machine goes on as long as it can, but is left with a chance of one in so many.
    Sticky { leave_one_in: u32 },
    /// Random steps, but choices are nearly always answered in the way of the schedule: what goes on as long as `$` says so does so for long.
    Habit,
    /// A random schedule, then a sticky one, and so on: what one hardly ever does the other does often.
    Mixed,
}

/// How sticky every second schedule of a mixture is.
const MIXED_STICKY: Strategy = Strategy::Sticky { leave_one_in: 4 };

/// A choice in so many is answered against the habit.
const AGAINST_HABIT: u32 = 64;

/// A sequence of numbers that looks random (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound.max(1))) >> 64) as u32
    }

    fn index(&mut self, count: usize) -> usize {
        self.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize
    }
}

/// What a strategy remembers.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    strategy: Strategy,
    /// How the schedule at hand is made.
    now: Strategy,
    schedules: u64,
    /// The machine that made the last step.
    last: Option<MachineId>,
    /// Machines by priority, the highest first.
    priorities: Vec<MachineId>,
    /// Steps at which the machine that runs loses its priority.
    changes: Vec<u64>,
    step: u64,
    /// Where the habits of the schedule come from.
    habit: u64,
    /// The length of the longest schedule so far.
    longest: u64,
}

impl Scheduler {
    pub(super) fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            now: strategy,
            schedules: 0,
            last: None,
            priorities: Vec::new(),
            changes: Vec::new(),
            step: 0,
            habit: 0,
            longest: 100,
        }
    }

    /// A new schedule begins.
    pub(super) fn begin(&mut self, random: &mut Random) {
        self.longest = self.longest.max(self.step);
        self.step = 0;
        self.last = None;
        self.priorities.clear();
        self.now = match self.strategy {
            Strategy::Mixed if self.schedules.is_multiple_of(2) => Strategy::Random,
            Strategy::Mixed => MIXED_STICKY,
            other => other,
        };
        self.schedules += 1;
        match self.now {
            Strategy::Pct { changes } => {
                let longest = u32::try_from(self.longest).unwrap_or(u32::MAX);
                self.changes = (0..changes).map(|_| u64::from(random.below(longest))).collect();
            }
            Strategy::Habit => self.habit = random.next(),
            _ => {}
        }
    }

    /// The answer to a choice with so many options, the `nth` of its step.
    pub(super) fn answer(&self, options: u32, nth: usize, random: &mut Random) -> u32 {
        match self.now {
            Strategy::Habit if random.below(AGAINST_HABIT) != 0 => {
                Random::new(self.habit.wrapping_add(nth as u64)).below(options)
            }
            _ => random.below(options),
        }
    }

    /// Whether the time a spec is hot counts: not in the sticky schedules of a mixture, in which everything takes longer.
    pub(super) fn counts_heat(&self) -> bool {
        self.strategy != Strategy::Mixed || self.now == Strategy::Random
    }

    /// The number of the step that comes next.
    pub(super) fn pick(&mut self, enabled: &[Step], random: &mut Random) -> usize {
        self.step += 1;
        let picked = match self.now {
            Strategy::Random | Strategy::Habit | Strategy::Mixed => random.index(enabled.len()),
            Strategy::Pct { .. } => self.by_priority(enabled, random),
            Strategy::Sticky { leave_one_in } => {
                let stays = random.below(leave_one_in.max(1)) != 0;
                let own = enabled.iter().position(|step| stays && Some(&step.machine) == self.last.as_ref());
                own.unwrap_or_else(|| random.index(enabled.len()))
            }
        };
        self.last = Some(enabled[picked].machine.clone());
        picked
    }

    fn by_priority(&mut self, enabled: &[Step], random: &mut Random) -> usize {
        for step in enabled {
            if !self.priorities.contains(&step.machine) {
                let position = random.index(self.priorities.len() + 1);
                self.priorities.insert(position, step.machine.clone());
            }
        }
        if self.changes.contains(&self.step) {
            let position = self.rank(&enabled[self.highest(enabled)]);
            let demoted = self.priorities.remove(position);
            self.priorities.push(demoted);
        }
        self.highest(enabled)
    }

    fn highest(&self, enabled: &[Step]) -> usize {
        (0..enabled.len()).min_by_key(|number| self.rank(&enabled[*number])).unwrap_or(0)
    }

    /// All machines that can do something have one.
    fn rank(&self, step: &Step) -> usize {
        self.priorities.iter().position(|machine| *machine == step.machine).unwrap_or(0)
    }
}
