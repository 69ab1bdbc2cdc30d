//! A program apart from where it stands in its text.
//!
//! Whoever keeps what was found out about a program wants to know whether it is still the same one after an edit of a comment. So its
//! ranges are taken out: each is replaced by its number in the order of the text. Two texts of one program then give equal shapes, what
//! is found out about a shape speaks in numbers, and `Places` turns numbers into the ranges of the text at hand.
//!
//! Invariants: number `n` is written as the range `n..n + 1`, so that a range that covers several still covers them when it is turned
//! back, and order by place is order by number.

use lockstep_base::{Diagnostic, TextRange, TextSize};

use crate::program::{Claim, Program, StmtKind};

/// The ranges of one text of a program, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<TextRange>);

/// Takes the ranges out of a program.
pub fn split(mut program: Program) -> (Program, Places) {
    let mut places = Vec::new();
    each_range(&mut program, |range| places.push(*range));
    places.sort_by_key(|range| (range.start(), range.end()));
    places.dedup();
    let places = Places(places);
    each_range(&mut program, |range| *range = places.number(*range));
    (program, places)
}

impl Places {
    /// The range in the text that a range of the shape stands for.
    pub fn range(&self, numbers: TextRange) -> TextRange {
        let at = |number: usize| self.0.get(number).copied();
        let first = usize::from(numbers.start());
        let last = usize::from(numbers.end()).saturating_sub(1).max(first);
        match (at(first), at(last)) {
            (Some(first), Some(last)) => first.cover(last),
            // Not a range of the shape: it says nothing about the text.
            _ => TextRange::default(),
        }
    }

    /// A finding about the shape as one about the text.
    #[must_use]
    pub fn diagnostic(&self, found: &Diagnostic) -> Diagnostic {
        let mut found = found.clone();
        found.range = self.range(found.range);
        found
            .related
            .iter_mut()
            .filter(|related| related.path.is_none())
            .for_each(|related| related.range = self.range(related.range));
        found.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.range = self.range(edit.range));
        found
    }

    fn number(&self, range: TextRange) -> TextRange {
        let number = self.0.binary_search_by_key(&(range.start(), range.end()), |range| (range.start(), range.end()));
        let number = TextSize::try_from(number.unwrap_or_default()).unwrap_or_default();
        TextRange::at(number, TextSize::from(1))
    }
}

/// Every range of a program, in an order that depends on nothing but its shape.
fn each_range(program: &mut Program, mut visit: impl FnMut(&mut TextRange)) {
    program.sets.iter_mut().for_each(|set| visit(&mut set.range));
    program.messages.iter_mut().for_each(|message| visit(&mut message.range));
    program.consts.iter_mut().for_each(|constant| visit(&mut constant.range));
    program.processes.iter_mut().for_each(|process| visit(&mut process.range));
    let claims = program.assumes.iter_mut().chain(&mut program.invariants).chain(&mut program.ensures);
    claims.for_each(|claim| visit(&mut claim.range));
    for stmt in &mut program.stmts {
        visit(&mut stmt.range);
        let mut claims = |claims: &mut [Claim]| claims.iter_mut().for_each(|claim| visit(&mut claim.range));
        match &mut stmt.kind {
            StmtKind::Receive { cases, .. } => cases.iter_mut().for_each(|case| visit(&mut case.range)),
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => claims(&mut set_loop.invariants),
            StmtKind::While { invariants, .. } | StmtKind::Repeat { invariants, .. } | StmtKind::Rounds { invariants, .. } => {
                claims(invariants);
            }
            StmtKind::Invariant(claim) => claims(std::slice::from_mut(claim)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use lockstep_syntax::{Language, Parse};

    use super::*;
    use crate::check::check_parse;
    use crate::program::StmtId;

    const PROGRAM: &str = "\
set Nodes;
message Ping(int);
const limit: int = 3;
process server {
  var n: int;
  for p in Nodes invariant n >= 0; { recv Ping(n) from p; }
  assert n <= limit;
}
process node in Nodes { send Ping(1) to server; }
ensures server.n >= 0;
";

    fn program(text: &str) -> Program {
        let checked = check_parse(&Parse::new(Language::Icet, text));
        checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
    }

    #[test]
    fn comments_and_white_space_keep_the_shape() {
        let (shape, places) = split(program(PROGRAM));
        let spread =
            PROGRAM.replace("{ recv", "\n  // who comes first\n  {  recv").replace("set Nodes;", "// All.\n  set  Nodes ;");
        let (other, moved) = split(program(&spread));
        assert_eq!(shape, other);
        assert_ne!(places, moved);
    }

    #[test]
    fn any_other_change_does_not() {
        let (shape, _) = split(program(PROGRAM));
        for (from, to) in [("limit: int = 3", "limit: int = 4"), ("n >= 0; {", "n > 0; {"), ("Ping(1)", "Ping(2)")] {
            assert_ne!(shape, split(program(&PROGRAM.replacen(from, to, 1))).0, "{to}");
        }
        // The same program, but what stands first has changed, and so have the numbers.
        let (node, rest) = PROGRAM.split_once("set Nodes;\n").map_or(("", PROGRAM), |(_, rest)| ("set Nodes;\n", rest));
        let swapped = rest.replacen("const limit: int = 3;\n", &format!("const limit: int = 3;\n{node}"), 1);
        assert_ne!(shape, split(program(&swapped)).0);
    }

    #[test]
    fn numbers_lead_back_to_the_text() {
        let original = program(PROGRAM);
        let (shape, places) = split(original.clone());
        for (numbered, real) in shape.stmts.iter().zip(&original.stmts) {
            assert_eq!(places.range(numbered.range), real.range);
        }
        let (first, last) = (shape.stmt(StmtId(0)).range, shape.processes[1].range);
        let whole = original.stmt(StmtId(0)).range.cover(original.processes[1].range);
        assert_eq!(places.range(first.cover(last)), whole);
        let found = Diagnostic::error("LS2201", first, "it").with_related(last, "there");
        let moved = places.diagnostic(&found);
        assert_eq!((moved.range, moved.related[0].range), (original.stmt(StmtId(0)).range, original.processes[1].range));
        assert_eq!(places.range(TextRange::new(900.into(), 901.into())), TextRange::default());
    }
}
