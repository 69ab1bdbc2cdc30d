//! The same values, machines and queues with other names for machines.
//!
//! P programs can compare machines with `==` and nothing else, so a system in which machines that one creator has created have exchanged
//! their names behaves as before. The exception are texts: `format` writes names into them, see `shows_names`.

use std::sync::Arc;

use crate::code::{Conversion, Function, Op, Operand, Terminator};
use crate::identity::MachineId;
use crate::local::{Control, Frame, Local, Message, Pending, Task};
use crate::lower::{reads_of, reads_of_end, written};
use crate::program::{Program, Type, TypeId};
use crate::value::{Items, Named, Reference, Table, Value};
use crate::{Lane, Queue};

impl Value {
    /// The same value with other names for machines.
    pub fn renamed(&self, name: &dyn Fn(&MachineId) -> MachineId) -> Self {
        let items = |items: &Items| Items::new(items.iter().map(|item| item.renamed(name)).collect());
        match self {
            Self::Machine(machine) => Self::Machine(Arc::new(Reference { id: name(&machine.id), ..(**machine).clone() })),
            Self::Tuple(elements) => Self::Tuple(Arc::new(items(elements))),
            Self::Seq(elements) => Self::Seq(Arc::new(items(elements))),
            Self::Named(named) => Self::Named(Arc::new(Named { names: named.names, items: items(&named.items) })),
            Self::Set(table) => Self::Set(Arc::new(renamed_table(table, name))),
            Self::Map(table) => Self::Map(Arc::new(renamed_table(table, name))),
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Enum(..)
            | Self::Float(_)
            | Self::String(_)
            | Self::Event(_)
            | Self::Some(_) => self.clone(),
        }
    }

    /// Calls `visit` with every machine that the value leads to. In which order does not depend on their names.
    pub fn each_machine(&self, visit: &mut dyn FnMut(&MachineId)) {
        match self {
            Self::Machine(machine) => visit(&machine.id),
            Self::Tuple(items) | Self::Seq(items) => items.iter().for_each(|item| item.each_machine(visit)),
            Self::Named(named) => named.items.iter().for_each(|item| item.each_machine(visit)),
            Self::Set(table) | Self::Map(table) => {
                for (key, value) in table.iter() {
                    key.each_machine(visit);
                    value.each_machine(visit);
                }
            }
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Enum(..)
            | Self::Float(_)
            | Self::String(_)
            | Self::Event(_)
            | Self::Some(_) => {}
        }
    }
}

/// Entries keep their order, which is the order of addition.
fn renamed_table(table: &Table, name: &dyn Fn(&MachineId) -> MachineId) -> Table {
    let mut renamed = Table::default();
    table.iter().for_each(|(key, value)| renamed.add(key.renamed(name), value.renamed(name)));
    renamed
}

impl Message {
    pub fn renamed(&self, name: &dyn Fn(&MachineId) -> MachineId) -> Self {
        Self { event: self.event, payload: self.payload.renamed(name) }
    }
}

impl Local {
    /// The same machine, knowing others by other names.
    pub fn renamed(&self, name: &dyn Fn(&MachineId) -> MachineId) -> Self {
        let values = |values: &[Value]| values.iter().map(|value| value.renamed(name)).collect();
        let control = match &self.control {
            Control::Created(payload) => Control::Created(payload.renamed(name)),
            Control::Paused(Pending::Send { target, message }) => {
                Control::Paused(Pending::Send { target: name(target), message: message.renamed(name) })
            }
            Control::Paused(Pending::Create { interface, payload, to }) => {
                Control::Paused(Pending::Create { interface: *interface, payload: payload.renamed(name), to: *to })
            }
            Control::Waiting => Control::Waiting,
            Control::NullTaken => Control::NullTaken,
            Control::Receiving => Control::Receiving,
            Control::Halted => Control::Halted,
        };
        let frames = self.frames.iter().map(|frame| Frame { slots: values(&frame.slots), ..frame.clone() }).collect();
        let task = |task: &Task| match task {
            Task::With(function, message) => Task::With(*function, message.renamed(name)),
            Task::Enter(state, message) => Task::Enter(*state, message.renamed(name)),
            Task::Halt => Task::Halt,
            Task::Unhandled(event) => Task::Unhandled(*event),
        };
        let agenda = self.agenda.iter().map(task).collect();
        Self { control, fields: values(&self.fields), frames, agenda, ..self.clone() }
    }

    /// Calls `visit` with every machine that this one knows. In which order does not depend on their names.
    pub fn each_machine(&self, visit: &mut dyn FnMut(&MachineId)) {
        self.fields.iter().for_each(|field| field.each_machine(visit));
        self.frames.iter().flat_map(|frame| &frame.slots).for_each(|slot| slot.each_machine(visit));
        match &self.control {
            Control::Created(payload) | Control::Paused(Pending::Create { payload, .. }) => payload.each_machine(visit),
            Control::Paused(Pending::Send { target, message }) => {
                visit(target);
                message.payload.each_machine(visit);
            }
            Control::Waiting | Control::NullTaken | Control::Receiving | Control::Halted => {}
        }
        for task in &self.agenda {
            match task {
                Task::With(_, message) | Task::Enter(_, message) => message.payload.each_machine(visit),
                Task::Halt | Task::Unhandled(_) => {}
            }
        }
    }
}

impl Queue {
    pub fn renamed(&self, name: &dyn Fn(&MachineId) -> MachineId) -> Self {
        let mut lanes: Vec<Lane> = self.lanes.iter().map(|lane| lane.renamed(name)).collect();
        lanes.sort_by(|a, b| a.from.cmp(&b.from));
        Self { lanes }
    }
}

impl Lane {
    pub fn renamed(&self, name: &dyn Fn(&MachineId) -> MachineId) -> Self {
        let messages = self.messages.iter().map(|message| message.renamed(name)).collect();
        Self { from: self.from.as_ref().map(name), messages }
    }
}

/// For each interface, whether all machines that are created as it are given nothing, the same, or machines only. Others are told apart by
/// what they are given, most of the time, and their names need not be exchanged.
pub fn are_created_alike(program: &Program) -> Vec<bool> {
    let mut alike = vec![true; program.interfaces.len()];
    for function in &program.functions {
        for op in function.blocks.iter().flat_map(|block| &block.instrs).map(|instr| &instr.op) {
            let Op::New { created, payload: Some(payload), .. } = op else { continue };
            if is_machines_only(program, function, *payload) {
                continue;
            }
            for interface in program.interfaces.iter().filter_map(|creator| creator.links.get(created.index()).copied().flatten())
            {
                alike[interface.index()] = false;
            }
        }
    }
    alike
}

/// Whether a value consists of machines and constants, as far as can be told.
fn is_machines_only(program: &Program, function: &Function, value: Operand) -> bool {
    let slot = match value {
        Operand::Const(_) => return true,
        Operand::Field(field) => {
            let variable = function.machine.and_then(|machine| program.machine(machine).fields.get(field as usize));
            return variable.is_some_and(|variable| has_machines_only(program, variable.ty));
        }
        Operand::Slot(slot) => slot,
    };
    let variable = &function.slots[slot.0 as usize];
    if !variable.name.is_empty() {
        return has_machines_only(program, variable.ty);
    }
    let ops = function.blocks.iter().flat_map(|block| &block.instrs).map(|instr| &instr.op);
    // An intermediate value is written before it is read, so this goes backwards and ends.
    ops.filter(|op| written(op) == Some(slot)).all(|op| match op {
        Op::This { .. } | Op::New { .. } => true,
        Op::Tuple { elements, .. } | Op::Named { elements, .. } => {
            elements.iter().all(|element| *element != value && is_machines_only(program, function, *element))
        }
        _ => false,
    })
}

fn has_machines_only(program: &Program, ty: TypeId) -> bool {
    match program.ty(ty) {
        Type::Machine | Type::Null | Type::Event => true,
        Type::Seq(element) | Type::Set(element) => has_machines_only(program, *element),
        Type::Map(key, value) => has_machines_only(program, *key) && has_machines_only(program, *value),
        Type::Tuple(elements) | Type::Named(_, elements) => elements.iter().all(|ty| has_machines_only(program, *ty)),
        Type::Any | Type::Foreign(_) | Type::Bool | Type::Int | Type::Float | Type::String | Type::Enum(_) => false,
    }
}

/// Whether a name of a machine can get into a text that is more than printed or part of the message of an assertion. Then machines
/// are told apart by their names.
pub fn shows_names(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        instrs.map(|instr| &instr.op).any(|op| match op {
            Op::Format { to, values, .. } => {
                values.iter().any(|value| may_be_machine(program, function, *value)) && !is_only_shown(function, *to)
            }
            _ => false,
        })
    })
}

/// Whether a text is only printed, or the message of an assertion that does not hold.
fn is_only_shown(function: &Function, text: crate::code::Slot) -> bool {
    let mut is_used = false;
    for block in &function.blocks {
        for op in block.instrs.iter().map(|instr| &instr.op).filter(|op| !matches!(op, Op::Print { .. })) {
            reads_of(op, |slot| is_used |= slot == text);
        }
        if !matches!(block.end, Terminator::Fail { .. }) {
            reads_of_end(&block.end, |slot| is_used |= slot == text);
        }
    }
    !is_used
}

/// Whether a value can be or contain a machine, as far as types tell.
fn may_be_machine(program: &Program, function: &Function, value: Operand) -> bool {
    match value {
        Operand::Const(_) => false,
        Operand::Field(field) => {
            let variable = function.machine.and_then(|machine| program.machine(machine).fields.get(field as usize));
            variable.is_none_or(|variable| may_contain_machine(program, variable.ty))
        }
        Operand::Slot(slot) => {
            let variable = &function.slots[slot.0 as usize];
            if !variable.name.is_empty() {
                return may_contain_machine(program, variable.ty);
            }
            // An intermediate value: whatever the instructions give that write it.
            let ops = function.blocks.iter().flat_map(|block| &block.instrs).map(|instr| &instr.op);
            ops.filter(|op| written(op) == Some(slot)).any(|op| !gives_no_machine(op))
        }
    }
}

fn gives_no_machine(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Size { .. }
            | Op::Contains { .. }
            | Op::Format { .. }
            | Op::Convert { into: Conversion::Int | Conversion::Float, .. }
    )
}

fn may_contain_machine(program: &Program, ty: TypeId) -> bool {
    match program.ty(ty) {
        Type::Any | Type::Machine | Type::Foreign(_) => true,
        Type::Null | Type::Bool | Type::Int | Type::Float | Type::String | Type::Event | Type::Enum(_) => false,
        Type::Seq(element) | Type::Set(element) => may_contain_machine(program, *element),
        Type::Map(key, value) => may_contain_machine(program, *key) || may_contain_machine(program, *value),
        Type::Tuple(elements) | Type::Named(_, elements) => elements.iter().any(|ty| may_contain_machine(program, *ty)),
    }
}
