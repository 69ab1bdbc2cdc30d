//! Every code does what is said of it: the examples of its explanation, and a program with marked lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lockstep_base::{Diagnostic, Severity};
use lockstep_program::{ProblemCode, Purpose, explanations};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{programs_of_codes, static_errors, static_findings_for};

/// Codes up to this one have a program in `tests/programs/p/codes`; those after it are tested where they were made.
const LAST_WITH_PROGRAM: &str = "LS0504";

/// Says in a program that the line gives these codes.
const MARK: &str = "//! ";

/// Begins another file of a project in an example or a program.
const FILE: &str = "// file: ";

#[test]
fn explanations_have_their_form() {
    for (code, title, text) in explanations() {
        let explained = read(code, text);
        assert!(explained.is_ok(), "{}", explained.err().unwrap_or_default());
        assert!(!title.is_empty() && !title.ends_with('.'), "{code}: `{title}` is no title");
    }
}

#[test]
fn examples_give_what_they_are_for() {
    let mut wrongs = String::new();
    for (code, _, text) in explanations() {
        let Ok((wrong, right)) = read(code, text) else { continue };
        if let Some(found) = wrong.run() {
            let codes: BTreeSet<&str> = found.iter().map(|error| error.code).filter(|found| is_counted(found, code)).collect();
            if codes != BTreeSet::from([code]) {
                writeln!(wrongs, "{code}, wrong example: {}", listed(&found)).expect("a string takes all");
            }
        }
        if let Some(found) = right.run()
            && found.iter().any(|error| error.severity == Severity::Error || error.code == code)
        {
            writeln!(wrongs, "{code}, right example: {}", listed(&found)).expect("a string takes all");
        }
    }
    assert!(wrongs.is_empty(), "\n{wrongs}");
}

#[test]
fn programs_give_what_is_marked_in_them() {
    let mut differences = String::new();
    for (code, program) in programs_of_codes() {
        for ((name, number), mut line) in judged_lines(&code, &files(&program.text, &program.name)) {
            line.marked.sort();
            line.found.sort();
            if line.marked != line.found {
                let said = if line.said.is_empty() { "nothing".to_owned() } else { line.said.join("\n    ") };
                let marked = line.marked.join(" ");
                writeln!(differences, "{name}:{number} is marked with [{marked}], found:\n    {said}")
                    .expect("a string takes all");
            }
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// A line of a program that is marked or has findings.
#[derive(Default)]
struct Line {
    marked: Vec<String>,
    found: Vec<String>,
    said: Vec<String>,
}

/// By file and number.
fn judged_lines(code: &str, files: &[(String, String)]) -> BTreeMap<(String, u32), Line> {
    let mut lines: BTreeMap<(String, u32), Line> = BTreeMap::new();
    for (name, text) in files {
        for (line, number) in text.lines().zip(1..) {
            if let Some((_, codes)) = line.split_once(MARK) {
                lines.entry((name.clone(), number)).or_default().marked = codes.split_whitespace().map(str::to_owned).collect();
            }
        }
    }
    for (name, number, error) in static_errors(files.iter().cloned()) {
        if is_counted(error.code, code) {
            let line = lines.entry((name, number)).or_default();
            line.found.push(error.code.to_owned());
            line.said.push(format!("{}: {}", error.code, error.message));
        }
    }
    lines
}

#[test]
fn each_code_has_a_program() {
    let programs: BTreeMap<String, usize> = programs_of_codes()
        .into_iter()
        .map(|(code, program)| {
            let marks = program.text.lines().filter_map(|line| line.split_once(MARK)).filter(|(_, codes)| codes.contains(&code));
            (code.clone(), marks.count())
        })
        .collect();
    let codes: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.number()).collect();
    for code in codes.iter().filter(|code| **code <= LAST_WITH_PROGRAM) {
        assert!(programs.get(*code).is_some_and(|marks| *marks >= 2), "{code} has no program with two marked lines");
    }
    for code in programs.keys() {
        assert!(codes.contains(&code.as_str()), "there is a program for {code}, which is no code");
    }
}

/// The table of differences to P: an example in the first column, and in the third what Lockstep does with it.
#[test]
fn differences_to_p_are_as_listed() {
    let table = include_str!("../conformance/divergences.md");
    let mut examples = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [example, _, ours, _] = cells[..] else { panic!("not four columns: {row}") };
        let text = example.trim_start_matches("| ").trim_matches('`');
        let found = static_findings_for(Purpose::Checking, [("example.p".to_owned(), text.to_owned())]);
        // Where Lockstep takes what P rejects, a warning says so.
        let is_listed = |code: &&str| is_counted(code, if ours.starts_with("LS13") { ours } else { "" });
        let codes: Vec<&str> = found.iter().map(|(_, _, error)| error.code).filter(is_listed).collect();
        let said = if codes.is_empty() { "accepts it".to_owned() } else { codes.join(" ") };
        assert_eq!(said, ours, "{text}");
        examples += 1;
    }
    assert!(examples > 5, "the table was not found");
}

/// All errors count, and the code in question even if it is a warning.
fn is_counted(found: &str, code: &str) -> bool {
    found.starts_with("LS0") || found == code
}

fn listed(found: &[Diagnostic]) -> String {
    match found {
        [] => "nothing is found".to_owned(),
        _ => found.iter().map(|error| format!("{} {}", error.code, error.message)).collect::<Vec<_>>().join("; "),
    }
}

struct Example {
    /// What stands after the three marks.
    language: String,
    text: String,
}

impl Example {
    /// What is found in it, unless it cannot be run here: it is a project file or a folder, whose tests are beside `lockstep-workspace`,
    /// or shows something else than a text.
    fn run(&self) -> Option<Vec<Diagnostic>> {
        let purpose = match self.language.as_str() {
            "p" => Purpose::Checking,
            "p verifier" => Purpose::Verifying,
            "icet" => return Some(Parse::new(Language::Icet, self.text.as_str()).errors().to_vec()),
            _ => return None,
        };
        let found = static_findings_for(purpose, files(&self.text, "example.p"));
        Some(found.into_iter().map(|(_, _, error)| error).collect())
    }
}

/// A text that lines like `// file: name.p` cut into files. What comes before the first one is `first`.
fn files(text: &str, first: &str) -> Vec<(String, String)> {
    let mut files = vec![(first.to_owned(), String::new())];
    for line in text.lines() {
        match line.strip_prefix(FILE) {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => {
                let (_, text) = files.last_mut().expect("there is always one");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    files
}

/// The wrong and the right example of an explanation, or what is wrong with its form.
fn read(code: &str, text: &str) -> Result<(Example, Example), String> {
    let body =
        text.strip_prefix(&format!("# {code}: ")).ok_or(format!("{code}: the first line does not begin with `# {code}: `"))?;
    let (above, rest) = body.split_once("\n\n## Wrong\n\n").ok_or(format!("{code}: there is no section `Wrong`"))?;
    let (wrong, right) = rest.split_once("\n\n## Right\n\n").ok_or(format!("{code}: there is no section `Right`"))?;
    let (_, prose) = above.split_once("\n\n").ok_or(format!("{code}: nothing is explained"))?;
    if prose.trim().is_empty() || prose.contains("\n#") || prose.contains("```") {
        return Err(format!("{code}: the explanation is empty, or has headings or code"));
    }
    let right = right.strip_suffix('\n').ok_or(format!("{code}: the last line has no end"))?;
    Ok((example(code, wrong)?, example(code, right)?))
}

/// A section that is one block of code.
fn example(code: &str, section: &str) -> Result<Example, String> {
    let block = section.strip_prefix("```").and_then(|rest| rest.strip_suffix("\n```"));
    let (language, text) = block.and_then(|block| block.split_once('\n')).ok_or(format!("{code}: a section is not one block"))?;
    match text.contains("```") || !["p", "p verifier", "p folder", "icet", "xml", "text"].contains(&language) {
        true => Err(format!("{code}: a section has two blocks, or one in `{language}`")),
        false => Ok(Example { language: language.to_owned(), text: format!("{text}\n") }),
    }
}
