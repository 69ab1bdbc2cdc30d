//! `cargo xtask fuzz`: random texts against one fuzz target until time is up. Stops at the first finding, with the seed that
//! gives it again.

#![allow(clippy::print_stdout)]

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lockstep_base::Edit;
use lockstep_format::{Braces, Options, Width};
use lockstep_program::Purpose;
use lockstep_syntax::Language;
use lockstep_tests::{Texts, checks_like_fresh, edits_like_fresh, formats, inject_comments, parses};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, seconds, seed] = arguments.as_slice() else {
        println!("usage: fuzz p|icet|incremental|static|format SECONDS SEED");
        return ExitCode::from(2);
    };
    let (Ok(seconds), Ok(first)) = (seconds.parse(), seed.parse::<u64>()) else {
        println!("SECONDS and SEED are numbers");
        return ExitCode::from(2);
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = first;
    while Instant::now() < end {
        if panic::catch_unwind(AssertUnwindSafe(|| run(target, seed))).is_err() {
            println!("fuzz {target}: a finding; again with `cargo xtask fuzz {target} --seconds 1 --seed {seed}`");
            return ExitCode::FAILURE;
        }
        seed += 1;
    }
    println!("fuzz {target}: {} texts in {seconds} s, no finding", seed - first);
    ExitCode::SUCCESS
}

fn run(target: &str, seed: u64) {
    let mut texts = Texts::new(seed);
    match target {
        "p" => parses(Language::P, &texts.text(Language::P)),
        "icet" => parses(Language::Icet, &texts.text(Language::Icet)),
        "static" => {
            let mut edited: Vec<String> = (0..1 + texts.below(3)).map(|_| texts.program(Language::P)).collect();
            let project = edited.clone();
            let steps: Vec<Vec<(usize, Edit)>> = (0..12)
                .map(|_| {
                    let count = 1 + texts.below(3);
                    (0..count)
                        .map(|_| {
                            let file = texts.below(edited.len());
                            (file, make_edit(&mut texts, &mut edited[file], STATIC_EDITS))
                        })
                        .collect()
                })
                .collect();
            let purpose = if texts.below(2) == 0 { Purpose::Checking } else { Purpose::Verifying };
            checks_like_fresh(purpose, &project, &steps);
        }
        "format" => {
            let language = if texts.below(2) == 0 { Language::P } else { Language::Icet };
            let text = if texts.below(3) == 0 { texts.text(language) } else { texts.program(language) };
            let share = [0, 1, 1, 30][texts.below(4)];
            let text = if share == 0 { text } else { inject_comments(&text, share, |bound| texts.below(bound)) };
            let text = if texts.below(4) == 0 { text.replace('\n', "\r\n") } else { text };
            let width = u32::try_from(40 + texts.below(100)).ok().and_then(Width::new);
            let braces = if texts.below(2) == 0 { Some(Braces::NextLine) } else { None };
            formats(language, &text, &Options { width, braces, ..Options::default() });
        }
        _ => {
            let language = if texts.below(2) == 0 { Language::P } else { Language::Icet };
            let text = if texts.below(2) == 0 { texts.program(language) } else { texts.text(language) };
            let mut edited = text.clone();
            let batches: Vec<Vec<Edit>> = (0..8)
                .map(|_| {
                    let count = 1 + texts.below(4);
                    (0..count).map(|_| make_edit(&mut texts, &mut edited, &[Texts::edit])).collect()
                })
                .collect();
            edits_like_fresh(language, &text, &batches);
        }
    }
}

type MakeEdit = fn(&mut Texts, &str) -> Edit;

/// Where the text is mostly broken, there is little to check.
const STATIC_EDITS: &[MakeEdit] = &[Texts::edit, Texts::change_of_meaning, Texts::change_of_meaning, Texts::change_of_meaning];

/// Makes a random edit of `text` and returns it.
fn make_edit(texts: &mut Texts, text: &mut String, kinds: &[MakeEdit]) -> Edit {
    let kind = kinds[texts.below(kinds.len())];
    let edit = kind(texts, text);
    text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
    edit
}
