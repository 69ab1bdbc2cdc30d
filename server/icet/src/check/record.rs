//! Records, and how parts of values are asked for: `v.field`, `v.0`, `m[k]`, and `p.x` for the variable of a process.

use lockstep_syntax::icet::ast::{ExprId, NameId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expr::{Typed, Use};
use super::name::{most_similar, replacement};
use super::{Checker, More, codes, next};
use crate::program::{Expr, ProcessId, Type, Whose};
use crate::types::is_unknown;

impl Checker<'_> {
    /// `(a = e, b = f)`. With the same fields in another order, the wanted type gives the order.
    pub(super) fn record(&mut self, fields: &[(NameId, ExprId)], hint: Option<&Type>) -> Typed {
        let hints: &[(SmolStr, Type)] = match hint {
            Some(Type::Record(hints)) => hints,
            _ => &[],
        };
        let place = |name: &SmolStr| hints.iter().position(|(other, _)| other == name);
        let mut ghost = None;
        let mut values: Vec<(Option<usize>, SmolStr, Expr, Type)> = Vec::new();
        let mut seen = FxHashMap::default();
        let mut is_right = true;
        for (name, value) in fields {
            let text = self.text(*name);
            self.has_holes |= text.is_empty();
            if let Some(first) = seen.insert(text.clone(), self.range(*name)) {
                is_right = false;
                let message = format!("`{text}` has two values");
                self.error(codes::NAME, self.range(*name), message).related(first, "the first value is here");
            }
            let at = place(text);
            let typed = self.expr(*value, at.map(|at| &hints[at].1));
            ghost = ghost.or(typed.ghost);
            values.push((at, text.clone(), typed.expr, typed.ty));
        }
        if values.len() == hints.len() && values.iter().all(|(at, ..)| at.is_some()) {
            values.sort_by_key(|(at, ..)| *at);
        }
        if !is_right {
            return Typed { ghost, ..Typed::unknown() };
        }
        let types = values.iter().map(|(_, name, _, ty)| (name.clone(), ty.clone())).collect();
        let exprs = values.into_iter().map(|(_, name, expr, _)| (name, expr)).collect();
        Typed { expr: Expr::Record(exprs), ty: Type::Record(types), ghost }
    }

    /// `v.field` of a record, or `p.x` of a process.
    pub(super) fn field(&mut self, value: ExprId, field: NameId) -> Typed {
        let typed = self.expr(value, None);
        let text = self.text(field);
        if text.is_empty() {
            self.has_holes = true;
            return Typed::unknown();
        }
        match &typed.ty {
            Type::Pid(whose) => {
                let whose = *whose;
                self.variable_of(typed, whose, field)
            }
            Type::Record(fields) => match fields.iter().position(|(name, _)| name == text) {
                Some(at) => {
                    let ty = fields[at].1.clone();
                    Typed { expr: Expr::Part(Box::new(typed.expr), next(at)), ty, ghost: typed.ghost }
                }
                None => {
                    let similar = most_similar(text, fields.iter().map(|(name, _)| name)).cloned();
                    let message = format!("{} has no field `{text}`", self.describe(&typed.ty));
                    let range = self.range(field);
                    let error = self.error(codes::TYPE, range, message);
                    if let Some(similar) = similar {
                        error.help(format!("did you mean `{similar}`?"));
                        error.fix = Some(replacement(range, &similar));
                    }
                    Typed::unknown()
                }
            },
            ty if is_unknown(ty) => Typed::unknown(),
            ty => {
                let message = format!("{} has no fields", self.describe(ty));
                self.error(codes::TYPE, self.range(field), message);
                Typed::unknown()
            }
        }
    }

    /// `p.x`
    fn variable_of(&mut self, pid: Typed, whose: Whose, field: NameId) -> Typed {
        let (text, range) = (self.text(field), self.range(field));
        let Some(process) = self.process_of(whose) else {
            let (message, help) = match whose {
                Whose::Member(set) => {
                    let set = &self.program.set(set).name;
                    (format!("no process is declared for `{set}`"), format!("declare one: `process c in {set} {{ }}`"))
                }
                _ => (
                    format!("it is not known whose variable `{text}` is: the process can be any"),
                    "give the process a narrower type than `pid`: the name of a set or of a process".to_string(),
                ),
            };
            self.error(codes::NO_SUCH_VARIABLE, range, message).help(help);
            return Typed::unknown();
        };
        let Some((var, declared)) = self.vars[process.index()].get(text).copied() else {
            self.no_such_variable(process, field);
            return Typed::unknown();
        };
        let found = &self.program.process(process).code.vars[var.index()];
        let (ty, is_ghost) = (found.ty.clone(), found.is_ghost);
        let ghost = pid.ghost.or(is_ghost.then_some(range));
        let is_own = match &pid.expr {
            Expr::Me => true,
            Expr::Process(process) => self.around.process == Some(*process),
            _ => false,
        };
        if is_own {
            return Typed { expr: Expr::Own(var), ty, ghost };
        }
        match self.around.purpose {
            // The process itself has been reported.
            Use::Fixed if matches!(pid.expr, Expr::Process(_)) => {}
            Use::Fixed => {
                self.error(codes::NOT_CONSTANT, range, "a variable cannot be mentioned here")
                    .help("values of constants, and `assume` outside of processes, speak of sets and constants only");
            }
            Use::Code if !self.around.is_sequential => {
                let message = format!("`{text}` is a variable of another process");
                self.error(codes::FOREIGN, range, message)
                    .help("processes share nothing: send its value in a message, or say it in an `invariant`")
                    .related(declared, format!("`{text}` is declared here"));
            }
            Use::Code | Use::Invariant | Use::Ensures => {}
        }
        Typed { expr: Expr::Of { pid: Box::new(pid.expr), process, var }, ty, ghost }
    }

    fn no_such_variable(&mut self, process: ProcessId, field: NameId) {
        let (text, range) = (self.text(field), self.range(field));
        let found = self.program.process(process);
        let message = format!("the process `{}` has no variable `{text}`", found.name);
        let declared = found.range;
        let names = found.code.vars.iter().map(|var| &var.name).filter(|_| self.guesses > 0);
        let similar = most_similar(text, names).cloned();
        self.guesses = self.guesses.saturating_sub(1);
        let error = self.error(codes::NO_SUCH_VARIABLE, range, message).related(declared, "the process is declared here");
        if let Some(similar) = similar {
            error.help(format!("did you mean `{similar}`?"));
            error.fix = Some(replacement(range, &similar));
        }
    }

    /// `v.0`
    pub(super) fn numbered_part(&mut self, value: ExprId, index: NameId) -> Typed {
        let typed = self.expr(value, None);
        let text = self.text(index);
        if text.is_empty() {
            self.has_holes = true;
            return Typed::unknown();
        }
        let Type::Tuple(parts) = &typed.ty else {
            let message = format!("{} has no numbered parts", self.describe(&typed.ty));
            self.error(codes::TYPE, self.range(index), message);
            return Typed::unknown();
        };
        if is_unknown(&typed.ty) {
            return Typed::unknown();
        }
        match text.parse::<usize>().ok().and_then(|at| Some((at, parts.get(at)?.clone()))) {
            Some((at, ty)) => Typed { expr: Expr::Part(Box::new(typed.expr), next(at)), ty, ghost: typed.ghost },
            None => {
                let message = format!("{} has no part {text}", self.describe(&typed.ty));
                let last = parts.len() - 1;
                self.error(codes::TYPE, self.range(index), message).help(format!("its parts are `.0` to `.{last}`"));
                Typed::unknown()
            }
        }
    }

    /// `m[k]`
    pub(super) fn key(&mut self, map: ExprId, key: ExprId) -> Typed {
        let map_id = map;
        let map = self.expr(map, None);
        let Type::Map(wanted, value) = &map.ty else {
            self.expr(key, None);
            if !is_unknown(&map.ty) {
                let message = format!("only a map can be asked for the value of a key, and this is {}", self.describe(&map.ty));
                self.error(codes::TYPE, self.range(map_id), message);
            }
            return Typed::unknown();
        };
        let (wanted, value) = (wanted.clone(), (**value).clone());
        let key = self.value(key, &wanted);
        let ghost = map.ghost.or(key.ghost);
        Typed { expr: Expr::Key(Box::new(map.expr), Box::new(key.expr)), ty: value, ghost }
    }
}
