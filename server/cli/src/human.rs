//! Findings as source snippets for people.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lockstep_base::{Diagnostic, Encoding, Severity, Text};

use crate::excerpt::{Excerpt, excerpts};
use crate::source::Source;

/// Renders the findings of one text.
pub(crate) struct Snippets<'s> {
    source: &'s Source,
    text: Text,
    renderer: Renderer,
}

impl<'s> Snippets<'s> {
    pub(crate) fn new(source: &'s Source, styled: bool) -> Self {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        Self { source, text: Text::from(source.text.as_str()), renderer }
    }

    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
        let mut places = vec![diagnostic.range];
        places.extend(diagnostic.related.iter().map(|related| related.range));
        for excerpt in excerpts(&self.text, &places) {
            group = match excerpt {
                Excerpt::Lines { first_line, text, places } => {
                    let annotations = places.into_iter().map(|(index, place)| annotation(diagnostic, index, place));
                    let snippet = Snippet::source(text).line_start(first_line as usize + 1).path(self.source.name.as_str());
                    group.element(snippet.annotations(annotations))
                }
                Excerpt::Near { place, text } => {
                    let at = self.text.position(places[place].start(), Encoding::Utf32);
                    let origin = Origin::path(self.source.name.as_str());
                    let origin = origin.line(at.line as usize + 1).char_column(at.column as usize + 1);
                    group.element(origin).element(Level::NOTE.message(format!("this is near `{text}` in a very long line")))
                }
            };
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        self.renderer.render(&[group])
    }
}

fn annotation(diagnostic: &Diagnostic, index: usize, place: Range<usize>) -> Annotation<'_> {
    match index.checked_sub(1) {
        None => AnnotationKind::Primary.span(place),
        Some(related) => AnnotationKind::Context.span(place).label(diagnostic.related[related].message.as_str()),
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
