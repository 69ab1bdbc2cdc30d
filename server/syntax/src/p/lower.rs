//! From tree-sitter's tree of one top-level declaration to a typed item.
//!
//! Reads only the nodes it knows, by field; what is missing becomes a hole and what is left over (error nodes) is passed by.
//! So every tree, however broken, gives an item.

mod expr;
mod module;
mod proof;
mod stmt;
mod ty;

use lockstep_base::{TextRange, TextSize};
use smol_str::SmolStr;
use tree_sitter::{Node, TreeCursor};

use super::ast::*;
use super::kinds::{Field, Kind, TABLE};
use super::words;
use crate::parse::offset;
use crate::tree::{MAX_DEPTH, relative};

/// Lowers a declaration; `None` for a node that declares nothing. `text` is the node's own text.
pub(super) fn item(node: Node<'_>, text: &str) -> Option<Item> {
    let start = node.start_byte();
    let mut lower = Lower::new(text, start);
    let mut cursor = node.walk();
    let decl = lower.decl(&mut cursor)?;
    Some(Item { is_damaged: is_damaged(node), ..lower.into_item(decl) })
}

/// Whether there is text in a declaration that could not be read, apart from the code in it.
fn is_damaged(declaration: Node<'_>) -> bool {
    if !declaration.has_error() {
        return false;
    }
    let mut cursor = declaration.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            return true;
        }
        if node.has_error() && TABLE.kind(node) != Kind::Block && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Whether a child of the node is text that could not be read.
fn has_error_beside(node: Node<'_>) -> bool {
    node.has_error() && node.children(&mut node.walk()).any(|child| child.is_error())
}

/// A machine of which only the opening is left and the members that follow; `text` starts with that opening.
pub(super) fn broken_machine(pieces: &[Node<'_>], text: &str) -> Item {
    let [opening, members @ ..] = pieces else { unreachable!("pieces begin with an opening") };
    let kind = match opening.kind() {
        "spec" => MachineKind::Spec,
        "scenario" => MachineKind::Scenario,
        _ => MachineKind::Machine,
    };
    let mut lower = Lower::new(text, opening.start_byte());
    let name = members.first().filter(|node| TABLE.kind(**node) == Kind::Identifier).map(|node| lower.name(*node));
    let mut machine = Machine::new(kind, lower.name_or_missing(name, *opening));
    for node in members {
        lower.machine_part(&mut node.walk(), &mut machine);
    }
    Item { is_damaged: true, ..lower.into_item(Decl::Machine(machine)) }
}

struct Lower<'t> {
    /// The item's text, which starts at byte `start` of the file.
    text: &'t str,
    start: usize,
    /// Where ranges count from: the item's start, or the body's while inside one.
    origin: usize,
    nodes: Nodes,
    spans: Spans,
    bodies: Vec<Placed<Body>>,
    problems: Vec<Problem>,
    depth: u32,
}

impl<'t> Lower<'t> {
    fn new(text: &'t str, start: usize) -> Self {
        Self {
            text,
            start,
            origin: start,
            nodes: Nodes::default(),
            spans: Spans::default(),
            bodies: Vec::new(),
            problems: Vec::new(),
            depth: 0,
        }
    }

    fn into_item(self, decl: Decl) -> Item {
        let Self { mut nodes, mut spans, bodies, problems, text, .. } = self;
        nodes.finish(&mut spans);
        Item { decl, nodes, spans, bodies, problems, len: TextSize::of(text), is_damaged: false }
    }

    // ---- Walking ----

    /// Calls `visit` at every child of the cursor's node.
    fn children<'n>(&mut self, cursor: &mut TreeCursor<'n>, mut visit: impl FnMut(&mut Self, Field, &mut TreeCursor<'n>)) {
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            if !cursor.node().is_extra() {
                let field = TABLE.field(cursor);
                visit(self, field, cursor);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }

    /// Runs `lower` one level deeper, on more stack if needed; beyond the limit it reports and gives up.
    fn nested<T>(&mut self, node: Node<'_>, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let range = relative(node, self.start);
            if !self.problems.iter().any(|problem| problem.kind == ProblemKind::TooDeep) {
                self.problems.push(Problem { range, kind: ProblemKind::TooDeep });
            }
            return None;
        }
        self.depth += 1;
        let lowered = stacker::maybe_grow(64 * 1024, 1024 * 1024, || lower(self));
        self.depth -= 1;
        Some(lowered)
    }

    fn text_of(&self, node: Node<'_>) -> &'t str {
        let range = node.start_byte().saturating_sub(self.start)..node.end_byte().saturating_sub(self.start);
        self.text.get(range).unwrap_or("")
    }

    fn span(&self, node: Node<'_>) -> TextRange {
        relative(node, self.origin)
    }

    /// The empty range where something that `node` should end with is missing.
    fn end_of(&self, node: Node<'_>) -> TextRange {
        TextRange::empty(self.span(node).end())
    }

    fn part(&mut self, node: Node<'_>) -> PartId {
        let span = self.span(node);
        self.nodes.add_part(&mut self.spans, Part, span)
    }

    // ---- Names ----

    fn name(&mut self, node: Node<'_>) -> NameId {
        let text = self.text_of(node);
        if words::is_reserved_for_proofs(text) {
            let kind = ProblemKind::ReservedName(SmolStr::new(text));
            self.problems.push(Problem { range: relative(node, self.start), kind });
        }
        self.written(node)
    }

    /// A token kept as written: a number, or a name that cannot clash.
    fn written(&mut self, node: Node<'_>) -> NameId {
        let name = Name(SmolStr::new(self.text_of(node)));
        let span = self.span(node);
        self.nodes.add_name(&mut self.spans, name, span)
    }

    /// The hole where a name should be, at the place where the surrounding node starts.
    fn missing_name(&mut self, at: usize) -> NameId {
        let span = TextRange::empty(offset(at - self.origin));
        self.nodes.add_name(&mut self.spans, Name(SmolStr::default()), span)
    }

    fn name_or_missing(&mut self, name: Option<NameId>, node: Node<'_>) -> NameId {
        name.unwrap_or_else(|| self.missing_name(node.start_byte()))
    }

    fn event(&mut self, node: Node<'_>) -> EventRef {
        match TABLE.kind(node) {
            Kind::Halt => EventRef { kind: EventKind::Halt, name: self.written(node) },
            Kind::Null => EventRef { kind: EventKind::Null, name: self.written(node) },
            _ => EventRef { kind: EventKind::Declared, name: self.name(node) },
        }
    }

    fn events(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<EventRef> {
        let mut events = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == Field::Event {
                events.push(this.event(cursor.node()));
            }
        });
        events
    }

    fn typed_name(&mut self, cursor: &mut TreeCursor<'_>) -> TypedName {
        let node = cursor.node();
        let mut name = None;
        let mut ty = None;
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Type => ty = Some(this.ty(cursor)),
            _ => {}
        });
        let ty = ty.filter(|_| !node.has_error());
        TypedName { name: self.name_or_missing(name, node), ty: self.type_or_missing(ty, node) }
    }

    /// A parameter of which nothing but the name can be trusted, because text beside it could not be read.
    fn without_type(&mut self, param: TypedName, node: Node<'_>) -> TypedName {
        TypedName { ty: self.type_or_missing(None, node), ..param }
    }

    // ---- Declarations ----

    fn decl(&mut self, cursor: &mut TreeCursor<'_>) -> Option<Decl> {
        let decl = match TABLE.kind(cursor.node()) {
            Kind::TypeDeclaration => {
                let (name, definition) = self.name_and_type(cursor);
                Decl::Type { name, definition }
            }
            Kind::EnumDeclaration => self.enumeration(cursor),
            Kind::EventDeclaration => {
                let (name, payload) = self.name_and_type(cursor);
                Decl::Event { name, payload }
            }
            Kind::EventSetDeclaration => {
                let (name, _, events) = self.name_type_events(cursor);
                Decl::EventSet { name, events }
            }
            Kind::InterfaceDeclaration => {
                let (name, payload, receives) = self.name_type_events(cursor);
                Decl::Interface { name, payload, receives }
            }
            Kind::MachineDeclaration => Decl::Machine(self.machine(MachineKind::Machine, cursor)),
            Kind::SpecDeclaration => Decl::Machine(self.machine(MachineKind::Spec, cursor)),
            Kind::ScenarioDeclaration => Decl::Machine(self.machine(MachineKind::Scenario, cursor)),
            Kind::FunctionDeclaration => Decl::Function(self.function(cursor)),
            Kind::ParamDeclaration => {
                let Var { names, ty, .. } = self.var(cursor);
                Decl::Param { names, ty }
            }
            Kind::ModuleDeclaration => self.module_decl(cursor),
            Kind::TestDeclaration => Decl::Test(self.test(cursor)),
            Kind::ImplementationDeclaration => self.implementation(cursor),
            Kind::PureDeclaration => self.pure(cursor),
            Kind::InvariantDeclaration => Decl::Invariant(self.invariant(cursor)),
            Kind::InvariantGroup => self.invariant_group(cursor),
            Kind::AxiomDeclaration => Decl::Axiom { body: self.body_expr(cursor) },
            Kind::InitDeclaration => Decl::InitCondition { body: self.body_expr(cursor) },
            Kind::ProofDeclaration => self.proof(cursor),
            _ => return None,
        };
        Some(decl)
    }

    fn name_and_type(&mut self, cursor: &mut TreeCursor<'_>) -> (NameId, Option<TypeId>) {
        let (name, ty, _) = self.name_type_events(cursor);
        (name, ty)
    }

    fn name_type_events(&mut self, cursor: &mut TreeCursor<'_>) -> (NameId, Option<TypeId>, Vec<EventRef>) {
        let node = cursor.node();
        let (mut name, mut ty, mut events) = (None, None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Type => ty = Some(this.ty(cursor)),
            Field::Event => events.push(this.event(cursor.node())),
            _ => {}
        });
        (self.name_or_missing(name, node), ty, events)
    }

    fn enumeration(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut elements) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Element => {
                let element = cursor.node();
                let (mut name, mut value) = (None, None);
                this.children(cursor, |this, field, cursor| match field {
                    Field::Name => name = Some(this.name(cursor.node())),
                    Field::Value => value = Some(this.written(cursor.node())),
                    _ => {}
                });
                elements.push(EnumElement { part: this.part(element), name: this.name_or_missing(name, element), value });
            }
            _ => {}
        });
        Decl::Enum { name: self.name_or_missing(name, node), elements }
    }

    fn machine(&mut self, kind: MachineKind, cursor: &mut TreeCursor<'_>) -> Machine {
        let node = cursor.node();
        let name = node.child_by_field_name("name").map(|name| self.name(name));
        let mut machine = Machine::new(kind, self.name_or_missing(name, node));
        self.children(cursor, |this, _, cursor| this.machine_part(cursor, &mut machine));
        machine
    }

    /// Adds a clause or the members that the node is or holds to `machine`.
    fn machine_part(&mut self, cursor: &mut TreeCursor<'_>, machine: &mut Machine) {
        match TABLE.kind(cursor.node()) {
            Kind::ReceivesClause => machine.receives.get_or_insert_default().extend(self.events(cursor)),
            Kind::SendsClause => machine.sends.get_or_insert_default().extend(self.events(cursor)),
            Kind::ObservesClause => machine.observes = self.events(cursor),
            Kind::MachineBody => self.children(cursor, |this, _, cursor| this.machine_part(cursor, machine)),
            Kind::VariableDeclaration => machine.vars.push(self.var(cursor)),
            Kind::FunctionDeclaration => machine.functions.push(self.function(cursor)),
            Kind::StateDeclaration => machine.states.push(self.state(cursor)),
            _ if cursor.node().is_error() => self.children(cursor, |this, _, cursor| {
                if !cursor.node().is_error() {
                    this.machine_part(cursor, machine);
                }
            }),
            _ => {}
        }
    }

    fn var(&mut self, cursor: &mut TreeCursor<'_>) -> Var {
        let node = cursor.node();
        let (mut names, mut ty) = (Vec::new(), None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => names.push(this.name(cursor.node())),
            Field::Type => ty = Some(this.ty(cursor)),
            _ => {}
        });
        Var { part: self.part(node), names, ty: self.type_or_missing(ty, node) }
    }

    fn params(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<TypedName> {
        let mut params = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == Field::Parameter {
                params.push(this.typed_name(cursor));
            }
        });
        if has_error_beside(cursor.node()) {
            params.iter_mut().for_each(|param| *param = self.without_type(*param, cursor.node()));
        }
        params
    }

    fn function(&mut self, cursor: &mut TreeCursor<'_>) -> Function {
        let node = cursor.node();
        let (mut name, mut params, mut result, mut body) = (None, Vec::new(), None, None);
        let (mut creates, mut contract_result, mut requires, mut ensures) = (None, None, Vec::new(), Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Parameters => params = this.params(cursor),
            Field::ReturnType => result = Some(this.ty(cursor)),
            Field::Body => body = Some(this.body(cursor)),
            Field::Creates => this.children(cursor, |this, field, cursor| {
                if field == Field::Interface {
                    creates = Some(this.name(cursor.node()));
                }
            }),
            Field::Result => contract_result = Some(this.typed_name(cursor)),
            Field::Requires => requires.push(this.condition(cursor)),
            Field::Ensures => ensures.push(this.condition(cursor)),
            _ => {}
        });
        let code = match body {
            Some(body) => FunctionCode::Body(body),
            None => FunctionCode::Foreign { creates, result: contract_result, requires, ensures },
        };
        Function { part: self.part(node), name: self.name_or_missing(name, node), params, result, code }
    }

    fn state(&mut self, cursor: &mut TreeCursor<'_>) -> State {
        let node = cursor.node();
        let (mut name, mut is_start, mut temperature, mut items) = (None, false, None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Temperature if cursor.node().kind() == "hot" => temperature = Some(Temperature::Hot),
            Field::Temperature => temperature = Some(Temperature::Cold),
            Field::Body => this.children(cursor, |this, _, cursor| items.extend(this.state_item(cursor))),
            _ if cursor.node().kind() == "start" => is_start = true,
            _ => {}
        });
        State { part: self.part(node), name: self.name_or_missing(name, node), is_start, temperature, items }
    }

    fn state_item(&mut self, cursor: &mut TreeCursor<'_>) -> Option<StateItem> {
        let node = cursor.node();
        let kind = match TABLE.kind(node) {
            Kind::DeferClause => StateItemKind::Defer(self.events(cursor)),
            Kind::IgnoreClause => StateItemKind::Ignore(self.events(cursor)),
            Kind::EntryAction => StateItemKind::Entry(self.handler_or_missing(cursor)),
            Kind::ExitAction => StateItemKind::Exit(self.handler_or_missing(cursor)),
            Kind::EventAction => StateItemKind::OnDo { events: self.events(cursor), handler: self.handler_or_missing(cursor) },
            Kind::EventTransition => {
                let events = self.events(cursor);
                let target = node.child_by_field_name("target").map(|target| self.name(target));
                let target = self.name_or_missing(target, node);
                StateItemKind::OnGoto { events, target, with: self.handler(cursor) }
            }
            _ => return None,
        };
        Some(StateItem { part: self.part(node), kind })
    }

    fn handler(&mut self, cursor: &mut TreeCursor<'_>) -> Option<Handler> {
        let (mut start, mut param, mut handler) = (None, None, None);
        let is_torn = has_error_beside(cursor.node());
        self.children(cursor, |this, field, cursor| {
            let node = cursor.node();
            match field {
                Field::Parameter if is_torn => {
                    let typed = this.typed_name(cursor);
                    param = Some(this.without_type(typed, node));
                }
                Field::Parameter => param = Some(this.typed_name(cursor)),
                Field::Function => {
                    let kind = HandlerKind::Named(this.name(node));
                    handler = Some(Handler { part: this.part(node), kind });
                }
                Field::Body => {
                    let kind = HandlerKind::Inline { param, body: this.body(cursor) };
                    let start = start.unwrap_or(node).start_byte() - this.origin;
                    let span = TextRange::new(offset(start), this.span(node).end());
                    handler = Some(Handler { part: this.nodes.add_part(&mut this.spans, Part, span), kind });
                }
                _ if node.kind() == "(" => start = Some(node),
                _ => {}
            }
        });
        handler
    }

    fn handler_or_missing(&mut self, cursor: &mut TreeCursor<'_>) -> Handler {
        let handler = self.handler(cursor);
        let span = self.end_of(cursor.node());
        handler.unwrap_or_else(|| {
            let part = self.nodes.add_part(&mut self.spans, Part, span);
            Handler { part, kind: HandlerKind::Missing }
        })
    }

    /// Lowers a block as a body of its own, with positions relative to it.
    fn body(&mut self, cursor: &mut TreeCursor<'_>) -> BodyId {
        let node = cursor.node();
        let outer_nodes = std::mem::take(&mut self.nodes);
        let outer_spans = std::mem::take(&mut self.spans);
        let outer_origin = std::mem::replace(&mut self.origin, node.start_byte());
        let block = self.block(cursor);
        let mut nodes = std::mem::replace(&mut self.nodes, outer_nodes);
        let mut spans = std::mem::replace(&mut self.spans, outer_spans);
        nodes.finish(&mut spans);
        self.origin = outer_origin;
        let range = relative(node, self.start);
        let body = Body { block, nodes, spans, len: range.len() };
        let id = BodyId(u32::try_from(self.bodies.len()).expect("fewer than 4G bodies"));
        self.bodies.push(Placed { start: range.start(), value: body.into() });
        id
    }
}
