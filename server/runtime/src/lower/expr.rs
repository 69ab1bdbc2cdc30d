//! Expressions.

use lockstep_program::{DeclKind, Space, lookup};
use lockstep_syntax::p::ast::{BinaryOp, Expr, ExprId, NameId, UnaryOp};
use smol_str::SmolStr;

use super::body::Builder;
use super::text::{pieces, plain_text};
use super::{NotRunnable, Source};
use crate::code::{Binary, Conversion, Op, Operand, Piece, Slot, Terminator, Unary};
use crate::program::{HALT, Place, Type};
use crate::value::Value;

impl Builder<'_, '_> {
    /// Where the value of an expression is found. Expressions can be nested thousands of levels deep.
    pub(super) fn expr(&mut self, id: ExprId) -> Result<Operand, NotRunnable> {
        stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, || self.expr_here(id))
    }

    fn expr_here(&mut self, id: ExprId) -> Result<Operand, NotRunnable> {
        let place = self.expr_place(id);
        let value = match &self.nodes()[id] {
            Expr::Name(name) => return self.named(*name, place),
            Expr::Paren(inner) => return self.expr(*inner),
            Expr::Int(digits) => Value::Int(digits.parse().unwrap_or_default()),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Null => Value::Null,
            Expr::Halt => Value::Event(HALT),
            Expr::String(text) => Value::string(plain_text(text)),
            Expr::Float(text) => {
                let digits: String = text.chars().filter(|character| !character.is_whitespace()).collect();
                match digits.parse::<f64>() {
                    Ok(number) => Value::float(number),
                    Err(_) => return Ok(self.unsupported("a number written `float(...)`", place)),
                }
            }
            Expr::Default(ty) => {
                let ty = self.written(*ty);
                let ty = self.lowering.ty(&ty);
                self.lowering.default(ty)
            }
            _ => return self.computed(id, place),
        };
        Ok(self.constant(value))
    }

    /// An expression that is computed.
    fn computed(&mut self, id: ExprId, place: Place) -> Result<Operand, NotRunnable> {
        let nodes = self.nodes();
        let op = match &nodes[id] {
            Expr::This => Op::This { to: self.temporary() },
            Expr::Nondet { fair } => Op::Choose { to: self.temporary(), among: None, is_fair: *fair, is_abstract: false },
            Expr::Choose(among) => {
                let among = among.map(|among| self.expr(among)).transpose()?;
                Op::Choose { to: self.temporary(), among, is_fair: false, is_abstract: self.is_abstracting }
            }
            Expr::Tuple(elements) => {
                let elements = self.operands(elements)?.into();
                Op::Tuple { to: self.temporary(), elements }
            }
            Expr::NamedTuple(fields) => {
                let names: Vec<SmolStr> = fields.iter().map(|(name, _)| self.name(*name)).collect();
                let values: Vec<ExprId> = fields.iter().map(|(_, value)| *value).collect();
                let elements = self.operands(&values)?.into();
                let names = self.lowering.names(names);
                Op::Named { to: self.temporary(), names, elements }
            }
            Expr::Format { text, args } => self.format(*text, args)?,
            Expr::As { value, ty } => {
                let ty = self.written(*ty);
                let (from, ty) = (self.expr(*value)?, self.lowering.ty(&ty));
                Op::Cast { to: self.temporary(), from, ty }
            }
            Expr::To { value, ty } => {
                let ty = self.written(*ty);
                let from = self.expr(*value)?;
                let into = self.conversion(&ty);
                Op::Convert { to: self.temporary(), from, into }
            }
            Expr::Unary { op, operand } => {
                let op = match op {
                    UnaryOp::Minus => Unary::Minus,
                    UnaryOp::Not => Unary::Not,
                };
                let operand = self.expr(*operand)?;
                Op::Unary { to: self.temporary(), op, operand }
            }
            Expr::Binary { op, left, right } => return self.binary(*op, *left, *right, place),
            Expr::New { interface, args } => {
                let to = self.temporary();
                return self.create(Some(to), *interface, args, place);
            }
            Expr::Call { function, args } => {
                let to = self.temporary();
                return self.call(Some(to), *function, args, place);
            }
            _ => return self.part(id, place),
        };
        Ok(self.emit_value(op, place))
    }

    /// A part of a value, or something about it.
    fn part(&mut self, id: ExprId, place: Place) -> Result<Operand, NotRunnable> {
        let nodes = self.nodes();
        let op = match &nodes[id] {
            Expr::Field { value, field } => {
                let tuple = self.expr(*value)?;
                let field = self.lowering.field(self.name(*field));
                Op::Field { to: self.temporary(), tuple, field }
            }
            Expr::Element { value, index } => {
                let index = nodes[*index].as_str().parse().unwrap_or(u32::MAX);
                let tuple = self.expr(*value)?;
                Op::Element { to: self.temporary(), tuple, index }
            }
            Expr::Index { value, index } => {
                let (collection, index) = (self.expr(*value)?, self.expr(*index)?);
                Op::Index { to: self.temporary(), collection, index }
            }
            Expr::Keys(map) => Op::Keys { map: self.expr(*map)?, to: self.temporary() },
            Expr::Values(map) => Op::Values { map: self.expr(*map)?, to: self.temporary() },
            Expr::Sizeof(collection) => Op::Size { collection: self.expr(*collection)?, to: self.temporary() },
            _ => return Ok(self.unsupported("an expression that only proofs have", place)),
        };
        Ok(self.emit_value(op, place))
    }

    /// Emits an operation and gives where its value is.
    fn emit_value(&mut self, mut op: Op, place: Place) -> Operand {
        let to = super::live::written_mut(&mut op).copied();
        self.emit(op, place);
        to.map_or_else(|| self.constant(Value::Null), Operand::Slot)
    }

    fn unsupported(&mut self, what: &str, place: Place) -> Operand {
        self.end_for_good(Terminator::Unsupported(what.into()), place);
        self.constant(Value::Null)
    }

    fn named(&mut self, id: NameId, place: Place) -> Result<Operand, NotRunnable> {
        let name = self.name(id);
        if let Some(variable) = self.variable(&name) {
            return Ok(variable);
        }
        if let Some(value) = self.lowering.params.get(&name).cloned() {
            return Ok(self.constant(value));
        }
        let def = lookup(self.lowering.db, self.lowering.project, Space::Event, &name);
        let value = match def {
            Some(def) if def.decl.kind(self.lowering.db) == DeclKind::Enum => {
                let id = self.lowering.enum_id(def.decl.name(self.lowering.db));
                let elements = &self.lowering.program.enums[id.index()].elements;
                let number = elements.iter().find(|(element, _)| *element == name).map(|(_, number)| *number);
                Value::Enum(id, number.unwrap_or_default())
            }
            Some(_) => match self.lowering.events.get(&name) {
                Some(event) => Value::Event(*event),
                None => return Err(NotRunnable::Missing(format!("the event `{name}`"))),
            },
            None => return Ok(self.unsupported(&format!("the name `{name}` here"), place)),
        };
        Ok(self.constant(value))
    }

    /// Several values, each as it is when its turn comes: what is computed later does not change it any more.
    pub(super) fn operands(&mut self, ids: &[ExprId]) -> Result<Vec<Operand>, NotRunnable> {
        let last_computed = ids.iter().rposition(|id| !self.is_plain(*id));
        let mut operands = Vec::new();
        for (position, id) in ids.iter().enumerate() {
            let operand = self.expr(*id)?;
            let is_variable = match operand {
                Operand::Slot(slot) => !self.is_temporary(slot),
                Operand::Field(_) => true,
                Operand::Const(_) => false,
            };
            operands.push(match last_computed {
                Some(last) if position < last && is_variable => {
                    let to = self.temporary();
                    let place = self.expr_place(*id);
                    self.emit(Op::Copy { to, from: operand }, place);
                    Operand::Slot(to)
                }
                _ => operand,
            });
        }
        Ok(operands)
    }

    /// Whether computing it changes nothing.
    fn is_plain(&self, id: ExprId) -> bool {
        let mut at = id;
        loop {
            match &self.nodes()[at] {
                Expr::Paren(inner) => at = *inner,
                Expr::Field { value, .. } | Expr::Element { value, .. } => at = *value,
                Expr::Name(_) | Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::String(_) => return true,
                Expr::Null | Expr::Halt | Expr::This | Expr::Default(_) => return true,
                _ => return false,
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, place: Place) -> Result<Operand, NotRunnable> {
        let op = match op {
            BinaryOp::And | BinaryOp::Or => return self.short_circuit(op, left, right, place),
            BinaryOp::Implies => return Ok(self.unsupported("`==>`, which P's checker does not know", place)),
            BinaryOp::Iff => return Ok(self.unsupported("`<==>`, which P's checker does not know", place)),
            BinaryOp::In => {
                let (item, collection) = (self.expr(left)?, self.expr(right)?);
                let to = self.temporary();
                return Ok(self.emit_value(Op::Contains { to, item, collection }, place));
            }
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div => Binary::Div,
            BinaryOp::Mod => Binary::Mod,
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Lt => Binary::Lt,
            BinaryOp::Gt => Binary::Gt,
            BinaryOp::Le => Binary::Le,
            BinaryOp::Ge => Binary::Ge,
            BinaryOp::Eq => Binary::Eq,
            BinaryOp::Ne => Binary::Ne,
        };
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let to = self.temporary();
        Ok(self.emit_value(Op::Binary { to, op, left, right }, place))
    }

    /// `&&` and `||` compute their right side only if they have to.
    fn short_circuit(&mut self, op: BinaryOp, left: ExprId, right: ExprId, place: Place) -> Result<Operand, NotRunnable> {
        let to = self.temporary();
        let left = self.expr(left)?;
        self.emit(Op::Copy { to, from: left }, place);
        let (more, after) = (self.new_block(), self.new_block());
        let (then, otherwise) = if op == BinaryOp::And { (more, after) } else { (after, more) };
        self.end(Terminator::Branch { condition: Operand::Slot(to), then, otherwise }, place);
        self.begin(more);
        let right = self.expr(right)?;
        self.emit(Op::Copy { to, from: right }, place);
        self.end(Terminator::Jump(after), place);
        self.begin(after);
        Ok(Operand::Slot(to))
    }

    fn format(&mut self, text: ExprId, args: &[ExprId]) -> Result<Op, NotRunnable> {
        let pieces: Vec<Piece> = match &self.nodes()[text] {
            Expr::String(text) => pieces(text),
            _ => Vec::new(),
        };
        let values = self.operands(args)?.into();
        Ok(Op::Format { to: self.temporary(), pieces: pieces.into(), values })
    }

    fn conversion(&mut self, ty: &lockstep_program::ty::Ty) -> Conversion {
        let shape = self.lowering.ty(ty);
        match (self.lowering.program.ty(shape), ty) {
            (Type::Float, _) => Conversion::Float,
            (Type::Machine, lockstep_program::ty::Ty::Reference(_, events)) => {
                Conversion::Reference(self.lowering.event_set(events))
            }
            _ => Conversion::Int,
        }
    }

    pub(super) fn create(
        &mut self,
        to: Option<Slot>,
        interface: NameId,
        args: &[ExprId],
        place: Place,
    ) -> Result<Operand, NotRunnable> {
        let operands = self.operands(args)?;
        let payload = match operands[..] {
            [] => None,
            [payload] => Some(payload),
            _ => {
                let tuple = self.temporary();
                self.emit(Op::Tuple { to: tuple, elements: operands.into() }, place);
                Some(Operand::Slot(tuple))
            }
        };
        let name = self.name(interface);
        let created = self.lowering.created(&name);
        self.emit(Op::New { to, created, payload }, place);
        Ok(to.map_or_else(|| self.constant(Value::Null), Operand::Slot))
    }

    pub(super) fn call(
        &mut self,
        to: Option<Slot>,
        function: NameId,
        args: &[ExprId],
        place: Place,
    ) -> Result<Operand, NotRunnable> {
        let name = self.name(function);
        let args = self.operands(args)?.into();
        let own = self.machine.filter(|_| lockstep_program::machine_info(self.lowering.db, self.decl).function(&name).is_some());
        let source = match own {
            Some(machine) => Source::Own(machine, self.decl, name),
            None => match lookup(self.lowering.db, self.lowering.project, Space::Function, &name) {
                Some(def) => Source::Global(def.decl),
                None => return Ok(self.unsupported(&format!("the function `{name}`, which only proofs have"), place)),
            },
        };
        let function = self.lowering.function(source);
        self.emit(Op::Call { to, function, args }, place);
        Ok(to.map_or_else(|| self.constant(Value::Null), Operand::Slot))
    }
}
