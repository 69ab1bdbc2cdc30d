//! What P programs do, as Markdown that teaches: each heading is a rule, with a program and what exploring all its runs finds.
//!
//! A block `p` is a program; the block `verdict` behind it lists every bug and the number of distinct configurations, with P's own
//! delivery, and a block `verdict network` the same on a network. With `UPDATE_EXPECT=1` the blocks are written anew.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use lockstep_program::{Database, project_tests};
use lockstep_runtime::{Delivery, Options, Program, ReplayEnd, Settings, lower, naive, replay};
use lockstep_tests::{p_project, static_errors};

/// More configurations than any program here has.
const MOST: usize = 200_000;

#[test]
fn programs_do_what_the_rules_say() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = String::new();
    let mut rules = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("it was listed");
        let checked = check(&text);
        rules += text.lines().filter(|line| line.starts_with("## ")).count();
        if update {
            fs::write(&path, &checked).expect("it can be written");
        } else if checked != text {
            let difference = text.lines().zip(checked.lines()).zip(1..).find(|((old, new), _)| old != new);
            let ((old, new), line) = difference.unwrap_or((("(the end)", "(more lines)"), 0));
            writeln!(wrong, "{}:{line}\n  the rule says: {old}\n  what it does:  {new}", path.display()).expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(rules >= 40, "only {rules} rules were found");
}

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let entries = fs::read_dir(folder).expect("the folder of the rules");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    paths.sort();
    paths
}

/// The document with what its programs really do.
fn check(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    let mut rule = "";
    let mut program = None;
    while let Some(line) = lines.next() {
        writeln!(out, "{line}").expect("a string");
        if let Some(heading) = line.strip_prefix("## ") {
            assert!(program.is_none() || !rule.is_empty(), "a rule without a program: {rule}");
            rule = heading;
            program = None;
        }
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match kind {
            "p" => {
                block.iter().for_each(|line| writeln!(out, "{line}").expect("a string"));
                program = Some(block.join("\n"));
            }
            "verdict" | "verdict network" => {
                let delivery = if kind == "verdict" { Delivery::Inbox } else { Delivery::Network };
                let program = program.as_deref().unwrap_or_else(|| panic!("a verdict without a program: {rule}"));
                out.push_str(&verdict(rule, program, delivery));
            }
            other => panic!("a block of an unknown kind: {other}"),
        }
        writeln!(out, "```").expect("a string");
    }
    out
}

/// Every bug of every test of a program, and how many configurations there are.
fn verdict(rule: &str, text: &str, delivery: Delivery) -> String {
    let file = ("rule.p".to_owned(), text.to_owned());
    let errors: Vec<String> =
        static_errors([file.clone()]).into_iter().map(|(_, line, error)| format!("line {line}: {}", error.message)).collect();
    assert!(errors.is_empty(), "{rule}: {errors:#?}");
    let db = Database::default();
    let (project, _) = p_project(&db, [file]);
    let cases = project_tests(&db, project);
    assert!(!cases.is_empty(), "nothing can be run: {rule}");
    let mut out = String::new();
    for case in cases {
        let program = lower(&db, project, case, &Options::default()).unwrap_or_else(|reason| panic!("{rule}: {reason}"));
        if cases.len() > 1 {
            writeln!(out, "{}:", case.name).expect("a string");
        }
        out.push_str(&explored(rule, &program, delivery));
    }
    out
}

fn explored(rule: &str, program: &Program, delivery: Delivery) -> String {
    let settings = Settings { delivery, ..Settings::default() };
    let found = naive::explore(program, &settings, MOST);
    let mut lines: Vec<String> = Vec::new();
    for (failure, trace) in &found.failures {
        let again = replay(program, &settings, trace).end;
        assert_eq!(again, ReplayEnd::Failed(Box::new(failure.clone())), "{rule}: the trace does not replay");
        lines.push(format!("{}, {} in `{}`: {}", failure.fault.kind(), failure.who, failure.state, failure.fault));
    }
    lines.sort();
    lines.extend(found.limit.map(|limit| format!("not everything was run: {limit}")));
    lines.extend(found.unsupported.as_ref().map(|what| format!("cannot be run: {}", what.what)));
    if lines.is_empty() {
        lines.push("no bug".to_owned());
    }
    let count = found.configurations;
    lines.push(format!("{count} configuration{}", if count == 1 { "" } else { "s" }));
    lines.iter().fold(String::new(), |text, line| text + line + "\n")
}
