//! Single steps: what each process can do next in a state, exactly as the language's reference says.
//!
//! A step is one statement or the head of a compound one. What follows from it without choice, evaluation or effect on others (jumps,
//! the end of a loop, leaving a round) belongs to the step, so a state never waits at such a place (`settle`).
//!
//! A process that fails stops and the others go on; the same for a false `assume`, which makes the run one that does not count, and for
//! what cannot be computed. So what one process runs into never hides what another one does.

use std::cell::Cell;
use std::sync::Arc;

use crate::program::{Program, Root, Step, StmtId, StmtKind, Type};
use crate::run::code::{FlatCode, Op, Position};
use crate::run::domain::{Nobody, values};
use crate::run::eval::{Scope, Trouble};
use crate::run::instance::{Instance, part_type};
use crate::run::state::{ActorState, Choice, Effect, Failure, SequentialState, SequentialThread, State, Status, Thread, Who};
use crate::run::value::{Pid, Value, default_value, is_finite};
use crate::run::walk::touches_shared;

/// A program and an instance of it, ready to run.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub instance: &'a Instance,
    codes: Vec<FlatCode>,
    sequential: Option<FlatCode>,
    /// The code of actors without a process.
    nothing: FlatCode,
    /// For each `havoc` the values that it tries.
    havocs: Vec<Option<Result<Arc<[Value]>, Trouble>>>,
    /// The statements that read or write shared ghost variables.
    touches_shared: Vec<bool>,
    has_sampled: Cell<bool>,
}

/// A step that can be taken, and where it leads.
#[derive(Clone, Debug)]
pub struct Successor {
    pub stmt: StmtId,
    pub choice: Choice,
    pub effect: Effect,
    pub state: State,
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, instance: &'a Instance) -> Self {
        let empty = Arc::from([]);
        Self {
            program,
            instance,
            codes: program.processes.iter().map(|process| FlatCode::of_process(program, &process.code.body)).collect(),
            sequential: program.sequential.as_ref().map(|code| FlatCode::of_sequential(program, &code.body)),
            nothing: FlatCode::of_process(program, &empty),
            havocs: (0..program.stmts.len() as u32).map(|stmt| havoc_values(program, instance, StmtId(stmt))).collect(),
            touches_shared: program.stmts.iter().map(|stmt| !program.shared.is_empty() && touches_shared(stmt)).collect(),
            has_sampled: Cell::new(false),
        }
    }

    /// How every run begins, and what goes wrong with the initial values of variables.
    pub fn start(&self) -> (State, Vec<(Option<Pid>, Trouble)>) {
        let mut troubles = Vec::new();
        let mut state =
            State { actors: Vec::new(), shared: Vec::new(), sequential: None, channels: Arc::default(), lost: Arc::default() };
        state.shared = self.initial_values(&self.program.shared, None, &mut troubles);
        for pid in self.instance.pids() {
            let code = self.instance.actor(pid).process.map(|process| &self.program.process(process).code);
            let before = troubles.len();
            let vars = code.map(|code| self.initial_values(&code.vars, Some(pid), &mut troubles)).unwrap_or_default();
            let mut thread = start_of(code.map_or(0, |code| code.locals.len()));
            if let Some((_, trouble)) = troubles.get(before) {
                thread.status = status_after(*trouble);
            }
            state.actors.push(Arc::new(ActorState { vars, thread, is_over: false, round: (0, 0) }));
        }
        if let Some(code) = &self.program.sequential {
            let vars = self.initial_values(&code.vars, None, &mut troubles);
            let main = SequentialThread { path: Vec::new(), thread: start_of(code.locals.len()), waits_for: 0 };
            state.sequential = Some(Arc::new(SequentialState { vars, threads: vec![main], atomic: None }));
            self.settle(&mut state, &Who::Sequential(Vec::new()));
        }
        for pid in self.instance.pids() {
            self.settle(&mut state, &Who::Process(pid));
        }
        (state, troubles)
    }

    fn initial_values(
        &self,
        vars: &[crate::program::Var],
        me: Option<Pid>,
        troubles: &mut Vec<(Option<Pid>, Trouble)>,
    ) -> Vec<Value> {
        let mut values = vars.iter().map(|var| default_value(self.program, &var.ty)).collect::<Vec<_>>();
        for (at, var) in vars.iter().enumerate() {
            let Some(expr) = &var.value else { continue };
            let mut scope = Scope::outside(self.program, self.instance).inside(me, &values, &[]);
            match scope.eval(expr) {
                Ok(value) => values[at] = value,
                Err(trouble) => troubles.push((me, trouble)),
            }
        }
        values
    }

    /// All who could take a step if they are not waiting: the threads of the `sequential` block, or, when it is through, the processes.
    pub fn movers(&self, state: &State) -> Vec<Who> {
        match &state.sequential {
            None => self.instance.pids().map(Who::Process).collect(),
            Some(sequential) => {
                let may_move = |path: &[u32]| sequential.atomic.as_ref().is_none_or(|atomic| path.starts_with(atomic));
                let threads = sequential.threads.iter().filter(|thread| may_move(&thread.path));
                threads.map(|thread| Who::Sequential(thread.path.clone())).collect()
            }
        }
    }

    /// All steps that one can take.
    pub fn successors(&self, state: &State, who: &Who) -> Vec<Successor> {
        let Some(thread) = state.thread(who) else { return Vec::new() };
        if thread.status != Status::Runs {
            return Vec::new();
        }
        let op = self.code(who).op(thread.position);
        let Some(stmt) = stmt_of(op) else { return Vec::new() };
        let mut found = Vec::new();
        let mut steps = Steps { machine: self, state, who, stmt, next: thread.position + 1, found: &mut found };
        if let Err(trouble) = steps.take(op) {
            found.clear();
            let mut after = state.clone();
            after.change_thread(who, |thread| thread.status = status_after(trouble));
            found.push(Successor { stmt, choice: Choice::None, effect: effect_of(trouble), state: after });
        }
        if matches!(who, Who::Sequential(_)) {
            found.iter_mut().for_each(|successor| self.check_invariants(successor, who));
        }
        found
    }

    /// The invariants of the program hold after each step of the `sequential` block.
    fn check_invariants(&self, successor: &mut Successor, who: &Who) {
        if successor.effect != Effect::Moved || successor.state.sequential.as_ref().is_some_and(|now| now.atomic.is_some()) {
            return;
        }
        if let Some(broken) = self.broken_invariant(&successor.state) {
            successor.effect = Effect::Failed(Failure::Invariant(broken));
            successor.state.change_thread(who, |thread| thread.status = Status::Failed);
        }
    }

    /// The first invariant of the program that does not hold in a state, by number. What cannot be evaluated is passed over.
    pub fn broken_invariant(&self, state: &State) -> Option<u32> {
        let broken = self.program.invariants.iter().position(|claim| {
            let mut scope = Scope::of_state(self.program, self.instance, state);
            let holds = scope.holds(&claim.condition);
            self.note_sampled(scope.has_sampled);
            holds == Ok(false)
        });
        broken.map(|at| at as u32)
    }

    pub(super) fn code(&self, who: &Who) -> &FlatCode {
        match who {
            Who::Process(pid) => match self.instance.actor(*pid).process {
                Some(process) => &self.codes[process.index()],
                None => &self.nothing,
            },
            Who::Sequential(_) => self.sequential.as_ref().unwrap_or(&self.nothing),
        }
    }

    /// The operation somebody is at, unless it has failed.
    pub(super) fn op(&self, state: &State, who: &Who) -> Option<&Op> {
        let thread = state.thread(who)?;
        (thread.status == Status::Runs).then(|| self.code(who).op(thread.position))
    }

    /// The statement somebody is at.
    pub fn stmt(&self, state: &State, who: &Who) -> Option<StmtId> {
        let thread = state.thread(who)?;
        stmt_of(self.code(who).op(thread.position))
    }

    /// Whether a process waits at the first receive of a `while (true)`.
    pub fn is_idle(&self, state: &State, pid: Pid) -> bool {
        matches!(self.op(state, &Who::Process(pid)), Some(Op::Receive { is_idle: true, .. }))
    }

    pub(super) fn touches_shared(&self, stmt: StmtId) -> bool {
        self.touches_shared[stmt.index()]
    }

    pub(super) fn havoc_values(&self, stmt: StmtId) -> Result<Arc<[Value]>, Trouble> {
        if let StmtKind::Havoc { target } = &self.program.stmt(stmt).kind
            && place_type(self.program, stmt, target).is_some_and(|ty| !is_finite(self.program, &ty))
        {
            self.has_sampled.set(true);
        }
        self.havocs[stmt.index()].clone().unwrap_or(Err(Trouble::IllTyped))
    }

    /// Whether values were drawn from infinitely many: then "all runs" are those with values from the domains.
    pub fn has_sampled(&self) -> bool {
        self.has_sampled.get()
    }

    pub(super) fn note_sampled(&self, has_sampled: bool) {
        self.has_sampled.set(self.has_sampled.get() || has_sampled);
    }

    pub(crate) fn evaluate<T>(
        &self,
        state: &State,
        who: &Who,
        evaluate: impl FnOnce(&mut Scope<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let me = match who {
            Who::Process(pid) => Some(*pid),
            Who::Sequential(_) => None,
        };
        let locals = state.thread(who).map_or(&[][..], |thread| &thread.locals);
        let mut scope = Scope::of_state(self.program, self.instance, state).inside(me, state.vars(who), locals);
        let result = evaluate(&mut scope);
        self.note_sampled(scope.has_sampled);
        result
    }
}

/// The steps of one thread in one state, as they are found.
pub(super) struct Steps<'s, 'm> {
    pub(super) machine: &'s Machine<'m>,
    pub(super) state: &'s State,
    pub(super) who: &'s Who,
    pub(super) stmt: StmtId,
    /// The operation after this one.
    pub(super) next: Position,
    pub(super) found: &'s mut Vec<Successor>,
}

impl Steps<'_, '_> {
    /// Adds a step that changes the state and goes on at a position.
    pub(super) fn add(
        &mut self,
        choice: Choice,
        goes_on: Position,
        change: impl FnOnce(&mut State) -> Result<Effect, Trouble>,
    ) -> Result<(), Trouble> {
        let mut after = self.state.clone();
        let effect = change(&mut after)?;
        if effect_stops(&effect) {
            let status = if effect == Effect::Withdrawn { Status::Withdrawn } else { Status::Failed };
            after.change_thread(self.who, |thread| thread.status = status);
        } else {
            after.change_thread(self.who, |thread| thread.position = goes_on);
            self.machine.settle(&mut after, self.who);
        }
        self.found.push(Successor { stmt: self.stmt, choice, effect, state: after });
        Ok(())
    }

    pub(super) fn evaluate<T>(&self, evaluate: impl FnOnce(&mut Scope<'_>) -> Result<T, Trouble>) -> Result<T, Trouble> {
        self.machine.evaluate(self.state, self.who, evaluate)
    }
}

fn effect_stops(effect: &Effect) -> bool {
    matches!(effect, Effect::Failed(_) | Effect::Withdrawn | Effect::CutOff(_))
}

fn effect_of(trouble: Trouble) -> Effect {
    trouble.failure().map_or(Effect::CutOff(trouble), Effect::Failed)
}

fn status_after(trouble: Trouble) -> Status {
    if trouble.is_failure() { Status::Failed } else { Status::CutOff }
}

fn stmt_of(op: &Op) -> Option<StmtId> {
    match op {
        Op::Do(stmt)
        | Op::Receive { stmt, .. }
        | Op::Send { stmt, .. }
        | Op::Branch { stmt, .. }
        | Op::Match { stmt, .. }
        | Op::Choose { stmt, .. }
        | Op::Enter(stmt)
        | Op::Turn { stmt, .. }
        | Op::Fork { stmt, .. }
        | Op::AtomicBegin(stmt) => Some(*stmt),
        Op::Join | Op::AtomicEnd | Op::Jump(_) | Op::End => None,
    }
}

fn start_of(locals: usize) -> Thread {
    Thread { position: 0, status: Status::Runs, loops: Vec::new(), locals: vec![Value::Nobody; locals] }
}

fn havoc_values(program: &Program, instance: &Instance, stmt: StmtId) -> Option<Result<Arc<[Value]>, Trouble>> {
    let StmtKind::Havoc { target } = &program.stmt(stmt).kind else { return None };
    let ty = place_type(program, stmt, target)?;
    let all = values(program, instance, &ty, Nobody::Included);
    Some(all.map(Arc::from).map_err(|_| Trouble::TooMany))
}

fn place_type(program: &Program, stmt: StmtId, place: &crate::program::Place) -> Option<Type> {
    let (vars, var) = match &place.root {
        Root::Own(var) => {
            let process = program.stmt(stmt).process;
            let code = process.map_or(program.sequential.as_ref(), |process| Some(&program.process(process).code));
            (&code?.vars, var)
        }
        Root::Shared(var) => (&program.shared, var),
        Root::Of { process, var, .. } => (&program.process(*process).code.vars, var),
    };
    let path: &[Step] = &place.path;
    part_type(vars.get(var.index())?.ty.clone(), path)
}
