//! The states of a machine or spec.
//!
//! An arrow is drawn for `on e goto S` and for every `goto S` and `raise halt` that a handler can come to, through all it calls. A handler
//! that does not surely leave its state is also listed in the state. What is raised is listed beside the handler that raises it.

use lockstep_program::{Db, Decl};
use lockstep_syntax::p::ast::{
    Decl as AstDecl, Handler, HandlerKind, Item, Machine, MachineKind, State, StateItem, StateItemKind, Temperature,
};
use smol_str::SmolStr;

use crate::acts::{Act, ActKind, HALT, event_names, handler_acts, surely_leaves};
use crate::collect::Collect;
use crate::graph::{ArrowKind, Box, BoxKind, Diagram, DiagramKind, Heat, Label, Row, RowKind};
use crate::subject::is_item_broken;

/// `None` if the declaration is no machine.
pub(crate) fn states<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<Diagram> {
    let item = &decl.shape(db).0;
    let AstDecl::Machine(machine) = &item.decl else { return None };
    let mut drawing = Drawing { decl, item, halted: None, collect: Collect::new(db) };
    for state in &machine.states {
        let shown = drawing.state(machine, state);
        drawing.collect.boxes.push(shown);
    }
    for (number, state) in machine.states.iter().enumerate() {
        for item in &state.items {
            drawing.item(number, item);
        }
    }
    let kind = if machine.kind == MachineKind::Machine { DiagramKind::Machine } else { DiagramKind::Spec };
    Some(drawing.collect.finish(kind, decl.name(db).to_string(), is_item_broken(db, decl)))
}

struct Drawing<'db> {
    decl: Decl<'db>,
    item: &'db Item,
    /// The box of what has halted, if something halts.
    halted: Option<usize>,
    collect: Collect<'db>,
}

impl<'db> Drawing<'db> {
    fn state(&mut self, machine: &Machine, state: &State) -> Box {
        let has_heat = machine.states.iter().any(|state| state.temperature.is_some());
        let heat = match state.temperature {
            Some(Temperature::Hot) => Some(Heat::Hot),
            Some(Temperature::Cold) => Some(Heat::Cold),
            None => has_heat.then_some(Heat::Warm),
        };
        Box {
            kind: BoxKind::State(heat),
            name: self.item.nodes[state.name].0.to_string(),
            is_start: state.is_start,
            rows: Vec::new(),
            place: self.collect.node(self.decl, state.name),
            extent: self.collect.node(self.decl, state.part),
        }
    }

    fn item(&mut self, state: usize, item: &StateItem) {
        let nodes = &self.item.nodes;
        match &item.kind {
            StateItemKind::Entry(handler) => {
                let leaves = self.leads_away(state, "entry", handler);
                self.row(state, RowKind::Entry, "", item, handler, &leaves);
            }
            StateItemKind::Exit(handler) => {
                let acts = handler_acts(self.collect.db, self.decl, handler.kind);
                self.row(state, RowKind::Exit, "", item, handler, &acts);
            }
            StateItemKind::Defer(events) => self.list(state, RowKind::Defer, event_names(nodes, events), item),
            StateItemKind::Ignore(events) => self.list(state, RowKind::Ignore, event_names(nodes, events), item),
            StateItemKind::OnDo { events, handler } => {
                for event in event_names(nodes, events) {
                    let acts = self.leads_away(state, &event, handler);
                    if !surely_leaves(self.collect.db, self.decl, handler.kind) {
                        self.row(state, RowKind::On, &event, item, handler, &acts);
                    }
                }
            }
            StateItemKind::OnGoto { events, target, .. } => {
                if let Some(to) = self.numbered(&nodes[*target].0) {
                    for event in event_names(nodes, events) {
                        let place = self.collect.node(self.decl, item.part);
                        self.collect.arrow(ArrowKind::Goto, state, to, Label { text: event.to_string(), place });
                    }
                }
            }
        }
    }

    /// Draws where a handler can go; all it does is handed back.
    fn leads_away(&mut self, state: usize, trigger: &str, handler: &Handler) -> Vec<Act<'db>> {
        let acts = handler_acts(self.collect.db, self.decl, handler.kind);
        for act in &acts {
            let to = match &act.kind {
                ActKind::Goto(name) => self.numbered(name),
                ActKind::Raise(Some(event)) if event == HALT => Some(self.halted()),
                _ => None,
            };
            if let Some(to) = to {
                let text = match &act.within {
                    Some(received) => format!("{trigger} \u{25b8} {received}"),
                    None => trigger.to_owned(),
                };
                let place = self.collect.place(act.place(self.collect.db));
                self.collect.arrow(ArrowKind::Goto, state, to, Label { text, place });
            }
        }
        acts
    }

    fn row(&mut self, state: usize, kind: RowKind, event: &str, item: &StateItem, handler: &Handler, acts: &[Act<'db>]) {
        let mut text = event.to_owned();
        let mut add = |before: &str, words: &str| {
            text += if text.is_empty() { "" } else { before };
            text += words;
        };
        if let HandlerKind::Named(name) = handler.kind {
            add(" / ", self.item.nodes[name].as_str());
        }
        let raised = acts.iter().filter_map(|act| match &act.kind {
            ActKind::Raise(Some(event)) if event == HALT => None,
            ActKind::Raise(event) => Some(event.clone().unwrap_or_else(|| "an event".into())),
            _ => None,
        });
        let awaited = acts.iter().filter_map(|act| match &act.kind {
            ActKind::Receive(events) => Some(events.iter().cloned()),
            _ => None,
        });
        for (verb, events) in [("raises", unique(raised)), ("waits for", unique(awaited.flatten()))] {
            if !events.is_empty() {
                add("; ", &format!("{verb} {}", events.join(", ")));
            }
        }
        let place = self.collect.node(self.decl, item.part);
        self.collect.boxes[state].rows.push(Row { kind, text, place });
    }

    fn list(&mut self, state: usize, kind: RowKind, events: impl Iterator<Item = SmolStr>, item: &StateItem) {
        let text = events.collect::<Vec<_>>().join(", ");
        if !text.is_empty() {
            let place = self.collect.node(self.decl, item.part);
            self.collect.boxes[state].rows.push(Row { kind, text, place });
        }
    }

    /// The state of a name; of several with one name the first counts.
    fn numbered(&self, name: &str) -> Option<usize> {
        let is_state = |shown: &&Box| matches!(shown.kind, BoxKind::State(_));
        self.collect.boxes.iter().filter(is_state).position(|shown| shown.name == name)
    }

    fn halted(&mut self) -> usize {
        *self.halted.get_or_insert_with(|| {
            let (kind, name) = (BoxKind::Halted, HALT.to_owned());
            self.collect.boxes.push(Box { kind, name, is_start: false, rows: Vec::new(), place: None, extent: None });
            self.collect.boxes.len() - 1
        })
    }
}

fn unique(names: impl Iterator<Item = SmolStr>) -> Vec<SmolStr> {
    let mut found: Vec<SmolStr> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
