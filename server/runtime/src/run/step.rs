//! One instruction.

use std::ops::Deref;

use smallvec::SmallVec;

use super::machine::{Flow, Halted, Runner};
use super::{Effect, Pauses};
use crate::code::{Access, BlockId, Instr, Op, Operand, Root, Slot, Target, Terminator};
use crate::domain::{Domain, Stop};
use crate::failure::{Fault, Limit};
use crate::local::{Control, Frame, Message, Pending};
use crate::program::{CreatedId, EventId, FunctionId, Program};
use crate::value::{Change, PathStep, Value};

/// How many bytes one run may print, with what it takes to remember each line.
const MOST_PRINTED: u64 = 64 << 20;

impl<'a, D: Domain> Runner<'a, D> {
    /// Runs the innermost function, and those that it calls, until all have ended or something is done to others.
    pub(super) fn run_function(&mut self) -> Result<Flow<D::Value>, Halted> {
        self.take_up();
        let flow = self.run_blocks();
        self.lay_down();
        flow
    }

    /// Does what the innermost function is about to do, and nothing more.
    pub(super) fn step(&mut self) -> Result<Flow<D::Value>, Halted> {
        self.take_up();
        let flow = self.step_once();
        self.lay_down();
        flow
    }

    fn run_blocks(&mut self) -> Result<Flow<D::Value>, Halted> {
        let program = self.program;
        while let Some(frame) = self.local.frames.last() {
            let function = program.function(frame.function);
            let mut block = &function.blocks[self.block.0 as usize];
            // Until it is another function's turn.
            loop {
                self.may_step()?;
                let Some(instr) = block.instrs.get(self.next as usize) else {
                    self.place = Some(&block.place);
                    self.is_past_instr = false;
                    if let Some(target) = self.target(&block.end)? {
                        self.jump(target);
                        self.come_to_next()?;
                        block = &function.blocks[target.0 as usize];
                        continue;
                    }
                    match self.terminate(&block.end, &block.dead)? {
                        Flow::Next if !self.local.frames.is_empty() => {}
                        flow => return Ok(flow),
                    }
                    self.come_to_next()?;
                    break;
                };
                self.next += 1;
                self.is_past_instr = true;
                self.place = Some(&instr.place);
                if self.domain.run_quickly(&instr.op, &mut self.slots, &mut self.local.fields) {
                    continue;
                }
                match &instr.op {
                    Op::Call { to, function, args } => {
                        self.call_function(*to, *function, args, &instr.dead)?;
                        self.come_to_next()?;
                        break;
                    }
                    Op::New { .. } | Op::Send { .. } => return self.instr(instr),
                    op => self.own(op)?,
                }
                self.come_to_next()?;
            }
        }
        Ok(Flow::Next)
    }

    fn step_once(&mut self) -> Result<Flow<D::Value>, Halted> {
        let program = self.program;
        let Some(frame) = self.local.frames.last() else { return Ok(Flow::Next) };
        let block = &program.function(frame.function).blocks[self.block.0 as usize];
        let Some(instr) = block.instrs.get(self.next as usize) else {
            self.place = Some(&block.place);
            self.is_past_instr = false;
            return self.terminate(&block.end, &block.dead);
        };
        self.next += 1;
        self.is_past_instr = true;
        self.place = Some(&instr.place);
        self.instr(instr)
    }

    fn instr(&mut self, instr: &'a Instr) -> Result<Flow<D::Value>, Halted> {
        match &instr.op {
            Op::Call { to, function, args } => self.call_function(*to, *function, args, &instr.dead)?,
            Op::New { to, created, payload } => return self.create(*to, *created, *payload, &instr.dead),
            Op::Send { target, event, payload } => return self.send(*target, *event, *payload, &instr.dead),
            op => self.own(op)?,
        }
        Ok(Flow::Next)
    }

    /// The innermost function is about to run: what is in its frame is taken where it is at hand.
    pub(super) fn take_up(&mut self) {
        if let Some(frame) = self.local.frames.last_mut() {
            self.slots = std::mem::take(&mut frame.slots);
            (self.block, self.next) = (frame.block, frame.instr);
        }
    }

    /// Somebody else wants to see the frame of the innermost function, or calls another one.
    pub(super) fn lay_down(&mut self) {
        if let Some(frame) = self.local.frames.last_mut() {
            frame.slots = std::mem::take(&mut self.slots);
            (frame.block, frame.instr) = (self.block, self.next);
        }
    }

    /// Whether the next instruction may be run; it is paid for.
    #[inline]
    fn may_step(&mut self) -> Result<(), Halted> {
        if self.is_worth_a_look() {
            self.lay_down();
            let endless = self.is_endless();
            self.take_up();
            if endless {
                return Err(Fault::NeverEnds.into());
            }
        }
        self.pay()?;
        if self.domain.is_watched() {
            self.lay_down();
            self.domain.watch(&self.local, &self.effects);
            self.take_up();
        }
        Ok(())
    }

    fn call_function(&mut self, to: Option<Slot>, id: FunctionId, args: &[Operand], dead: &[Slot]) -> Result<(), Halted> {
        let mut slots = self.new_slots(id);
        slots.extend(args.iter().map(|arg| self.read(*arg)));
        self.forget(dead);
        self.lay_down();
        let called = self.call(id, slots, to);
        self.take_up();
        called
    }

    /// An operation after which the same function goes on.
    fn own(&mut self, op: &Op) -> Result<(), Halted> {
        match op {
            Op::Announce { event, payload } => {
                let event = self.event(*event, "announced")?;
                let payload = self.payload(*payload);
                self.tell(&Message { event, payload })?;
            }
            Op::Print { .. } if !self.domain.hears_prints() => {}
            Op::Print { text } => {
                let text = self.read(*text);
                let text = self.domain.text(&text)?;
                self.printed += 32 + text.len() as u64;
                if self.printed > MOST_PRINTED {
                    return Err(Stop::Limit(Limit::Printed(MOST_PRINTED)).into());
                }
                self.effects.push(Effect::Print(text));
            }
            Op::Store { target, from } => {
                let value = self.read(*from);
                self.change(target, Change::Set(value))?;
            }
            Op::Insert { target, key, value } => {
                let key = key.map(|key| self.read(key));
                let value = self.read(*value);
                let change = match key {
                    Some(key) => Change::Insert(key, value),
                    None => Change::Add(value),
                };
                self.change(target, change)?;
            }
            Op::Remove { target, key } => {
                let key = self.read(*key);
                self.change(target, Change::Remove(key))?;
            }
            op => {
                let (to, value) = self.compute(op)?;
                self.write(to, value);
            }
        }
        Ok(())
    }

    /// An operation that only gives a value.
    #[inline(always)]
    fn compute(&mut self, op: &Op) -> Result<(Slot, D::Value), Halted> {
        // Any operation can be a choice where values are not told apart.
        self.choices += u64::from(!self.program.abstractions.is_empty());
        let (program, domain, slots, fields) = (self.program, &mut *self.domain, &self.slots[..], &self.local.fields[..]);
        let result = match op {
            Op::Copy { to, from } => (*to, self.read(*from)),
            Op::Unary { to, op, operand } => {
                let operand = seen(program, domain, slots, fields, *operand);
                (*to, domain.unary(*op, &operand)?)
            }
            Op::Binary { to, op, left, right } => {
                let (left, right) = (seen(program, domain, slots, fields, *left), seen(program, domain, slots, fields, *right));
                (*to, domain.binary(*op, &left, &right)?)
            }
            Op::Tuple { to, elements } => {
                let elements = self.reads(elements);
                (*to, self.domain.tuple(elements)?)
            }
            Op::Named { to, names, elements } => {
                let elements = self.reads(elements);
                (*to, self.domain.named(*names, elements)?)
            }
            Op::Element { to, tuple, index } => {
                let tuple = seen(program, domain, slots, fields, *tuple);
                (*to, domain.element(&tuple, *index)?)
            }
            Op::Field { to, tuple, field } => {
                let tuple = seen(program, domain, slots, fields, *tuple);
                (*to, domain.field(&tuple, *field)?)
            }
            Op::Cast { to, from, ty } => {
                let from = seen(program, domain, slots, fields, *from);
                (*to, domain.cast(&from, *ty)?)
            }
            Op::Convert { to, from, into } => {
                let from = seen(program, domain, slots, fields, *from);
                (*to, domain.convert(&from, *into)?)
            }
            Op::Format { to, pieces, values } => {
                let values = self.reads(values);
                (*to, self.domain.format(pieces, &values)?)
            }
            Op::Choose { to, among, is_fair, is_abstract } => {
                let among = among.map(|among| self.read(among));
                self.choices += 1;
                match is_abstract {
                    true => (*to, self.domain.choose_some(among.as_ref())?),
                    false => (*to, self.domain.choose(among.as_ref(), *is_fair)?),
                }
            }
            Op::Abstract { to, from, abstraction } => {
                let from = seen(program, domain, slots, fields, *from);
                (*to, domain.abstracted(&from, *abstraction)?)
            }
            Op::This { to } => (*to, self.this()),
            op => self.look(op)?,
        };
        Ok(result)
    }

    /// An operation on a collection that does not change it.
    #[inline(always)]
    fn look(&mut self, op: &Op) -> Result<(Slot, D::Value), Halted> {
        let (program, domain, slots, fields) = (self.program, &mut *self.domain, &self.slots[..], &self.local.fields[..]);
        Ok(match op {
            Op::Index { to, collection, index } => {
                let (collection, index) =
                    (seen(program, domain, slots, fields, *collection), seen(program, domain, slots, fields, *index));
                (*to, domain.index(&collection, &index)?)
            }
            Op::Contains { to, item, collection } => {
                let (item, collection) =
                    (seen(program, domain, slots, fields, *item), seen(program, domain, slots, fields, *collection));
                (*to, domain.contains(&item, &collection)?)
            }
            Op::Size { to, collection } => {
                let collection = seen(program, domain, slots, fields, *collection);
                (*to, domain.size(&collection)?)
            }
            Op::Keys { to, map } => {
                let map = seen(program, domain, slots, fields, *map);
                (*to, domain.keys(&map)?)
            }
            Op::Values { to, map } => {
                let map = seen(program, domain, slots, fields, *map);
                (*to, domain.values(&map)?)
            }
            Op::Elements { to, collection } => {
                let collection = seen(program, domain, slots, fields, *collection);
                (*to, domain.elements(&collection)?)
            }
            _ => return Err(Halted::Unsupported("an instruction that has no value".to_owned())),
        })
    }

    /// The block of the same function that comes next, if it is one.
    #[inline(always)]
    fn target(&mut self, end: &Terminator) -> Result<Option<BlockId>, Halted> {
        match end {
            Terminator::Jump(block) => Ok(Some(*block)),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = seen(self.program, self.domain, &self.slots, &self.local.fields, *condition);
                let is_true = match D::quick_truth(&condition) {
                    Some(is_true) => is_true,
                    None => self.domain.truth(&condition)?,
                };
                Ok(Some(if is_true { *then } else { *otherwise }))
            }
            _ => Ok(None),
        }
    }

    fn terminate(&mut self, end: &Terminator, dead: &[Slot]) -> Result<Flow<D::Value>, Halted> {
        match end {
            Terminator::Jump(_) | Terminator::Branch { .. } => {
                if let Some(block) = self.target(end)? {
                    self.jump(block);
                }
            }
            Terminator::Return(value) => {
                self.is_at_join = true;
                let value = value.map(|value| self.read(value));
                let Some(Frame { result, .. }) = self.local.frames.pop() else { return Ok(Flow::Next) };
                let slots = std::mem::take(&mut self.slots);
                self.keep_slots(slots);
                self.take_up();
                if let Some(to) = result {
                    let value = value.unwrap_or_else(|| self.domain.constant(&Value::Null));
                    self.write(to, value);
                }
            }
            Terminator::Goto { state, payload } => {
                let payload = self.payload(*payload);
                return Ok(Flow::Goto(*state, Message { event: crate::program::NULL_EVENT, payload }));
            }
            Terminator::Raise { event, payload } => {
                let event = self.event(*event, "raised")?;
                let payload = self.payload(*payload);
                return Ok(Flow::Raise(Message { event, payload }));
            }
            Terminator::Receive(_) => {
                self.forget(dead);
                self.local.control = Control::Receiving;
                return Ok(Flow::Rest);
            }
            Terminator::Fail { message } => {
                let message = message.map(|message| self.read(message));
                let message = message.map(|message| self.domain.text(&message)).transpose()?;
                return Err(Fault::AssertionFailed { message }.into());
            }
            Terminator::Unsupported(what) => return Err(Halted::Unsupported(what.to_string())),
        }
        Ok(Flow::Next)
    }

    fn send(
        &mut self,
        target: Operand,
        event: Operand,
        payload: Option<Operand>,
        dead: &[Slot],
    ) -> Result<Flow<D::Value>, Halted> {
        let event = self.event(event, "sent")?;
        let target = self.read(target);
        let name = || self.program.event(event).name.clone();
        let Some(target) = self.domain.addressee(&target)? else { return Err(Fault::NullTarget { event: name() }.into()) };
        let sends = self.program.machine(self.local.machine).sends;
        if !self.program.events_of(sends).contains(event) {
            return Err(Fault::NotInSends { event: name() }.into());
        }
        if !self.program.events_of(target.permissions).contains(event) {
            let target = format!("{}({})", self.program.interface(target.interface).name, target.id);
            return Err(Fault::NotPermitted { event: name(), target }.into());
        }
        let message = Message { event, payload: self.payload(payload) };
        self.tell(&message)?;
        self.pause(Pending::Send { target: target.id, message }, dead)
    }

    fn create(
        &mut self,
        to: Option<Slot>,
        created: CreatedId,
        payload: Option<Operand>,
        dead: &[Slot],
    ) -> Result<Flow<D::Value>, Halted> {
        let own = self.local.interface.map(|own| self.program.interface(own));
        let linked = own.and_then(|own| own.links.get(created.index()).copied().flatten());
        let Some(interface) = linked else {
            return Err(Fault::NotCreatable { name: self.program.created_names[created.index()].clone() }.into());
        };
        let payload = self.payload(payload);
        self.pause(Pending::Create { interface, payload, to }, dead)
    }

    /// Lets others act first, if they may.
    fn pause(&mut self, pending: Pending<D::Value>, dead: &[Slot]) -> Result<Flow<D::Value>, Halted> {
        if self.pauses == Pauses::Never {
            self.perform(pending)?;
            return Ok(Flow::Next);
        }
        self.forget(dead);
        self.local.control = Control::Paused(pending);
        Ok(Flow::Rest)
    }

    /// Lists that monitors are told, if any of them observes the event.
    fn tell(&mut self, message: &Message<D::Value>) -> Result<(), Halted> {
        let Some(interface) = self.local.interface else { return Ok(()) };
        let observes =
            |monitor: &crate::program::MonitorId| self.program.monitors[monitor.index()].observes.contains(message.event);
        if self.program.interface(interface).monitors.iter().any(observes) {
            self.weigh(&message.payload)?;
            self.effects.push(Effect::Tell(message.clone()));
        }
        Ok(())
    }

    fn event(&mut self, event: Operand, verb: &'static str) -> Result<EventId, Halted> {
        let event = self.read(event);
        self.domain.event(&event)?.ok_or_else(|| Fault::NullEvent { verb }.into())
    }

    fn payload(&mut self, payload: Option<Operand>) -> D::Value {
        match payload {
            Some(payload) => self.read(payload),
            None => self.domain.constant(&Value::Null),
        }
    }

    fn this(&mut self) -> D::Value {
        let (Some(id), Some(interface)) = (self.id, self.local.interface) else {
            return self.domain.constant(&Value::Null);
        };
        let receives = self.program.machine(self.local.machine).receives;
        self.domain.reference(id.clone(), interface, receives)
    }

    fn change(&mut self, target: &Target, change: Change<D::Value>) -> Result<(), Halted> {
        let path: SmallVec<[PathStep<D::Value>; 2]> = target
            .path
            .iter()
            .map(|access| match access {
                Access::Element(index) => PathStep::Element(*index),
                Access::Field(field) => PathStep::Field(*field),
                Access::Index(index) => PathStep::Index(self.read(*index)),
            })
            .collect();
        let root = match target.root {
            Root::Slot(slot) => self.slots.get_mut(slot.0 as usize),
            Root::Field(field) => self.local.fields.get_mut(field as usize),
        };
        match root {
            Some(root) => Ok(self.domain.change(root, &path, change)?),
            None => Ok(()),
        }
    }

    pub(super) fn read(&mut self, operand: Operand) -> D::Value {
        let found = match operand {
            Operand::Slot(slot) => self.slots.get(slot.0 as usize),
            Operand::Field(field) => self.local.fields.get(field as usize),
            Operand::Const(id) => return self.domain.constant(&self.program.constants[id.index()]),
        };
        match found {
            Some(value) => value.clone(),
            None => self.domain.constant(&Value::Null),
        }
    }

    fn reads(&mut self, operands: &[Operand]) -> Vec<D::Value> {
        operands.iter().map(|operand| self.read(*operand)).collect()
    }

    #[inline]
    pub(super) fn write(&mut self, to: Slot, value: D::Value) {
        if let Some(slot) = self.slots.get_mut(to.0 as usize) {
            *slot = value;
        }
    }

    fn jump(&mut self, block: BlockId) {
        self.is_at_join = true;
        (self.block, self.next) = (block, 0);
    }

    /// Empties slots that nobody reads any more.
    fn forget(&mut self, dead: &[Slot]) {
        for slot in dead {
            self.domain.forget(&mut self.slots[slot.0 as usize]);
        }
    }
}

/// A value where it lies, or one that was made to be looked at. What is only looked at is not copied: counting who shares a value takes
/// longer than most instructions.
enum Seen<'a, V> {
    There(&'a V),
    Made(V),
}

impl<V> Deref for Seen<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        match self {
            Self::There(value) => value,
            Self::Made(value) => value,
        }
    }
}

#[inline(always)]
fn seen<'a, D: Domain>(
    program: &'a Program,
    domain: &mut D,
    slots: &'a [D::Value],
    fields: &'a [D::Value],
    operand: Operand,
) -> Seen<'a, D::Value> {
    let found = match operand {
        Operand::Slot(slot) => slots.get(slot.0 as usize),
        Operand::Field(field) => fields.get(field as usize),
        Operand::Const(id) => {
            let constant = &program.constants[id.index()];
            return D::as_it_is(constant).map_or_else(|| Seen::Made(domain.constant(constant)), Seen::There);
        }
    };
    match found {
        Some(value) => Seen::There(value),
        None => Seen::Made(domain.constant(&Value::Null)),
    }
}
