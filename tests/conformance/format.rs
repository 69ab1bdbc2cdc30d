//! Whether the formatter keeps its promises on every P file of a checkout: only white space changes, the tree stays, twice is once.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use lockstep_format::{Braces, Options, Width};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::formats;

use crate::parse::p_files;

const LEGEND: &str = "\
kept       the tree is the same, twice is once, and what is broken has not changed: in the usual style and in a narrow one
as it is   of those: nothing changes in the usual style
broken     files with syntax errors, of which the sound parts are laid out
";

#[derive(Default)]
struct Score {
    total: u32,
    kept: u32,
    unchanged: u32,
    broken: u32,
}

pub(crate) fn run(repository: &Path) -> ExitCode {
    // A violation is told below, with its file.
    panic::set_hook(Box::new(|_| {}));
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut violations = Vec::new();
    for path in p_files(repository) {
        let name = path.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/");
        let score = scores.entry(name.split('/').take(2).collect::<Vec<_>>().join("/")).or_default();
        score.total += 1;
        match judge(&path) {
            Ok((is_unchanged, is_broken)) => {
                score.kept += 1;
                score.unchanged += u32::from(is_unchanged);
                score.broken += u32::from(is_broken);
            }
            Err(why) => violations.push(format!("{name}: {why}")),
        }
    }
    println!("{LEGEND}");
    println!("{:<44} {:>12} {:>9} {:>7}", "folder", "kept/total", "as it is", "broken");
    let mut all = Score::default();
    for (folder, score) in &scores {
        print_score(folder, score);
        all.total += score.total;
        all.kept += score.kept;
        all.unchanged += score.unchanged;
        all.broken += score.broken;
    }
    print_score("all", &all);
    for violation in &violations {
        println!("{violation}");
    }
    if violations.is_empty() && all.total > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_score(folder: &str, score: &Score) {
    let kept = format!("{}/{}", score.kept, score.total);
    println!("{folder:<44} {kept:>12} {:>9} {:>7}", score.unchanged, score.broken);
}

/// Whether the file stays as it is, and whether it has syntax errors; or what does not hold.
fn judge(path: &Path) -> Result<(bool, bool), String> {
    let text = fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()).ok_or("not a readable text")?;
    let narrow = Options { width: Width::new(50), braces: Some(Braces::NextLine), ..Options::default() };
    let checked = panic::catch_unwind(AssertUnwindSafe(|| {
        formats(Language::P, &text, &narrow);
        formats(Language::P, &text, &Options::default()).is_unchanged
    }));
    let is_unchanged = checked.map_err(|panic| match panic.downcast_ref::<String>() {
        Some(why) => why.clone(),
        None => "it ends in a panic".to_owned(),
    })?;
    Ok((is_unchanged, !Parse::new(Language::P, text.as_str()).is_well_formed()))
}
