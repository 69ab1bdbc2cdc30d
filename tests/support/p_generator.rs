//! Random small P programs, for comparing ways to search them.
//!
//! A program has a main machine that creates a few workers and tells them of each other, perhaps helpers that workers create when they
//! are at it, and specs. Machines handle, defer, ignore or forget events; they send and announce what is in variables or written out,
//! with numbers, machines, tuples and collections of machines; they use `receive`, `goto`, `raise`, `with`, `exit`, `null`, `halt` and
//! all kinds of choices.
//!
//! Programs have few configurations. Either every machine sends a few messages and that is all, or it may send one for each that it
//! takes: then there are never more messages than at the beginning, but there is no end. All programs are free of static errors.

mod live;
mod machine;
mod spec;

use std::fmt::Write;

use crate::random::Random;

pub use live::p_live_program;

/// What an event carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carries {
    Nothing,
    Number,
    Machine,
    Pair,
    Crowd,
    Book,
}

impl Carries {
    /// A machine in what is carried, as `v`, and under which condition there is one.
    fn machine(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Nothing | Self::Number => None,
            Self::Machine => Some(("v", "")),
            Self::Pair => Some(("v.who", "")),
            Self::Crowd => Some(("choose(v)", " && sizeof(v) > 0")),
            Self::Book => Some(("v[x]", " && x in v")),
        }
    }

    fn ty(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Number => Some("int"),
            Self::Machine => Some("machine"),
            Self::Pair => Some("(who: machine, n: int)"),
            Self::Crowd => Some("set[machine]"),
            Self::Book => Some("map[int, machine]"),
        }
    }
}

const EVENTS: [(&str, Carries); 7] = [
    ("eGo", Carries::Nothing),
    ("eNumber", Carries::Number),
    ("eStop", Carries::Nothing),
    ("ePeer", Carries::Machine),
    ("ePair", Carries::Pair),
    ("eCrowd", Carries::Crowd),
    ("eBook", Carries::Book),
];

/// What a program may contain, besides machines, messages and states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taste {
    pub has_specs: bool,
    pub has_null: bool,
    /// Messages are answered for ever.
    pub is_endless: bool,
    /// Nothing is asserted and no event is forgotten.
    pub is_harmless: bool,
    /// Machines are compared, counted, gone through in the order of a set, and passed to functions; specs remember them.
    pub is_rich: bool,
}

/// The program of a seed.
pub fn p_program(seed: u64, taste: Taste) -> String {
    let mut random = Random::new(seed);
    let workers = 1 + random.below(3);
    // Fewer events have more to do with each other.
    let events = 3 + random.below(EVENTS.len() - 2);
    let has_helper = random.below(3) == 0;
    let mut writer = Writer { random, text: String::new(), taste, workers, events, has_helper, given: None };
    writer.program();
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    taste: Taste,
    workers: usize,
    /// How many of `EVENTS` there are.
    events: usize,
    /// Whether workers create machines when they are at it.
    has_helper: bool,
    /// A machine that came with the event that is being handled, and under which condition there is one.
    given: Option<(&'static str, &'static str)>,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("a string");
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.below(items.len())]
    }

    fn event(&mut self) -> (&'static str, Carries) {
        EVENTS[self.random.below(self.events)]
    }

    fn program(&mut self) {
        for (event, carries) in &EVENTS[..self.events] {
            let payload = carries.ty().map(|ty| format!(": {ty}")).unwrap_or_default();
            self.line(&format!("event {event}{payload};"));
        }
        self.main();
        for worker in 0..self.workers {
            self.created_machine(&format!("Worker{worker}"));
        }
        if self.has_helper {
            self.created_machine("Helper");
        }
        let specs = if self.taste.has_specs { 1 + self.random.below(3) } else { 0 };
        for spec in 0..specs {
            self.spec(spec);
        }
        let mut machines: Vec<String> = (0..self.workers).map(|worker| format!(", Worker{worker}")).collect();
        machines.extend(self.has_helper.then(|| ", Helper".to_owned()));
        let names: Vec<String> = (0..specs).map(|spec| format!("Spec{spec}")).collect();
        let asserted = if names.is_empty() { String::new() } else { format!("assert {} in ", names.join(", ")) };
        self.line(&format!("test tc [main=Main]: {asserted}{{ Main{} }};", machines.concat()));
    }
}
