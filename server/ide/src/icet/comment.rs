//! The comment that belongs to a declaration.

use lockstep_base::{Text, TextRange};

use super::program::{Declaration, NameKind, Program};

/// The text of the comment directly above a declaration, or else behind it on its line; without comment signs.
pub(super) fn comment(program: &Program<'_>, declaration: &Declaration) -> Option<String> {
    use NameKind::{Bound, DoneSet, Index, Member, Part};
    if matches!(declaration.kind, Bound | DoneSet | Index | Member | Part) {
        return None;
    }
    let whole = extent(program, declaration);
    let found = above(program.text, declaration, whole).or_else(|| behind(program.text, whole));
    found.filter(|comment| !comment.trim().is_empty())
}

/// All of a declaration that stands at the top; the name with what follows it for others.
fn extent(program: &Program<'_>, declaration: &Declaration) -> TextRange {
    use NameKind::{Constant, Enum, Message, Process, Set, SharedGhost, Type};
    match declaration.kind {
        Type | Enum | Message | Set | Constant | SharedGhost | Process => program.item_range(declaration.item),
        _ => declaration.rest.map_or(declaration.range, |rest| declaration.range.cover(rest)),
    }
}

fn above(text: &Text, declaration: &Declaration, whole: TextRange) -> Option<String> {
    let first = text.line_of(whole.start());
    let before = text.slice(TextRange::new(text.line_start(first), whole.start()));
    let is_listed = matches!(declaration.kind, NameKind::EnumElement | NameKind::Field);
    if is_listed && !before.trim().is_empty() {
        return None;
    }
    let last = line(text, first.checked_sub(1)?);
    if last.ends_with("*/") { block_above(text, first) } else { lines_above(text, first) }
}

/// Lines of `//` that end right above line `end`.
fn lines_above(text: &Text, end: u32) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for at in (0..end).rev() {
        let line = line(text, at);
        let Some(comment) = line.strip_prefix("//") else { break };
        lines.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A `/* */` that has its lines for itself and ends right above line `end`.
fn block_above(text: &Text, end: u32) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for at in (0..end).rev() {
        let line = line(text, at);
        let first = line.strip_prefix("/*");
        let inner = first.unwrap_or(&line);
        let inner = inner.strip_suffix("*/").unwrap_or(inner).trim();
        lines.push(inner.strip_prefix("* ").unwrap_or(inner).to_owned());
        if first.is_some() {
            lines.reverse();
            return Some(lines.join("\n").trim().to_owned());
        }
        if line.contains("/*") {
            return None;
        }
    }
    None
}

fn behind(text: &Text, whole: TextRange) -> Option<String> {
    let last = text.line_of(whole.end());
    let rest = text.slice(TextRange::new(whole.end(), text.line_start(last + 1).max(whole.end())));
    let comment = rest.trim_start_matches([' ', '\t', ';', ',']).strip_prefix("//")?;
    Some(comment.trim().to_owned())
}

fn line(text: &Text, line: u32) -> String {
    text.slice(TextRange::new(text.line_start(line), text.line_start(line + 1))).trim().to_owned()
}
