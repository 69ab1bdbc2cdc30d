//! The typed tree of P: plain data, without positions.
//!
//! A file is a list of items. An item is lowered on its own and so is each body of code in it; positions are kept beside the
//! data (`Spans`), relative to the item's or body's start. So an edit elsewhere leaves an item equal to what it was, and white
//! space or a comment inside it changes its spans only. What broken text leaves out is a hole: an empty name, `Missing`.

use la_arena::{Arena, Idx};
use lockstep_base::{TextRange, TextSize};
use smol_str::SmolStr;

use crate::tree::{self, node_kinds};
pub use crate::tree::{Name, Placed, Quantifier, UnaryOp};

pub type NameId = Idx<Name>;
pub type TypeId = Idx<Type>;
pub type ExprId = Idx<Expr>;
pub type StmtId = Idx<Stmt>;
pub type ModuleId = Idx<Module>;
pub type PartId = Idx<Part>;

pub type File = tree::File<Item>;

/// A top-level declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct Item {
    pub decl: Decl,
    pub nodes: Nodes,
    pub spans: Spans,
    /// The code of functions and handlers, referred to by `BodyId`. Starts are relative to the item.
    pub bodies: Vec<Placed<Body>>,
    /// Names that P reserves for its proof language, and nesting too deep to follow. Ranges are relative to the item.
    pub problems: Vec<Problem>,
    pub len: TextSize,
    /// Whether some of it outside of its bodies could not be read, or text beside it that may belong to it. It may then say other
    /// things about itself than meant, and less.
    pub is_damaged: bool,
}

/// The code of one function or handler.
#[derive(Debug, PartialEq, Eq)]
pub struct Body {
    pub block: Block,
    pub nodes: Nodes,
    pub spans: Spans,
    pub len: TextSize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub range: TextRange,
    pub kind: ProblemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    ReservedName(SmolStr),
    TooDeep,
}

/// Index into `Item::bodies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decl {
    Type { name: NameId, definition: Option<TypeId> },
    Enum { name: NameId, elements: Vec<EnumElement> },
    Event { name: NameId, payload: Option<TypeId> },
    EventSet { name: NameId, events: Vec<EventRef> },
    Interface { name: NameId, payload: Option<TypeId>, receives: Vec<EventRef> },
    Machine(Machine),
    Function(Function),
    Param { names: Vec<NameId>, ty: TypeId },
    Module { name: NameId, value: ModuleId },
    Implementation { name: NameId, main: Option<NameId>, module: ModuleId },
    Test(Test),
    Pure { name: NameId, params: Vec<TypedName>, result: TypeId, body: Option<ExprId> },
    Invariant(Invariant),
    InvariantGroup { kind: GroupKind, name: NameId, invariants: Vec<Invariant> },
    Axiom { body: ExprId },
    InitCondition { body: ExprId },
    Proof { name: Option<NameId>, commands: Vec<ProveCommand> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumElement {
    pub part: PartId,
    pub name: NameId,
    /// The number as written.
    pub value: Option<NameId>,
}

/// An event where one is named; `halt` and `null` are names here too, so that each has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventRef {
    pub kind: EventKind,
    pub name: NameId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Declared,
    Halt,
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedName {
    pub name: NameId,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    Machine,
    Spec,
    Scenario,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    pub kind: MachineKind,
    pub name: NameId,
    /// `None` without such a clause: any event.
    pub receives: Option<Vec<EventRef>>,
    pub sends: Option<Vec<EventRef>>,
    pub observes: Vec<EventRef>,
    pub vars: Vec<Var>,
    pub functions: Vec<Function>,
    pub states: Vec<State>,
}

/// `var a, b : T;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    pub part: PartId,
    pub names: Vec<NameId>,
    pub ty: TypeId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub part: PartId,
    pub name: NameId,
    pub params: Vec<TypedName>,
    pub result: Option<TypeId>,
    pub code: FunctionCode,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionCode {
    Body(BodyId),
    /// Written in another language.
    Foreign {
        creates: Option<NameId>,
        result: Option<TypedName>,
        requires: Vec<ExprId>,
        ensures: Vec<ExprId>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temperature {
    Hot,
    Cold,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub part: PartId,
    pub name: NameId,
    pub is_start: bool,
    pub temperature: Option<Temperature>,
    pub items: Vec<StateItem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateItem {
    pub part: PartId,
    pub kind: StateItemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateItemKind {
    Entry(Handler),
    Exit(Handler),
    Defer(Vec<EventRef>),
    Ignore(Vec<EventRef>),
    OnDo { events: Vec<EventRef>, handler: Handler },
    OnGoto { events: Vec<EventRef>, target: NameId, with: Option<Handler> },
}

/// What to do: from the parameter or code to the code's end, or only a function's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub part: PartId,
    pub kind: HandlerKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerKind {
    Named(NameId),
    Inline { param: Option<TypedName>, body: BodyId },
    Missing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub name: NameId,
    pub main: NameId,
    pub params: Vec<TestParam>,
    pub assume: Option<ExprId>,
    pub wise: Option<Wise>,
    pub module: ModuleId,
    pub refines: Option<ModuleId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestParam {
    pub part: PartId,
    pub name: NameId,
    /// Literals: `Bool`, `Int` or a negated `Int`.
    pub values: Vec<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wise {
    Pairwise,
    /// The number as written.
    Strength(NameId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub part: PartId,
    pub name: NameId,
    pub body: ExprId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    Lemma,
    Theorem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProveCommand {
    pub part: PartId,
    pub goals: Goals,
    pub premises: Goals,
    pub except: Vec<ExprId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goals {
    Listed(Vec<ExprId>),
    All,
    Default,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub vars: Vec<Var>,
    pub stmts: Vec<StmtId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Missing,
    Primitive(Primitive),
    Named(NameId),
    Seq(TypeId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Tuple(Vec<TypeId>),
    NamedTuple(Vec<TypedName>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    Bool,
    Int,
    Float,
    String,
    Event,
    Machine,
    Data,
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    Missing,
    Compound(Vec<StmtId>),
    Assert {
        condition: ExprId,
        message: Option<ExprId>,
    },
    Assume {
        condition: ExprId,
        message: Option<ExprId>,
    },
    Print {
        message: ExprId,
    },
    Return {
        value: Option<ExprId>,
    },
    Break,
    Continue,
    Assign {
        target: ExprId,
        value: ExprId,
    },
    /// `target += (key, value)` or `target += (value)`.
    Insert {
        target: ExprId,
        key: Option<ExprId>,
        value: ExprId,
    },
    Remove {
        target: ExprId,
        value: ExprId,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    Foreach {
        variable: NameId,
        collection: ExprId,
        invariants: Vec<ExprId>,
        body: StmtId,
    },
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    New {
        interface: NameId,
        args: Vec<ExprId>,
    },
    Call {
        function: NameId,
        args: Vec<ExprId>,
    },
    Raise {
        event: ExprId,
        payload: Vec<ExprId>,
    },
    Send {
        target: ExprId,
        event: ExprId,
        payload: Vec<ExprId>,
    },
    Announce {
        event: ExprId,
        payload: Vec<ExprId>,
    },
    Goto {
        target: NameId,
        payload: Vec<ExprId>,
    },
    Receive {
        cases: Vec<ReceiveCase>,
    },
    Empty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiveCase {
    pub part: PartId,
    pub events: Vec<EventRef>,
    pub param: Option<TypedName>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Missing,
    Name(NameId),
    /// The digits as written.
    Int(SmolStr),
    /// Its tokens as written: `1.5`, `.5`, or `float(15,1)`.
    Float(SmolStr),
    Bool(bool),
    /// As written, with its quotes.
    String(SmolStr),
    Null,
    Halt,
    This,
    /// `$`, or `$$` if fair.
    Nondet {
        fair: bool,
    },
    Paren(ExprId),
    Tuple(Vec<ExprId>),
    NamedTuple(Vec<(NameId, ExprId)>),
    Field {
        value: ExprId,
        field: NameId,
    },
    Element {
        value: ExprId,
        index: NameId,
    },
    Is {
        value: ExprId,
        kind: NameId,
    },
    Targets {
        message: ExprId,
        target: ExprId,
    },
    Inflight(ExprId),
    Sent(ExprId),
    Index {
        value: ExprId,
        index: ExprId,
    },
    Keys(ExprId),
    Values(ExprId),
    Sizeof(ExprId),
    Default(TypeId),
    New {
        interface: NameId,
        args: Vec<ExprId>,
    },
    Call {
        function: NameId,
        args: Vec<ExprId>,
    },
    Choose(Option<ExprId>),
    Format {
        text: ExprId,
        args: Vec<ExprId>,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    As {
        value: ExprId,
        ty: TypeId,
    },
    To {
        value: ExprId,
        ty: TypeId,
    },
    Quantifier {
        kind: Quantifier,
        is_new: bool,
        bound: Vec<TypedName>,
        body: ExprId,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    Lt,
    Gt,
    Le,
    Ge,
    In,
    Eq,
    Ne,
    And,
    Or,
    Implies,
    Iff,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Module {
    Missing,
    Named(NameId),
    Paren(ModuleId),
    Bindings(Vec<Binding>),
    Compose(Vec<ModuleId>),
    Union(Vec<ModuleId>),
    HideEvents { events: Vec<EventRef>, module: ModuleId },
    HideInterfaces { interfaces: Vec<NameId>, module: ModuleId },
    Assert { specs: Vec<NameId>, module: ModuleId },
    Rename { from: NameId, to: NameId, module: ModuleId },
    Main { machine: NameId, module: ModuleId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub part: PartId,
    pub machine: NameId,
    /// `None`: the machine's own.
    pub interface: Option<NameId>,
}

/// A construct that is part of another and has no node of its own: its id only says where all of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part;

/// The nodes of one item or body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    pub names: Arena<Name>,
    pub types: Arena<Type>,
    pub exprs: Arena<Expr>,
    pub stmts: Arena<Stmt>,
    pub modules: Arena<Module>,
    pub parts: Arena<Part>,
}

/// Where those nodes are, relative to the start of the item or body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    names: Vec<TextRange>,
    types: Vec<TextRange>,
    exprs: Vec<TextRange>,
    stmts: Vec<TextRange>,
    modules: Vec<TextRange>,
    parts: Vec<TextRange>,
}

node_kinds! {
    Name, names, add_name;
    Type, types, add_type;
    Expr, exprs, add_expr;
    Stmt, stmts, add_stmt;
    Module, modules, add_module;
    Part, parts, add_part;
}

impl Machine {
    pub(super) fn new(kind: MachineKind, name: NameId) -> Self {
        let (receives, sends, observes) = (None, None, Vec::new());
        Self { kind, name, receives, sends, observes, vars: Vec::new(), functions: Vec::new(), states: Vec::new() }
    }
}

impl StateItem {
    /// What is done here, unless events are only deferred or ignored or the state changes without more.
    pub fn handler(&self) -> Option<&Handler> {
        match &self.kind {
            StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => Some(handler),
            StateItemKind::OnGoto { with, .. } => with.as_ref(),
            StateItemKind::Defer(_) | StateItemKind::Ignore(_) => None,
        }
    }
}

impl Item {
    /// The name the item declares; axioms, initial conditions and unnamed proofs have none.
    pub fn name(&self) -> Option<NameId> {
        match &self.decl {
            Decl::Type { name, .. }
            | Decl::Enum { name, .. }
            | Decl::Event { name, .. }
            | Decl::EventSet { name, .. }
            | Decl::Interface { name, .. }
            | Decl::Module { name, .. }
            | Decl::Implementation { name, .. }
            | Decl::Pure { name, .. }
            | Decl::InvariantGroup { name, .. } => Some(*name),
            Decl::Machine(machine) => Some(machine.name),
            Decl::Function(function) => Some(function.name),
            Decl::Test(test) => Some(test.name),
            Decl::Invariant(invariant) => Some(invariant.name),
            Decl::Param { names, .. } => names.first().copied(),
            Decl::Proof { name, .. } => *name,
            Decl::Axiom { .. } | Decl::InitCondition { .. } => None,
        }
    }

    pub fn body(&self, id: BodyId) -> &Placed<Body> {
        &self.bodies[id.0 as usize]
    }
}
