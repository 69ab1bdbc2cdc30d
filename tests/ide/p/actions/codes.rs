//! The table of fixes: complete, and true of the examples of the explanations.

use std::collections::BTreeSet;

use lockstep_ide::p::{fixing, fixings};
use lockstep_program::{Purpose, explanations};

use super::fixes::CASES;
use super::{judge, project};
use crate::Opened;

#[test]
fn every_code_is_in_the_table() {
    let of_programs = explanations().map(|(code, ..)| code);
    let of_icet = lockstep_icet::explain::explanations().iter().map(|(code, _)| *code);
    let of_runs = lockstep_runtime::explain::explanations().iter().map(|(code, _)| *code);
    let known: BTreeSet<&str> = of_programs.chain(of_icet).chain(of_runs).collect();
    let listed: Vec<&str> = fixings().map(|fixing| fixing.code).collect();
    assert!(listed.is_sorted_by(|a, b| a < b), "in order, each once");
    assert_eq!(listed.into_iter().collect::<BTreeSet<&str>>(), known, "the table of fixes lists all codes");
}

/// Each fix is shown on the example of its explanation, or on a case of its own; and a code without a fix has none there.
#[test]
fn examples_are_mended() {
    let mut wrongs = Vec::new();
    let mut shown = 0;
    for (code, _, text) in explanations() {
        let Some((purpose, example)) = wrong_example(text) else { continue };
        let opened = Opened::new(&project(purpose, example));
        let fixes = opened.fixes_of(code);
        wrongs.extend(fixes.iter().filter_map(|fix| judge(&opened, fix, code, purpose)));
        let has_fix = fixing(code).is_some_and(|fixing| fixing.fix.is_some());
        let has_case = CASES.iter().any(|case| case.code == code);
        match (has_fix, fixes.is_empty()) {
            (true, true) if !has_case => wrongs.push(format!("{code} has a fix, and neither its example nor a case shows it")),
            (false, false) => wrongs.push(format!("{code} is said to have no fix, and has `{}`", fixes[0].title)),
            _ => {}
        }
        shown += fixes.len();
    }
    assert!(wrongs.is_empty(), "\n{}", wrongs.join("\n"));
    assert!(shown > 50, "{shown} fixes were tried");
}

/// Codes of what stands in no P program, and codes of IceT, are tested elsewhere.
fn wrong_example(text: &str) -> Option<(Purpose, &str)> {
    let (_, rest) = text.split_once("\n\n## Wrong\n\n```")?;
    let (language, rest) = rest.split_once('\n')?;
    let purpose = match language {
        "p" => Purpose::Checking,
        "p verifier" => Purpose::Verifying,
        _ => return None,
    };
    Some((purpose, &rest[..rest.find("```")?]))
}
