//! Expressions: names resolved, types checked, and whether they mention anything ghost.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, ExprId, NameId, TypedName};

use super::locals::{Binding, LocalKind};
use super::name::{Global, Named};
use super::{Checker, More, codes};
use crate::program::{Claim, Expr, LocalId, ProcessId, Quantifier, Type, UnaryOp, Whose};
use crate::stack;
use crate::types::{fits, is_unknown, join, unknown};

/// What an expression is for, which decides what it may mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Use {
    /// It is run.
    #[default]
    Code,
    /// An `invariant` speaks of all processes and of where they are.
    Invariant,
    /// An `ensures` speaks of all processes.
    Ensures,
    /// An `assume` declaration or the value of a constant: sets and constants only.
    Fixed,
}

pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: Type,
    /// The first ghost variable or done-set that is mentioned.
    pub(super) ghost: Option<TextRange>,
}

impl Typed {
    pub(super) fn new(expr: Expr, ty: Type) -> Self {
        Self { expr, ty, ghost: None }
    }

    /// Stands for what is wrong or missing.
    pub(super) fn unknown() -> Self {
        Self::new(Expr::Bool(false), unknown())
    }
}

impl Checker<'_> {
    // ---- With a type in mind ----

    /// A value that is stored where a `wanted` is expected; only what is ghost may be given something ghost.
    pub(super) fn value_for(&mut self, id: ExprId, wanted: &Type, is_ghost: bool) -> Expr {
        let typed = self.value(id, wanted);
        if !is_ghost {
            self.no_ghost(&typed, "a value for a variable that is not ghost");
        }
        typed.expr
    }

    /// An expression that has to fit a type.
    pub(super) fn value(&mut self, id: ExprId, wanted: &Type) -> Typed {
        let typed = self.expr(id, Some(wanted));
        if !fits(&self.program.sets, &typed.ty, wanted) {
            self.wrong_type(self.range(id), wanted, &typed.ty);
        }
        typed
    }

    pub(super) fn wrong_type(&mut self, range: TextRange, wanted: &Type, found: &Type) {
        let message = format!("this has to be {}, and it is {}", self.describe(wanted), self.describe(found));
        let is_wider = fits(&self.program.sets, wanted, found);
        let help = format!("it can be more than that: declare what it is stored in as {}", self.describe(found));
        let error = self.error(codes::TYPE, range, message);
        if is_wider {
            error.help(help);
        }
    }

    /// A condition that is run, such as that of an `if`.
    pub(super) fn run_condition(&mut self, id: ExprId) -> Expr {
        let typed = self.value(id, &Type::Bool);
        self.no_ghost(&typed, "a condition");
        typed.expr
    }

    /// A condition in the words of proofs: that of an `assert` or `assume`.
    pub(super) fn condition(&mut self, id: ExprId) -> Expr {
        self.value(id, &Type::Bool).expr
    }

    pub(super) fn claim(&mut self, claim: ast::Claim) -> Claim {
        self.claim_as(claim, Use::Invariant)
    }

    pub(super) fn ensures(&mut self, claim: ast::Claim) -> Claim {
        self.claim_as(claim, Use::Ensures)
    }

    pub(super) fn fixed_condition(&mut self, id: ExprId) -> Expr {
        self.using(Use::Fixed, |this| this.value(id, &Type::Bool).expr)
    }

    pub(super) fn fixed_value(&mut self, id: ExprId, ty: &Type) -> Expr {
        self.using(Use::Fixed, |this| this.value(id, ty).expr)
    }

    fn claim_as(&mut self, claim: ast::Claim, purpose: Use) -> Claim {
        let name = claim.name.map(|name| self.text(name).clone());
        self.has_holes |= name.as_ref().is_some_and(|name| name.is_empty());
        let condition = self.using(purpose, |this| this.condition(claim.condition));
        Claim { name, condition, range: self.range(claim.condition) }
    }

    fn using<T>(&mut self, purpose: Use, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.around.purpose, purpose);
        let result = run(self);
        self.around.purpose = outer;
        result
    }

    /// Reports a mention of something ghost where the program's behaviour would depend on it.
    pub(super) fn no_ghost(&mut self, typed: &Typed, what: &str) {
        if let Some(range) = typed.ghost {
            self.error(codes::GHOST, range, format!("{what} cannot depend on what is ghost"))
                .help("ghost variables and done-sets are for claims and for other ghost variables");
        }
    }

    // ---- By kind ----

    /// An expression of any type. `hint` is what it had better be: it gives records the order of their fields.
    pub(super) fn expr(&mut self, id: ExprId, hint: Option<&Type>) -> Typed {
        stack::level(|| self.expr_node(id, hint))
    }

    fn expr_node(&mut self, id: ExprId, hint: Option<&Type>) -> Typed {
        match &self.item.nodes[id] {
            ast::Expr::Missing => self.missing(),
            ast::Expr::Name(name) => self.name(*name),
            ast::Expr::Int(digits) => self.int(id, digits),
            ast::Expr::Bool(value) => Typed::new(Expr::Bool(*value), Type::Bool),
            ast::Expr::Paren(inner) => self.expr(*inner, hint),
            ast::Expr::Tuple(parts) => {
                let tuple = self.tuple(parts, hint);
                self.written_out(id, tuple)
            }
            ast::Expr::Record(fields) => {
                let record = self.record(fields, hint);
                self.written_out(id, record)
            }
            ast::Expr::Set(elements) => {
                let set = self.set(elements, hint);
                self.written_out(id, set)
            }
            ast::Expr::Field { value, field } => self.field(*value, *field),
            ast::Expr::Element { value, index } => self.numbered_part(*value, *index),
            ast::Expr::Index { value, index } => self.key(*value, *index),
            ast::Expr::Call { function, args } => self.call(*function, args),
            ast::Expr::Unary { op, operand } => self.unary(*op, *operand),
            ast::Expr::Binary { op, left, right } => self.binary(id, *op, *left, *right, hint),
            ast::Expr::Quantifier { kind, bound, body } => self.quantifier(id, *kind, bound, *body),
            ast::Expr::Comprehension { bound, body } => self.comprehension(id, *bound, *body),
        }
    }

    fn written_out(&mut self, id: ExprId, typed: Typed) -> Typed {
        Typed { ty: self.bounded(self.range(id), typed.ty), ..typed }
    }

    fn missing(&mut self) -> Typed {
        self.has_holes = true;
        Typed::unknown()
    }

    fn int(&mut self, id: ExprId, digits: &str) -> Typed {
        let Ok(number) = digits.parse() else {
            self.error(codes::TOO_LARGE, self.range(id), "this number is too large")
                .help(format!("the largest number that can be written is {}", i128::MAX));
            return Typed::new(Expr::Int(0), Type::Int);
        };
        Typed::new(Expr::Int(number), Type::Int)
    }

    fn name(&mut self, name: NameId) -> Typed {
        let range = self.range(name);
        match self.resolve(name) {
            None => Typed::unknown(),
            Some(Named::Inner(binding)) => self.inner_name(binding, range),
            Some(Named::Global(global)) => self.global_name(name, global, range),
        }
    }

    fn inner_name(&mut self, binding: Binding, range: TextRange) -> Typed {
        match binding {
            Binding::Me => {
                let set = self.around.process.and_then(|process| self.program.process(process).set);
                Typed::new(Expr::Me, set.map_or_else(unknown, |set| Type::Pid(Whose::Member(set))))
            }
            Binding::Own(var) => {
                let found = self.program.code(self.around.process).and_then(|code| code.vars.get(var.index()));
                let Some(found) = found else { return Typed::unknown() };
                let ghost = found.is_ghost.then_some(range);
                Typed { expr: Expr::Own(var), ty: found.ty.clone(), ghost }
            }
            Binding::Local(local, kind) => {
                let ghost = (kind == LocalKind::Done).then_some(range);
                Typed { expr: Expr::Local(local), ty: self.locals[local.index()].ty.clone(), ghost }
            }
            Binding::AtHead | Binding::Later => Typed::unknown(),
        }
    }

    fn global_name(&mut self, name: NameId, global: Global, range: TextRange) -> Typed {
        let is_fixed = self.around.purpose == Use::Fixed;
        match global {
            Global::Set(set) => Typed::new(Expr::Set(set), Type::Set(Box::new(Type::Pid(Whose::Member(set))))),
            Global::Const(id) => Typed::new(Expr::Const(id), self.program.consts[id.index()].ty.clone()),
            Global::Element(of, element) => self.element(name, of, element, &[]),
            Global::Process(process) => {
                if is_fixed {
                    self.not_constant(range, "a process");
                }
                Typed::new(Expr::Process(process), Type::Pid(Whose::Process(process)))
            }
            Global::Shared(var) => {
                if is_fixed {
                    self.not_constant(range, "a variable");
                }
                let ty = self.program.shared[var.index()].ty.clone();
                Typed { expr: Expr::Shared(var), ty, ghost: Some(range) }
            }
            Global::Alias(_) | Global::Opaque(_) | Global::Enum(_) | Global::Message(_) => Typed::unknown(),
        }
    }

    fn not_constant(&mut self, range: TextRange, what: &str) {
        self.error(codes::NOT_CONSTANT, range, format!("{what} cannot be mentioned here"))
            .help("values of constants, and `assume` outside of processes, speak of sets and constants only");
    }

    // ---- Composed values ----

    fn tuple(&mut self, parts: &[ExprId], hint: Option<&Type>) -> Typed {
        let hints: &[Type] = match hint {
            Some(Type::Tuple(hints)) if hints.len() == parts.len() => hints,
            _ => &[],
        };
        let mut ghost = None;
        let (mut exprs, mut types) = (Vec::new(), Vec::new());
        for (at, part) in parts.iter().enumerate() {
            let typed = self.expr(*part, hints.get(at));
            ghost = ghost.or(typed.ghost);
            exprs.push(typed.expr);
            types.push(typed.ty);
        }
        self.has_holes |= parts.len() < 2;
        Typed { expr: Expr::Tuple(exprs), ty: Type::Tuple(types), ghost }
    }

    fn set(&mut self, elements: &[ExprId], hint: Option<&Type>) -> Typed {
        let hint = match hint {
            Some(Type::Set(element)) => Some(&**element),
            _ => None,
        };
        let mut ghost = None;
        let (mut exprs, mut element) = (Vec::new(), unknown());
        for part in elements {
            let typed = self.expr(*part, hint.or((!is_unknown(&element)).then_some(&element)));
            ghost = ghost.or(typed.ghost);
            exprs.push(typed.expr);
            match join(&self.program.sets, &element, &typed.ty) {
                Some(both) => element = both,
                None => self.wrong_type(self.range(*part), &element, &typed.ty),
            }
        }
        Typed { expr: Expr::SetOf(exprs), ty: Type::Set(Box::new(element)), ghost }
    }

    /// What a function or an element of an enum makes of values.
    fn call(&mut self, function: NameId, args: &[ExprId]) -> Typed {
        match self.text(function).as_str() {
            "card" | "here" | "finished" => self.builtin(function, args),
            _ => match self.global(function, "an element of an enum", |global| matches!(global, Global::Element(..))) {
                Some(Global::Element(of, element)) => self.element(function, of, element, args),
                _ => {
                    args.iter().for_each(|arg| _ = self.expr(*arg, None));
                    Typed::unknown()
                }
            },
        }
    }

    fn element(&mut self, name: NameId, of: crate::program::EnumId, element: u32, args: &[ExprId]) -> Typed {
        let payload = self.program.enums[of.index()].elements[element as usize].payload.clone();
        self.check_count(name, "value", args.len(), payload.len());
        let (args, ghost) = self.args(args, &payload);
        Typed { expr: Expr::Element { of, element, args }, ty: Type::Enum(of), ghost }
    }

    /// What a message or an element carries.
    pub(super) fn args(&mut self, args: &[ExprId], payload: &[Type]) -> (Vec<Expr>, Option<TextRange>) {
        let mut ghost = None;
        let mut exprs = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let typed = match payload.get(at) {
                Some(ty) => self.value(*arg, ty),
                None => self.expr(*arg, None),
            };
            ghost = ghost.or(typed.ghost);
            exprs.push(typed.expr);
        }
        (exprs, ghost)
    }

    /// Reports the wrong number of values or patterns for a message, an element or a function.
    pub(super) fn check_count(&mut self, name: NameId, what: &str, found: usize, wanted: usize) {
        if found == wanted {
            return;
        }
        let (text, plural) = (self.text(name), if wanted == 1 { "" } else { "s" });
        let declared = self.globals.get(text).map(|(_, range)| *range);
        let message = match wanted {
            0 => format!("`{text}` takes no {what}s, and it is given {found}"),
            _ => format!("`{text}` takes {wanted} {what}{plural}, and it is given {found}"),
        };
        let error = self.error(codes::COUNT, self.range(name), message);
        if let Some(declared) = declared {
            error.related(declared, format!("`{text}` is declared here"));
        }
    }

    fn builtin(&mut self, function: NameId, args: &[ExprId]) -> Typed {
        let name = self.text(function).as_str();
        if name != "card" && self.around.purpose != Use::Invariant {
            self.error(codes::HERE, self.range(function), format!("`{name}` is known in invariants only"))
                .help("write an `invariant`, or keep track of it in a ghost variable");
        }
        self.check_count(function, "value", args.len(), 1);
        let mut args = args.iter().map(|arg| (*arg, self.expr(*arg, None))).collect::<Vec<_>>().into_iter();
        let Some((id, arg)) = args.next() else { return Typed::unknown() };
        let pid = Type::Pid(Whose::Anybody);
        let wanted = if name == "card" { Type::Set(Box::new(unknown())) } else { pid };
        if !fits(&self.program.sets, &arg.ty, &wanted) {
            let wanted = if name == "card" { "a set" } else { "a process" };
            let message = format!("`{name}` takes {wanted}, and this is {}", self.describe(&arg.ty));
            self.error(codes::TYPE, self.range(id), message);
        }
        let inner = Box::new(arg.expr);
        let (expr, ty) = match name {
            "card" => (Expr::Card(inner), Type::Int),
            "here" => (Expr::Here(inner), Type::Bool),
            _ => (Expr::Finished(inner), Type::Bool),
        };
        Typed { expr, ty, ghost: arg.ghost }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Typed {
        let ty = match op {
            UnaryOp::Minus => Type::Int,
            UnaryOp::Not => Type::Bool,
        };
        let typed = self.value(operand, &ty);
        Typed { expr: Expr::Unary(op, Box::new(typed.expr)), ty, ghost: typed.ghost }
    }

    // ---- Bound names ----

    fn quantifier(&mut self, id: ExprId, kind: Quantifier, names: &[TypedName], body: ExprId) -> Typed {
        let mark = self.scope.mark();
        let mut bound = Vec::new();
        for name in names {
            let (local, ty) = self.bound(id, *name);
            bound.push((local, ty));
        }
        let body = self.value(body, &Type::Bool);
        self.scope.leave(mark);
        self.has_holes |= names.is_empty();
        Typed { expr: Expr::Quantifier { kind, bound, body: Box::new(body.expr) }, ty: Type::Bool, ghost: body.ghost }
    }

    fn comprehension(&mut self, id: ExprId, name: TypedName, body: ExprId) -> Typed {
        let mark = self.scope.mark();
        let (bound, ty) = self.bound(id, name);
        let body = self.value(body, &Type::Bool);
        self.scope.leave(mark);
        let set = Type::Set(Box::new(ty.clone()));
        Typed { expr: Expr::Comprehension { bound, ty, body: Box::new(body.expr) }, ty: set, ghost: body.ghost }
    }

    /// A name that the expression `whole` binds.
    fn bound(&mut self, whole: ExprId, name: TypedName) -> (LocalId, Type) {
        let ty = self.ty(name.ty);
        let text = self.text(name.name);
        let same = self.scope.find(text).filter(|(_, range)| self.range(whole).contains_range(*range));
        let local = match same {
            Some((_, first)) if !text.is_empty() => {
                self.declared_twice(name.name, first);
                self.new_local(name.name, ty.clone())
            }
            _ => self.bind_local(name.name, ty.clone(), LocalKind::Bound),
        };
        (local, ty)
    }

    /// The process that has a pid of this kind, if that is one of a kind or a member of a set with a process.
    pub(super) fn process_of(&self, whose: Whose) -> Option<ProcessId> {
        match whose {
            Whose::Anybody => None,
            Whose::Process(process) => Some(process),
            Whose::Member(set) => self.code_of.get(set.index()).copied().flatten(),
        }
    }
}
