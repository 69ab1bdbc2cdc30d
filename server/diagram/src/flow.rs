//! Who creates whom, who sends what to whom, and what specs see: of a whole project, or of the machines of one test.
//!
//! Whom a message goes to is read off the type of the target. A machine as type names it; an interface stands for the machines that are
//! bound to it; where it is only `machine`, every machine that does something about the event may be meant, and the arrow says so. The same
//! holds for events that are sent from a variable: each that may be in it.

use lockstep_ide::p::{SentFromVariable, sent_from_variables};
use lockstep_program::ty::Ty;
use lockstep_program::{AttachedSpec, Db, Decl, DeclKind, Module, Project, decls, evaluated, project_files};
use lockstep_syntax::p::ast::{Decl as AstDecl, Item, Machine, Nodes, StateItemKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::acts::{Act, ActKind, event_names, handler_acts};
use crate::collect::Collect;
use crate::graph::{ArrowKind, Box, BoxKind, Diagram, DiagramKind, Label, Place, Row, RowKind};
use crate::subject::is_item_broken;

/// Of all machines and specs of a project.
pub(crate) fn project_flow<'db>(db: &'db dyn Db, project: Project, title: &str) -> Diagram {
    let all: Vec<Decl<'db>> = project_files(db, project).flat_map(|file| decls(db, file)).copied().collect();
    let machines = all.iter().copied().filter(|decl| decl.kind(db) == DeclKind::Machine).collect();
    let is_spec = |decl: &Decl<'db>| matches!(decl.kind(db), DeclKind::Spec | DeclKind::Scenario);
    let specs = all.iter().copied().filter(is_spec).map(|spec| (spec, None)).collect();
    let mut bound = Bound::default();
    for decl in all.iter().copied().filter(|decl| matches!(decl.kind(db), DeclKind::Module | DeclKind::Test)) {
        if let Some(module) = &evaluated(db, decl).module {
            bound.add(module);
        }
    }
    Flow::new(db, machines, specs, bound, None).draw(title.to_owned())
}

/// Of the machines of a test and the specs that watch them; `None` if its module has an error.
pub(crate) fn test_flow<'db>(db: &'db dyn Db, test: Decl<'db>) -> Option<Diagram> {
    let AstDecl::Test(ast) = &test.shape(db).0.decl else { return None };
    let module = evaluated(db, test).module.as_ref()?;
    let main = test.shape(db).0.nodes[ast.main].0.clone();
    let mut bound = Bound::default();
    bound.add(module);
    let mut machines: Vec<Decl<'db>> = Vec::new();
    for interface in &module.bindings {
        if !machines.contains(&interface.machine) {
            machines.push(interface.machine);
        }
    }
    let start = module.machine(&main);
    machines.sort_by_key(|machine| Some(*machine) != start);
    let watched = |AttachedSpec { spec, interfaces }: &AttachedSpec<'db>| {
        let machines = interfaces.iter().filter_map(|interface| module.machine(interface)).collect();
        (*spec, Some(machines))
    };
    let specs = module.specs.iter().map(watched).collect();
    Some(Flow::new(db, machines, specs, bound, start).draw(test.name(db).to_string()))
}

/// Which machines stand behind interfaces.
#[derive(Default)]
struct Bound<'db> {
    machines: FxHashMap<SmolStr, Vec<Decl<'db>>>,
    /// What a machine gets where it writes `new`: they differ from what is written after `rename`.
    links: FxHashMap<(Decl<'db>, SmolStr), Vec<SmolStr>>,
}

impl<'db> Bound<'db> {
    fn add(&mut self, module: &Module<'db>) {
        for bound in &module.bindings {
            add_new(self.machines.entry(bound.interface.clone()).or_default(), bound.machine);
            for link in &bound.links {
                add_new(self.links.entry((bound.machine, link.written.clone())).or_default(), link.interface.clone());
            }
        }
    }
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// Whom a spec watches; all machines if this is `None`.
type Watched<'db> = Option<FxHashSet<Decl<'db>>>;

struct Flow<'db> {
    machines: Vec<Decl<'db>>,
    numbers: FxHashMap<Decl<'db>, usize>,
    specs: Vec<(Decl<'db>, Watched<'db>)>,
    bound: Bound<'db>,
    start: Option<Decl<'db>>,
    /// For each machine the events that it handles, defers or ignores somewhere.
    takes: Vec<FxHashSet<SmolStr>>,
    collect: Collect<'db>,
    indirect: Vec<SentFromVariable>,
}

impl<'db> Flow<'db> {
    fn new(
        db: &'db dyn Db,
        machines: Vec<Decl<'db>>,
        specs: Vec<(Decl<'db>, Watched<'db>)>,
        bound: Bound<'db>,
        start: Option<Decl<'db>>,
    ) -> Self {
        let numbers = machines.iter().copied().zip(0..).collect();
        let project = machines.first().map(|decl| decl.file(db).project(db));
        let indirect = project.map(|project| sent_from_variables(db, project)).unwrap_or_default();
        Self { machines, numbers, specs, bound, start, takes: Vec::new(), collect: Collect::new(db), indirect }
    }

    fn draw(mut self, title: String) -> Diagram {
        let db = self.collect.db;
        for decl in self.machines.clone() {
            let shown = self.shown(decl, BoxKind::Machine);
            self.collect.boxes.push(shown);
        }
        for (decl, _) in self.specs.clone() {
            let mut shown = self.shown(decl, BoxKind::Spec);
            if let Some((item, machine)) = machine_of(db, decl) {
                let text = event_names(&item.nodes, &machine.observes).collect::<Vec<_>>().join(", ");
                let place = self.collect.node(decl, machine.name);
                shown.rows.extend((!text.is_empty()).then_some(Row { kind: RowKind::Observes, text, place }));
            }
            self.collect.boxes.push(shown);
        }
        let acts: Vec<Vec<Act<'db>>> = self.machines.iter().map(|decl| machine_acts(db, *decl)).collect();
        self.takes = self.machines.iter().zip(&acts).map(|(decl, acts)| taken(db, *decl, acts)).collect();
        for (from, acts) in acts.iter().enumerate() {
            acts.iter().for_each(|act| self.act(from, act));
        }
        let all = self.machines.iter().copied().chain(self.specs.iter().map(|(spec, _)| *spec));
        let is_broken = all.into_iter().any(|decl| is_item_broken(db, decl));
        self.collect.finish(DiagramKind::Flow, title, is_broken)
    }

    fn shown(&mut self, decl: Decl<'db>, kind: BoxKind) -> Box {
        let db = self.collect.db;
        let name = decl.name(db).to_string();
        let place = decl.shape(db).0.name().and_then(|id| self.collect.node(decl, id));
        let extent = self.collect.node(decl, lockstep_program::Node::Whole);
        Box { kind, name, is_start: self.start == Some(decl), rows: Vec::new(), place, extent }
    }

    fn act(&mut self, from: usize, act: &Act<'db>) {
        let db = self.collect.db;
        match &act.kind {
            ActKind::Create(written) => {
                let place = self.collect.place(act.place(db));
                let links = self.bound.links.get(&(self.machines[from], written.clone())).cloned();
                for interface in links.unwrap_or_else(|| vec![written.clone()]) {
                    for to in self.behind(&interface) {
                        let text = format!("new {interface}");
                        self.collect.arrow(ArrowKind::Create, from, to, Label { text, place });
                    }
                }
            }
            ActKind::Send { to, event: Some(event) } => self.send(from, act, to, Some(event), true),
            ActKind::Send { to, event: None } => {
                let (events, is_open) = self.what_may_be_sent(act);
                events.iter().for_each(|event| self.send(from, act, to, Some(event), false));
                if is_open {
                    self.send(from, act, to, None, true);
                }
            }
            ActKind::Announce(Some(event)) => self.seen(from, act, ArrowKind::Announce, Some(event)),
            ActKind::Announce(None) => {
                let (events, _) = self.what_may_be_sent(act);
                events.iter().for_each(|event| self.seen(from, act, ArrowKind::Announce, Some(event)));
            }
            ActKind::Goto(_) | ActKind::Raise(_) | ActKind::Receive(_) => {}
        }
    }

    /// What may be in the variable from which a statement sends, and whether it may be any other event.
    fn what_may_be_sent(&self, act: &Act<'db>) -> (Vec<SmolStr>, bool) {
        let Some(Place { file, range }) = act.place(self.collect.db) else { return (Vec::new(), true) };
        let is_it = |sent: &&SentFromVariable| sent.place.file == file && range.contains_range(sent.place.range);
        match self.indirect.iter().find(is_it) {
            Some(sent) => (sent.events.clone(), sent.is_open || sent.events.is_empty()),
            None => (Vec::new(), true),
        }
    }

    /// `is_sure` says that the event is sent whenever the statement is reached.
    fn send(&mut self, from: usize, act: &Act<'db>, to: &Ty, event: Option<&SmolStr>, is_sure: bool) {
        let place = self.collect.place(act.place(self.collect.db));
        let text = event.map_or("some event", SmolStr::as_str).to_owned();
        let named = match to {
            Ty::Reference(name, _) => self.behind(name),
            _ => Vec::new(),
        };
        let (kind, targets) = match (named.as_slice(), event) {
            // Of several machines behind an interface it is one.
            ([_], _) if is_sure => (ArrowKind::Send, named),
            ([_], Some(event)) if !self.takes[named[0]].contains(event) => (ArrowKind::MaySend, Vec::new()),
            ([_], _) => (ArrowKind::MaySend, named),
            ([_, ..], _) => (ArrowKind::MaySend, named),
            ([], Some(event)) => {
                let takes = (0..self.machines.len()).filter(|machine| self.takes[*machine].contains(event));
                (ArrowKind::MaySend, takes.collect())
            }
            ([], None) => (ArrowKind::MaySend, Vec::new()),
        };
        if targets.is_empty() && (is_sure || event.is_none()) {
            let words = format!("sends {text} to nobody here that takes it");
            let words = if event.is_none() { "sends some event to some machine".to_owned() } else { words };
            let row = Row { kind: RowKind::Note, text: words, place };
            let rows = &mut self.collect.boxes[from].rows;
            if !rows.iter().any(|known| known.text == row.text) {
                rows.push(row);
            }
        }
        for target in targets {
            self.collect.arrow(kind, from, target, Label { text: text.clone(), place });
        }
        self.seen(from, act, ArrowKind::Observe, event);
    }

    /// The specs that are told of an event.
    fn seen(&mut self, from: usize, act: &Act<'db>, kind: ArrowKind, event: Option<&SmolStr>) {
        let db = self.collect.db;
        let Some(event) = event else { return };
        let place = self.collect.place(act.place(db));
        for (number, (spec, watched)) in self.specs.clone().into_iter().enumerate() {
            let is_watched = watched.is_none_or(|machines| machines.contains(&self.machines[from]));
            let Some((item, machine)) = machine_of(db, spec).filter(|_| is_watched) else { continue };
            if event_names(&item.nodes, &machine.observes).any(|observed| observed == *event) {
                let to = self.machines.len() + number;
                self.collect.arrow(kind, from, to, Label { text: event.to_string(), place });
            }
        }
    }

    /// The machines that a name means where something is created or sent to: those bound to it, else the machine of this name.
    fn behind(&self, name: &str) -> Vec<usize> {
        let number = |decl: &Decl<'db>| self.numbers.get(decl).copied();
        let bound: Vec<usize> = self.bound.machines.get(name).into_iter().flatten().filter_map(number).collect();
        if !bound.is_empty() {
            return bound;
        }
        self.machines.iter().position(|decl| decl.name(self.collect.db) == name).into_iter().collect()
    }
}

fn machine_of<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<(&'db Item, &'db Machine)> {
    let item = &decl.shape(db).0;
    match &item.decl {
        AstDecl::Machine(machine) => Some((item, machine)),
        _ => None,
    }
}

/// What a machine does in any of its states.
fn machine_acts<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Act<'db>> {
    let items = machine_of(db, decl).into_iter().flat_map(|(_, machine)| &machine.states).flat_map(|state| &state.items);
    let handlers = items.filter_map(|item| item.handler());
    handlers.flat_map(|handler| handler_acts(db, decl, handler.kind)).collect()
}

/// The events that a machine handles, waits for, defers or ignores.
fn taken<'db>(db: &'db dyn Db, decl: Decl<'db>, acts: &[Act<'db>]) -> FxHashSet<SmolStr> {
    let mut found: FxHashSet<SmolStr> = FxHashSet::default();
    if let Some((item, machine)) = machine_of(db, decl) {
        for state_item in machine.states.iter().flat_map(|state| &state.items) {
            found.extend(listed(&item.nodes, &state_item.kind));
        }
    }
    for act in acts {
        if let ActKind::Receive(events) = &act.kind {
            found.extend(events.iter().cloned());
        }
    }
    found
}

fn listed(nodes: &Nodes, item: &StateItemKind) -> Vec<SmolStr> {
    match item {
        StateItemKind::Defer(events)
        | StateItemKind::Ignore(events)
        | StateItemKind::OnDo { events, .. }
        | StateItemKind::OnGoto { events, .. } => event_names(nodes, events).collect(),
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => Vec::new(),
    }
}
