//! What a debugger remembers of functions that have not returned, beyond what the run itself keeps.
//!
//! Where a machine pauses or calls, the run empties variables that nobody reads any more. People want to see them all the same, so their
//! last values are kept here until they are written again. Also which of several variables with one name was written last (cases of
//! `receive` can declare the same name), and at which statement a function is, to tell when the next one begins.
//!
//! Nothing here is ever given back to the run.

use std::sync::Arc;

use lockstep_runtime::{BlockId, Frame, Function, FunctionId, Local, Op, Place, Program, Slot, Terminator, Value};

use crate::statements::{Statements, contains};

/// The functions of one machine or spec that have not returned, the innermost last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Activations {
    pub(crate) open: Vec<Arc<Activation>>,
    /// How many there have been.
    count: u64,
}

/// A function that has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    /// No other activation of this machine has it.
    pub(crate) number: u64,
    pub(crate) function: FunctionId,
    /// How many statements it has begun.
    pub(crate) statements: u64,
    /// Variables that the run has emptied, with what they were.
    pub(crate) forgotten: Vec<(Slot, Value)>,
    /// Variables in the order in which they were last written.
    written: Vec<Slot>,
    last: Option<Place>,
    block: BlockId,
    /// Whether a loop was closed since the last statement began.
    has_looped: bool,
}

impl Activations {
    /// Looks at a machine before an instruction. Gives the statement that begins with it, if one does.
    pub(crate) fn begin(&mut self, statements: &Statements, local: &Local) -> Option<Place> {
        let frame = local.frames.last()?;
        self.open.truncate(local.frames.len());
        for frame in &local.frames[self.open.len()..] {
            self.open.push(Arc::new(Activation::new(self.count, frame.function)));
            self.count += 1;
        }
        let activation = Arc::make_mut(self.open.last_mut()?);
        activation.has_looped |= frame.block < activation.block;
        activation.block = frame.block;
        activation.begin(statements.at(frame)?)
    }

    /// The same machine does this instruction now.
    pub(crate) fn pass(&mut self, program: &Program, local: &Local) {
        let (Some(frame), Some(activation)) = (local.frames.last(), self.open.last_mut()) else { return };
        let function = program.function(frame.function);
        let Some(block) = function.blocks.get(frame.block.0 as usize) else { return };
        let activation = Arc::make_mut(activation);
        match (block.instrs.get(frame.instr as usize), &block.end) {
            (Some(instr), _) => {
                if matches!(instr.op, Op::Call { .. } | Op::New { .. } | Op::Send { .. }) {
                    activation.forget(function, frame, &instr.dead);
                }
                let written = instr.op.written().filter(|slot| is_named(function, *slot));
                written.into_iter().for_each(|slot| activation.write(slot));
            }
            (None, Terminator::Receive(_)) => activation.forget(function, frame, &block.dead),
            (None, Terminator::Return(_)) => drop(self.open.pop()),
            (None, Terminator::Goto { .. } | Terminator::Raise { .. }) => self.open.clear(),
            (None, _) => {}
        }
    }

    /// An event that was waited for is put into a variable.
    pub(crate) fn receive(&mut self, slot: Slot) {
        if let Some(activation) = self.open.last_mut() {
            Arc::make_mut(activation).write(slot);
        }
    }

    /// The run is over. What was not looked at to its end is not remembered.
    pub(crate) fn settle(&mut self, local: &Local) {
        let is_right = |(known, frame): (&Arc<Activation>, &Frame)| known.function == frame.function;
        if self.open.len() != local.frames.len() || !self.open.iter().zip(&local.frames).all(is_right) {
            self.open.clear();
        }
    }
}

fn is_named(function: &Function, slot: Slot) -> bool {
    function.slots.get(slot.0 as usize).is_some_and(|variable| !variable.name.is_empty())
}

impl Activation {
    fn new(number: u64, function: FunctionId) -> Self {
        let (forgotten, written) = (Vec::new(), Vec::new());
        Self { number, function, statements: 0, forgotten, written, last: None, block: BlockId(0), has_looped: false }
    }

    fn begin(&mut self, place: Place) -> Option<Place> {
        if !self.is_new(place) {
            return None;
        }
        self.last = Some(place);
        self.has_looped = false;
        self.statements += 1;
        Some(place)
    }

    /// A condition of several parts is one statement: without a loop, what is around the last place is still the same.
    fn is_new(&self, place: Place) -> bool {
        self.has_looped || self.last.is_none_or(|last| !contains(place, last))
    }

    fn forget(&mut self, function: &Function, frame: &Frame, dead: &[Slot]) {
        for slot in dead {
            let is_known = self.forgotten.iter().any(|(known, _)| known == slot);
            if is_named(function, *slot) && !is_known {
                self.forgotten.extend(frame.slots.get(slot.0 as usize).map(|value| (*slot, value.clone())));
            }
        }
    }

    fn write(&mut self, slot: Slot) {
        self.forgotten.retain(|(known, _)| *known != slot);
        self.written.retain(|known| *known != slot);
        self.written.push(slot);
    }

    /// How recently a variable was written; larger is later.
    pub(crate) fn recency(&self, slot: Slot) -> Option<usize> {
        self.written.iter().position(|known| *known == slot)
    }
}
