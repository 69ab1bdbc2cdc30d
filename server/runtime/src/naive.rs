//! Every configuration a program can reach, one after the other: no reduction, no hashing away, no cleverness.
//!
//! The oracle for everything cleverer. Configurations are kept whole and compared whole.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::configuration::{Configuration, Ending, Settings, Step};
use crate::failure::{Failure, Limit, Unsupported};
use crate::program::Program;
use crate::run::Script;
use crate::trace::{Decision, Trace};

/// What there is to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Distinct configurations.
    pub configurations: usize,
    /// Steps between them, counting each choice of answers.
    pub steps: usize,
    /// Configurations in which nothing can happen any more.
    pub terminal: usize,
    /// Each bug once, with a way to it.
    pub failures: Vec<(Failure, Trace)>,
    pub limit: Option<Limit>,
    pub unsupported: Option<Unsupported>,
    /// Whether everything was looked at.
    pub is_complete: bool,
}

/// How many steps are made for each configuration that may be looked at, at most: one step can have very many answers.
const STEPS: usize = 100;

/// Goes depth first through all configurations, but through no more than `most`.
pub fn explore(program: &Program, settings: &Settings, most: usize) -> Explored {
    let mut search = Search {
        program,
        settings,
        most,
        found: Explored::default(),
        nodes: Vec::new(),
        known: FxHashSet::default(),
        open: Vec::new(),
        is_cut: false,
    };
    match Configuration::initial(program, settings) {
        Ok(initial) => search.run(initial),
        Err(ending) => {
            search.ending(ending, None);
            search.found.is_complete = search.found.limit.is_none() && search.found.unsupported.is_none();
        }
    }
    search.found
}

struct Search<'a> {
    program: &'a Program,
    settings: &'a Settings,
    most: usize,
    found: Explored,
    /// Where each configuration was reached from.
    nodes: Vec<Option<(usize, Decision)>>,
    known: FxHashSet<Arc<Configuration>>,
    /// Configurations whose steps have not been made.
    open: Vec<(usize, Arc<Configuration>)>,
    /// Whether something was left out.
    is_cut: bool,
}

impl Search<'_> {
    fn run(&mut self, initial: Configuration) {
        self.reach(initial, None);
        while let Some((number, configuration)) = self.open.pop() {
            let steps = configuration.enabled(self.program, self.settings);
            if steps.is_empty() {
                self.found.terminal += 1;
                if let Some(failure) = configuration.stuck(self.program) {
                    self.failure(failure, self.trace(number));
                }
            }
            steps.iter().for_each(|step| self.follow(number, &configuration, step));
        }
        self.found.configurations = self.nodes.len();
        self.found.is_complete = !self.is_cut && self.found.limit.is_none() && self.found.unsupported.is_none();
    }

    /// Makes a step with all answers there are.
    fn follow(&mut self, number: usize, configuration: &Configuration, step: &Step) {
        // Answers that are to be tried, the first last.
        let mut answers = vec![Vec::new()];
        while let Some(tried) = answers.pop() {
            if self.found.steps >= self.most.saturating_mul(STEPS) {
                self.is_cut = true;
                return;
            }
            let mut next = configuration.clone();
            let (_, result) = next.apply(self.program, self.settings, step, &mut Script::new(&tried));
            if let Err(Ending::NeedsChoice(choice)) = result {
                let longer = |option| tried.iter().copied().chain([option]).collect();
                answers.extend((0..choice.options).rev().map(longer));
                continue;
            }
            self.found.steps += 1;
            let way = Some((number, Decision { step: step.clone(), answers: tried }));
            match result {
                Ok(()) => self.reach(next, way),
                Err(ending) => self.ending(ending, way),
            }
        }
    }

    /// Notes a configuration, if it is new.
    fn reach(&mut self, configuration: Configuration, way: Option<(usize, Decision)>) {
        if self.known.contains(&configuration) {
            return;
        }
        if self.nodes.len() >= self.most {
            self.is_cut = true;
            return;
        }
        let configuration = Arc::new(configuration);
        self.known.insert(configuration.clone());
        self.open.push((self.nodes.len(), configuration));
        self.nodes.push(way);
    }

    fn ending(&mut self, ending: Ending, last: Option<(usize, Decision)>) {
        match ending {
            Ending::Failed(failure) => {
                let mut trace = last.as_ref().map_or_else(Trace::default, |(number, _)| self.trace(*number));
                trace.decisions.extend(last.map(|(_, decision)| decision));
                self.failure(*failure, trace);
            }
            Ending::Limited(limit) => self.found.limit = Some(limit),
            Ending::Unsupported(what) => self.found.unsupported = Some(what),
            Ending::NeedsChoice(_) => {}
        }
    }

    fn failure(&mut self, failure: Failure, trace: Trace) {
        if !self.found.failures.iter().any(|(known, _)| *known == failure) {
            self.found.failures.push((failure, trace));
        }
    }

    /// The way to a configuration.
    fn trace(&self, number: usize) -> Trace {
        let mut decisions = Vec::new();
        let mut at = number;
        while let Some((before, decision)) = &self.nodes[at] {
            decisions.push(decision.clone());
            at = *before;
        }
        decisions.reverse();
        Trace { decisions }
    }
}
