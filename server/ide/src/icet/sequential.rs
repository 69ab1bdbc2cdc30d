//! The sequentialization as a document: what the steps of the certificate do, as a program, with the way back to the source.
//!
//! Where a program could not be put in order, the document has the part that could be, and what is left of each process. A bug stands
//! at its top as the run that shows it. Everything but the program is in comments, so that the document is IceT.

use std::ops::Range;

use lockstep_base::verdict::Outcome;
use lockstep_base::{Text, TextRange, TextSize};
use lockstep_icet::analysis::Analysis;
use lockstep_icet::print::print_with_places;
use lockstep_icet::program::{Program, StmtId};
use lockstep_icet::rewrite::{Sequential, Step, Who, after};

use super::known::Known;

/// How long a line of a comment may become.
const WIDTH: usize = 96;

#[derive(Clone, Debug)]
pub struct SequentialView {
    pub text: Text,
    /// Ranges of the text, in order, and the ranges of the source they come from, the most important one first.
    pub links: Vec<(TextRange, Vec<TextRange>)>,
    /// What each step does, in words.
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
pub fn sequential_view(name: &str, known: Known<'_>, outcome: &Outcome, step: Option<usize>) -> SequentialView {
    let analysis = known.analysis;
    let steps: Vec<String> = analysis.outcome.steps.iter().map(|step| step_words(known.shape, step)).collect();
    let step = step.filter(|step| *step < steps.len());
    let mut writer = Writer::default();
    writer.comment(&format!("{name}: {}", outcome.words()));
    let shown = match step {
        None => {
            writer.bug(known);
            analysis.outcome.sequential.clone()
        }
        Some(step) => {
            let last = step.checked_sub(1).and_then(|last| steps.get(last)).map(|last| format!(": {last}")).unwrap_or_default();
            writer.comment(&format!("After step {step} of {}{last}", steps.len()));
            after(known.shape, &analysis.outcome.steps[..step])
        }
    };
    match shown {
        Ok(sequential) => writer.program(known, &sequential),
        Err(_) => drop(writer.comment("There is no sequential program to show.")),
    }
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

/// What a step of the certificate does.
fn step_words(program: &Program, step: &Step) -> String {
    let who = |who: &Who| who_words(program, *who);
    let all = |all: &[Who]| all.iter().map(&who).collect::<Vec<_>>().join(" and ");
    let set = |set: &lockstep_icet::program::SetId| format!("`{}`", program.set(*set).name);
    match step {
        Step::Local { who: one } => format!("{} does something of its own", who(one)),
        Step::Enter { who: one } => format!("{} goes the only way it can", who(one)),
        Step::Send { who: one } => format!("{} sends", who(one)),
        Step::Receive { who: one, from, .. } => format!("{} receives from {}", who(one), who(from)),
        Step::TakeFromBag { who: one, .. } => format!("{} receives from whoever comes first", who(one)),
        Step::Branch { who: one, ways } => format!("{} goes any of {} ways, all to the same place", who(one), ways.len()),
        Step::Loop { drivers, .. } => format!("{} meets one member after the other", all(drivers)),
        Step::Parallel { set: of, .. } => format!("all members of {} do the same side by side", set(of)),
        Step::Pick { set: of, .. } => format!("one member of {} is met", set(of)),
        Step::Repeat { drivers, .. } => format!("the turns of {}", all(drivers)),
        Step::While { driver, .. } => format!("the loop of {}", who(driver)),
        Step::Serve { who: one, .. } => format!("{} serves the member that is met", who(one)),
        Step::Section => "a part of its own begins".to_owned(),
    }
}

fn who_words(program: &Program, who: Who) -> String {
    match who {
        Who::One(process) => format!("`{}`", program.process(process).name),
        Who::Each(set) => format!("each of `{}`", program.set(set).name),
        Who::Focus(_) => "the member that is met".to_owned(),
    }
}
