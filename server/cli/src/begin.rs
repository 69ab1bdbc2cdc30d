//! `lockstep new` and `lockstep samples`: folders with programs in them, out of what is built into this binary.
//!
//! Nothing that is there is ever changed: a folder is made whole, from a name of its own that becomes the right one last, or not at all.

pub(crate) mod args;
mod folder;
mod samples;
mod templates;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::json;

use self::args::{NewArgs, SamplesArgs};
use self::folder::{File, make};
use self::samples::{SAMPLES, Sample};
use crate::Outcome;
use crate::output::{Output, Terminal, write_all};

pub(crate) fn new(args: &NewArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let name = args.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name)?;
    let files = templates::files(args.template, name);
    make(&args.path, &files)?;
    let steps: Vec<String> = templates::steps(args.template).iter().map(|step| step.replace("NAME", name)).collect();
    write_all(terminal.stdout(), |output| told(output, &format!("made `{name}`"), &args.path, &files, &steps))?;
    Ok(Outcome::Clean)
}

pub(crate) fn samples(args: &SamplesArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let Some(name) = &args.name else {
        list(args, terminal)?;
        return Ok(Outcome::Clean);
    };
    let sample = known(name)?;
    let parent = args.to.as_deref().unwrap_or(Path::new(""));
    ensure!(parent.as_os_str().is_empty() || parent.is_dir(), "there is no folder `{}`", parent.display());
    let path = parent.join(sample.name);
    let files = sample.files()?;
    make(&path, &files)?;
    let steps: Vec<String> = sample.steps.iter().map(|&step| step.to_owned()).collect();
    write_all(terminal.stdout(), |output| told(output, &format!("copied `{}`", sample.name), &path, &files, &steps))?;
    Ok(Outcome::Clean)
}

fn list(args: &SamplesArgs, terminal: Terminal) -> anyhow::Result<()> {
    if args.json {
        let samples: Vec<_> = SAMPLES.iter().map(|sample| json!({ "name": sample.name, "title": sample.title })).collect();
        let text = serde_json::to_string_pretty(&json!({ "version": 1, "samples": samples })).context("JSON")?;
        return Ok(write_all(terminal.stdout(), |output| writeln!(output, "{text}"))?);
    }
    let listed = write_all(terminal.stdout(), |output| {
        for Sample { name, title, .. } in &SAMPLES {
            writeln!(output, "{name:<18} {title}")?;
        }
        writeln!(output, "\n`lockstep samples NAME` copies one into a folder of that name")
    });
    Ok(listed?)
}

fn known(name: &str) -> anyhow::Result<&'static Sample> {
    if let Some(sample) = SAMPLES.iter().find(|sample| sample.name == name) {
        return Ok(sample);
    }
    let likeness = |sample: &&Sample| (strsim::jaro_winkler(sample.name, name) * 1000.0) as u32;
    match SAMPLES.iter().max_by_key(likeness).filter(|sample| likeness(sample) > 800) {
        Some(near) => bail!("there is no sample `{name}`; did you mean `{}`?", near.name),
        None => bail!("there is no sample `{name}`; `lockstep samples` lists them"),
    }
}

/// What was made, and what can be done with it.
fn told(output: &mut Output, done: &str, path: &Path, files: &[File], steps: &[String]) -> std::io::Result<()> {
    let count = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    writeln!(output, "{done}: {count} in {}\n\nnext:\n  cd {}", path.display(), quoted(path))?;
    steps.iter().try_for_each(|step| writeln!(output, "  {step}"))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "/\\._-:".contains(c));
    if is_plain { text } else { format!("\"{text}\"") }
}

/// P calls the project by it: a letter or `_`, then letters, digits and `_`.
fn check_name(name: &str) -> anyhow::Result<()> {
    ensure!(!name.is_empty(), "a project needs a name: `lockstep new NAME`");
    let fits = |(at, c): (usize, char)| c == '_' || c.is_ascii_alphabetic() || (at > 0 && c.is_ascii_digit());
    if name.char_indices().all(fits) {
        return Ok(());
    }
    let mended: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let digit = mended.starts_with(|c: char| c.is_ascii_digit());
    let mended = if digit { format!("_{mended}") } else { mended };
    let suggestion =
        if mended.contains(|c: char| c.is_ascii_alphanumeric()) { format!("; `{mended}` would do") } else { String::new() };
    bail!("`{name}` cannot be the name of a project: P wants a letter or `_`, then letters, digits and `_`{suggestion}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_p_takes() {
        for name in ["Lease", "_x", "a1_b"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for (name, mended) in [("my-app", "`my_app` would do"), ("2pc", "`_2pc` would do"), ("a b", "`a_b` would do")] {
            assert!(check_name(name).unwrap_err().to_string().contains(mended), "{name}");
        }
        assert!(!check_name("é").unwrap_err().to_string().contains("would do"));
        assert!(check_name("").is_err());
    }
}
