//! Problems with their positions: what a file shows.

use lockstep_base::{Diagnostic, Related, Severity, TextRange};
use lockstep_syntax::p::ast::{Item, Placed, Spans};

use crate::body::check_body;
use crate::check::check_decl;
use crate::db::{Db, ProjectFile};
use crate::declaration::{codes, decls};
use crate::effects::check_effects;
use crate::problem::{Code, Node, Place, Problem};

/// Everything wrong in a file, syntax included, in order of place. Related places in other files are left out for now.
pub fn file_diagnostics<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    let parse = &file.file(db).parse(db).0;
    let mut diagnostics = parse.errors().to_vec();
    let Some(ast) = parse.p() else { return diagnostics };
    for (item, &decl) in ast.items.iter().zip(decls(db, file)) {
        diagnostics.extend(check_decl(db, decl).iter().map(|problem| place(db, file, item, problem)));
        diagnostics.extend(check_effects(db, decl).iter().map(|problem| place(db, file, item, problem)));
        for &code in codes(db, decl) {
            diagnostics.extend(check_body(db, code).problems.iter().map(|problem| place(db, file, item, problem)));
        }
    }
    // A return statement may be what could not be read.
    let broken: Vec<TextRange> = parse.errors().iter().map(|error| error.range).collect();
    let is_readable = |range: TextRange| !broken.iter().any(|error| range.contains_range(*error));
    diagnostics.retain(|found| found.code != Code::MissingReturn.number() || is_readable(found.range));
    diagnostics.sort_by(|a, b| (a.range.start(), a.range.end(), a.code).cmp(&(b.range.start(), b.range.end(), b.code)));
    diagnostics
}

fn place<'db>(db: &'db dyn Db, file: ProjectFile<'db>, item: &Placed<Item>, problem: &Problem<'db>) -> Diagnostic {
    let related = problem.related.iter().filter(|related| related.decl.file(db) == file).filter_map(|related| {
        let index = decls(db, file).iter().position(|decl| *decl == related.decl)?;
        let item = file.file(db).parse(db).0.p()?.items.get(index)?;
        Some(Related { range: range(item, related.place), message: related.message.clone() })
    });
    Diagnostic {
        code: problem.code.number(),
        severity: Severity::Error,
        range: range(item, problem.place),
        message: problem.message.clone(),
        help: problem.help.clone(),
        related: related.collect(),
    }
}

fn range(item: &Placed<Item>, place: Place) -> TextRange {
    let value = &item.value;
    match place.body.and_then(|nth| value.bodies.get(nth as usize)) {
        Some(body) => {
            let whole = TextRange::up_to(body.value.len);
            node_range(&body.value.spans, whole, place.node) + item.start + body.start
        }
        None => node_range(&value.spans, TextRange::up_to(value.len), place.node) + item.start,
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
        Node::Whole => whole,
    }
}
