//! The sequential program that a certificate stands for.
//!
//! The steps are gone through once more with the kernel, and what each does is written down for the process that does it: a variable
//! `x` of process `p` becomes `p.x`, a message becomes an assignment. If what was sent has changed before it is received, it is kept
//! in a variable of its own; this is found out in a first pass, and done in the second.

mod loops;
mod translate;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::facts::Facts;
use super::kernel::{Done, Kernel, Refusal};
use super::state::Channel;
use super::steps::Step;
use super::value::Who;
use crate::program::{
    Arm, BinaryOp, Block, Case, Code, Condition, Expr, Local, LocalId, Pattern, Place, Program, Root, SetId, SetLoop,
    Step as PathStep, Stmt, StmtId, StmtKind, Type, Var, VarId, Whose,
};

/// A sequential program with where it comes from.
#[derive(Clone, Debug)]
pub struct Sequential {
    pub program: Program,
    /// By statement of the new program, the statements it was made of.
    pub links: BTreeMap<StmtId, Vec<StmtId>>,
}

/// Writes down what the steps do. Fails if they are not allowed.
pub(crate) fn emit(program: &Program, facts: &Facts, steps: &[Step]) -> Done<Sequential> {
    let mut kept = Kept::default();
    // Keeping a message can make another variable necessary only through new names; two passes suffice, the third is for certainty.
    if let Some(Code { body, .. }) = &program.sequential {
        let stmt = body.first().copied().unwrap_or(StmtId(0));
        return Err(Refusal::Unsupported { stmt, what: "a program that is sequential already" });
    }
    for _ in 0..3 {
        let mut emitter = Emitter::new(program, facts, kept.clone());
        let block = emitter.block(steps)?;
        if emitter.kept == kept {
            return Ok(emitter.finish(block));
        }
        kept = emitter.kept;
    }
    Err(Refusal::NotNow)
}

/// Which sends, by number, are kept in variables, and which become part of a bag.
#[derive(Clone, Debug, Default, PartialEq)]
struct Kept {
    variables: BTreeSet<usize>,
    bags: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Pending {
    number: usize,
    sent: StmtId,
    /// What was sent, as of then.
    values: Vec<Expr>,
    /// How many scopes were open, and the number of the innermost.
    scope: usize,
    clock: usize,
    /// The variables it is kept in.
    kept: Vec<VarId>,
}

/// What is under way and when variables were changed, at the end of one way of a branch.
type End = (BTreeMap<Channel, Vec<Pending>>, BTreeMap<(Who, VarId), usize>);

#[derive(Clone, Copy)]
struct BagVars {
    content: [Option<VarId>; 8],
    left: VarId,
    next: VarId,
}

struct Emitter<'p> {
    program: &'p Program,
    kernel: Kernel<'p>,
    out: Program,
    links: BTreeMap<StmtId, Vec<StmtId>>,
    vars: Vec<Var>,
    locals: Vec<Local>,
    /// Names that are used, and for some the highest number that was put behind them.
    taken: FxHashSet<SmolStr>,
    numbers: FxHashMap<SmolStr, u32>,
    /// How the processes are called: members that are looked at alone.
    names: BTreeMap<Who, LocalId>,
    /// Those that somebody chose: the variable that says who it is.
    chosen: BTreeMap<Who, Expr>,
    /// What loop variables of processes stand for.
    bound: BTreeMap<(Who, LocalId), Expr>,
    queues: BTreeMap<Channel, Vec<Pending>>,
    hidden: Vec<BTreeMap<Channel, Vec<Pending>>>,
    bags: BTreeMap<(SetId, Who, u32), (BagVars, StmtId)>,
    /// When variables were last changed.
    changed: BTreeMap<(Who, VarId), usize>,
    clock: usize,
    scopes: Vec<usize>,
    /// When each of them was opened.
    began: Vec<usize>,
    opened: usize,
    sends: usize,
    kept: Kept,
    was_kept: Kept,
    /// Whether single steps are put together by `atomic`.
    is_parallel: bool,
}

impl<'p> Emitter<'p> {
    fn new(program: &'p Program, facts: &'p Facts, kept: Kept) -> Self {
        let out = Program { sequential: None, ..program.clone() };
        Self {
            program,
            kernel: Kernel::new(program, facts, usize::MAX),
            out,
            links: BTreeMap::new(),
            vars: Vec::new(),
            locals: Vec::new(),
            taken: names_of(program).cloned().collect(),
            numbers: FxHashMap::default(),
            names: BTreeMap::new(),
            chosen: BTreeMap::new(),
            bound: BTreeMap::new(),
            queues: BTreeMap::new(),
            hidden: Vec::new(),
            bags: BTreeMap::new(),
            changed: BTreeMap::new(),
            clock: 0,
            scopes: Vec::new(),
            began: Vec::new(),
            opened: 0,
            sends: 0,
            kept: kept.clone(),
            was_kept: kept,
            is_parallel: false,
        }
    }

    fn finish(mut self, block: Vec<StmtId>) -> Sequential {
        for actor in &self.kernel.state.actors {
            let rest: Vec<StmtId> = actor
                .code
                .0
                .iter()
                .rev()
                .flat_map(|frame| frame.block[frame.next.min(frame.block.len())..].iter().copied())
                .collect();
            self.out.processes[actor.process.index()].code.body = rest.into();
        }
        self.out.sequential = Some(Code { vars: self.vars, locals: self.locals, body: block.into() });
        Sequential { program: self.out, links: self.links }
    }

    fn add(&mut self, kind: StmtKind, from: &[StmtId]) -> StmtId {
        let id = StmtId(u32::try_from(self.out.stmts.len()).unwrap_or(u32::MAX));
        let range = from.last().map(|stmt| self.program.stmt(*stmt).range).unwrap_or_default();
        self.out.stmts.push(Stmt { kind, range, process: None });
        self.links.insert(id, from.to_vec());
        id
    }

    fn local_named(&mut self, name: &str, ty: Type) -> LocalId {
        let name = self.free_name(name);
        self.locals.push(Local { name, ty });
        LocalId(u32::try_from(self.locals.len() - 1).unwrap_or(u32::MAX))
    }

    fn var_named(&mut self, name: &str, ty: Type) -> VarId {
        let name = self.free_name(name);
        self.vars.push(Var { name, ty, is_ghost: false, value: None });
        VarId(u32::try_from(self.vars.len() - 1).unwrap_or(u32::MAX))
    }

    /// The name, or the name with a number, such that nothing else is called so.
    fn free_name(&mut self, name: &str) -> SmolStr {
        let mut free = SmolStr::new(name);
        let number = self.numbers.entry(free.clone()).or_insert(1);
        while self.taken.contains(&free) {
            *number += 1;
            free = smol_str::format_smolstr!("{name}_{number}");
        }
        self.taken.insert(free.clone());
        free
    }

    fn block(&mut self, steps: &[Step]) -> Done<Vec<StmtId>> {
        let mut block = Vec::new();
        let mut part = Vec::new();
        for step in steps {
            if self.is_parallel && self.kernel.is_free() && has_parts(step) {
                self.end_part(&mut block, &mut part);
                self.step(step, &mut block)?;
            } else {
                // What is inside of one part is not split further.
                let was_parallel = std::mem::replace(&mut self.is_parallel, false);
                let result = self.step(step, &mut part);
                self.is_parallel = was_parallel;
                result?;
            }
        }
        self.end_part(&mut block, &mut part);
        Ok(block)
    }

    fn end_part(&mut self, block: &mut Vec<StmtId>, part: &mut Vec<StmtId>) {
        let is_alone = part.len() < 2 || !self.is_parallel;
        if is_alone {
            block.append(part);
        } else {
            let part = std::mem::take(part);
            let atomic = self.add(StmtKind::Atomic(part.into()), &[]);
            block.push(atomic);
        }
    }

    fn step(&mut self, step: &Step, block: &mut Vec<StmtId>) -> Done {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.step_here(step, block))
    }

    fn step_here(&mut self, step: &Step, block: &mut Vec<StmtId>) -> Done {
        self.clock += 1;
        match step {
            Step::Local { who } => self.local(*who, block),
            Step::Enter { who } => self.enter(*who, block),
            Step::Send { who } => self.send(*who, block),
            Step::Receive { who, case, from } => {
                let Some((head, StmtKind::Receive { cases, .. })) = self.kernel.head(*who) else { return Err(Refusal::NotNow) };
                let case_taken = cases.get(*case).ok_or(Refusal::NotNow)?;
                self.kernel.receive(*who, *case, *from)?;
                self.receive(*who, head, case_taken, *from, block)
            }
            Step::TakeFromBag { who, case } => self.take_from_bag(*who, *case, block),
            Step::Branch { who, ways } => self.branch(*who, ways, block),
            Step::Serve { who, focus } => {
                self.bind_member(*who, self.pid(*focus))?;
                self.kernel.serve(*who, *focus)
            }
            Step::Section => {
                self.note_others(None);
                self.kernel.section()
            }
            Step::Loop { drivers, focus, steps } => self.set_loop(drivers, *focus, steps, block),
            Step::Parallel { set, focus, steps } => self.parallel(*set, *focus, steps, block),
            Step::Pick { set, chosen, focus, steps } => self.pick(*set, *chosen, *focus, steps, block),
            Step::Repeat { drivers, steps } => self.repeat(drivers, steps, block),
            Step::While { driver, steps } => self.while_loop(*driver, steps, block),
        }
    }

    fn local(&mut self, who: Who, block: &mut Vec<StmtId>) -> Done {
        let (head, _) = self.kernel.head(who).ok_or(Refusal::NotNow)?;
        self.note_changes(who, head);
        match who {
            Who::Each(set) => {
                let process = self.kernel.actor(who)?.process;
                let member = self.local_named(&self.program.process(process).name.clone(), Type::Pid(Whose::Member(set)));
                self.names.insert(who, member);
                let stmt = self.stmt(who, head);
                let set_loop = SetLoop {
                    member: Some(member),
                    set: Expr::Set(set),
                    done: None,
                    invariants: Vec::new(),
                    body: Block::from([stmt]),
                };
                let stmt = self.add(StmtKind::For(set_loop), &[head]);
                block.push(stmt);
            }
            _ => {
                let stmt = self.stmt(who, head);
                block.push(stmt);
            }
        }
        self.kernel.local(who)
    }

    /// Nothing is done, except that a `match` stores what the element carries.
    fn enter(&mut self, who: Who, block: &mut Vec<StmtId>) -> Done {
        let (head, kind) = self.kernel.head(who).ok_or(Refusal::NotNow)?;
        if let StmtKind::Match { value, arms, .. } = kind
            && let Some(arm) = self.kernel.decided(who).and_then(|nth| arms.get(nth))
            && arm.patterns.iter().any(|pattern| *pattern != Pattern::Wildcard)
        {
            let never = self.add(StmtKind::Fail { message: Some("it is always the other element".into()) }, &[head]);
            let skip = self.add(StmtKind::Skip, &[head]);
            let kind = StmtKind::Match {
                value: self.expr(who, value),
                arms: vec![Arm { element: arm.element, patterns: self.patterns(who, &arm.patterns), body: Block::from([skip]) }],
                default: Some(Block::from([never])),
            };
            for pattern in &arm.patterns {
                self.note_pattern(who, pattern);
            }
            let stmt = self.add(kind, &[head]);
            block.push(stmt);
        }
        self.kernel.enter(who)
    }

    fn send(&mut self, who: Who, block: &mut Vec<StmtId>) -> Done {
        let Some((head, StmtKind::Send { message, args, .. })) = self.kernel.head(who) else { return Err(Refusal::NotNow) };
        let before: BTreeMap<Channel, usize> =
            self.kernel.state.channels.iter().map(|(channel, content)| (*channel, content.len())).collect();
        self.kernel.send(who)?;
        let grown = self
            .kernel
            .state
            .channels
            .iter()
            .find(|(channel, content)| before.get(channel).copied().unwrap_or(0) < content.len());
        let channel = grown.map(|(channel, _)| *channel).ok_or(Refusal::NotNow)?;
        let number = self.sends;
        self.sends += 1;
        let values: Vec<Expr> = args.iter().map(|arg| self.expr(who, arg)).collect();
        let mut kept = Vec::new();
        if self.was_kept.bags.contains(&number) {
            self.put_into_bag(channel, head, &values, block)?;
        } else if self.was_kept.variables.contains(&number) {
            let payload = self.program.message(*message).payload.clone();
            for (value, ty) in values.iter().zip(payload) {
                let name = self.program.message(*message).name.to_lowercase();
                let var = self.var_named(&format!("{name}_sent"), self.by_member(channel, ty));
                let place = Place { root: Root::Own(var), path: self.keys(channel).into_iter().map(PathStep::Key).collect() };
                let stmt = self.add(StmtKind::Assign { target: Pattern::Place(place), value: value.clone() }, &[head]);
                block.push(stmt);
                kept.push(var);
            }
        }
        let scope = self.scopes.last().copied().unwrap_or(0);
        let pending = Pending { number, sent: head, values, scope, clock: self.clock, kept };
        self.queues.entry(channel).or_default().push(pending);
        Ok(())
    }

    /// A variable for each member at either end of a channel.
    fn by_member(&self, (from, to, _): Channel, ty: Type) -> Type {
        let sets =
            [from, to].into_iter().filter(|who| matches!(who, Who::Focus(_))).filter_map(|who| self.kernel.state.set_of(who));
        let sets: Vec<SetId> = sets.collect();
        sets.into_iter().rev().fold(ty, |ty, set| Type::Map(Box::new(Type::Pid(Whose::Member(set))), Box::new(ty)))
    }

    fn keys(&self, (from, to, _): Channel) -> Vec<Expr> {
        [from, to].into_iter().filter(|who| matches!(who, Who::Focus(_))).map(|who| self.pid(who)).collect()
    }

    fn oldest(&mut self, channel: Channel) -> Option<Pending> {
        let queue = self.queues.get_mut(&channel)?;
        let oldest = (!queue.is_empty()).then(|| queue.remove(0));
        if queue.is_empty() {
            self.queues.remove(&channel);
        }
        oldest
    }

    fn receive(&mut self, who: Who, head: StmtId, case: &Case, from: Who, block: &mut Vec<StmtId>) -> Done {
        let channel = (from, who, case.message);
        let pending = self.oldest(channel).ok_or(Refusal::NotNow)?;
        let links = [pending.sent, head];
        let values = self.values_of(&pending, channel);
        for (pattern, value) in case.patterns.iter().zip(values) {
            if *pattern != Pattern::Wildcard {
                let target = self.pattern(who, pattern);
                let stmt = self.add(StmtKind::Assign { target, value }, &links);
                block.push(stmt);
            }
            self.note_pattern(who, pattern);
        }
        if let Some(sender) = &case.sender {
            let target = self.pattern(who, &Pattern::Place(sender.clone()));
            let stmt = self.add(StmtKind::Assign { target, value: self.pid(from) }, &links);
            block.push(stmt);
            self.note_pattern(who, &Pattern::Place(sender.clone()));
        }
        Ok(())
    }

    /// What a message carries, as it can be written where it is received.
    fn values_of(&mut self, pending: &Pending, channel: Channel) -> Vec<Expr> {
        if !pending.kept.is_empty() {
            let keys = self.keys(channel);
            let of = |var: &VarId| keys.iter().fold(Expr::Own(*var), |map, key| Expr::Key(Box::new(map), Box::new(key.clone())));
            return pending.kept.iter().map(of).collect();
        }
        let StmtKind::Send { args, .. } = &self.program.stmt(pending.sent).kind else { return Vec::new() };
        let mut read = translate::Reads::default();
        args.iter().for_each(|arg| read.expr(arg));
        let from = channel.0;
        let is_changed = read.vars.iter().any(|var| self.changed.get(&(from, *var)).is_some_and(|clock| *clock > pending.clock));
        let is_same_scope = pending.scope == 0 || self.scopes.contains(&pending.scope);
        if args.is_empty() || !is_changed && is_same_scope {
            return pending.values.clone();
        }
        if !is_changed && !read.has_locals {
            return args.iter().map(|arg| self.expr(from, arg)).collect();
        }
        self.kept.variables.insert(pending.number);
        pending.values.clone()
    }

    fn put_into_bag(&mut self, channel: Channel, head: StmtId, values: &[Expr], block: &mut Vec<StmtId>) -> Done {
        let (from, to, message) = channel;
        let set = self.kernel.state.set_of(from).ok_or(Refusal::NotNow)?;
        let declared = self.program.message(message);
        let name = declared.name.to_lowercase();
        let mut vars = BagVars {
            content: [None; 8],
            left: self.var_named(&format!("{name}s_left"), Type::Set(Box::new(Type::Int))),
            next: self.var_named(&format!("{name}s_sent"), Type::Int),
        };
        if values.len() > vars.content.len() {
            return Err(Refusal::Unsupported { stmt: head, what: "a message of more than eight parts here" });
        }
        for (nth, (value, ty)) in values.iter().zip(declared.payload.clone()).enumerate() {
            let var = self.var_named(&format!("{name}s"), Type::Map(Box::new(Type::Int), Box::new(ty)));
            vars.content[nth] = Some(var);
            let place = Place { root: Root::Own(var), path: vec![PathStep::Key(Expr::Own(vars.next))] };
            let stmt = self.add(StmtKind::Assign { target: Pattern::Place(place), value: value.clone() }, &[head]);
            block.push(stmt);
        }
        let add = |set: Expr, more: Expr| Expr::Binary(BinaryOp::Add, Box::new(set), Box::new(more));
        let own = |var: VarId| Pattern::Place(Place { root: Root::Own(var), path: Vec::new() });
        let more = add(Expr::Own(vars.left), Expr::SetOf(vec![Expr::Own(vars.next)]));
        let stmt = self.add(StmtKind::Assign { target: own(vars.left), value: more }, &[head]);
        block.push(stmt);
        let stmt = self.add(StmtKind::Assign { target: own(vars.next), value: add(Expr::Own(vars.next), Expr::Int(1)) }, &[head]);
        block.push(stmt);
        self.bags.insert((set, to, message.0), (vars, head));
        Ok(())
    }

    fn take_from_bag(&mut self, who: Who, case: usize, block: &mut Vec<StmtId>) -> Done {
        let Some((head, StmtKind::Receive { cases, .. })) = self.kernel.head(who) else { return Err(Refusal::NotNow) };
        let case_taken = cases.get(case).ok_or(Refusal::NotNow)?;
        self.kernel.take_from_bag(who, case)?;
        let found = self.bags.iter().find(|((_, to, message), _)| *to == who && *message == case_taken.message.0);
        // In the first pass it is not known yet that there is a bag.
        let Some((_, (vars, sent))) = found.map(|(key, value)| (*key, *value)) else { return Ok(()) };
        let links = [sent, head];
        let taken = self.var_named("taken", Type::Int);
        let place = Place { root: Root::Own(taken), path: Vec::new() };
        let stmt = self.add(StmtKind::Pick { target: place, set: Expr::Own(vars.left) }, &links);
        block.push(stmt);
        let less = Expr::Binary(BinaryOp::Sub, Box::new(Expr::Own(vars.left)), Box::new(Expr::SetOf(vec![Expr::Own(taken)])));
        let left = Pattern::Place(Place { root: Root::Own(vars.left), path: Vec::new() });
        let stmt = self.add(StmtKind::Assign { target: left, value: less }, &links);
        block.push(stmt);
        for (pattern, content) in case_taken.patterns.iter().zip(vars.content) {
            self.note_pattern(who, pattern);
            if let Some(content) = content.filter(|_| *pattern != Pattern::Wildcard) {
                let value = Expr::Key(Box::new(Expr::Own(content)), Box::new(Expr::Own(taken)));
                let target = self.pattern(who, pattern);
                let stmt = self.add(StmtKind::Assign { target, value }, &links);
                block.push(stmt);
            }
        }
        if case_taken.sender.is_some() {
            return Err(Refusal::Unsupported { stmt: head, what: "the sender of one of many messages" });
        }
        Ok(())
    }

    fn branch(&mut self, who: Who, ways: &[Vec<Step>], block: &mut Vec<StmtId>) -> Done {
        let (head, kind) = self.kernel.head(who).ok_or(Refusal::NotNow)?;
        let start = self.kernel.clone();
        let (queues, changed) = (self.queues.clone(), self.changed.clone());
        let mut kernels = Vec::new();
        let mut blocks: Vec<Block> = Vec::new();
        let mut ends = Vec::new();
        for (way, steps) in ways.iter().enumerate() {
            self.kernel = start.clone();
            (self.queues, self.changed) = (queues.clone(), changed.clone());
            let mut inside = Vec::new();
            self.begin_way(who, head, kind, way, &mut inside)?;
            inside.extend(self.block(steps)?);
            kernels.push(self.kernel.clone());
            blocks.push(inside.into());
            ends.push((std::mem::take(&mut self.queues), std::mem::take(&mut self.changed)));
        }
        self.kernel = Kernel::join(kernels)?;
        self.join_queues(ends);
        let empty: Block = Block::from([]);
        let kind = match kind {
            StmtKind::If { condition, .. } => StmtKind::If {
                condition: self.condition(who, condition),
                then: blocks[0].clone(),
                otherwise: blocks.get(1).cloned().unwrap_or(empty),
            },
            StmtKind::Receive { .. } => StmtKind::If {
                condition: Condition::Either,
                then: blocks[0].clone(),
                otherwise: blocks.get(1).cloned().unwrap_or(empty),
            },
            StmtKind::Match { value, arms, .. } => {
                let value = self.expr(who, value);
                let mut taken = Vec::new();
                for (arm, body) in arms.iter().zip(&blocks) {
                    taken.push(Arm { element: arm.element, patterns: self.patterns(who, &arm.patterns), body: body.clone() });
                }
                StmtKind::Match { value, arms: taken, default: blocks.get(arms.len()).cloned() }
            }
            StmtKind::Choose { .. } => StmtKind::Choose { branches: blocks },
            _ => return Err(Refusal::NotNow),
        };
        let stmt = self.add(kind, &[head]);
        block.push(stmt);
        Ok(())
    }

    fn begin_way(&mut self, who: Who, head: StmtId, kind: &'p StmtKind, way: usize, inside: &mut Vec<StmtId>) -> Done {
        match kind {
            StmtKind::Receive { cases, .. } => {
                let case = self.kernel.case_there(who, head, cases)?;
                let from = self.kernel.source(who, case).ok_or(Refusal::NotNow)?;
                self.kernel.receive_or_time_out(who, way)?;
                if way == 0 {
                    self.receive(who, head, case, from, inside)?;
                } else {
                    self.oldest((from, who, case.message));
                }
                Ok(())
            }
            StmtKind::Match { arms, .. } => {
                if let Some(arm) = arms.get(way) {
                    for pattern in &arm.patterns {
                        self.note_pattern(who, pattern);
                    }
                }
                self.kernel.enter_arm(who, way)
            }
            _ => self.kernel.enter_arm(who, way),
        }
    }

    /// A message that is under way after a branch may have been sent in different places: then it is kept in a variable.
    fn join_queues(&mut self, ends: Vec<End>) {
        let mut joined: BTreeMap<Channel, Vec<Pending>> = BTreeMap::new();
        for (nth, (queues, changed)) in ends.into_iter().enumerate() {
            for (key, clock) in changed {
                let known = self.changed.entry(key).or_default();
                *known = (*known).max(clock);
            }
            for (channel, queue) in queues {
                let known = joined.entry(channel).or_default();
                if nth == 0 {
                    *known = queue;
                    continue;
                }
                for (mine, theirs) in known.iter_mut().zip(queue) {
                    if mine.number != theirs.number {
                        self.kept.variables.extend([mine.number, theirs.number]);
                        // Both ways keep it in the variables of the first.
                        self.same_variables(mine, &theirs);
                    }
                }
            }
        }
        joined.retain(|_, queue| !queue.is_empty());
        self.queues = joined;
    }

    /// Has the assignments of one kept message go to the variables of another.
    fn same_variables(&mut self, mine: &Pending, theirs: &Pending) {
        for (mine, theirs) in mine.kept.iter().zip(&theirs.kept) {
            for stmt in &mut self.out.stmts {
                if let StmtKind::Assign { target: Pattern::Place(place), .. } = &mut stmt.kind
                    && stmt.process.is_none()
                    && place.root == Root::Own(*theirs)
                {
                    place.root = Root::Own(*mine);
                }
            }
        }
    }
}

/// What things outside of processes are called.
fn names_of(program: &Program) -> impl Iterator<Item = &SmolStr> {
    let enums = program.enums.iter().flat_map(|of| of.elements.iter().map(|element| &element.name).chain([&of.name]));
    let singles = program.processes.iter().filter(|process| process.set.is_none()).map(|process| &process.name);
    let sets = program.sets.iter().map(|set| &set.name);
    let messages = program.messages.iter().map(|message| &message.name);
    let consts = program.consts.iter().map(|constant| &constant.name);
    let shared = program.shared.iter().map(|var| &var.name);
    enums.chain(singles).chain(sets).chain(messages).chain(consts).chain(shared).chain(&program.opaque)
}

/// Whether a step of parallel steps is not done at one stroke: others may have their parts in between.
fn has_parts(step: &Step) -> bool {
    match step {
        Step::Section => true,
        Step::Loop { steps, .. } | Step::Repeat { steps, .. } | Step::While { steps, .. } => steps.iter().any(shares),
        Step::Branch { ways, .. } => ways.iter().flatten().any(has_parts),
        Step::Pick { steps, .. } | Step::Parallel { steps, .. } => steps.iter().any(has_parts),
        _ => false,
    }
}

/// Whether somebody else has a part in a step.
fn shares(step: &Step) -> bool {
    match step {
        Step::Receive { .. } | Step::Serve { .. } | Step::TakeFromBag { .. } | Step::Section => true,
        Step::Branch { ways, .. } => ways.iter().flatten().any(shares),
        Step::Loop { steps, .. }
        | Step::Repeat { steps, .. }
        | Step::While { steps, .. }
        | Step::Pick { steps, .. }
        | Step::Parallel { steps, .. } => steps.iter().any(shares),
        Step::Local { .. } | Step::Enter { .. } | Step::Send { .. } => false,
    }
}
