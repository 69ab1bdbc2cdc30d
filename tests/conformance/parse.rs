//! Which files of P's suite parse: all but those that its own grammar rejects.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lockstep_syntax::{Language, Parse, codes};

/// Tests under a `StaticError` folder that fail in the lexer or parser; a trailing `*` stands for any ending. All other tests
/// there are well-formed and fail later.
const SYNTAX_ERRORS: [&str; 18] = [
    "ControlImpure*",
    "PopInExitFun",
    "DeferredNullEvent",
    "IgnoredNullEvent",
    "EntryNamedFunction1",
    "LexerError1",
    "LexerError2",
    "NullEventDecl",
    "Partial",
    "StartMachineNullParam",
    "LinearBugRepro1",
    "linear",
    "linear3",
    "linear4",
    "lvalues",
    "fields",
    "nonAtomicDataTypes",
    "string2",
];

/// Files outside the regression tests that the real grammar rejects.
const OLD_SYNTAX: [&str; 1] = ["Tst/PortfolioTests/TokenRing/TokenRing.p"];

const FOLDERS: [&str; 3] = ["Tst/RegressionTests", "Tst/PortfolioTests", "Tutorial"];

#[derive(Default)]
struct Score {
    agreed: u32,
    total: u32,
    rejected: u32,
    reserved_names: u32,
}

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for folder in FOLDERS {
        for path in p_files(&repository.join(folder)) {
            let name = path.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/");
            judge(&name, &path, scores.entry(group(&name)).or_default(), &mut disagreements);
        }
    }
    println!("{:<52} {:>14} {:>9} {:>15}", "folder", "agreed/total", "rejected", "reserved names");
    let mut all = Score::default();
    for (folder, score) in &scores {
        print_score(folder, score);
        all.agreed += score.agreed;
        all.total += score.total;
        all.rejected += score.rejected;
        all.reserved_names += score.reserved_names;
    }
    print_score("all", &all);
    for disagreement in &disagreements {
        println!("{disagreement}");
    }
    if disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_score(folder: &str, score: &Score) {
    let agreed = format!("{}/{}", score.agreed, score.total);
    println!("{folder:<52} {agreed:>14} {:>9} {:>15}", score.rejected, score.reserved_names);
}

fn judge(name: &str, path: &Path, score: &mut Score, disagreements: &mut Vec<String>) {
    let parse = match fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => Parse::new(Language::P, text.as_str()),
        _ => {
            disagreements.push(format!("{name}: not a readable text"));
            return;
        }
    };
    let accepted = parse.is_well_formed();
    let expected = !rejected_by_p(name);
    score.total += 1;
    score.rejected += u32::from(!accepted);
    score.reserved_names += u32::from(parse.errors().iter().any(|error| error.code == codes::RESERVED_NAME));
    if accepted == expected {
        score.agreed += 1;
        return;
    }
    let ours = parse.errors().first().map_or("nothing wrong", |error| error.message.as_str());
    disagreements.push(format!("{name}: P {} it, Lockstep says: {ours}", if expected { "accepts" } else { "rejects" }));
}

/// `Tst/RegressionTests/Combined/StaticError` or `Tutorial/5_Paxos`: enough to see where agreement is missing.
fn group(name: &str) -> String {
    let depth = if name.starts_with("Tst/RegressionTests") { 4 } else { 2 };
    name.split('/').take(depth).collect::<Vec<_>>().join("/")
}

fn rejected_by_p(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let in_static_error = parts.iter().position(|part| *part == "StaticError");
    let Some(test) = in_static_error.and_then(|at| parts.get(at + 1)) else {
        return OLD_SYNTAX.contains(&name);
    };
    let matches = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => test.starts_with(prefix),
        None => *test == pattern,
    };
    SYNTAX_ERRORS.into_iter().any(matches)
}

/// All `.p` files below `folder` in order, without hidden ones.
fn p_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if is_hidden {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if Language::of_path(&path) == Some(Language::P) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
