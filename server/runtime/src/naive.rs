//! Every configuration a program can reach, one after the other: no reduction, no hashing away, no cleverness.
//!
//! The oracle for everything cleverer. Configurations are kept whole and compared whole.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::configuration::{Configuration, Ending, Settings};
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

/// Goes depth first through all configurations, but through no more than `most`.
pub fn explore(program: &Program, settings: &Settings, most: usize) -> Explored {
    let mut search = Search { program, settings, found: Explored::default(), nodes: Vec::new(), known: FxHashMap::default() };
    match Configuration::initial(program, settings) {
        Ok(initial) => search.run(initial, most),
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
    found: Explored,
    /// Where each configuration was reached from.
    nodes: Vec<Option<(usize, Decision)>>,
    known: FxHashMap<Arc<Configuration>, usize>,
}

impl Search<'_> {
    fn run(&mut self, initial: Configuration, most: usize) {
        let initial = Arc::new(initial);
        self.known.insert(initial.clone(), 0);
        self.nodes.push(None);
        let mut open = vec![(0, initial)];
        let mut is_cut = false;
        while let Some((number, configuration)) = open.pop() {
            let steps = configuration.enabled(self.program, self.settings);
            if steps.is_empty() {
                self.found.terminal += 1;
                if let Some(failure) = configuration.stuck(self.program) {
                    self.failure(failure, self.trace(number));
                }
            }
            for step in steps {
                // Answers that are to be tried, the first last.
                let mut answers = vec![Vec::new()];
                while let Some(tried) = answers.pop() {
                    let mut next = (*configuration).clone();
                    let mut script = Script::new(&tried);
                    let (_, result) = next.apply(self.program, self.settings, &step, &mut script);
                    let decision = |answers| Decision { step: step.clone(), answers };
                    match result {
                        Err(Ending::NeedsChoice(choice)) => {
                            let longer = |option| tried.iter().copied().chain([option]).collect();
                            answers.extend((0..choice.options).rev().map(longer));
                        }
                        Err(ending) => {
                            self.found.steps += 1;
                            self.ending(ending, Some((number, decision(tried))));
                        }
                        Ok(()) => {
                            self.found.steps += 1;
                            let next = Arc::new(next);
                            if self.known.contains_key(&next) {
                                continue;
                            }
                            if self.nodes.len() >= most {
                                is_cut = true;
                                continue;
                            }
                            self.known.insert(next.clone(), self.nodes.len());
                            open.push((self.nodes.len(), next));
                            self.nodes.push(Some((number, decision(tried))));
                        }
                    }
                }
            }
        }
        self.found.configurations = self.nodes.len();
        self.found.is_complete = !is_cut && self.found.limit.is_none() && self.found.unsupported.is_none();
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
