//! Loops and how they are left.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, ExprId, Member, NameId};

use super::expr::Typed;
use super::locals::{Binding, LocalKind};
use super::stmt::{Loop, LoopKind};
use super::{Checker, More, codes};
use crate::program::{Block, Claim, Condition, Expr, LocalId, SetLoop, StmtId, StmtKind, Type, Whose};
use crate::types::{fits, is_unknown, unknown};

impl Checker<'_> {
    pub(super) fn while_loop(
        &mut self,
        stmt: StmtId,
        condition: ast::Condition,
        invariants: &[ast::Claim],
        body: &ast::Block,
    ) -> StmtKind {
        let condition = self.branch_condition(condition);
        let invariants = self.claims(invariants);
        let (body, left) = self.body(LoopKind::While, self.program.stmt(stmt).range, body);
        if condition == Condition::Holds(Expr::Bool(true)) && !left.has_break {
            self.around.endless = Some(stmt);
        }
        StmtKind::While { condition, invariants, body }
    }

    pub(super) fn for_loop(&mut self, range: TextRange, set_loop: &ast::SetLoop) -> StmtKind {
        StmtKind::For(self.set_loop(range, set_loop, "for"))
    }

    pub(super) fn foreach_loop(&mut self, range: TextRange, set_loop: &ast::SetLoop) -> StmtKind {
        self.not_in_sequential(range, "foreach");
        if !self.around.is_sequential {
            self.begins_with_receive(range, set_loop);
        }
        StmtKind::Foreach(self.set_loop(range, set_loop, "foreach"))
    }

    fn set_loop(&mut self, range: TextRange, set_loop: &ast::SetLoop, word: &str) -> SetLoop {
        let (set, element) = self.loop_set(set_loop.member.set, word);
        let mark = self.scope.mark();
        let member = self.member_at_head(set_loop.member, &element);
        let done = set_loop.done.map(|done| {
            let same = set_loop.member.variable.filter(|member| self.text(*member) == self.text(done));
            if let Some(member) = same.filter(|member| !self.text(*member).is_empty()) {
                self.declared_twice(done, self.range(member));
            }
            self.bind_local(done, Type::Set(Box::new(element)), LocalKind::Done)
        });
        let invariants = self.claims(&set_loop.invariants);
        self.give_member(set_loop.member, member);
        let (body, _) = self.body(LoopKind::Over, self.word(range, word.len()), &set_loop.body);
        self.scope.leave(mark);
        SetLoop { member, set, done, invariants, body }
    }

    /// The set that a loop goes over, and the type of its members.
    fn loop_set(&mut self, id: ExprId, word: &str) -> (Expr, Type) {
        let set = self.expr(id, None);
        self.no_ghost(&set, "the set of a loop");
        let element = self.element_of(id, &set, word);
        let pid = Type::Pid(Whose::Anybody);
        // Of what `{}` has no members of does not matter.
        let element = if is_unknown(&element) { pid.clone() } else { element };
        if word != "for" && !fits(&self.program.sets, &element, &pid) {
            let message = format!("`{word}` goes over processes, and these are {}", self.describe(&element));
            self.error(codes::LOOP, self.range(id), message).help("use `for`");
            return (set.expr, unknown());
        }
        (set.expr, element)
    }

    /// The type of a set's members. Reports what is not a set.
    pub(super) fn element_of(&mut self, id: ExprId, set: &Typed, word: &str) -> Type {
        match &set.ty {
            Type::Set(element) => (**element).clone(),
            ty if is_unknown(ty) => ty.clone(),
            ty => {
                let message = format!("`{word}` takes a set, and this is {}", self.describe(ty));
                let is_number = *ty == Type::Int && word == "for";
                let error = self.error(codes::LOOP, self.range(id), message);
                if is_number {
                    error.help("use `repeat` to do something a number of times");
                }
                unknown()
            }
        }
    }

    /// The variable of a loop has its number at the head, but gets a value only in the body.
    fn member_at_head(&mut self, member: Member, element: &Type) -> Option<LocalId> {
        let variable = member.variable?;
        self.check_hiding(variable);
        let id = self.new_local(variable, element.clone());
        self.scope.bind(self.text(variable).clone(), Binding::AtHead, self.range(variable));
        Some(id)
    }

    fn give_member(&mut self, member: Member, id: Option<LocalId>) {
        if let Some((variable, id)) = member.variable.zip(id) {
            self.scope.rebind(self.text(variable), Binding::Local(id, LocalKind::Member));
        }
    }

    pub(super) fn parallel(&mut self, range: TextRange, member: Member, body: &ast::Block) -> StmtKind {
        let word = self.word(range, "parallel".len());
        if !self.around.is_sequential {
            self.error(codes::MISPLACED, word, "`parallel` can stand in `sequential` only")
                .help("processes run side by side anyway: declare a set and `process ... in` it");
        }
        let (set, element) = self.loop_set(member.set, "parallel");
        let mark = self.scope.mark();
        let local = self.member_at_head(member, &element);
        self.give_member(member, local);
        let (body, _) = self.body(LoopKind::Over, word, body);
        self.scope.leave(mark);
        StmtKind::Parallel { member: local, set, body }
    }

    pub(super) fn repeat(
        &mut self,
        range: TextRange,
        count: ExprId,
        index: Option<NameId>,
        invariants: &[ast::Claim],
        body: &ast::Block,
    ) -> StmtKind {
        let count = self.count(count, "repeat");
        let mark = self.scope.mark();
        let index = index.map(|index| self.bind_local(index, Type::Int, LocalKind::Index));
        let invariants = self.claims(invariants);
        let (body, _) = self.body(LoopKind::Over, self.word(range, "repeat".len()), body);
        self.scope.leave(mark);
        StmtKind::Repeat { count, index, invariants, body }
    }

    pub(super) fn rounds(
        &mut self,
        stmt: StmtId,
        count: Option<ExprId>,
        index: NameId,
        invariants: &[ast::Claim],
        body: &ast::Block,
    ) -> StmtKind {
        let range = self.program.stmt(stmt).range;
        let word = self.word(range, "rounds".len());
        self.not_in_sequential(range, "rounds");
        if let Some(outer) = self.around.loops.last().filter(|_| !self.around.is_sequential) {
            let (outer, kind) = (outer.range, outer.kind);
            let message = match kind {
                LoopKind::Rounds => "`rounds` cannot stand inside of `rounds`",
                _ => "`rounds` cannot stand inside of a loop",
            };
            self.error(codes::ROUNDS, word, message).help("take it out of the loop").related(outer, "the loop is here");
        }
        let count = count.map(|count| self.count(count, "rounds"));
        let mark = self.scope.mark();
        let index = self.bind_local(index, Type::Int, LocalKind::Index);
        let invariants = self.claims(invariants);
        let (body, _) = self.body(LoopKind::Rounds, word, body);
        self.scope.leave(mark);
        if count.is_none() {
            self.around.endless = Some(stmt);
        }
        StmtKind::Rounds { count, index, invariants, body }
    }

    fn count(&mut self, id: ExprId, word: &str) -> Expr {
        let count = self.expr(id, Some(&Type::Int));
        self.no_ghost(&count, "a count");
        if !fits(&self.program.sets, &count.ty, &Type::Int) {
            let message = format!("`{word}` takes a number, and this is {}", self.describe(&count.ty));
            let is_set = matches!(count.ty, Type::Set(_));
            let error = self.error(codes::LOOP, self.range(id), message);
            if is_set {
                error.help("write `card(...)` for the number of its members, or use `for`");
            }
        }
        count.expr
    }

    fn claims(&mut self, claims: &[ast::Claim]) -> Vec<Claim> {
        claims.iter().map(|claim| self.claim(*claim)).collect()
    }

    /// The body of a loop, and what was found out about the loop.
    fn body(&mut self, kind: LoopKind, whole: TextRange, body: &ast::Block) -> (Block, Loop) {
        let range = if kind == LoopKind::While { self.word(whole, "while".len()) } else { whole };
        let found = Loop { kind, range, has_break: false };
        self.around.loops.push(found);
        let body = self.block(body);
        let left = self.around.loops.pop().unwrap_or(Loop { kind, range, has_break: false });
        (body, left)
    }

    pub(super) fn break_stmt(&mut self, range: TextRange) -> StmtKind {
        match self.around.loops.last_mut() {
            Some(innermost) if innermost.kind == LoopKind::While => innermost.has_break = true,
            Some(innermost) => {
                let around = innermost.range;
                self.error(codes::BREAK, range, "only a `while` can be left with `break`")
                    .help("use an `if` for what is not to be done, or a `while` instead of this loop")
                    .related(around, "the innermost loop is not a `while`");
            }
            None => {
                self.error(codes::BREAK, range, "there is no `while` to be left").help("leave the `break` out");
            }
        }
        StmtKind::Break
    }

    /// A `foreach` waits for a message of the member whose turn comes, so its body has to say for which.
    fn begins_with_receive(&mut self, range: TextRange, set_loop: &ast::SetLoop) {
        let word = self.word(range, "foreach".len());
        let Some(variable) = set_loop.member.variable else {
            self.error(codes::FOREACH, word, "this `foreach` has no variable to receive from")
                .help("name the member: `foreach c in ... { recv ... from c; }`");
            return;
        };
        let mut first = set_loop.body.first();
        if let Some(ast::Stmt::Atomic(body)) = first.map(|first| &self.item.nodes[*first]) {
            first = body.first();
        }
        let name = self.text(variable);
        let is_variable = |source: ast::Source| match source {
            ast::Source::Any => false,
            ast::Source::From(source) => self.is_name(source, name),
        };
        let is_right = match first.map(|first| &self.item.nodes[*first]) {
            Some(ast::Stmt::Receive { reception, .. }) => is_variable(reception.source),
            Some(ast::Stmt::Select { cases, .. }) => cases.iter().all(|case| is_variable(case.reception.source)),
            // Whatever could not be read may have been right.
            Some(ast::Stmt::Missing) => true,
            _ => false,
        };
        if !is_right && !name.is_empty() {
            let at = first.map_or(word, |first| self.range(*first));
            let message = format!("the body of this `foreach` has to begin with a receive from `{name}`");
            self.error(codes::FOREACH, at, message)
                .help("a `foreach` takes members in the order of their messages; if that is not meant, use `for`")
                .related(word, "the loop is here");
        }
    }

    fn is_name(&self, mut id: ExprId, name: &str) -> bool {
        while let ast::Expr::Paren(inner) = &self.item.nodes[id] {
            id = *inner;
        }
        matches!(&self.item.nodes[id], ast::Expr::Name(found) if self.text(*found) == name)
    }
}
