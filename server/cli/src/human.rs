//! Findings as source snippets for people.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lockstep_base::{Diagnostic, Encoding, Severity, TextRange};
use lockstep_workspace::Source;

use crate::excerpt::{Excerpt, excerpts};
use crate::report::Sources;

/// Renders the findings of one text.
pub(crate) struct Snippets<'s> {
    source: &'s Source,
    /// The other files that findings point into.
    sources: &'s Sources,
    renderer: Renderer,
}

/// A place with what it has to do with the finding; the finding's own has no label: the message is about it.
type Labelled<'d> = (TextRange, Option<&'d str>);

impl<'s> Snippets<'s> {
    pub(crate) fn new(source: &'s Source, sources: &'s Sources, styled: bool) -> Self {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        Self { source, sources, renderer }
    }

    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
        for (source, places) in self.places(diagnostic) {
            group = with_places(group, source, &places);
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        self.renderer.render(&[group])
    }

    /// The places of a finding by file.
    fn places<'d>(&'d self, diagnostic: &'d Diagnostic) -> Vec<(&'d Source, Vec<Labelled<'d>>)> {
        let mut files = vec![(self.source, vec![(diagnostic.range, None)])];
        for related in &diagnostic.related {
            let source = match &related.path {
                None => self.source,
                Some(path) => match self.sources.get(path) {
                    Some(source) => source,
                    None => continue,
                },
            };
            let place = (related.range, Some(related.message.as_str()));
            match files.iter_mut().find(|(known, _)| known.name == source.name) {
                Some((_, places)) => places.push(place),
                None => files.push((source, vec![place])),
            }
        }
        files
    }
}

fn with_places<'a>(mut group: Group<'a>, source: &'a Source, places: &[Labelled<'a>]) -> Group<'a> {
    let ranges: Vec<TextRange> = places.iter().map(|(range, _)| *range).collect();
    for excerpt in excerpts(&source.text, &ranges) {
        group = match excerpt {
            Excerpt::Lines { first_line, text, places: shown } => {
                let annotations = shown.into_iter().map(|(index, place)| annotation(places[index].1, place));
                let snippet = Snippet::source(text).line_start(first_line as usize + 1).path(source.name.as_str());
                group.element(snippet.annotations(annotations))
            }
            Excerpt::Near { place, text } => {
                let at = source.text.position(ranges[place].start(), Encoding::Utf32);
                let origin = Origin::path(source.name.as_str());
                let origin = origin.line(at.line as usize + 1).char_column(at.column as usize + 1);
                group.element(origin).element(Level::NOTE.message(format!("this is near `{text}` in a very long line")))
            }
        };
    }
    group
}

fn annotation(label: Option<&str>, place: Range<usize>) -> Annotation<'_> {
    match label {
        None => AnnotationKind::Primary.span(place),
        Some(label) => AnnotationKind::Context.span(place).label(label),
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
