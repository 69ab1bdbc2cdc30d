//! Which statement an instruction belongs to, found from places alone.
//!
//! The last instruction of a statement has the place of the whole statement, or of its outermost expression, and those before it have
//! places inside that. So an instruction belongs to the next one behind it in its block whose place contains its own. A jump is
//! nobody's: it has the place of the loop or condition that it closes. Neither is the end of a function that nobody wrote.

use lockstep_runtime::{Block, FileId, Frame, Function, FunctionId, Place, Program, Terminator};

/// The statements of all functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statements {
    /// By function, block and instruction, the end of the block last.
    places: Vec<Vec<Vec<Option<Place>>>>,
}

impl Statements {
    pub(crate) fn new(program: &Program) -> Self {
        let of_function = |function: &Function| function.blocks.iter().map(|block| of_block(function, block)).collect();
        Self { places: program.functions.iter().map(of_function).collect() }
    }

    /// The statement of the next instruction of a function that is running.
    pub(crate) fn at(&self, frame: &Frame) -> Option<Place> {
        self.find(frame.function, frame.block.0, frame.instr as usize)
    }

    /// The statement at which a function waits: its last instruction has been counted already.
    pub(crate) fn before(&self, frame: &Frame) -> Option<Place> {
        self.find(frame.function, frame.block.0, (frame.instr as usize).checked_sub(1)?)
    }

    fn find(&self, function: FunctionId, block: u32, instr: usize) -> Option<Place> {
        let blocks = self.places.get(function.index())?;
        blocks.get(block as usize)?.get(instr).copied().flatten()
    }

    /// All statements in a file, with their functions.
    pub(crate) fn of_file(&self, file: FileId) -> impl Iterator<Item = (usize, Place)> {
        let functions = self.places.iter().enumerate();
        let all = functions.flat_map(|(id, blocks)| blocks.iter().flatten().flatten().map(move |place| (id, *place)));
        all.filter(move |(_, place)| place.file == file)
    }
}

fn of_block(function: &Function, block: &Block) -> Vec<Option<Place>> {
    let is_written = match block.end {
        Terminator::Jump(_) => false,
        Terminator::Return(None) => block.place != function.place,
        _ => true,
    };
    let mut found = vec![is_written.then_some(block.place)];
    let mut statement = found[0];
    for instr in block.instrs.iter().rev() {
        statement = statement.filter(|around| contains(*around, instr.place)).or(Some(instr.place));
        found.push(statement);
    }
    found.reverse();
    found
}

/// Whether the first place is around the second, or the same.
pub(crate) fn contains(outer: Place, inner: Place) -> bool {
    outer.file == inner.file && outer.range.contains_range(inner.range)
}
