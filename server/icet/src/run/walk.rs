//! What expressions and statements are made of, without recursion: programs can be nested deeper than the stack.

use crate::program::{Condition, Expr, Pattern, Place, Program, Root, SetLoop, Source, Step, Stmt, StmtKind};

/// Every expression of the program, and those inside of it.
pub(super) fn all_exprs<'a>(program: &'a Program, mut visit: impl FnMut(&'a Expr)) {
    let codes = program.processes.iter().map(|process| &process.code).chain(&program.sequential);
    let vars = program.shared.iter().chain(codes.flat_map(|code| &code.vars));
    let claims = program.assumes.iter().chain(&program.invariants).chain(&program.ensures);
    let mut todo = Vec::new();
    todo.extend(program.consts.iter().filter_map(|constant| constant.value.as_ref()));
    todo.extend(vars.filter_map(|var| var.value.as_ref()));
    todo.extend(claims.map(|claim| &claim.condition));
    for stmt in &program.stmts {
        todo.extend(exprs_of(stmt).0);
    }
    visit_all(todo, &mut visit);
}

/// The constants that an expression speaks of, by number.
pub(super) fn constants(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    visit_all(vec![expr], &mut |expr| {
        if let Expr::Const(id) = expr {
            found.push(id.index());
        }
    });
    found
}

/// Whether executing the head of this statement can read or write a ghost variable that all processes share.
pub(super) fn touches_shared(stmt: &Stmt) -> bool {
    let (exprs, places) = exprs_of(stmt);
    let mut touches = places.iter().any(|place| matches!(place.root, Root::Shared(_)));
    visit_all(exprs, &mut |expr| touches |= matches!(expr, Expr::Shared(_)));
    touches
}

fn visit_all<'a>(mut todo: Vec<&'a Expr>, visit: &mut impl FnMut(&'a Expr)) {
    while let Some(expr) = todo.pop() {
        visit(expr);
        todo.extend(expr.children());
    }
}

/// The expressions and places that the statement itself evaluates, not those of statements inside of it.
fn exprs_of(stmt: &Stmt) -> (Vec<&Expr>, Vec<&Place>) {
    let mut exprs = Vec::new();
    let mut places = Vec::new();
    match &stmt.kind {
        StmtKind::Assign { target, value } => {
            exprs.push(value);
            places_of(target, &mut places);
        }
        StmtKind::Send { args, target, .. } => {
            exprs.extend(args);
            exprs.push(target);
        }
        StmtKind::Receive { cases, .. } => {
            for case in cases {
                case.patterns.iter().for_each(|pattern| places_of(pattern, &mut places));
                places.extend(&case.sender);
                match &case.source {
                    Source::Any => {}
                    Source::One(source) | Source::Of(source) => exprs.push(source),
                }
            }
        }
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            if let Condition::Holds(condition) = condition {
                exprs.push(condition);
            }
        }
        StmtKind::Match { value, arms, .. } => {
            exprs.push(value);
            arms.iter().flat_map(|arm| &arm.patterns).for_each(|pattern| places_of(pattern, &mut places));
        }
        StmtKind::For(SetLoop { set, .. }) | StmtKind::Foreach(SetLoop { set, .. }) | StmtKind::Parallel { set, .. } => {
            exprs.push(set);
        }
        StmtKind::Repeat { count, .. } => exprs.push(count),
        StmtKind::Rounds { count, .. } => exprs.extend(count),
        StmtKind::Pick { target, set } => {
            exprs.push(set);
            places.push(target);
        }
        StmtKind::Havoc { target } => places.push(target),
        StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => exprs.push(condition),
        StmtKind::Choose { .. }
        | StmtKind::Break
        | StmtKind::Invariant(_)
        | StmtKind::Atomic(_)
        | StmtKind::Skip
        | StmtKind::Fail { .. } => {}
    }
    for place in &places {
        if let Root::Of { pid, .. } = &place.root {
            exprs.push(pid);
        }
        exprs.extend(place.path.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key),
            Step::Part(_) => None,
        }));
    }
    (exprs, places)
}

fn places_of<'a>(pattern: &'a Pattern, places: &mut Vec<&'a Place>) {
    let mut todo = vec![pattern];
    while let Some(pattern) = todo.pop() {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Place(place) => places.push(place),
            Pattern::Tuple(parts) => todo.extend(parts),
        }
    }
}
