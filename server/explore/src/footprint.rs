//! What machines may ever do, read off their code: an over-approximation, for the reduction.

use lockstep_runtime::{EventId, EventSet, FunctionId, InterfaceId, MachineTypeId, Op, Operand, Program, Reaction, State, Value};
use rustc_hash::FxHashSet;

use crate::steps::monitor_bit;

/// Facts by interface: what a machine was created as.
pub(crate) struct Footprints {
    all: Vec<Footprint>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Monitors that it, or a machine it creates, may ever tell of something; bits as in `Touched::tells`.
    pub(crate) may_tell: u64,
    /// Whether it can get hold of a reference to itself without being given one.
    pub(crate) names_itself: bool,
    /// Whether it does something when nothing has arrived.
    pub(crate) handles_null: bool,
}

impl Footprints {
    pub(crate) fn new(program: &Program) -> Self {
        let mut all: Vec<Footprint> = program.interfaces.iter().map(|interface| own(program, interface)).collect();
        // What created machines tell, until nothing is added.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (number, interface) in program.interfaces.iter().enumerate() {
                let created = interface.links.iter().flatten().fold(0, |sum, link| sum | all[link.index()].may_tell);
                has_changed |= created & !all[number].may_tell != 0;
                all[number].may_tell |= created;
            }
        }
        Self { all }
    }

    pub(crate) fn of(&self, interface: InterfaceId) -> &Footprint {
        &self.all[interface.index()]
    }
}

fn own(program: &Program, interface: &lockstep_runtime::Interface) -> Footprint {
    let mut footprint = Footprint::default();
    let mut sent = Sent::Some(EventSet::default());
    for function in functions_of(program, interface.machine) {
        for op in program.function(function).blocks.iter().flat_map(|block| &block.instrs).map(|instr| &instr.op) {
            match op {
                Op::Send { event, .. } | Op::Announce { event, .. } => sent.add(program, *event),
                Op::This { .. } => footprint.names_itself = true,
                _ => {}
            }
        }
    }
    for monitor in &interface.monitors {
        let observes = &program.monitors[monitor.index()].observes;
        if observes.iter().any(|event| sent.contains(event)) {
            footprint.may_tell |= monitor_bit(monitor.0);
        }
    }
    footprint.handles_null = program.machine(interface.machine).states.iter().any(State::handles_null);
    footprint
}

/// Events that some code may send.
enum Sent {
    Some(EventSet),
    /// The code sends what is in a variable.
    Any,
}

impl Sent {
    fn add(&mut self, program: &Program, event: Operand) {
        let constant = match event {
            Operand::Const(id) => program.constants.get(id.index()),
            Operand::Slot(_) | Operand::Field(_) => None,
        };
        match (constant, self) {
            (Some(Value::Event(event)), Self::Some(events)) => events.insert(*event),
            (_, this) => *this = Self::Any,
        }
    }

    fn contains(&self, event: EventId) -> bool {
        match self {
            Self::Some(events) => events.contains(event),
            Self::Any => true,
        }
    }
}

/// The functions that a machine may call, in no particular order.
fn functions_of(program: &Program, machine: MachineTypeId) -> Vec<FunctionId> {
    let mut open: Vec<FunctionId> = Vec::new();
    for state in &program.machine(machine).states {
        open.extend(state.entry);
        open.extend(state.exit);
        for reaction in &state.reactions {
            match reaction {
                Reaction::Do(function) | Reaction::Goto { with: Some(function), .. } => open.push(*function),
                Reaction::Goto { with: None, .. } | Reaction::Unhandled | Reaction::Defer | Reaction::Ignore => {}
            }
        }
    }
    let mut known = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(function) = open.pop() {
        if known.insert(function) {
            found.push(function);
            let instrs = program.function(function).blocks.iter().flat_map(|block| &block.instrs);
            open.extend(instrs.filter_map(|instr| match &instr.op {
                Op::Call { function, .. } => Some(*function),
                _ => None,
            }));
        }
    }
    found
}
