//! What machines know when a run has come to its end: the values of an assertion that does not hold, and who waits for what.

use lockstep_base::Text;
use lockstep_runtime::{
    Concrete, Configuration, Control, End, Local, Place, Program, Script, Settings, Shown, Terminator, Trace, run_handler,
    tell_monitor,
};

use crate::Texts;

/// The end of a run.
pub(crate) struct LastMoment {
    pub(crate) configuration: Configuration,
    /// Who failed, as it was then; nobody if nothing failed but nothing can happen any more.
    pub(crate) failed: Option<Local>,
    /// The send before which the machine that moved last has paused, if it has: specs have been told of it by then.
    pub(crate) about_to_send: Option<Place>,
}

/// Runs a trace to its end.
pub(crate) fn last_moment(program: &Program, settings: &Settings, trace: &Trace) -> Option<LastMoment> {
    let mut configuration = Configuration::initial(program, settings).ok()?;
    let (mut failed, mut about_to_send) = (None, None);
    let last = trace.decisions.len().checked_sub(1);
    for (number, decision) in trace.decisions.iter().enumerate() {
        let mut script = Script::new(&decision.answers);
        if Some(number) != last {
            configuration.apply(program, settings, &decision.step, &mut script).1.ok()?;
            continue;
        }
        let Some((local, input)) = configuration.begin(program, &decision.step) else { break };
        let mut domain = Concrete::new(program, &mut script);
        let (limits, pauses) = (&settings.limits, settings.pauses(program));
        let run = run_handler(program, limits, pauses, &decision.step.machine, (*local).clone(), input, &mut domain);
        if matches!(run.end, End::Failed(_)) {
            failed = Some(run.local.clone());
        }
        about_to_send = matches!(run.local.control, Control::Paused(_)).then(|| paused_at(program, &run.local)).flatten();
        let tell = |_, monitor: &std::sync::Arc<Local>, message: &lockstep_runtime::Message| {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(program, &mut script);
            let run = tell_monitor(program, limits, (**monitor).clone(), message.clone(), &mut domain);
            if matches!(run.end, End::Failed(_)) {
                failed = Some(run.local.clone());
            }
            run
        };
        // That it fails is why we look.
        let _ = configuration.finish(program, settings, &decision.step.machine, run, tell);
    }
    Some(LastMoment { configuration, failed, about_to_send })
}

/// The instruction at which a machine paused: it has been counted already.
fn paused_at(program: &Program, local: &Local) -> Option<Place> {
    let frame = local.frames.last()?;
    let block = program.function(frame.function).blocks.get(frame.block.0 as usize)?;
    Some(block.instrs.get((frame.instr as usize).checked_sub(1)?)?.place)
}

/// How many values are shown, and how much of each.
const MOST_VALUES: usize = 5;
const MOST_CHARACTERS: usize = 60;

/// The variables that stand in the assertion at `place`, with their values: `x = 3, y = 2`. Empty if there are none.
pub(crate) fn asserted(program: &Program, failed: &Local, place: Place, texts: Texts<'_>) -> String {
    let text = program.files.get(place.file.index()).and_then(|file| texts(file));
    let words = text.map(|text| names_in(&text, place)).unwrap_or_default();
    let fields = &program.machine(failed.machine).fields;
    let frame = failed.frames.last();
    let mut values = Vec::new();
    for word in words {
        let in_frame = frame.and_then(|frame| {
            let slots = program.function(frame.function).slots.iter().zip(&frame.slots);
            slots.filter(|(slot, _)| slot.name == word).map(|(_, value)| value).next()
        });
        let in_machine = || fields.iter().zip(&failed.fields).find(|(field, _)| field.name == word).map(|(_, value)| value);
        let Some(value) = in_frame.or_else(in_machine) else { continue };
        values.push(format!("{word} = {}", shortened(&Shown(program, value).to_string())));
        if values.len() == MOST_VALUES {
            break;
        }
    }
    values.join(", ")
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(MOST_CHARACTERS) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}...", &value[..end]),
    }
}

/// The words of an assertion's condition that can be variables, each once: not those in texts, and not fields of tuples.
fn names_in(text: &Text, place: Place) -> Vec<String> {
    if place.range.end() > text.len() {
        return Vec::new();
    }
    let source = text.slice(place.range);
    let mut names: Vec<String> = Vec::new();
    let mut characters = source.chars().peekable();
    let (mut before, mut is_text) = (' ', false);
    while let Some(character) = characters.next() {
        if character == '"' && before != '\\' {
            is_text = !is_text;
        }
        let begins = character.is_alphabetic() || character == '_';
        if is_text || !begins {
            before = character;
            continue;
        }
        let mut word = String::from(character);
        while let Some(next) = characters.next_if(|next| next.is_alphanumeric() || *next == '_') {
            word.push(next);
        }
        if before != '.' && !names.contains(&word) {
            names.push(word);
        }
        before = 'a';
    }
    names
}

/// A machine that waits in a `receive`.
pub(crate) struct Blocked {
    pub(crate) who: String,
    pub(crate) place: Place,
    pub(crate) events: Vec<String>,
}

/// Everyone who waits in a `receive`.
pub(crate) fn blocked(program: &Program, configuration: &Configuration) -> Vec<Blocked> {
    let mut blocked = Vec::new();
    for (id, machine) in &configuration.machines {
        let local = &machine.local;
        let (Some(frame), Some(interface)) = (local.frames.last(), local.interface) else { continue };
        let Some(block) = program.function(frame.function).blocks.get(frame.block.0 as usize) else { continue };
        if let (Control::Receiving, Terminator::Receive(cases)) = (&local.control, &block.end) {
            let who = format!("{}({id})", program.interface(interface).name);
            let events = cases.iter().map(|case| program.event(case.event).name.to_string()).collect();
            blocked.push(Blocked { who, place: block.place, events });
        }
    }
    blocked
}
