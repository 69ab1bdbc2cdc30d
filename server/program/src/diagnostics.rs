//! Problems with their positions: what a file shows.

use std::borrow::Cow;

use lockstep_base::{Diagnostic, Edit, Related, Severity, Text, TextRange, TextSize};
use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Item, Placed, Spans};
use smol_str::SmolStr;

use crate::body::check_body;
use crate::check::check_decl;
use crate::damage;
use crate::db::{Db, Project, ProjectFile, project_files};
use crate::declaration::{Decl, DeclKey, codes, decl_indexes, decls};
use crate::effects::check_effects;
use crate::expansion::{check_expansion, check_test_names};
use crate::lint::abstractions::useless_abstractions;
use crate::lint::comments::comments_in_comments;
use crate::lint::usage;
use crate::lint::{lint_body, lint_decl, lint_settled_uses, lint_uses};
use crate::module::check_module;
use crate::problem::{Code, Fix, Node, Place, Problem, Similar, Where, WordAt};
use crate::scope::names;
use crate::suppress;

/// What a user wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Codes of warnings that are not shown. Errors are shown always.
    pub allowed: Vec<String>,
}

impl Settings {
    /// Whether warnings of this code are switched off.
    pub fn is_allowed(&self, code: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == code)
    }

    pub fn shows(&self, finding: &Diagnostic) -> bool {
        finding.severity == Severity::Error || !self.is_allowed(finding.code)
    }
}

/// Everything wrong in a file, syntax included, in order of place.
pub fn file_diagnostics<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    file_diagnostics_with(db, file, &Settings::default())
}

/// The same, without the warnings that are switched off.
pub fn file_diagnostics_with<'db>(db: &'db dyn Db, file: ProjectFile<'db>, settings: &Settings) -> Vec<Diagnostic> {
    let parse = file.file(db).parse(db);
    let mut diagnostics = own_findings(db, file).clone();
    diagnostics.extend_from_slice(&use_findings(db, file));
    diagnostics.retain(|found| settings.shows(found));
    leave_out_consequences(&mut diagnostics);
    damage::leave_out_consequences(db, file, &mut diagnostics);
    // Included files are not told about everything, and nobody is told about names in text that cannot be read.
    let is_complete = !file.is_included(db) && usage::is_readable(db, file.project(db));
    let line_of = |at: TextSize| parse.text().line_of(at);
    suppress::apply(
        suppress::comments(db, file.file(db)),
        &mut diagnostics,
        line_of,
        |code| settings.is_allowed(code),
        is_complete,
    );
    diagnostics.retain(|found| settings.shows(found));
    diagnostics.sort_by(|a, b| (a.range.start(), a.range.end(), a.code).cmp(&(b.range.start(), b.range.end(), b.code)));
    diagnostics
}

/// What is found without a look at who mentions which names elsewhere. One query for the file, so that after a keystroke somewhere
/// else one look tells that all of it still holds.
#[salsa::tracked]
fn own_findings<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    let parse = file.file(db).parse(db);
    let mut diagnostics = parse.errors().to_vec();
    let Some(ast) = parse.p() else { return diagnostics };
    diagnostics.extend_from_slice(comments_in_comments(db, file.file(db)));
    diagnostics.extend(useless_abstractions(db, file));
    // On a line that cannot be read, what else is found in code is mostly of the same making.
    let broken_lines: Vec<u32> = parse.errors().iter().map(|error| parse.text().line_of(error.range.start())).collect();
    let is_readable_line = |range: TextRange| !broken_lines.contains(&parse.text().line_of(range.start()));
    for (item, &decl) in ast.items.iter().zip(decls(db, file)) {
        diagnostics.extend(check_decl(db, decl).iter().map(|problem| place(db, file, item, problem)));
        diagnostics.extend(check_effects(db, decl).iter().map(|problem| place(db, file, item, problem)));
        diagnostics.extend(check_module(db, decl).map(|problem| place(db, file, item, problem)));
        let expansion = check_expansion(db, decl).iter().chain(check_test_names(db, decl));
        diagnostics.extend(expansion.map(|problem| place(db, file, item, problem)));
        for &code in codes(db, decl) {
            let found = check_body(db, code).problems.iter().map(|problem| place(db, file, item, problem));
            diagnostics.extend(found.filter(|found| is_readable_line(found.range)));
        }
        if is_read(parse, item) {
            diagnostics.extend(lint_decl(db, decl).iter().map(|problem| place(db, file, item, problem)));
            for &code in codes(db, decl) {
                diagnostics.extend(lint_body(db, code).iter().map(|problem| place(db, file, item, problem)));
            }
        }
    }
    // A return statement may be what could not be read.
    let is_readable = |range: TextRange| !parse.errors().iter().any(|error| range.contains_range(error.range));
    diagnostics.retain(|found| found.code != Code::MissingReturn.number() || is_readable(found.range));
    diagnostics
}

/// Whether all of a declaration could be read: what seems to have no use may be used in what could not.
fn is_read(parse: &Parse, item: &Placed<Item>) -> bool {
    let whole = TextRange::at(item.start, item.value.len);
    !parse.errors().iter().any(|error| whole.intersect(error.range).is_some())
}

/// What is doubtful in view of who mentions which names elsewhere.
fn use_findings<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Cow<'db, [Diagnostic]> {
    let recent = usage::recent(db, file.project(db));
    if !names_asked_for(db, file).iter().any(|name| recent.concerns(name)) {
        return Cow::Borrowed(settled_use_findings(db, file));
    }
    Cow::Owned(placed_uses(db, file, |decl| lint_uses(db, decl, recent)))
}

#[salsa::tracked]
fn settled_use_findings<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    placed_uses(db, file, |decl| Cow::Borrowed(&lint_settled_uses(db, decl).problems))
}

/// The names that the uses in a file were found out from.
#[salsa::tracked]
fn names_asked_for<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = decls(db, file).iter().flat_map(|decl| &lint_settled_uses(db, *decl).asked).cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn placed_uses<'db>(
    db: &'db dyn Db,
    file: ProjectFile<'db>,
    problems: impl Fn(Decl<'db>) -> Cow<'db, [Problem<'db>]>,
) -> Vec<Diagnostic> {
    let parse = file.file(db).parse(db);
    let Some(ast) = parse.p() else { return Vec::new() };
    let read = ast.items.iter().zip(decls(db, file)).filter(|(item, _)| is_read(parse, item));
    let mut found = Vec::new();
    for (item, &decl) in read {
        found.extend(problems(decl).iter().map(|problem| place(db, file, item, problem)));
    }
    found
}

/// How many errors there are in a project.
pub fn project_errors(db: &dyn Db, project: Project) -> usize {
    project_files(db, project).map(|file| file_errors(db, file)).sum()
}

/// How many errors there are in a file. Who mentions which names makes warnings only.
#[salsa::tracked(returns(copy))]
fn file_errors<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> usize {
    let mut errors: Vec<Diagnostic> = own_findings(db, file).clone();
    errors.retain(|found| found.severity == Severity::Error);
    damage::leave_out_consequences(db, file, &mut errors);
    errors.len()
}

/// Takes out warnings about what an error is about: they are mostly the same mistake.
fn leave_out_consequences(diagnostics: &mut Vec<Diagnostic>) {
    let mut errors: Vec<TextRange> =
        diagnostics.iter().filter(|found| found.severity == Severity::Error).map(|found| found.range).collect();
    errors.sort_by_key(|range| range.start());
    // Errors are seldom within each other: those that begin last in front of a place are looked at.
    let is_same = |range: TextRange| {
        let after = errors.partition_point(|error| error.start() < range.end());
        errors[after.saturating_sub(NEAR)..after].iter().any(|error| error.end() > range.start())
    };
    diagnostics.retain(|found| found.severity == Severity::Error || !is_same(found.range));
}

/// How many errors around a place are looked at.
const NEAR: usize = 16;

fn place<'db>(db: &'db dyn Db, file: ProjectFile<'db>, item: &Placed<Item>, problem: &Problem<'db>) -> Diagnostic {
    let related = problem.related.iter().filter_map(|related| {
        let their_file = related.decl.file(db);
        let key = DeclKey::of(db, related.decl);
        let parse = their_file.file(db).parse(db);
        let item = parse.p()?.items.get(*decl_indexes(db, their_file).get(&key)?)?;
        let path = (their_file != file).then(|| their_file.file(db).path(db).clone());
        Some(Related { path, range: range(parse.text(), item, related.place), message: related.message.clone() })
    });
    let text = file.file(db).parse(db).text();
    let mut diagnostic = Diagnostic {
        code: problem.code.number(),
        severity: problem.code.severity(),
        range: range(text, item, problem.place),
        message: problem.message.clone(),
        help: problem.help.clone(),
        related: related.collect(),
        fix: problem.fix.as_ref().map(|fix| placed_fix(text, item, fix)),
        is_unused: problem.code.is_unused(),
    };
    match problem.similar.as_ref().map(|similar| most_similar(db, file.project(db), similar)).as_deref() {
        Some([name]) => {
            diagnostic.help = Some(format!("did you mean `{name}`?"));
            let edits = vec![Edit { range: diagnostic.range, insert: name.to_string() }];
            diagnostic.fix = Some(lockstep_base::Fix { title: format!("replace it by `{name}`"), edits });
        }
        // Which of them only the reader knows.
        Some([one, other]) => diagnostic.help = Some(format!("did you mean `{one}` or `{other}`?")),
        _ => {}
    }
    diagnostic
}

fn placed_fix(text: &Text, item: &Placed<Item>, fix: &Fix) -> lockstep_base::Fix {
    let edits = fix.changes.iter().map(|change| {
        let range = range(text, item, change.place);
        let range = match change.at {
            Where::Before => TextRange::empty(range.start()),
            Where::Instead => range,
            Where::After => TextRange::empty(range.end()),
        };
        Edit { range, insert: change.text.clone() }
    });
    lockstep_base::Fix { title: fix.title.clone(), edits: edits.collect() }
}

/// The names that differ least from what is written, if they differ little, in order. If one of them begins with what is written, it
/// is the one.
fn most_similar<'a>(db: &'a dyn Db, project: Project, similar: &'a Similar) -> Vec<&'a SmolStr> {
    let written = similar.written.to_ascii_lowercase();
    // One letter for another says nothing where there are only two.
    let most = if written.len() < 3 { 0 } else { 1 + written.chars().count() / 6 };
    let near = similar.names.iter().map(|name| (0, name));
    let far = names(db, project).in_spaces(similar.spaces).map(|name| (1, name));
    let mut found: Vec<_> = near
        .chain(far)
        .filter(|(_, name)| name.len().abs_diff(written.len()) <= most && **name != similar.written)
        .map(|(far, name)| (strsim::osa_distance(&written, &name.to_ascii_lowercase()), far, name))
        .filter(|(distance, ..)| *distance <= most && *distance < written.len())
        .collect();
    let Some(&(least, nearest, _)) = found.iter().min() else { return Vec::new() };
    found.retain(|(distance, far, _)| (*distance, *far) == (least, nearest));
    let mut names: Vec<&SmolStr> = found.into_iter().map(|(_, _, name)| name).collect();
    names.sort_unstable();
    names.dedup();
    let mut begun = names.iter().copied().filter(|name| name.to_ascii_lowercase().starts_with(&written));
    match (begun.next(), begun.next()) {
        (Some(only), None) => vec![only],
        _ => names,
    }
}

fn range(text: &Text, item: &Placed<Item>, place: Place) -> TextRange {
    let value = &item.value;
    let (spans, whole, start) = match place.body.and_then(|nth| value.bodies.get(nth as usize)) {
        Some(body) => (&body.value.spans, TextRange::up_to(body.value.len), item.start + body.start),
        None => (&value.spans, TextRange::up_to(value.len), item.start),
    };
    match place.node {
        Node::Word(word, at) => word_range(text, word, at, node_range(spans, whole, anchor(at)) + start),
        node => node_range(spans, whole, node) + start,
    }
}

fn node_range(spans: &Spans, whole: TextRange, node: Node) -> TextRange {
    match node {
        Node::Name(id) => spans[id],
        Node::Type(id) => spans[id],
        Node::Expr(id) => spans[id],
        Node::Stmt(id) => spans[id],
        Node::Module(id) => spans[id],
        Node::Part(id) => spans[id],
        Node::Word(..) | Node::Whole => whole,
    }
}

/// The node that a word stands at.
fn anchor(at: WordAt) -> Node {
    match at {
        WordAt::Start => Node::Whole,
        WordAt::StartOf(expr) | WordAt::BeforeExpr(expr) => Node::Expr(expr),
        WordAt::StartOfPart(part) => Node::Part(part),
        WordAt::BeforeName(name) => Node::Name(name),
    }
}

/// Where a word stands at or before `near`; if it is not found there, `near` itself.
fn word_range(text: &Text, word: &'static str, at: WordAt, near: TextRange) -> TextRange {
    let length = TextSize::of(word);
    match at {
        WordAt::Start | WordAt::StartOf(_) | WordAt::StartOfPart(_) => {
            if near.len() >= length {
                TextRange::at(near.start(), length)
            } else {
                near
            }
        }
        WordAt::BeforeExpr(_) | WordAt::BeforeName(_) => {
            // A few lines suffice: what stands between is white space and perhaps a comment.
            let first = text.line_start(text.line_of(near.start()).saturating_sub(3));
            let before = text.slice(TextRange::new(first, near.start()));
            let found = before.rfind(word).and_then(|at| TextSize::try_from(at).ok());
            found.map_or(near, |at| TextRange::at(first + at, length))
        }
    }
}

/// Where in its file a node of a declaration is.
pub fn place_range<'db>(db: &'db dyn Db, decl: Decl<'db>, place: Place) -> Option<TextRange> {
    let file = decl.file(db);
    let index = *decl_indexes(db, file).get(&DeclKey::of(db, decl))?;
    let parse = file.file(db).parse(db);
    Some(range(parse.text(), parse.p()?.items.get(index)?, place))
}
