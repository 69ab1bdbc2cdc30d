//! One function: its variables, and the blocks its statements become.

use lockstep_program::ty::Ty;
use lockstep_program::{Decl, machine_info, written_type};
use lockstep_syntax::p::ast::{
    self, Body, BodyId, Decl as AstDecl, ExprId, FunctionCode, HandlerKind, NameId, Nodes, Placed, StateItem, TypedName, Var,
};
use smol_str::SmolStr;

use super::{Declared, Lowering, NotRunnable, Source, foreign, number, order};
use crate::code::{Block, BlockId, Function, Instr, Op, Operand, Slot, Terminator};
use crate::program::{MachineTypeId, Place, Variable};
use crate::value::Value;

/// Lowers a function or the code of a handler.
pub(super) fn lower_function<'db>(lowering: &mut Lowering<'db>, source: &Source<'db>) -> Result<Function, NotRunnable> {
    let (decl, machine) = match source {
        Source::Global(decl) => (*decl, None),
        Source::Own(machine, decl, _) | Source::Handler(machine, decl, _) => (*decl, Some(*machine)),
    };
    let declared = lowering.declared(decl)?;
    let item = &declared.item.value;
    let head =
        head(&declared, source).ok_or_else(|| NotRunnable::Missing(format!("a function of `{}`", decl.name(lowering.db))))?;
    let mut slots = Vec::new();
    let mut scope = Vec::new();
    for param in &head.params {
        let ty = written_type(lowering.db, lowering.project, &item.nodes, param.ty);
        let ty = lowering.ty(&ty);
        let name = item.nodes[param.name].0.clone();
        scope.push((name.clone(), Slot(number(slots.len()))));
        slots.push(Variable { name, ty, initial: lowering.default(ty) });
    }
    let param_count = number(slots.len());
    let (name, place) = (head.name, declared.place(head.range));
    let Some(body) = head.body.map(|body| item.body(body)) else {
        let result = head.result.map(|result| written_type(lowering.db, lowering.project, &item.nodes, result));
        let mut function = Function { name, machine, param_count, slots, blocks: Vec::new(), place };
        foreign::fill_in(lowering, &mut function, result.as_ref())?;
        return Ok(function);
    };
    let mut builder = Builder {
        lowering,
        decl,
        declared: &declared,
        body,
        machine,
        slots,
        scopes: vec![scope],
        exits: Vec::new(),
        is_abstracting: false,
        blocks: vec![Draft::default()],
        current: 0,
    };
    builder.block(&body.value.block)?;
    builder.end(Terminator::Return(None), place);
    let Builder { mut slots, blocks, .. } = builder;
    let blocks = order::finish(blocks, &mut slots, param_count, place);
    Ok(Function { name, machine, param_count, slots, blocks, place })
}

/// What stands before the code.
struct Head {
    name: SmolStr,
    params: Vec<TypedName>,
    result: Option<ast::TypeId>,
    body: Option<BodyId>,
    range: lockstep_base::TextRange,
}

fn head(declared: &Declared<'_>, source: &Source<'_>) -> Option<Head> {
    let item = &declared.item.value;
    let of_function = |function: &ast::Function| {
        let (body, result) = match &function.code {
            FunctionCode::Body(body) => (Some(*body), function.result),
            FunctionCode::Foreign { result, .. } => (None, function.result.or(result.map(|result| result.ty))),
        };
        let range = item.spans[function.name];
        Head { name: item.nodes[function.name].0.clone(), params: function.params.clone(), result, body, range }
    };
    match (source, &item.decl) {
        (Source::Global(_), AstDecl::Function(function)) => Some(of_function(function)),
        (Source::Own(_, _, name), AstDecl::Machine(machine)) => {
            machine.functions.iter().find(|function| item.nodes[function.name].0 == *name).map(of_function)
        }
        (Source::Handler(_, _, number), AstDecl::Machine(machine)) => {
            let mut handlers = machine.states.iter().flat_map(|state| &state.items).filter_map(StateItem::handler);
            handlers.find_map(|handler| match handler.kind {
                HandlerKind::Inline { param, body } if body.0 == *number => {
                    let range = item.spans[handler.part];
                    let params = param.into_iter().collect();
                    Some(Head { name: SmolStr::default(), params, result: None, body: Some(body), range })
                }
                _ => None,
            })
        }
        _ => None,
    }
}

/// A block that is being written. One without an end is never left.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) instrs: Vec<Instr>,
    pub(super) end: Option<(Terminator, Place)>,
}

/// What `break` and `continue` lead out of.
pub(super) enum Exit {
    Loop {
        after: BlockId,
        again: BlockId,
    },
    /// A case of `receive`: `break` ends it, as in P.
    Case {
        after: BlockId,
    },
}

pub(super) struct Builder<'a, 'db> {
    pub(super) lowering: &'a mut Lowering<'db>,
    pub(super) decl: Decl<'db>,
    pub(super) declared: &'a Declared<'db>,
    pub(super) body: &'a Placed<Body>,
    pub(super) machine: Option<MachineTypeId>,
    pub(super) slots: Vec<Variable>,
    /// Names and their slots, innermost last.
    pub(super) scopes: Vec<Vec<(SmolStr, Slot)>>,
    pub(super) exits: Vec<Exit>,
    /// Whether what is computed is for a place in which values are not told apart.
    pub(super) is_abstracting: bool,
    pub(super) blocks: Vec<Draft>,
    pub(super) current: usize,
}

impl<'a> Builder<'a, '_> {
    pub(super) fn nodes(&self) -> &'a Nodes {
        &self.body.value.nodes
    }

    pub(super) fn name(&self, id: NameId) -> SmolStr {
        self.nodes()[id].0.clone()
    }

    pub(super) fn place(&self, range: lockstep_base::TextRange) -> Place {
        self.declared.place(range + self.body.start)
    }

    pub(super) fn expr_place(&self, id: ExprId) -> Place {
        self.place(self.body.value.spans[id])
    }

    pub(super) fn emit(&mut self, op: Op, place: Place) {
        self.blocks[self.current].instrs.push(Instr { op, place, dead: Box::default() });
    }

    /// Ends the current block. What follows belongs to nobody until another block is begun.
    pub(super) fn end(&mut self, end: Terminator, place: Place) {
        let draft = &mut self.blocks[self.current];
        if draft.end.is_none() {
            draft.end = Some((end, place));
        }
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft::default());
        BlockId(number(self.blocks.len() - 1))
    }

    pub(super) fn begin(&mut self, block: BlockId) {
        self.current = block.0 as usize;
    }

    /// Ends the current block and goes on in a new one that nobody jumps to.
    pub(super) fn end_for_good(&mut self, end: Terminator, place: Place) {
        self.end(end, place);
        let next = self.new_block();
        self.begin(next);
    }

    pub(super) fn temporary(&mut self) -> Slot {
        let ty = self.lowering.shape(crate::program::Type::Any);
        self.slots.push(Variable { name: SmolStr::default(), ty, initial: Value::Null });
        Slot(number(self.slots.len() - 1))
    }

    pub(super) fn is_temporary(&self, slot: Slot) -> bool {
        self.slots[slot.0 as usize].name.is_empty()
    }

    pub(super) fn constant(&mut self, value: Value) -> Operand {
        Operand::Const(self.lowering.constant(value))
    }

    pub(super) fn written(&mut self, ty: ast::TypeId) -> Ty {
        written_type(self.lowering.db, self.lowering.project, self.nodes(), ty)
    }

    /// Declares variables in the innermost scope, and gives their slots.
    pub(super) fn declare(&mut self, vars: &[Var]) -> Vec<Slot> {
        let mut declared = Vec::new();
        for var in vars {
            for name in &var.names {
                declared.push(self.declare_one(TypedName { name: *name, ty: var.ty }));
            }
        }
        declared
    }

    pub(super) fn declare_one(&mut self, var: TypedName) -> Slot {
        let ty = self.written(var.ty);
        let ty = self.lowering.ty(&ty);
        let name = self.name(var.name);
        let slot = Slot(number(self.slots.len()));
        self.slots.push(Variable { name: name.clone(), ty, initial: self.lowering.default(ty) });
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, slot));
        }
        slot
    }

    /// A variable of the function, or of the machine.
    pub(super) fn variable(&self, name: &str) -> Option<Operand> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(known, _)| known == name));
        if let Some((_, slot)) = found {
            return Some(Operand::Slot(*slot));
        }
        self.machine?;
        let fields = &machine_info(self.lowering.db, self.decl).fields;
        let position = fields.iter().position(|(field, _)| field == name)?;
        Some(Operand::Field(number(position)))
    }
}

impl Draft {
    /// As a block of a function.
    pub(super) fn finish(self, place: Place) -> Block {
        // A block without an end is the end of the code.
        let (end, place) = self.end.unwrap_or((Terminator::Return(None), place));
        Block { instrs: self.instrs, end, place, dead: Box::default() }
    }
}
