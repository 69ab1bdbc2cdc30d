//! The file in which something is to be changed: nodes by their places, types, and the white space around them.

use lockstep_base::{Diagnostic, Edit, Text, TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{Db, Decl, Project, ProjectFile, SourceFile, codes, expr_types, project_files};
use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, Item, Machine, Nodes, Placed, Spans, Stmt, StmtId};

use super::super::names::items;
use super::{ActionKind, Proposal};

pub(super) struct Site<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) file: ProjectFile<'db>,
    pub(super) parse: &'db Parse,
    pub(super) text: &'db Text,
}

/// A declaration, or the code of one of its functions and handlers, with its nodes.
#[derive(Clone, Copy)]
pub(super) struct Unit<'db> {
    pub(super) item: &'db Placed<Item>,
    pub(super) decl: Decl<'db>,
    pub(super) body: Option<u32>,
    pub(super) nodes: &'db Nodes,
    spans: &'db Spans,
    pub(super) start: TextSize,
}

impl<'db> Unit<'db> {
    /// Where a node is.
    pub(super) fn range<I>(&self, id: I) -> TextRange
    where
        Spans: std::ops::Index<I, Output = TextRange>,
    {
        self.spans[id] + self.start
    }

    /// Where a node of the declaration is, also if this is its code.
    pub(super) fn item_range<I>(&self, id: I) -> TextRange
    where
        Spans: std::ops::Index<I, Output = TextRange>,
    {
        self.item.value.spans[id] + self.item.start
    }

    /// The expression that is exactly this range, the outermost if there are several.
    pub(super) fn expr(&self, range: TextRange) -> Option<(ExprId, &'db Expr)> {
        self.nodes.exprs.iter().rfind(|(id, _)| self.range(*id) == range)
    }

    pub(super) fn stmt(&self, range: TextRange) -> Option<(StmtId, &'db Stmt)> {
        self.nodes.stmts.iter().find(|(id, _)| self.range(*id) == range)
    }

    pub(super) fn machine(&self) -> Option<&'db Machine> {
        match &self.item.value.decl {
            AstDecl::Machine(machine) => Some(machine),
            _ => None,
        }
    }

    pub(super) fn whole(&self) -> TextRange {
        TextRange::at(self.item.start, self.item.value.len)
    }

    /// The types of its expressions; empty outside of code.
    pub(super) fn types(&self, db: &'db dyn Db) -> rustc_hash::FxHashMap<ExprId, Ty> {
        let code = self.body.and_then(|body| codes(db, self.decl).get(body as usize));
        code.map(|code| expr_types(db, *code)).unwrap_or_default()
    }
}

impl<'db> Site<'db> {
    pub(super) fn new(db: &'db dyn Db, file: ProjectFile<'db>) -> Self {
        let parse = file.file(db).parse(db);
        Self { db, file, parse, text: parse.text() }
    }

    pub(super) fn input(&self) -> SourceFile {
        self.file.file(self.db)
    }

    pub(super) fn project(&self) -> Project {
        self.file.project(self.db)
    }

    pub(super) fn slice(&self, range: TextRange) -> String {
        self.text.slice(range).into_owned()
    }

    /// The declaration around a range.
    pub(super) fn item(&self, range: TextRange) -> Option<Unit<'db>> {
        let around = |item: &Placed<Item>| TextRange::at(item.start, item.value.len).contains_range(range);
        let (item, decl) = items(self.db, self.file).filter(|(item, _)| around(item)).last()?;
        let value = &item.value;
        Some(Unit { item, decl, body: None, nodes: &value.nodes, spans: &value.spans, start: item.start })
    }

    /// The code around a range.
    pub(super) fn code(&self, range: TextRange) -> Option<Unit<'db>> {
        let item = self.item(range)?;
        bodies(item).find(|unit| unit.code_range().contains_range(range))
    }

    /// The code around a range, or else the declaration.
    pub(super) fn unit(&self, range: TextRange) -> Option<Unit<'db>> {
        self.code(range).or_else(|| self.item(range))
    }

    /// A fix in this file.
    pub(super) fn fix(&self, title: impl Into<String>, edits: impl IntoIterator<Item = Edit>) -> Proposal {
        let edits = edits.into_iter().map(|edit| (self.input(), edit)).collect();
        Proposal { title: title.into(), kind: ActionKind::Fix, is_preferred: false, edits }
    }

    /// Whether all that a change touches could be read, apart from what the fix of a syntax error mends.
    pub(super) fn is_readable(&self, fix: &Proposal, finding: &Diagnostic) -> bool {
        finding.code < "LS01" && finding.code != "LS0005" || self.can_be_changed(fix)
    }

    /// Whether the declarations that a change touches have no syntax errors. The reserved name that a fix takes away is none.
    pub(super) fn can_be_changed(&self, change: &Proposal) -> bool {
        change.edits.iter().all(|(file, edit)| is_read(file.parse(self.db), edit.range))
    }

    /// What stands before the first word of the line that a place is in.
    pub(super) fn indent(&self, at: TextSize) -> String {
        let line = self.line_before(at);
        line[..line.len() - line.trim_start().len()].to_owned()
    }

    /// The line of a place, up to it.
    pub(super) fn line_before(&self, at: TextSize) -> String {
        self.slice(TextRange::new(self.text.line_start(self.text.line_of(at)), at))
    }

    /// The rest of the line of a place, without its end.
    pub(super) fn line_after(&self, at: TextSize) -> String {
        let next = self.text.line_of(at) + 1;
        let end = if next < self.text.line_count() { self.text.line_start(next) } else { self.text.len() };
        self.slice(TextRange::new(at, end)).trim_end_matches(['\n', '\r']).to_owned()
    }

    /// By how much the file indents: as the first line that is indented.
    pub(super) fn step(&self) -> String {
        let text = self.text.to_string();
        let first = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        match first {
            Some(line) if line.starts_with('\t') => "\t".to_owned(),
            Some(line) => " ".repeat((line.len() - line.trim_start_matches(' ').len()).clamp(2, 8)),
            None => "    ".to_owned(),
        }
    }

    /// What is removed with a range: the line with it if nothing else is there, or else the blanks before it.
    pub(super) fn with_line(&self, range: TextRange) -> TextRange {
        let (before, after) = (self.line_before(range.start()), self.line_after(range.end()));
        if before.trim().is_empty() && after.trim().is_empty() {
            let next = self.text.line_of(range.end()) + 1;
            let end = if next < self.text.line_count() { self.text.line_start(next) } else { self.text.len() };
            return TextRange::new(range.start() - TextSize::of(before.as_str()), end);
        }
        if before.trim().is_empty() {
            return TextRange::new(range.start(), range.end() + (size(after.len()) - size(after.trim_start().len())));
        }
        TextRange::new(range.start() - (size(before.len()) - size(before.trim_end().len())), range.end())
    }

    /// An edit that removes all there is on a line removes the line.
    pub(super) fn whole_line(&self, edit: Edit) -> Edit {
        match edit.insert.is_empty() && !edit.range.is_empty() {
            true => Edit { range: self.with_line(edit.range), ..edit },
            false => edit,
        }
    }

    pub(super) fn removal(&self, range: TextRange) -> Edit {
        Edit { range: self.with_line(range), insert: String::new() }
    }

    /// Removes one of several things with commas between them. `None` if it is the only one.
    pub(super) fn removal_from_list(&self, all: &[TextRange], index: usize) -> Option<Edit> {
        let range = match (index.checked_sub(1).and_then(|before| all.get(before)), all.get(index)?, all.get(index + 1)) {
            (Some(before), one, _) => TextRange::new(before.end(), one.end()),
            (None, one, Some(next)) => TextRange::new(one.start(), next.start()),
            (None, ..) => return None,
        };
        Some(Edit { range, insert: String::new() })
    }

    /// Lines behind all others in a block that ends with the brace at `brace`, and begins in the line of `opened`. Each line is
    /// indented by as many steps as it has tabs in front.
    pub(super) fn at_end_of_block(&self, opened: TextSize, brace: TextSize, lines: &[String]) -> Edit {
        let before = self.line_before(brace);
        let is_alone = before.trim().is_empty();
        let own = if is_alone { before.clone() } else { self.indent(opened) };
        let step = self.step();
        let written: String = lines.iter().map(|line| indented(&own, &step, line, 1)).collect();
        match is_alone {
            true => Edit { range: TextRange::empty(brace - TextSize::of(before.as_str())), insert: written },
            false => {
                let blank = size(before.len()) - size(before.trim_end().len());
                Edit { range: TextRange::new(brace - blank, brace), insert: format!("\n{written}{own}") }
            }
        }
    }

    /// Where a declaration begins with the comments right above it.
    pub(super) fn start_with_comments(&self, start: TextSize) -> TextSize {
        let mut line = self.text.line_of(start);
        while line > 0 {
            let above = self.line_after(self.text.line_start(line - 1));
            if !above.trim_start().starts_with("//") {
                break;
            }
            line -= 1;
        }
        self.text.line_start(line).min(start)
    }

    /// Lines of a declaration, before the one that begins at `start`.
    pub(super) fn above(&self, start: TextSize, lines: &[String]) -> Edit {
        let step = self.step();
        let written: String = lines.iter().map(|line| indented("", &step, line, 0)).collect();
        Edit { range: TextRange::empty(self.start_with_comments(start)), insert: written }
    }

    /// A name that is used nowhere in the project, beginning with `wish`.
    pub(super) fn free_name(&self, wish: &str) -> String {
        let taken = |name: &str| {
            project_files(self.db, self.project())
                .any(|file| lockstep_program::mentioned_names(self.db, file.file(self.db)).contains(name))
        };
        if !taken(wish) && !lockstep_syntax::Language::P.is_reserved(wish) {
            return wish.to_owned();
        }
        let numbered = (2..).map(|number| format!("{wish}{number}"));
        { numbered }.find(|name| !taken(name)).unwrap_or_default()
    }
}

/// The code of a declaration.
pub(super) fn bodies<'db>(item: Unit<'db>) -> impl Iterator<Item = Unit<'db>> {
    (0..).zip(&item.item.value.bodies).map(move |(nth, body)| Unit {
        body: Some(nth),
        nodes: &body.value.nodes,
        spans: &body.value.spans,
        start: item.item.start + body.start,
        ..item
    })
}

impl Unit<'_> {
    /// All of the code, with its braces.
    pub(super) fn code_range(&self) -> TextRange {
        let body = self.body.and_then(|body| self.item.value.bodies.get(body as usize));
        body.map_or_else(|| self.whole(), |body| TextRange::at(self.item.start + body.start, body.value.len))
    }
}

/// Whether a place is in no declaration with a syntax error, and in no other text that could not be read.
fn is_read(parse: &Parse, range: TextRange) -> bool {
    let Some(ast) = parse.p() else { return false };
    let errors: Vec<TextRange> = parse.errors().iter().filter(|error| error.code != "LS0005").map(|error| error.range).collect();
    let touches = |around: TextRange| errors.iter().any(|error| around.intersect(*error).is_some());
    let mut around = range;
    for item in &ast.items {
        let whole = TextRange::at(item.start, item.value.len);
        if whole.intersect(range).is_some() {
            if item.value.is_damaged {
                return false;
            }
            around = around.cover(whole);
        }
    }
    !touches(around)
}

fn indented(own: &str, step: &str, line: &str, deeper: usize) -> String {
    let text = line.trim_start_matches('\t');
    let depth = line.len() - text.len() + deeper;
    if text.is_empty() { "\n".to_owned() } else { format!("{own}{}{text}\n", step.repeat(depth)) }
}

pub(super) fn size(length: usize) -> TextSize {
    TextSize::try_from(length).unwrap_or_default()
}

pub(super) fn replace(range: TextRange, insert: impl Into<String>) -> Edit {
    Edit { range, insert: insert.into() }
}

pub(super) fn insert(at: TextSize, text: impl Into<String>) -> Edit {
    replace(TextRange::empty(at), text)
}

/// A type as it is written, if it can be written.
pub(super) fn written(ty: &Ty) -> Option<String> {
    let text = ty.to_string();
    (!text.contains('?') && !text.contains('…') && !text.contains("null")).then_some(text)
}
