//! What stands for functions in other languages.

use lockstep_program::ty::Ty;
use lockstep_program::{Space, lookup};
use smol_str::SmolStr;

use super::{Lowering, NotRunnable, Source, Stub, number};
use crate::code::{Block, Function, Instr, Op, Operand, Slot, Terminator};
use crate::program::{Type, TypeId, Variable};
use crate::value::Value;

/// The numbers that any number stands for are those below this.
const NUMBERS: i64 = 3;

/// Gives a function in another language the code that stands for it, if there is any.
pub(super) fn fill_in(lowering: &mut Lowering<'_>, function: &mut Function, result: Option<&Ty>) -> Result<(), NotRunnable> {
    let Some(stub) = lowering.stub(&function.name).cloned() else { return Ok(()) };
    let ty = lowering.ty(result.unwrap_or(&Ty::Null));
    let to = Slot(number(function.slots.len()));
    function.slots.push(Variable { name: SmolStr::default(), ty, initial: Value::Null });
    let op = match stub {
        Stub::Function(name) => {
            let def = lookup(lowering.db, lowering.project, Space::Function, &name);
            let def =
                def.ok_or_else(|| NotRunnable::Missing(format!("the function `{name}`, which stands for `{}`", function.name)))?;
            let callee = lowering.function(Source::Global(def.decl));
            let args = (0..function.param_count).map(|param| Operand::Slot(Slot(param))).collect();
            Op::Call { to: Some(to), function: callee, args }
        }
        Stub::AnyValue => any_value(lowering, to, ty),
    };
    let instr = Instr { op, place: function.place, dead: Box::default() };
    let end = Terminator::Return(Some(Operand::Slot(to)));
    function.blocks = vec![Block { instrs: vec![instr], end, place: function.place, dead: Box::default() }];
    Ok(())
}

fn any_value(lowering: &mut Lowering<'_>, to: Slot, ty: TypeId) -> Op {
    let among = match lowering.program.ty(ty) {
        Type::Bool => return Op::Choose { to, among: None, is_fair: false, is_abstract: false },
        Type::Int => Value::Int(NUMBERS),
        Type::Enum(id) => {
            let elements = lowering.program.enums[id.index()].elements.iter();
            Value::seq(elements.map(|(_, number)| Value::Enum(*id, *number)).collect())
        }
        _ => {
            let initial = lowering.default(ty);
            return Op::Copy { to, from: Operand::Const(lowering.constant(initial)) };
        }
    };
    Op::Choose { to, among: Some(Operand::Const(lowering.constant(among))), is_fair: false, is_abstract: false }
}
