//! What was found out about a program, put to its text: the record, the lens, and what a hover adds.
//!
//! All of it is made from one `Analysis` and the record made of it, so that no surface says something else than another.

use lockstep_base::verdict::{Freshness, Outcome, Phase, Record, Verdict};
use lockstep_base::{Encoding, Position, TextRange, TextSize};
use lockstep_icet::analysis::{Analysis, BugKind};
use lockstep_icet::print::stmt_head;
use lockstep_icet::program::{Program, StmtId, StmtKind};
use lockstep_icet::shape::Places;
use lockstep_syntax::Parse;

use super::hover::hover;
use super::sequential::sequential_lines;
use crate::words::words;
use crate::{Hover, SymbolKind, document_symbols};

/// The most lines of a program or a run in a hover.
const MOST_LINES: usize = 25;
const SEE_ALL: &str =
    "The command *Lockstep: Show Sequentialization* (`:Lockstep seq`) shows all of it, and keeps it up to date.";

/// An analysis of a program and where the program stands in the text at hand.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    pub shape: &'k Program,
    pub places: &'k Places,
    pub analysis: &'k Analysis,
}

/// What stands above a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub range: TextRange,
    pub title: String,
    /// Whether there is something to be shown.
    pub leads: bool,
}

/// What an analysis says in a record about `item`.
pub fn outcome(analysis: &Analysis, item: &str) -> Outcome {
    Outcome {
        verdict: analysis.verdict,
        scope: analysis.scope,
        code: analysis.findings.first().map(|found| found.code.to_owned()),
        trace: analysis.bug.as_ref().map(|_| item.to_owned()),
        ..Outcome::not_run(analysis.summary.clone())
    }
}

/// What is known about the program in a few words, above its first process.
pub fn lens(parse: &Parse, record: &Record, known: Option<Known<'_>>) -> Lens {
    let symbols = document_symbols(parse);
    let process = symbols.iter().find(|symbol| symbol.kind == SymbolKind::Machine);
    let range = process.map_or(record.name_range, |process| process.name_range);
    let outcome = &record.outcome;
    let title = match known {
        Some(known) => title(known.analysis),
        None => {
            let said = match outcome.freshness {
                Freshness::Stale => format!("{} \u{b7} stale", outcome.verdict.word()),
                Freshness::Current => outcome.why.clone(),
            };
            // What only waits for its turn is through in a moment: nothing is to flicker.
            match (outcome.phase, outcome.freshness) {
                (Phase::Running, Freshness::Current) => "checking...".to_owned(),
                (Phase::Running, Freshness::Stale) => format!("{said} \u{b7} checking..."),
                (Phase::Idle | Phase::Queued, _) => said,
            }
        }
    };
    Lens { range, title, leads: known.is_some() }
}

fn title(analysis: &Analysis) -> String {
    let steps = match analysis.outcome.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    match (&analysis.bug, analysis.verdict) {
        (Some(bug), _) => {
            let what = match bug.kind {
                BugKind::Deadlock => "deadlock",
                BugKind::Orphan => "message nobody receives",
                BugKind::Failure => "assertion fails",
                BugKind::Race => "race",
            };
            format!("{what} \u{b7} show trace")
        }
        (None, Verdict::Proved) => format!("sequentializes \u{b7} {steps} \u{b7} view"),
        (None, Verdict::Unsupported) => "cannot be put in order \u{b7} show".to_owned(),
        (None, _) => format!("stuck after {steps} \u{b7} show"),
    }
}

/// The hover of what stands at `offset`, with what is known: at processes and sets the verdict and the sequential program, at sends and
/// receives their partners.
pub fn hover_of_known(parse: &Parse, offset: TextSize, known: Known<'_>, outcome: &Outcome) -> Option<Hover> {
    let plain = hover(parse, offset);
    let word = word_at(parse, offset);
    let is = |keywords: &[&str]| word.as_ref().is_some_and(|(word, _)| keywords.contains(&word.as_str()));
    let declares = |range: TextRange| {
        let program = known.shape;
        let declared = program.processes.iter().map(|process| process.range).chain(program.sets.iter().map(|set| set.range));
        declared.map(|declared| known.places.range(declared)).any(|declared| declared == range)
    };
    let more = match &plain {
        Some(plain) if declares(plain.range) => Some(verdict_words(known, outcome)),
        None if is(&["process", "set"]) => Some(verdict_words(known, outcome)),
        _ => partners(parse, offset, known, plain.is_none() && is(&["send", "recv", "receive"])),
    };
    match (plain, more, word) {
        (Some(plain), Some(more), _) => Some(Hover { markdown: format!("{}\n\n---\n\n{more}", plain.markdown), ..plain }),
        (None, Some(more), Some((_, range))) => Some(Hover { range, markdown: more }),
        (plain, _, _) => plain,
    }
}

fn word_at(parse: &Parse, offset: TextSize) -> Option<(String, TextRange)> {
    let text = parse.text();
    let line = text.position(offset, Encoding::Utf8).line;
    let start = text.offset(Position { line, column: 0 }, Encoding::Utf8);
    let end = text.offset(Position { line, column: u32::MAX }, Encoding::Utf8);
    let behind = text.slice(TextRange::new(offset, end.max(offset)));
    let rest = behind.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(behind.len());
    let end = offset + TextSize::try_from(rest).ok()?;
    let word = words(text, start, end)?.pop().filter(|word| word.range.contains_inclusive(offset) && word.is_name())?;
    Some((word.text, word.range))
}

/// The verdict, and what it rests on: the sequential program as far as it goes, or the run that shows what is wrong.
fn verdict_words(known: Known<'_>, outcome: &Outcome) -> String {
    let mut said = vec![format!("**{}**", outcome.words())];
    let analysis = known.analysis;
    let (language, lines) = match &analysis.bug {
        Some(bug) => {
            let steps = bug.trace.iter().zip(1..).map(|(line, nth)| format!("{nth:>3}. {}", line.text));
            let instance = format!("with {}:", bug.instance);
            ("text", std::iter::once(instance).chain(steps).chain([bug.end.clone()]).collect())
        }
        None => ("icet", sequential_lines(analysis)),
    };
    if !lines.is_empty() {
        let shown = lines[..lines.len().min(MOST_LINES)].join("\n");
        said.push(format!("```{language}\n{shown}\n```"));
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let lines = if more == 1 { "line follows" } else { "lines follow" };
        said.push(format!("{more} more {lines}. {SEE_ALL}"));
    } else if !lines.is_empty() {
        said.push(SEE_ALL.to_owned());
    }
    said.join("\n\n")
}

/// Who receives what is sent at `offset`, or sends what is received there.
fn partners(parse: &Parse, offset: TextSize, known: Known<'_>, is_at_keyword: bool) -> Option<String> {
    let (id, range) = statement_at(known, offset)?;
    let (lead, partners) = match &known.shape.stmt(id).kind {
        StmtKind::Send { .. } => ("Received by", known.analysis.partners.receives.get(&id)),
        StmtKind::Receive { .. } => ("Sent by", known.analysis.partners.sends.get(&id)),
        _ => return None,
    };
    let is_at_message = super::program::Program::of(parse)?
        .use_at(offset)
        .is_some_and(|found| matches!(found.role, super::program::Role::Send | super::program::Role::Receive));
    if !is_at_keyword && !is_at_message || !range.contains_inclusive(offset) {
        return None;
    }
    let so_far = if known.analysis.verdict == Verdict::Proved { "" } else { ", as far as the program could be put in order" };
    let Some(partners) = partners.filter(|partners| !partners.is_empty()) else {
        return Some(format!("{lead} nobody{so_far}."));
    };
    let mut said = vec![format!("{lead}{so_far}:\n")];
    for partner in partners {
        let stmt = known.shape.stmt(*partner);
        let line = parse.text().position(known.places.range(stmt.range).start(), Encoding::Utf8).line + 1;
        let process = stmt.process.map_or("sequential", |process| known.shape.process(process).name.as_str());
        said.push(format!("- `{process}`, line {line}: `{}`", stmt_head(known.shape, *partner)));
    }
    Some(said.join("\n"))
}

/// The innermost statement around a place.
fn statement_at(known: Known<'_>, offset: TextSize) -> Option<(StmtId, TextRange)> {
    let all = (0..).map(StmtId).zip(&known.shape.stmts);
    let ranged = all.map(|(id, stmt)| (id, known.places.range(stmt.range)));
    ranged.filter(|(_, range)| range.contains_inclusive(offset)).min_by_key(|(_, range)| range.len())
}
