//! The typed tree of IceT: plain data, without positions.
//!
//! A file is a list of items, each lowered on its own; positions are kept beside the data (`Spans`), relative to the item's
//! start. So an edit elsewhere leaves an item equal to what it was, and white space or a comment inside it changes its spans
//! only. What broken text leaves out is a hole: an empty name, `Missing`.

use la_arena::{Arena, Idx};
use lockstep_base::{TextRange, TextSize};
use smol_str::SmolStr;

use crate::tree::{self, node_kinds};
pub use crate::tree::{Name, Placed, Quantifier, UnaryOp};

pub type NameId = Idx<Name>;
pub type TypeId = Idx<Type>;
pub type PatternId = Idx<Pattern>;
pub type ExprId = Idx<Expr>;
pub type StmtId = Idx<Stmt>;

pub type File = tree::File<Item>;

/// A top-level declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct Item {
    pub decl: Decl,
    pub nodes: Nodes,
    pub spans: Spans,
    /// The first place that is nested too deep to follow, relative to the item.
    pub too_deep: Option<TextRange>,
    pub len: TextSize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decl {
    /// Without a definition: a type of which only equality is known.
    Type {
        name: NameId,
        definition: Option<TypeId>,
    },
    Enum {
        name: NameId,
        elements: Vec<EnumElement>,
    },
    Message {
        name: NameId,
        payload: Vec<Part>,
    },
    Set {
        name: NameId,
        superset: Option<NameId>,
    },
    /// Without a value: a parameter.
    Const {
        name: NameId,
        ty: TypeId,
        value: Option<ExprId>,
    },
    Var(Var),
    /// With a set: one process for each member, and the name is the member's own pid.
    Process {
        name: NameId,
        set: Option<NameId>,
        body: Body,
    },
    Sequential(Body),
    Assume(ExprId),
    Invariant(Claim),
    Ensures(Claim),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumElement {
    pub name: NameId,
    pub payload: Vec<Part>,
}

/// A part of what a message or an enum element carries. Its name is documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: Option<NameId>,
    pub ty: TypeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedName {
    pub name: NameId,
    pub ty: TypeId,
}

/// `ghost var a, b: T = e;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    pub is_ghost: bool,
    pub names: Vec<NameId>,
    pub ty: TypeId,
    pub value: Option<ExprId>,
}

/// The code of a process, or of the sequential part of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub vars: Vec<Var>,
    pub stmts: Block,
}

/// The condition of an `invariant` or `ensures`, with its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub name: Option<NameId>,
    pub condition: ExprId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Missing,
    Primitive(Primitive),
    Named(NameId),
    Set(TypeId),
    Map(TypeId, TypeId),
    Tuple(Vec<TypeId>),
    Record(Vec<TypedName>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    Bool,
    Int,
    Pid,
}

/// Statements in order. Where a block is missing, its only statement is `Missing`.
pub type Block = Vec<StmtId>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    Missing,
    Assign {
        target: PatternId,
        value: ExprId,
    },
    Send {
        message: NameId,
        args: Vec<ExprId>,
        target: ExprId,
    },
    Receive {
        reception: Reception,
        timeout: Option<Block>,
    },
    /// `recv { case ... }`
    Select {
        cases: Vec<ReceiveCase>,
        timeout: Option<Block>,
    },
    /// `otherwise` is empty without `else`, and a single `If` after `else if`.
    If {
        condition: Condition,
        then: Block,
        otherwise: Block,
    },
    Match {
        value: ExprId,
        cases: Vec<MatchCase>,
        default: Option<Block>,
    },
    Choose {
        branches: Vec<Block>,
    },
    While {
        condition: Condition,
        invariants: Vec<Claim>,
        body: Block,
    },
    For(SetLoop),
    Foreach(SetLoop),
    Parallel {
        member: Member,
        body: Block,
    },
    Repeat {
        count: ExprId,
        index: Option<NameId>,
        invariants: Vec<Claim>,
        body: Block,
    },
    /// Without a count: for ever.
    Rounds {
        count: Option<ExprId>,
        index: NameId,
        invariants: Vec<Claim>,
        body: Block,
    },
    Break,
    Pick {
        target: ExprId,
        set: ExprId,
    },
    Havoc {
        target: ExprId,
    },
    Assume {
        condition: ExprId,
    },
    /// The message as written, with its quotes.
    Assert {
        condition: ExprId,
        message: Option<SmolStr>,
    },
    Invariant(Claim),
    Atomic(Block),
    Skip,
    /// The message as written, with its quotes.
    Fail {
        message: Option<SmolStr>,
    },
}

/// `M(patterns) from sender in source`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reception {
    pub message: NameId,
    pub patterns: Vec<PatternId>,
    /// The variable that the sender's pid is stored in.
    pub sender: Option<NameId>,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Any,
    /// A pid or a set of pids.
    From(ExprId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiveCase {
    pub reception: Reception,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchCase {
    pub element: NameId,
    pub patterns: Vec<PatternId>,
    pub body: Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `*`: either way.
    Nondet,
    Holds(ExprId),
}

/// The head of a `for` or `foreach`, and its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetLoop {
    pub member: Member,
    /// The name of the set of members whose turn is over.
    pub done: Option<NameId>,
    pub invariants: Vec<Claim>,
    pub body: Block,
}

/// `variable in set`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// `None` for `_`.
    pub variable: Option<NameId>,
    pub set: ExprId,
}

/// What a value is stored in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    Missing,
    Wildcard,
    /// A variable, a part of it or an element of it: `Name`, `Field`, `Element` and `Index` only.
    Place(ExprId),
    Tuple(Vec<PatternId>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Missing,
    Name(NameId),
    /// The digits as written.
    Int(SmolStr),
    Bool(bool),
    Paren(ExprId),
    Tuple(Vec<ExprId>),
    Record(Vec<(NameId, ExprId)>),
    Set(Vec<ExprId>),
    /// A record's field, or a variable of the process that the value names.
    Field {
        value: ExprId,
        field: NameId,
    },
    /// The index as written.
    Element {
        value: ExprId,
        index: NameId,
    },
    Index {
        value: ExprId,
        index: ExprId,
    },
    /// A built-in function, or an element of an enum with its payload.
    Call {
        function: NameId,
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
    Quantifier {
        kind: Quantifier,
        bound: Vec<TypedName>,
        body: ExprId,
    },
    Comprehension {
        bound: TypedName,
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
    Subset,
    Eq,
    Ne,
    And,
    Or,
    Implies,
    Iff,
}

/// The nodes of one item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    pub names: Arena<Name>,
    pub types: Arena<Type>,
    pub patterns: Arena<Pattern>,
    pub exprs: Arena<Expr>,
    pub stmts: Arena<Stmt>,
}

/// Where those nodes are, relative to the start of the item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    names: Vec<TextRange>,
    types: Vec<TextRange>,
    patterns: Vec<TextRange>,
    exprs: Vec<TextRange>,
    stmts: Vec<TextRange>,
}

node_kinds! {
    Name, names, add_name;
    Type, types, add_type;
    Pattern, patterns, add_pattern;
    Expr, exprs, add_expr;
    Stmt, stmts, add_stmt;
}

impl Item {
    /// The name the item declares, or a claim's label.
    pub fn name(&self) -> Option<NameId> {
        match &self.decl {
            Decl::Type { name, .. }
            | Decl::Enum { name, .. }
            | Decl::Message { name, .. }
            | Decl::Set { name, .. }
            | Decl::Const { name, .. }
            | Decl::Process { name, .. } => Some(*name),
            Decl::Var(var) => var.names.first().copied(),
            Decl::Invariant(claim) | Decl::Ensures(claim) => claim.name,
            Decl::Sequential(_) | Decl::Assume(_) => None,
        }
    }
}
