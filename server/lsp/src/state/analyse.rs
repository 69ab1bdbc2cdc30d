//! Finding out what IceT programs do: on threads of their own, on plain data, one program after the other.
//!
//! Every check lists the programs that nothing is known about. They are looked at when a document is saved or nobody has typed for a
//! moment. A program that is no longer wanted is given up, and what comes of it is thrown away. It is told to stop, but the next one does
//! not wait until it does: rewriting stops only at its own limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lockstep_base::verdict::{Check, Outcome, Verdict};
use lockstep_icet::analysis::{Analysis, Budget, analyse};
use lockstep_ide::icet;

use super::State;
use crate::event::Event;
use crate::icet::{Analysed, Unknown};
use crate::panics::{End, contained};

/// How long nobody has to type before a program is looked at that has not been saved.
const PAUSE: Duration = Duration::from_millis(400);
/// While many programs are looked at, the client is told about them together, so often.
const TELL: Duration = Duration::from_millis(300);

/// The programs that wait, and the one that is being looked at.
#[derive(Default)]
pub(super) struct Analyst {
    waiting: Vec<Unknown>,
    running: Option<(Unknown, Arc<AtomicBool>)>,
    /// When to begin with those that wait.
    due: Option<Instant>,
    last_typed: Option<Instant>,
    last_told: Option<Instant>,
    has_news: bool,
}

impl Analyst {
    /// When something is to be done.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.running.is_none())
    }

    pub(super) fn typed(&mut self) {
        let now = Instant::now();
        self.last_typed = Some(now);
        self.due = self.due.map(|_| now + PAUSE);
    }

    pub(super) fn saved(&mut self) {
        self.last_typed = None;
        self.due = self.due.map(|_| Instant::now());
    }

    pub(super) fn stop(&self) {
        if let Some((_, cancel)) = &self.running {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl State {
    /// A check has found programs that nothing is known about: all there are.
    pub(super) fn analyse_soon(&mut self, generation: u64, programs: Vec<Unknown>) {
        if generation != self.generation() {
            return;
        }
        let analyst = &mut self.analyst;
        analyst.waiting = programs;
        if let Some((running, cancel)) = &analyst.running
            && !analyst.waiting.iter().any(|wanted| wanted.is(running))
        {
            cancel.store(true, Ordering::Relaxed);
            analyst.running = None;
        }
        let begin = analyst.last_typed.map_or_else(Instant::now, |typed| typed + PAUSE);
        analyst.due = (!analyst.waiting.is_empty()).then_some(begin);
    }

    /// Begins with the next program.
    pub(super) fn analyse_next(&mut self) {
        let Some(program) = self.analyst.waiting.first().cloned() else {
            self.analyst.due = None;
            return;
        };
        let cancel = Arc::new(AtomicBool::new(false));
        self.analyst.running = Some((program.clone(), cancel.clone()));
        let (events, teller) = (self.events.clone(), self.teller.clone());
        self.analyses_pool.spawn(move || {
            let budget = Budget { cancel: Some(cancel.clone()), ..Budget::default() };
            let analysis = match contained(|| analyse(&program.shape, &budget)) {
                End::Done(analysis) => Some(Arc::new(analysis)),
                End::Stale | End::Cancelled => None,
                End::Panicked(panic) => {
                    teller.mistake("putting a program in order", &panic);
                    None
                }
            };
            let _ = events.send(Event::Analysed { program, analysis, cancel });
        });
    }

    /// `cancel` tells which run it is: what was given up on the way says nothing.
    pub(super) fn analysed(&mut self, program: Unknown, analysis: Option<Arc<Analysis>>, cancel: &Arc<AtomicBool>) {
        if !self.analyst.running.as_ref().is_some_and(|(_, running)| Arc::ptr_eq(running, cancel)) {
            return;
        }
        self.analyst.running = None;
        self.analyst.waiting.retain(|waiting| !waiting.is(&program));
        self.analyst.has_news = true;
        let Unknown { name, shape } = program;
        let outcome = outcome(analysis.as_deref(), &name);
        Arc::make_mut(&mut self.results).set(name.clone(), Check::Sequentialization, outcome);
        Arc::make_mut(&mut self.analyses).set(name, Analysed { shape, analysis });
        let is_time = self.analyst.waiting.is_empty() || self.analyst.last_told.is_none_or(|last| last.elapsed() > TELL);
        if self.analyst.has_news && is_time {
            self.analyst.has_news = false;
            self.analyst.last_told = Some(Instant::now());
            // Documents have not changed, but what is said about them has.
            self.is_refresh_due = true;
            self.change();
        }
    }
}

fn outcome(analysis: Option<&Analysis>, name: &str) -> Outcome {
    match analysis {
        Some(analysis) => icet::outcome(analysis, name),
        None => Outcome { verdict: Verdict::Unknown, ..Outcome::not_run("Lockstep made a mistake with this program") },
    }
}
