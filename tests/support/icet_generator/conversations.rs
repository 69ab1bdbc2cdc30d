//! Conversations of any number of processes, as people write them: each gives what every process does in it.
//!
//! They are meant to come to their end; what goes wrong in a program comes from how they are put together, from messages that are
//! used twice, from claims that do not hold, and from the few traps that are marked.

use super::dialog::{Seat, branch, decide, local_work, opened_dialog};
use super::sketch::{Block, MessageId, Phase, Sketch, Stmt, Type, block, line};

/// One process tells all members of a set.
pub(super) fn tell_all(sketch: &mut Sketch, hub: usize, crowd: usize) -> Phase {
    let message = sketch.plain_message();
    let mut phase = sketch.silence();
    let (member, hub_name) = (sketch.name(crowd), sketch.name(hub));
    let turn = vec![sketch.send(hub, message, member)];
    phase[hub] = vec![for_each(sketch, crowd, turn)];
    phase[crowd] = vec![sketch.receive(crowd, message, hub_name)];
    phase
}

/// All members of a set tell one process.
pub(super) fn gather(sketch: &mut Sketch, crowd: usize, hub: usize) -> Phase {
    let message = match sketch.random.below(6) {
        0 => sketch.message(Some(sketch.member_type(crowd))),
        _ => sketch.plain_message(),
    };
    let mut phase = sketch.silence();
    let hub_name = sketch.name(hub);
    phase[crowd] = vec![sketch.send(crowd, message, hub_name)];
    phase[hub] = collect(sketch, hub, crowd, message);
    phase
}

/// Receives one message from each member of a set, in one of the ways to do that.
fn collect(sketch: &mut Sketch, hub: usize, crowd: usize, message: MessageId) -> Block {
    let (set_name, member) = (sketch.set_of(crowd), sketch.name(crowd));
    let (head, source) = match sketch.random.below(6) {
        0 => (format!("for _ in {set_name}"), "any".to_owned()),
        1 => (format!("for {member} in {set_name}"), member.to_owned()),
        2 => (format!("foreach {member} in {set_name}"), member.to_owned()),
        3 => {
            let who = sketch.own_var(hub, "sender", sketch.member_type(crowd), None);
            (format!("for _ in {set_name}"), format!("{who} in {set_name}"))
        }
        _ => (format!("for _ in {set_name}"), set_name.to_owned()),
    };
    let (turn, claim) = heard(sketch, hub, message, &source);
    let mut collected = vec![block(head, turn)];
    collected.extend(claim);
    collected
}

/// Receives a message and makes something of it; and a claim about that, which sometimes holds.
fn heard(sketch: &mut Sketch, hub: usize, message: MessageId, source: &str) -> (Block, Block) {
    let Some(ty @ (Type::Int | Type::Bool | Type::Answer)) = sketch.carries(message) else {
        return (vec![sketch.receive(hub, message, source)], Vec::new());
    };
    let value = sketch.var(hub, ty);
    let mut turn = vec![sketch.receive_into(message, vec![value.clone()], source)];
    if sketch.percent(40) {
        return (turn, Vec::new());
    }
    let (kept, holds, may_fail) = match ty {
        Type::Int => {
            let sum = sketch.own_var(hub, "sum", Type::Int, None);
            (line(format!("{sum} = {sum} + {value};")), format!("{sum} >= 0"), format!("{sum} <= 2"))
        }
        Type::Bool => {
            let all = sketch.own_var(hub, "all", Type::Bool, Some("true"));
            let kept = block(format!("if (!{value})"), vec![line(format!("{all} = false;"))]);
            (kept, format!("!{all} || {all}"), all)
        }
        _ => {
            let count = sketch.own_var(hub, "count", Type::Int, None);
            let kept = block(format!("if ({value} == Yes)"), vec![line(format!("{count} = {count} + 1;"))]);
            (kept, format!("{count} >= 0"), format!("{count} > 0"))
        }
    };
    turn.push(kept);
    let claim = match sketch.random.below(12) {
        0 => vec![line(format!("assert {may_fail};"))],
        1 | 2 => vec![line(format!("assert {holds}, \"as counted\";"))],
        _ => Vec::new(),
    };
    (turn, claim)
}

/// One process takes the members of a set as they come and talks with each of them before the next.
pub(super) fn sessions(sketch: &mut Sketch, crowd: usize, hub: usize, moves: usize) -> Phase {
    let (set_name, hub_name) = (sketch.set_of(crowd), sketch.name(hub));
    let ty = sketch.member_type(crowd);
    let who = sketch.own_var(hub, "guest", ty, None);
    // The opening message is new: a session that is opened by something else is never closed.
    let message = sketch.new_message(None);
    let mut phase = sketch.silence();
    let (client, server) = (Seat { process: crowd, partner: hub_name }, Seat { process: hub, partner: &who });
    let (spoken, served) = opened_dialog(sketch, client, server, moves);
    phase[crowd] = vec![sketch.send_value(message, None, hub_name)];
    phase[crowd].extend(spoken);
    let mut turn = vec![sketch.receive_into(message, Vec::new(), &format!("{who} in {set_name}"))];
    turn.extend(served);
    phase[hub] = vec![block(format!("for _ in {set_name}"), turn)];
    phase
}

/// Every member of a set sends to every member of another one, and some of them answer.
pub(super) fn crossing(sketch: &mut Sketch, from: usize, to: usize) -> Phase {
    let mut phase = sketch.silence();
    for (speaker, listener) in [(from, to), (to, from)] {
        let message = sketch.plain_message();
        let member = sketch.name(listener);
        let turn = vec![sketch.send(speaker, message, member)];
        phase[speaker].push(for_each(sketch, listener, turn));
        let collected = collect(sketch, listener, speaker, message);
        phase[listener].extend(collected);
        if sketch.percent(50) {
            break;
        }
    }
    phase
}

/// Like a multicast, but the servers commit to a client and wait for it. A trap: two of them can hold each other up.
pub(super) fn committed(sketch: &mut Sketch, from: usize, to: usize) -> Phase {
    let (asked, answered) = (sketch.plain_message(), sketch.plain_message());
    let (from_name, to_name) = (sketch.name(from), sketch.name(to));
    let mut phase = sketch.silence();
    let turn = vec![sketch.send(from, asked, to_name), sketch.receive(from, answered, to_name)];
    phase[from] = vec![for_each(sketch, to, turn)];
    let turn = vec![sketch.receive(to, asked, from_name), sketch.send(to, answered, from_name)];
    phase[to] = vec![for_each(sketch, from, turn)];
    phase
}

/// The members of a set send to each other.
pub(super) fn all_to_all(sketch: &mut Sketch, crowd: usize) -> Phase {
    let (set_name, me) = (sketch.set_of(crowd), sketch.name(crowd));
    let others = format!("({set_name} - {{{me}}})");
    let message = sketch.plain_message();
    let other = format!("other_{me}");
    let mut phase = sketch.silence();
    let turn = vec![sketch.send(crowd, message, &other)];
    let (collected, claim) = heard(sketch, crowd, message, &others);
    phase[crowd] = vec![block(format!("for {other} in {others}"), turn), block(format!("for _ in {others}"), collected)];
    phase[crowd].extend(claim);
    phase
}

/// A value goes from one process to another one through a third, which may be a set.
pub(super) fn forward(sketch: &mut Sketch, first: usize, through: usize, last: usize) -> Phase {
    let ty = sketch.one_of(&[Type::Int, Type::Bool, Type::Answer]);
    let (sent, passed_on) = (sketch.message(Some(ty)), sketch.message(Some(ty)));
    let (first_name, through_name, last_name) = (sketch.name(first), sketch.name(through), sketch.name(last));
    let mut phase = sketch.silence();
    let value = sketch.own_var(through, "passed", ty, None);
    phase[through] = vec![sketch.receive_into(sent, vec![value.clone()], first_name)];
    if sketch.percent(30) {
        let work = local_work(sketch, through);
        phase[through].extend(work);
    }
    phase[through].push(sketch.send_value(passed_on, Some(&value), last_name));
    let turn = sketch.send(first, sent, through_name);
    if sketch.is_set(through) {
        phase[first] = vec![for_each(sketch, through, vec![turn])];
        phase[last] = collect(sketch, last, through, passed_on);
    } else {
        phase[first] = vec![turn];
        let source = sketch.one_of(&[through_name, through_name, "any"]);
        phase[last] = vec![sketch.receive(last, passed_on, source)];
    }
    phase
}

/// One process tells the members of a set whom they should write to.
pub(super) fn introduce(sketch: &mut Sketch, hub: usize, crowd: usize, desk: usize) -> Phase {
    let (address, message) = (sketch.message(Some(Type::Pid)), sketch.plain_message());
    let (member, hub_name, desk_name) = (sketch.name(crowd), sketch.name(hub), sketch.name(desk));
    let place = sketch.own_var(crowd, "place", Type::Pid, None);
    let mut phase = sketch.silence();
    let turn = vec![sketch.send_value(address, Some(desk_name), member)];
    phase[hub] = vec![for_each(sketch, crowd, turn)];
    phase[crowd] = vec![sketch.receive_into(address, vec![place.clone()], hub_name), sketch.send(crowd, message, &place)];
    phase[desk] = collect(sketch, desk, crowd, message);
    phase
}

/// One process asks each member for a sign of life and does not wait for ever.
pub(super) fn probe(sketch: &mut Sketch, hub: usize, crowd: usize) -> Phase {
    let (asked, alive) = (sketch.plain_message(), sketch.new_message(None));
    let (member, hub_name) = (sketch.name(crowd), sketch.name(hub));
    let lost = sketch.own_var(hub, "lost", Type::Int, None);
    let mut phase = sketch.silence();
    let given_up = vec![line(format!("{lost} = {lost} + 1;"))];
    let reception = sketch.reception(alive, &[], member);
    let waits = if sketch.percent(50) {
        let work = local_work(sketch, hub);
        block("recv", vec![block(format!("case {reception}:"), work), block("timeout:", given_up)])
    } else {
        block(format!("recv {reception} timeout"), given_up)
    };
    let turn = vec![sketch.send(hub, asked, member), waits];
    phase[hub] = vec![for_each(sketch, crowd, turn)];
    phase[crowd] = vec![sketch.receive(crowd, asked, hub_name), sketch.send(crowd, alive, hub_name)];
    phase
}

/// One process decides, tells the members, and all go on accordingly.
pub(super) fn decide_for_all(sketch: &mut Sketch, hub: usize, crowd: usize, agreed: Phase, denied: Phase) -> Phase {
    let ty = sketch.one_of(&[Type::Bool, Type::Answer, Type::Int]);
    let message = sketch.message(Some(ty));
    let (member, hub_name) = (sketch.name(crowd), sketch.name(hub));
    let decided = sketch.own_var(hub, "decision", ty, None);
    let learnt = sketch.own_var(crowd, "decision", ty, None);
    let mut phase = sketch.silence();
    phase[hub] = decide(sketch, hub, &decided, ty);
    let turn = vec![sketch.send_value(message, Some(&decided), member)];
    phase[hub].push(for_each(sketch, crowd, turn));
    phase[crowd] = vec![sketch.receive_into(message, vec![learnt.clone()], hub_name)];
    for (process, var) in [(hub, decided), (crowd, learnt)] {
        let goes_on = branch(sketch, &var, ty, agreed[process].clone(), denied[process].clone());
        phase[process].push(goes_on);
    }
    phase
}

/// A queue hands out work to whoever asks, and tells all to stop in the end.
pub(super) fn stealing(sketch: &mut Sketch, queue: usize, crowd: usize) -> Phase {
    let (set_name, queue_name, me) = (sketch.set_of(crowd), sketch.name(queue), sketch.name(crowd));
    let ty = sketch.member_type(crowd);
    let (request, assign, count) = (sketch.new_message(Some(ty)), sketch.new_message(Some(Type::Job)), sketch.count());
    let worker = sketch.own_var(queue, "worker", ty, None);
    let (job, piece) = (sketch.own_var(crowd, "job", Type::Job, None), sketch.var(crowd, Type::Int));
    let source = sketch.one_of(&["any", set_name]);
    let mut phase = sketch.silence();
    let asked = sketch.receive_into(request, vec![worker.clone()], source);
    let works = vec![asked.clone(), sketch.send_value(assign, Some("Work(piece)"), &worker)];
    let stops = vec![asked, sketch.send_value(assign, Some("Stop"), &worker)];
    phase[queue] = vec![block(format!("repeat {count} as piece"), works), block(format!("for _ in {set_name}"), stops)];
    let cases = vec![block(format!("case Work({piece}):"), vec![line("skip;")]), block("case Stop:", vec![line("break;")])];
    let turn = vec![
        sketch.send_value(request, Some(me), queue_name),
        sketch.receive_into(assign, vec![job.clone()], queue_name),
        block(format!("match ({job})"), cases),
    ];
    phase[crowd] = vec![block("while (true)", turn)];
    // A trap otherwise: nobody may be there to ask for work.
    if sketch.percent(80) {
        sketch.claim(format!("assume card({set_name}) > 0"));
    }
    phase
}

/// Two processes repeat something together; a trap is that they do not agree how often.
pub(super) fn repeat_together(sketch: &mut Sketch, from: usize, to: usize) -> Phase {
    let message = sketch.plain_message();
    let (from_name, to_name) = (sketch.name(from), sketch.name(to));
    let count = sketch.count();
    let other_count = if sketch.percent(8) { sketch.count() } else { count };
    let mut phase = sketch.silence();
    let (turn, claim) = heard(sketch, to, message, from_name);
    phase[from] = vec![block(format!("repeat {count}"), vec![sketch.send(from, message, to_name)])];
    phase[to] = vec![block(format!("repeat {other_count}"), turn)];
    phase[to].extend(claim);
    phase
}

/// A loop through the members of a set, each called by its usual name.
pub(super) fn for_each(sketch: &Sketch, crowd: usize, turn: Block) -> Stmt {
    block(format!("for {} in {}", sketch.name(crowd), sketch.set_of(crowd)), turn)
}
