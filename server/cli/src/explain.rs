//! `lockstep explain`: what a code means.

use std::io::{self, Write};

use anstyle::Style;
use lockstep_syntax::Language;

use crate::Outcome;
use crate::args::ExplainArgs;
use crate::codes;
use crate::highlight::write_code;
use crate::output::{Output, Terminal, write_all};

/// Text is broken into lines of at most so many characters.
const WIDTH: usize = 90;

pub(crate) fn run(args: &ExplainArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let titled = args.code.as_deref().map(codes::titled).unwrap_or_default();
    match &args.code {
        Some(_) if !titled.is_empty() => write_all(terminal.stdout(), |output| {
            titled.iter().try_for_each(|(code, title)| writeln!(output, "{code}  {title}"))
        })?,
        Some(written) => {
            let code = codes::known(written)?;
            write_all(terminal.stdout(), |output| write(output, code))?;
        }
        None => write_all(terminal.stdout(), |output| {
            codes::explanations().into_iter().try_for_each(|(code, title, _)| writeln!(output, "{code}  {title}"))
        })?,
    }
    Ok(Outcome::Clean)
}

/// The explanation of a code for a terminal. Knows as much of Markdown as explanations use: headings, paragraphs, lists, code.
pub(crate) fn write(output: &mut Output, code: &str) -> io::Result<()> {
    let text = codes::explanation(code).unwrap_or_default();
    let bold = output.style(Style::new().bold());
    let mut lines = text.lines().peekable();
    let mut paragraph = String::new();
    while let Some(line) = lines.next() {
        let is_text = !line.is_empty() && !line.starts_with(['#', '`', '-', '|']);
        if is_text || line.starts_with('`') && !line.starts_with("```") {
            paragraph += if paragraph.is_empty() { "" } else { " " };
            paragraph += line.trim();
            continue;
        }
        write_paragraph(output, &std::mem::take(&mut paragraph))?;
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            write_block(output, language, &code)?;
        } else if line.starts_with('#') {
            writeln!(output, "{bold}{}{bold:#}", line.trim_start_matches('#').trim_start())?;
        } else {
            writeln!(output, "{line}")?;
        }
    }
    write_paragraph(output, &paragraph)?;
    match lockstep_ide::p::fixing(code).and_then(|fixing| fixing.fix) {
        Some(fix) => {
            writeln!(output, "\n{bold}Fix{bold:#}")?;
            write_paragraph(output, &format!("An editor offers one that {fix}."))
        }
        None => Ok(()),
    }
}

fn write_block(output: &mut Output, language: &str, lines: &[&str]) -> io::Result<()> {
    let language = match language.split(' ').next() {
        Some("p") => Some(Language::P),
        Some("icet") => Some(Language::Icet),
        _ => None,
    };
    write_code(output, language, &(lines.join("\n") + "\n"), "    ")
}

fn write_paragraph(output: &mut Output, paragraph: &str) -> io::Result<()> {
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        let space = match width {
            0 => "",
            _ if width + 1 + length > WIDTH => {
                width = 0;
                "\n"
            }
            _ => " ",
        };
        write!(output, "{space}{word}")?;
        width += length + usize::from(space == " ");
    }
    if width > 0 {
        writeln!(output)?;
    }
    Ok(())
}
