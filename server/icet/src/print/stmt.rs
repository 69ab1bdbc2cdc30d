//! Statements: heads in one line, and whole with their blocks.

use smol_str::SmolStr;

use super::Printer;
use crate::program::{Arm, Block, Case, Claim, Condition, Expr, LocalId, Pattern, SetLoop, Source, StmtId, StmtKind};
use crate::stack;

/// How tight the set of a loop has to bind, so that the loop's other words are not taken for a part of it.
const SUM: u8 = 7;

impl Printer<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        stack::level(|| {
            self.start_line();
            let (nth, start) = (self.heads.len(), self.out.len());
            self.heads.push((id, start..start));
            self.tail(id);
            let first_line = self.out[start..].find('\n').unwrap_or(self.out.len() - start);
            self.heads[nth].1.end = start + first_line;
        });
    }

    /// A statement behind what is on its line already.
    fn tail(&mut self, id: StmtId) {
        let program = self.program;
        match &program.stmt(id).kind {
            StmtKind::Receive { cases, timeout } => self.receive(cases, timeout.as_ref()),
            StmtKind::If { then, otherwise, .. } => self.if_stmt(id, then, otherwise),
            StmtKind::Match { value, arms, default } => {
                self.head(id);
                self.end_line(" {");
                self.indent += 1;
                arms.iter().for_each(|arm| self.arm(value, arm));
                default.iter().for_each(|default| self.labelled("default", default));
                self.close();
            }
            StmtKind::Choose { branches } => {
                for (at, branch) in branches.iter().enumerate() {
                    self.push(if at == 0 { "choose " } else { " or " });
                    self.block(branch);
                }
                self.push("\n");
            }
            StmtKind::While { invariants, body, .. } => {
                self.head(id);
                self.loop_body(invariants, body);
            }
            StmtKind::For(set_loop) => self.set_loop("for ", set_loop),
            StmtKind::Foreach(set_loop) => self.set_loop("foreach ", set_loop),
            StmtKind::Parallel { member, set, body } => {
                let name = self.member("parallel ", *member, set);
                self.push(" ");
                self.block(body);
                name.iter().for_each(|name| self.release(name));
                self.push("\n");
            }
            StmtKind::Repeat { count, index, invariants, body } => {
                self.push("repeat ");
                self.counted(Some(count), *index, invariants, body);
            }
            StmtKind::Rounds { count, index, invariants, body } => {
                self.push("rounds ");
                self.counted(count.as_ref(), Some(*index), invariants, body);
            }
            StmtKind::Atomic(body) => {
                self.push("atomic ");
                self.block(body);
                self.push("\n");
            }
            _ => {
                self.head(id);
                self.end_line(";");
            }
        }
    }

    /// A statement up to its first block or its end, in one line.
    pub(super) fn head(&mut self, id: StmtId) {
        let program = self.program;
        match &program.stmt(id).kind {
            StmtKind::Assign { target, value } => {
                self.pattern(target);
                self.push(" = ");
                self.expr(value, 0);
            }
            StmtKind::Send { message, args, target } => {
                self.push("send ");
                self.push(&program.message(*message).name);
                self.arguments(args, |this, arg| this.expr(arg, 0));
                self.push(" to ");
                self.expr(target, 0);
            }
            StmtKind::Receive { cases, .. } => self.receive_head(cases),
            StmtKind::Break => self.push("break"),
            StmtKind::Pick { target, set } => {
                self.push("pick ");
                self.place(target);
                self.push(" in ");
                self.expr(set, 0);
            }
            StmtKind::Havoc { target } => {
                self.push("havoc ");
                self.place(target);
            }
            StmtKind::Assume(condition) => {
                self.push("assume ");
                self.expr(condition, 0);
            }
            StmtKind::Assert { condition, message } => {
                self.push("assert ");
                self.expr(condition, 0);
                if let Some(message) = message {
                    self.push(", ");
                    self.quoted(message);
                }
            }
            StmtKind::Invariant(claim) => self.claim("invariant ", claim),
            StmtKind::Atomic(_) => self.push("atomic"),
            StmtKind::Skip => self.push("skip"),
            StmtKind::Fail { message } => {
                self.push("fail");
                if let Some(message) = message {
                    self.push(" ");
                    self.quoted(message);
                }
            }
            branching => self.branching_head(branching),
        }
    }

    /// The same for what has branches or goes round.
    fn branching_head(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::If { condition, .. } => self.condition("if (", condition),
            StmtKind::Match { value, .. } => self.in_parentheses("match (", value),
            StmtKind::Choose { .. } => self.push("choose"),
            StmtKind::While { condition, .. } => self.condition("while (", condition),
            StmtKind::For(set_loop) => self.set_loop_head("for ", set_loop),
            StmtKind::Foreach(set_loop) => self.set_loop_head("foreach ", set_loop),
            StmtKind::Parallel { member, set, .. } => {
                let name = self.member("parallel ", *member, set);
                name.iter().for_each(|name| self.release(name));
            }
            StmtKind::Repeat { count, index, .. } => {
                self.push("repeat ");
                let name = self.count(Some(count), *index);
                name.iter().for_each(|name| self.release(name));
            }
            StmtKind::Rounds { count, index, .. } => {
                self.push("rounds ");
                let name = self.count(count.as_ref(), Some(*index));
                name.iter().for_each(|name| self.release(name));
            }
            _ => {}
        }
    }

    // ---- Blocks ----

    fn block(&mut self, block: &Block) {
        self.end_line("{");
        self.indent += 1;
        block.iter().for_each(|id| self.stmt(*id));
        self.indent -= 1;
        self.start_line();
        self.push("}");
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.start_line();
        self.end_line("}");
    }

    fn labelled(&mut self, label: &str, block: &Block) {
        self.start_line();
        self.push(label);
        self.push(": ");
        self.block(block);
        self.push("\n");
    }

    fn if_stmt(&mut self, id: StmtId, then: &Block, otherwise: &Block) {
        self.head(id);
        self.push(" ");
        self.block(then);
        let mut otherwise = otherwise.clone();
        while !otherwise.is_empty() {
            self.push(" else ");
            let only = if otherwise.len() == 1 { otherwise.first().copied() } else { None };
            let nested = only.map(|only| (only, &self.program.stmt(only).kind));
            let Some((only, StmtKind::If { then, otherwise: rest, .. })) = nested else {
                self.block(&otherwise);
                break;
            };
            self.head(only);
            self.push(" ");
            self.block(then);
            otherwise = rest.clone();
        }
        self.push("\n");
    }

    fn arm(&mut self, value: &Expr, arm: &Arm) {
        self.start_line();
        self.push("case ");
        let name = self.element_name(value, arm.element);
        self.push(&name);
        self.arguments(&arm.patterns, Self::pattern);
        self.push(": ");
        self.block(&arm.body);
        self.push("\n");
    }

    // ---- Receives ----

    fn receive(&mut self, cases: &[Case], timeout: Option<&Block>) {
        if let [case] = cases
            && case.body.is_empty()
        {
            self.push("recv ");
            self.case(case);
            match timeout {
                Some(timeout) => {
                    self.push(" timeout ");
                    self.block(timeout);
                    self.push("\n");
                }
                None => self.end_line(";"),
            }
            return;
        }
        self.end_line("recv {");
        self.indent += 1;
        for case in cases {
            self.start_line();
            self.push("case ");
            self.case(case);
            self.push(": ");
            self.block(&case.body);
            self.push("\n");
        }
        timeout.iter().for_each(|timeout| self.labelled("timeout", timeout));
        self.close();
    }

    fn receive_head(&mut self, cases: &[Case]) {
        self.push("recv ");
        for (at, case) in cases.iter().enumerate() {
            if at > 0 {
                self.push(" or ");
            }
            self.case(case);
        }
    }

    fn case(&mut self, case: &Case) {
        self.push(&self.program.message(case.message).name);
        self.arguments(&case.patterns, Self::pattern);
        self.push(" from ");
        if let Some(sender) = &case.sender {
            self.place(sender);
            self.push(" in ");
        }
        match &case.source {
            Source::Any => self.push("any"),
            Source::One(source) | Source::Of(source) if is_plain(source) => self.expr(source, 0),
            Source::One(source) | Source::Of(source) => self.in_parentheses("(", source),
        }
    }

    // ---- Loops ----

    fn set_loop(&mut self, word: &str, set_loop: &SetLoop) {
        let member = self.member(word, set_loop.member, &set_loop.set);
        let done = set_loop.done.map(|done| self.bind(done));
        if let Some(done) = &done {
            self.push(" done ");
            self.push(done);
        }
        // Claims at the head do not know the member.
        member.iter().for_each(|name| self.release(name));
        self.invariants(&set_loop.invariants);
        self.taken.extend(member.clone());
        self.block(&set_loop.body);
        self.push("\n");
        member.iter().chain(&done).for_each(|name| self.release(name));
    }

    fn set_loop_head(&mut self, word: &str, set_loop: &SetLoop) {
        let member = self.member(word, set_loop.member, &set_loop.set);
        if let Some(done) = set_loop.done {
            self.push(" done ");
            let done = self.bind(done);
            self.push(&done);
            self.release(&done);
        }
        member.iter().for_each(|name| self.release(name));
    }

    /// `word x in S`, and the name of `x` that is to be released.
    fn member(&mut self, word: &str, member: Option<LocalId>, set: &Expr) -> Option<SmolStr> {
        self.push(word);
        let at = self.out.len();
        self.push(" in ");
        // The set is outside of the loop: its own names come first.
        self.expr(set, SUM);
        let name = member.map(|member| self.bind(member));
        self.out.insert_str(at, name.as_deref().unwrap_or("_"));
        name
    }

    fn counted(&mut self, count: Option<&Expr>, index: Option<LocalId>, invariants: &[Claim], body: &Block) {
        let name = self.count(count, index);
        self.loop_body(invariants, body);
        name.iter().for_each(|name| self.release(name));
    }

    fn count(&mut self, count: Option<&Expr>, index: Option<LocalId>) -> Option<SmolStr> {
        if let Some(count) = count {
            self.expr(count, SUM);
        }
        let name = index.map(|index| self.bind(index));
        if let Some(name) = &name {
            self.push(if count.is_some() { " as " } else { "as " });
            self.push(name);
        }
        name
    }

    fn loop_body(&mut self, invariants: &[Claim], body: &Block) {
        self.invariants(invariants);
        self.block(body);
        self.push("\n");
    }

    /// The claims at the head of a loop, up to where its block begins.
    fn invariants(&mut self, invariants: &[Claim]) {
        if invariants.is_empty() {
            self.push(" ");
            return;
        }
        self.push("\n");
        self.indent += 1;
        for claim in invariants {
            self.start_line();
            self.claim("invariant ", claim);
            self.end_line(";");
        }
        self.indent -= 1;
        self.start_line();
    }

    // ---- Pieces ----

    fn pattern(&mut self, pattern: &Pattern) {
        stack::level(|| match pattern {
            Pattern::Wildcard => self.push("_"),
            Pattern::Place(place) => self.place(place),
            Pattern::Tuple(parts) => {
                self.push("(");
                self.list(parts, Self::pattern);
                self.push(")");
            }
        });
    }

    fn arguments<T>(&mut self, args: &[T], print: impl FnMut(&mut Self, &T)) {
        if !args.is_empty() {
            self.push("(");
            self.list(args, print);
            self.push(")");
        }
    }

    fn condition(&mut self, open: &str, condition: &Condition) {
        match condition {
            Condition::Either => {
                self.push(open);
                self.push("*)");
            }
            Condition::Holds(condition) => self.in_parentheses(open, condition),
        }
    }

    fn in_parentheses(&mut self, open: &str, expr: &Expr) {
        self.push(open);
        self.expr(expr, 0);
        self.push(")");
    }

    fn quoted(&mut self, text: &str) {
        self.push("\"");
        for char in text.chars() {
            if char == '"' || char == '\\' {
                self.out.push('\\');
            }
            self.out.push(char);
        }
        self.push("\"");
    }
}

/// Whether a source can stand without parentheses: a place, or a set written out.
fn is_plain(source: &Expr) -> bool {
    let mut source = source;
    loop {
        source = match source {
            Expr::Process(_) | Expr::Me | Expr::Set(_) | Expr::Const(_) | Expr::Own(_) | Expr::Shared(_) | Expr::Local(_) => {
                return true;
            }
            Expr::SetOf(_) => return true,
            Expr::Of { pid: inner, .. } | Expr::Part(inner, _) | Expr::Key(inner, _) => inner,
            _ => return false,
        };
    }
}
