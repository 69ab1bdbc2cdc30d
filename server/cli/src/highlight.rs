//! `lockstep highlight`: a source text in the colours of the grammar's queries.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::{Language, highlight};
use lockstep_workspace::Checked;

use crate::Outcome;
use crate::args::FileArgs;
use crate::output::{Output, Terminal, write_all};
use crate::parse::{read, tell};

pub(crate) fn run(args: &FileArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let (source, language) = read(args)?;
    if let Some(diagnostic) = source.not_utf8.clone() {
        tell(&Checked { source, diagnostics: vec![diagnostic] }, terminal)?;
        return Ok(Outcome::Findings);
    }
    write_all(terminal.stdout(), |output| write(output, language, &source.text.to_string()))?;
    Ok(Outcome::Clean)
}

fn write(output: &mut Output, language: Language, text: &str) -> io::Result<()> {
    if !output.is_styled() {
        return output.write_all(text.as_bytes());
    }
    write_code(output, Some(language), text, "")
}

/// A text with each line moved to the right, coloured where colours are wanted and the language is known.
pub(crate) fn write_code(output: &mut Output, language: Option<Language>, text: &str, indent: &str) -> io::Result<()> {
    let highlights = language.filter(|_| output.is_styled()).map_or(Vec::new(), |language| highlight(language, text));
    let mut end = TextSize::default();
    let mut writer = Lines { output, indent, is_fresh: true };
    for highlight in highlights {
        writer.write(Style::new(), &text[TextRange::new(end, highlight.range.start())])?;
        writer.write(style(highlight.name), &text[highlight.range])?;
        end = highlight.range.end();
    }
    writer.write(Style::new(), &text[usize::from(end)..])
}

/// Writes line by line, so that a pager which shows only some lines still colours them.
struct Lines<'o> {
    output: &'o mut Output,
    indent: &'o str,
    /// Whether nothing of the line has been written.
    is_fresh: bool,
}

impl Lines<'_> {
    fn write(&mut self, style: Style, text: &str) -> io::Result<()> {
        let style = self.output.style(style);
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\r', '\n']);
            if self.is_fresh && !content.is_empty() {
                self.output.write_all(self.indent.as_bytes())?;
            }
            write!(self.output, "{style}{}{style:#}{}", visible(content), &line[content.len()..])?;
            self.is_fresh = line.ends_with('\n');
        }
        Ok(())
    }
}

/// Control characters as pictures: a source text must not command the terminal.
fn visible(text: &str) -> String {
    let picture = |character| match character {
        '\t' => '\t',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('?'),
        '\x7f' => '\u{2421}',
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    text.chars().map(picture).collect()
}

/// The style of the longest known prefix of a highlight name: `type.builtin`, else `type`.
fn style(name: &str) -> Style {
    let mut name = name;
    loop {
        if let Some(style) = exact_style(name) {
            return style;
        }
        match name.rsplit_once('.') {
            Some((parent, _)) => name = parent,
            None => return Style::new(),
        }
    }
}

fn exact_style(name: &str) -> Option<Style> {
    let color = |color: AnsiColor| Some(color.on_default());
    match name {
        "keyword" => color(AnsiColor::Magenta),
        "type" | "module" | "namespace" => color(AnsiColor::Cyan),
        "function" => color(AnsiColor::Blue),
        "constant" | "number" | "boolean" => color(AnsiColor::Yellow),
        "string" => color(AnsiColor::Green),
        "comment" => color(AnsiColor::BrightBlack),
        "label" => Some(AnsiColor::Blue.on_default().bold()),
        "property" => color(AnsiColor::BrightBlue),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_style_of_its_kind() {
        assert_eq!(style("keyword.control.repeat"), AnsiColor::Magenta.on_default());
        assert_eq!(style("punctuation.bracket"), Style::new());
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(visible("a\t\x1b[2J\u{9b}é"), "a\t␛[2J\u{fffd}é");
    }
}
