//! Diagrams of all programs, and of programs that are broken: nothing lies on anything, the same every time, and never a panic.

use lockstep_diagram::layout::{Rect, layout};
use lockstep_diagram::{Diagram, Subject, dot, draw, machines, mermaid, sheet, svg, svg_with_places, tests_of, text};
use lockstep_program::{Database, Project};
use lockstep_syntax::Language;
use lockstep_tests::{Random, mutants, p_project, p_project_for, p_projects, programs};

/// Every diagram of a project.
fn diagrams(db: &Database, project: Project) -> Vec<Diagram> {
    let states = machines(db, project).into_iter().map(Subject::States);
    let tests = tests_of(db, project).into_iter().map(Subject::Test);
    let all = states.chain(tests).chain([Subject::Project(project)]);
    all.filter_map(|subject| draw(db, subject, "project")).collect()
}

/// Boxes and labels that lie on each other.
fn overlaps(diagram: &Diagram) -> Vec<String> {
    let placed = layout(&sheet(diagram));
    let labels = placed.lines.iter().filter_map(|line| line.label);
    let all: Vec<Rect> = placed.boxes.iter().copied().chain(labels).collect();
    let mut found = Vec::new();
    for (number, rect) in all.iter().enumerate() {
        let on = all[number + 1..].iter().filter(|other| rect.overlaps(other));
        found.extend(on.map(|other| format!("{}: {rect:?} and {other:?}", diagram.title)));
    }
    found
}

#[test]
fn nothing_lies_on_anything_in_any_program() {
    let mut count = 0;
    for project in p_projects() {
        let db = Database::default();
        let (input, _) = p_project_for(&db, project.purpose, project.files);
        for diagram in diagrams(&db, input) {
            assert_eq!(overlaps(&diagram), Vec::<String>::new(), "{}", project.name);
            count += 1;
        }
    }
    assert!(count > 150, "there are many programs: {count}");
}

#[test]
fn the_same_every_time() {
    for project in p_projects() {
        let once = |files: Vec<(String, String)>| {
            let db = Database::default();
            let (input, _) = p_project_for(&db, project.purpose, files);
            diagrams(&db, input).iter().map(|diagram| svg(diagram) + &text(diagram)).collect::<String>()
        };
        assert_eq!(once(project.files.clone()), once(project.files.clone()), "{}", project.name);
    }
}

/// Every state of every machine has a box and every `on e goto s` an arrow, counted in the text of a program without anything unusual.
#[test]
fn nothing_is_left_out() {
    for program in programs().into_iter().filter(|program| program.name.starts_with("models/")) {
        let db = Database::default();
        let code = program.text.lines().filter_map(|line| line.split("//").next());
        let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
        let states = words.windows(3).filter(|words| words[0] == "state" && words[2].starts_with('{')).count();
        let (input, _) = p_project(&db, [(program.name.clone(), program.text)]);
        let drawn = diagrams(&db, input).into_iter().filter(|diagram| diagram.kind != lockstep_diagram::DiagramKind::Flow);
        let boxes = drawn.flat_map(|diagram| diagram.boxes).filter(|shown| shown.kind != lockstep_diagram::BoxKind::Halted);
        assert_eq!(boxes.count(), states, "{}", program.name);
    }
}

#[test]
fn broken_programs() {
    let mut random = Random::new(11);
    for program in programs().into_iter().filter(|program| program.language == Language::P) {
        for mutant in mutants(&program, 6, &mut random) {
            everything(&mutant.text);
        }
        // As it is while somebody types: nothing behind the cursor.
        for _ in 0..4 {
            let at = random.below(program.text.len());
            let at = (0..=at).rev().find(|at| program.text.is_char_boundary(*at)).unwrap_or(0);
            everything(&program.text[..at]);
        }
    }
}

fn everything(program: &str) {
    let db = Database::default();
    let (project, _) = p_project(&db, [("a.p".to_owned(), program.to_owned())]);
    for diagram in diagrams(&db, project) {
        assert_eq!(overlaps(&diagram), Vec::<String>::new(), "{program}");
        let drawn = [svg(&diagram), svg_with_places(&diagram), dot(&diagram), mermaid(&diagram), text(&diagram)];
        assert!(drawn.iter().all(|drawn| !drawn.contains("NaN")), "{program}");
    }
}
