//! From the typed tree of a file to the resolved program, and everything that is wrong on the way: the static errors of the language
//! reference, each with its code (`codes`).
//!
//! Checking and resolving are one walk. What is wrong gets the unknown type, which fits everywhere, so that a mistake is reported
//! once and everything independent of it is still checked; the program is given away only if nothing was wrong. Statements and
//! locals are numbered in an order that does not depend on how declarations of different kinds are mixed in the file.

pub mod codes;
mod cycles;
mod declare;
mod expr;
mod locals;
mod loops;
mod match_stmt;
mod name;
mod operator;
mod place;
mod receive;
mod record;
mod rounds;
mod sources;
mod stmt;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod usage;

use lockstep_base::{Diagnostic, Severity, TextRange, TextSize};
use lockstep_syntax::Parse;
use lockstep_syntax::icet::ast::{File, Item, NameId, Placed, Spans};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use self::locals::Scope;
use self::name::Global;
use self::stmt::Surroundings;
use self::types::Alias;
use self::usage::Traffic;
use crate::program::{Local, ProcessId, Program, VarId};

#[derive(Debug, Default)]
pub struct Checked {
    /// There if there are no errors.
    pub program: Option<Program>,
    /// In order of place. Errors of syntax are not among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks what was read of a text. Text that cannot be read gives no program, and only what can be said in spite of it.
pub fn check_parse(parse: &Parse) -> Checked {
    let mut checked = parse.icet().map(check).unwrap_or_default();
    if !parse.is_well_formed() {
        checked.program = None;
        // What seems to be missing may be in the text that could not be read.
        checked.diagnostics.retain(|found| found.code != codes::TRAFFIC && found.code != codes::NO_PROCESS);
    }
    checked
}

/// Checks a file. Where an error of syntax left something out, there is no program; but not every such error does, so whoever has the
/// text asks `check_parse`.
pub fn check(file: &File) -> Checked {
    let Some(first) = file.items.first() else {
        return Checked { program: Some(Program::default()), diagnostics: Vec::new() };
    };
    let mut checker = Checker::new(file, first);
    checker.declare();
    checker.resolve_types();
    checker.values_and_claims();
    checker.all_code();
    checker.check_traffic();
    checker.warn_of_sets_without_process();
    let Checker { program, mut diagnostics, has_holes, .. } = checker;
    let is_right = !has_holes && diagnostics.iter().all(|found| found.severity != Severity::Error);
    if is_right {
        rounds::warn_of_interference(&program, &mut diagnostics);
    }
    diagnostics.sort_by(|a, b| (a.range.start(), a.range.end(), a.code).cmp(&(b.range.start(), b.range.end(), b.code)));
    Checked { program: is_right.then_some(program), diagnostics }
}

struct Checker<'f> {
    file: &'f File,
    /// The declaration at hand, and where it starts.
    item: &'f Item,
    start: TextSize,
    /// Grows as it is resolved. What is wrong or missing has the unknown type or stands for `false`.
    program: Program,
    globals: FxHashMap<SmolStr, (Global, TextRange)>,
    aliases: Vec<Alias>,
    /// The variables of each process by name, with where they are declared.
    vars: Vec<FxHashMap<SmolStr, (VarId, TextRange)>>,
    /// The process of each set, subsets included.
    code_of: Vec<Option<ProcessId>>,
    /// Names known at this point besides the global ones.
    scope: Scope,
    /// The locals of the code at hand.
    locals: Vec<Local>,
    around: Surroundings,
    traffic: Vec<Traffic>,
    diagnostics: Vec<Diagnostic>,
    /// Whether broken text left something out. That was reported when it was read.
    has_holes: bool,
    /// How many more misspelt names are compared with all others.
    guesses: u32,
}

impl<'f> Checker<'f> {
    fn new(file: &'f File, first: &'f Placed<Item>) -> Self {
        Self {
            file,
            item: &first.value,
            start: first.start,
            program: Program::default(),
            globals: FxHashMap::default(),
            aliases: Vec::new(),
            vars: Vec::new(),
            code_of: Vec::new(),
            scope: Scope::default(),
            locals: Vec::new(),
            around: Surroundings::default(),
            traffic: Vec::new(),
            diagnostics: Vec::new(),
            has_holes: false,
            guesses: 100,
        }
    }

    fn enter(&mut self, item: &'f Placed<Item>) {
        self.item = &item.value;
        self.start = item.start;
    }

    /// Where a node of the item at hand is in the file.
    fn range<I>(&self, id: I) -> TextRange
    where
        Spans: std::ops::Index<I, Output = TextRange>,
    {
        self.item.spans[id] + self.start
    }

    fn text(&self, name: NameId) -> &'f SmolStr {
        &self.item.nodes[name].0
    }

    /// Reports an error, to which help and other places can be added.
    fn error(&mut self, code: &'static str, range: TextRange, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Diagnostic::error(code, range, message))
    }

    fn warning(&mut self, code: &'static str, range: TextRange, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Diagnostic::warning(code, range, message))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        let at = self.diagnostics.len();
        self.diagnostics.push(diagnostic);
        &mut self.diagnostics[at]
    }
}

/// Adds to a finding that was just reported.
trait More {
    fn help(&mut self, help: impl Into<String>) -> &mut Self;
    fn related(&mut self, range: TextRange, message: impl Into<String>) -> &mut Self;
}

impl More for Diagnostic {
    fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    fn related(&mut self, range: TextRange, message: impl Into<String>) -> &mut Self {
        self.related.push(lockstep_base::Related { path: None, range, message: message.into() });
        self
    }
}

/// The number of the next thing in a list.
fn next(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
