//! `match`: each element of the enum once, or a default.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, ExprId};

use super::name::Global;
use super::{Checker, More, codes};
use crate::program::{Arm, EnumId, StmtKind, Type};
use crate::types::is_unknown;

impl Checker<'_> {
    pub(super) fn match_stmt(
        &mut self,
        range: TextRange,
        value: ExprId,
        cases: &[ast::MatchCase],
        default: Option<&ast::Block>,
    ) -> StmtKind {
        let value_range = self.range(value);
        let value = self.expr(value, None);
        self.no_ghost(&value, "what is matched");
        let wanted = match &value.ty {
            Type::Enum(wanted) => Some(*wanted),
            ty if is_unknown(ty) => None,
            ty => {
                let message = format!("`match` takes a value of an enum, and this is {}", self.describe(ty));
                self.error(codes::CASES, value_range, message).help("use `if`");
                None
            }
        };
        let elements = wanted.map_or(0, |wanted| self.program.enums[wanted.index()].elements.len());
        let mut taken: Vec<Option<TextRange>> = vec![None; elements];
        let mut is_complete = wanted.is_some();
        let mut arms = Vec::new();
        for case in cases {
            match self.arm(case, wanted, &mut taken) {
                Some(arm) => arms.push(arm),
                None => is_complete = false,
            }
        }
        if let Some(wanted) = wanted.filter(|_| is_complete && default.is_none()) {
            self.all_taken(range, wanted, &taken);
        }
        let default = default.map(|default| self.block(default));
        StmtKind::Match { value: value.expr, arms, default }
    }

    /// One case; `None` if its element is not one of the enum.
    fn arm(&mut self, case: &ast::MatchCase, wanted: Option<EnumId>, taken: &mut [Option<TextRange>]) -> Option<Arm> {
        let range = self.range(case.element);
        let found = self.global(case.element, "an element of an enum", |global| matches!(global, Global::Element(..)));
        let Some(Global::Element(of, element)) = found else {
            self.patterns(case.element, &case.patterns, None);
            self.block(&case.body);
            return None;
        };
        let payload = self.program.enums[of.index()].elements[element as usize].payload.clone();
        let patterns = self.patterns(case.element, &case.patterns, Some(&payload));
        let body = self.block(&case.body);
        let text = self.text(case.element);
        if wanted.is_some_and(|wanted| wanted != of) {
            let (other, wanted) = (self.describe(&Type::Enum(of)), wanted.map(|wanted| self.describe(&Type::Enum(wanted))));
            let message = format!("`{text}` is an element of {other}, and the value is {}", wanted.unwrap_or_default());
            self.error(codes::CASES, range, message);
            return None;
        }
        let place = taken.get_mut(element as usize)?;
        if let Some(first) = *place {
            let message = format!("`{text}` has a case already");
            self.error(codes::CASES, range, message).help("join the two cases").related(first, "the first case is here");
        } else {
            *place = Some(range);
        }
        Some(Arm { element, patterns, body })
    }

    fn all_taken(&mut self, range: TextRange, wanted: EnumId, taken: &[Option<TextRange>]) {
        let elements = &self.program.enums[wanted.index()].elements;
        let missing = elements.iter().zip(taken).filter(|(_, taken)| taken.is_none());
        let missing: Vec<String> = missing.map(|(element, _)| format!("`{}`", element.name)).collect();
        if !missing.is_empty() {
            let message = format!("this `match` has no case for {}", missing.join(", "));
            self.error(codes::CASES, self.word(range, "match".len()), message)
                .help("add the cases, or a `default: { }` for all others");
        }
    }
}
