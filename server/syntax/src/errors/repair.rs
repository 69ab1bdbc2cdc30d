//! Finds, for each mistake in a token sequence, the smallest change that lets the text go on.
//!
//! At the first token that cannot stand where it stands, changes of one token near it are tried: insert, delete, replace, swap.
//! The one after which the text can be read furthest wins; among equals the nearest and likeliest. The change is applied and
//! reading goes on, so that every independent mistake is found and none is reported twice. Braces that do not balance are
//! treated first, because indentation tells where the mistake is better than the place where reading stops.

use super::expected::Expected;
use super::lex::Token;
use super::recognizer::{Recognizer, Tables};
use super::rules::Terminal;

/// How far past the failure a change is followed.
const FAR: usize = 16;
/// A change that does not even get this far past the failure is no explanation.
const NEAR: usize = 3;
/// How many tokens before the failure any change is tried, and changes of punctuation.
const WINDOW: usize = 4;
const WIDE_WINDOW: usize = 32;
/// Mistakes reported in one broken part of a file.
pub(super) const MOST: usize = 50;
/// How many less indented lines are tried as the end of a line that cannot be read.
const LINE_ENDS: usize = 4;
/// How many places are tried for a brace too many or too few.
const BRACE_PLACES: usize = 12;
/// Tokens that may be skipped when no single change helps.
const SKIP: usize = 400;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    Insert(Terminal),
    Delete,
    Replace(Terminal),
    /// The token here and the next one change places.
    Swap,
    /// No single token explains it: this many tokens were skipped.
    Skip(usize),
}

/// A mistake: where reading stopped, and the change at `at` (an index of the tokens as changed so far) that gets past it.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) stopped: Token,
    /// The token the change is about; for an insertion the one that follows. At the end of the text, an empty token.
    pub(super) token: Token,
    /// The token before that, if any.
    pub(super) before: Option<Token>,
    pub(super) change: Change,
    /// What could have stood at the place of the change, and where reading stopped.
    pub(super) expected: Expected,
    pub(super) expected_when_stopped: Expected,
    /// The first token of the line where reading stopped.
    pub(super) line_start: Option<Token>,
    /// The token before the one where reading stopped.
    pub(super) before_stop: Option<Token>,
    /// For a missing closing bracket, the one it would close.
    pub(super) opener: Option<Token>,
}

/// The mistakes in `tokens`, in the order they are met. Stops early when the search becomes too expensive.
pub(super) fn mistakes(tables: &Tables, tokens: Vec<Token>, end: Token) -> Vec<Mistake> {
    let mut search = Search { tables, recognizer: Recognizer::new(tables), tokens, end };
    let mut found = Vec::new();
    // Where the last token was taken out, if the last change took one out.
    let mut gap = None;
    for _ in 0..2 * MOST {
        search.read_on();
        let failure = search.recognizer.position();
        let is_read = failure == search.tokens.len() && search.recognizer.accepts();
        if is_read || search.recognizer.is_exhausted() || found.len() == MOST {
            break;
        }
        let Some((at, change)) = search.explain(failure) else {
            if !search.recognizer.is_exhausted() {
                found.push(search.mistake(failure, failure, Change::Skip(search.tokens.len() - failure)));
            }
            break;
        };
        // A run of tokens that all have to go is one mistake.
        let is_same = change == Change::Delete && gap == Some(at);
        gap = (change == Change::Delete).then_some(at);
        if !is_same {
            found.push(search.mistake(failure, at, change.clone()));
        }
        search.apply(at, &change);
    }
    found
}

struct Search<'t> {
    tables: &'t Tables,
    recognizer: Recognizer<'t>,
    tokens: Vec<Token>,
    /// Stands for the end of the text.
    end: Token,
}

#[derive(Debug)]
struct Candidate {
    at: usize,
    change: Change,
    /// The first token that can no longer be read, or `FINISHED`.
    reached: usize,
    cost: u32,
}

const FINISHED: usize = usize::MAX;

impl Search<'_> {
    fn read_on(&mut self) {
        while let Some(token) = self.tokens.get(self.recognizer.position()) {
            if !self.recognizer.advance(&token.terminals) {
                break;
            }
        }
    }

    fn explain(&mut self, failure: usize) -> Option<(usize, Change)> {
        if self.tokens.get(failure).is_some_and(|token| token.terminals.is_empty()) {
            return Some((failure, Change::Delete));
        }
        if let Some(found) = self.explain_by_braces(failure).or_else(|| self.skip_misplaced(failure)) {
            return Some(found);
        }
        let near = self.best_near(failure, WINDOW, |_| true);
        let best = match near {
            Some(near) if near.reached >= failure + FAR => near,
            near => {
                let wide = self.best_near(failure, WIDE_WINDOW, is_punctuation);
                match (near, wide) {
                    (Some(near), Some(wide)) if wide.reached > near.reached => wide,
                    (Some(near), _) => near,
                    (None, Some(wide)) => wide,
                    (None, None) => return self.skip(failure),
                }
            }
        };
        // When even the best change leaves the next mistake on the same line, the line as a whole is no P.
        // (Something missing at the end of the line before is no fault of this line.)
        let mended = match best.change {
            Change::Insert(_) => best.at.checked_sub(1).map_or(0, |before| self.tokens[before].line),
            _ => self.token_or_end(best.at).line,
        };
        let stuck = |token: &Token| token.line == mended;
        if self.tokens.get(best.reached).is_some_and(stuck)
            && let Some(skip) = self.skip_lines(failure)
        {
            return Some(skip);
        }
        if best.reached < (failure + NEAR).min(self.tokens.len()) {
            return self.end_line(failure).or_else(|| self.skip(failure)).or(Some((best.at, best.change)));
        }
        Some((best.at, best.change))
    }

    /// The best single change at most `window` tokens before the failure, among tokens that pass `filter`.
    fn best_near(&mut self, failure: usize, window: usize, filter: fn(&str) -> bool) -> Option<Candidate> {
        let mut best: Option<Candidate> = None;
        for at in (failure.saturating_sub(window)..=failure).rev() {
            for change in self.changes_at(at, failure, filter) {
                let cost = self.cost(failure, at, &change);
                let reached = self.reach(at, &change, failure + FAR);
                let better = best.as_ref().is_none_or(|best| (reached, best.cost) > (best.reached, cost));
                if better && reached > failure {
                    best = Some(Candidate { at, change, reached, cost });
                }
            }
        }
        best
    }

    fn changes_at(&mut self, at: usize, failure: usize, filter: fn(&str) -> bool) -> Vec<Change> {
        let after = self.recognizer.rewind(at);
        let rules = &self.tables.rules;
        let could_stand: Vec<Terminal> = (0..)
            .zip(&rules.terminals)
            .filter(|(terminal, text)| filter(text) && self.recognizer.expects(*terminal))
            .map(|(terminal, _)| terminal)
            .collect();
        self.recognizer.restore(at, after);
        let mut changes: Vec<Change> = could_stand.iter().map(|&terminal| Change::Insert(terminal)).collect();
        let text = |terminal: Terminal| rules.terminals[terminal as usize].as_str();
        let token = self.tokens.get(at).and_then(|token| token.terminals.first());
        // A keyword that could be read is what was meant; the mistake is behind it.
        let is_meant = |token: Terminal| at < failure && rules.reserved.contains(&token);
        if let Some(&token) = token.filter(|token| filter(text(**token)) && !is_meant(**token)) {
            // Brackets are hardly ever written by accident, unless there are more of one kind than of its partner.
            let is_bracket = is_bracket(text(token));
            if !is_bracket || self.is_surplus(token) {
                changes.push(Change::Delete);
            }
            let fits = |terminal: &&Terminal| is_bracket == self::is_bracket(text(**terminal)) && text(token) != ";";
            let replaceable = could_stand.iter().filter(fits);
            changes.extend(replaceable.map(|&terminal| Change::Replace(terminal)));
            if at + 1 < self.tokens.len() {
                changes.push(Change::Swap);
            }
        }
        changes
    }

    /// Whether there are more brackets of this kind than partners for them.
    fn is_surplus(&self, bracket: Terminal) -> bool {
        let text = self.tables.rules.terminals[bracket as usize].as_str();
        let Some((open, close)) = BRACKETS.into_iter().find(|(open, close)| *open == text || *close == text) else {
            return true;
        };
        let partner = self.terminal(if text == open { close } else { open });
        let count = |terminal| self.tokens.iter().filter(|token| token.terminals.contains(&terminal)).count();
        count(bracket) > count(partner)
    }

    /// How far the text can be read with `change` made at `at`, looking no further than `limit`.
    fn reach(&mut self, at: usize, change: &Change, limit: usize) -> usize {
        let after = self.recognizer.rewind(at);
        let (inserted, mut next) = self.changed(at, change);
        let mut readable = true;
        for terminals in inserted {
            readable = readable && self.recognizer.advance(&terminals);
        }
        if readable {
            while next < limit {
                match self.tokens.get(next) {
                    Some(token) if self.recognizer.advance(&token.terminals) => next += 1,
                    Some(_) => break,
                    None if self.recognizer.accepts() => {
                        next = FINISHED;
                        break;
                    }
                    None => break,
                }
            }
        }
        self.recognizer.restore(at, after);
        if readable { next } else { 0 }
    }

    /// What stands in place of the token at `at`, and the token after that.
    fn changed(&self, at: usize, change: &Change) -> (Vec<Vec<Terminal>>, usize) {
        match change {
            Change::Insert(terminal) => (vec![vec![*terminal]], at),
            Change::Delete => (vec![], at + 1),
            Change::Replace(terminal) => (vec![vec![*terminal]], at + 1),
            Change::Swap => (vec![self.tokens[at + 1].terminals.clone(), self.tokens[at].terminals.clone()], at + 2),
            Change::Skip(count) => (vec![], at + count),
        }
    }

    fn apply(&mut self, at: usize, change: &Change) {
        self.recognizer.rewind(at);
        match change {
            Change::Insert(terminal) => {
                let place = self.token_or_end(at);
                let range = lockstep_base::TextRange::empty(place.range.start());
                let token = Token { terminals: vec![*terminal], range, first_on_line: false, ..place };
                self.tokens.insert(at, token);
            }
            Change::Replace(terminal) => self.tokens[at].terminals = vec![*terminal],
            Change::Swap => self.tokens.swap(at, at + 1),
            Change::Delete => drop(self.tokens.remove(at)),
            Change::Skip(count) => drop(self.tokens.drain(at..at + count)),
        }
    }

    /// Likelier changes cost less. Distance from the failure counts most.
    fn cost(&self, failure: usize, at: usize, change: &Change) -> u32 {
        let distance = u32::try_from(failure - at).expect("a window is small") * 10;
        let same = |a: usize, b: usize| match (self.tokens.get(a), self.tokens.get(b)) {
            (Some(a), Some(b)) => a.terminals == b.terminals && a.kind == b.kind,
            _ => false,
        };
        let kind = match change {
            // A token written twice.
            Change::Delete if at > 0 && same(at - 1, at) => 0,
            Change::Insert(terminal) => 4 + self.rarity(*terminal),
            Change::Delete => 12,
            Change::Swap => 13,
            Change::Replace(terminal) => 9 + self.rarity(*terminal),
            Change::Skip(_) => 100,
        };
        distance + kind
    }

    /// How unusual it is to forget this token.
    fn rarity(&self, terminal: Terminal) -> u32 {
        match self.tables.rules.terminals[terminal as usize].as_str() {
            ";" | ")" => 0,
            "}" | "]" | "," | "{" | "(" | ":" | "=" => 1,
            "identifier" => 2,
            "integer" | "string" => 4,
            // Operators; and keywords, of which one fits almost anywhere.
            text if !text.chars().all(|c| c.is_ascii_alphabetic()) => 5,
            _ => 9,
        }
    }

    /// Where a new line begins or a block ends, a statement may lack its end, even if what follows is soon wrong again.
    fn end_line(&mut self, failure: usize) -> Option<(usize, Change)> {
        let change = Change::Insert(self.terminal(";"));
        let close = self.terminal("}");
        let begins = self.tokens.get(failure).is_some_and(|token| token.first_on_line || token.terminals.contains(&close));
        (begins && self.reach(failure, &change, failure + 1) > failure).then_some((failure, change))
    }

    /// Skips the failing line, with what is indented below it and the brace that closes that.
    fn skip_lines(&mut self, failure: usize) -> Option<(usize, Change)> {
        let first = (0..=failure.min(self.tokens.len().checked_sub(1)?)).rev().find(|&at| self.tokens[at].first_on_line)?;
        let indent = self.tokens[first].indent;
        let ends: Vec<usize> = (failure + 1..self.tokens.len())
            .filter(|&at| self.tokens[at].first_on_line && self.tokens[at].indent <= indent)
            .take(LINE_ENDS)
            .collect();
        for end in ends {
            let change = Change::Skip(end - first);
            // The line behind must be readable as a whole.
            let next_line = (end + 1..self.tokens.len()).find(|&at| self.tokens[at].first_on_line).unwrap_or(self.tokens.len());
            let reached = self.reach(first, &change, next_line);
            if reached == FINISHED || reached >= next_line {
                return Some((first, change));
            }
        }
        None
    }

    /// A declaration in a state, or a call where a handler is only named: one mistake, to be skipped as a whole.
    fn skip_misplaced(&mut self, failure: usize) -> Option<(usize, Change)> {
        let asked = |rule: &str| {
            let rules = &self.tables.rules;
            let mut wanted = self.recognizer.wanted();
            wanted.any(|wanted| rules.nonterminals[wanted.rule as usize] == rule)
        };
        let text = |token: &Token| self.tables.rules.terminals[usize::from(*token.terminals.first().unwrap_or(&0))].as_str();
        let last = match text(self.tokens.get(failure)?) {
            "var" if asked("state_body") => (failure..self.tokens.len()).find(|&at| text(&self.tokens[at]) == ";")?,
            "fun" if asked("state_body") => self.closing(failure, "{", "}")?,
            "(" if asked("_handler") => self.closing(failure, "(", ")")?,
            _ => return None,
        };
        Some((failure, Change::Skip(last + 1 - failure)))
    }

    /// The bracket that closes the first one opened at or behind `from`.
    fn closing(&self, from: usize, open: &str, close: &str) -> Option<usize> {
        let (open, close) = (self.terminal(open), self.terminal(close));
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            if token.terminals.contains(&open) {
                depth += 1;
            } else if token.terminals.contains(&close) {
                depth -= 1;
                if depth <= 0 {
                    return (depth == 0).then_some(at);
                }
            }
        }
        None
    }

    /// Skips the fewest tokens after which reading goes on; the failing statement's own beginning may be among them.
    fn skip(&mut self, failure: usize) -> Option<(usize, Change)> {
        let last = (failure + SKIP).min(self.tokens.len());
        for count in 1..=last.saturating_sub(failure) + WIDE_WINDOW {
            for at in failure.saturating_sub(WIDE_WINDOW)..=failure {
                let next = at + count;
                if next <= failure || next > last {
                    continue;
                }
                let change = Change::Skip(count);
                let reached = self.reach(at, &change, next + NEAR);
                if reached == FINISHED || reached >= next + NEAR {
                    return Some((at, change));
                }
            }
        }
        None
    }

    /// When braces do not balance, the first closing brace that is not indented like its opening one is the clue.
    fn explain_by_braces(&mut self, failure: usize) -> Option<(usize, Change)> {
        let open = self.terminal("{");
        let close = self.terminal("}");
        let is = |token: &Token, terminal| token.terminals.contains(&terminal);
        let opening = self.tokens.iter().filter(|token| is(token, open)).count();
        let closing = self.tokens.iter().filter(|token| is(token, close)).count();
        if opening == closing {
            return None;
        }
        let clue = brace_clue(&self.tokens, open, close)?;
        let mut best: Option<Candidate> = None;
        let mut candidates = clue.candidates(&self.tokens, open, close, opening > closing);
        candidates.sort_by_key(|(at, change)| clue.cost(&self.tokens, *at, change));
        for (at, change) in candidates.into_iter().take(BRACE_PLACES) {
            // Behind the failure nothing has been read yet, so nothing can be tried there.
            if at > failure {
                continue;
            }
            let reached = self.reach(at, &change, FINISHED);
            let cost = clue.cost(&self.tokens, at, &change);
            let better = best.as_ref().is_none_or(|best| (reached, best.cost) > (best.reached, cost));
            if better && (reached == FINISHED || reached > failure + FAR) {
                best = Some(Candidate { at, change, reached, cost });
            }
        }
        best.map(|best| (best.at, best.change))
    }

    fn terminal(&self, text: &str) -> Terminal {
        let at = self.tables.rules.terminals.iter().position(|terminal| terminal == text).expect("every grammar has braces");
        Terminal::try_from(at).expect("few terminals")
    }

    fn token_or_end(&self, at: usize) -> Token {
        self.tokens.get(at).unwrap_or(&self.end).clone()
    }

    fn mistake(&mut self, failure: usize, at: usize, change: Change) -> Mistake {
        let expected_when_stopped = Expected::at(&self.recognizer, self.tables);
        let after = self.recognizer.rewind(at);
        let expected = Expected::at(&self.recognizer, self.tables);
        self.recognizer.restore(at, after);
        let opener = match change {
            Change::Insert(terminal) => self.opener(at, &self.tables.rules.terminals[terminal as usize]),
            _ if failure == self.tokens.len() => self.opener(failure, "}"),
            _ => None,
        };
        Mistake {
            stopped: self.token_or_end(failure),
            token: self.token_or_end(at),
            before: at.checked_sub(1).map(|at| self.tokens[at].clone()),
            change,
            expected,
            expected_when_stopped,
            line_start: self.tokens[..(failure + 1).min(self.tokens.len())].iter().rfind(|token| token.first_on_line).cloned(),
            before_stop: failure.checked_sub(1).map(|at| self.tokens[at].clone()),
            opener,
        }
    }

    /// The bracket before `at` that `closer` would close.
    fn opener(&self, at: usize, closer: &str) -> Option<Token> {
        let (open, close) = BRACKETS.into_iter().find(|(_, close)| *close == closer)?;
        let (open, close) = (self.terminal(open), self.terminal(close));
        let mut depth = 0;
        for token in self.tokens[..at].iter().rev() {
            if token.terminals.contains(&close) {
                depth += 1;
            } else if token.terminals.contains(&open) {
                if depth == 0 {
                    return Some(token.clone());
                }
                depth -= 1;
            }
        }
        None
    }
}

const BRACKETS: [(&str, &str); 3] = [("{", "}"), ("(", ")"), ("[", "]")];

fn is_bracket(text: &str) -> bool {
    BRACKETS.iter().any(|(open, close)| *open == text || *close == text)
}

fn is_punctuation(text: &str) -> bool {
    matches!(text, "{" | "}" | "(" | ")" | ";" | "," | "[" | "]" | ":")
}

/// The first closing brace whose indentation is not that of the line its opening brace stands on.
struct BraceClue {
    /// The closing brace, or the end of the tokens.
    at: usize,
    /// The last place where everything was still in order.
    good: usize,
    /// The opening brace it pairs with, if any is left.
    opener: Option<usize>,
}

fn brace_clue(tokens: &[Token], open: Terminal, close: Terminal) -> Option<BraceClue> {
    let mut openers: Vec<usize> = Vec::new();
    let mut good = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.terminals.contains(&open) {
            openers.push(at);
        } else if token.terminals.contains(&close) {
            let opener = openers.pop();
            match opener {
                None => return Some(BraceClue { at, good, opener }),
                Some(opening) if token.first_on_line && tokens[opening].line != token.line => {
                    if tokens[opening].indent != token.indent {
                        return Some(BraceClue { at, good, opener });
                    }
                    good = at + 1;
                }
                Some(_) => {}
            }
        }
    }
    let opener = openers.last().copied();
    opener.map(|_| BraceClue { at: tokens.len(), good, opener })
}

impl BraceClue {
    /// What the layout says for a change costs nothing; otherwise nearer is likelier.
    fn cost(&self, tokens: &[Token], at: usize, change: &Change) -> u32 {
        let twice =
            at > 0 && tokens.get(at).is_some_and(|token| !token.first_on_line && token.terminals == tokens[at - 1].terminals);
        let fits = match change {
            Change::Delete => twice,
            // The line before opens nothing, and the closing brace stands under its start.
            Change::Insert(_) if self.at < tokens.len() => at > 0 && tokens[at - 1].indent == tokens[self.at].indent,
            _ => false,
        };
        if fits { 0 } else { u32::try_from(self.at.abs_diff(at)).unwrap_or(u32::MAX).saturating_add(1) }
    }

    fn candidates(&self, tokens: &[Token], open: Terminal, close: Terminal, missing_close: bool) -> Vec<(usize, Change)> {
        let mut candidates = Vec::new();
        if missing_close {
            let opener = self.opener.unwrap_or(self.good);
            let indent = tokens[opener].indent;
            // The block ends before the first line that is not indented deeper than its opening line; or an opening brace is
            // one too many.
            let end = (opener + 1..tokens.len())
                .find(|&at| tokens[at].first_on_line && tokens[at].indent <= indent)
                .unwrap_or(tokens.len());
            candidates.push((end, Change::Insert(close)));
            if end != self.at {
                candidates.push((self.at, Change::Insert(close)));
            }
            let opening = (self.good..self.at.min(tokens.len())).filter(|&at| tokens[at].terminals.contains(&open));
            candidates.extend(opening.map(|at| (at, Change::Delete)));
        } else {
            let last = (self.at + 1).min(tokens.len());
            let from = self.good.saturating_sub(1);
            let closing = (from..last).filter(|&at| tokens[at].terminals.contains(&close));
            candidates.extend(closing.map(|at| (at, Change::Delete)));
            let indented = (from + 1..last).filter(|&at| tokens[at].first_on_line && tokens[at].indent > tokens[at - 1].indent);
            candidates.extend(indented.map(|at| (at, Change::Insert(open))));
        }
        candidates
    }
}
