//! Where messages come from, by looking at every state of every interleaving: which `send`s leave orphans, and asymmetric races, that
//! is receives that could take one of several messages from processes with different code.
//!
//! Members of one set are not told apart: which of them comes first is what the programs leave open on purpose. So are the cases of
//! one receive. Every message under way is marked with the `send` that it comes from; so programs with timeouts or rounds, which throw
//! messages away, are not for this.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use lockstep_icet::program::{Program, StmtId, StmtKind};
use lockstep_icet::run::instance::Instance;
use lockstep_icet::run::state::{Channel, Choice, Effect, State, Status, Who};
use lockstep_icet::run::step::{Machine, Successor};
use lockstep_icet::run::value::Pid;

type Senders = BTreeMap<Channel, VecDeque<StmtId>>;

#[derive(Default)]
pub(crate) struct Traffic {
    /// The receives that can race, and the `send`s they choose between.
    pub(crate) racing: BTreeSet<StmtId>,
    /// The `send`s whose messages are left when a run ends.
    pub(crate) orphaned: BTreeSet<StmtId>,
}

/// `Err` if there are more states than asked for.
pub(crate) fn traffic(program: &Program, instance: &Instance, most_states: usize) -> Result<Traffic, String> {
    let machine = Machine::new(program, instance);
    let mut found = Traffic::default();
    let mut seen: HashSet<(State, Senders)> = HashSet::new();
    let mut todo = vec![(machine.start().0, Senders::new())];
    while let Some((state, senders)) = todo.pop() {
        if !seen.insert((state.clone(), senders.clone())) {
            continue;
        }
        if seen.len() > most_states {
            return Err(format!("more than {most_states} states"));
        }
        if has_ended(&machine, &state) {
            found.orphaned.extend(senders.values().flatten());
        }
        for who in machine.movers(&state) {
            let Who::Process(me) = who else { continue };
            let successors = machine.successors(&state, &who);
            found.racing.extend(conflicts(program, instance, me, &successors, &senders));
            todo.extend(successors.into_iter().map(|successor| {
                let senders = after(&senders, me, &successor);
                (successor.state, senders)
            }));
        }
    }
    Ok(found)
}

/// Whether a run ends here: everybody is through, or is idle and nobody asks.
fn has_ended(machine: &Machine<'_>, state: &State) -> bool {
    machine.instance.pids().all(|pid| {
        let actor = &state.actors[pid.index()];
        let waits = || machine.is_idle(state, pid) && machine.successors(state, &Who::Process(pid)).is_empty();
        actor.thread.status == Status::Runs && (actor.is_over || waits())
    })
}

/// The steps of one process in one state: if they are receives of different senders, the receive and the `send`s.
fn conflicts(program: &Program, instance: &Instance, me: Pid, steps: &[Successor], senders: &Senders) -> Vec<StmtId> {
    let mut found = Vec::new();
    for (at, one) in steps.iter().enumerate() {
        for other in &steps[at + 1..] {
            let (Choice::Take { case, from }, Choice::Take { case: other_case, from: other_from }) = (&one.choice, &other.choice)
            else {
                continue;
            };
            let code = |pid: Pid| instance.actor(pid).process;
            if case != other_case || code(*from) == code(*other_from) {
                continue;
            }
            let StmtKind::Receive { cases, .. } = &program.stmt(one.stmt).kind else { continue };
            let message = cases[*case as usize].message;
            let first =
                |from: Pid| senders.get(&Channel { from, to: me, message, round: None }).and_then(VecDeque::front).copied();
            found.push(one.stmt);
            found.extend([first(*from), first(*other_from)].into_iter().flatten());
        }
    }
    found
}

/// Which `send`s the messages under way come from after a step.
fn after(senders: &Senders, me: Pid, step: &Successor) -> Senders {
    let mut senders = senders.clone();
    match &step.effect {
        Effect::Sent { message, to, .. } => {
            let channel = Channel { from: me, to: *to, message: *message, round: None };
            senders.entry(channel).or_default().push_back(step.stmt);
        }
        Effect::Received { message, from, .. } => {
            let channel = Channel { from: *from, to: me, message: *message, round: None };
            if let Some(queue) = senders.get_mut(&channel) {
                queue.pop_front();
                if queue.is_empty() {
                    senders.remove(&channel);
                }
            }
        }
        _ => {}
    }
    senders
}
