//! Ways through the typed tree that several lints share. All of them take bounded stack however deep the code is nested.

use lockstep_syntax::p::ast::{Expr, ExprId, Handler, Nodes, StateItemKind, Stmt, StmtId};

/// The handler of an item of a state, if it has one.
pub(crate) fn handlers(kind: &StateItemKind) -> impl Iterator<Item = &Handler> {
    match kind {
        StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => Some(handler),
        StateItemKind::OnGoto { with, .. } => with.as_ref(),
        StateItemKind::Defer(_) | StateItemKind::Ignore(_) => None,
    }
    .into_iter()
}

/// An expression without the parentheses around it.
pub(crate) fn strip(nodes: &Nodes, mut id: ExprId) -> ExprId {
    while let Expr::Paren(inner) = &nodes[id] {
        id = *inner;
    }
    id
}

/// The variable that an assignment to `target` changes.
pub(crate) fn assigned_root(nodes: &Nodes, target: ExprId) -> ExprId {
    let mut root = target;
    while let Expr::Field { value, .. } | Expr::Element { value, .. } | Expr::Index { value, .. } = &nodes[root] {
        root = *value;
    }
    root
}

/// The expressions directly in an expression.
pub(crate) fn parts(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Missing
        | Expr::Name(_)
        | Expr::Int(_)
        | Expr::Float(_)
        | Expr::Bool(_)
        | Expr::String(_)
        | Expr::Null
        | Expr::Halt
        | Expr::This
        | Expr::Nondet { .. }
        | Expr::Default(_) => Vec::new(),
        Expr::Paren(inner)
        | Expr::Inflight(inner)
        | Expr::Sent(inner)
        | Expr::Keys(inner)
        | Expr::Values(inner)
        | Expr::Sizeof(inner) => vec![*inner],
        Expr::Field { value, .. }
        | Expr::Element { value, .. }
        | Expr::Is { value, .. }
        | Expr::As { value, .. }
        | Expr::To { value, .. } => vec![*value],
        Expr::Tuple(elements) => elements.clone(),
        Expr::NamedTuple(fields) => fields.iter().map(|(_, value)| *value).collect(),
        Expr::Targets { message, target } => vec![*message, *target],
        Expr::Index { value, index } => vec![*value, *index],
        Expr::New { args, .. } | Expr::Call { args, .. } => args.clone(),
        Expr::Choose(argument) => argument.iter().copied().collect(),
        Expr::Format { text, args } => std::iter::once(*text).chain(args.iter().copied()).collect(),
        Expr::Unary { operand, .. } => vec![*operand],
        Expr::Binary { left, right, .. } => vec![*left, *right],
        Expr::Quantifier { body, .. } => vec![*body],
    }
}

/// The expressions directly in a statement. What is assigned to comes first, where something is.
pub(crate) fn expressions(stmt: &Stmt) -> Vec<ExprId> {
    match stmt {
        Stmt::Missing
        | Stmt::Compound(_)
        | Stmt::Break
        | Stmt::Continue
        | Stmt::Receive { .. }
        | Stmt::Empty
        | Stmt::Return { value: None } => Vec::new(),
        Stmt::Assert { condition, message } | Stmt::Assume { condition, message } => {
            std::iter::once(*condition).chain(*message).collect()
        }
        Stmt::Print { message } => vec![*message],
        Stmt::Return { value: Some(value) } => vec![*value],
        Stmt::Assign { target, value } | Stmt::Remove { target, value } => vec![*target, *value],
        Stmt::Insert { target, key, value } => std::iter::once(*target).chain(*key).chain([*value]).collect(),
        Stmt::While { condition, .. } | Stmt::If { condition, .. } => vec![*condition],
        Stmt::Foreach { collection, invariants, .. } => std::iter::once(*collection).chain(invariants.iter().copied()).collect(),
        Stmt::New { args, .. } | Stmt::Call { args, .. } => args.clone(),
        Stmt::Raise { event, payload } | Stmt::Announce { event, payload } => {
            std::iter::once(*event).chain(payload.iter().copied()).collect()
        }
        Stmt::Send { target, event, payload } => [*target, *event].into_iter().chain(payload.iter().copied()).collect(),
        Stmt::Goto { payload, .. } => payload.clone(),
    }
}

/// The statements directly in a statement, receive cases apart.
pub(crate) fn statements(stmt: &Stmt) -> Vec<StmtId> {
    match stmt {
        Stmt::Compound(stmts) => stmts.clone(),
        Stmt::While { body, .. } | Stmt::Foreach { body, .. } => vec![*body],
        Stmt::If { then, otherwise, .. } => std::iter::once(*then).chain(*otherwise).collect(),
        _ => Vec::new(),
    }
}

/// Whether some expression in `root`, or `root` itself, is of this kind.
pub(crate) fn any_expr(nodes: &Nodes, root: ExprId, is: impl Fn(&Expr) -> bool) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if is(&nodes[id]) {
            return true;
        }
        open.extend(parts(&nodes[id]));
    }
    false
}

/// Whether evaluating an expression twice may give two values, or do something.
pub(crate) fn is_fleeting(nodes: &Nodes, root: ExprId) -> bool {
    let is = |expr: &Expr| {
        matches!(expr, Expr::Nondet { .. } | Expr::Choose(_) | Expr::Call { .. } | Expr::New { .. } | Expr::Missing)
    };
    any_expr(nodes, root, is)
}

/// Whether two expressions are written alike, parentheses apart.
pub(crate) fn is_same_expr(nodes: &Nodes, left: ExprId, right: ExprId) -> bool {
    let mut open = vec![(left, right)];
    while let Some((left, right)) = open.pop() {
        let (left, right) = (&nodes[strip(nodes, left)], &nodes[strip(nodes, right)]);
        if !is_same_node(nodes, left, right) {
            return false;
        }
        let (left, right) = (parts(left), parts(right));
        if left.len() != right.len() {
            return false;
        }
        open.extend(left.into_iter().zip(right));
    }
    true
}

fn is_same_node(nodes: &Nodes, left: &Expr, right: &Expr) -> bool {
    match (left, right) {
        (Expr::Name(left), Expr::Name(right)) => nodes[*left] == nodes[*right],
        (Expr::Field { field: left, .. }, Expr::Field { field: right, .. }) => nodes[*left] == nodes[*right],
        (Expr::Element { index: left, .. }, Expr::Element { index: right, .. }) => nodes[*left] == nodes[*right],
        (Expr::Int(left), Expr::Int(right))
        | (Expr::Float(left), Expr::Float(right))
        | (Expr::String(left), Expr::String(right)) => left == right,
        (Expr::Bool(left), Expr::Bool(right)) => left == right,
        (Expr::Unary { op: left, .. }, Expr::Unary { op: right, .. }) => left == right,
        (Expr::Binary { op: left, .. }, Expr::Binary { op: right, .. }) => left == right,
        (Expr::Null, Expr::Null) | (Expr::Halt, Expr::Halt) | (Expr::This, Expr::This) => true,
        (Expr::Index { .. }, Expr::Index { .. })
        | (Expr::Keys(_), Expr::Keys(_))
        | (Expr::Values(_), Expr::Values(_))
        | (Expr::Sizeof(_), Expr::Sizeof(_)) => true,
        // Types and everything rarer: not worth the words.
        _ => false,
    }
}
