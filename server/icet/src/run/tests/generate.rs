//! Small programs made up at random, by hand of a seed: everything that processes can do, so that the two ways to search disagree if
//! the reduction forgets a case.

use std::sync::Arc;

use lockstep_base::TextRange;

use crate::program::*;
use crate::run::random::Random;

const A: ProcessId = ProcessId(0);
const B: ProcessId = ProcessId(1);
const S: SetId = SetId(0);
const X: VarId = VarId(0);
const P: VarId = VarId(1);
const FLAG: VarId = VarId(2);
/// A message that only rounds use.
const IN_ROUNDS: MessageId = MessageId(2);

/// `a`, `b` and `c in S`; messages `M(int)`, `N` and, in rounds, `R(int)`; variables `x`, `p`, `flag`; a shared ghost `g`.
pub(super) fn program(seed: u64) -> Program {
    let mut generator =
        Generator { random: Random(seed), program: declarations(), process: A, locals: Vec::new(), in_rounds: false };
    let has_rounds = generator.chance(4);
    for process in 0..3 {
        let code = generator.process(ProcessId(process), has_rounds);
        generator.program.processes[process as usize].code.locals = generator.local_list();
        generator.program.processes[process as usize].code.body = code;
    }
    generator.program
}

fn declarations() -> Program {
    let range = TextRange::default();
    let message = |name: &str, payload: Vec<Type>| Message { name: name.into(), payload, range };
    let var = |name: &str, ty: Type, is_ghost: bool| Var { name: name.into(), ty, is_ghost, value: None };
    let code = || Code {
        vars: vec![var("x", Type::Int, false), var("p", Type::Pid(Whose::Anybody), false), var("flag", Type::Bool, false)],
        ..Code::default()
    };
    let process = |name: &str, set: Option<SetId>| Process { name: name.into(), set, range, code: code() };
    Program {
        sets: vec![Set { name: "S".into(), superset: None, range }],
        messages: vec![message("M", vec![Type::Int]), message("N", Vec::new()), message("R", vec![Type::Int])],
        shared: vec![var("g", Type::Int, true)],
        processes: vec![process("a", None), process("b", None), process("c", Some(S))],
        ..Program::default()
    }
}

struct Generator {
    random: Random,
    program: Program,
    process: ProcessId,
    /// The loop variables declared so far, and whether they are in scope and a pid.
    locals: Vec<LocalState>,
    in_rounds: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum LocalState {
    Pid,
    Int,
    OutOfScope,
}

impl Generator {
    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound).unwrap_or(0)
    }

    fn local_list(&self) -> Vec<Local> {
        (0..self.locals.len()).map(|at| Local { name: format!("l{at}").into(), ty: Type::Int }).collect()
    }

    fn process(&mut self, process: ProcessId, has_rounds: bool) -> Block {
        self.process = process;
        self.locals.clear();
        let mut body = self.stmts(2, 2);
        if has_rounds && !self.chance(5) {
            let index = self.local(LocalState::Int);
            self.in_rounds = true;
            let inside = self.block(2, 1);
            self.in_rounds = false;
            self.locals[index.index()] = LocalState::OutOfScope;
            let rounds = StmtKind::Rounds { count: Some(Expr::Int(2)), index, invariants: Vec::new(), body: inside };
            body.push(self.push(rounds));
        } else if self.chance(4) {
            let body_of_loop = self.server_loop();
            body.push(body_of_loop);
        }
        body.into()
    }

    /// `while (true) { recv ...; ... }`
    fn server_loop(&mut self) -> StmtId {
        let mut inside = vec![self.receive(1)];
        if self.chance(2) {
            inside.push(self.stmt(0));
        }
        let condition = Condition::Holds(Expr::Bool(true));
        self.push(StmtKind::While { condition, invariants: Vec::new(), body: inside.into() })
    }

    fn block(&mut self, most: usize, depth: usize) -> Block {
        self.stmts(most, depth).into()
    }

    fn stmts(&mut self, most: usize, depth: usize) -> Vec<StmtId> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.stmt(depth)).collect()
    }

    fn push(&mut self, kind: StmtKind) -> StmtId {
        self.program.stmts.push(Stmt { kind, range: TextRange::default(), process: Some(self.process) });
        StmtId(self.program.stmts.len() as u32 - 1)
    }

    fn stmt(&mut self, depth: usize) -> StmtId {
        if depth > 0 && self.chance(3) {
            return self.compound(depth - 1);
        }
        match self.below(10) {
            0..=3 => self.send(),
            4..=6 => self.receive(depth.saturating_sub(1)),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> StmtId {
        let kind = match self.below(9) {
            0 => StmtKind::Havoc { target: place(FLAG) },
            1 => StmtKind::Pick { target: place(P), set: Expr::Set(S) },
            2 => StmtKind::Assert { condition: binary(BinaryOp::Ne, Expr::Own(X), self.int()), message: None },
            3 => StmtKind::Assume(binary(BinaryOp::Ne, Expr::Own(X), self.int())),
            4 => StmtKind::Assign { target: Pattern::Place(place(P)), value: self.pid() },
            5 => {
                let value = binary(BinaryOp::Add, Expr::Shared(VarId(0)), Expr::Int(1));
                let target = Pattern::Place(Place { root: Root::Shared(VarId(0)), path: Vec::new() });
                StmtKind::Assign { target, value }
            }
            6 => StmtKind::Assert { condition: binary(BinaryOp::Lt, Expr::Shared(VarId(0)), Expr::Int(2)), message: None },
            _ => StmtKind::Assign { target: Pattern::Place(place(X)), value: self.int() },
        };
        self.push(kind)
    }

    fn send(&mut self) -> StmtId {
        let message = self.message();
        let args = self.program.messages[message.index()].payload.iter().map(|_| ()).collect::<Vec<_>>();
        let args = args.iter().map(|()| self.int()).collect();
        let target = self.pid();
        self.push(StmtKind::Send { message, args, target })
    }

    fn message(&mut self) -> MessageId {
        if self.in_rounds { IN_ROUNDS } else { MessageId(self.below(2) as u32) }
    }

    fn receive(&mut self, depth: usize) -> StmtId {
        if self.chance(3) {
            let from = self.pid();
            return self.receive_with_timeout(from, depth);
        }
        let mut cases = vec![];
        let message = self.message();
        let source = self.source();
        cases.push(self.case(message, source, depth));
        if !self.in_rounds && self.chance(3) {
            let source = self.source();
            cases.push(self.case(MessageId(1 - message.0), source, depth));
        }
        self.push(StmtKind::Receive { cases, timeout: None })
    }

    fn receive_with_timeout(&mut self, from: Expr, depth: usize) -> StmtId {
        let message = self.message();
        let mut cases = vec![self.case(message, Source::One(from.clone()), depth)];
        if !self.in_rounds && self.chance(2) {
            cases.push(self.case(MessageId(1 - message.0), Source::One(from), depth));
        }
        let timeout = self.block(1, depth);
        self.push(StmtKind::Receive { cases, timeout: Some(timeout) })
    }

    fn case(&mut self, message: MessageId, source: Source, depth: usize) -> Case {
        let patterns = self.program.messages[message.index()].payload.iter().map(|_| Pattern::Place(place(X))).collect();
        let sender = self.chance(3).then(|| place(P));
        let body = if self.chance(2) { self.block(1, depth) } else { Arc::from([]) };
        Case { message, patterns, sender, source, body, range: TextRange::default() }
    }

    fn source(&mut self) -> Source {
        match self.below(3) {
            0 => Source::Any,
            1 => Source::Of(Expr::Set(S)),
            _ => Source::One(self.pid()),
        }
    }

    fn compound(&mut self, depth: usize) -> StmtId {
        let kind = match self.below(6) {
            0 => StmtKind::If { condition: Condition::Either, then: self.block(1, depth), otherwise: self.block(1, depth) },
            1 => {
                let condition = Condition::Holds(Expr::Own(FLAG));
                StmtKind::If { condition, then: self.block(1, depth), otherwise: Arc::from([]) }
            }
            2 => StmtKind::Choose { branches: vec![self.block(1, depth), self.block(1, depth)] },
            3 => StmtKind::Repeat { count: Expr::Int(2), index: None, invariants: Vec::new(), body: self.block(1, depth) },
            4 => StmtKind::For(self.set_loop(|generator| generator.block(1, depth))),
            _ => StmtKind::Foreach(self.set_loop(|generator| {
                let member = LocalId(generator.locals.len() as u32 - 1);
                let first = if generator.chance(3) {
                    generator.receive_with_timeout(Expr::Local(member), depth)
                } else {
                    let message = generator.message();
                    let case = generator.case(message, Source::One(Expr::Local(member)), depth);
                    generator.push(StmtKind::Receive { cases: vec![case], timeout: None })
                };
                Arc::from([first])
            })),
        };
        self.push(kind)
    }

    fn set_loop(&mut self, body: impl FnOnce(&mut Self) -> Block) -> SetLoop {
        let member = self.local(LocalState::Pid);
        let body = body(self);
        self.locals[member.index()] = LocalState::OutOfScope;
        SetLoop { member: Some(member), set: Expr::Set(S), done: None, invariants: Vec::new(), body }
    }

    fn local(&mut self, state: LocalState) -> LocalId {
        self.locals.push(state);
        LocalId(self.locals.len() as u32 - 1)
    }

    fn int(&mut self) -> Expr {
        match self.below(4) {
            0 => Expr::Own(X),
            _ => Expr::Int(self.below(3) as i128),
        }
    }

    fn pid(&mut self) -> Expr {
        let member = self.locals.iter().rposition(|local| *local == LocalState::Pid);
        if let Some(member) = member
            && !self.chance(3)
        {
            return Expr::Local(LocalId(member as u32));
        }
        match self.below(7) {
            0..=2 => Expr::Process(A),
            3..=5 => Expr::Process(B),
            _ => Expr::Own(P),
        }
    }
}

fn place(var: VarId) -> Place {
    Place { root: Root::Own(var), path: Vec::new() }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}
