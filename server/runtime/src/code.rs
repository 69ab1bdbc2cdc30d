//! Code: basic blocks of three-address instructions.
//!
//! The blocks of a function are numbered in reverse post-order: a jump to a block with a smaller number closes a loop, and whoever
//! runs several paths at once and always continues the one in the smallest block lets paths meet where they join.
//!
//! An expression's parts are put into slots one after the other, but variables are read where they are used: in `x + f()` the sum
//! sees what `f` did to `x`, as in P.

use smol_str::SmolStr;

use crate::program::{
    AbstractionId, ConstId, CreatedId, EventId, EventSetId, FieldId, FunctionId, MachineTypeId, NamesId, Place, StateId, TypeId,
    Variable,
};

/// A variable or intermediate value of a function, by number. Parameters come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// The number of a block in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// A function or the code of a handler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Empty for the code of a handler.
    pub name: SmolStr,
    /// Whose it is; `None` for a global function.
    pub machine: Option<MachineTypeId>,
    pub param_count: u32,
    /// The first `param_count` are parameters, those without a name intermediate values.
    pub slots: Vec<Variable>,
    /// Starts with the first. None for a function in another language.
    pub blocks: Vec<Block>,
    pub place: Place,
}

impl Function {
    pub fn is_foreign(&self) -> bool {
        self.blocks.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub end: Terminator,
    /// Where the last instruction is.
    pub place: Place,
    /// Slots that nobody reads after a wait at the end of this block; see `Instr::dead`.
    pub dead: Box<[Slot]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instr {
    pub op: Op,
    pub place: Place,
    /// Slots that nobody reads after this instruction, where a run can pause or wait for a call at it. They are emptied then, so
    /// that machines that will do the same are the same.
    pub dead: Box<[Slot]>,
}

/// Where a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Slot(Slot),
    /// A variable of the machine.
    Field(u32),
    Const(ConstId),
}

/// What is changed: a variable, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    pub root: Root,
    pub path: Box<[Access]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    Slot(Slot),
    Field(u32),
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The element of a tuple.
    Element(u32),
    /// The field of a named tuple.
    Field(FieldId),
    /// The element of a sequence, or the value of a key in a map.
    Index(Operand),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Copy {
        to: Slot,
        from: Operand,
    },
    /// `target = from`
    Store {
        target: Target,
        from: Operand,
    },
    Unary {
        to: Slot,
        op: Unary,
        operand: Operand,
    },
    Binary {
        to: Slot,
        op: Binary,
        left: Operand,
        right: Operand,
    },
    Tuple {
        to: Slot,
        elements: Box<[Operand]>,
    },
    Named {
        to: Slot,
        names: NamesId,
        elements: Box<[Operand]>,
    },
    Element {
        to: Slot,
        tuple: Operand,
        index: u32,
    },
    Field {
        to: Slot,
        tuple: Operand,
        field: FieldId,
    },
    Index {
        to: Slot,
        collection: Operand,
        index: Operand,
    },
    Contains {
        to: Slot,
        item: Operand,
        collection: Operand,
    },
    Size {
        to: Slot,
        collection: Operand,
    },
    Keys {
        to: Slot,
        map: Operand,
    },
    Values {
        to: Slot,
        map: Operand,
    },
    /// What `foreach` goes through: the elements of a sequence or set, as a sequence.
    Elements {
        to: Slot,
        collection: Operand,
    },
    /// `from as ty`
    Cast {
        to: Slot,
        from: Operand,
        ty: TypeId,
    },
    /// `from to ...`
    Convert {
        to: Slot,
        from: Operand,
        into: Conversion,
    },
    /// `target += (key, value)`, or `target += (value)`
    Insert {
        target: Target,
        key: Option<Operand>,
        value: Operand,
    },
    /// `target -= key`
    Remove {
        target: Target,
        key: Operand,
    },
    Format {
        to: Slot,
        pieces: Box<[Piece]>,
        values: Box<[Operand]>,
    },
    This {
        to: Slot,
    },
    /// `$`, `$$` and `choose()`; with a value, one of the numbers below it or one of its elements.
    Choose {
        to: Slot,
        among: Option<Operand>,
        is_fair: bool,
        /// Whether it does not matter which of many numbers it is.
        is_abstract: bool,
    },
    /// A value in which some numbers are not told apart.
    Abstract {
        to: Slot,
        from: Operand,
        abstraction: AbstractionId,
    },
    Call {
        to: Option<Slot>,
        function: FunctionId,
        args: Box<[Operand]>,
    },
    New {
        to: Option<Slot>,
        created: CreatedId,
        payload: Option<Operand>,
    },
    Send {
        target: Operand,
        event: Operand,
        payload: Option<Operand>,
    },
    Announce {
        event: Operand,
        payload: Option<Operand>,
    },
    Print {
        text: Operand,
    },
}

impl Op {
    /// The slot that it writes as a whole.
    pub fn written(&self) -> Option<Slot> {
        crate::lower::written(self)
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    Jump(BlockId),
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Return(Option<Operand>),
    Goto {
        state: StateId,
        payload: Option<Operand>,
    },
    Raise {
        event: Operand,
        payload: Option<Operand>,
    },
    /// Waits for one of these events, or `halt`.
    Receive(Box<[Case]>),
    /// An assertion that does not hold.
    Fail {
        message: Option<Operand>,
    },
    /// Something that cannot be run, in words.
    Unsupported(SmolStr),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    pub event: EventId,
    /// Where what the event carries is put, and which type it must have.
    pub param: Option<(Slot, TypeId)>,
    pub block: BlockId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// What `to` makes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    Int,
    Float,
    /// A reference that may be sent these events.
    Reference(EventSetId),
}

/// A piece of the text of `format`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    Text(SmolStr),
    /// The value with this number.
    Value(u32),
}
