//! What edits change, as a unified diff.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::AnsiColor;
use lockstep_base::{Edit, Text, TextSize};

use crate::output::Output;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Lines that are replaced by others.
#[derive(Debug, PartialEq, Eq)]
struct Change {
    old: Range<usize>,
    new: Vec<String>,
}

/// Writes what `edits`, which are in order, make of the file `name`.
pub(crate) fn write(output: &mut Output, name: &str, text: &Text, edits: &[Edit]) -> io::Result<()> {
    let source = text.to_string();
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let changes = changes(&source, &lines, edits);
    writeln!(output, "--- {name}\n+++ {name}")?;
    let mut added = 0_usize;
    let mut removed = 0_usize;
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        let near = rest.windows(2).take_while(|pair| pair[1].old.start - pair[0].old.end <= 2 * CONTEXT).count() + 1;
        let (hunk, behind) = rest.split_at(near);
        write_hunk(output, &lines, hunk, (removed, added))?;
        removed += hunk.iter().map(|change| change.old.len()).sum::<usize>();
        added += hunk.iter().map(|change| change.new.len()).sum::<usize>();
        rest = behind;
    }
    Ok(())
}

/// The changed lines, without those at their edges that stay the same.
fn changes(source: &str, lines: &[&str], edits: &[Edit]) -> Vec<Change> {
    let mut starts = vec![0];
    starts.extend(source.match_indices('\n').map(|(at, _)| at + 1));
    let line_of = |at: TextSize| starts.partition_point(|start| *start <= usize::from(at)) - 1;
    let mut changes = Vec::new();
    let mut rest = edits;
    while let Some(first) = rest.first() {
        let start = line_of(first.range.start());
        let mut end = line_of(first.range.end());
        let mut count = 1;
        while let Some(next) = rest.get(count)
            && line_of(next.range.start()) <= end
        {
            end = line_of(next.range.end()).max(end);
            count += 1;
        }
        let old = start..(end + 1).min(lines.len());
        let from = starts[start];
        let to = starts.get(end + 1).copied().unwrap_or(source.len());
        if let Some(next) = change(lines, old, with_edits(&source[from..to], from, &rest[..count])) {
            add(&mut changes, next);
        }
        rest = &rest[count..];
    }
    changes
}

/// Changes of neighbouring lines are one.
fn add(changes: &mut Vec<Change>, next: Change) {
    match changes.last_mut() {
        Some(last) if last.old.end == next.old.start => {
            last.old.end = next.old.end;
            last.new.extend(next.new);
        }
        _ => changes.push(next),
    }
}

/// A stretch of the source, which begins at `start`, after the edits.
fn with_edits(stretch: &str, start: usize, edits: &[Edit]) -> String {
    let mut edited = stretch.to_owned();
    for edit in edits.iter().rev() {
        edited.replace_range(usize::from(edit.range.start()) - start..usize::from(edit.range.end()) - start, &edit.insert);
    }
    edited
}

fn change(lines: &[&str], mut old: Range<usize>, new: String) -> Option<Change> {
    let mut new: Vec<String> = new.split_inclusive('\n').map(str::to_owned).collect();
    while !old.is_empty() && new.first().is_some_and(|line| line == lines[old.start]) {
        old.start += 1;
        new.remove(0);
    }
    while !old.is_empty() && new.last().is_some_and(|line| line == lines[old.end - 1]) {
        old.end -= 1;
        new.pop();
    }
    (!old.is_empty() || !new.is_empty()).then_some(Change { old, new })
}

/// `before` is how many lines were removed and added by the hunks before.
fn write_hunk(output: &mut Output, lines: &[&str], hunk: &[Change], (removed, added): (usize, usize)) -> io::Result<()> {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return Ok(()) };
    let start = first.old.start.saturating_sub(CONTEXT);
    let end = (last.old.end + CONTEXT).min(lines.len());
    let own_removed: usize = hunk.iter().map(|change| change.old.len()).sum();
    let own_added: usize = hunk.iter().map(|change| change.new.len()).sum();
    let old_count = end - start;
    let new_count = old_count - own_removed + own_added;
    let new_start = start + added - removed;
    // An empty side is named by the line before it.
    let number = |start: usize, count: usize| if count == 0 { start } else { start + 1 };
    let style = output.style(AnsiColor::Cyan.on_default());
    writeln!(
        output,
        "{style}@@ -{},{old_count} +{},{new_count} @@{style:#}",
        number(start, old_count),
        number(new_start, new_count)
    )?;
    let mut at = start;
    for change in hunk {
        write_lines(output, ' ', &lines[at..change.old.start])?;
        write_lines(output, '-', &lines[change.old.clone()])?;
        write_lines(output, '+', &change.new)?;
        at = change.old.end;
    }
    write_lines(output, ' ', &lines[at..end])
}

fn write_lines(output: &mut Output, sign: char, lines: &[impl AsRef<str>]) -> io::Result<()> {
    let style = match sign {
        '-' => output.style(AnsiColor::Red.on_default()),
        '+' => output.style(AnsiColor::Green.on_default()),
        _ => anstyle::Style::new(),
    };
    for line in lines.iter().map(AsRef::as_ref) {
        let shown = line.trim_end_matches(['\n', '\r']);
        writeln!(output, "{style}{sign}{shown}{style:#}")?;
        if !line.ends_with('\n') {
            writeln!(output, "\\ No newline at end of file")?;
        }
    }
    Ok(())
}
