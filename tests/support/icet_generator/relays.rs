//! Relays: guests tell a gate who they are, the gate hands that to a helper of its choice, and the helper answers the guest.
//!
//! Nobody can enumerate the guests, so whoever writes to one was told of it. Traps are those who remember more than one guest.

use super::sketch::{Block, MessageId, Sketch, Stmt, Type, block, line};

pub(super) struct Relay {
    gate: usize,
    guest: usize,
    helper: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Trap {
    None,
    /// The gate hands out an earlier guest, too.
    GateRemembers,
    /// A helper answers the guest before, too.
    HelperRemembers,
    AnswersTwice,
    /// A guest is told of an earlier guest and writes to it.
    Introduces,
    /// The gate writes to an earlier guest itself.
    GateWrites,
    /// A helper keeps the pid, and never uses it.
    KeepsForNothing,
}

impl Relay {
    pub(super) fn new(sketch: &mut Sketch) -> Self {
        let gate = sketch.add_process("gate");
        let guest = sketch.add_set("Guests", "g");
        let helper = sketch.add_set("Helpers", "h");
        Self { gate, guest, helper }
    }

    /// Gives the three their code. What they did before stays in front of it.
    pub(super) fn write(&self, sketch: &mut Sketch) {
        let trap = match sketch.random.below(12) {
            0 => Trap::GateRemembers,
            1 => Trap::HelperRemembers,
            2 => Trap::AnswersTwice,
            3 => Trap::Introduces,
            4 => Trap::GateWrites,
            5 => Trap::KeepsForNothing,
            _ => Trap::None,
        };
        let ty = if sketch.percent(60) { sketch.member_type(self.guest) } else { Type::Pid };
        let payload = sketch.plain_payload();
        let words = Words {
            ty,
            asked: sketch.own_message(Some(ty)),
            passed_on: sketch.own_message(Some(ty)),
            answer: sketch.own_message(payload),
            told: sketch.own_message(Some(ty)),
        };
        if sketch.percent(85) {
            sketch.claim("assume card(Helpers) > 0".to_owned());
        }
        let codes = [
            (self.gate, self.gate_code(sketch, &words, trap)),
            (self.helper, self.helper_code(sketch, &words, trap)),
            (self.guest, self.guest_code(sketch, &words, trap)),
        ];
        for (process, code) in codes {
            sketch.processes[process].body.extend(code);
        }
    }

    /// Takes a guest, and hands it on.
    fn gate_code(&self, sketch: &mut Sketch, words: &Words, trap: Trap) -> Block {
        let client = sketch.own_var(self.gate, "client", words.ty, None);
        let helper = sketch.own_var(self.gate, "helper", sketch.member_type(self.helper), None);
        let source = sketch.one_of(&["any", "Guests", "Guests"]);
        let mut turn = vec![
            sketch.receive_into(words.asked, vec![client.clone()], source),
            line(format!("pick {helper} in Helpers;")),
            sketch.send_value(words.passed_on, Some(&client), &helper),
        ];
        let again = match trap {
            Trap::GateRemembers => Some(sketch.send_value(words.passed_on, Some(EARLIER), &helper)),
            Trap::GateWrites => Some(sketch.send(self.gate, words.answer, EARLIER)),
            Trap::Introduces => Some(sketch.send_value(words.told, Some(EARLIER), &client)),
            _ => None,
        };
        if let Some(again) = again {
            turn.extend(remember(sketch, self.gate, words.ty, &client, again));
        }
        vec![block("while (true)", turn)]
    }

    /// Answers the guest it was told of.
    fn helper_code(&self, sketch: &mut Sketch, words: &Words, trap: Trap) -> Block {
        let client = sketch.own_var(self.helper, "client", words.ty, None);
        let mut turn = vec![sketch.receive_into(words.passed_on, vec![client.clone()], "gate")];
        turn.push(sketch.send(self.helper, words.answer, &client));
        match trap {
            Trap::AnswersTwice => turn.push(sketch.send(self.helper, words.answer, &client)),
            Trap::HelperRemembers => {
                let again = sketch.send(self.helper, words.answer, EARLIER);
                turn.extend(remember(sketch, self.helper, words.ty, &client, again));
            }
            Trap::KeepsForNothing => turn.extend(remember(sketch, self.helper, words.ty, &client, line("skip;"))),
            _ => {}
        }
        vec![block("while (true)", turn)]
    }

    /// Asks and waits, once or more often.
    fn guest_code(&self, sketch: &mut Sketch, words: &Words, trap: Trap) -> Block {
        let source = if trap == Trap::GateWrites { "any" } else { sketch.one_of(&["Helpers", "Helpers", "any"]) };
        let me = sketch.name(self.guest);
        let asks = sketch.send_value(words.asked, Some(me), sketch.name(self.gate));
        let mut turn = vec![asks, sketch.receive(self.guest, words.answer, source)];
        if trap == Trap::Introduces {
            let peer = sketch.own_var(self.guest, "peer", words.ty, None);
            let told = sketch.receive_into(words.told, vec![peer.clone()], sketch.name(self.gate));
            let writes = sketch.send(self.guest, words.answer, &peer);
            turn.push(block("if (*)", vec![told, writes]));
        }
        if sketch.percent(20) {
            turn = vec![block("if (*)", turn)];
        }
        match sketch.random.below(10) {
            0 => vec![block("repeat 2", turn)],
            1 => [turn.clone(), turn].concat(),
            2 | 3 => vec![block("while (true)", turn)],
            _ => turn,
        }
    }
}

/// What the variable for the pid of the time before is called.
const EARLIER: &str = "earlier";

/// What they say to each other, and the type of pids in it.
struct Words {
    ty: Type,
    asked: MessageId,
    passed_on: MessageId,
    answer: MessageId,
    told: MessageId,
}

/// From the second time on, does something with the pid of the time before.
fn remember(sketch: &mut Sketch, process: usize, ty: Type, client: &str, again: Stmt) -> Block {
    let (earlier, is_known) = (sketch.own_var(process, EARLIER, ty, None), sketch.own_var(process, "known", Type::Bool, None));
    let mut steps = vec![block(format!("if ({is_known})"), vec![again])];
    if sketch.percent(80) {
        steps.push(line(format!("{earlier} = {client};")));
        steps.push(line(format!("{is_known} = true;")));
    }
    steps
}
