//! What there is of each kind, as completions.

use lockstep_syntax::icet::ast::{Primitive, Type};

use super::snippets::Snippet;
use crate::icet::context::{Context, Local};
use crate::icet::hover::{code, signature};
use crate::icet::program::{DeclId, Declaration, NameKind, Program, Ty};
use crate::{Completion, CompletionKind};

/// Collects completions.
pub(super) struct Offers<'c, 'p> {
    pub(super) program: &'c Program<'p>,
    pub(super) context: &'c Context,
    /// Whether parentheses stand behind the cursor already.
    is_called: bool,
    items: Vec<Completion>,
}

/// What comes first among values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefer {
    Nothing,
    Pids,
    Sets,
    PidsAndSets,
}

impl<'c, 'p> Offers<'c, 'p> {
    pub(super) fn new(program: &'c Program<'p>, context: &'c Context, is_called: bool) -> Self {
        Self { program, context, is_called, items: Vec::new() }
    }

    /// By rank, then by label; each label once.
    pub(super) fn into_items(mut self) -> Vec<Completion> {
        self.items.sort_by(|a, b| (&a.label, a.rank, a.kind).cmp(&(&b.label, b.rank, b.kind)));
        self.items.dedup_by(|later, first| later.label == first.label);
        self.items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        self.items
    }

    pub(super) fn keywords(&mut self, words: &[&str]) {
        for word in words {
            self.add(word, CompletionKind::Keyword, None, 4);
        }
    }

    pub(super) fn snippets(&mut self, snippets: &[Snippet]) {
        for Snippet { label, insert } in snippets {
            self.items.push(Completion {
                label: (*label).to_owned(),
                kind: CompletionKind::Snippet,
                detail: None,
                insert: (*insert).to_owned(),
                is_snippet: true,
                rank: 5,
            });
        }
    }

    pub(super) fn messages(&mut self) {
        self.declared(|kind| kind == NameKind::Message, 1);
    }

    pub(super) fn sets(&mut self) {
        self.declared(|kind| kind == NameKind::Set, 1);
    }

    pub(super) fn types(&mut self) {
        let is_type = |kind| matches!(kind, NameKind::Type | NameKind::Enum | NameKind::Set | NameKind::Process);
        self.declared(is_type, 1);
        self.keywords(&["bool", "int", "pid"]);
        self.snippets(&super::snippets::TYPES);
    }

    /// The elements of the enum `of`, or of all enums.
    pub(super) fn elements(&mut self, of: Option<Ty>) {
        let program = self.program;
        let wanted = of.and_then(|ty| match program.resolved(ty) {
            Ty::Enum(id) => Some(id),
            _ => None,
        });
        for (id, declaration) in program.declarations.iter().enumerate() {
            let fits = wanted.is_none() || declaration.owner == wanted;
            if declaration.kind == NameKind::EnumElement && fits {
                self.declaration(id, 1);
            }
        }
    }

    /// Variables that can be assigned here.
    pub(super) fn places(&mut self) {
        let context = self.context;
        for local in context.locals.iter().filter(|local| matches!(local.kind, NameKind::Variable | NameKind::Ghost)) {
            self.local(local, 0);
        }
        self.declared(|kind| kind == NameKind::SharedGhost, 1);
    }

    /// Everything that has a value, but for elements of enums.
    pub(super) fn values(&mut self, prefer: Prefer) {
        let (program, context) = (self.program, self.context);
        // The variable of a loop is not known in the loop's own set.
        let is_known =
            |local: &&Local| context.head().get(1).is_none_or(|word| word.range != local.range) || !is_set_of_loop(context);
        for local in context.locals.iter().filter(is_known) {
            let rank = if preferred(program, prefer, self.local_type(local), local.kind) { 0 } else { 1 };
            self.local(local, rank);
        }
        for (id, declaration) in program.declarations.iter().enumerate() {
            let has_value =
                matches!(declaration.kind, NameKind::Set | NameKind::Constant | NameKind::SharedGhost | NameKind::Process);
            if has_value && program.global(&declaration.name) == Some(id) {
                let is_preferred = preferred(program, prefer, declaration.ty, declaration.kind);
                self.declaration(id, if is_preferred { 0 } else { 2 });
            }
        }
    }

    pub(super) fn builtins(&mut self) {
        let context = self.context;
        self.function("card");
        let first = context.head().first().map_or("", |word| word.text.as_str());
        if matches!(first, "invariant" | "ensures") || context.has_in_head("invariant") {
            self.function("finished");
            self.function("here");
        }
    }

    fn function(&mut self, name: &str) {
        let insert = if self.is_called { name.to_owned() } else { format!("{name}($1)$0") };
        let is_snippet = !self.is_called;
        let (label, kind) = (name.to_owned(), CompletionKind::Function);
        self.items.push(Completion { label, kind, detail: None, insert, is_snippet, rank: 3 });
    }

    /// What can follow the dot right before the cursor.
    pub(super) fn fields_before_dot(&mut self) {
        let ty = self.value_before(self.context.words.len() - 1);
        for id in self.program.fields(ty) {
            self.declaration(id, 1);
        }
    }

    /// What is declared at the top and of such a kind.
    pub(super) fn declared(&mut self, fits: impl Fn(NameKind) -> bool, rank: u8) {
        let program = self.program;
        for (id, declaration) in program.declarations.iter().enumerate() {
            if fits(declaration.kind) && program.global(&declaration.name) == Some(id) {
                self.declaration(id, rank);
            }
        }
    }

    fn declaration(&mut self, id: DeclId, rank: u8) {
        let program = self.program;
        let declaration = &program.declarations[id];
        let takes = matches!(declaration.kind, NameKind::Message | NameKind::EnumElement);
        let parts = if takes { program.payload(id).len() } else { 0 };
        let mut insert = declaration.name.to_string();
        let is_snippet = parts > 0 && !self.is_called;
        if is_snippet {
            let places: Vec<String> = (1..=parts).map(|place| format!("${place}")).collect();
            insert = format!("{insert}({})$0", places.join(", "));
        }
        let (label, kind) = (declaration.name.to_string(), completion_kind(declaration.kind));
        self.items.push(Completion { label, kind, detail: detail(program, declaration), insert, is_snippet, rank });
    }

    fn local(&mut self, local: &Local, rank: u8) {
        match self.program.declaration_at(local.range) {
            Some(id) => self.declaration(id, rank),
            None => self.add(&local.name, completion_kind(local.kind), local.ty.clone(), rank),
        }
    }

    fn add(&mut self, label: &str, kind: CompletionKind, detail: Option<String>, rank: u8) {
        let (label, insert) = (label.to_owned(), label.to_owned());
        self.items.push(Completion { label, kind, detail, insert, is_snippet: false, rank });
    }

    // ---- Types of what is written ----

    /// The type of the value that ends before the word at `end`: a name with what follows it by dots and indices.
    pub(super) fn value_before(&self, end: usize) -> Ty {
        let context = self.context;
        let mut steps = Vec::new();
        let mut at = end;
        let root = loop {
            let Some(last) = at.checked_sub(1) else { return Ty::Unknown };
            let word = &context.words[last];
            let is_part = context.word(last.wrapping_sub(1)) == ".";
            at = match word.text.as_str() {
                "]" => {
                    steps.push(Step::Index);
                    match self.opening(last) {
                        Some(open) => open,
                        None => return Ty::Unknown,
                    }
                }
                text if is_part => {
                    steps.push(text.parse().map_or_else(|_| Step::Field(text), Step::Part));
                    last - 1
                }
                text => break text,
            };
        };
        let local = context.locals.iter().rev().find(|local| local.name == root);
        let global = || self.program.global(root).map_or(Ty::Unknown, |id| self.program.declarations[id].ty);
        let root = local.map_or_else(global, |local| self.local_type(local));
        steps.iter().rev().fold(root, |ty, step| self.step(ty, step))
    }

    /// The bracket that the one at `closing` closes.
    fn opening(&self, closing: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (0..=closing).rev().find(|at| {
            match self.context.word(*at) {
                "]" => depth += 1,
                "[" => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }

    fn step(&self, ty: Ty, step: &Step<'_>) -> Ty {
        match step {
            Step::Field(name) => {
                self.program.field(ty, &(*name).into()).map_or(Ty::Unknown, |id| self.program.declarations[id].ty)
            }
            Step::Part(index) => self.program.part(ty, *index),
            Step::Index => self.program.map(ty).map_or(Ty::Unknown, |(_, value)| value),
        }
    }

    /// As declared; or by its first word, where the declaration does not parse.
    fn local_type(&self, local: &Local) -> Ty {
        match self.program.declaration_at(local.range) {
            Some(id) => self.program.declarations[id].ty,
            None => local.ty.as_deref().map_or(Ty::Unknown, |name| self.program.named_type(name)),
        }
    }
}

fn is_set_of_loop(context: &Context) -> bool {
    let first = context.head().first().map_or("", |word| word.text.as_str());
    matches!(first, "for" | "foreach" | "parallel") && context.head().len() == 3
}

enum Step<'w> {
    Field(&'w str),
    Part(usize),
    Index,
}

fn preferred(program: &Program<'_>, prefer: Prefer, ty: Ty, kind: NameKind) -> bool {
    let ty = program.resolved(ty);
    let written = match ty {
        Ty::Written { item, ty } => Some(&program.file.items[item].value.nodes[ty]),
        _ => None,
    };
    let is_pid = matches!(ty, Ty::Process(_) | Ty::Member(_))
        || matches!(kind, NameKind::Process | NameKind::Member)
        || matches!(written, Some(Type::Primitive(Primitive::Pid)));
    let is_set = matches!(ty, Ty::SetOf(_)) || matches!(written, Some(Type::Set(_)));
    match prefer {
        Prefer::Nothing => false,
        Prefer::Pids => is_pid,
        Prefer::Sets => is_set,
        Prefer::PidsAndSets => is_pid || is_set,
    }
}

/// The declaration on one line; of what carries something, only that.
fn detail(program: &Program<'_>, declaration: &Declaration) -> Option<String> {
    match declaration.kind {
        NameKind::Message => Some(signature(program, declaration)),
        _ => Some(code(program, declaration).split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

fn completion_kind(kind: NameKind) -> CompletionKind {
    match kind {
        NameKind::Type | NameKind::Enum => CompletionKind::Type,
        NameKind::EnumElement => CompletionKind::EnumElement,
        NameKind::Message => CompletionKind::Event,
        NameKind::Set => CompletionKind::Module,
        NameKind::Constant => CompletionKind::Constant,
        NameKind::Process => CompletionKind::Process,
        NameKind::SharedGhost | NameKind::Variable | NameKind::Ghost => CompletionKind::Variable,
        NameKind::Member | NameKind::Index | NameKind::DoneSet | NameKind::Bound => CompletionKind::Parameter,
        NameKind::Field | NameKind::Part => CompletionKind::Field,
        NameKind::Claim => CompletionKind::Proof,
    }
}
