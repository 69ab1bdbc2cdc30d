//! A resolved IceT program: every name replaced by what it stands for, every statement with a number and a place.
//!
//! Only programs without static errors are brought into this form, so whoever works on it need not fear ill-typed operands, unknown
//! names or misplaced statements. Nodes are plain trees; statements are kept in one list and known by number, because rewriting, traces
//! and diagnostics all point at them.

use std::sync::Arc;

use lockstep_base::TextRange;
pub use lockstep_syntax::icet::ast::BinaryOp;
pub use lockstep_syntax::icet::ast::{Quantifier, UnaryOp};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// Declares types that number things of one kind.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

numbers! {
    SetId;
    EnumId;
    /// A type without definition.
    OpaqueId;
    MessageId;
    ConstId;
    ProcessId;
    /// A variable of a process, of the `sequential` block, or a shared ghost; counted in its owner.
    VarId;
    /// What a loop, a quantifier or a comprehension names: a member, an index, a set of those done. Counted in its process, each
    /// binding its own.
    LocalId;
    StmtId;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub sets: Vec<Set>,
    pub enums: Vec<Enum>,
    pub opaque: Vec<SmolStr>,
    pub messages: Vec<Message>,
    pub consts: Vec<Const>,
    /// Ghost variables outside processes.
    pub shared: Vec<Var>,
    pub processes: Vec<Process>,
    pub sequential: Option<Code>,
    pub assumes: Vec<Claim>,
    pub invariants: Vec<Claim>,
    pub ensures: Vec<Claim>,
    /// What expressions outside of code name, by `LocalId`: those of constants, shared ghosts, assumes, invariants and ensures.
    pub locals: Vec<Local>,
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    pub name: SmolStr,
    pub superset: Option<SetId>,
    /// Where its name is declared. All ranges are in the file.
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    pub name: SmolStr,
    pub elements: Vec<EnumElement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EnumElement {
    pub name: SmolStr,
    pub payload: Vec<Type>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub name: SmolStr,
    pub payload: Vec<Type>,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    pub name: SmolStr,
    pub ty: Type,
    /// Without a value: a parameter.
    pub value: Option<Expr>,
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    pub name: SmolStr,
    pub ty: Type,
    pub is_ghost: bool,
    pub value: Option<Expr>,
}

/// One process, or one for each member of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    pub name: SmolStr,
    pub set: Option<SetId>,
    pub range: TextRange,
    pub code: Code,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    pub vars: Vec<Var>,
    /// The names of its locals, by `LocalId`.
    pub locals: Vec<Local>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    pub name: SmolStr,
    pub ty: Type,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub name: Option<SmolStr>,
    pub condition: Expr,
    /// Where the condition stands.
    pub range: TextRange,
}

/// Two types are the same if they are equal: aliases are gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Int,
    Bool,
    Pid(Whose),
    Enum(EnumId),
    Opaque(OpaqueId),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Tuple(Vec<Type>),
    Record(Vec<(SmolStr, Type)>),
}

/// Which processes a pid can be of, besides nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    Anybody,
    Process(ProcessId),
    Member(SetId),
}

pub type Block = Arc<[StmtId]>;

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    /// The whole statement.
    pub range: TextRange,
    /// Whose code it is in; `None` in `sequential`.
    pub process: Option<ProcessId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Assign {
        target: Pattern,
        value: Expr,
    },
    Send {
        message: MessageId,
        args: Vec<Expr>,
        target: Expr,
    },
    /// One case for `recv M from p`, which has an empty body then; what follows it follows the statement.
    Receive {
        cases: Vec<Case>,
        timeout: Option<Block>,
    },
    If {
        condition: Condition,
        then: Block,
        otherwise: Block,
    },
    /// Arms for all elements of the enum, or a default.
    Match {
        value: Expr,
        arms: Vec<Arm>,
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
    /// Only in `sequential`.
    Parallel {
        member: Option<LocalId>,
        set: Expr,
        body: Block,
    },
    Repeat {
        count: Expr,
        index: Option<LocalId>,
        invariants: Vec<Claim>,
        body: Block,
    },
    /// Without a count: for ever.
    Rounds {
        count: Option<Expr>,
        index: LocalId,
        invariants: Vec<Claim>,
        body: Block,
    },
    Break,
    Pick {
        target: Place,
        set: Expr,
    },
    Havoc {
        target: Place,
    },
    Assume(Expr),
    Assert {
        condition: Expr,
        message: Option<SmolStr>,
    },
    Invariant(Claim),
    Atomic(Block),
    Skip,
    Fail {
        message: Option<SmolStr>,
    },
}

/// `M(patterns) from sender in source`, and what is done then.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub message: MessageId,
    pub patterns: Vec<Pattern>,
    /// Where the sender's pid is stored.
    pub sender: Option<Place>,
    pub source: Source,
    pub body: Block,
    /// From the message to the source.
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Any,
    /// A pid.
    One(Expr),
    /// A set of pids.
    Of(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `*`: either way.
    Either,
    Holds(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub element: u32,
    pub patterns: Vec<Pattern>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SetLoop {
    pub member: Option<LocalId>,
    pub set: Expr,
    pub done: Option<LocalId>,
    pub invariants: Vec<Claim>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Wildcard,
    Place(Place),
    Tuple(Vec<Pattern>),
}

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub root: Root,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Root {
    /// A variable of the executing process; in `sequential`, of the block.
    Own(VarId),
    /// A shared ghost.
    Shared(VarId),
    /// A variable of the process with this pid, which is one of `process`: `p.x`, only in `sequential`.
    Of { pid: Box<Expr>, process: ProcessId, var: VarId },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A part of a tuple or record, by number.
    Part(u32),
    Key(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Integers have no bounds; whoever computes with them says so when they become too large.
    Int(i128),
    Bool(bool),
    /// The pid of the one process of this name.
    Process(ProcessId),
    /// In the code of `process c in S`, the own pid.
    Me,
    /// All members.
    Set(SetId),
    Const(ConstId),
    Own(VarId),
    Shared(VarId),
    Local(LocalId),
    /// `p.x`: a variable of the process with this pid, which is one of `process`.
    Of {
        pid: Box<Expr>,
        process: ProcessId,
        var: VarId,
    },
    Tuple(Vec<Expr>),
    /// In the order of the type's fields, with their names.
    Record(Vec<(SmolStr, Expr)>),
    SetOf(Vec<Expr>),
    Element {
        of: EnumId,
        element: u32,
        args: Vec<Expr>,
    },
    Part(Box<Expr>, u32),
    Key(Box<Expr>, Box<Expr>),
    Card(Box<Expr>),
    Here(Box<Expr>),
    Finished(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Quantifier {
        kind: Quantifier,
        bound: Vec<(LocalId, Type)>,
        body: Box<Expr>,
    },
    Comprehension {
        bound: LocalId,
        ty: Type,
        body: Box<Expr>,
    },
}

impl Program {
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.index()]
    }

    pub fn set(&self, id: SetId) -> &Set {
        &self.sets[id.index()]
    }

    /// The code of a process; without one, of the `sequential` block.
    pub fn code(&self, process: Option<ProcessId>) -> Option<&Code> {
        match process {
            Some(process) => Some(&self.process(process).code),
            None => self.sequential.as_ref(),
        }
    }

    /// The process whose code the members of a set run: that of the set, or of the set it is a subset of.
    pub fn code_of(&self, set: SetId) -> Option<ProcessId> {
        let mut set = set;
        loop {
            let found = self.processes.iter().position(|process| process.set == Some(set));
            if let Some(found) = found {
                return u32::try_from(found).ok().map(ProcessId);
            }
            set = self.set(set).superset?;
        }
    }

    /// What a statement itself reads, without the statements in it and without its claims.
    pub fn expressions(&self, id: StmtId) -> Vec<&Expr> {
        match &self.stmt(id).kind {
            StmtKind::Assign { target, value } => target.keys().into_iter().chain([value]).collect(),
            StmtKind::Send { args, target, .. } => args.iter().chain([target]).collect(),
            StmtKind::Receive { cases, .. } => cases.iter().flat_map(Case::expressions).collect(),
            StmtKind::If { condition: Condition::Holds(condition), .. }
            | StmtKind::While { condition: Condition::Holds(condition), .. }
            | StmtKind::Assume(condition)
            | StmtKind::Assert { condition, .. } => vec![condition],
            StmtKind::Match { value, arms, .. } => {
                arms.iter().flat_map(|arm| arm.patterns.iter().flat_map(Pattern::keys)).chain([value]).collect()
            }
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => vec![&set_loop.set],
            StmtKind::Parallel { set, .. } => vec![set],
            StmtKind::Repeat { count, .. } | StmtKind::Rounds { count: Some(count), .. } => vec![count],
            StmtKind::Pick { target, set } => target.keys().into_iter().chain([set]).collect(),
            StmtKind::Havoc { target } => target.keys(),
            _ => Vec::new(),
        }
    }

    /// All statements with their numbers.
    pub fn stmts(&self) -> impl Iterator<Item = (StmtId, &Stmt)> {
        (0..).map(StmtId).zip(&self.stmts)
    }

    /// The blocks directly inside of a statement, in the order of the text.
    pub fn blocks(&self, id: StmtId) -> Vec<&Block> {
        match &self.stmt(id).kind {
            StmtKind::Receive { cases, timeout } => cases.iter().map(|case| &case.body).chain(timeout).collect(),
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Match { arms, default, .. } => arms.iter().map(|arm| &arm.body).chain(default).collect(),
            StmtKind::Choose { branches } => branches.iter().collect(),
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => vec![&set_loop.body],
            StmtKind::While { body, .. }
            | StmtKind::Parallel { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::Rounds { body, .. }
            | StmtKind::Atomic(body) => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Case {
    fn expressions(&self) -> Vec<&Expr> {
        let source = match &self.source {
            Source::One(expr) | Source::Of(expr) => Some(expr),
            Source::Any => None,
        };
        let sender = self.sender.iter().flat_map(Place::keys);
        source.into_iter().chain(self.patterns.iter().flat_map(Pattern::keys)).chain(sender).collect()
    }
}

impl Pattern {
    /// Which entries of maps it stores to.
    pub fn keys(&self) -> Vec<&Expr> {
        match self {
            Self::Wildcard => Vec::new(),
            Self::Place(place) => place.keys(),
            Self::Tuple(patterns) => patterns.iter().flat_map(Self::keys).collect(),
        }
    }
}

impl Place {
    pub fn keys(&self) -> Vec<&Expr> {
        self.path.iter().filter_map(|step| if let Step::Key(key) = step { Some(key) } else { None }).collect()
    }
}

impl Expr {
    /// The expressions directly inside, in the order of the text.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Self::Int(_) | Self::Bool(_) | Self::Process(_) | Self::Me | Self::Set(_) | Self::Const(_) => Vec::new(),
            Self::Own(_) | Self::Shared(_) | Self::Local(_) => Vec::new(),
            Self::Of { pid: inner, .. }
            | Self::Part(inner, _)
            | Self::Card(inner)
            | Self::Here(inner)
            | Self::Finished(inner)
            | Self::Unary(_, inner)
            | Self::Quantifier { body: inner, .. }
            | Self::Comprehension { body: inner, .. } => vec![inner],
            Self::Key(left, right) | Self::Binary(_, left, right) => vec![left, right],
            Self::Tuple(parts) | Self::SetOf(parts) | Self::Element { args: parts, .. } => parts.iter().collect(),
            Self::Record(fields) => fields.iter().map(|(_, value)| value).collect(),
        }
    }
}
