//! Static errors: P's tests under `StaticError` are rejected, all others accepted without any error; and the tests that
//! come of parameters are those P lists.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lockstep_base::Diagnostic;
use lockstep_program::{ProblemCode, Purpose};
use lockstep_syntax::Language;
use lockstep_tests::static_errors_for;

use crate::{expansion, kinds};

/// Where Lockstep differs from P on purpose; `tests/static/codes.rs` checks it.
const DIVERGENCES: &str = include_str!("divergences.md");

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut scores: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut disagreements = Vec::new();
    // Lists of tests that agree, all of them, and how many tests those list that agree.
    let mut lists = (0, 0, 0);
    let regression = tests(&repository.join("Tst/RegressionTests")).into_iter().map(|test| (p_files(&test), test));
    let tutorials = tutorials(&repository.join("Tutorial")).into_iter();
    let portfolio = portfolio(&repository.join("Tst/PortfolioTests")).into_iter();
    let proofs = verified(&repository.join("Tutorial/Advanced")).into_iter().map(|folder| (all_p_files(&folder), folder));
    let checked = regression.chain(tutorials).chain(portfolio).map(|test| (Purpose::Checking, test));
    for (purpose, (files, test)) in checked.chain(proofs.map(|test| (Purpose::Verifying, test))) {
        let name = test.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/");
        let is_old = name.contains("PortfolioTests") && OLD_MODELS.iter().any(|model| name.ends_with(model));
        let expected = name.contains("/StaticError/") || is_old;
        match expansion::compare(&test, &files) {
            Some(Ok(count)) => lists = (lists.0 + 1, lists.1 + 1, lists.2 + count),
            Some(Err(difference)) => {
                lists.1 += 1;
                disagreements.push(format!("{name}: {difference}"));
            }
            None => {}
        }
        let found = check(purpose, &files);
        let group = name.split('/').skip(usize::from(name.starts_with("Tst")) * 2).take(2).collect::<Vec<_>>().join("/");
        let score = scores.entry(group).or_default();
        score.1 += 1;
        let kinds: Vec<&str> = found.iter().map(|(_, _, error)| kind(error)).collect();
        let wanted = match name.contains("PortfolioTests") {
            true => vec!["Syntax"],
            false => kinds::expected(name.rsplit('/').next().unwrap_or_default()),
        };
        if let Some(count) = kinds::count(name.rsplit('/').next().unwrap_or_default())
            && count != found.len()
        {
            disagreements.push(format!("{name}: P reports {count} errors, Lockstep {}: {}", found.len(), kinds.join(", ")));
            continue;
        }
        if found.is_empty() && !expected {
            score.0 += 1;
        } else if expected && !found.is_empty() && !wanted.iter().any(|wanted| kinds.contains(wanted)) {
            disagreements.push(format!("{name}: P reports {}, Lockstep {}", wanted.join(" or "), kinds.join(", ")));
        } else if expected && !found.is_empty() {
            score.0 += 1;
        } else {
            let first = found.first().map_or_else(
                || "nothing wrong".to_owned(),
                |(file, line, error)| format!("{file}:{line} {} {}", error.code, error.message),
            );
            disagreements.push(format!("{name}: P {} it, Lockstep says: {first}", if expected { "rejects" } else { "accepts" }));
        }
    }
    println!("{:<44} {:>14}", "folder", "agreed/total");
    let mut all = (0, 0);
    for (group, (agreed, total)) in &scores {
        println!("{group:<44} {:>14}", format!("{agreed}/{total}"));
        all = (all.0 + agreed, all.1 + total);
    }
    println!("{:<44} {:>14}", "all", format!("{}/{}", all.0, all.1));
    println!("{:<44} {:>14}", format!("lists of tests ({} tests, in order)", lists.2), format!("{}/{}", lists.0, lists.1));
    disagreements.iter().for_each(|disagreement| println!("{disagreement}"));
    println!("\n{DIVERGENCES}");
    if disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The name P's compiler has for an error.
fn kind(error: &Diagnostic) -> &'static str {
    ProblemCode::ALL.iter().find(|code| code.number() == error.code).map_or("Syntax", |code| code.kind())
}

/// Folders whose parent is named for a verdict.
pub(crate) fn tests(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let verdict = folder
            .parent()
            .and_then(Path::file_name)
            .is_some_and(|name| ["Correct", "StaticError", "DynamicError"].iter().any(|verdict| name == *verdict));
        if verdict {
            found.push(folder);
            continue;
        }
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        open.extend(entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    found.retain(|folder| !p_files(folder).is_empty());
    found.sort();
    found
}

/// Models that the current compiler rejects: they use reserved words as names, or older syntax.
pub(crate) const OLD_MODELS: [&str; 9] = [
    "/HClock",
    "/Paxos/Paxos",
    "/Paxos/Paxos_map",
    "/Paxos/Paxos_seq",
    "/Paxos/paxosV2",
    "/Paxos/paxosV5",
    "/Paxos/paxosV5_no_requires",
    "/Streamlet",
    "/TokenRing",
];

/// Each folder with P files in it is a model; one with a project is a model with all below it.
pub(crate) fn portfolio(root: &Path) -> Vec<(Vec<PathBuf>, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let entries: Vec<PathBuf> =
            fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
        let is_project = entries.iter().any(|path| path.extension().is_some_and(|ending| ending == "pproj"));
        let files = if is_project { all_p_files(&folder) } else { p_files(&folder) };
        if !files.is_empty() {
            found.push((files, folder));
        }
        if !is_project {
            open.extend(entries.into_iter().filter(|path| path.is_dir()));
        }
    }
    found.sort();
    found
}

/// The tutorial's projects with their files, those of included projects too. The advanced ones are for the verifier.
pub(crate) fn tutorials(root: &Path) -> Vec<(Vec<PathBuf>, PathBuf)> {
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    folders.sort();
    let mut found = Vec::new();
    for folder in folders.into_iter().filter(|folder| !folder.ends_with("Advanced")) {
        let projects = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        for project in projects.filter(|path| path.extension().is_some_and(|ending| ending == "pproj")) {
            let text = fs::read_to_string(&project).unwrap_or_default();
            let mut files = all_p_files(&folder);
            for include in text.split("<IncludeProject>").skip(1).filter_map(|rest| rest.split("</IncludeProject>").next()) {
                files.extend(folder.join(include.trim()).parent().map(all_p_files).unwrap_or_default());
            }
            found.push((files, folder.clone()));
        }
    }
    found
}

/// Folders with a project for the verifier.
fn verified(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
        let is_for_verifier = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "pproj")
                && fs::read_to_string(path).is_ok_and(|text| text.contains("<Target>PVerifier</Target>"))
        };
        if files.iter().any(is_for_verifier) {
            found.push(folder);
        }
        open.extend(folders);
    }
    found.sort();
    found
}

/// The P files of a folder and of those below it.
fn all_p_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = p_files(folder);
    let below = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
    below.sort();
    files.extend(below.iter().flat_map(|folder| all_p_files(folder)));
    files
}

pub(crate) fn p_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| Language::of_path(path) == Some(Language::P))
        .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
        .collect();
    files.sort();
    files
}

fn check(purpose: Purpose, paths: &[PathBuf]) -> Vec<(String, u32, Diagnostic)> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    static_errors_for(purpose, paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap_or_default())))
}
