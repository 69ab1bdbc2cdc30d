//! `lockstep fmt`: files laid out.

pub(crate) mod args;
pub(crate) mod diff;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use lockstep_base::Edit;
use lockstep_format::format;
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::{Layout, STDIN, Source, format_options, is_stdin, name, read_all, read_disk, why_unreadable};

use self::args::FmtArgs;
use crate::Outcome;
use crate::output::{Terminal, write_all};
use crate::parse::no_language;

/// How many files there were of each kind.
#[derive(Default)]
struct Counts {
    changed: usize,
    unchanged: usize,
    broken: usize,
    failed: usize,
}

pub(crate) fn run(args: &FmtArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let (stdin, mut paths): (Vec<PathBuf>, Vec<PathBuf>) = args.paths.iter().cloned().partition(|path| is_stdin(path));
    if !stdin.is_empty() {
        if !paths.is_empty() {
            bail!("standard input is laid out alone: give `-` or files, not both");
        }
        let language = args.language.ok_or_else(no_language)?;
        return standard_input(args, language.into(), terminal);
    }
    if args.language.is_some() {
        bail!("--language is about standard input: add the path `-`");
    }
    if paths.is_empty() {
        paths.push(".".into());
    }
    let layout = Layout::of(&paths, &read_disk);
    let mut counts = Counts::default();
    for failure in &layout.failures {
        terminal.error(&failure.message);
        counts.failed += 1;
    }
    let mut told = String::new();
    for file in layout.files.iter().filter(|file| file.is_asked) {
        if let Err(error) = one_file(args, &file.path, &file.name, file.language, terminal, &mut counts) {
            let message = format!("{error:#}");
            // What is wrong with one `lockstep.toml` is the same for all files below it.
            if message != told {
                terminal.error(&message);
            }
            told = message;
            counts.failed += 1;
        }
    }
    if !args.quiet {
        write_all(terminal.stdout(), |output| writeln!(output, "{}", summary(args, &counts)))?;
    }
    Ok(outcome(args, &counts))
}

/// What a command could not do at all outweighs what it found.
fn outcome(args: &FmtArgs, counts: &Counts) -> Outcome {
    match counts {
        Counts { failed: 1.., .. } => Outcome::Failed,
        Counts { changed: 1.., .. } if args.check => Outcome::Findings,
        _ => Outcome::Clean,
    }
}

fn summary(args: &FmtArgs, counts: &Counts) -> String {
    let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let would = args.check || args.diff;
    let verb = if would { "would change" } else { "formatted" };
    let mut parts = vec![format!("{} {verb}", files(counts.changed)), format!("{} unchanged", counts.unchanged)];
    if counts.broken > 0 {
        parts.push(format!("{} with syntax errors", counts.broken));
    }
    if counts.failed > 0 {
        parts.push(format!("{} failed", counts.failed));
    }
    parts.join(", ")
}

fn one_file(
    args: &FmtArgs,
    path: &Path,
    shown: &str,
    language: Language,
    terminal: Terminal,
    counts: &mut Counts,
) -> anyhow::Result<()> {
    let bytes = read_disk(path).map_err(|error| anyhow!(why_unreadable(shown, &error)))?;
    let source = Source::from_bytes(bytes, shown.to_owned());
    let (parse, edits) = edits_of(&source, language, path)?;
    if tell_broken(&parse, shown, terminal) {
        counts.broken += 1;
    }
    if edits.is_empty() {
        counts.unchanged += 1;
        return Ok(());
    }
    if args.diff {
        write_all(terminal.stdout(), |output| diff::write(output, shown, &source.text, &edits))?;
    }
    if !args.check && !args.diff {
        replace(path, shown, &with_edits(&source, &edits))?;
    }
    if !args.quiet && !args.diff {
        let verb = if args.check { "would change" } else { "formatted" };
        write_all(terminal.stdout(), |output| writeln!(output, "{verb} {shown}"))?;
    }
    counts.changed += 1;
    Ok(())
}

fn standard_input(args: &FmtArgs, language: Language, terminal: Terminal) -> anyhow::Result<Outcome> {
    let bytes = read_all(io::stdin().lock(), 0).map_err(|error| anyhow!(why_unreadable(STDIN, &error)))?;
    let source = Source::from_bytes(bytes, STDIN.to_owned());
    let (parse, edits) = edits_of(&source, language, Path::new(STDIN))?;
    tell_broken(&parse, STDIN, terminal);
    if args.diff {
        if !edits.is_empty() {
            write_all(terminal.stdout(), |output| diff::write(output, STDIN, &source.text, &edits))?;
        }
    } else if !args.check {
        write_all(terminal.stdout(), |output| output.write_all(&with_edits(&source, &edits)))?;
    }
    Ok(if args.check && !edits.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

fn edits_of(source: &Source, language: Language, path: &Path) -> anyhow::Result<(Parse, Vec<Edit>)> {
    if let Some(why) = &source.not_utf8 {
        bail!("`{}` stays as it is: {}", source.name, why.message);
    }
    let options = format_options(path, &read_disk).map_err(|why| anyhow!(why))?;
    let parse = Parse::new(language, source.text.clone());
    let edits = format(&parse, &options, None);
    Ok((parse, edits))
}

/// Says which lines are left alone because of syntax errors; whether there are any.
fn tell_broken(parse: &Parse, shown: &str, terminal: Terminal) -> bool {
    let mut is_broken = false;
    for part in parse.parts().filter(|part| !part.is_sound) {
        let text = parse.text();
        let first = text.line_of(part.range.start()) + 1;
        let end = part.text.trim_end().len();
        let last = text.line_of(part.start() + lockstep_base::TextSize::try_from(end).unwrap_or_default()) + 1;
        let lines =
            if first == last { "this line stays as it is".to_owned() } else { format!("up to line {last} all stays as it is") };
        terminal.note(&format!("{shown}:{first}: {lines}, because of a syntax error there"));
        is_broken = true;
    }
    is_broken
}

/// The bytes of the file after the edits, with the byte order mark it had.
fn with_edits(source: &Source, edits: &[Edit]) -> Vec<u8> {
    let text = source.text.to_string();
    let mut bytes: Vec<u8> = if source.bom > 0 { "\u{feff}".into() } else { Vec::new() };
    let mut end = 0;
    for edit in edits {
        bytes.extend_from_slice(&text.as_bytes()[end..usize::from(edit.range.start())]);
        bytes.extend_from_slice(edit.insert.as_bytes());
        end = usize::from(edit.range.end());
    }
    bytes.extend_from_slice(&text.as_bytes()[end..]);
    bytes
}

/// Replaces a file as a whole: whoever reads it meanwhile sees the old or the new text, and so does everybody if this is interrupted.
pub(crate) fn replace(path: &Path, shown: &str, content: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write `{shown}`");
    // What a link leads to is replaced, not the link.
    let path = fs::canonicalize(path).with_context(context)?;
    let permissions = fs::metadata(&path).with_context(context)?.permissions();
    if permissions.readonly() {
        bail!("cannot write `{shown}`: it is read-only");
    }
    let folder = path.parent().ok_or_else(|| anyhow!("`{}` has no folder", name(&path)))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    file.write_all(content).with_context(context)?;
    fs::set_permissions(file.path(), permissions).with_context(context)?;
    file.persist(&path).with_context(context)?;
    Ok(())
}
