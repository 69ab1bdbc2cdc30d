//! One search and what it costs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lockstep_explore::{Budgets, Keeping, Observer, Options, Outcome, Reduction, Stats, explore};
use lockstep_runtime::{Delivery, Program, Settings};

/// A way to search, and how much time it may take.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    reduction: Reduction,
    delivery: Delivery,
    /// Seconds after which a search is given up.
    most: u64,
    /// Seconds after which larger instances of the same test are left out.
    enough: f64,
}

/// The default comes first. Searches of all steps are there to be compared with, and large ones say nothing new.
pub(crate) const WAYS: [Way; 3] = [
    Way { name: "default", reduction: Reduction::ALL, delivery: Delivery::Inbox, most: 30, enough: 1.0 },
    Way { name: "por", reduction: Reduction::PARTIAL_ORDER, delivery: Delivery::Inbox, most: 10, enough: 1.0 },
    Way { name: "all steps", reduction: Reduction::NONE, delivery: Delivery::Inbox, most: 5, enough: 0.25 },
];

/// For tools in which messages of different senders can overtake each other.
pub(crate) const NETWORK: Way =
    Way { name: "network", reduction: Reduction::NONE, delivery: Delivery::Network, most: 5, enough: 0.25 };

/// More takes too long for a benchmark.
const MOST_STATES: u64 = 8_000_000;
const MOST_MEMORY: u64 = 3 << 30;
/// The system counts CPU time in ticks of some milliseconds, so short searches are repeated until they have taken so many seconds.
const LONG_ENOUGH: f64 = 0.1;
/// Seconds from which on a search is worth a second thread.
const WORTH_THREADS: f64 = 0.3;

/// What a search of one test in one way costs, with states kept whole and as fingerprints.
pub(crate) struct Measured {
    pub(crate) exact: Figures,
    /// Not measured if whole states are too many already.
    pub(crate) fingerprints: Option<Figures>,
    /// How many times as fast two threads are with whole states, by the clock. Only of searches that take long enough.
    pub(crate) speed_up: Option<f64>,
}

#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) states: u64,
    /// Steps from states, those that are made together with others included.
    steps: u64,
    /// Whether that is all of them.
    pub(crate) is_complete: bool,
    /// Of CPU time.
    pub(crate) seconds: f64,
    /// By the clock.
    wall: f64,
    pub(crate) bytes: u64,
}

impl Figures {
    /// Steps per second. A state that is kept stands for several steps where a reduction is used.
    pub(crate) fn step_rate(&self) -> f64 {
        self.steps as f64 / self.seconds
    }

    /// States per second.
    pub(crate) fn rate(&self) -> f64 {
        self.states as f64 / self.seconds
    }

    pub(crate) fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.states as f64
    }
}

/// Measures the tests of one model and leaves out what would take too long.
#[derive(Default)]
pub(crate) struct Gauge {
    /// What has taken long, and in which way.
    slow: Vec<(Size, &'static str)>,
}

impl Gauge {
    /// `None` if a test that is no larger has taken long.
    pub(crate) fn measure(&mut self, program: &Program, way: &Way) -> Option<Measured> {
        let size = Size::of(&program.name);
        if self.slow.iter().any(|(slow, name)| *name == way.name && slow.is_within(&size)) {
            return None;
        }
        let exact = repeated(program, way, Keeping::Exact);
        if exact.seconds > way.enough || !exact.is_complete {
            self.slow.push((size, way.name));
        }
        let fingerprints = exact.is_complete.then(|| repeated(program, way, Keeping::Fingerprints));
        let is_worth = exact.is_complete && exact.seconds >= WORTH_THREADS;
        let speed_up = is_worth.then(|| exact.wall / once(program, way, Keeping::Exact, 2).wall);
        Some(Measured { exact, fingerprints, speed_up })
    }
}

/// A test by its name, with the values of its parameters.
struct Size {
    test: String,
    values: Vec<u32>,
}

impl Size {
    /// From `tcName___first_3__second_true`. What is no number does not count.
    fn of(name: &str) -> Self {
        let (test, values) = name.split_once("___").unwrap_or((name, ""));
        let value = |text: &str| text.rsplit('_').next().and_then(|value| value.parse().ok()).unwrap_or_default();
        Self { test: test.to_owned(), values: values.split("__").map(value).collect() }
    }

    /// Whether the other is at least as large.
    fn is_within(&self, other: &Self) -> bool {
        self.test == other.test && self.values.iter().zip(&other.values).all(|(own, other)| own <= other)
    }
}

/// The average of as many searches as it takes.
fn repeated(program: &Program, way: &Way, keeping: Keeping) -> Figures {
    let mut count = 0.0;
    let mut total = 0.0;
    loop {
        let figures = once(program, way, keeping, 1);
        count += 1.0;
        total += figures.seconds;
        if total >= LONG_ENOUGH || count >= 1_000.0 {
            return Figures { seconds: total / count, ..figures };
        }
    }
}

fn once(program: &Program, way: &Way, keeping: Keeping, threads: usize) -> Figures {
    let budgets = Budgets {
        states: Some(MOST_STATES),
        time: Some(Duration::from_secs(way.most)),
        memory: Some(MOST_MEMORY),
        ..Budgets::default()
    };
    let settings = Settings { delivery: way.delivery, ..Settings::default() };
    let options = Options { settings, reduction: way.reduction, keeping, threads, budgets, ..Options::default() };
    let before = cpu_seconds();
    let found = explore(program, &options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} });
    let seconds = cpu_seconds() - before;
    let is_complete = match &found.outcome {
        Outcome::Exhausted(_) => true,
        Outcome::Bug(bug) => panic!("{}: {}", program.name, bug.failure.fault),
        Outcome::Unsupported(what) => panic!("{}: {what:?}", program.name),
        Outcome::Unknown { .. } => false,
    };
    let Stats { states, transitions: steps, seconds: wall, memory: bytes, .. } = found.stats;
    Figures { states, steps, is_complete, seconds, wall, bytes }
}

/// CPU time of this thread so far; wall time where the system does not tell.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()));
    match nanoseconds {
        Some(nanoseconds) => nanoseconds as f64 / 1e9,
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
    }
}
