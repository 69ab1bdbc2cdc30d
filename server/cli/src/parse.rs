//! `lockstep parse`: the syntax tree of one text.

use std::io::{self, Write};

use anyhow::anyhow;
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::{Checked, STDIN, Source, is_stdin, language_of, name, read_all, read_disk, why_unreadable};

use crate::Outcome;
use crate::args::{FileArgs, ParseArgs};
use crate::human::Snippets;
use crate::output::{Terminal, write_all};
use crate::report::Sources;
use crate::tree;

pub(crate) fn run(args: &ParseArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let (source, language) = read(&args.input)?;
    if let Some(diagnostic) = source.not_utf8.clone() {
        tell(&Checked { source, diagnostics: vec![diagnostic] }, terminal)?;
        return Ok(Outcome::Findings);
    }
    let parse = Parse::new(language, source.text.clone());
    write_all(terminal.stdout(), |output| {
        if args.json { tree::write_json(output, &source, &parse) } else { tree::write_outline(output, &parse) }
    })?;
    let checked = Checked { source, diagnostics: parse.errors().to_vec() };
    tell(&checked, terminal)?;
    Ok(if checked.diagnostics.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// The text and language of the file or of standard input.
pub(crate) fn read(args: &FileArgs) -> anyhow::Result<(Source, Language)> {
    let language = args.language.map(Language::from);
    if is_stdin(&args.file) {
        let language = language.ok_or_else(no_language)?;
        return Ok((source(STDIN, read_all(io::stdin().lock(), 0))?, language));
    }
    let shown = name(&args.file);
    let unknown = || anyhow!("`{shown}` is neither a .p nor an .icet file: say --language p or icet");
    // A file that cannot be read is the more important news.
    let source = source(&shown, read_disk(&args.file))?;
    Ok((source, language.or_else(|| language_of(&args.file)).ok_or_else(unknown)?))
}

fn source(name: &str, bytes: io::Result<Vec<u8>>) -> anyhow::Result<Source> {
    let bytes = bytes.map_err(|error| anyhow!(why_unreadable(name, &error)))?;
    Ok(Source::from_bytes(bytes, name.to_owned()))
}

pub(crate) fn no_language() -> anyhow::Error {
    anyhow!("the text comes from standard input: say --language p or icet")
}

/// Findings beside the actual output go to standard error.
pub(crate) fn tell(checked: &Checked, terminal: Terminal) -> io::Result<()> {
    write_all(terminal.stderr(), |output| {
        let sources = Sources::default();
        let snippets = Snippets::new(&checked.source, &sources, output.is_styled());
        checked.diagnostics.iter().try_for_each(|diagnostic| writeln!(output, "{}\n", snippets.render(diagnostic)))
    })
}
