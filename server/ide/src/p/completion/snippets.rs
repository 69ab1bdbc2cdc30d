//! Declarations and statements with places to fill in, and handlers that a state does not have yet.

use lockstep_program::Target;
use lockstep_syntax::p::ast::{EventKind, EventRef, MachineKind, State, StateItemKind};
use rustc_hash::FxHashSet;

use super::super::describe;
use super::offers::{LIKELY, NEAR, Offers, WORD};

const TOP_LEVEL: [(&str, &str, &str); 8] = [
    ("machine", "a machine", "machine ${1:Name} {\n\tstart state ${2:Init} {\n\t\tentry {\n\t\t\t$0\n\t\t}\n\t}\n}"),
    (
        "spec",
        "a specification",
        "spec ${1:Name} observes ${2:events} {\n\tstart state ${3:Watching} {\n\t\ton $2 do {\n\t\t\t$0\n\t\t}\n\t}\n}",
    ),
    ("event", "an event", "event ${1:eName};"),
    ("test", "a test", "test ${1:tcName} [main=${2:TestDriver}]:\n\tassert ${3:Spec} in { $0 };"),
    ("fun", "a function", "fun ${1:Name}($2) {\n\t$0\n}"),
    ("type", "a name for a type", "type ${1:tName} = $0;"),
    ("enum", "an enumeration", "enum ${1:tName} { $0 }"),
    ("module", "a module", "module ${1:Name} = { $0 };"),
];

const MACHINE_BODY: [(&str, &str, &str); 4] = [
    ("state", "a state", "state ${1:Name} {\n\t$0\n}"),
    ("start state", "the first state", "start state ${1:Init} {\n\tentry {\n\t\t$0\n\t}\n}"),
    ("var", "a variable", "var ${1:name}: ${2:int};"),
    ("fun", "a function", "fun ${1:Name}($2) {\n\t$0\n}"),
];

const STATEMENTS: [(&str, &str, &str); 5] = [
    ("if", "if ... else", "if ($1) {\n\t$0\n}"),
    ("while", "a loop", "while ($1) {\n\t$0\n}"),
    ("foreach", "a loop over a collection", "foreach ($1 in $2) {\n\t$0\n}"),
    ("send", "send an event", "send ${1:target}, ${2:event};"),
    ("receive", "wait for an event", "receive {\n\tcase ${1:event}: ($2) {\n\t\t$0\n\t}\n}"),
];

impl Offers<'_> {
    pub(super) fn top_level(&mut self) {
        self.snippets(&TOP_LEVEL, LIKELY);
        self.words(&["interface", "eventset", "param", "implementation", "scenario"]);
        if self.is_verifying() {
            self.words(&["pure", "invariant", "axiom", "init-condition", "Lemma", "Theorem", "Proof"]);
        }
    }

    pub(super) fn machine_body(&mut self) {
        self.snippets(&MACHINE_BODY, LIKELY);
        self.words(&["hot", "cold", "start"]);
    }

    pub(super) fn statements(&mut self, can_declare: bool) {
        self.snippets(&STATEMENTS, WORD);
        self.words(&["goto", "raise", "announce", "assert", "print", "return", "break", "continue", "new"]);
        if can_declare {
            self.words(&["var"]);
        }
        if self.is_verifying() {
            self.words(&["assume"]);
        }
    }

    pub(super) fn receive_body(&mut self) {
        self.snippet("case", "what to do with an event", "case ${1:event}: ($2) {\n\t$0\n}", LIKELY);
    }

    pub(super) fn state_body(&mut self) {
        let machine = self.scope.machine();
        let is_monitor = machine.is_some_and(|(_, _, machine)| machine.kind != MachineKind::Machine);
        self.snippet("entry", "code for entering the state", "entry {\n\t$0\n}", LIKELY);
        self.snippet("exit", "code for leaving the state", "exit {\n\t$0\n}", NEAR);
        self.snippet("on do", "a handler", "on ${1:event} do {\n\t$0\n}", LIKELY);
        self.snippet("on goto", "a transition", "on ${1:event} goto ${2:State};", LIKELY);
        self.words(if is_monitor { &["ignore", "on"] } else { &["defer", "ignore", "on"] });
        self.missing_handlers();
    }

    /// Handlers for events that the machine handles elsewhere, or that a spec observes, and this state does not handle.
    fn missing_handlers(&mut self) {
        let (Some((item, _, machine)), Some(state)) = (self.scope.machine(), self.scope.state()) else { return };
        let name = |event: &EventRef| item.nodes[event.name].as_str();
        let here: FxHashSet<&str> = events_of(state).map(name).collect();
        let everywhere = machine.states.iter().flat_map(events_of).chain(declared(&machine.observes));
        let mut missing: Vec<&str> = everywhere.map(name).filter(|event| !event.is_empty() && !here.contains(event)).collect();
        missing.sort_unstable();
        missing.dedup();
        for event in missing {
            let payload = self.scope.event(event).and_then(|def| describe::type_text(self.scope.db, &Target::Global(def)));
            let param = payload.map_or_else(String::new, |ty| format!(" (${{1:payload}}: {})", one_line(&ty)));
            let insert = format!("on {event} do{param} {{\n\t$0\n}}");
            self.snippet(&format!("on {event}"), "not handled in this state", &insert, LIKELY);
        }
    }
}

fn one_line(ty: &str) -> String {
    ty.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn events_of(state: &State) -> impl Iterator<Item = &EventRef> {
    let lists = state.items.iter().filter_map(|item| match &item.kind {
        StateItemKind::Defer(events)
        | StateItemKind::Ignore(events)
        | StateItemKind::OnDo { events, .. }
        | StateItemKind::OnGoto { events, .. } => Some(events.as_slice()),
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => None,
    });
    lists.flat_map(declared)
}

fn declared(events: &[EventRef]) -> impl Iterator<Item = &EventRef> {
    events.iter().filter(|event| event.kind == EventKind::Declared)
}
