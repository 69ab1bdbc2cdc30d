//! Where in a program a place is, told by the words in front of it alone: what is being typed need not parse.
//!
//! One pass over the words keeps the brackets that are open, where the current statement or declaration began, and the local
//! names that are known. A declaration at the margin closes everything that was left open before it.

use lockstep_base::{Text, TextRange, TextSize};

use super::is_reserved;
use super::program::NameKind;
use crate::words::{Word, words};

#[derive(Debug)]
pub(super) struct Context {
    /// The words before the place.
    pub(super) words: Vec<Word>,
    /// The first word of the statement, case or declaration that the place is in; their count if one could start here.
    pub(super) start: usize,
    /// The brackets around the place, the innermost last.
    pub(super) open: Vec<Open>,
    pub(super) locals: Vec<Local>,
    /// The first word of the statement or declaration that ended right before the place.
    pub(super) previous: Option<usize>,
    /// Whether the place is the start of a line.
    pub(super) is_at_margin: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) kind: Bracket,
    /// Which word opens it.
    pub(super) at: usize,
    /// Where the statement or declaration around it began.
    start: usize,
    /// How many local names are known outside of it.
    outside: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// The code of a process or of the sequential part.
    Body,
    Block,
    Enum,
    /// The cases of a `recv`.
    Receptions,
    /// The cases of a `match`.
    Cases,
    /// A set's elements.
    Set,
    /// The names that a quantifier binds.
    Binder,
    Parenthesis,
    /// Of an index.
    Index,
    /// The types in `set[T]` and `map[K, V]`.
    TypeArgs,
}

/// A local name that is known at the place.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) range: TextRange,
    pub(super) kind: NameKind,
    /// The first word of its type, or of the set it is a member of.
    pub(super) ty: Option<String>,
}

/// `None` inside of a comment or string.
pub(super) fn context(text: &Text, offset: TextSize) -> Option<Context> {
    let words = words(text, 0.into(), offset)?;
    let mut reader = Reader {
        text,
        words: &words,
        start: 0,
        start_locals: 0,
        is_typed: false,
        open: Vec::new(),
        locals: Vec::new(),
        previous: None,
    };
    for at in 0..words.len() {
        reader.word(at);
    }
    let Reader { start, open, locals, previous, .. } = reader;
    let is_at_margin = text.line_start(text.line_of(offset)) == offset;
    Some(Context { words, start, open, locals, previous, is_at_margin })
}

impl Context {
    /// The words of the statement or declaration that the place is in.
    pub(super) fn head(&self) -> &[Word] {
        &self.words[self.start..]
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// The `count`th word before the place; the last one is the first.
    pub(super) fn before(&self, count: usize) -> &str {
        self.words.len().checked_sub(count).map_or("", |at| self.word(at))
    }

    pub(super) fn innermost(&self) -> Option<Bracket> {
        self.open.last().map(|open| open.kind)
    }

    /// The first word of the process or sequential part around the place.
    pub(super) fn body(&self) -> Option<&str> {
        let body = self.open.iter().find(|open| open.kind == Bracket::Body)?;
        Some(self.word(body.start))
    }

    pub(super) fn has_in_head(&self, word: &str) -> bool {
        self.head().iter().any(|found| found.text == word)
    }
}

/// Whether a word can end an expression.
pub(super) fn ends_operand(word: &str) -> bool {
    let last = word.chars().last().unwrap_or(' ');
    matches!(word, "true" | "false" | "any" | "_" | ")" | "]" | "}")
        || ((last.is_ascii_alphanumeric() || last == '_') && !is_reserved(word))
}

/// These begin a declaration if they stand at the margin, whatever is open; no statement begins with them.
pub(super) const AT_MARGIN: [&str; 7] = ["const", "ensures", "enum", "message", "process", "sequential", "type"];
/// So many brackets may be left open inside of one that is closed; a bound, for texts that consist of brackets.
const LOOK_BACK: usize = 200;
const LOOPS: [&str; 5] = ["for", "foreach", "repeat", "rounds", "while"];

struct Reader<'w> {
    text: &'w Text,
    words: &'w [Word],
    start: usize,
    /// How many local names were known where the current statement began.
    start_locals: usize,
    /// Whether a `:` was in the current statement.
    is_typed: bool,
    open: Vec<Open>,
    locals: Vec<Local>,
    previous: Option<usize>,
}

impl Reader<'_> {
    fn word(&mut self, at: usize) {
        let word = self.words[at].text.as_str();
        if !self.open.is_empty() && AT_MARGIN.contains(&word) && self.is_at_margin(at) {
            self.open.clear();
            self.locals.clear();
            self.begin(at);
        }
        self.previous = None;
        match word {
            "{" | "(" | "[" => self.opening(at),
            "}" | ")" | "]" => self.closing(at),
            ";" => self.semicolon(at),
            ":" => self.colon(at),
            _ if self.words[at].is_name() && !is_reserved(word) => self.name(at),
            _ => {}
        }
    }

    fn get(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.words.get(at)).map_or("", |word| word.text.as_str())
    }

    fn is_at_margin(&self, at: usize) -> bool {
        let start = self.words[at].range.start();
        self.text.line_start(self.text.line_of(start)) == start
    }

    /// A new statement, case or declaration begins at this word.
    fn begin(&mut self, at: usize) {
        self.start = at;
        self.start_locals = self.locals.len();
        self.is_typed = false;
    }

    fn opening(&mut self, at: usize) {
        let kind = self.kind_of_opening(at);
        let is_code = matches!(kind, Bracket::Body | Bracket::Block | Bracket::Receptions | Bracket::Cases);
        // What the head of a loop or process declares is known in its block only.
        let outside = if is_code { self.start_locals } else { self.locals.len() };
        self.open.push(Open { kind, at, start: self.start, outside });
        if is_code {
            self.begin(at + 1);
        }
    }

    fn kind_of_opening(&self, at: usize) -> Bracket {
        let (before, first) = (self.get(at.checked_sub(1)), self.get(Some(self.start)));
        match self.get(Some(at)) {
            "(" if matches!(before, "forall" | "exists" | "set") => Bracket::Binder,
            "(" => Bracket::Parenthesis,
            "[" if matches!(before, "set" | "map") => Bracket::TypeArgs,
            "[" => Bracket::Index,
            _ if self.open.last().is_some_and(|open| !open.kind.holds_code()) => Bracket::Set,
            _ if self.open.is_empty() && first == "enum" => Bracket::Enum,
            _ if self.open.is_empty() && matches!(first, "process" | "sequential") => Bracket::Body,
            _ if first == "recv" && self.start + 1 == at => Bracket::Receptions,
            _ if first == "match" && before == ")" => Bracket::Cases,
            _ if self.is_case(at.saturating_sub(1)) || self.start == at => Bracket::Block,
            _ if matches!(before, ";" | "else" | "or" | "choose" | "atomic" | "timeout") || ends_operand(before) => {
                Bracket::Block
            }
            _ => Bracket::Set,
        }
    }

    /// Whether the word is the `:` at the end of a case's head.
    fn is_case(&self, at: usize) -> bool {
        matches!(self.get(Some(self.start)), "case" | "default" | "timeout")
            && self.get(Some(at)) == ":"
            && self.open.last().is_some_and(|open| matches!(open.kind, Bracket::Receptions | Bracket::Cases))
    }

    fn closing(&mut self, at: usize) {
        let fits = |open: &Open| match self.words[at].text.as_str() {
            ")" => matches!(open.kind, Bracket::Binder | Bracket::Parenthesis),
            "]" => matches!(open.kind, Bracket::Index | Bracket::TypeArgs),
            _ => open.kind.is_brace(),
        };
        let looked_at = self.open.len().saturating_sub(LOOK_BACK);
        let Some(index) = self.open[looked_at..].iter().rposition(fits).map(|index| looked_at + index) else { return };
        // A parenthesis does not close a brace around it.
        let is_brace = self.words[at].text == "}";
        if !is_brace && self.open[index..].iter().any(|open| open.kind.holds_code()) {
            return;
        }
        let open = self.open[index];
        self.open.truncate(index);
        if open.kind != Bracket::Binder {
            self.locals.truncate(open.outside);
        }
        if open.kind.holds_code() || open.kind == Bracket::Enum {
            self.begin(at + 1);
            self.previous = Some(open.start);
        }
    }

    fn semicolon(&mut self, at: usize) {
        while self.open.last().is_some_and(|open| !open.kind.holds_code()) {
            self.open.pop();
        }
        let first = self.get(Some(self.start));
        let goes_on = matches!(self.get(Some(at + 1)), "invariant" | "{" | "");
        let has_invariant = || self.words[self.start..at].iter().any(|word| word.text == "invariant");
        if LOOPS.contains(&first) && goes_on && has_invariant() {
            return;
        }
        if !matches!(first, "var" | "ghost") {
            self.locals.truncate(self.start_locals);
        }
        self.previous = Some(self.start);
        self.begin(at + 1);
    }

    /// Notes a name that is declared here.
    fn name(&mut self, at: usize) {
        let innermost = self.open.last().map(|open| open.kind);
        let (before, after) = (self.get(at.checked_sub(1)), self.get(Some(at + 1)));
        let in_code = innermost.is_some_and(Bracket::holds_code);
        let first = self.get(Some(self.start));
        let kind = match before {
            "for" | "foreach" | "parallel" if in_code => NameKind::Member,
            "as" if in_code => NameKind::Index,
            "done" if in_code => NameKind::DoneSet,
            "process" if self.open.is_empty() => NameKind::Process,
            "(" | "," if innermost == Some(Bracket::Binder) && after == ":" => NameKind::Bound,
            "var" | "," if in_code && matches!(first, "var" | "ghost") && !self.is_typed => {
                if first == "ghost" {
                    NameKind::Ghost
                } else {
                    NameKind::Variable
                }
            }
            _ => return,
        };
        let has_type = matches!(kind, NameKind::Member | NameKind::Bound);
        let ty = self.words.get(at + 2).filter(|_| has_type).map(|word| word.text.clone());
        let Word { text: name, range } = self.words[at].clone();
        self.locals.push(Local { name, range, kind, ty });
    }

    /// Behind the names of variables: their type.
    fn colon(&mut self, at: usize) {
        let is_variable = matches!(self.get(Some(self.start)), "var" | "ghost");
        if is_variable && !self.is_typed && self.open.last().is_some_and(|open| open.kind == Bracket::Body) {
            let ty = self.words.get(at + 1).map(|word| word.text.clone());
            self.locals.iter_mut().skip(self.start_locals).for_each(|local| local.ty = ty.clone());
        }
        self.is_typed = true;
    }
}

impl Bracket {
    /// Whether statements, or cases with statements, stand in it.
    fn holds_code(self) -> bool {
        matches!(self, Self::Body | Self::Block | Self::Receptions | Self::Cases)
    }

    fn is_brace(self) -> bool {
        self.holds_code() || matches!(self, Self::Enum | Self::Set)
    }
}
