//! What a name stands for, in words.

use lockstep_base::TextSize;
use lockstep_syntax::Parse;
use lockstep_syntax::icet::ast::Decl;

use super::comment::comment;
use super::program::{DeclId, Declaration, NameKind, Program, Role, Target};
use crate::Hover;

/// The declaration of the name at `offset` as code, the comment above it, and what is worth knowing about it.
pub fn hover(parse: &Parse, offset: TextSize) -> Option<Hover> {
    let program = Program::of(parse)?;
    let found = program.use_at(offset)?;
    let (code, comment, facts) = match found.target {
        Target::Declared(id) => {
            let declaration = &program.declarations[id];
            (code(&program, declaration), comment(&program, declaration), facts(&program, id))
        }
        Target::Builtin => builtin(&program.slice(found.range))?,
        Target::Unknown | Target::UnknownField => return None,
    };
    let mut parts = vec![format!("```icet\n{code}\n```")];
    parts.extend(comment);
    parts.extend(facts);
    Some(Hover { range: found.range, markdown: parts.join("\n\n") })
}

/// How a declaration is written, on one line where it is only part of something.
pub(super) fn code(program: &Program<'_>, declaration: &Declaration) -> String {
    let name = &declaration.name;
    let rest = declaration.rest.map(|rest| program.one_line(rest));
    let rest = rest.as_deref().unwrap_or_default();
    let item = program.item(declaration);
    match declaration.kind {
        NameKind::Type | NameKind::Enum | NameKind::Message | NameKind::Set | NameKind::Constant => {
            program.slice(program.item_range(declaration.item)).trim().to_owned()
        }
        NameKind::EnumElement => signature(program, declaration),
        NameKind::Process => match &item.decl {
            Decl::Process { set: Some(set), .. } => format!("process {name} in {}", item.nodes[*set].as_str()),
            _ => format!("process {name}"),
        },
        NameKind::Variable => format!("var {name}: {rest}"),
        NameKind::Ghost | NameKind::SharedGhost => format!("ghost var {name}: {rest}"),
        NameKind::Member => format!("{name} in {rest}"),
        NameKind::Index => format!("{name}: int"),
        NameKind::DoneSet => format!("done {name}"),
        NameKind::Bound | NameKind::Field | NameKind::Part => format!("{name}: {rest}"),
        NameKind::Claim => {
            let keyword = if matches!(item.decl, Decl::Ensures(_)) { "ensures" } else { "invariant" };
            format!("{keyword} {name}: {rest}")
        }
    }
}

/// A message or an enum element with what it carries.
pub(super) fn signature(program: &Program<'_>, declaration: &Declaration) -> String {
    let parts = program.declaration_at(declaration.range).map_or_else(Vec::new, |id| program.payload_text(id));
    if parts.is_empty() { declaration.name.to_string() } else { format!("{}({})", declaration.name, parts.join(", ")) }
}

const GHOST: &str = "Ghost: it exists for proofs only. It can be assigned, but nothing that is not ghost may depend on it.";

/// What is worth knowing about a declaration.
fn facts(program: &Program<'_>, id: DeclId) -> Option<String> {
    let declaration = &program.declarations[id];
    let rest = declaration.rest.map(|rest| program.one_line(rest)).unwrap_or_default();
    let item = program.item(declaration);
    Some(match declaration.kind {
        NameKind::Message => traffic(program, id),
        NameKind::Set => set(program, id),
        NameKind::Process => match &item.decl {
            Decl::Process { set: Some(set), .. } => {
                let (name, set) = (&declaration.name, item.nodes[*set].as_str());
                format!("One process for each member of `{set}`. `{name}` is its own pid, known only in its body.")
            }
            _ => format!("One process. `{}` is its pid.", declaration.name),
        },
        NameKind::Type => match &item.decl {
            Decl::Type { definition: None, .. } => "Its values can only be compared, with `==` and `!=`.".to_owned(),
            _ => return None,
        },
        NameKind::Constant => match &item.decl {
            Decl::Const { value: None, .. } => "Any value: a parameter of the program.".to_owned(),
            _ => return None,
        },
        NameKind::EnumElement => format!("Element of `enum {}`.", owner(program, declaration)?),
        NameKind::SharedGhost => format!("{GHOST} Shared by all processes."),
        NameKind::Ghost => format!("{} {GHOST}", of_process(program, declaration)),
        NameKind::Variable => of_process(program, declaration),
        NameKind::Member => format!("Stands for one member of `{rest}` in each turn of the loop."),
        NameKind::Index if rest.is_empty() => "The number of the round: 0, 1, and so on without end.".to_owned(),
        NameKind::Index => format!("The number of the turn: 0, 1, ..., `{rest}` - 1."),
        NameKind::DoneSet => format!("The members of `{rest}` whose turn is over. Ghost: for the loop's invariants."),
        NameKind::Part => format!("Part of what `{}` carries. Its name is documentation.", owner(program, declaration)?),
        NameKind::Field => "Field of a record.".to_owned(),
        NameKind::Enum | NameKind::Bound | NameKind::Claim => return None,
    })
}

fn owner<'a>(program: &'a Program<'_>, declaration: &Declaration) -> Option<&'a str> {
    Some(program.declarations[declaration.owner?].name.as_str())
}

fn of_process(program: &Program<'_>, declaration: &Declaration) -> String {
    match declaration.owner {
        Some(process) => format!("Variable of `{}`.", code(program, &program.declarations[process])),
        None => "Variable of the sequential part.".to_owned(),
    }
}

/// Who sends a message and who receives it.
fn traffic(program: &Program<'_>, id: DeclId) -> String {
    let by = |role: Role| {
        let mut processes: Vec<DeclId> = Vec::new();
        for found in program.uses_of(id).filter(|found| found.role == role) {
            // Names are in order of place, so the uses of one process follow each other.
            processes.extend(found.process.filter(|process| processes.last() != Some(process)));
        }
        let process = |id: &DeclId| format!("`{}`", code(program, &program.declarations[*id]));
        let all: Vec<String> = processes.iter().map(process).collect();
        if all.is_empty() { "nobody".to_owned() } else { all.join(", ") }
    };
    format!("Sent by {}.\\\nReceived by {}.", by(Role::Send), by(Role::Receive))
}

/// How many members a set has, and what each of them is.
fn set(program: &Program<'_>, id: DeclId) -> String {
    let declaration = &program.declarations[id];
    let item = program.item(declaration);
    let how_many = match &item.decl {
        Decl::Set { superset: Some(superset), .. } => {
            format!("Some members of `{}`, possibly none or all.", item.nodes[*superset].as_str())
        }
        _ => "Any number of processes, zero included.".to_owned(),
    };
    match program.process_of(super::program::Ty::Member(id)) {
        Some(process) => format!("{how_many} Each member runs `{}`.", code(program, &program.declarations[process])),
        None => format!("{how_many} No process is declared for them."),
    }
}

type Described = (String, Option<String>, Option<String>);

fn builtin(name: &str) -> Option<Described> {
    let (code, fact) = match name {
        "card" => ("card(S)", "The number of elements of the set `S`."),
        "here" => ("here(p)", "In an invariant: process `p` is at this point."),
        "finished" => ("finished(p)", "In an invariant: process `p` has reached its end."),
        _ => return None,
    };
    Some((code.to_owned(), None, Some(fact.to_owned())))
}
