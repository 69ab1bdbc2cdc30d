//! Expressions and places, with no more parentheses than are needed.

use lockstep_syntax::icet::ast::BinaryOp;
use smol_str::{SmolStr, ToSmolStr};

use super::{Home, Printer};
use crate::program::{Expr, Place, Quantifier, Root, Step, Type, UnaryOp};
use crate::stack;

/// How tight what has no operator binds.
const TIGHTEST: u8 = 10;
const PREFIX: u8 = 9;

/// What is known about the parts of a value: its type, or the value itself where it is written out.
#[derive(Clone, Copy)]
enum Shape<'a> {
    Type(&'a Type),
    Value(&'a Expr),
}

impl<'p> Printer<'p> {
    /// Prints an expression, in parentheses if it binds less tight than `least`.
    pub(super) fn expr(&mut self, expr: &Expr, least: u8) {
        stack::level(|| {
            if tightness(expr) < least {
                self.push("(");
                self.bare(expr);
                self.push(")");
            } else {
                self.bare(expr);
            }
        });
    }

    fn bare(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(number) => self.push(&number.to_string()),
            Expr::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Expr::Tuple(parts) => self.bracketed("(", parts, ")"),
            Expr::Record(fields) => self.record(fields),
            Expr::SetOf(elements) => self.bracketed("{", elements, "}"),
            Expr::Element { of, element, args } => {
                let found = &self.program.enums[of.index()].elements[*element as usize];
                self.push(&found.name);
                if !args.is_empty() {
                    self.bracketed("(", args, ")");
                }
            }
            Expr::Of { pid, process, var } => {
                self.expr(pid, TIGHTEST);
                self.push(".");
                self.push(&self.program.process(*process).code.vars[var.index()].name);
            }
            Expr::Part(value, part) => {
                self.expr(value, TIGHTEST);
                self.push(".");
                let name = part_name(self.shape(value), *part);
                self.push(&name);
            }
            Expr::Key(map, key) => {
                self.expr(map, TIGHTEST);
                self.push("[");
                self.expr(key, 0);
                self.push("]");
            }
            Expr::Card(inner) => self.call("card", inner),
            Expr::Here(inner) => self.call("here", inner),
            Expr::Finished(inner) => self.call("finished", inner),
            Expr::Unary(op, operand) => {
                self.push(if *op == UnaryOp::Minus { "-" } else { "!" });
                self.expr(operand, PREFIX);
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Quantifier { kind, bound, body } => {
                self.push(if *kind == Quantifier::Forall { "forall (" } else { "exists (" });
                let bound: Vec<_> = bound.iter().map(|(local, ty)| (*local, ty)).collect();
                self.binder(&bound, body);
            }
            Expr::Comprehension { bound, ty, body } => {
                self.push("set (");
                self.binder(&[(*bound, ty)], body);
            }
            _ => {
                let name = self.name(expr);
                self.push(&name);
            }
        }
    }

    fn record(&mut self, fields: &[(SmolStr, Expr)]) {
        self.push("(");
        self.list(fields, |this, (name, value)| {
            this.push(name);
            this.push(" = ");
            this.expr(value, 0);
        });
        self.push(")");
    }

    /// What has a name.
    fn name(&self, expr: &Expr) -> SmolStr {
        let program = self.program;
        match expr {
            Expr::Process(process) => program.process(*process).name.clone(),
            Expr::Me => match self.home {
                Home::Process(process) => program.process(process).name.clone(),
                Home::Sequential | Home::Outside => SmolStr::default(),
            },
            Expr::Set(set) => program.set(*set).name.clone(),
            Expr::Const(constant) => program.consts[constant.index()].name.clone(),
            Expr::Own(var) => {
                self.code().and_then(|code| code.vars.get(var.index())).map(|var| var.name.clone()).unwrap_or_default()
            }
            Expr::Shared(var) => program.shared[var.index()].name.clone(),
            Expr::Local(local) => self.local(*local),
            _ => SmolStr::default(),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let own = binds(op);
        // A chain of implications would be read without a warning only by those who know that it goes to the left.
        self.expr(left, if op == BinaryOp::Implies { own + 1 } else { own });
        self.push(" ");
        self.push(sign(op));
        self.push(" ");
        self.expr(right, own + 1);
    }

    fn binder(&mut self, bound: &[(crate::program::LocalId, &Type)], body: &Expr) {
        let mut names = Vec::new();
        for (at, (local, ty)) in bound.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            let name = self.bind(*local);
            self.push(&name);
            self.push(": ");
            self.ty(ty);
            names.push(name);
        }
        self.push(") :: ");
        self.expr(body, 0);
        names.iter().for_each(|name| self.release(name));
    }

    fn bracketed(&mut self, open: &str, parts: &[Expr], close: &str) {
        self.push(open);
        self.list(parts, |this, part| this.expr(part, 0));
        self.push(close);
    }

    fn call(&mut self, name: &str, inner: &Expr) {
        self.push(name);
        self.push("(");
        self.expr(inner, 0);
        self.push(")");
    }

    pub(super) fn place(&mut self, place: &Place) {
        let var = match &place.root {
            Root::Own(var) => {
                self.expr(&Expr::Own(*var), TIGHTEST);
                self.code().and_then(|code| code.vars.get(var.index()))
            }
            Root::Shared(var) => {
                self.expr(&Expr::Shared(*var), TIGHTEST);
                self.program.shared.get(var.index())
            }
            Root::Of { pid, process, var } => {
                self.expr(pid, TIGHTEST);
                self.push(".");
                let var = &self.program.process(*process).code.vars[var.index()];
                self.push(&var.name);
                Some(var)
            }
        };
        let mut shape = var.map(|var| Shape::Type(&var.ty));
        for step in &place.path {
            match step {
                Step::Part(part) => {
                    self.push(".");
                    let name = part_name(shape, *part);
                    self.push(&name);
                    shape = shape.and_then(|shape| part_of(shape, *part));
                }
                Step::Key(key) => {
                    self.push("[");
                    self.expr(key, 0);
                    self.push("]");
                    shape = shape.and_then(value_of);
                }
            }
        }
    }

    /// The name of the enum element that a value is matched with.
    pub(super) fn element_name(&self, value: &Expr, element: u32) -> SmolStr {
        let of = match self.shape(value) {
            Some(Shape::Type(Type::Enum(of)) | Shape::Value(Expr::Element { of, .. })) => *of,
            _ => return SmolStr::default(),
        };
        let found = self.program.enums.get(of.index()).and_then(|of| of.elements.get(element as usize));
        found.map(|found| found.name.clone()).unwrap_or_default()
    }

    /// What is known about the parts of a value. It lives as long as the program, or as the expression.
    fn shape<'a>(&self, expr: &'a Expr) -> Option<Shape<'a>>
    where
        'p: 'a,
    {
        let program = self.program;
        Some(match expr {
            Expr::Own(var) => Shape::Type(&self.code()?.vars.get(var.index())?.ty),
            Expr::Shared(var) => Shape::Type(&program.shared.get(var.index())?.ty),
            Expr::Const(constant) => Shape::Type(&program.consts.get(constant.index())?.ty),
            Expr::Local(local) => Shape::Type(&self.locals().get(local.index())?.ty),
            Expr::Of { process, var, .. } => Shape::Type(&program.process(*process).code.vars.get(var.index())?.ty),
            Expr::Part(inner, part) => part_of(stack::level(|| self.shape(inner))?, *part)?,
            Expr::Key(map, _) => value_of(stack::level(|| self.shape(map))?)?,
            Expr::Tuple(_) | Expr::Record(_) | Expr::Element { .. } => Shape::Value(expr),
            _ => return None,
        })
    }
}

fn part_of(shape: Shape<'_>, part: u32) -> Option<Shape<'_>> {
    let part = part as usize;
    Some(match shape {
        Shape::Type(Type::Tuple(parts)) => Shape::Type(parts.get(part)?),
        Shape::Type(Type::Record(fields)) => Shape::Type(&fields.get(part)?.1),
        Shape::Value(Expr::Tuple(parts)) => Shape::Value(parts.get(part)?),
        Shape::Value(Expr::Record(fields)) => Shape::Value(&fields.get(part)?.1),
        Shape::Type(_) | Shape::Value(_) => return None,
    })
}

fn value_of(shape: Shape<'_>) -> Option<Shape<'_>> {
    match shape {
        Shape::Type(Type::Map(_, value)) => Some(Shape::Type(value)),
        Shape::Type(_) | Shape::Value(_) => None,
    }
}

/// The name of a record's field, the number of a tuple's part.
fn part_name(shape: Option<Shape<'_>>, part: u32) -> SmolStr {
    let field = match shape {
        Some(Shape::Type(Type::Record(fields))) => fields.get(part as usize).map(|(name, _)| name),
        Some(Shape::Value(Expr::Record(fields))) => fields.get(part as usize).map(|(name, _)| name),
        _ => None,
    };
    field.cloned().unwrap_or_else(|| part.to_smolstr())
}

fn tightness(expr: &Expr) -> u8 {
    match expr {
        Expr::Quantifier { .. } | Expr::Comprehension { .. } => 0,
        Expr::Binary(op, ..) => binds(*op),
        Expr::Unary(..) => PREFIX,
        Expr::Int(number) if *number < 0 => PREFIX,
        _ => TIGHTEST,
    }
}

fn binds(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Iff => 1,
        BinaryOp::Implies => 2,
        BinaryOp::Or => 3,
        BinaryOp::And => 4,
        BinaryOp::Eq | BinaryOp::Ne => 5,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::In | BinaryOp::Subset => 6,
        BinaryOp::Add | BinaryOp::Sub => 7,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 8,
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::In => "in",
        BinaryOp::Subset => "subset",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "==>",
        BinaryOp::Iff => "<==>",
    }
}
