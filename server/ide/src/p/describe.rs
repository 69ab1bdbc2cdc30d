//! Declarations in the words of their own text.

use lockstep_base::{Text, TextRange, TextSize};
use lockstep_program::{Db, Decl, DeclKind, Def, MemberKind, Node, Place, Target, place_range};
use lockstep_syntax::p::ast::{Decl as AstDecl, EnumElement, FunctionCode, NameId};

use super::declared::{decl_of, declared_at, declared_type, name};

/// How much of a declaration is shown.
const MOST_LINES: usize = 12;

/// The code that declares something, without bodies.
pub(super) fn code<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    match target {
        Target::Global(Def { decl, part: Some(part) }) => part_code(db, *decl, *part, target),
        Target::Global(def) => header(db, def.decl),
        Target::Member { kind: MemberKind::Variable, .. } => Some(format!("var {}", with_type(db, target)?)),
        Target::Member { machine, kind, name } => member_code(db, *machine, *kind, name),
        Target::Local { .. } => with_type(db, target),
    }
}

/// The type written with something's declaration.
pub(super) fn type_text<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    let declared = declared_type(db, target)?;
    let decl = decl_of(target);
    Some(tidy(&text(db, decl), place_range(db, decl, declared.place())?)).filter(|text| !text.is_empty())
}

fn with_type<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    let name = name(db, target)?;
    Some(type_text(db, target).map_or_else(|| name.clone(), |ty| format!("{name}: {ty}")))
}

/// One of the things that a declaration declares.
fn part_code<'db>(db: &'db dyn Db, decl: Decl<'db>, part: u32, target: &Target<'db>) -> Option<String> {
    let item = &decl.shape(db).0;
    match &item.decl {
        AstDecl::Enum { elements, .. } => {
            let name = name(db, target)?;
            let written = |element: &EnumElement| element.value.map(|value| item.nodes[value].as_str().to_owned());
            // Without numbers the elements are counted from nought.
            let value = elements.get(part as usize).and_then(written).unwrap_or_else(|| part.to_string());
            Some(format!("{name} = {value}"))
        }
        AstDecl::Param { .. } => Some(format!("param {}", with_type(db, target)?)),
        AstDecl::InvariantGroup { invariants, .. } => {
            let range = range(db, decl, invariants.get(part as usize)?.part)?;
            Some(tidy(&text(db, decl), range))
        }
        _ => header(db, decl),
    }
}

fn member_code<'db>(db: &'db dyn Db, machine: Decl<'db>, kind: MemberKind, name: &str) -> Option<String> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(ast) = &item.decl else { return None };
    let is_it = |id: NameId| item.nodes[id].as_str() == name;
    if kind == MemberKind::Function {
        let function = ast.functions.iter().find(|function| is_it(function.name))?;
        return Some(up_to_body(db, machine, range(db, machine, function.part)?, &function.code));
    }
    let state = ast.states.iter().find(|state| is_it(state.name))?;
    let start = range(db, machine, state.part)?.start();
    Some(tidy(&text(db, machine), TextRange::new(start, range(db, machine, state.name)?.end())))
}

fn header(db: &dyn Db, decl: Decl<'_>) -> Option<String> {
    let whole = range(db, decl, Node::Whole)?;
    let text = text(db, decl);
    match &decl.shape(db).0.decl {
        AstDecl::Function(function) => Some(up_to_body(db, decl, whole, &function.code)),
        AstDecl::Machine(_) => {
            let end = text.slice(whole).find('{').and_then(|brace| TextSize::try_from(brace).ok()).unwrap_or(whole.len());
            Some(tidy(&text, TextRange::at(whole.start(), end)))
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
pub(super) fn comment<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    let start = match target {
        Target::Global(def) if def.part.is_none() => range(db, def.decl, Node::Whole)?.start(),
        Target::Local { .. } => return None,
        _ => declared_at(db, target)?.range.start(),
    };
    comment_above(&text(db, decl_of(target)), start)
}

fn comment_above(text: &Text, start: TextSize) -> Option<String> {
    let line = |number: u32| text.slice(TextRange::new(text.line_start(number), text.line_start(number + 1))).into_owned();
    let mut lines: Vec<String> = Vec::new();
    let mut number = text.line_of(start);
    // What stands before the declaration in its own line is no longer about it alone.
    let before = text.slice(TextRange::new(text.line_start(number), start)).into_owned();
    if before.contains([';', '{', '}', ',']) {
        return None;
    }
    let mut in_block = false;
    while number > 0 {
        number -= 1;
        let content = line(number);
        let trimmed = content.trim();
        if in_block || (trimmed.ends_with("*/") && !trimmed.starts_with("//")) {
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

/// A part of a text without the white space around it, not further indented than in the text, and not too long.
fn tidy(text: &Text, range: TextRange) -> String {
    let before = text.slice(TextRange::new(text.line_start(text.line_of(range.start())), range.start())).into_owned();
    let indentation = before.len() - before.trim_start().len();
    let unindented = |line: &str| -> String {
        let spaces = line.len() - line.trim_start().len();
        line[spaces.min(indentation)..].trim_end().to_owned()
    };
    let source = text.slice(range);
    let (mut shown, mut lines) = (Vec::new(), source.trim().lines());
    shown.extend(lines.next().map(ToOwned::to_owned));
    shown.extend(lines.by_ref().take(MOST_LINES - 1).map(unindented));
    shown.extend(lines.next().map(|_| "...".to_owned()));
    shown.join("\n")
}

/// What kind of thing a declaration declares, in the word of P that opens it.
pub(super) fn word(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Type => "type",
        DeclKind::Enum => "enum",
        DeclKind::Event => "event",
        DeclKind::EventSet => "eventset",
        DeclKind::Interface => "interface",
        DeclKind::Machine => "machine",
        DeclKind::Spec => "spec",
        DeclKind::Scenario => "scenario",
        DeclKind::Function => "fun",
        DeclKind::Param => "param",
        DeclKind::Module => "module",
        DeclKind::Implementation => "implementation",
        DeclKind::Test => "test",
        DeclKind::Pure => "pure",
        DeclKind::Invariant => "invariant",
        DeclKind::InvariantGroup => "lemma",
        DeclKind::Axiom => "axiom",
        DeclKind::InitCondition => "init-condition",
        DeclKind::Proof => "proof",
    }
}
