//! What kind of thing is wanted at a place.

use super::offers::{Offers, Prefer};
use super::snippets;
use crate::icet::context::{AT_MARGIN, Bracket, ends_operand};
use crate::icet::program::NameKind;

impl Offers<'_, '_> {
    /// Offers what fits the words before the cursor.
    pub(super) fn add_wanted(&mut self) {
        let context = self.context;
        if context.is_at_margin && !context.open.is_empty() {
            // What was left open may be closed later: a declaration at the margin is one.
            let is_declaration = |found: &&snippets::Snippet| AT_MARGIN.iter().any(|word| found.label.starts_with(word));
            let declarations: Vec<snippets::Snippet> = snippets::DECLARATIONS.iter().filter(is_declaration).copied().collect();
            self.snippets(&declarations);
        }
        let before = context.before(1);
        let first = context.head().first().map_or("", |word| word.text.as_str());
        let innermost = context.innermost();
        match innermost {
            _ if before == "." => self.fields_before_dot(),
            Some(Bracket::Binder) if before == ":" => self.types(),
            Some(Bracket::TypeArgs) if matches!(before, "[" | ",") => self.types(),
            Some(Bracket::Binder | Bracket::TypeArgs) => {}
            _ if first.is_empty() => self.beginning(),
            _ if matches!(first, "var" | "ghost" | "const") => self.in_variable(),
            _ if context.body().is_none() => self.in_declaration(first),
            _ => self.in_statement(first),
        }
    }

    /// A declaration, statement or case can start here.
    fn beginning(&mut self) {
        let context = self.context;
        match context.innermost() {
            None => self.snippets(&snippets::DECLARATIONS),
            Some(Bracket::Receptions) => self.snippets(&snippets::RECEPTIONS),
            Some(Bracket::Cases) => self.snippets(&snippets::CASES),
            Some(Bracket::Body | Bracket::Block) => {
                self.places();
                self.snippets(&snippets::STATEMENTS);
                let is_sequential = context.body() == Some("sequential");
                self.snippets(if is_sequential { &snippets::SEQUENTIAL } else { &snippets::PROCESS });
                self.snippets_by_previous();
                if is_sequential {
                    // Other processes' variables are assigned, which their pids lead to.
                    self.values(Prefer::Pids);
                }
            }
            _ => {}
        }
    }

    /// What depends on the statement before.
    fn snippets_by_previous(&mut self) {
        let context = self.context;
        let is_first = context.before(1) == "{";
        let previous = context.previous.map_or("", |at| context.word(at));
        match previous {
            // Variables come before statements.
            _ if context.innermost() == Some(Bracket::Body) && (is_first || matches!(previous, "var" | "ghost")) => {
                self.snippets(&snippets::VARIABLES);
            }
            "if" => self.snippets(&snippets::AFTER_IF),
            "else" if context.previous.is_some_and(|at| context.word(at + 1) == "if") => self.snippets(&snippets::AFTER_IF),
            "choose" | "or" => self.snippets(&snippets::AFTER_CHOICE),
            _ => {}
        }
    }

    fn in_variable(&mut self) {
        let context = self.context;
        let before = context.before(1);
        if before == "ghost" {
            self.keywords(&["var"]);
        } else if context.has_in_head("=") {
            self.expression(Prefer::Nothing);
        } else if context.has_in_head(":") && matches!(before, ":" | "(" | ",") {
            self.types();
        }
    }

    fn in_declaration(&mut self, first: &str) {
        let context = self.context;
        let (before, count) = (context.before(1), context.head().len());
        let in_parentheses = context.innermost() == Some(Bracket::Parenthesis);
        match first {
            "type" if matches!(before, "=" | "(" | "," | ":") => self.types(),
            "message" | "enum" if in_parentheses && matches!(before, "(" | "," | ":") => self.types(),
            "set" if before == "subset" => self.sets(),
            "set" if count == 2 => self.keywords(&["subset"]),
            "process" if before == "in" => self.sets(),
            "process" if count == 2 => self.keywords(&["in"]),
            "assume" | "invariant" | "ensures" => self.expression(Prefer::Nothing),
            _ => {}
        }
    }

    fn in_statement(&mut self, first: &str) {
        let context = self.context;
        let before = context.before(1);
        // Behind the head of a loop, before its first invariant.
        let is_head_end = ends_operand(before) && !context.has_in_head("invariant");
        let in_code = context.innermost().is_none_or(|kind| matches!(kind, Bracket::Body | Bracket::Block));
        match first {
            "send" if before == "send" => self.messages(),
            "send" if before == "to" => self.values(Prefer::Pids),
            "send" if in_code && ends_operand(before) && !context.has_in_head("to") => self.keywords(&["to"]),
            "recv" => self.reception("timeout"),
            "case" if self.is_reception() => self.reception(":"),
            "case" => self.match_case(),
            "for" | "foreach" | "parallel" if before == "in" && context.head().len() == 3 => self.values(Prefer::Sets),
            "for" | "foreach" | "parallel" if context.head().len() < 3 => {
                if context.head().len() == 2 {
                    self.keywords(&["in"]);
                }
            }
            "for" | "foreach" | "repeat" | "rounds" if in_code && before == ";" => self.keywords(&["invariant"]),
            "for" | "foreach" if in_code && is_head_end && !context.has_in_head("done") => {
                self.keywords(&["done", "invariant"]);
            }
            "for" | "foreach" if in_code && is_head_end => self.keywords(&["invariant"]),
            "while" if in_code && (before == ")" || before == ";") => self.keywords(&["invariant"]),
            "repeat" | "rounds" if in_code && is_head_end && !context.has_in_head("as") => self.keywords(&["as", "invariant"]),
            "repeat" | "rounds" if in_code && is_head_end => self.keywords(&["invariant"]),
            "rounds" if before == "rounds" => {
                self.keywords(&["as"]);
                self.expression(Prefer::Nothing);
            }
            "pick" if before == "pick" => self.written_places(),
            "pick" if before == "in" => self.values(Prefer::Sets),
            "pick" if ends_operand(before) && !context.has_in_head("in") => self.keywords(&["in"]),
            "havoc" if before == "havoc" => self.written_places(),
            "else" if before == "else" => self.keywords(&["if"]),
            "if" | "else" | "match" if in_code => {}
            "atomic" | "break" | "choose" | "fail" | "or" | "skip" => {}
            _ if matches!(before, "as" | "done") => {}
            // Behind what an assignment stores in, only `=` can come.
            _ if in_code && ends_operand(first) && !context.has_in_head("=") => {}
            _ => self.expression(Prefer::Nothing),
        }
    }

    /// What can be stored in: variables, and in the sequential part those of any process.
    fn written_places(&mut self) {
        self.places();
        if self.context.body() == Some("sequential") {
            self.values(Prefer::Pids);
        }
    }

    /// Whether the case that the cursor is in belongs to a `recv`.
    fn is_reception(&self) -> bool {
        let cases = self.context.open.iter().rev().find(|open| matches!(open.kind, Bracket::Receptions | Bracket::Cases));
        cases.is_some_and(|open| open.kind == Bracket::Receptions)
    }

    /// In `M(x) from p`; `end` is the word that can follow it.
    fn reception(&mut self, end: &str) {
        let context = self.context;
        let before = context.before(1);
        let has_source = context.has_in_head("from");
        match before {
            "recv" | "case" => self.messages(),
            "from" => {
                self.keywords(&["any"]);
                self.values(Prefer::PidsAndSets);
            }
            "in" => {
                self.keywords(&["any"]);
                self.values(Prefer::Sets);
            }
            _ if !has_source && context.innermost() == Some(Bracket::Parenthesis) => self.places(),
            _ if !has_source => self.keywords(&["from"]),
            _ if !ends_operand(before) => self.expression(Prefer::PidsAndSets),
            _ if end == "timeout" => self.keywords(&["in", "timeout"]),
            _ => self.keywords(&["in"]),
        }
    }

    /// In the head of a `match`'s case.
    fn match_case(&mut self) {
        let context = self.context;
        if context.before(1) == "case" {
            let cases = context.open.iter().rev().find(|open| open.kind == Bracket::Cases);
            // The value stands in parentheses right before the brace.
            let of = cases.map(|open| self.value_before(open.at.saturating_sub(1)));
            self.elements(of);
        } else if context.innermost() == Some(Bracket::Parenthesis) {
            self.places();
        }
    }

    /// Everything that an expression can begin with; or, where one has just ended, the words that can go on.
    pub(super) fn expression(&mut self, prefer: Prefer) {
        if ends_operand(self.context.before(1)) {
            self.keywords(&["in", "subset"]);
            return;
        }
        self.values(prefer);
        self.declared(|kind| kind == NameKind::EnumElement, 2);
        self.builtins();
        self.keywords(&["true", "false"]);
        self.snippets(&snippets::EXPRESSIONS);
    }
}
