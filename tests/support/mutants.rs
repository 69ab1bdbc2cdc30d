//! Valid programs with one token deleted, written twice, or exchanged with the next one.

use std::ops::Range;

use crate::{Program, Random};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    Delete,
    Duplicate,
    Swap,
}

#[derive(Clone, Debug)]
pub struct Mutant {
    pub program: String,
    pub mutation: Mutation,
    /// The token the mutation is about.
    pub token: String,
    pub text: String,
    /// The lines the mutation touches, counted from 0.
    pub lines: Range<u32>,
}

/// `count` mutants of `program`, chosen by `random`. Some may be valid programs again.
pub fn mutants(program: &Program, count: usize, random: &mut Random) -> Vec<Mutant> {
    let tokens = tokens(&program.text);
    (0..count)
        .map(|_| {
            let mutation = [Mutation::Delete, Mutation::Duplicate, Mutation::Swap][random.below(3)];
            mutant(program, &tokens, random.below(tokens.len() - 1), mutation)
        })
        .collect()
}

fn mutant(program: &Program, tokens: &[Range<usize>], at: usize, mutation: Mutation) -> Mutant {
    let text = &program.text;
    let (this, next) = (tokens[at].clone(), tokens[at + 1].clone());
    let token = &text[this.clone()];
    let (before, after) = (&text[..this.start], &text[this.end..]);
    let (mutated, touched) = match mutation {
        Mutation::Delete => (format!("{before}{after}"), this.clone()),
        Mutation::Duplicate => (format!("{before}{token} {token}{after}"), this.clone()),
        Mutation::Swap => {
            let (between, behind) = (&text[this.end..next.start], &text[next.end..]);
            let text = format!("{before}{}{between}{token}{behind}", &text[next.clone()]);
            (text, this.start..next.end)
        }
    };
    let line = |at: usize| u32::try_from(text[..at].matches('\n').count()).expect("few lines");
    Mutant {
        program: program.name.clone(),
        mutation,
        token: token.to_owned(),
        text: mutated,
        lines: line(touched.start)..line(touched.end) + 1,
    }
}

/// Byte ranges of a program's tokens, by rules of its own: this must not depend on the code under test.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    const SYMBOLS: [&str; 13] = ["<==>", "==>", "==", "!=", "<=", ">=", "->", "+=", "-=", "&&", "||", "$$", "::"];
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        } else if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("init-condition") {
            "init-condition".len()
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else {
            SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)).map_or(first.len_utf8(), |symbol| symbol.len())
        };
        tokens.push(at..at + length);
        at += length;
    }
    tokens
}
