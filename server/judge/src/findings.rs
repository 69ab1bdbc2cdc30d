//! A bug as findings in the text: at what is wrong, and at what led to it.
//!
//! Places are numbers (`places`), so a finding stays right as long as the program is the same, wherever comments push it.

use std::collections::BTreeMap;

use lockstep_runtime::{Failure, Fault, Place, Program};
use lockstep_trace::{Fate, Located, Moment, Story, What};
use serde::{Deserialize, Serialize};

use crate::judged::Bug;
use crate::places::{number_of, places};
use crate::values::{asserted, blocked, last_moment};
use crate::{Test, Texts, located};

/// Something that is wrong in a run, at one place of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub code: String,
    pub message: String,
    pub help: String,
    /// Into `places` of the program.
    pub place: u32,
    pub notes: Vec<Note>,
    /// What could be written into which state.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unhandled: Option<Unhandled>,
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    pub place: u32,
    pub message: String,
}

/// An event that a state has nothing to say about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unhandled {
    /// As it is declared.
    pub machine: String,
    pub state: String,
    pub event: String,
}

/// How many sends of a run that repeats itself are named.
const MOST_SENDS: usize = 8;

/// The findings of a bug, the first at what is wrong.
pub fn findings(test: &Test, texts: Texts<'_>, bug: &Bug) -> Vec<Finding> {
    let Bug { failure, file } = bug;
    let program = &test.program;
    let Some(place) = failure.place else { return Vec::new() };
    let end = last_moment(program, &file.settings, &file.trace);
    let telling = Telling {
        program,
        story: &file.story,
        texts,
        places: places(program),
        failure,
        about_to_send: end.as_ref().and_then(|end| end.about_to_send),
    };
    match (&failure.fault, end) {
        (Fault::UnhandledEvent { event }, _) => telling.unhandled(place, event),
        (Fault::Deadlock { .. }, Some(end)) => telling.deadlock(&blocked(program, &end.configuration)),
        (Fault::AssertionFailed { .. }, end) => {
            let failed = end.and_then(|end| end.failed);
            let values = failed.map(|failed| asserted(program, &failed, place, texts)).unwrap_or_default();
            let message = match values.as_str() {
                "" => failure.fault.to_string(),
                values => format!("{} ({values})", failure.fault),
            };
            telling.plain(place, message, telling.what_led_to_it())
        }
        (Fault::HotForever, _) => telling.plain(place, failure.fault.to_string(), telling.sends_since(file.repeats_from)),
        _ => telling.plain(place, failure.fault.to_string(), telling.what_led_to_it()),
    }
}

struct Telling<'a> {
    program: &'a Program,
    story: &'a Story,
    texts: Texts<'a>,
    places: Vec<Place>,
    failure: &'a Failure,
    about_to_send: Option<Place>,
}

impl Telling<'_> {
    fn finding(&self, place: Place, message: String, notes: Vec<Note>) -> Option<Finding> {
        let place = number_of(&self.places, place)?;
        let who = match (self.failure.who.as_str(), self.failure.state.as_str()) {
            ("", _) => String::new(),
            (who, "") => format!("`{who}`, "),
            (who, state) => format!("`{who}` in state `{state}`, "),
        };
        let help = format!("{who}test `{}`", self.program.name);
        Some(Finding { code: self.failure.fault.code().to_owned(), message, help, place, notes, unhandled: None })
    }

    fn plain(&self, place: Place, message: String, notes: Vec<Note>) -> Vec<Finding> {
        self.finding(place, message, notes).into_iter().collect()
    }

    /// At the state, and at the send.
    fn unhandled(&self, place: Place, event: &str) -> Vec<Finding> {
        let (who, state) = (&self.failure.who, &self.failure.state);
        let sent = self.last_taken(|taken| taken == event);
        let at_send = sent.as_ref().map(|(number, sender)| Note { place: *number, message: format!("`{sender}` sends it here") });
        let unhandled =
            self.machine_of(place).map(|machine| Unhandled { machine, state: state.to_string(), event: event.to_owned() });
        let message = format!("`{event}` arrives, and state `{state}` neither handles, defers nor ignores it");
        let mut findings = self.plain(place, message, at_send.into_iter().collect());
        if let (Some((number, _)), Some(state_place)) = (sent, number_of(&self.places, place)) {
            let message =
                format!("`{event}` arrives at `{who}` in state `{state}`, which neither handles, defers nor ignores it");
            let note = Note { place: state_place, message: format!("state `{state}` has no handler for it") };
            findings.extend(findings.first().cloned().map(|at_state| Finding {
                place: number,
                message,
                notes: vec![note],
                ..at_state
            }));
        }
        findings.iter_mut().for_each(|finding| finding.unhandled = unhandled.clone());
        findings
    }

    /// The machine as it is declared whose state this is.
    fn machine_of(&self, state: Place) -> Option<String> {
        let has_it = |machine: &&lockstep_runtime::MachineType| machine.states.iter().any(|known| known.place == state);
        self.program.machines.iter().find(has_it).map(|machine| machine.name.to_string())
    }

    /// At each `receive` that somebody waits in.
    fn deadlock(&self, blocked: &[crate::values::Blocked]) -> Vec<Finding> {
        let mut waits: BTreeMap<u32, (Vec<&str>, String)> = BTreeMap::new();
        for one in blocked {
            let Some(number) = number_of(&self.places, one.place) else { continue };
            let events: Vec<String> = one.events.iter().map(|event| format!("`{event}`")).collect();
            waits.entry(number).or_insert_with(|| (Vec::new(), events.join(" or "))).0.push(&one.who);
        }
        let said = |(who, events): &(Vec<&str>, String)| {
            let who: Vec<String> = who.iter().map(|who| format!("`{who}`")).collect();
            format!("{} {} for {events}", who.join(", "), if who.len() == 1 { "waits" } else { "wait" })
        };
        let one = |(number, wait): (&u32, &(Vec<&str>, String))| Finding {
            code: self.failure.fault.code().to_owned(),
            message: format!("deadlock: {} here, and nobody can send that any more", said(wait)),
            help: format!("test `{}`", self.program.name),
            place: *number,
            notes: waits
                .iter()
                .filter(|(other, _)| *other != number)
                .map(|(other, wait)| Note { place: *other, message: said(wait) })
                .collect(),
            unhandled: None,
        };
        waits.iter().map(one).collect()
    }

    /// The send of what the one who failed was given last.
    fn what_led_to_it(&self) -> Vec<Note> {
        if let Some((place, sender)) = self.last_taken(|_| true) {
            let event = self.last_event().unwrap_or_default();
            return vec![Note { place, message: format!("`{sender}` sends `{event}` here, which leads to it") }];
        }
        let observed = self
            .story
            .moments
            .iter()
            .rev()
            .find(|moment| Some(moment.actor) == self.story.culprit() && matches!(moment.what, What::Observe { .. }));
        let Some(Moment { what: What::Observe { by, event, .. }, .. }) = observed else { return Vec::new() };
        let sender = &self.story.actors[*by].name;
        let place = self.about_to_send.and_then(|place| number_of(&self.places, place));
        let note = |place| Note { place, message: format!("`{sender}` sends `{event}` here, which the spec sees") };
        place.map(note).into_iter().collect()
    }

    fn last_event(&self) -> Option<String> {
        let (_, message) = self.last_message(|_| true)?;
        Some(self.story.messages[message].event.clone())
    }

    /// Where the last message was sent that the one who failed has taken, and by whom.
    fn last_taken(&self, is_wanted: impl Fn(&str) -> bool) -> Option<(u32, &str)> {
        let (_, message) = self.last_message(is_wanted)?;
        let message = &self.story.messages[message];
        let place = self.story.moments[message.sent].place.as_ref()?;
        Some((self.number(place)?, &self.story.actors[message.from].name))
    }

    fn last_message(&self, is_wanted: impl Fn(&str) -> bool) -> Option<(usize, usize)> {
        let culprit = self.story.culprit()?;
        let taken = self.story.messages.iter().enumerate().filter_map(|(number, message)| match message.fate {
            Fate::Taken { moment } if message.to == culprit && is_wanted(&message.event) => Some((moment, number)),
            _ => None,
        });
        taken.max()
    }

    /// What is sent from a decision on.
    fn sends_since(&self, from: Option<usize>) -> Vec<Note> {
        let mut notes: Vec<Note> = Vec::new();
        for moment in self.story.moments.iter().filter(|moment| from.is_some_and(|from| moment.decision >= from)) {
            let What::Send { message } = moment.what else { continue };
            let Some(place) = moment.place.as_ref().and_then(|place| self.number(place)) else { continue };
            let (sender, event) = (&self.story.actors[moment.actor].name, &self.story.messages[message].event);
            let note = Note { place, message: format!("`{sender}` sends `{event}` again and again") };
            if !notes.contains(&note) && notes.len() < MOST_SENDS {
                notes.push(note);
            }
        }
        notes
    }

    fn number(&self, place: &Located) -> Option<u32> {
        let is_it = |known: &Place| located(self.program, self.texts, *known).as_ref() == Some(place);
        self.places.iter().position(is_it).and_then(|number| u32::try_from(number).ok())
    }
}

#[cfg(test)]
mod tests;
