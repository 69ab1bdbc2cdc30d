//! Whether rounds are independent of each other: that no round reads what an earlier one wrote.
//!
//! A variable is safe if a round reads it only after it has stored a whole value in it, on every way that leads there; or if all of
//! its entries that rounds write and read are those of the round's own index. What is neither is reported as not decided: the way
//! from the one round to the other may never be taken. Claims may read everything, because nothing depends on them.

use lockstep_base::{Diagnostic, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use super::codes;
use crate::program::{
    Block, Condition, Expr, LocalId, Pattern, Place, Program, Root, Source, Step, Stmt, StmtId, StmtKind, VarId,
};
use crate::stack;

pub(super) fn warn_of_interference(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for stmt in &program.stmts {
        if let StmtKind::Rounds { index, body, .. } = &stmt.kind {
            let mut walk = Walk { program, index: *index, uses: FxHashMap::default(), order: Vec::new() };
            walk.block(body, &mut FxHashSet::default());
            walk.report(stmt, diagnostics);
        }
    }
}

/// A variable of the process, or a shared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Variable {
    Own(VarId),
    Shared(VarId),
}

/// First places where a variable is used, by how.
#[derive(Default)]
struct Uses {
    writes_own_entry: Option<TextRange>,
    writes_else: Option<TextRange>,
    /// Reads of what this round may not have stored.
    reads_own_entry: Option<TextRange>,
    reads_else: Option<TextRange>,
}

/// Variables that have a new value as a whole in this round for sure.
type Fresh = FxHashSet<Variable>;

struct Walk<'p> {
    program: &'p Program,
    index: LocalId,
    uses: FxHashMap<Variable, Uses>,
    /// The variables in the order of their first use, for reports.
    order: Vec<Variable>,
}

impl Walk<'_> {
    fn report(&self, stmt: &Stmt, diagnostics: &mut Vec<Diagnostic>) {
        for variable in &self.order {
            let Some(uses) = self.uses.get(variable) else { continue };
            let pair = match uses {
                Uses { writes_else: Some(write), reads_else: Some(read), .. }
                | Uses { writes_else: Some(write), reads_own_entry: Some(read), .. }
                | Uses { writes_own_entry: Some(write), reads_else: Some(read), .. } => (*write, *read),
                _ => continue,
            };
            let name = self.name(*variable, stmt);
            let message = format!("it is not decided whether a later round reads this value of `{name}`");
            let help =
                format!("give `{name}` a value in each round before it is read, or make it a map and use the round's own entry");
            let warning = Diagnostic::warning(codes::ROUNDS_UNDECIDED, pair.0, message);
            diagnostics.push(warning.with_help(help).with_related(pair.1, "it may be read here"));
        }
    }

    fn name(&self, variable: Variable, stmt: &Stmt) -> &str {
        let var = match variable {
            Variable::Shared(var) => self.program.shared.get(var.index()),
            Variable::Own(var) => self.program.code(stmt.process).and_then(|code| code.vars.get(var.index())),
        };
        var.map_or("", |var| &var.name)
    }

    // ---- Statements ----

    fn block(&mut self, block: &Block, fresh: &mut Fresh) {
        for id in block.iter() {
            stack::level(|| self.stmt(*id, fresh));
        }
    }

    /// Blocks of which one is run.
    fn either<'b>(&mut self, blocks: impl IntoIterator<Item = &'b Block>, fresh: &mut Fresh) {
        let ends = blocks.into_iter().map(|block| {
            let mut end = fresh.clone();
            self.block(block, &mut end);
            end
        });
        let ends: Vec<Fresh> = ends.collect();
        join(ends, fresh);
    }

    fn stmt(&mut self, id: StmtId, fresh: &mut Fresh) {
        let program = self.program;
        let stmt = program.stmt(id);
        let at = head(stmt);
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                self.read(value, at, fresh);
                self.store(target, at, fresh);
            }
            StmtKind::Send { args, target, .. } => args.iter().chain([target]).for_each(|expr| self.read(expr, at, fresh)),
            StmtKind::Receive { .. } | StmtKind::Match { .. } => self.cases(stmt, at, fresh),
            StmtKind::If { condition, then, otherwise } => {
                self.condition(condition, at, fresh);
                self.either([then, otherwise], fresh);
            }
            StmtKind::Choose { branches } => self.either(branches, fresh),
            StmtKind::While { condition, body, .. } => {
                self.condition(condition, at, fresh);
                self.block(body, &mut fresh.clone());
            }
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                self.read(&set_loop.set, at, fresh);
                self.block(&set_loop.body, &mut fresh.clone());
            }
            StmtKind::Parallel { set: bound, body, .. } | StmtKind::Repeat { count: bound, body, .. } => {
                self.read(bound, at, fresh);
                self.block(body, &mut fresh.clone());
            }
            StmtKind::Rounds { count, body, .. } => {
                count.iter().for_each(|count| self.read(count, at, fresh));
                self.block(body, &mut fresh.clone());
            }
            StmtKind::Pick { target, set } => {
                self.read(set, at, fresh);
                self.store_place(target, at, fresh);
            }
            StmtKind::Havoc { target } => self.store_place(target, at, fresh),
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => self.read(condition, at, fresh),
            StmtKind::Atomic(body) => self.block(body, fresh),
            StmtKind::Break | StmtKind::Invariant(_) | StmtKind::Skip | StmtKind::Fail { .. } => {}
        }
    }

    /// A statement of which one case is taken.
    fn cases(&mut self, stmt: &Stmt, at: TextRange, fresh: &mut Fresh) {
        let mut ends = Vec::new();
        match &stmt.kind {
            StmtKind::Receive { cases, timeout } => {
                for case in cases {
                    let mut end = fresh.clone();
                    if let Source::One(source) | Source::Of(source) = &case.source {
                        self.read(source, case.range, &end);
                    }
                    case.patterns.iter().for_each(|pattern| self.store(pattern, case.range, &mut end));
                    case.sender.iter().for_each(|sender| self.store_place(sender, case.range, &mut end));
                    self.block(&case.body, &mut end);
                    ends.push(end);
                }
                ends.extend(self.end_of(timeout.as_ref(), fresh));
            }
            StmtKind::Match { value, arms, default } => {
                self.read(value, at, fresh);
                for arm in arms {
                    let mut end = fresh.clone();
                    arm.patterns.iter().for_each(|pattern| self.store(pattern, at, &mut end));
                    self.block(&arm.body, &mut end);
                    ends.push(end);
                }
                ends.extend(self.end_of(default.as_ref(), fresh));
            }
            _ => return,
        }
        join(ends, fresh);
    }

    fn end_of(&mut self, block: Option<&Block>, fresh: &Fresh) -> Option<Fresh> {
        let mut end = fresh.clone();
        self.block(block?, &mut end);
        Some(end)
    }

    fn condition(&mut self, condition: &Condition, at: TextRange, fresh: &Fresh) {
        if let Condition::Holds(condition) = condition {
            self.read(condition, at, fresh);
        }
    }

    // ---- Uses ----

    fn read(&mut self, expr: &Expr, at: TextRange, fresh: &Fresh) {
        let mut rest = vec![expr];
        while let Some(expr) = rest.pop() {
            if let Expr::Key(map, key) = expr
                && **key == Expr::Local(self.index)
                && let Some(variable) = variable(map)
            {
                self.note(variable, fresh).into_iter().for_each(|uses| _ = uses.reads_own_entry.get_or_insert(at));
                continue;
            }
            if let Some(variable) = variable(expr) {
                self.note(variable, fresh).into_iter().for_each(|uses| _ = uses.reads_else.get_or_insert(at));
            }
            rest.extend(expr.children());
        }
    }

    /// The uses of a variable, unless what it holds is this round's own.
    fn note(&mut self, variable: Variable, fresh: &Fresh) -> Option<&mut Uses> {
        if fresh.contains(&variable) { None } else { Some(self.uses_of(variable)) }
    }

    fn uses_of(&mut self, variable: Variable) -> &mut Uses {
        let order = &mut self.order;
        self.uses.entry(variable).or_insert_with(|| {
            order.push(variable);
            Uses::default()
        })
    }

    fn store(&mut self, pattern: &Pattern, at: TextRange, fresh: &mut Fresh) {
        let mut rest = vec![pattern];
        while let Some(pattern) = rest.pop() {
            match pattern {
                Pattern::Wildcard => {}
                Pattern::Place(place) => self.store_place(place, at, fresh),
                Pattern::Tuple(parts) => rest.extend(parts.iter().rev()),
            }
        }
    }

    fn store_place(&mut self, place: &Place, at: TextRange, fresh: &mut Fresh) {
        for step in &place.path {
            if let Step::Key(key) = step {
                self.read(key, at, fresh);
            }
        }
        let variable = match place.root {
            Root::Own(var) => Variable::Own(var),
            Root::Shared(var) => Variable::Shared(var),
            Root::Of { .. } => return,
        };
        let is_own_entry = matches!(place.path.first(), Some(Step::Key(Expr::Local(key))) if *key == self.index);
        let uses = self.uses_of(variable);
        let first = if is_own_entry { &mut uses.writes_own_entry } else { &mut uses.writes_else };
        first.get_or_insert(at);
        if place.path.is_empty() {
            fresh.insert(variable);
        }
    }
}

fn variable(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Own(var) => Some(Variable::Own(*var)),
        Expr::Shared(var) => Some(Variable::Shared(*var)),
        _ => None,
    }
}

/// What is fresh at all ends.
fn join(ends: Vec<Fresh>, fresh: &mut Fresh) {
    let mut ends = ends.into_iter();
    if let Some(mut common) = ends.next() {
        ends.for_each(|end| common.retain(|variable| end.contains(variable)));
        *fresh = common;
    }
}

/// Where a statement begins: all of it, or its first word if it has blocks.
fn head(stmt: &Stmt) -> TextRange {
    let word = match &stmt.kind {
        StmtKind::If { .. } => "if",
        StmtKind::Match { .. } => "match",
        StmtKind::While { .. } => "while",
        StmtKind::For(_) => "for",
        StmtKind::Foreach(_) => "foreach",
        StmtKind::Repeat { .. } => "repeat",
        _ => return stmt.range,
    };
    TextRange::at(stmt.range.start(), TextSize::of(word).min(stmt.range.len()))
}
