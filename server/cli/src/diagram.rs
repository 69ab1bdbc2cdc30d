//! `lockstep diagram`: the states of a machine, or who sends what to whom, as a picture or text.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use lockstep_diagram::{Diagram, Subject, dot, draw, machines, mermaid, svg, tests_of, text};
use lockstep_program::{Database, Decl};
use lockstep_workspace::{Program, Workspace, name};

use crate::Outcome;
use crate::check::load;
use crate::output::{Terminal, write_all};

/// Draws a P program: the states of a machine, or who sends what to whom
///
/// Without a name, the event flow of the project is drawn: its machines and specs, who creates whom, and which events go from whom to whom. A target
/// that is only known to be a machine is drawn with a dashed arrow to each machine that takes the event. Programs with errors are
/// drawn as far as they can be read.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiagramArgs {
    /// A P project (.pproj), folder or P file; as for `lockstep check` [default: the current folder]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    #[command(flatten)]
    subject: SubjectArgs,

    #[command(flatten)]
    format: FormatArgs,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct SubjectArgs {
    /// Draw the states of this machine or spec
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,

    /// Draw the event flow of this test: its machines, and the specs that watch them
    #[arg(long, value_name = "NAME")]
    test: Option<String>,

    /// Draw the event flow of the whole project (the default)
    #[arg(long)]
    flow: bool,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct FormatArgs {
    /// As a picture for browsers and documents; the default if FILE ends in .svg
    #[arg(long)]
    svg: bool,

    /// In the language of Mermaid, for Markdown
    #[arg(long)]
    mermaid: bool,

    /// In the language of Graphviz
    #[arg(long)]
    dot: bool,

    /// As text for terminals (the default)
    #[arg(long)]
    text: bool,
}

const EXAMPLES: &str = "Examples:
  lockstep diagram Lease.pproj
  lockstep diagram Lease.pproj --machine Server --svg -o server.svg
  lockstep diagram Lease.pproj --test tcCrash --mermaid

Exit codes: 0 drawn, 2 wrong usage, unreadable input, no such name or a bug in Lockstep.";

pub(crate) fn run(args: &DiagramArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let ending = args.out.as_ref().and_then(|out| out.extension()?.to_str());
    if let Some(ending @ ("png" | "jpg" | "jpeg" | "gif" | "pdf" | "webp")) = ending {
        bail!("a picture of the kind `{ending}` cannot be made: choose a name that ends in `.svg`");
    }
    let path = args.path.clone().unwrap_or_else(|| ".".into());
    let mut db = Database::default();
    let workspace = load(&mut db, None, &[path])?;
    let mut failures = workspace.failures().peekable();
    let outcome = if failures.peek().is_some() { Outcome::Failed } else { Outcome::Clean };
    failures.for_each(|failure| terminal.error(&failure.message));
    let asked: Vec<&Program> = asked_programs(&workspace).collect();
    if asked.is_empty() {
        bail!("there is no P program here: only those have diagrams");
    }
    let diagram = wanted(&db, &asked, &args.subject)?;
    if diagram.is_broken {
        terminal.note("there are syntax errors in what is drawn, so some of it may be missing: `lockstep check` shows them");
    }
    let shown = shown(&diagram, args)?;
    match &args.out {
        Some(out) => {
            std::fs::write(out, shown).with_context(|| format!("`{}` cannot be written", name(out)))?;
            terminal.note(&format!("written to `{}`", name(out)));
        }
        None => write_all(terminal.stdout(), |output| output.write_all(shown.as_bytes()))?,
    }
    Ok(outcome)
}

fn shown(diagram: &Diagram, args: &DiagramArgs) -> anyhow::Result<String> {
    let FormatArgs { svg: is_svg, mermaid: is_mermaid, dot: is_dot, text: is_text } = args.format;
    let ending = args.out.as_ref().and_then(|out| out.extension()?.to_str()).filter(|_| !is_text);
    let svg = |diagram: &Diagram| match diagram.too_large() {
        Some(why) => bail!("{why}: draw one machine or test, or use --text or --dot"),
        None => Ok(svg(diagram)),
    };
    Ok(match (is_svg, is_mermaid, is_dot) {
        (true, ..) => svg(diagram)?,
        (_, true, _) => mermaid(diagram),
        (.., true) => dot(diagram),
        _ => match ending {
            Some("svg") => svg(diagram)?,
            Some("mmd" | "mermaid") => mermaid(diagram),
            Some("dot" | "gv") => dot(diagram),
            _ => text(diagram),
        },
    })
}

/// The projects that the user asked for, in their order.
fn asked_programs(workspace: &Workspace) -> impl Iterator<Item = &Program> {
    let files = &workspace.layout().files;
    workspace.programs().iter().filter(|program| program.files.iter().any(|file| files[*file].is_asked))
}

fn wanted(db: &Database, asked: &[&Program], subject: &SubjectArgs) -> anyhow::Result<Diagram> {
    if let Some(machine) = &subject.machine {
        let (program, decl) = named(db, asked, machine, "machine or spec", |program| machines(db, program.project))?;
        return draw(db, Subject::States(decl), &program.name).with_context(|| format!("`{machine}` has no states"));
    }
    if let Some(test) = &subject.test {
        // All cases of a test have the same machines.
        let test = test.split("___").next().unwrap_or(test);
        let (program, decl) = named(db, asked, test, "test", |program| tests_of(db, program.project))?;
        let drawn = draw(db, Subject::Test(decl), &program.name);
        return drawn.with_context(|| format!("the module of `{test}` has an error: `lockstep check` shows it"));
    }
    match asked {
        [program] => draw(db, Subject::Project(program.project), &program.name).context("there is nothing to draw"),
        _ => {
            let names: Vec<String> = asked.iter().map(|program| format!("\n  {}", program.name)).collect();
            bail!("there are {} projects here: name the path of one, or a machine or test{}", asked.len(), names.concat())
        }
    }
}

/// The first declaration of a name.
fn named<'db, 'w>(
    db: &'db Database,
    asked: &[&'w Program],
    wanted: &str,
    kind: &str,
    of: impl Fn(&Program) -> Vec<Decl<'db>>,
) -> anyhow::Result<(&'w Program, Decl<'db>)> {
    let all = || asked.iter().flat_map(|program| of(program).into_iter().map(|decl| (*program, decl)));
    if let Some(found) = all().find(|(_, decl)| decl.name(db) == wanted) {
        return Ok(found);
    }
    let names: Vec<&str> = all().map(|(_, decl)| decl.name(db).as_str()).collect();
    if names.is_empty() {
        bail!("there is no {kind} here");
    }
    let near = names.iter().map(|name| (strsim::osa_distance(&name.to_lowercase(), &wanted.to_lowercase()), *name)).min();
    let hint = match near {
        Some((distance, near)) if distance <= wanted.len() / 3 + 1 => format!(": did you mean `{near}`?"),
        _ => String::new(),
    };
    let listed: String = names.iter().take(30).map(|name| format!("\n  {name}")).collect();
    let more = names.len().saturating_sub(30);
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    bail!("there is no {kind} `{wanted}`{hint}\nthere are{listed}{more}")
}
