//! The sequentialization as a document: what the steps of the certificate do, as a program, with the way back to the source.
//!
//! Where a program could not be put in order, the document has the part that could be, and what is left of each process. A bug stands
//! at its top as the run that shows it. Everything but the program is in comments, so that the document is IceT.

use std::ops::Range;

use lockstep_base::verdict::Outcome;
use lockstep_base::{Encoding, Text, TextRange, TextSize};
use lockstep_icet::analysis::Analysis;
use lockstep_icet::print::print_with_places;
use lockstep_icet::program::{Program, StmtId};
use lockstep_icet::rewrite::{Sequential, after, tell, told_lines};

use super::known::Known;

/// How long a line of a comment may become.
const WIDTH: usize = 96;
/// How many lines are spent on one step.
const MOST_LINES: usize = 15;

#[derive(Clone, Debug)]
pub struct SequentialView {
    pub text: Text,
    /// Ranges of the text, in order, and the ranges of the source they come from, the most important one first.
    pub links: Vec<(TextRange, Vec<TextRange>)>,
    /// What each step does, in words; those inside of it in lines of their own, indented.
    pub steps: Vec<String>,
    /// How many of the steps are shown; `None` for all, as far as they lead.
    pub step: Option<usize>,
}

/// What is shown while there is nothing to show.
pub fn empty_view(name: &str, outcome: &Outcome) -> SequentialView {
    let mut writer = Writer::default();
    writer.comment(&format!("{name}: {}", outcome.words()));
    SequentialView { text: Text::from(writer.text.as_str()), links: Vec::new(), steps: Vec::new(), step: None }
}

/// The document of an analysed program; after so many steps, if a number is given.
pub fn sequential_view(name: &str, source: &Text, known: Known<'_>, outcome: &Outcome, step: Option<usize>) -> SequentialView {
    let analysis = known.analysis;
    let steps = steps_in_words(source, known);
    let step = step.filter(|step| *step < steps.len());
    let mut writer = Writer::default();
    writer.comment(&format!("{name}: {}", outcome.words()));
    let shown = match step {
        None => {
            writer.bug(known);
            analysis.outcome.sequential.clone()
        }
        Some(step) => {
            let last = step.checked_sub(1).and_then(|last| steps.get(last));
            writer.comment(&format!("After step {step} of {}{}", steps.len(), if last.is_some() { ":" } else { "" }));
            last.into_iter().for_each(|last| writer.step(last));
            after(known.shape, &analysis.outcome.steps[..step])
        }
    };
    match shown {
        Ok(sequential) => writer.program(known, &sequential),
        Err(_) => drop(writer.comment("There is no sequential program to show.")),
    }
    let steps = steps.into_iter().map(|step| step.join("\n")).collect();
    SequentialView { text: Text::from(writer.text.as_str()), links: writer.links, steps, step }
}

/// The sequential part of what an analysis has put in order, line by line; none if there is none.
pub(super) fn sequential_lines(analysis: &Analysis) -> Vec<String> {
    let Ok(sequential) = &analysis.outcome.sequential else { return Vec::new() };
    let (text, _) = print_with_places(&sequential.program);
    let lines = text.lines().skip_while(|line| !line.starts_with("sequential"));
    lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[derive(Default)]
struct Writer {
    text: String,
    links: Vec<(TextRange, Vec<TextRange>)>,
}

impl Writer {
    /// Words in lines of a comment.
    fn comment(&mut self, words: &str) -> Range<usize> {
        let start = self.text.len();
        let mut width = 0;
        for word in words.split_whitespace() {
            if width == 0 || width + word.len() >= WIDTH {
                self.text.push_str(if width == 0 { "//" } else { "\n//" });
                width = 2;
            }
            self.text.push(' ');
            self.text.push_str(word);
            width += word.len() + 1;
        }
        let end = self.text.len();
        self.text.push('\n');
        start..end
    }

    /// What a step does.
    fn step(&mut self, lines: &[String]) {
        for line in lines.iter().take(MOST_LINES) {
            self.text.push_str("//   ");
            self.text.push_str(line);
            self.text.push('\n');
        }
        if let Some(more @ 1..) = lines.len().checked_sub(MOST_LINES) {
            self.comment(&format!("  and {more} more inside of it"));
        }
    }

    /// The run that shows what is wrong.
    fn bug(&mut self, known: Known<'_>) {
        let Some(bug) = &known.analysis.bug else { return };
        self.comment("");
        self.comment(&format!("A run with {}:", bug.instance));
        for (line, nth) in bug.trace.iter().zip(1..) {
            let place = self.comment(&format!("{nth}. {}", line.text));
            self.link(place, vec![known.places.range(line.range)]);
        }
        self.comment(&format!("Then {}.", bug.end));
    }

    fn program(&mut self, known: Known<'_>, sequential: &Sequential) {
        self.text.push('\n');
        let start = self.text.len();
        let (text, heads) = print_with_places(&sequential.program);
        self.text.push_str(&text);
        for (id, head) in heads {
            let sources: Vec<TextRange> = sources(known.shape, sequential, id).map(|range| known.places.range(range)).collect();
            self.link(start + head.start..start + head.end, sources);
        }
    }

    fn link(&mut self, place: Range<usize>, targets: Vec<TextRange>) {
        let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
        if !targets.is_empty() {
            self.links.push((TextRange::new(size(place.start), size(place.end)), targets));
        }
    }
}

/// Where a statement comes from: those it was made of, or itself if it is still as it was.
fn sources<'s>(shape: &'s Program, sequential: &'s Sequential, id: StmtId) -> impl Iterator<Item = TextRange> + use<'s> {
    let made_of = sequential.links.get(&id).map(Vec::as_slice).unwrap_or_default();
    let itself = made_of.is_empty().then_some(id);
    // The last one is what does it: of a message, the receive.
    let all = made_of.iter().rev().copied().chain(itself);
    all.filter_map(|id| shape.stmts.get(id.index())).map(|stmt| stmt.range)
}

/// What each step does, with those inside of it, in lines.
fn steps_in_words(source: &Text, known: Known<'_>) -> Vec<Vec<String>> {
    let line = |range| source.position(known.places.range(range).start(), Encoding::Utf8).line + 1;
    let told = tell(known.shape, &known.analysis.outcome.steps);
    let mut steps: Vec<Vec<String>> = Vec::new();
    for (told, line) in told.iter().zip(told_lines(known.shape, &told, &line)) {
        match steps.last_mut() {
            Some(step) if told.depth > 0 => step.push(line),
            _ => steps.push(vec![line]),
        }
    }
    steps
}
