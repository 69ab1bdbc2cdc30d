//! Which files of P's suite parse: all but those that its own grammar rejects.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lockstep_syntax::{Language, Parse, codes};

use crate::kinds::SYNTAX_ERRORS;

/// Files outside the regression tests that the real grammar rejects.
const OLD_SYNTAX: [&str; 1] = ["Tst/PortfolioTests/TokenRing/TokenRing.p"];

/// Files that P rejects only because they use words of its proof language as names.
const RESERVED_NAMES: [&str; 8] = [
    "Tst/PortfolioTests/HClock/HLC.p",
    "Tst/PortfolioTests/Paxos/Paxos/Paxos.p",
    "Tst/PortfolioTests/Paxos/Paxos_map/Paxos_map.p",
    "Tst/PortfolioTests/Paxos/Paxos_seq/Paxos_seq.p",
    "Tst/PortfolioTests/Paxos/paxosV2/PaxosV2.p",
    "Tst/PortfolioTests/Paxos/paxosV5/PaxosV5.p",
    "Tst/PortfolioTests/Paxos/paxosV5_no_requires/PaxosV5.p",
    "Tst/PortfolioTests/Streamlet/str0.p",
];

const FOLDERS: [&str; 3] = ["Tst/RegressionTests", "Tst/PortfolioTests", "Tutorial"];

const LEGEND: &str = "\
agreed          P and Lockstep both accept the file, or both reject it for the same kind of reason
rejected        Lockstep reports at least one error
reserved names  of those: files with LS0005 and no other error
";

/// What is wrong with a file's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    /// Names that P reserves (LS0005), and nothing else.
    ReservedNames,
    SyntaxErrors,
}

impl Verdict {
    fn of(parse: &Parse) -> Self {
        match parse.errors() {
            [] => Self::Accepted,
            errors if errors.iter().all(|error| error.code == codes::RESERVED_NAME) => Self::ReservedNames,
            _ => Self::SyntaxErrors,
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::Accepted => "accepts it",
            Self::ReservedNames => "rejects its reserved names only",
            Self::SyntaxErrors => "rejects its syntax",
        }
    }
}

#[derive(Default)]
struct Score {
    agreed: u32,
    total: u32,
    rejected: u32,
    reserved_names: u32,
}

#[derive(Default)]
struct Run {
    scores: BTreeMap<String, Score>,
    /// Rightly rejected files, by the entry of the lists above that names them.
    rejected: BTreeMap<&'static str, u32>,
    disagreements: Vec<String>,
}

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut run = Run::default();
    for folder in FOLDERS {
        for path in p_files(&repository.join(folder)) {
            let name = path.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/");
            run.judge(&name, &path);
        }
    }
    println!("{LEGEND}");
    println!("{:<54} {:>14} {:>9} {:>15}", "folder", "agreed/total", "rejected", "reserved names");
    let mut all = Score::default();
    for (folder, score) in &run.scores {
        print_score(folder, score);
        all.agreed += score.agreed;
        all.total += score.total;
        all.rejected += score.rejected;
        all.reserved_names += score.reserved_names;
    }
    print_score("all", &all);
    println!();
    for (list, what) in [
        (&SYNTAX_ERRORS[..], "syntax errors of StaticError rejected"),
        (&OLD_SYNTAX, "model in older syntax rejected"),
        (&RESERVED_NAMES, "models rejected for reserved names only"),
    ] {
        println!("{} {what}", list.iter().filter_map(|entry| run.rejected.get(entry)).sum::<u32>());
        let unmet = list.iter().filter(|entry| !run.rejected.contains_key(*entry));
        run.disagreements
            .extend(unmet.map(|entry| format!("{entry}: listed as rejected, but no such file was met and rejected")));
    }
    for disagreement in &run.disagreements {
        println!("{disagreement}");
    }
    if run.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_score(folder: &str, score: &Score) {
    let agreed = format!("{}/{}", score.agreed, score.total);
    println!("{folder:<54} {agreed:>14} {:>9} {:>15}", score.rejected, score.reserved_names);
}

impl Run {
    fn judge(&mut self, name: &str, path: &Path) {
        let score = self.scores.entry(group(name)).or_default();
        score.total += 1;
        let Ok(Ok(text)) = fs::read(path).map(String::from_utf8) else {
            self.disagreements.push(format!("{name}: not a readable text"));
            return;
        };
        let parse = Parse::new(Language::P, text.as_str());
        let ours = Verdict::of(&parse);
        let listed = rejected_by_p(name);
        let expected = listed.map_or(Verdict::Accepted, |(verdict, _)| verdict);
        score.rejected += u32::from(ours != Verdict::Accepted);
        score.reserved_names += u32::from(ours == Verdict::ReservedNames);
        if ours == expected {
            score.agreed += 1;
            if let Some((_, entry)) = listed {
                *self.rejected.entry(entry).or_default() += 1;
            }
            return;
        }
        let first = parse.errors().first().map_or(String::new(), |error| format!(": {}", error.message));
        self.disagreements.push(format!("{name}: P {}, Lockstep {}{first}", expected.says(), ours.says()));
    }
}

/// `Tst/RegressionTests/Combined/StaticError` or `Tutorial/5_Paxos`: enough to see where agreement is missing.
fn group(name: &str) -> String {
    let depth = if name.starts_with("Tst/RegressionTests") { 4 } else { 2 };
    name.split('/').take(depth).collect::<Vec<_>>().join("/")
}

/// How P rejects the file, if it does, and which entry of the lists says so.
fn rejected_by_p(name: &str) -> Option<(Verdict, &'static str)> {
    let parts: Vec<&str> = name.split('/').collect();
    let in_static_error = parts.iter().position(|part| *part == "StaticError");
    let Some(test) = in_static_error.and_then(|at| parts.get(at + 1)) else {
        let entry = |list: &'static [&'static str]| list.iter().find(|entry| **entry == name);
        let old = entry(&OLD_SYNTAX).map(|entry| (Verdict::SyntaxErrors, *entry));
        return old.or_else(|| entry(&RESERVED_NAMES).map(|entry| (Verdict::ReservedNames, *entry)));
    };
    let matches = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => test.starts_with(prefix),
        None => *test == pattern,
    };
    let entry = SYNTAX_ERRORS.iter().find(|pattern| matches(pattern))?;
    Some((Verdict::SyntaxErrors, *entry))
}

/// All `.p` files below `folder` in order, without hidden ones.
pub(crate) fn p_files(folder: &Path) -> Vec<PathBuf> {
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
