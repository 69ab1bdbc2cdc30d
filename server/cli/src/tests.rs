//! `lockstep tests`: the test cases of P projects, as P would run them.

use std::io::{self, Write};
use std::path::PathBuf;

use lockstep_base::Encoding;
use lockstep_program::{Database, Decl, ParamValue, TestKind, decls, project_errors, project_tests};
use lockstep_workspace::{Origin, Program, Workspace};
use serde::Serialize;

use crate::Outcome;
use crate::args::{TestsArgs, TestsFormat};
use crate::check::load;
use crate::human::count;
use crate::json::VERSION;
use crate::output::{Output, Terminal, write_all};

/// All that is listed.
#[derive(Serialize)]
struct Listed {
    version: u32,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    project: String,
    /// The project file, if there is one.
    path: Option<String>,
    name: String,
    /// The name of the declaration.
    test: String,
    parameters: serde_json::Map<String, serde_json::Value>,
    main: String,
    file: String,
    /// From 1.
    line: u32,
}

pub(crate) fn run(args: &TestsArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    let mut db = Database::default();
    let workspace = load(&mut db, None, &paths)?;
    let tests = tests(&workspace, &db);
    write_all(terminal.stdout(), |output| match args.format {
        TestsFormat::Human => write_human(output, &tests),
        TestsFormat::Json => {
            serde_json::to_writer(&mut *output, &Listed { version: VERSION, tests })?;
            writeln!(output)
        }
    })?;
    errors_first(&workspace, &db, terminal);
    let mut failures = workspace.failures().peekable();
    let outcome = if failures.peek().is_some() { Outcome::Failed } else { Outcome::Clean };
    failures.for_each(|failure| terminal.error(&failure.message));
    Ok(outcome)
}

/// Says which projects have errors: P runs no test of such a project, and some may be missing in the list.
fn errors_first(workspace: &Workspace, db: &Database, terminal: Terminal) {
    for program in asked_programs(workspace) {
        let errors = project_errors(db, program.project);
        if errors > 0 {
            let (errors, name) = (count(errors, "error"), &program.name);
            terminal.note(&format!(
                "`{name}` has {errors}, so P runs none of its tests and some may be missing here: `lockstep check` shows them"
            ));
        }
    }
}

/// The projects that the user asked for, in their order.
fn asked_programs(workspace: &Workspace) -> impl Iterator<Item = &Program> {
    let files = &workspace.layout().files;
    workspace.programs().iter().filter(|program| program.files.iter().any(|file| files[*file].is_asked))
}

fn write_human(output: &mut Output, tests: &[Test]) -> io::Result<()> {
    tests.iter().try_for_each(|test| writeln!(output, "{}", test.name))
}

/// Of all projects that the user asked for, in their order.
fn tests(workspace: &Workspace, db: &Database) -> Vec<Test> {
    let mut tests = Vec::new();
    for program in asked_programs(workspace) {
        let path = match &workspace.layout().projects[program.layout].origin {
            Origin::Manifest { name, .. } => Some(name.clone()),
            _ => None,
        };
        for case in project_tests(db, program.project).iter().filter(|case| case.kind == TestKind::Test) {
            let (file, line) = place(db, case.decl);
            tests.push(Test {
                project: program.name.clone(),
                path: path.clone(),
                name: case.name.clone(),
                test: case.decl.name(db).to_string(),
                parameters: case.params.iter().map(|(name, value)| (name.to_string(), json(*value))).collect(),
                main: case.main.to_string(),
                file,
                line,
            });
        }
    }
    tests
}

fn json(value: ParamValue) -> serde_json::Value {
    match value {
        ParamValue::Bool(value) => value.into(),
        ParamValue::Int(value) => value.into(),
    }
}

/// The file and line of a declaration's name.
fn place<'db>(db: &'db Database, decl: Decl<'db>) -> (String, u32) {
    let file = decl.file(db);
    let parse = file.file(db).parse(db);
    let index = decls(db, file).iter().position(|other| *other == decl);
    let item = index.and_then(|index| parse.p()?.items.get(index));
    let name = item.and_then(|item| Some(item.value.spans[item.value.name()?] + item.start));
    let line = name.map_or(0, |range| parse.text().position(range.start(), Encoding::Utf32).line);
    (file.file(db).path(db).clone(), line + 1)
}
