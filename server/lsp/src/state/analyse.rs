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
/// How long a program is looked at before that is shown: most are through by then, and what comes and goes at once flickers.
const MOMENT: Duration = Duration::from_millis(500);
/// While many programs are looked at, the client is told about them together, so often.
const TELL: Duration = Duration::from_millis(300);

/// The programs that wait, and the one that is being looked at.
#[derive(Default)]
pub(super) struct Analyst {
    waiting: Vec<Unknown>,
    running: Option<(Unknown, Arc<AtomicBool>)>,
    /// When to show that it is still being looked at; `None` if that is shown already.
    shown_at: Option<Instant>,
    /// When to begin with those that wait.
    due: Option<Instant>,
    last_typed: Option<Instant>,
    last_told: Option<Instant>,
    has_news: bool,
}

impl Analyst {
    /// When something is to be done.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.running.is_some() { self.shown_at } else { self.due }
    }

    fn begin(&mut self, program: Unknown, cancel: Arc<AtomicBool>, now: Instant) {
        self.running = Some((program, cancel));
        self.shown_at = Some(now + MOMENT);
    }

    /// The name of the program that is to be shown as being looked at from now on.
    fn show(&mut self, now: Instant) -> Option<String> {
        self.shown_at.take_if(|shown_at| *shown_at <= now)?;
        self.running.as_ref().map(|(program, _)| program.name.clone())
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
            Arc::make_mut(&mut self.analyses).set_running(None);
        }
        let begin = analyst.last_typed.map_or_else(Instant::now, |typed| typed + PAUSE);
        analyst.due = (!analyst.waiting.is_empty()).then_some(begin);
    }

    /// Begins with the next program, or shows that one takes long.
    pub(super) fn analyse_next(&mut self) {
        if self.analyst.running.is_some() {
            if let Some(name) = self.analyst.show(Instant::now()) {
                Arc::make_mut(&mut self.analyses).set_running(Some(name));
                // Documents have not changed, but what is said about them has.
                self.is_refresh_due = true;
                self.change();
            }
            return;
        }
        let Some(program) = self.analyst.waiting.first().cloned() else {
            self.analyst.due = None;
            return;
        };
        let cancel = Arc::new(AtomicBool::new(false));
        self.analyst.begin(program.clone(), cancel.clone(), Instant::now());
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
        let was_shown = self.analyses.is_running(&name);
        let analyses = Arc::make_mut(&mut self.analyses);
        analyses.set_running(None);
        analyses.set(name, Analysed { shape, analysis });
        let is_time =
            was_shown || self.analyst.waiting.is_empty() || self.analyst.last_told.is_none_or(|last| last.elapsed() > TELL);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_takes_long_is_shown_and_once() {
        let now = Instant::now();
        let mut analyst = Analyst { due: Some(now), ..Analyst::default() };
        assert_eq!(analyst.due(), Some(now));
        analyst.begin(Unknown { name: "a.icet".to_owned(), shape: Arc::default() }, Arc::default(), now);
        assert_eq!(analyst.due(), Some(now + MOMENT), "nothing else is begun");
        assert_eq!(analyst.show(now), None, "too early");
        assert_eq!(analyst.show(now + MOMENT), Some("a.icet".to_owned()));
        assert_eq!((analyst.due(), analyst.show(now + MOMENT)), (None, None), "shown already");
        analyst.running = None;
        assert_eq!(analyst.due(), Some(now), "the next one");
    }
}
