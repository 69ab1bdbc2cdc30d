//! Programs as people write them: a few processes, and conversations one after another and inside of each other.

use super::Template;
use super::conversations as talk;
use super::dialog::local_work;
use super::late::{broadcasts, late};
use super::pairwise::{base, broadcast, multicast};
use super::relays::Relay;
use super::rounds::{Length, rounds};
use super::servers::{Server, call_picked};
use super::sketch::{Block, Phase, Sketch, Type, append, block, hasten, line, wrap};
use super::traps::set_trap;
use crate::Random;

/// The program, and the templates it was made of.
pub(super) fn structured(random: &mut Random, size: usize) -> (String, Vec<Template>) {
    let reuse = [0, 0, 25, 60][random.below(4)];
    write(Writer::new(Sketch::new(random, reuse)), size)
}

/// The same, where every other conversation is one of the extensions.
pub(super) fn extended(random: &mut Random, size: usize) -> (String, Vec<Template>) {
    let reuse = [0, 0, 25, 60][random.below(4)];
    let mut writer = Writer::new(Sketch::new(random, reuse));
    writer.is_extended = true;
    if writer.sketch.percent(15) {
        // Before anything is written, because everybody has a place in a phase.
        writer.relay = Some(Relay::new(&mut writer.sketch));
        writer.used.push(Template::Relay);
    }
    write(writer, size)
}

fn write(mut writer: Writer, size: usize) -> (String, Vec<Template>) {
    let mut program = writer.sketch.silence();
    writer.finale = writer.sketch.silence();
    let count = 1 + writer.sketch.random.below(size.max(1));
    for _ in 0..count {
        let depth = writer.sketch.one_of(&[1, 1, 2]);
        let next = writer.outermost_phase(depth);
        if writer.sketch.percent(5) {
            writer.used.push(Template::Disorder);
            append_in_disorder(writer.sketch.random, &mut program, next);
        } else {
            append(&mut program, next);
        }
    }
    writer.finish(program)
}

/// One process does the next thing first.
fn append_in_disorder(random: &mut Random, phase: &mut Phase, next: Phase) {
    let hasty = random.below(phase.len());
    for (process, (before, mut after)) in phase.iter_mut().zip(next).enumerate() {
        if process == hasty {
            std::mem::swap(before, &mut after);
        }
        before.extend(after);
    }
}

struct Writer<'r> {
    sketch: Sketch<'r>,
    singles: Vec<usize>,
    crowds: Vec<usize>,
    store: Option<Server>,
    vault: Option<Server>,
    pool: Option<Server>,
    relay: Option<Relay>,
    /// What goes on for ever, after everything else.
    finale: Phase,
    is_extended: bool,
    used: Vec<Template>,
}

impl<'r> Writer<'r> {
    fn new(mut sketch: Sketch<'r>) -> Self {
        let servers = [0, 0, 1, 1, 2][sketch.random.below(5)];
        let names = &["hub", "desk", "clerk"][..1 + sketch.random.below(3 - servers)];
        let singles: Vec<usize> = names.iter().map(|&name| sketch.add_process(name)).collect();
        let has_pool = sketch.percent(25);
        let most = if has_pool { 1 } else { 2 };
        // Somebody has to be there to talk with.
        let fewest = usize::from(singles.len() == 1 && servers == 0 && !has_pool);
        let count = [0, 1, 1, 2, 2][sketch.random.below(5)].clamp(fewest, most);
        let names = &[("Nodes", "n"), ("Peers", "p")][..count];
        let crowds: Vec<usize> = names.iter().map(|&(set, member)| sketch.add_set(set, member)).collect();
        let store = (servers > 0).then(|| Server::new(sketch.add_process("store")));
        let vault = (servers > 1).then(|| Server::new(sketch.add_process("vault")));
        let pool = has_pool.then(|| Server::new(sketch.add_set("Workers", "w")));
        Self {
            sketch,
            singles,
            crowds,
            store,
            vault,
            pool,
            relay: None,
            finale: Vec::new(),
            is_extended: false,
            used: Vec::new(),
        }
    }

    fn finish(mut self, mut program: Phase) -> (String, Vec<Template>) {
        if self.sketch.percent(30) {
            self.used.push(Template::Trap);
            let (process, other) = (self.anybody(), self.sketch.one_of(&self.singles));
            // Nobody writes to itself.
            if process != other {
                let other = self.sketch.name(other);
                set_trap(&mut self.sketch, &mut program[process], process, other);
            }
        }
        for (process, mut body) in program.into_iter().enumerate() {
            if self.sketch.percent(15) {
                self.used.push(Template::Hasten);
                hasten(self.sketch.random, &mut body, 0);
            }
            self.sketch.processes[process].body = body;
        }
        for (process, body) in std::mem::take(&mut self.finale).into_iter().enumerate() {
            self.sketch.processes[process].body.extend(body);
        }
        if let Some(relay) = &self.relay {
            relay.write(&mut self.sketch);
        }
        for server in [self.store, self.vault, self.pool].into_iter().flatten() {
            let process = server.process;
            let code = server.code(&mut self.sketch);
            self.sketch.processes[process].body.extend(code);
        }
        (self.sketch.text(), self.used)
    }

    /// A conversation that is in no other, so that it may be one with rounds.
    fn outermost_phase(&mut self, depth: usize) -> Phase {
        if !self.is_extended || self.sketch.percent(50) {
            return self.phase(depth);
        }
        let template = self.sketch.one_of(&Template::EXTENSIONS);
        if !self.can(template) {
            return self.phase(depth);
        }
        self.used.push(template);
        match template {
            Template::Rounds | Template::EndlessRounds => self.some_rounds(template),
            Template::EndlessTurns => self.endless_turns(),
            _ => self.conversation(template, depth),
        }
    }

    fn some_rounds(&mut self, template: Template) -> Phase {
        let mut participants = self.shuffled_singles();
        participants.truncate(1 + self.sketch.random.below(2));
        participants.extend(self.shuffled_crowds());
        if template == Template::Rounds {
            return rounds(&mut self.sketch, &participants, Length::Counted);
        }
        let phase = rounds(&mut self.sketch, &participants, Length::Endless);
        self.come_last(phase)
    }

    /// The members of a set ask one or two servers again and again.
    fn endless_turns(&mut self) -> Phase {
        let mut phase = self.sketch.silence();
        let client = self.sketch.one_of(&self.crowds);
        let mut turn = Vec::new();
        for _ in 0..1 + self.sketch.random.below(2) {
            let is_vault = self.sketch.percent(30);
            let (server, second) = match (&mut self.store, &mut self.vault) {
                (_, Some(vault)) if is_vault => (vault, None),
                (Some(store), vault) => (store, vault.as_mut()),
                _ => return phase,
            };
            let name = self.sketch.name(server.process);
            let asked = server.call(&mut self.sketch, client, name, second);
            turn.extend(match self.sketch.random.below(5) {
                0 => vec![block("if (*)", asked)],
                _ => asked,
            });
        }
        phase[client] = vec![block("while (true)", turn)];
        self.come_last(phase)
    }

    /// What never ends has nothing after it, but for the few who did not think of that.
    fn come_last(&mut self, phase: Phase) -> Phase {
        if self.sketch.percent(8) {
            return phase;
        }
        append(&mut self.finale, phase);
        self.sketch.silence()
    }

    /// One conversation; with `depth` left, it may contain others.
    fn phase(&mut self, depth: usize) -> Phase {
        let template = loop {
            let template = self.sketch.one_of(&Template::CONVERSATIONS);
            if self.can(template) && (depth > 0 || !template.contains_others()) {
                break template;
            }
        };
        self.used.push(template);
        let mut phase = self.conversation(template, depth);
        if self.sketch.percent(25) {
            self.aside(&mut phase);
        }
        phase
    }

    fn can(&self, template: Template) -> bool {
        let (singles, crowds) = template.needs();
        let has_servers = match template {
            Template::Call | Template::EndlessTurns => self.store.is_some(),
            Template::Relay => false,
            Template::CallPicked => self.pool.is_some(),
            _ => true,
        };
        self.singles.len() >= singles && self.crowds.len() >= crowds && has_servers
    }

    fn conversation(&mut self, template: Template, depth: usize) -> Phase {
        let (singles, crowds) = (self.shuffled_singles(), self.shuffled_crowds());
        let moves = 1 + self.sketch.random.below(3);
        let sketch = &mut self.sketch;
        match template {
            Template::Dialog => base(sketch, singles[0], singles[1], moves),
            Template::Ping => broadcast(sketch, singles[0], crowds[0], moves),
            Template::TellAll => talk::tell_all(sketch, singles[0], crowds[0]),
            Template::Gather => talk::gather(sketch, crowds[0], singles[0]),
            Template::Sessions => talk::sessions(sketch, crowds[0], singles[0], moves - 1),
            Template::Multicast => multicast(sketch, crowds[0], crowds[1], moves.min(2)),
            Template::Crossing => talk::crossing(sketch, crowds[0], crowds[1]),
            Template::Committed => talk::committed(sketch, crowds[0], crowds[1]),
            Template::AllToAll => talk::all_to_all(sketch, crowds[0]),
            Template::ForwardThroughOne => talk::forward(sketch, singles[0], singles[1], singles[2]),
            Template::ForwardThroughAll => talk::forward(sketch, singles[0], crowds[0], singles[1]),
            Template::Introduce => talk::introduce(sketch, singles[0], crowds[0], singles[1]),
            Template::Probe => talk::probe(sketch, singles[0], crowds[0]),
            Template::Stealing => talk::stealing(sketch, singles[0], crowds[0]),
            Template::RepeatTogether => talk::repeat_together(sketch, singles[0], singles[1]),
            Template::Note => self.note(crowds[0], &singles),
            Template::Decision => {
                let (agreed, denied) = (self.simple(singles[0], crowds[0]), self.simple(singles[0], crowds[0]));
                talk::decide_for_all(&mut self.sketch, singles[0], crowds[0], agreed, denied)
            }
            Template::Repeated => {
                let count = self.sketch.count();
                wrap(self.phase(depth - 1), &format!("repeat {count}"))
            }
            Template::OncePerMember => {
                let head = format!("for _ in {}", self.sketch.set_of(crowds[0]));
                wrap(self.phase(depth - 1), &head)
            }
            Template::Late => {
                let (single, crowd) = (singles[0], crowds[0]);
                let (from, to) = match singles.get(1) {
                    Some(other) if sketch.percent(50) => (single, *other),
                    _ => sketch.one_of(&[(single, crowd), (crowd, single)]),
                };
                late(sketch, from, to)
            }
            Template::Broadcasts => broadcasts(sketch, crowds[0], crowds[1]),
            Template::Call => self.calls(),
            Template::CallPicked => self.calls_of_picked(),
            _ => self.sketch.silence(),
        }
    }

    /// Something short between a process and a set.
    fn simple(&mut self, single: usize, crowd: usize) -> Phase {
        match self.sketch.random.below(4) {
            0 => self.sketch.silence(),
            1 => talk::tell_all(&mut self.sketch, single, crowd),
            2 => talk::gather(&mut self.sketch, crowd, single),
            _ => broadcast(&mut self.sketch, single, crowd, 1),
        }
    }

    /// The members of a set talk with one process and leave a note with another one at some point.
    fn note(&mut self, crowd: usize, singles: &[usize]) -> Phase {
        let mut phase = broadcast(&mut self.sketch, singles[0], crowd, 2);
        let mut notes = talk::gather(&mut self.sketch, crowd, singles[1]);
        let note = std::mem::take(&mut notes[crowd]);
        insert(self.sketch.random, &mut phase[crowd], note);
        append(&mut phase, notes);
        phase
    }

    /// Some process, or all members of a set, ask the server for something.
    fn calls(&mut self) -> Phase {
        let mut phase = self.sketch.silence();
        let client = self.anybody();
        if let Some(store) = &mut self.store {
            let name = self.sketch.name(store.process);
            phase[client] = store.call(&mut self.sketch, client, name, self.vault.as_mut());
        }
        phase
    }

    /// Some process asks a member of the set of servers, or all of them.
    fn calls_of_picked(&mut self) -> Phase {
        let mut phase = self.sketch.silence();
        let client = self.anybody();
        let Some(pool) = &mut self.pool else { return phase };
        let sketch = &mut self.sketch;
        phase[client] = match sketch.random.below(4) {
            0 => {
                let name = sketch.name(pool.process);
                let asked = pool.call(sketch, client, name, None);
                vec![talk::for_each(sketch, pool.process, asked)]
            }
            1 => {
                let count = sketch.count();
                let asked = call_picked(sketch, client, pool);
                vec![block(format!("repeat {count}"), asked)]
            }
            _ => call_picked(sketch, client, pool),
        };
        phase
    }

    /// Lets one process do something else in between: a call, work of its own, a claim.
    fn aside(&mut self, phase: &mut Phase) {
        self.used.push(Template::Aside);
        let process = self.anybody();
        let extra: Block = match (&mut self.store, self.sketch.random.below(6)) {
            (Some(store), 0..=2) => {
                let name = self.sketch.name(store.process);
                store.call(&mut self.sketch, process, name, self.vault.as_mut())
            }
            (_, 0) => {
                let tries = self.sketch.own_var(process, "tries", Type::Int, None);
                vec![block(format!("while ({tries} < 2)"), vec![line(format!("{tries} = {tries} + 1;"))])]
            }
            (_, 1) => {
                let number = self.sketch.var(process, Type::Int);
                vec![line(format!("assert {number} >= 0 && {number} < 3;"))]
            }
            (_, 2) if self.sketch.percent(20) => vec![line(format!("assert {};", self.sketch.condition(process)))],
            _ => local_work(&mut self.sketch, process),
        };
        insert(self.sketch.random, &mut phase[process], extra);
    }

    fn anybody(&mut self) -> usize {
        let all: Vec<usize> = self.singles.iter().chain(&self.crowds).copied().collect();
        self.sketch.one_of(&all)
    }

    fn shuffled_singles(&mut self) -> Vec<usize> {
        shuffled(self.sketch.random, &self.singles)
    }

    fn shuffled_crowds(&mut self) -> Vec<usize> {
        shuffled(self.sketch.random, &self.crowds)
    }
}

fn shuffled(random: &mut Random, all: &[usize]) -> Vec<usize> {
    let mut all = all.to_vec();
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    all
}

/// Puts something between two statements.
fn insert(random: &mut Random, block: &mut Block, extra: Block) {
    let at = random.below(block.len() + 1);
    block.splice(at..at, extra);
}
