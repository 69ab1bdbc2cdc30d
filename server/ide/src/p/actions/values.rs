//! Values of the wrong type, where one way to make the right one of them suggests itself.

use lockstep_base::{Diagnostic, TextRange};
use lockstep_program::ty::Ty;
use lockstep_program::{Space, lookup};
use lockstep_syntax::p::ast::{BinaryOp, Decl as AstDecl, Expr, ExprId, Stmt};
use rustc_hash::FxHashMap;

use super::super::declared::meant_type;
use super::super::names::name_at;
use super::Proposal;
use super::site::{Site, Unit, insert, replace};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let is_ours = matches!(
        finding.code,
        "LS0302"
            | "LS0303"
            | "LS0304"
            | "LS0305"
            | "LS0306"
            | "LS0308"
            | "LS0312"
            | "LS0316"
            | "LS0317"
            | "LS0321"
            | "LS0322"
            | "LS0323"
            | "LS1302"
    );
    if !is_ours {
        return Vec::new();
    }
    let Some(unit) = site.code(finding.range) else { return Vec::new() };
    let values = Values { site, unit, types: unit.types(site.db), range: finding.range };
    let fix = match finding.code {
        "LS0302" | "LS0316" => values.number_as_condition(),
        "LS0303" => values.text_of_message(),
        "LS0304" | "LS0305" | "LS0317" => values.other_number(&finding.message),
        "LS0306" => values.index_to_add_at(),
        "LS0308" => return values.keys_or_values(),
        "LS0312" => values.element_by_index(),
        "LS0321" => values.numbers_of_one_type(),
        "LS0322" => values.numbers_of_one_type().or_else(|| values.enum_element()),
        "LS0323" => values.text_instead_of_cast(),
        _ => values.without_implication(),
    };
    fix.into_iter().collect()
}

struct Values<'s, 'db> {
    site: &'s Site<'db>,
    unit: Unit<'db>,
    types: FxHashMap<ExprId, Ty>,
    range: TextRange,
}

impl Values<'_, '_> {
    fn expr(&self) -> Option<(ExprId, &Expr)> {
        self.unit.expr(self.range)
    }

    fn written(&self, id: ExprId) -> String {
        self.site.slice(self.unit.range(id))
    }

    /// As it is written, with parentheses if it would fall apart as an operand.
    fn operand(&self, id: ExprId) -> String {
        let text = self.written(id);
        let is_loose = matches!(
            self.unit.nodes[id],
            Expr::Binary { .. }
                | Expr::Unary { .. }
                | Expr::As { .. }
                | Expr::To { .. }
                | Expr::Is { .. }
                | Expr::Quantifier { .. }
        );
        if is_loose { format!("({text})") } else { text }
    }

    fn number_as_condition(&self) -> Option<Proposal> {
        let (id, _) = self.expr()?;
        let is_negated =
            self.unit.nodes.exprs.iter().any(|(_, expr)| matches!(expr, Expr::Unary { operand, .. } if *operand == id));
        let test = format!("{} != 0", self.operand(id));
        let test = if is_negated { format!("({test})") } else { test };
        (self.types.get(&id)? == &Ty::Int).then(|| self.site.fix("compare it with 0", [replace(self.range, test)]))
    }

    fn text_of_message(&self) -> Option<Proposal> {
        let (id, _) = self.expr()?;
        let text = format!("format(\"{{0}}\", {})", self.written(id));
        (*self.types.get(&id)? != Ty::Null).then(|| self.site.fix("make a text of it", [replace(self.range, text)]).preferred())
    }

    /// An `int` where a `float` is wanted, or the other way round; which of them only the message knows.
    fn other_number(&self, message: &str) -> Option<Proposal> {
        let (id, _) = self.expr()?;
        match self.types.get(&id)? {
            Ty::Int if message.contains("`float`") => self.converted(id, false),
            Ty::Float if message.contains("`int`") => {
                Some(self.site.fix("convert it to `int`", [replace(self.range, format!("{} to int", self.operand(id)))]))
            }
            _ => None,
        }
    }

    /// A whole number as a `float`.
    fn converted(&self, id: ExprId, is_operand: bool) -> Option<Proposal> {
        let range = self.unit.range(id);
        match &self.unit.nodes[id] {
            Expr::Int(digits) => Some(self.site.fix(format!("write `{digits}.0`"), [insert(range.end(), ".0")]).preferred()),
            _ => {
                let cast = format!("{} to float", self.operand(id));
                let cast = if is_operand { format!("({cast})") } else { cast };
                Some(self.site.fix("convert it to `float`", [replace(range, cast)]).preferred())
            }
        }
    }

    fn index_to_add_at(&self) -> Option<Proposal> {
        let stmts = self.unit.nodes.stmts.iter();
        let (target, value) = { stmts }.find_map(|(_, stmt)| match stmt {
            Stmt::Insert { target, key: None, value } if self.unit.range(*target) == self.range => Some((*target, *value)),
            _ => None,
        })?;
        if !matches!(self.types.get(&target)?, Ty::Seq(element) if element.accepts(self.types.get(&value)?)) {
            return None;
        }
        let index = format!("sizeof({}), ", self.written(target));
        // The parentheses are those of the statement, or the value's own.
        let at = match self.unit.nodes[value] {
            Expr::Paren(inner) => self.unit.range(inner).start(),
            _ => self.unit.range(value).start(),
        };
        let is_bare = !self.site.line_before(self.unit.range(value).start()).trim_end().ends_with('(');
        match is_bare && !matches!(self.unit.nodes[value], Expr::Paren(_)) {
            true => None,
            false => Some(self.site.fix("add it at the end", [insert(at, index)]).preferred()),
        }
    }

    fn keys_or_values(&self) -> Vec<Proposal> {
        let site = self.site;
        let collection = self.unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
            Stmt::Foreach { variable, collection, .. } if self.unit.range(*collection) == self.range => {
                Some((*variable, *collection))
            }
            _ => None,
        });
        let Some((variable, collection)) = collection else { return Vec::new() };
        let Some(Ty::Map(key, value)) = self.types.get(&collection) else { return Vec::new() };
        let declared =
            name_at(site.db, site.file, self.unit.range(variable).start()).and_then(|name| meant_type(site.db, &name.target));
        let Some(declared) = declared else { return Vec::new() };
        let text = self.written(collection);
        let fits: Vec<&str> =
            [("keys", key), ("values", value)].into_iter().filter(|(_, ty)| declared.is_same(ty)).map(|(word, _)| word).collect();
        let fix = |word: &str| site.fix(format!("go through its {word}"), [replace(self.range, format!("{word}({text})"))]);
        match fits[..] {
            [only] => vec![fix(only).preferred()],
            _ => fits.into_iter().map(fix).collect(),
        }
    }

    /// `numbers.0` of a sequence is `numbers[0]`.
    fn element_by_index(&self) -> Option<Proposal> {
        let (id, value, index) = self.unit.nodes.exprs.iter().find_map(|(id, expr)| match expr {
            Expr::Element { value, index } if self.unit.range(*index) == self.range || self.unit.range(id) == self.range => {
                Some((id, *value, *index))
            }
            _ => None,
        })?;
        let is_indexed = match self.types.get(&value)? {
            Ty::Seq(_) => true,
            Ty::Map(key, _) => **key == Ty::Int,
            _ => false,
        };
        let rest = TextRange::new(self.unit.range(value).end(), self.unit.range(id).end());
        let index = format!("[{}]", self.site.slice(self.unit.range(index)));
        is_indexed.then(|| self.site.fix(format!("write `{index}`"), [replace(rest, index)]).preferred())
    }

    fn numbers_of_one_type(&self) -> Option<Proposal> {
        let (_, Expr::Binary { left, right, .. }) = self.expr()? else { return None };
        match (self.types.get(left)?, self.types.get(right)?) {
            (Ty::Int, Ty::Float) => self.converted(*left, true),
            (Ty::Float, Ty::Int) => self.converted(*right, true),
            _ => None,
        }
    }

    /// The element of an enum that has the number it is compared with.
    fn enum_element(&self) -> Option<Proposal> {
        let (_, Expr::Binary { left, right, .. }) = self.expr()? else { return None };
        let (name, number) = match (self.types.get(left)?, self.types.get(right)?) {
            (Ty::Enum(name), Ty::Int) => (name, *right),
            (Ty::Int, Ty::Enum(name)) => (name, *left),
            _ => return None,
        };
        let Expr::Int(digits) = &self.unit.nodes[number] else { return None };
        let decl = lookup(self.site.db, self.site.project(), Space::Type, name)?.decl;
        let shape = decl.shape(self.site.db);
        let AstDecl::Enum { elements, .. } = &shape.0.decl else { return None };
        let nodes = &shape.0.nodes;
        let numbers = (0_u64..).zip(elements).map(|(nth, element)| match element.value {
            Some(value) => nodes[value].as_str().parse().unwrap_or(u64::MAX),
            None => nth,
        });
        let wanted: u64 = digits.parse().ok()?;
        let found = { numbers }.zip(elements).find(|(number, _)| *number == wanted)?.1;
        let element = nodes[found.name].as_str();
        Some(self.site.fix(format!("write `{element}`"), [replace(self.unit.range(number), element)]).preferred())
    }

    fn text_instead_of_cast(&self) -> Option<Proposal> {
        let exprs = self.unit.nodes.exprs.iter();
        let (id, value, ty) = { exprs }.find_map(|(id, expr)| match expr {
            Expr::To { value, ty } if self.unit.range(id) == self.range || self.unit.range(*ty) == self.range => {
                Some((id, *value, *ty))
            }
            _ => None,
        })?;
        let is_text = self.site.slice(self.unit.range(ty)) == "string";
        let text = format!("format(\"{{0}}\", {})", self.written(value));
        is_text.then(|| self.site.fix("make a text of it with `format`", [replace(self.unit.range(id), text)]).preferred())
    }

    fn without_implication(&self) -> Option<Proposal> {
        let (id, Expr::Binary { op, left, right }) = self.expr()? else { return None };
        let (title, text) = match op {
            BinaryOp::Implies => ("write it with `!` and `||`", format!("!{} || {}", self.operand(*left), self.operand(*right))),
            BinaryOp::Iff => ("write `==`", format!("{} == {}", self.operand(*left), self.operand(*right))),
            _ => return None,
        };
        let is_operand = self.unit.nodes.exprs.iter().any(|(_, expr)| match expr {
            Expr::Binary { left, right, .. } => *left == id || *right == id,
            _ => false,
        });
        // What is inside of another one is mended first, with it.
        let has_inner = [*left, *right].iter().any(|side| {
            let within = self.unit.range(*side);
            let inner = |(id, expr): (ExprId, &Expr)| {
                matches!(expr, Expr::Binary { op: BinaryOp::Implies | BinaryOp::Iff, .. })
                    && within.contains_range(self.unit.range(id))
            };
            self.unit.nodes.exprs.iter().any(inner)
        });
        let text = if is_operand { format!("({text})") } else { text };
        (!has_inner).then(|| self.site.fix(title, [replace(self.range, text)]).preferred())
    }
}
