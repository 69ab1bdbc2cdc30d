//! The type of a value that is written as a path such as `a.b[0].c` or `f(x).d`, from its words alone.

use lockstep_program::ty::Ty;
use lockstep_syntax::Language;

use super::scope::Scope;
use crate::words::Word;

/// A part of a path.
enum Step<'w> {
    Name(&'w str),
    Call(&'w str),
    /// What is in the parentheses of `keys`, `values` or `choose`.
    Operand(&'w str, &'w [Word]),
    /// `(... as T)`
    Cast(&'w [Word]),
    Paren(&'w [Word]),
    Element,
}

/// How deep what stands in parentheses is followed.
const MOST_PARENTHESES: u32 = 20;

impl Scope<'_> {
    /// The type of the value that ends with the words. `None` if it is not known.
    pub(super) fn path_type(&self, words: &[Word]) -> Option<Ty> {
        self.path_type_within(words, MOST_PARENTHESES)
    }

    fn path_type_within(&self, words: &[Word], depth: u32) -> Option<Ty> {
        let depth = depth.checked_sub(1)?;
        let steps = steps(words)?;
        let (first, rest) = steps.split_first()?;
        let mut ty = self.first_type(first, depth)?;
        for step in rest {
            ty = match (step, ty) {
                (Step::Name(field), ty) => self.fields(&ty).into_iter().find(|(name, _)| name == field)?.1,
                (Step::Element, Ty::Seq(element) | Ty::Set(element) | Ty::Map(_, element)) => (*element).clone(),
                _ => return None,
            };
        }
        Some(ty)
    }

    fn first_type(&self, step: &Step<'_>, depth: u32) -> Option<Ty> {
        match step {
            Step::Name(name) => self.value_type(name),
            Step::Call(name) => Some(self.function(name)?.0.result),
            Step::Paren(inner) => self.path_type_within(inner, depth),
            Step::Cast(ty) => {
                let text: Vec<&str> = ty.iter().map(|word| word.text.as_str()).collect();
                self.type_of_text(&text.join(" "))
            }
            Step::Operand(word, inner) => match (*word, self.path_type_within(inner, depth)?) {
                ("keys", Ty::Map(key, _)) => Some(Ty::Seq(key)),
                ("values", Ty::Map(_, value)) => Some(Ty::Seq(value)),
                ("choose", Ty::Seq(element) | Ty::Set(element) | Ty::Map(element, _)) => Some((*element).clone()),
                _ => None,
            },
            Step::Element => None,
        }
    }
}

/// The steps of the value that ends with the words, outermost name first; `None` if it is nothing that can be followed.
fn steps(words: &[Word]) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    let mut rest = words;
    loop {
        let (last, before) = rest.split_last()?;
        let (step, before) = match last.text.as_str() {
            "]" => (Step::Element, &before[..opening(rest)?]),
            ")" => in_parentheses(rest, opening(rest)?),
            _ if last.is_name() || is_number(last) => (Step::Name(&last.text), before),
            _ => return None,
        };
        let is_index = matches!(step, Step::Element);
        steps.push(step);
        rest = match before {
            _ if is_index => before,
            [before @ .., dot] if dot.text == "." => before,
            _ => break,
        };
    }
    steps.reverse();
    Some(steps)
}

/// What the parentheses that close at the end of the words and open at `open` are, and what stands before it.
fn in_parentheses(words: &[Word], open: usize) -> (Step<'_>, &[Word]) {
    let inner = &words[open + 1..words.len() - 1];
    match words[..open].split_last() {
        Some((word, before)) if matches!(word.text.as_str(), "keys" | "values" | "choose") => {
            (Step::Operand(&word.text, inner), before)
        }
        Some((name, before)) if name.is_name() && !Language::P.is_reserved(&name.text) => (Step::Call(&name.text), before),
        _ => match inner.iter().rposition(|word| matches!(word.text.as_str(), "as" | "to")) {
            Some(cast) => (Step::Cast(&inner[cast + 1..]), &words[..open]),
            None => (Step::Paren(inner), &words[..open]),
        },
    }
}

fn is_number(word: &Word) -> bool {
    word.text.starts_with(|first: char| first.is_ascii_digit())
}

/// Where the bracket opens that closes at the end of the words.
fn opening(words: &[Word]) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, word) in words.iter().enumerate().rev() {
        match word.text.as_str() {
            ")" | "]" => depth += 1,
            "(" | "[" => depth = depth.checked_sub(1)?,
            _ => continue,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
