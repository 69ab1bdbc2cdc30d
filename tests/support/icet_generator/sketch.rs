//! A program under construction: who there is, what they say to each other, and the code they have so far.
//!
//! Invariant: whatever a statement mentions is declared. Variables and messages come into being when they are first asked for, and
//! a loop names its member after the set, so that no name is declared twice or hides another.

use std::fmt::Write;

use crate::Random;

/// What a variable holds or a message carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Bool,
    /// The enum `Answer { Yes, No }`.
    Answer,
    /// The enum `Job { Work(int), Stop }`. No value of it is ever made up.
    Job,
    Pid,
    /// A member of the set with this number.
    Member(usize),
    /// A number for each number, which only a variable holds.
    Table,
}

/// Code as lines and blocks. A statement with several blocks (`if`, `choose`) has several parts, each with what stands before its
/// brace.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Line(String),
    Send(String),
    Receive {
        text: String,
        /// The variables that it writes.
        stores: Vec<String>,
    },
    Blocks(Vec<(String, Block)>),
}

pub(super) type Block = Vec<Stmt>;

/// What each process does in one stretch of a program, by process.
pub(super) type Phase = Vec<Block>;

pub(super) struct Process {
    pub name: &'static str,
    pub set: Option<usize>,
    pub body: Block,
    vars: Vec<Var>,
}

struct Var {
    name: String,
    ty: Type,
    initial: Option<&'static str>,
    /// Whether anybody who needs a variable may have it. The others belong to one purpose: a decision, a count.
    is_shared: bool,
}

struct Message {
    name: String,
    carries: Option<Type>,
    /// Whether it may be used for something else, too.
    is_shared: bool,
}

pub(super) struct Sketch<'r> {
    pub random: &'r mut Random,
    /// The names of the sets.
    pub sets: Vec<&'static str>,
    pub processes: Vec<Process>,
    messages: Vec<Message>,
    /// Declarations at the end of the text, without their semicolon.
    claims: Vec<String>,
    /// How often of a hundred times a message is used again for something else.
    reuse: usize,
}

/// A message, by number.
pub(super) type MessageId = usize;

impl<'r> Sketch<'r> {
    pub(super) fn new(random: &'r mut Random, reuse: usize) -> Self {
        Self { random, sets: Vec::new(), processes: Vec::new(), messages: Vec::new(), claims: Vec::new(), reuse }
    }

    pub(super) fn percent(&mut self, chance: usize) -> bool {
        self.random.below(100) < chance
    }

    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.random.below(choices.len())]
    }

    pub(super) fn add_process(&mut self, name: &'static str) -> usize {
        self.processes.push(Process { name, set: None, body: Vec::new(), vars: Vec::new() });
        self.processes.len() - 1
    }

    /// A set and the process of its members.
    pub(super) fn add_set(&mut self, name: &'static str, member: &'static str) -> usize {
        self.sets.push(name);
        self.processes.push(Process { name: member, set: Some(self.sets.len() - 1), body: Vec::new(), vars: Vec::new() });
        self.processes.len() - 1
    }

    pub(super) fn name(&self, process: usize) -> &'static str {
        self.processes[process].name
    }

    /// The name of the set whose members run a process's code.
    pub(super) fn set_of(&self, process: usize) -> &'static str {
        self.processes[process].set.map_or("any", |set| self.sets[set])
    }

    /// What a variable must be that holds any of the processes that run this code.
    pub(super) fn member_type(&self, process: usize) -> Type {
        self.processes[process].set.map_or(Type::Pid, Type::Member)
    }

    pub(super) fn is_set(&self, process: usize) -> bool {
        self.processes[process].set.is_some()
    }

    /// Nothing for anybody to do.
    pub(super) fn silence(&self) -> Phase {
        vec![Vec::new(); self.processes.len()]
    }

    // ---- Messages ----

    /// A message that carries this: one that is in use already, or a new one.
    pub(super) fn message(&mut self, carries: Option<Type>) -> MessageId {
        let fitting: Vec<usize> =
            (0..self.messages.len()).filter(|&at| self.messages[at].is_shared && self.messages[at].carries == carries).collect();
        if !fitting.is_empty() && self.percent(self.reuse) {
            return self.one_of(&fitting);
        }
        self.new_message(carries)
    }

    pub(super) fn new_message(&mut self, carries: Option<Type>) -> MessageId {
        self.add_message(carries, true)
    }

    /// A message that nothing else is sent as.
    pub(super) fn own_message(&mut self, carries: Option<Type>) -> MessageId {
        self.add_message(carries, false)
    }

    fn add_message(&mut self, carries: Option<Type>, is_shared: bool) -> MessageId {
        let stem = match carries {
            None => "Signal",
            Some(Type::Int) => "Number",
            Some(Type::Bool) => "Flag",
            Some(Type::Answer) => "Reply",
            Some(Type::Job) => "Assign",
            Some(Type::Pid) => "Address",
            Some(Type::Member(_)) => "Mark",
            Some(Type::Table) => "Table",
        };
        let taken = self.messages.iter().filter(|message| message.name.starts_with(stem)).count();
        let name = if taken == 0 { stem.to_owned() } else { format!("{stem}{}", taken + 1) };
        self.messages.push(Message { name, carries, is_shared });
        self.messages.len() - 1
    }

    /// A message that carries any of the plain values, or nothing.
    pub(super) fn plain_message(&mut self) -> MessageId {
        let carries = self.plain_payload();
        self.message(carries)
    }

    pub(super) fn plain_payload(&mut self) -> Option<Type> {
        self.one_of(&[None, Some(Type::Int), Some(Type::Int), Some(Type::Bool), Some(Type::Answer)])
    }

    pub(super) fn carries(&self, message: MessageId) -> Option<Type> {
        self.messages[message].carries
    }

    /// A send of some value.
    pub(super) fn send(&mut self, from: usize, message: MessageId, to: &str) -> Stmt {
        match self.carries(message) {
            None => self.send_value(message, None, to),
            Some(ty) => {
                let value = self.value(from, ty);
                self.send_value(message, Some(&value), to)
            }
        }
    }

    pub(super) fn send_value(&mut self, message: MessageId, value: Option<&str>, to: &str) -> Stmt {
        let name = &self.messages[message].name;
        let value = value.map_or(String::new(), |value| format!("({value})"));
        Stmt::Send(format!("send {name}{value} to {to};"))
    }

    /// A receive into some variable, or into none.
    pub(super) fn receive(&mut self, at: usize, message: MessageId, from: &str) -> Stmt {
        let stores = match self.carries(message) {
            Some(_) if self.percent(10) => vec!["_".to_owned()],
            Some(ty) => vec![self.var(at, ty)],
            None => Vec::new(),
        };
        self.receive_into(message, stores, from)
    }

    pub(super) fn receive_into(&mut self, message: MessageId, stores: Vec<String>, from: &str) -> Stmt {
        Stmt::Receive { text: format!("recv {};", self.reception(message, &stores, from)), stores }
    }

    /// What stands behind `recv` or `case`.
    pub(super) fn reception(&self, message: MessageId, stores: &[String], from: &str) -> String {
        let name = &self.messages[message].name;
        if stores.is_empty() { format!("{name} from {from}") } else { format!("{name}({}) from {from}", stores.join(", ")) }
    }

    // ---- Variables and values ----

    /// A variable that may be overwritten: one that is there, or a new one.
    pub(super) fn var(&mut self, process: usize, ty: Type) -> String {
        let shared: Vec<usize> = self.shared(process, ty);
        if !shared.is_empty() && self.percent(70) {
            let at = self.one_of(&shared);
            return self.processes[process].vars[at].name.clone();
        }
        let stem = match ty {
            Type::Int => "number",
            Type::Bool => "flag",
            Type::Answer => "answer",
            Type::Job => "job",
            Type::Pid | Type::Member(_) => "who",
            Type::Table => "table",
        };
        self.add_var(process, stem, ty, None, true)
    }

    /// A variable that only who asked for it writes.
    pub(super) fn own_var(&mut self, process: usize, stem: &str, ty: Type, initial: Option<&'static str>) -> String {
        self.add_var(process, stem, ty, initial, false)
    }

    fn add_var(&mut self, process: usize, stem: &str, ty: Type, initial: Option<&'static str>, is_shared: bool) -> String {
        let vars = &mut self.processes[process].vars;
        let taken = vars.iter().filter(|var| var.name.trim_end_matches(|last: char| last.is_ascii_digit()) == stem).count();
        let name = if taken == 0 { stem.to_owned() } else { format!("{stem}{}", taken + 1) };
        vars.push(Var { name: name.clone(), ty, initial, is_shared });
        name
    }

    fn shared(&self, process: usize, ty: Type) -> Vec<usize> {
        let vars = &self.processes[process].vars;
        (0..vars.len()).filter(|&at| vars[at].ty == ty && vars[at].is_shared).collect()
    }

    /// An expression without side effects. Addresses are those of the process itself: a variable may still hold nobody.
    pub(super) fn value(&mut self, process: usize, ty: Type) -> String {
        let shared = self.shared(process, ty);
        let var = (!shared.is_empty()).then(|| {
            let at = self.one_of(&shared);
            self.processes[process].vars[at].name.clone()
        });
        let pick = self.random.below(4);
        match (ty, var) {
            (Type::Pid | Type::Member(_) | Type::Table, _) => self.name(process).to_owned(),
            (Type::Int, Some(var)) if pick == 0 => format!("({var} + 1) % 3"),
            (Type::Bool, Some(var)) if pick == 0 => format!("!{var}"),
            (_, Some(var)) if pick < 2 => var,
            (Type::Int, _) => self.one_of(&["0", "1", "2"]).to_owned(),
            (Type::Bool, _) => self.one_of(&["true", "false"]).to_owned(),
            (Type::Answer, _) => self.one_of(&["Yes", "No"]).to_owned(),
            (Type::Job, _) => "Stop".to_owned(),
        }
    }

    /// A condition on the process's own variables.
    pub(super) fn condition(&mut self, process: usize) -> String {
        match self.random.below(3) {
            0 => format!("{} == {}", self.var(process, Type::Int), self.random.below(3)),
            1 => self.var(process, Type::Bool),
            _ => format!("{} == Yes", self.var(process, Type::Answer)),
        }
    }

    // ---- Declarations ----

    pub(super) fn claim(&mut self, claim: String) {
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }

    /// The count of a `repeat`: a number, or the open constant `Times`.
    pub(super) fn count(&mut self) -> &'static str {
        if self.percent(50) {
            return self.one_of(&["1", "2"]);
        }
        self.claim("assume Times >= 0 && Times <= 2".to_owned());
        "Times"
    }

    // ---- Text ----

    /// The whole program. What nobody came to use is left out.
    pub(super) fn text(&self) -> String {
        let mut code = String::new();
        for process in self.processes.iter().filter(|process| self.takes_part(process)) {
            self.process_text(process, &mut code);
        }
        for claim in &self.claims {
            let _ = writeln!(code, "{claim};");
        }
        let spoken: Vec<&str> = words(&code).collect();
        let mut messages = String::new();
        for message in self.messages.iter().filter(|message| spoken.contains(&message.name.as_str())) {
            let payload = message.carries.map_or(String::new(), |ty| format!("({})", self.type_name(ty)));
            let _ = writeln!(messages, "message {}{payload};", message.name);
        }
        let is_used = |name: &str| spoken.contains(&name) || words(&messages).any(|word| word == name);
        let mut text = String::new();
        for set in self.sets.iter().filter(|set| is_used(set)) {
            let _ = writeln!(text, "set {set};");
        }
        let count = "const Times: int;\n";
        let answer = "enum Answer { Yes, No }\n";
        let job = "enum Job { Work(piece: int), Stop }\n";
        let has_answers = is_used("Yes") || is_used("No") || is_used("Answer");
        for (declaration, is_there) in [(count, is_used("Times")), (answer, has_answers), (job, is_used("Job"))] {
            text.push_str(if is_there { declaration } else { "" });
        }
        text + &messages + "\n" + &code
    }

    /// Whether a process does something or is spoken of.
    fn takes_part(&self, process: &Process) -> bool {
        let mut others = String::new();
        self.processes.iter().for_each(|other| block_text(&other.body, 0, &mut others));
        let set = process.set.map_or(process.name, |set| self.sets[set]);
        !process.body.is_empty() || words(&others).any(|word| word == set)
    }

    fn process_text(&self, process: &Process, text: &mut String) {
        let set = process.set.map_or(String::new(), |set| format!(" in {}", self.sets[set]));
        let _ = writeln!(text, "process {}{set} {{", process.name);
        for var in &process.vars {
            let initial = var.initial.map_or(String::new(), |value| format!(" = {value}"));
            let _ = writeln!(text, "  var {}: {}{initial};", var.name, self.type_name(var.ty));
        }
        if !process.vars.is_empty() && !process.body.is_empty() {
            text.push('\n');
        }
        block_text(&process.body, 1, text);
        text.push_str("}\n\n");
    }

    fn type_name(&self, ty: Type) -> &'static str {
        match ty {
            Type::Int => "int",
            Type::Bool => "bool",
            Type::Answer => "Answer",
            Type::Job => "Job",
            Type::Pid => "pid",
            Type::Table => "map[int, int]",
            Type::Member(set) => self.sets[set],
        }
    }
}

/// As deep as templates nest, which is a few levels.
fn block_text(block: &Block, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for stmt in block {
        match stmt {
            Stmt::Line(line) | Stmt::Send(line) | Stmt::Receive { text: line, .. } => {
                let _ = writeln!(text, "{indent}{line}");
            }
            Stmt::Blocks(parts) => {
                for (at, (head, body)) in parts.iter().enumerate() {
                    let opening = if at == 0 { indent.clone() } else { format!("{indent}}} ") };
                    let _ = writeln!(text, "{opening}{head} {{");
                    block_text(body, depth + 1, text);
                }
                let _ = writeln!(text, "{indent}}}");
            }
        }
    }
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

pub(super) fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

pub(super) fn block(head: impl Into<String>, body: Block) -> Stmt {
    Stmt::Blocks(vec![(head.into(), body)])
}

/// Lets each process do what it does in `next` after what it does in `phase`.
pub(super) fn append(phase: &mut Phase, next: Phase) {
    for (before, after) in phase.iter_mut().zip(next) {
        before.extend(after);
    }
}

/// Every process that has something to do does it inside of a block with this head.
pub(super) fn wrap(phase: Phase, head: &str) -> Phase {
    let wrapped = |body: Block| if body.is_empty() { body } else { vec![block(head, body)] };
    phase.into_iter().map(wrapped).collect()
}

/// Moves one send before the receive in front of it, unless it sends what was received. That never blocks anybody: a message that
/// is sent earlier can only be there earlier.
pub(super) fn hasten(random: &mut Random, block: &mut Block, from: usize) {
    let movable = |at: &usize| match (&block[*at], &block[*at + 1]) {
        (Stmt::Receive { stores, .. }, Stmt::Send(text)) => !words(text).any(|word| stores.iter().any(|var| var == word)),
        _ => false,
    };
    let places: Vec<usize> = (from..block.len().saturating_sub(1)).filter(movable).collect();
    if !places.is_empty() {
        let at = places[random.below(places.len())];
        block.swap(at, at + 1);
    }
}
