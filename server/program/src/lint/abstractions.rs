//! Comments `abstract(...)` that take nothing together: no assignment in their line, or none of what they name in what is assigned.

use lockstep_base::{Diagnostic, Edit, Fix, TextRange};
use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Item, Placed, Stmt};

use crate::body::expr_types;
use crate::db::{Db, ProjectFile};
use crate::declaration::{Decl, codes, decls};
use crate::problem::Code;
use crate::stack;
use crate::suppress::{Comment, Kept, comments};
use crate::ty::Ty;

/// The fields with this name that comments `abstract(...)` of a file are about: where they stand, and the types of what is assigned there.
pub fn abstracted_fields<'db>(db: &'db dyn Db, file: ProjectFile<'db>, name: &str) -> Vec<(TextRange, Vec<Ty>)> {
    let parse = file.file(db).parse(db);
    let Some(ast) = parse.p() else { return Vec::new() };
    let mut found = Vec::new();
    for comment in comments(db, file.file(db)) {
        let Some((line, _)) = comment.abstraction() else { continue };
        for (_, range) in comment.fields().iter().filter(|(field, _)| field == name) {
            let items = ast.items.iter().zip(decls(db, file));
            let assigned = items.flat_map(|(item, &decl)| assigned_in(db, parse, item, decl, line)).collect();
            found.push((*range, assigned));
        }
    }
    found
}

pub(crate) fn useless_abstractions<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    let parse = file.file(db).parse(db);
    let mut found = Vec::new();
    // An assignment may be what could not be read.
    let Some(ast) = parse.p().filter(|_| parse.errors().is_empty()) else { return found };
    for comment in comments(db, file.file(db)) {
        let Some((line, kept)) = comment.abstraction() else { continue };
        let items = ast.items.iter().zip(decls(db, file));
        let assigned: Vec<Ty> = items.flat_map(|(item, &decl)| assigned_in(db, parse, item, decl, line)).collect();
        if assigned.is_empty() {
            found.push(useless(comment, "there is no assignment in the line that this comment is about".to_owned(), true));
            continue;
        }
        let vain: Vec<&Kept> = kept.iter().filter(|one| !assigned.iter().any(|ty| has(ty, one))).collect();
        for (number, one) in vain.iter().enumerate() {
            let message = match &one.field {
                Some(field) => format!("what is assigned has no number in a field `{field}`"),
                None => "what is assigned is no number".to_owned(),
            };
            found.push(useless(comment, message, number == 0 && vain.len() == kept.len()));
        }
    }
    found
}

/// `removes` is whether nothing in the comment is of use.
fn useless(comment: &Comment, message: String, removes: bool) -> Diagnostic {
    let mut problem = Diagnostic::warning(Code::UselessAbstraction.number(), comment.range, message)
        .with_help("`abstract(...)` stands at the assignment of the values that need not be told apart");
    let edits = vec![Edit { range: comment.whole, insert: String::new() }];
    problem.fix = removes.then(|| Fix { title: "remove the comment".to_owned(), edits });
    problem
}

/// The types of what assignments store that begin in a line; of those that store something in an `any`, of what they store.
fn assigned_in<'db>(db: &'db dyn Db, parse: &Parse, item: &Placed<Item>, decl: Decl<'db>, line: u32) -> Vec<Ty> {
    let line_of = |at| parse.text().line_of(at);
    let whole = TextRange::at(item.start, item.value.len);
    if !(line_of(whole.start())..=line_of(whole.end())).contains(&line) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for &code in codes(db, decl) {
        let Some(body) = item.value.bodies.get(code.nth(db) as usize) else { continue };
        let is_here = |start| line_of(item.start + body.start + start) == line;
        let assigned = body.value.nodes.stmts.iter().filter_map(|(id, stmt)| match stmt {
            Stmt::Assign { value, .. } if is_here(body.value.spans[id].start()) => Some(*value),
            _ => None,
        });
        let assigned: Vec<_> = assigned.collect();
        if !assigned.is_empty() {
            let types = expr_types(db, code);
            found.extend(assigned.into_iter().map(|value| types.get(&value).cloned().unwrap_or(Ty::Error)));
        }
    }
    found
}

/// Whether values of a type can have what is taken together.
fn has(ty: &Ty, kept: &Kept) -> bool {
    let is_number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Enum(_) | Ty::Any | Ty::Data | Ty::Error);
    let Some(field) = &kept.field else { return is_number(ty) };
    stack::level(|| match ty {
        Ty::Any | Ty::Data | Ty::Error => true,
        Ty::Seq(inner) | Ty::Map(_, inner) => has(inner, kept),
        Ty::Tuple(items) => items.iter().any(|item| has(item, kept)),
        Ty::NamedTuple(items) => items.iter().any(|(name, item)| if name == field { is_number(item) } else { has(item, kept) }),
        _ => false,
    })
}
