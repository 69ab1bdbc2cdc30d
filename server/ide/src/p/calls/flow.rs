//! Which events can be in a variable, and so which are sent where a statement names none.
//!
//! A value is followed through assignments, arguments, results, payloads and collections, of the whole project at once. What is inside
//! a value is not told apart: what is put into a field or an element is taken to be all that may be read from any. So an event can be
//! found where it never comes, and none is missed; functions in other languages may give any.

use std::collections::BTreeSet;

use lockstep_program::ty::Ty;
use lockstep_program::{
    Code, Db, Decl, DeclKind, Def, LocalPlace, MemberKind, Node, Place, Project, Role, Space, Target, body_occurrences, codes,
    decl_occurrences, decls, lookup, place_range, project_files, written_type,
};
use lockstep_syntax::p::ast::{
    BodyId, Decl as AstDecl, EventKind, EventRef, Expr, ExprId, Function, FunctionCode, Handler, HandlerKind, Module, NameId,
    Nodes, StateItemKind, Stmt, TypedName,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::super::declared::{is_event, meant_type, name};
use super::super::names::FilePlace;
use super::party::machine_of;

/// A statement that sends, raises or announces an event without naming it.
pub(super) struct Send<'db> {
    pub(super) place: FilePlace,
    pub(super) owner: Decl<'db>,
    pub(super) role: Role,
    /// The event as it is written there.
    pub(super) written: String,
    pub(super) events: Vec<Decl<'db>>,
    /// Whether it can be any event, because other languages have a say in it.
    pub(super) is_open: bool,
    /// Whether it is exactly one that is named after all, in parentheses.
    pub(super) is_certain: bool,
}

/// Whether a variable is of type `event`.
pub(super) fn is_event_variable<'db>(db: &'db dyn Db, target: &Target<'db>) -> bool {
    let is_variable = matches!(target, Target::Local { .. } | Target::Member { kind: MemberKind::Variable, .. });
    is_variable && meant_type(db, target) == Some(Ty::Event)
}

/// Whether some statement of the project sends, raises or announces an event without naming it.
pub(in crate::p) fn has_indirect_sends(db: &dyn Db, project: Project) -> bool {
    let mut bodies = project_files(db, project).flat_map(|file| decls(db, file)).flat_map(|decl| codes(db, *decl));
    bodies.any(|code| {
        let nodes = &code.shape(db).0.nodes;
        // Most code sends nothing or little: what its names stand for is looked up one by one.
        let is_named = |event: ExprId| {
            let Expr::Name(name) = nodes[event] else { return false };
            let mut found = body_occurrences(db, *code).iter().filter(|occurrence| occurrence.name == name);
            found.any(|occurrence| is_event(db, &occurrence.target))
        };
        sends(nodes).any(|(_, event, _)| !is_named(event))
    })
}

/// All statements that do.
pub(super) fn indirect_sends<'db>(db: &'db dyn Db, project: Project) -> Vec<Send<'db>> {
    if has_indirect_sends(db, project) { Graph::of(db, project).sends() } else { Vec::new() }
}

/// The events that may be in a variable, and whether any other may be too.
pub(super) fn events_in<'db>(db: &'db dyn Db, project: Project, variable: &Target<'db>) -> (Vec<Decl<'db>>, bool) {
    let mut graph = Graph::of(db, project);
    let cell = graph.number(Cell::Variable(variable.clone()));
    graph.contents(cell)
}

/// Something that values are put into and read from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cell<'db> {
    Variable(Target<'db>),
    /// What an event carries.
    Payload(Decl<'db>),
    /// What a function returns.
    Result(Target<'db>),
    /// What is given to `new` of a machine or interface.
    Creation(Decl<'db>),
    /// What is given to a state of a machine when it is entered.
    Entry(Decl<'db>, SmolStr),
    /// The event of a statement that names none, by the statement's number.
    Sent(usize),
    /// What that event carries.
    Carried(usize),
}

/// An event by its number.
type Value = usize;
/// An event that is not known.
const ANY: Value = usize::MAX;

/// Cells by number, with those that each flows into.
struct Graph<'db> {
    db: &'db dyn Db,
    project: Project,
    numbers: FxHashMap<Cell<'db>, usize>,
    next: Vec<Vec<usize>>,
    values: Vec<BTreeSet<Value>>,
    /// Values that have come to a cell and were not passed on yet.
    open: Vec<(usize, Value)>,
    events: Vec<Decl<'db>>,
    event_numbers: FxHashMap<Decl<'db>, Value>,
    sends: Vec<Unnamed<'db>>,
    /// The cell of each such statement's event, with the number of the statement.
    sent: FxHashMap<usize, usize>,
}

/// A statement that names no event.
struct Unnamed<'db> {
    code: Code<'db>,
    event: ExprId,
    role: Role,
    is_certain: bool,
}

impl<'db> Graph<'db> {
    fn of(db: &'db dyn Db, project: Project) -> Self {
        let all = || project_files(db, project).flat_map(|file| decls(db, file).iter().copied());
        let events: Vec<Decl<'db>> = all().filter(|decl| decl.kind(db) == DeclKind::Event).collect();
        let event_numbers = events.iter().copied().zip(0..).collect();
        let (numbers, next, values, open) = (FxHashMap::default(), Vec::new(), Vec::new(), Vec::new());
        let (sends, sent) = (Vec::new(), FxHashMap::default());
        let mut graph = Self { db, project, numbers, next, values, open, events, event_numbers, sends, sent };
        for decl in all() {
            graph.add_declaration(decl);
            codes(db, decl).iter().for_each(|code| graph.add_body(&Body::new(db, *code)));
        }
        graph.pass_on();
        graph
    }

    fn number(&mut self, cell: Cell<'db>) -> usize {
        let new = self.next.len();
        let number = *self.numbers.entry(cell).or_insert(new);
        if number == new {
            self.next.push(Vec::new());
            self.values.push(BTreeSet::new());
        }
        number
    }

    fn put(&mut self, cell: usize, value: Value) {
        if self.values[cell].insert(value) {
            self.open.push((cell, value));
        }
    }

    fn connect(&mut self, from: usize, to: usize) {
        if !self.next[from].contains(&to) {
            self.next[from].push(to);
            let known: Vec<Value> = self.values[from].iter().copied().collect();
            known.into_iter().for_each(|value| self.put(to, value));
        }
    }

    fn connect_cells(&mut self, from: Cell<'db>, to: Cell<'db>) {
        let (from, to) = (self.number(from), self.number(to));
        self.connect(from, to);
    }

    /// Until nothing changes. An event that comes to a statement which sends it carries what the statement says.
    fn pass_on(&mut self) {
        while let Some((cell, value)) = self.open.pop() {
            for to in self.next[cell].clone() {
                self.put(to, value);
            }
            let Some(&statement) = self.sent.get(&cell) else { continue };
            let carried = self.number(Cell::Carried(statement));
            let events = if value == ANY { self.events.clone() } else { vec![self.events[value]] };
            for event in events {
                let payload = self.number(Cell::Payload(event));
                self.connect(carried, payload);
            }
        }
    }

    fn contents(&self, cell: usize) -> (Vec<Decl<'db>>, bool) {
        let values = &self.values[cell];
        (values.iter().filter_map(|value| self.events.get(*value).copied()).collect(), values.contains(&ANY))
    }

    fn sends(mut self) -> Vec<Send<'db>> {
        let db = self.db;
        let mut found = Vec::new();
        for (number, Unnamed { code, event, role, is_certain }) in std::mem::take(&mut self.sends).into_iter().enumerate() {
            let owner = code.decl(db);
            let place = Place { body: Some(code.nth(db)), node: Node::Expr(event) };
            let Some(range) = place_range(db, owner, place) else { continue };
            let cell = self.number(Cell::Sent(number));
            let (events, is_open) = self.contents(cell);
            let file = owner.file(db).file(db);
            let written = file.parse(db).text().slice(range).split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(Send { place: FilePlace { file, range }, owner, role, written, events, is_open, is_certain });
        }
        found
    }

    /// Parameters of handlers, and what modules bind.
    fn add_declaration(&mut self, decl: Decl<'db>) {
        let item = &decl.shape(self.db).0;
        for (_, module) in item.nodes.modules.iter() {
            if let Module::Bindings(bindings) = module {
                for binding in bindings {
                    let named = |name: NameId| lookup(self.db, self.project, Space::Type, item.nodes[name].as_str());
                    let (machine, interface) = (named(binding.machine), binding.interface.and_then(named));
                    if let (Some(machine), Some(interface)) = (machine, interface) {
                        self.connect_cells(Cell::Creation(interface.decl), Cell::Creation(machine.decl));
                    }
                }
            }
        }
        match &item.decl {
            AstDecl::Function(function) => {
                self.add_foreign(function, &item.nodes, Target::Global(Def { decl, part: None }));
            }
            AstDecl::Machine(_) => self.add_machine(decl),
            _ => {}
        }
    }

    /// A function in another language can give any event, if its type allows that.
    fn add_foreign(&mut self, function: &Function, nodes: &Nodes, target: Target<'db>) {
        let FunctionCode::Foreign { result, .. } = &function.code else { return };
        let Some(ty) = function.result.or(result.map(|result| result.ty)) else { return };
        if can_hold_events(&written_type(self.db, self.project, nodes, ty)) {
            let cell = self.number(Cell::Result(target));
            self.put(cell, ANY);
        }
    }

    fn add_machine(&mut self, decl: Decl<'db>) {
        let db = self.db;
        let Some(machine) = machine_of(db, decl) else { return };
        let nodes = &decl.shape(db).0.nodes;
        let names: FxHashMap<NameId, &Target<'db>> =
            decl_occurrences(db, decl).iter().map(|occurrence| (occurrence.name, &occurrence.target)).collect();
        for function in &machine.functions {
            let name = nodes[function.name].0.clone();
            self.add_foreign(function, nodes, Target::Member { machine: decl, kind: MemberKind::Function, name });
        }
        for state in &machine.states {
            let entry = Cell::Entry(decl, nodes[state.name].0.clone());
            if state.is_start {
                self.connect_cells(Cell::Creation(decl), entry.clone());
            }
            for item in &state.items {
                let params = item.handler().map(|handler| handler_params(db, decl, handler, &names)).unwrap_or_default();
                let given: Vec<Cell<'db>> = match &item.kind {
                    StateItemKind::Entry(_) => vec![entry.clone()],
                    StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => self.payloads(events, nodes),
                    StateItemKind::Exit(_) | StateItemKind::Defer(_) | StateItemKind::Ignore(_) => continue,
                };
                let mut takers: Vec<Cell<'db>> = params.into_iter().map(Cell::Variable).collect();
                if let StateItemKind::OnGoto { target, .. } = &item.kind {
                    takers.push(Cell::Entry(decl, nodes[*target].0.clone()));
                }
                for from in &given {
                    takers.iter().for_each(|to| self.connect_cells(from.clone(), to.clone()));
                }
            }
        }
    }

    fn payloads(&self, events: &[EventRef], nodes: &Nodes) -> Vec<Cell<'db>> {
        let declared = events.iter().filter(|event| event.kind == EventKind::Declared);
        let found = declared.filter_map(|event| lookup(self.db, self.project, Space::Event, nodes[event.name].as_str()));
        found.filter(|def| def.part.is_none()).map(|def| Cell::Payload(def.decl)).collect()
    }

    fn add_body(&mut self, body: &Body<'db>) {
        for (_, stmt) in body.nodes.stmts.iter() {
            match stmt {
                Stmt::Assign { target, value } => self.feed_place(body, *target, &[*value]),
                Stmt::Insert { target, key, value } => {
                    let given: Vec<ExprId> = key.iter().copied().chain([*value]).collect();
                    self.feed_place(body, *target, &given);
                }
                Stmt::Foreach { variable, collection, .. } => {
                    if let Some(target) = body.names.get(variable) {
                        self.feed(body, &[*collection], Cell::Variable(target.clone()));
                    }
                }
                Stmt::Return { value: Some(value) } => {
                    if let Some(function) = body.function() {
                        self.feed(body, &[*value], Cell::Result(function));
                    }
                }
                Stmt::Goto { target, payload } => {
                    if let Some(Target::Member { machine, name, .. }) = body.names.get(target) {
                        self.feed(body, payload, Cell::Entry(*machine, name.clone()));
                    }
                }
                Stmt::New { interface, args } => self.add_creation(body, *interface, args),
                Stmt::Call { function, args } => self.add_call(body, *function, args),
                Stmt::Receive { cases } => {
                    for case in cases {
                        let Some(param) = case.param else { continue };
                        let place = LocalPlace { body: Some(body.code.nth(self.db)), name: param.name };
                        let taker = Cell::Variable(Target::Local { decl: body.code.decl(self.db), place });
                        for from in self.payloads(&case.events, body.nodes) {
                            self.connect_cells(from, taker.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        for (_, expr) in body.nodes.exprs.iter() {
            match expr {
                Expr::New { interface, args } => self.add_creation(body, *interface, args),
                Expr::Call { function, args } => self.add_call(body, *function, args),
                _ => {}
            }
        }
        sends(body.nodes).for_each(|(role, event, payload)| self.add_send(body, role, event, payload));
    }

    fn add_send(&mut self, body: &Body<'db>, role: Role, event: ExprId, payload: &[ExprId]) {
        let named = body.named_event(event);
        if let Some(event) = named {
            return self.feed(body, payload, Cell::Payload(event));
        }
        let number = self.sends.len();
        let inner = body.without_parens(event);
        self.sends.push(Unnamed { code: body.code, event, role, is_certain: body.named_event(inner).is_some() });
        let cell = self.number(Cell::Sent(number));
        self.sent.insert(cell, number);
        self.feed(body, &[event], Cell::Sent(number));
        self.feed(body, payload, Cell::Carried(number));
    }

    fn add_creation(&mut self, body: &Body<'db>, interface: NameId, args: &[ExprId]) {
        if let Some(Target::Global(def)) = body.names.get(&interface) {
            self.feed(body, args, Cell::Creation(def.decl));
        }
    }

    fn add_call(&mut self, body: &Body<'db>, function: NameId, args: &[ExprId]) {
        let Some(function) = body.names.get(&function) else { return };
        let params = function_params(self.db, function);
        if params.len() == args.len() {
            for (param, arg) in params.into_iter().zip(args) {
                self.feed(body, &[*arg], Cell::Variable(param));
            }
        } else {
            // Half written: which is meant for which is not known.
            params.into_iter().for_each(|param| self.feed(body, args, Cell::Variable(param)));
        }
    }

    /// Into the variable that is assigned, or that has the part which is.
    fn feed_place(&mut self, body: &Body<'db>, mut place: ExprId, given: &[ExprId]) {
        let root = loop {
            match &body.nodes[place] {
                Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } | Expr::Paren(value) => {
                    place = *value;
                }
                Expr::Name(name) => break body.names.get(name),
                _ => return,
            }
        };
        if let Some(root) = root {
            self.feed(body, given, Cell::Variable(root.clone()));
        }
    }

    /// Whatever events the expressions may have in them flow into a cell.
    fn feed(&mut self, body: &Body<'db>, given: &[ExprId], to: Cell<'db>) {
        let to = self.number(to);
        let mut open: Vec<ExprId> = given.to_vec();
        while let Some(expr) = open.pop() {
            match &body.nodes[expr] {
                Expr::Name(name) => match body.names.get(name) {
                    Some(Target::Global(Def { decl, part: None })) => {
                        if let Some(event) = self.event_numbers.get(decl) {
                            self.put(to, *event);
                        }
                    }
                    Some(variable @ (Target::Local { .. } | Target::Member { .. })) => {
                        let from = self.number(Cell::Variable(variable.clone()));
                        self.connect(from, to);
                    }
                    _ => {}
                },
                Expr::Paren(value)
                | Expr::Field { value, .. }
                | Expr::Element { value, .. }
                | Expr::Index { value, .. }
                | Expr::Keys(value)
                | Expr::Values(value)
                | Expr::Choose(Some(value))
                | Expr::As { value, .. }
                | Expr::To { value, .. } => open.push(*value),
                Expr::Tuple(elements) => open.extend(elements),
                Expr::NamedTuple(fields) => open.extend(fields.iter().map(|(_, value)| *value)),
                Expr::Call { function, .. } => {
                    if let Some(function) = body.names.get(function) {
                        let from = self.number(Cell::Result(function.clone()));
                        self.connect(from, to);
                    }
                }
                // Numbers, truth values, texts, machines: no events in them.
                _ => {}
            }
        }
    }
}

/// Every statement that sends, raises or announces: how, the event, and what it carries. `halt` is none of the declared events.
fn sends(nodes: &Nodes) -> impl Iterator<Item = (Role, ExprId, &[ExprId])> {
    let all = nodes.stmts.iter().filter_map(|(_, stmt)| match stmt {
        Stmt::Send { event, payload, .. } => Some((Role::Send, *event, payload.as_slice())),
        Stmt::Raise { event, payload } => Some((Role::Raise, *event, payload.as_slice())),
        Stmt::Announce { event, payload } => Some((Role::Announce, *event, payload.as_slice())),
        _ => None,
    });
    all.filter(|(_, event, _)| !matches!(nodes[*event], Expr::Halt | Expr::Null | Expr::Missing))
}

/// A body with what its names stand for.
struct Body<'db> {
    db: &'db dyn Db,
    code: Code<'db>,
    nodes: &'db Nodes,
    names: FxHashMap<NameId, Target<'db>>,
}

impl<'db> Body<'db> {
    fn new(db: &'db dyn Db, code: Code<'db>) -> Self {
        let names = body_occurrences(db, code).iter().map(|occurrence| (occurrence.name, occurrence.target.clone())).collect();
        Self { db, code, nodes: &code.shape(db).0.nodes, names }
    }

    /// The event that an expression names.
    fn named_event(&self, expr: ExprId) -> Option<Decl<'db>> {
        let Expr::Name(name) = &self.nodes[expr] else { return None };
        match self.names.get(name) {
            Some(Target::Global(Def { decl, part: None })) if decl.kind(self.db) == DeclKind::Event => Some(*decl),
            _ => None,
        }
    }

    fn without_parens(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Paren(inner) = self.nodes[expr] {
            expr = inner;
        }
        expr
    }

    /// The function that this is the code of.
    fn function(&self) -> Option<Target<'db>> {
        let (decl, body) = (self.code.decl(self.db), BodyId(self.code.nth(self.db)));
        let item = &decl.shape(self.db).0;
        let is_it = |function: &&Function| matches!(function.code, FunctionCode::Body(id) if id == body);
        match &item.decl {
            AstDecl::Function(function) => Some(function).filter(is_it).map(|_| Target::Global(Def { decl, part: None })),
            AstDecl::Machine(machine) => machine.functions.iter().find(is_it).map(|function| Target::Member {
                machine: decl,
                kind: MemberKind::Function,
                name: item.nodes[function.name].0.clone(),
            }),
            _ => None,
        }
    }
}

fn handler_params<'db>(
    db: &'db dyn Db,
    decl: Decl<'db>,
    handler: &Handler,
    names: &FxHashMap<NameId, &Target<'db>>,
) -> Vec<Target<'db>> {
    match handler.kind {
        HandlerKind::Inline { param, .. } => own_params(decl, param.as_slice()),
        HandlerKind::Named(name) => names.get(&name).map(|function| function_params(db, function)).unwrap_or_default(),
        HandlerKind::Missing => Vec::new(),
    }
}

fn function_params<'db>(db: &'db dyn Db, function: &Target<'db>) -> Vec<Target<'db>> {
    let decl = match function {
        Target::Global(def) => def.decl,
        Target::Member { machine, .. } => *machine,
        Target::Local { .. } => return Vec::new(),
    };
    match &decl.shape(db).0.decl {
        AstDecl::Function(function) => own_params(decl, &function.params),
        AstDecl::Machine(machine) => {
            let nodes = &decl.shape(db).0.nodes;
            let name = name(db, function);
            let own = machine.functions.iter().find(|function| Some(nodes[function.name].as_str()) == name.as_deref());
            own.map(|function| own_params(decl, &function.params)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn own_params<'db>(decl: Decl<'db>, params: &[TypedName]) -> Vec<Target<'db>> {
    let place = |param: &TypedName| LocalPlace { body: None, name: param.name };
    params.iter().map(|param| Target::Local { decl, place: place(param) }).collect()
}

fn can_hold_events(ty: &Ty) -> bool {
    match ty {
        Ty::Error | Ty::Any | Ty::Event | Ty::Data | Ty::Foreign(_) => true,
        Ty::Bool | Ty::Int | Ty::Float | Ty::String | Ty::Null | Ty::Machine | Ty::Enum(_) | Ty::Reference(..) => false,
        Ty::Seq(element) | Ty::Set(element) => can_hold_events(element),
        Ty::Map(key, value) => can_hold_events(key) || can_hold_events(value),
        Ty::Tuple(elements) => elements.iter().any(can_hold_events),
        Ty::NamedTuple(fields) => fields.iter().any(|(_, ty)| can_hold_events(ty)),
    }
}
