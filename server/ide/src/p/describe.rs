//! Declarations in the words of their own text.

use lockstep_base::{Text, TextRange, TextSize};
use lockstep_program::{Db, Decl, DeclKind, MemberKind, Node, Place, Target, place_range};
use lockstep_syntax::p::ast::{Decl as AstDecl, FunctionCode, NameId};

use super::names::declared_at;
use super::navigate::declared_type;

/// How much of a declaration is shown.
const MOST_LINES: usize = 12;

/// The code that declares something, without bodies.
pub(super) fn code(db: &dyn Db, target: &Target<'_>) -> Option<String> {
    match target {
        Target::Global(def) => match def.part {
            Some(_) if def.decl.kind(db) == DeclKind::Enum => {
                Some(format!("enum {} {{ ... {} ... }}", def.decl.name(db), name(db, target)?))
            }
            Some(_) if def.decl.kind(db) == DeclKind::Param => {
                Some(format!("param {}: {}", name(db, target)?, type_text(db, target)?))
            }
            _ => header(db, def.decl),
        },
        Target::Member { machine, kind, name } => {
            let item = &machine.shape(db).0;
            let AstDecl::Machine(ast) = &item.decl else { return None };
            let is_it = |id: NameId| item.nodes[id].as_str() == name.as_str();
            match kind {
                MemberKind::Variable => Some(format!("var {name}: {}", type_text(db, target)?)),
                MemberKind::Function => {
                    let function = ast.functions.iter().find(|function| is_it(function.name))?;
                    let whole = range(db, *machine, function.part)?;
                    Some(up_to_body(db, *machine, whole, &function.code))
                }
                MemberKind::State => {
                    let state = ast.states.iter().find(|state| is_it(state.name))?;
                    let start = range(db, *machine, state.part)?.start();
                    Some(tidy(&text(db, *machine), TextRange::new(start, range(db, *machine, state.name)?.end())))
                }
            }
        }
        Target::Local { .. } => Some(format!("{}: {}", name(db, target)?, type_text(db, target)?)),
    }
}

/// The name of something.
pub(super) fn name(db: &dyn Db, target: &Target<'_>) -> Option<String> {
    let place = declared_at(db, target)?;
    Some(place.file.parse(db).text().slice(place.range).into_owned())
}

/// The type written with something's declaration.
pub(super) fn type_text(db: &dyn Db, target: &Target<'_>) -> Option<String> {
    let declared = declared_type(db, target)?;
    let (decl, body) = match target {
        Target::Global(def) => (def.decl, None),
        Target::Member { machine, .. } => (*machine, None),
        Target::Local { decl, place } => (*decl, place.body),
    };
    let range = place_range(db, decl, Place { body, node: Node::Type(declared.ty) })?;
    Some(tidy(&text(db, decl), range))
}

fn header(db: &dyn Db, decl: Decl<'_>) -> Option<String> {
    let whole = range(db, decl, Node::Whole)?;
    let text = text(db, decl);
    match &decl.shape(db).0.decl {
        AstDecl::Function(function) => Some(up_to_body(db, decl, whole, &function.code)),
        AstDecl::Machine(_) => {
            let source = text.slice(whole);
            let end = source.find('{').unwrap_or(source.len());
            Some(tidy_text(&source[..end]))
        }
        _ => Some(tidy(&text, whole)),
    }
}

fn up_to_body(db: &dyn Db, decl: Decl<'_>, whole: TextRange, code: &FunctionCode) -> String {
    let end = match code {
        FunctionCode::Body(body) => {
            place_range(db, decl, Place { body: Some(body.0), node: Node::Whole }).map_or(whole.end(), TextRange::start)
        }
        FunctionCode::Foreign { .. } => whole.end(),
    };
    tidy(&text(db, decl), TextRange::new(whole.start(), end.clamp(whole.start(), whole.end())))
}

/// The comment directly above a declaration, without its marks.
pub(super) fn comment(db: &dyn Db, target: &Target<'_>) -> Option<String> {
    let start = match target {
        Target::Global(def) if def.part.is_none() => range(db, def.decl, Node::Whole)?.start(),
        Target::Local { .. } => return None,
        _ => declared_at(db, target)?.range.start(),
    };
    let decl = match target {
        Target::Global(def) => def.decl,
        Target::Member { machine: decl, .. } | Target::Local { decl, .. } => *decl,
    };
    comment_above(&text(db, decl), start)
}

pub(crate) fn comment_above(text: &Text, start: TextSize) -> Option<String> {
    let line = |number: u32| text.slice(TextRange::new(text.line_start(number), text.line_start(number + 1))).into_owned();
    let first = text.line_of(start);
    let mut lines: Vec<String> = Vec::new();
    let mut number = first;
    let mut in_block = false;
    while number > 0 {
        number -= 1;
        let content = line(number);
        let trimmed = content.trim();
        if in_block {
            in_block = !trimmed.starts_with("/*");
        } else if trimmed.ends_with("*/") && !trimmed.starts_with("//") {
            in_block = !trimmed.starts_with("/*");
        } else if !trimmed.starts_with("//") {
            break;
        }
        lines.push(unmarked(trimmed).to_owned());
    }
    lines.reverse();
    let comment = lines.join("\n").trim().to_owned();
    (!comment.is_empty() && !in_block).then_some(comment)
}

fn unmarked(line: &str) -> &str {
    let line = line.trim_start_matches('/').trim_start_matches('*').trim_end_matches('/').trim_end_matches('*');
    line.trim()
}

fn range<'db>(db: &'db dyn Db, decl: Decl<'db>, node: impl Into<Node>) -> Option<TextRange> {
    place_range(db, decl, Place { body: None, node: node.into() })
}

fn text(db: &dyn Db, decl: Decl<'_>) -> Text {
    decl.file(db).file(db).parse(db).text().clone()
}

fn tidy(text: &Text, range: TextRange) -> String {
    tidy_text(&text.slice(range))
}

/// Without the white space around it, and not too long.
fn tidy_text(text: &str) -> String {
    let mut lines: Vec<&str> = text.trim().lines().take(MOST_LINES).collect();
    if text.trim().lines().count() > MOST_LINES {
        lines.push("...");
    }
    lines.join("\n")
}
