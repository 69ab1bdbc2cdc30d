//! What a place is in, told by the words in front of it alone: what is being typed need not parse.
//!
//! One pass over the words keeps the braces and brackets that are open and what each is for, where the current statement or
//! declaration began, and the local names that are known. The pass starts with the segment of the place, so that what is left open
//! in declarations before it does not matter.

use std::ops::Range;

use lockstep_base::TextSize;
use lockstep_program::{Db, ProjectFile};
use lockstep_syntax::{Language, Parse};

use crate::words::{Word, word_at, words};

#[derive(Debug)]
pub(super) struct Surroundings {
    /// The words before the place.
    pub(super) words: Vec<Word>,
    /// The first word of the statement or declaration that the place is in; their count if one could start here.
    pub(super) start: usize,
    /// The braces around the place, the innermost last.
    pub(super) braces: Vec<Brace>,
    /// The brackets of the statement around the place, the innermost last.
    pub(super) brackets: Vec<Bracket>,
    /// How many commas the statement has so far outside of brackets.
    pub(super) commas: usize,
    /// Parameters, variables of code and of quantifiers that can be used at the place, and those of the machine declared before it.
    pub(super) locals: Vec<Local>,
    /// How many of them were known where the statement began.
    known: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Brace {
    pub(super) kind: BraceKind,
    /// The first word of what it belongs to.
    opening: usize,
    /// How many local names are known outside of it.
    known: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BraceKind {
    Machine,
    State,
    Code,
    /// The cases of a `receive`.
    Receive,
    /// A list of machines.
    Module,
    EventSet,
    Enum,
    /// A lemma or theorem.
    Lemma,
    Proof,
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct Bracket {
    pub(super) kind: BracketKind,
    /// How many commas it has so far.
    pub(super) argument: usize,
    /// The keys of a named tuple so far.
    pub(super) keys: Vec<String>,
    /// Whether the current argument has one of them: the last.
    pub(super) has_key: bool,
    /// Whether a colon stands in it: the fields of a tuple type have names.
    pub(super) has_colon: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BracketKind {
    /// Parameters of a function, handler, case or quantifier.
    Params,
    /// The parts of a tuple type, or one type in parentheses.
    TypeTuple,
    /// The types in `seq[T]`, `set[T]`, `map[K, V]`.
    TypeArguments,
    /// `param (n in [1, 2])` of a test.
    TestParams,
    /// The values in it.
    TestValues,
    /// `[main = M]`
    Main,
    Call(String),
    New(String),
    /// `+= (key, value)`
    Insert,
    /// What stands behind `if`, `while` and `foreach`.
    Header(String),
    /// An index, or what `sizeof` and the like take.
    Operand,
    /// Parentheses, or a tuple.
    Group,
}

/// A local name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) is_parameter: bool,
    /// The words of its type.
    ty: Range<usize>,
}

/// `None` inside of a comment or string.
pub(super) fn surroundings(db: &dyn Db, file: ProjectFile<'_>, offset: TextSize) -> Option<Surroundings> {
    Surroundings::before(file.file(db).parse(db), offset)
}

/// The word or other token at a place, unless it is in a comment or string.
pub(super) fn token_at(db: &dyn Db, file: ProjectFile<'_>, offset: TextSize) -> Option<Word> {
    let parse = file.file(db).parse(db);
    let mut range = word_at(parse.text(), offset);
    if range.is_empty() {
        let rest = parse.text().slice(lockstep_base::TextRange::new(offset, parse.text().len()));
        range = lockstep_base::TextRange::at(offset, TextSize::of(rest.chars().next()?));
    }
    words(parse.text(), parse.segment_start(offset), range.end())?.pop().filter(|word| word.range == range)
}

impl Surroundings {
    fn before(parse: &Parse, offset: TextSize) -> Option<Self> {
        let words = words(parse.text(), parse.segment_start(offset), offset)?;
        let count = words.len();
        let (braces, brackets, locals) = (Vec::new(), Vec::new(), Vec::new());
        let mut read = Self { words, start: 0, braces, brackets, commas: 0, locals, known: 0 };
        (0..count).for_each(|at| read.word(at));
        Some(read)
    }

    pub(super) fn brace(&self) -> Option<BraceKind> {
        self.braces.last().map(|brace| brace.kind)
    }

    /// The name of the function around the place.
    pub(super) fn function(&self) -> Option<&str> {
        let function = self.braces.iter().rev().find(|brace| self.text(brace.opening) == "fun")?;
        Some(self.text(function.opening + 1))
    }

    /// The word that opens the declaration around the place, or the place is in.
    pub(super) fn declaration(&self) -> &str {
        self.text(self.braces.first().map_or(self.start, |brace| brace.opening))
    }

    /// The states of the machine around the place that are opened before it.
    pub(super) fn states(&self) -> impl Iterator<Item = &str> {
        let start = self.braces.first().map_or(self.start, |brace| brace.opening);
        let pairs = self.words[start..].windows(2);
        pairs.filter(|pair| pair[0].text == "state" && pair[1].is_name()).map(|pair| pair[1].text.as_str())
    }

    /// The words of the statement or declaration so far.
    pub(super) fn statement(&self) -> &[Word] {
        &self.words[self.start..]
    }

    /// The statement without the conditions and loops in front of it.
    pub(super) fn inner_statement(&self) -> &[Word] {
        let mut rest = self.statement();
        loop {
            rest = match rest {
                [first, inner @ ..] if first.text == "else" => inner,
                [first, inner @ ..] if matches!(first.text.as_str(), "if" | "while" | "foreach") => {
                    match behind_brackets(inner) {
                        Some(behind) => behind,
                        None => return rest,
                    }
                }
                _ => return rest,
            };
        }
    }

    /// The text of a word; empty if there is none.
    pub(super) fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// The last word of the statement; empty if it has none yet.
    pub(super) fn last(&self) -> &str {
        self.statement().last().map_or("", |word| word.text.as_str())
    }

    /// The type of a local name, as it is written.
    pub(super) fn type_text(&self, local: &Local) -> String {
        let mut text = String::new();
        for word in &self.words[local.ty.clone()] {
            text += &word.text;
            text += if matches!(word.text.as_str(), "," | ":") { " " } else { "" };
        }
        text
    }

    fn word(&mut self, at: usize) {
        match self.words[at].text.as_str() {
            "{" => self.open_brace(at),
            "}" => self.close_brace(at),
            ";" if !self.is_header_of_machine() => self.end_statement(at),
            "(" | "[" => {
                let kind = self.bracket_kind(at);
                let bracket = Bracket { kind, argument: 0, keys: Vec::new(), has_key: false, has_colon: false };
                self.brackets.push(bracket);
            }
            ")" | "]" => {
                self.end_type(at);
                self.brackets.pop();
            }
            "," => {
                self.end_type(at);
                match self.brackets.last_mut() {
                    Some(bracket) => {
                        bracket.argument += 1;
                        bracket.has_key = false;
                    }
                    None => self.commas += 1,
                }
            }
            "=" => self.key(at),
            ":" => self.colon(at),
            _ => {}
        }
    }

    /// Lists of events in front of a machine's brace end in `;` too.
    fn is_header_of_machine(&self) -> bool {
        self.braces.is_empty() && matches!(self.text(self.start), "machine" | "spec" | "scenario")
    }

    fn end_statement(&mut self, at: usize) {
        self.end_type(at);
        if self.text(self.start) != "var" {
            self.locals.truncate(self.known);
        }
        self.begin_statement(at + 1);
    }

    fn begin_statement(&mut self, at: usize) {
        self.start = at;
        self.commas = 0;
        self.brackets.clear();
        self.known = self.locals.len();
    }

    fn open_brace(&mut self, at: usize) {
        let kind = self.brace_kind(at);
        self.braces.push(Brace { kind, opening: self.start, known: self.known });
        if !is_list(kind) {
            self.begin_statement(at + 1);
        }
    }

    fn close_brace(&mut self, at: usize) {
        let closed = self.braces.pop();
        if closed.is_some_and(|closed| is_list(closed.kind)) {
            return;
        }
        self.locals.truncate(closed.map_or(0, |closed| closed.known));
        self.begin_statement(at + 1);
    }

    fn brace_kind(&self, at: usize) -> BraceKind {
        let last = self.words[self.start..at].last().map_or("", |word| word.text.as_str());
        match (self.brace(), self.text(self.start)) {
            (None, "machine" | "spec" | "scenario") => BraceKind::Machine,
            (None, "test" | "module" | "implementation") => BraceKind::Module,
            (Some(BraceKind::Module), _) => BraceKind::Module,
            (None, "eventset") => BraceKind::EventSet,
            (None, "enum") => BraceKind::Enum,
            (None, "Lemma" | "Theorem") => BraceKind::Lemma,
            (None, "Proof") => BraceKind::Proof,
            (None | Some(BraceKind::Machine), "fun") => BraceKind::Code,
            (Some(BraceKind::Machine), "start" | "hot" | "cold" | "state") => BraceKind::State,
            (Some(BraceKind::Code), _) if last == "receive" => BraceKind::Receive,
            (Some(BraceKind::State | BraceKind::Code | BraceKind::Receive), _) => BraceKind::Code,
            _ => BraceKind::Unknown,
        }
    }

    fn bracket_kind(&self, at: usize) -> BracketKind {
        let before = |count: usize| match at.checked_sub(count) {
            Some(at) if at >= self.start => self.text(at),
            _ => "",
        };
        let is_type = matches!(self.brackets.last(), Some(around) if matches!(around.kind, BracketKind::TypeTuple | BracketKind::TypeArguments));
        let opening = self.text(self.start);
        let is_name = at > self.start && self.words[at - 1].is_name() && !Language::P.is_reserved(before(1));
        if self.text(at) == "[" {
            let is_values = self.brackets.last().is_some_and(|around| around.kind == BracketKind::TestParams);
            return match before(1) {
                "seq" | "set" | "map" => BracketKind::TypeArguments,
                _ if is_values => BracketKind::TestValues,
                _ if self.braces.is_empty() && matches!(opening, "test" | "implementation") => BracketKind::Main,
                _ => BracketKind::Operand,
            };
        }
        match before(1) {
            _ if is_type => BracketKind::TypeTuple,
            "param" if opening == "test" => BracketKind::TestParams,
            ":" if opening == "case" && self.brackets.is_empty() => BracketKind::Params,
            ":" if matches!(opening, "test" | "implementation" | "invariant") && self.brackets.is_empty() => BracketKind::Group,
            ":" | "as" | "default" => BracketKind::TypeTuple,
            "to" if !matches!(opening, "test" | "implementation" | "module") => BracketKind::TypeTuple,
            "=" if opening == "type" => BracketKind::TypeTuple,
            "=" if before(2) == "+" => BracketKind::Insert,
            "entry" | "do" | "with" | "forall" | "exists" => BracketKind::Params,
            "new" if matches!(before(2), "forall" | "exists") => BracketKind::Params,
            "return" if self.brace() != Some(BraceKind::Code) => BracketKind::Params,
            word @ ("if" | "while" | "foreach") => BracketKind::Header(word.to_owned()),
            "keys" | "values" | "sizeof" | "choose" | "format" => BracketKind::Operand,
            name if is_name => match before(2) {
                "fun" | "pure" => BracketKind::Params,
                "interface" => BracketKind::TypeTuple,
                "new" => BracketKind::New(name.to_owned()),
                _ => BracketKind::Call(name.to_owned()),
            },
            _ => BracketKind::Group,
        }
    }

    /// A `=` that gives a field of a tuple its value.
    fn key(&mut self, at: usize) {
        let is_comparison = match (&self.words[at], self.words.get(at + 1)) {
            (word, Some(next)) => next.text == "=" && word.range.end() == next.range.start(),
            (_, None) => false,
        };
        let is_first = at >= 2 && matches!(self.text(at - 2), "(" | ",") && self.words[at - 1].is_name();
        if is_comparison || !is_first {
            return;
        }
        let name = self.text(at - 1).to_owned();
        if let Some(bracket) = self.brackets.last_mut().filter(|bracket| bracket.kind == BracketKind::Group) {
            bracket.keys.push(name);
            bracket.has_key = true;
        }
    }

    /// A `:` may declare local names: parameters, or all names of a `var`.
    fn colon(&mut self, at: usize) {
        let is_var = self.text(self.start) == "var";
        let names = match self.brackets.last_mut() {
            Some(bracket) => {
                bracket.has_colon = true;
                if bracket.kind == BracketKind::Params { at.saturating_sub(1)..at } else { 0..0 }
            }
            None if is_var => self.start + 1..at,
            None => 0..0,
        };
        let is_parameter = !self.brackets.is_empty();
        let ty = at + 1..self.words.len();
        for word in self.words[names].iter().filter(|word| word.is_name()) {
            self.locals.push(Local { name: word.text.clone(), is_parameter, ty: ty.clone() });
        }
    }

    /// A local name's type ends where the bracket or statement does in which it is declared, or at the next comma there.
    fn end_type(&mut self, at: usize) {
        let is_inside = self
            .brackets
            .last()
            .is_some_and(|bracket| matches!(bracket.kind, BracketKind::TypeTuple | BracketKind::TypeArguments));
        if is_inside {
            return;
        }
        let known = self.known;
        let open = self.locals.iter_mut().skip(known).filter(|local| local.ty.end > at);
        open.for_each(|local| local.ty.end = at);
    }
}

/// What follows the brackets with which some words begin, if they are closed.
fn behind_brackets(words: &[Word]) -> Option<&[Word]> {
    let mut depth = 0_u32;
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return words.get(at + 1..);
        }
    }
    None
}

/// Braces around a list that is part of a declaration, not a statement of its own.
fn is_list(kind: BraceKind) -> bool {
    matches!(kind, BraceKind::Module | BraceKind::EventSet)
}
