//! From tree-sitter's tree of one top-level declaration to a typed item.
//!
//! Reads only the nodes it knows, by field; what is missing becomes a hole and what is left over (error nodes) is passed by.
//! So every tree, however broken, gives an item.

use std::sync::LazyLock;

use lockstep_base::{TextRange, TextSize};
use smol_str::SmolStr;
use tree_sitter::{Node, TreeCursor};

use super::ast::*;
use super::words;
use crate::kinds::{Table, named};
use crate::parse::offset;
use crate::tree::{MAX_DEPTH, relative};

named! {
    pub(super) enum Kind {
        TypeDeclaration = "type_declaration",
        EnumDeclaration = "enum_declaration",
        EnumElement = "enum_element",
        EventDeclaration = "event_declaration",
        EventSetDeclaration = "event_set_declaration",
        InterfaceDeclaration = "interface_declaration",
        MachineDeclaration = "machine_declaration",
        SpecDeclaration = "spec_declaration",
        ScenarioDeclaration = "scenario_declaration",
        FunctionDeclaration = "function_declaration",
        ParamDeclaration = "param_declaration",
        ModuleDeclaration = "module_declaration",
        TestDeclaration = "test_declaration",
        ImplementationDeclaration = "implementation_declaration",
        PureDeclaration = "pure_declaration",
        InvariantDeclaration = "invariant_declaration",
        InvariantGroup = "invariant_group",
        AxiomDeclaration = "axiom_declaration",
        InitDeclaration = "init_declaration",
        ProofDeclaration = "proof_declaration",
        ReceivesClause = "receives_clause",
        SendsClause = "sends_clause",
        ObservesClause = "observes_clause",
        MachineBody = "machine_body",
        VariableDeclaration = "variable_declaration",
        StateDeclaration = "state_declaration",
        StateBody = "state_body",
        EntryAction = "entry_action",
        ExitAction = "exit_action",
        DeferClause = "defer_clause",
        IgnoreClause = "ignore_clause",
        EventAction = "event_action",
        EventTransition = "event_transition",
        Block = "block",
        TypedName = "typed_name",
        PrimitiveType = "primitive_type",
        SeqType = "seq_type",
        SetType = "set_type",
        MapType = "map_type",
        TupleType = "tuple_type",
        NamedTupleType = "named_tuple_type",
        TypeName = "type_name",
        EventName = "event_name",
        Halt = "halt",
        Null = "null",
        Compound = "compound_statement",
        Assert = "assert_statement",
        Assume = "assume_statement",
        Print = "print_statement",
        Return = "return_statement",
        Break = "break_statement",
        Continue = "continue_statement",
        Assign = "assign_statement",
        Insert = "insert_statement",
        Remove = "remove_statement",
        While = "while_statement",
        Foreach = "foreach_statement",
        If = "if_statement",
        NewStatement = "new_statement",
        CallStatement = "call_statement",
        Raise = "raise_statement",
        Send = "send_statement",
        Announce = "announce_statement",
        Goto = "goto_statement",
        Receive = "receive_statement",
        Empty = "empty_statement",
        Identifier = "identifier",
        Integer = "integer",
        NegativeInteger = "negative_integer",
        Float = "float",
        Boolean = "boolean",
        String = "string",
        This = "this",
        Nondet = "nondet",
        Parenthesized = "parenthesized_expression",
        Tuple = "tuple_expression",
        NamedTuple = "named_tuple_expression",
        FieldAccess = "field_expression",
        ElementAccess = "element_expression",
        Is = "is_expression",
        Targets = "targets_expression",
        Message = "message_expression",
        IndexAccess = "index_expression",
        Builtin = "builtin_expression",
        DefaultValue = "default_expression",
        NewExpression = "new_expression",
        CallExpression = "call_expression",
        Choose = "choose_expression",
        Format = "format_expression",
        Unary = "unary_expression",
        Binary = "binary_expression",
        Cast = "cast_expression",
        Quantifier = "quantifier_expression",
        ProveCommand = "prove_command",
        All = "all",
        Default = "default",
        ModuleName = "module_name",
        ParenthesizedModule = "parenthesized_module",
        BindingModule = "binding_module",
        ComposeModule = "compose_module",
        UnionModule = "union_module",
        HideEventsModule = "hide_events_module",
        HideInterfacesModule = "hide_interfaces_module",
        AssertModule = "assert_module",
        RenameModule = "rename_module",
        MainModule = "main_module",
    }
}

named! {
    pub(super) enum Field {
        Name = "name",
        Type = "type",
        Element = "element",
        Value = "value",
        Event = "event",
        Body = "body",
        Observes = "observes",
        Temperature = "temperature",
        Target = "target",
        Parameter = "parameter",
        Parameters = "parameters",
        Function = "function",
        ReturnType = "return_type",
        Creates = "creates",
        Interface = "interface",
        Result = "result",
        Requires = "requires",
        Ensures = "ensures",
        Condition = "condition",
        Message = "message",
        Key = "key",
        Collection = "collection",
        Variable = "variable",
        Invariant = "invariant",
        Then = "then",
        Else = "else",
        Arguments = "arguments",
        Argument = "argument",
        Payload = "payload",
        Case = "case",
        Field = "field",
        Index = "index",
        Operator = "operator",
        Operand = "operand",
        Left = "left",
        Right = "right",
        Text = "text",
        Bound = "bound",
        Quantifier = "quantifier",
        Params = "params",
        Param = "param",
        Assume = "assume",
        Wise = "wise",
        Strength = "strength",
        Main = "main",
        Module = "module",
        Refines = "refines",
        Binding = "binding",
        Machine = "machine",
        Spec = "spec",
        From = "from",
        To = "to",
        Goal = "goal",
        Premise = "premise",
        Except = "except",
        Kind = "kind",
    }
}

pub(super) static TABLE: LazyLock<Table<Kind, Field>> =
    LazyLock::new(|| Table::new(&tree_sitter_p::p::LANGUAGE.into(), Kind::from_name, Field::from_name));

/// Lowers a declaration; `None` for a node that declares nothing. `text` is the node's own text.
pub(super) fn item(node: Node<'_>, text: &str) -> Option<Item> {
    let start = node.start_byte();
    let mut lower = Lower::new(text, start);
    let mut cursor = node.walk();
    let decl = lower.decl(&mut cursor)?;
    Some(lower.into_item(decl))
}

/// A machine of which only the opening is left, with the members that follow in `nodes`.
pub(super) fn broken_machine(kind: MachineKind, name: Option<Node<'_>>, nodes: &[Node<'_>], text: &str, start: usize) -> Item {
    let mut lower = Lower::new(text, start);
    let name = match name {
        Some(node) => lower.name(node),
        None => lower.missing_name(start),
    };
    let mut machine =
        Machine { kind, name, receives: None, sends: None, observes: vec![], vars: vec![], functions: vec![], states: vec![] };
    for node in nodes {
        lower.member(&mut node.walk(), &mut machine);
    }
    lower.into_item(Decl::Machine(machine))
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
        let Self { nodes, spans, bodies, problems, text, .. } = self;
        Item { decl, nodes, spans, bodies, problems, len: TextSize::of(text) }
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
            Kind::Halt => EventRef::Halt,
            Kind::Null => EventRef::Null,
            _ => EventRef::Named(self.name(node)),
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
        TypedName { name: self.name_or_missing(name, node), ty: self.type_or_missing(ty, node) }
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
                let Var { names, ty } = self.var(cursor);
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
                elements.push(EnumElement { name: this.name_or_missing(name, element), value });
            }
            _ => {}
        });
        Decl::Enum { name: self.name_or_missing(name, node), elements }
    }

    fn machine(&mut self, kind: MachineKind, cursor: &mut TreeCursor<'_>) -> Machine {
        let node = cursor.node();
        let name = self.missing_name(node.start_byte());
        let mut machine = Machine {
            kind,
            name,
            receives: None,
            sends: None,
            observes: vec![],
            vars: vec![],
            functions: vec![],
            states: vec![],
        };
        self.children(cursor, |this, field, cursor| match (field, TABLE.kind(cursor.node())) {
            (Field::Name, _) => machine.name = this.name(cursor.node()),
            (Field::Observes, _) => machine.observes = this.events(cursor),
            (_, Kind::ReceivesClause) => machine.receives.get_or_insert_default().extend(this.events(cursor)),
            (_, Kind::SendsClause) => machine.sends.get_or_insert_default().extend(this.events(cursor)),
            (Field::Body, _) => this.children(cursor, |this, _, cursor| this.member(cursor, &mut machine)),
            _ => {}
        });
        machine
    }

    /// Adds a variable, function or state to `machine`; from an error node, those it holds.
    fn member(&mut self, cursor: &mut TreeCursor<'_>, machine: &mut Machine) {
        match TABLE.kind(cursor.node()) {
            Kind::VariableDeclaration => machine.vars.push(self.var(cursor)),
            Kind::FunctionDeclaration => machine.functions.push(self.function(cursor)),
            Kind::StateDeclaration => machine.states.push(self.state(cursor)),
            _ if cursor.node().is_error() => self.children(cursor, |this, _, cursor| {
                if !cursor.node().is_error() {
                    this.member(cursor, machine);
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
        Var { names, ty: self.type_or_missing(ty, node) }
    }

    fn params(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<TypedName> {
        let mut params = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == Field::Parameter {
                params.push(this.typed_name(cursor));
            }
        });
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
        Function { name: self.name_or_missing(name, node), params, result, code }
    }

    fn state(&mut self, cursor: &mut TreeCursor<'_>) -> State {
        let node = cursor.node();
        let name = self.missing_name(node.start_byte());
        let mut state = State { name, is_start: false, temperature: None, items: vec![] };
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => state.name = this.name(cursor.node()),
            Field::Temperature if cursor.node().kind() == "hot" => state.temperature = Some(Temperature::Hot),
            Field::Temperature => state.temperature = Some(Temperature::Cold),
            Field::Body => this.children(cursor, |this, _, cursor| state.items.extend(this.state_item(cursor))),
            _ if cursor.node().kind() == "start" => state.is_start = true,
            _ => {}
        });
        state
    }

    fn state_item(&mut self, cursor: &mut TreeCursor<'_>) -> Option<StateItem> {
        let node = cursor.node();
        let kind = TABLE.kind(node);
        if let Kind::DeferClause | Kind::IgnoreClause = kind {
            let events = self.events(cursor);
            return Some(if kind == Kind::DeferClause { StateItem::Defer(events) } else { StateItem::Ignore(events) });
        }
        if !matches!(kind, Kind::EntryAction | Kind::ExitAction | Kind::EventAction | Kind::EventTransition) {
            return None;
        }
        let (mut events, mut target, mut param, mut handler) = (Vec::new(), None, None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Event => events.push(this.event(cursor.node())),
            Field::Target => target = Some(this.name(cursor.node())),
            Field::Parameter => param = Some(this.typed_name(cursor)),
            Field::Function => handler = Some(Handler::Named(this.name(cursor.node()))),
            Field::Body => handler = Some(Handler::Inline { param, body: this.body(cursor) }),
            _ => {}
        });
        Some(match kind {
            Kind::EntryAction => StateItem::Entry(handler.unwrap_or(Handler::Missing)),
            Kind::ExitAction => StateItem::Exit(handler.unwrap_or(Handler::Missing)),
            Kind::EventAction => StateItem::OnDo { events, handler: handler.unwrap_or(Handler::Missing) },
            _ => StateItem::OnGoto { events, target: self.name_or_missing(target, node), with: handler },
        })
    }

    /// Lowers a block as a body of its own, with positions relative to it.
    fn body(&mut self, cursor: &mut TreeCursor<'_>) -> BodyId {
        let node = cursor.node();
        let outer_nodes = std::mem::take(&mut self.nodes);
        let outer_spans = std::mem::take(&mut self.spans);
        let outer_origin = std::mem::replace(&mut self.origin, node.start_byte());
        let block = self.block(cursor);
        let nodes = std::mem::replace(&mut self.nodes, outer_nodes);
        let spans = std::mem::replace(&mut self.spans, outer_spans);
        self.origin = outer_origin;
        let range = relative(node, self.start);
        let body = Body { block, nodes, spans, len: range.len() };
        let id = BodyId(u32::try_from(self.bodies.len()).expect("fewer than 4G bodies"));
        self.bodies.push(Placed { start: range.start(), value: body.into() });
        id
    }

    // ---- Tests, modules ----

    fn test(&mut self, cursor: &mut TreeCursor<'_>) -> Test {
        let node = cursor.node();
        let (mut name, mut main, mut params, mut assume, mut wise) = (None, None, Vec::new(), None, None);
        let (mut module, mut refines) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Main => main = Some(this.name(cursor.node())),
            Field::Params => this.children(cursor, |this, field, cursor| {
                if field == Field::Param {
                    params.push(this.test_param(cursor));
                }
            }),
            Field::Assume => assume = Some(this.expr(cursor)),
            Field::Wise => wise = Some(this.wise(cursor)),
            Field::Module => module = Some(this.module(cursor)),
            Field::Refines => refines = Some(this.module(cursor)),
            _ => {}
        });
        Test {
            name: self.name_or_missing(name, node),
            main: self.name_or_missing(main, node),
            params,
            assume,
            wise,
            module: self.module_or_missing(module, node),
            refines,
        }
    }

    fn test_param(&mut self, cursor: &mut TreeCursor<'_>) -> TestParam {
        let node = cursor.node();
        let (mut name, mut values) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Value => values.push(this.expr(cursor)),
            _ => {}
        });
        TestParam { name: self.name_or_missing(name, node), values }
    }

    fn wise(&mut self, cursor: &mut TreeCursor<'_>) -> Wise {
        let mut wise = Wise::Pairwise;
        self.children(cursor, |this, field, cursor| {
            if field == Field::Strength {
                wise = Wise::Strength(this.written(cursor.node()));
            }
        });
        wise
    }

    fn module_decl(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut value) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Value => value = Some(this.module(cursor)),
            _ => {}
        });
        Decl::Module { name: self.name_or_missing(name, node), value: self.module_or_missing(value, node) }
    }

    fn implementation(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut main, mut module) = (None, None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Main => main = Some(this.name(cursor.node())),
            Field::Module => module = Some(this.module(cursor)),
            _ => {}
        });
        Decl::Implementation { name: self.name_or_missing(name, node), main, module: self.module_or_missing(module, node) }
    }

    fn module(&mut self, cursor: &mut TreeCursor<'_>) -> ModuleId {
        let node = cursor.node();
        let module = self.nested(node, |this| this.module_node(cursor)).unwrap_or(Module::Missing);
        let span = self.span(node);
        self.nodes.add_module(&mut self.spans, module, span)
    }

    fn module_node(&mut self, cursor: &mut TreeCursor<'_>) -> Module {
        let node = cursor.node();
        let kind = TABLE.kind(node);
        if kind == Kind::ModuleName {
            return Module::Named(self.name(node));
        }
        let (mut modules, mut bindings, mut events, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Module => modules.push(this.module(cursor)),
            Field::Binding => bindings.push(this.binding(cursor)),
            Field::Event => events.push(this.event(cursor.node())),
            Field::Interface | Field::Spec | Field::From | Field::To | Field::Machine => names.push(this.name(cursor.node())),
            _ => {}
        });
        if let Kind::ComposeModule | Kind::UnionModule = kind {
            return if kind == Kind::ComposeModule { Module::Compose(modules) } else { Module::Union(modules) };
        }
        if kind == Kind::BindingModule {
            return Module::Bindings(bindings);
        }
        let module = self.module_or_missing(modules.first().copied(), node);
        let mut names = names.into_iter();
        match kind {
            Kind::ParenthesizedModule => Module::Paren(module),
            Kind::HideEventsModule => Module::HideEvents { events, module },
            Kind::HideInterfacesModule => Module::HideInterfaces { interfaces: names.collect(), module },
            Kind::AssertModule => Module::Assert { specs: names.collect(), module },
            Kind::RenameModule => {
                let from = self.name_or_missing(names.next(), node);
                Module::Rename { from, to: self.name_or_missing(names.next(), node), module }
            }
            Kind::MainModule => Module::Main { machine: self.name_or_missing(names.next(), node), module },
            _ => Module::Missing,
        }
    }

    fn binding(&mut self, cursor: &mut TreeCursor<'_>) -> Binding {
        let node = cursor.node();
        let (mut machine, mut interface) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Machine => machine = Some(this.name(cursor.node())),
            Field::Interface => interface = Some(this.name(cursor.node())),
            _ => {}
        });
        Binding { machine: self.name_or_missing(machine, node), interface }
    }

    fn module_or_missing(&mut self, module: Option<ModuleId>, node: Node<'_>) -> ModuleId {
        let span = self.end_of(node);
        module.unwrap_or_else(|| self.nodes.add_module(&mut self.spans, Module::Missing, span))
    }

    // ---- Proofs ----

    fn pure(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut params, mut result, mut body) = (None, Vec::new(), None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Parameters => params = this.params(cursor),
            Field::ReturnType => result = Some(this.ty(cursor)),
            Field::Body => body = Some(this.expr(cursor)),
            _ => {}
        });
        Decl::Pure { name: self.name_or_missing(name, node), params, result: self.type_or_missing(result, node), body }
    }

    fn invariant(&mut self, cursor: &mut TreeCursor<'_>) -> Invariant {
        let node = cursor.node();
        let (mut name, mut body) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Body => body = Some(this.expr(cursor)),
            _ => {}
        });
        Invariant { name: self.name_or_missing(name, node), body: self.expr_or_missing(body, node) }
    }

    fn invariant_group(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut kind, mut name, mut invariants) = (GroupKind::Lemma, None, Vec::new());
        self.children(cursor, |this, field, cursor| match (field, TABLE.kind(cursor.node())) {
            (Field::Kind, _) if cursor.node().kind() == "Theorem" => kind = GroupKind::Theorem,
            (Field::Name, _) => name = Some(this.name(cursor.node())),
            (_, Kind::InvariantDeclaration) => invariants.push(this.invariant(cursor)),
            _ => {}
        });
        Decl::InvariantGroup { kind, name: self.name_or_missing(name, node), invariants }
    }

    fn proof(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let (mut name, mut commands) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match (field, TABLE.kind(cursor.node())) {
            (Field::Name, _) => name = Some(this.name(cursor.node())),
            (_, Kind::ProveCommand) => commands.push(this.prove_command(cursor)),
            _ => {}
        });
        Decl::Proof { name, commands }
    }

    fn prove_command(&mut self, cursor: &mut TreeCursor<'_>) -> ProveCommand {
        let mut command = ProveCommand { goals: Goals::Listed(vec![]), premises: Goals::Listed(vec![]), except: Vec::new() };
        self.children(cursor, |this, field, cursor| match field {
            Field::Goal => this.goal(cursor, &mut command.goals),
            Field::Premise => this.goal(cursor, &mut command.premises),
            Field::Except => command.except.push(this.expr(cursor)),
            _ => {}
        });
        command
    }

    fn goal(&mut self, cursor: &mut TreeCursor<'_>, goals: &mut Goals) {
        match (TABLE.kind(cursor.node()), goals) {
            (Kind::All, goals) => *goals = Goals::All,
            (Kind::Default, goals) => *goals = Goals::Default,
            (_, Goals::Listed(listed)) => listed.push(self.expr(cursor)),
            _ => {}
        }
    }

    // ---- Types ----

    fn ty(&mut self, cursor: &mut TreeCursor<'_>) -> TypeId {
        let node = cursor.node();
        let ty = self.nested(node, |this| this.type_node(cursor)).unwrap_or(Type::Missing);
        let span = self.span(node);
        self.nodes.add_type(&mut self.spans, ty, span)
    }

    fn type_node(&mut self, cursor: &mut TreeCursor<'_>) -> Type {
        let node = cursor.node();
        let kind = TABLE.kind(node);
        match kind {
            Kind::TypeName => return Type::Named(self.name(node)),
            Kind::PrimitiveType => return primitive(self.text_of(node)).map_or(Type::Missing, Type::Primitive),
            _ => {}
        }
        let (mut types, mut fields) = (Vec::new(), Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Element | Field::Key | Field::Value => types.push(this.ty(cursor)),
            Field::Field => fields.push(this.typed_name(cursor)),
            _ => {}
        });
        let mut inner = types.iter().copied();
        match kind {
            Kind::SeqType => Type::Seq(self.type_or_missing(inner.next(), node)),
            Kind::SetType => Type::Set(self.type_or_missing(inner.next(), node)),
            Kind::MapType => {
                let key = self.type_or_missing(inner.next(), node);
                Type::Map(key, self.type_or_missing(inner.next(), node))
            }
            Kind::TupleType => Type::Tuple(types),
            Kind::NamedTupleType => Type::NamedTuple(fields),
            _ => Type::Missing,
        }
    }

    fn type_or_missing(&mut self, ty: Option<TypeId>, node: Node<'_>) -> TypeId {
        let span = self.end_of(node);
        ty.unwrap_or_else(|| self.nodes.add_type(&mut self.spans, Type::Missing, span))
    }

    fn end_of(&self, node: Node<'_>) -> TextRange {
        TextRange::empty(self.span(node).end())
    }

    // ---- Statements ----

    fn block(&mut self, cursor: &mut TreeCursor<'_>) -> Block {
        let mut block = Block::default();
        self.children(cursor, |this, _, cursor| {
            if TABLE.kind(cursor.node()) == Kind::VariableDeclaration {
                block.vars.push(this.var(cursor));
            } else if cursor.node().is_named() && !cursor.node().is_error() {
                block.stmts.push(this.stmt(cursor));
            }
        });
        block
    }

    fn stmt(&mut self, cursor: &mut TreeCursor<'_>) -> StmtId {
        let node = cursor.node();
        let stmt = self.nested(node, |this| this.stmt_node(cursor)).unwrap_or(Stmt::Missing);
        let span = self.span(node);
        self.nodes.add_stmt(&mut self.spans, stmt, span)
    }

    fn stmt_node(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        match TABLE.kind(node) {
            Kind::Compound => Stmt::Compound(self.block(cursor).stmts),
            Kind::Break => Stmt::Break,
            Kind::Continue => Stmt::Continue,
            Kind::Empty => Stmt::Empty,
            Kind::Receive => self.receive(cursor),
            Kind::Goto => {
                let (mut target, mut payload) = (None, Vec::new());
                self.children(cursor, |this, field, cursor| match field {
                    Field::Target => target = Some(this.name(cursor.node())),
                    Field::Payload => payload.push(this.expr(cursor)),
                    _ => {}
                });
                Stmt::Goto { target: self.name_or_missing(target, node), payload }
            }
            Kind::NewStatement => {
                let (interface, args) = self.name_and_args(cursor);
                Stmt::New { interface, args }
            }
            Kind::CallStatement => {
                let (function, args) = self.name_and_args(cursor);
                Stmt::Call { function, args }
            }
            kind @ (Kind::While | Kind::Foreach | Kind::If) => self.control(kind, cursor),
            kind => self.simple_stmt(kind, cursor),
        }
    }

    fn control(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        let (mut condition, mut variable, mut invariants) = (None, None, Vec::new());
        let (mut body, mut otherwise) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Condition | Field::Collection => condition = Some(this.expr(cursor)),
            Field::Variable => variable = Some(this.name(cursor.node())),
            Field::Invariant => invariants.push(this.condition(cursor)),
            Field::Body | Field::Then => body = Some(this.stmt(cursor)),
            Field::Else => otherwise = Some(this.stmt(cursor)),
            _ => {}
        });
        let condition = self.expr_or_missing(condition, node);
        let span = self.end_of(node);
        let body = body.unwrap_or_else(|| self.nodes.add_stmt(&mut self.spans, Stmt::Missing, span));
        match kind {
            Kind::While => Stmt::While { condition, body },
            Kind::If => Stmt::If { condition, then: body, otherwise },
            _ => {
                let variable = self.name_or_missing(variable, node);
                Stmt::Foreach { variable, collection: condition, invariants, body }
            }
        }
    }

    fn simple_stmt(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        let (mut first, mut second, mut key, mut payload) = (None, None, None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Condition | Field::Target => first = Some(this.expr(cursor)),
            Field::Message | Field::Value | Field::Event => second = Some(this.expr(cursor)),
            Field::Key => key = Some(this.expr(cursor)),
            Field::Payload => payload.push(this.expr(cursor)),
            _ => {}
        });
        match kind {
            Kind::Assert => Stmt::Assert { condition: self.expr_or_missing(first, node), message: second },
            Kind::Assume => Stmt::Assume { condition: self.expr_or_missing(first, node), message: second },
            Kind::Print => Stmt::Print { message: self.expr_or_missing(second, node) },
            Kind::Return => Stmt::Return { value: second },
            Kind::Raise => Stmt::Raise { event: self.expr_or_missing(second, node), payload },
            Kind::Announce => Stmt::Announce { event: self.expr_or_missing(second, node), payload },
            Kind::Assign | Kind::Insert | Kind::Remove | Kind::Send => {
                let target = self.expr_or_missing(first, node);
                let value = self.expr_or_missing(second, node);
                match kind {
                    Kind::Assign => Stmt::Assign { target, value },
                    Kind::Insert => Stmt::Insert { target, key, value },
                    Kind::Remove => Stmt::Remove { target, value },
                    _ => Stmt::Send { target, event: value, payload },
                }
            }
            _ => Stmt::Missing,
        }
    }

    fn receive(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        let mut cases = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field != Field::Case {
                return;
            }
            let mut case = ReceiveCase { events: vec![], param: None, block: Block::default() };
            this.children(cursor, |this, field, cursor| match field {
                Field::Event => case.events.push(this.event(cursor.node())),
                Field::Parameter => case.param = Some(this.typed_name(cursor)),
                Field::Body => case.block = this.block(cursor),
                _ => {}
            });
            cases.push(case);
        });
        Stmt::Receive { cases }
    }

    // ---- Expressions ----

    fn expr(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let expr = self.nested(node, |this| this.expr_node(cursor)).unwrap_or(Expr::Missing);
        let span = self.span(node);
        self.nodes.add_expr(&mut self.spans, expr, span)
    }

    fn expr_or_missing(&mut self, expr: Option<ExprId>, node: Node<'_>) -> ExprId {
        let span = self.end_of(node);
        expr.unwrap_or_else(|| self.nodes.add_expr(&mut self.spans, Expr::Missing, span))
    }

    /// The expression in the field `body` or `condition`.
    fn body_expr(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let mut found = None;
        self.children(cursor, |this, field, cursor| {
            if matches!(field, Field::Body | Field::Condition) {
                found = Some(this.expr(cursor));
            }
        });
        self.expr_or_missing(found, node)
    }

    fn condition(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        self.body_expr(cursor)
    }

    fn args(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<ExprId> {
        let mut args = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == Field::Argument {
                args.push(this.expr(cursor));
            }
        });
        args
    }

    fn name_and_args(&mut self, cursor: &mut TreeCursor<'_>) -> (NameId, Vec<ExprId>) {
        let node = cursor.node();
        let (mut name, mut args) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Function | Field::Interface => name = Some(this.name(cursor.node())),
            Field::Arguments => args = this.args(cursor),
            _ => {}
        });
        (self.name_or_missing(name, node), args)
    }

    fn expr_node(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        match TABLE.kind(node) {
            Kind::Identifier if node.is_missing() => Expr::Missing,
            Kind::Identifier => Expr::Name(self.name(node)),
            Kind::Integer => Expr::Int(self.text_of(node).into()),
            Kind::Float => Expr::Float(self.text_of(node).split_whitespace().collect()),
            Kind::Boolean => Expr::Bool(self.text_of(node) == "true"),
            Kind::String => Expr::String(self.text_of(node).into()),
            Kind::Null => Expr::Null,
            Kind::Halt => Expr::Halt,
            Kind::This => Expr::This,
            Kind::Nondet => Expr::Nondet { fair: self.text_of(node) == "$$" },
            Kind::NegativeInteger => self.negative_integer(cursor),
            Kind::Tuple => Expr::Tuple(self.exprs_in(Field::Element, cursor)),
            Kind::NamedTuple => self.named_tuple(cursor),
            Kind::FieldAccess | Kind::ElementAccess | Kind::Is => self.suffixed(cursor),
            Kind::NewExpression => {
                let (interface, args) = self.name_and_args(cursor);
                Expr::New { interface, args }
            }
            Kind::CallExpression => {
                let (function, args) = self.name_and_args(cursor);
                Expr::Call { function, args }
            }
            Kind::Choose => Expr::Choose(self.exprs_in(Field::Argument, cursor).first().copied()),
            Kind::Format => self.format(cursor),
            Kind::DefaultValue | Kind::Cast => self.typed_expr(cursor),
            Kind::Quantifier => self.quantifier(cursor),
            kind => self.operator_expr(kind, cursor),
        }
    }

    fn exprs_in(&mut self, wanted: Field, cursor: &mut TreeCursor<'_>) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == wanted {
                exprs.push(this.expr(cursor));
            }
        });
        exprs
    }

    fn negative_integer(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let mut operand = None;
        self.children(cursor, |this, _, cursor| {
            if cursor.node().is_named() {
                operand = Some(this.expr(cursor));
            }
        });
        Expr::Unary { op: UnaryOp::Minus, operand: self.expr_or_missing(operand, node) }
    }

    fn named_tuple(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let mut fields = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field != Field::Field {
                return;
            }
            let node = cursor.node();
            let (mut name, mut value) = (None, None);
            this.children(cursor, |this, field, cursor| match field {
                Field::Name => name = Some(this.name(cursor.node())),
                Field::Value => value = Some(this.expr(cursor)),
                _ => {}
            });
            fields.push((this.name_or_missing(name, node), this.expr_or_missing(value, node)));
        });
        Expr::NamedTuple(fields)
    }

    fn suffixed(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut value, mut name) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Value => value = Some(this.expr(cursor)),
            Field::Index => name = Some(this.written(cursor.node())),
            Field::Field | Field::Kind => name = Some(this.name(cursor.node())),
            _ => {}
        });
        let value = self.expr_or_missing(value, node);
        let name = name.unwrap_or_else(|| self.missing_name(node.end_byte()));
        match TABLE.kind(node) {
            Kind::FieldAccess => Expr::Field { value, field: name },
            Kind::ElementAccess => Expr::Element { value, index: name },
            _ => Expr::Is { value, kind: name },
        }
    }

    fn format(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut text, mut args) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Text => text = Some(this.expr(cursor)),
            Field::Argument => args.push(this.expr(cursor)),
            _ => {}
        });
        Expr::Format { text: self.expr_or_missing(text, node), args }
    }

    fn typed_expr(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut value, mut operator, mut ty) = (None, "", None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Value => value = Some(this.expr(cursor)),
            Field::Operator => operator = cursor.node().kind(),
            Field::Type => ty = Some(this.ty(cursor)),
            _ => {}
        });
        let ty = self.type_or_missing(ty, node);
        if TABLE.kind(node) == Kind::DefaultValue {
            return Expr::Default(ty);
        }
        let value = self.expr_or_missing(value, node);
        if operator == "as" { Expr::As { value, ty } } else { Expr::To { value, ty } }
    }

    fn quantifier(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut kind, mut is_new, mut bound, mut body) = (Quantifier::Forall, false, Vec::new(), None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Quantifier if cursor.node().kind() == "exists" => kind = Quantifier::Exists,
            Field::Bound => bound.push(this.typed_name(cursor)),
            Field::Body => body = Some(this.expr(cursor)),
            _ if cursor.node().kind() == "new" => is_new = true,
            _ => {}
        });
        Expr::Quantifier { kind, is_new, bound, body: self.expr_or_missing(body, node) }
    }

    /// Expressions made of an operator and one or two expressions.
    fn operator_expr(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut operator, mut first, mut second) = ("", None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Operator | Field::Function => operator = cursor.node().kind(),
            Field::Value | Field::Left | Field::Operand | Field::Message | Field::Argument => {
                first = Some(this.expr(cursor));
            }
            Field::Index | Field::Right | Field::Target => second = Some(this.expr(cursor)),
            _ => {}
        });
        let first = self.expr_or_missing(first, node);
        match (kind, operator) {
            (Kind::Parenthesized, _) => Expr::Paren(first),
            (Kind::Message, "sent") => Expr::Sent(first),
            (Kind::Message, _) => Expr::Inflight(first),
            (Kind::Builtin, "keys") => Expr::Keys(first),
            (Kind::Builtin, "values") => Expr::Values(first),
            (Kind::Builtin, _) => Expr::Sizeof(first),
            (Kind::Unary, "-") => Expr::Unary { op: UnaryOp::Minus, operand: first },
            (Kind::Unary, _) => Expr::Unary { op: UnaryOp::Not, operand: first },
            (Kind::Targets, _) => Expr::Targets { message: first, target: self.expr_or_missing(second, node) },
            (Kind::IndexAccess, _) => Expr::Index { value: first, index: self.expr_or_missing(second, node) },
            (Kind::Binary, operator) => match binary_op(operator) {
                Some(op) => Expr::Binary { op, left: first, right: self.expr_or_missing(second, node) },
                None => Expr::Missing,
            },
            _ => Expr::Missing,
        }
    }
}

fn primitive(text: &str) -> Option<Primitive> {
    Some(match text {
        "bool" => Primitive::Bool,
        "int" => Primitive::Int,
        "float" => Primitive::Float,
        "string" => Primitive::String,
        "event" => Primitive::Event,
        "machine" => Primitive::Machine,
        "data" => Primitive::Data,
        "any" => Primitive::Any,
        _ => return None,
    })
}

fn binary_op(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Mod,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "<" => BinaryOp::Lt,
        ">" => BinaryOp::Gt,
        "<=" => BinaryOp::Le,
        ">=" => BinaryOp::Ge,
        "in" => BinaryOp::In,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        "==>" => BinaryOp::Implies,
        "<==>" => BinaryOp::Iff,
        _ => return None,
    })
}
