//! Answers to choices.

use super::{End, Input, Limits, Pauses, Run, run_handler};
use crate::concrete::Concrete;
use crate::domain::Choice;
use crate::identity::MachineId;
use crate::local::Local;
use crate::program::{AbstractionId, Program};
use crate::value::Value;

/// Who answers the choices of a run.
pub trait Choices {
    /// One of the options by number; `None` if there is no answer, which ends the run.
    fn choose(&mut self, choice: Choice) -> Option<u32>;

    /// Told of the value that an answer stands for.
    fn chosen(&mut self, _value: &Value) {}

    /// Told of an abstraction that took a value together with others.
    fn took_together(&mut self, _abstraction: AbstractionId) {}

    /// Asked now and then in a long run: whether nobody waits for its end any more.
    fn is_over(&mut self) -> bool {
        false
    }
}

/// Answers that are known beforehand.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    rest: &'a [u32],
}

impl<'a> Script<'a> {
    pub fn new(answers: &'a [u32]) -> Self {
        Self { rest: answers }
    }

    /// How many answers have not been asked for.
    pub fn unused(&self) -> usize {
        self.rest.len()
    }
}

impl Choices for Script<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        (*first < choice.options).then_some(*first)
    }
}

/// Every run there is of a machine from here, each with the answers that lead to it, in the order of the answers.
pub fn all_runs(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: &MachineId,
    local: &Local,
    input: &Input,
) -> Vec<(Vec<u32>, Run)> {
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(answers) = open.pop() {
        let mut script = Script::new(&answers);
        let mut domain = Concrete::new(program, &mut script);
        let run = run_handler(program, limits, pauses, id, local.clone(), input.clone(), &mut domain);
        if let End::NeedsChoice(choice) = run.end {
            let longer = (0..choice.options).rev().map(|option| answers.iter().copied().chain([option]).collect());
            open.extend(longer);
        } else {
            found.push((answers, run));
        }
    }
    found
}
