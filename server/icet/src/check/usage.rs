//! Which messages are sent and received, where, and what follows from that; sets that nobody runs for.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::Decl;

use super::stmt::LoopKind;
use super::{Checker, More, codes};
use crate::program::MessageId;

/// What is known about one message.
#[derive(Clone, Default)]
pub(super) struct Traffic {
    is_sent: bool,
    is_received: bool,
    /// First uses in `rounds` and elsewhere.
    in_rounds: Option<TextRange>,
    elsewhere: Option<TextRange>,
}

impl Checker<'_> {
    pub(super) fn note_sent(&mut self, message: MessageId, range: TextRange) {
        self.note(message, range).is_sent = true;
    }

    pub(super) fn note_received(&mut self, message: MessageId, range: TextRange) {
        self.note(message, range).is_received = true;
    }

    fn note(&mut self, message: MessageId, range: TextRange) -> &mut Traffic {
        let is_in_rounds = self.around.loops.iter().any(|outer| outer.kind == LoopKind::Rounds);
        let known = self.program.messages.len();
        self.traffic.resize_with(known, Traffic::default);
        let traffic = &mut self.traffic[message.index()];
        let first = if is_in_rounds { &mut traffic.in_rounds } else { &mut traffic.elsewhere };
        first.get_or_insert(range);
        traffic
    }

    /// Reports messages that are used inside of rounds and outside, and warns of those that go nowhere or come from nowhere.
    pub(super) fn check_traffic(&mut self) {
        self.traffic.resize_with(self.program.messages.len(), Traffic::default);
        // Where a program was made sequential, sends and receives are gone and the messages stay behind.
        let is_whole = !self.has_sequential() && !self.is_doubtful();
        for at in 0..self.traffic.len() {
            let Traffic { is_sent, is_received, in_rounds, elsewhere } = self.traffic[at].clone();
            let (name, range) = (self.program.messages[at].name.clone(), self.program.messages[at].range);
            if let Some((inside, outside)) = in_rounds.zip(elsewhere) {
                let message = format!("`{name}` is used inside of `rounds` and outside");
                self.error(codes::ROUNDS, outside, message)
                    .help("a message of a round can be received in that round only: declare another message for one of the two")
                    .related(inside, "used inside of `rounds` here");
            }
            let (what, help) = match (is_sent, is_received) {
                (true, true) => continue,
                (false, false) => ("never used", "leave it out"),
                (true, false) => ("sent, but never received", "receive it, or leave it out"),
                (false, true) => ("received, but never sent", "send it, or leave it out"),
            };
            if is_whole {
                let warning = self.warning(codes::TRAFFIC, range, format!("`{name}` is {what}")).help(help);
                warning.is_unused = !is_sent && !is_received;
            }
        }
    }

    /// Whether what seems to be missing may be there under a wrong name, or in text that could not be read.
    fn is_doubtful(&self) -> bool {
        self.has_holes || self.diagnostics.iter().any(|found| found.code == codes::NAME || found.code == codes::PROCESS)
    }

    fn has_sequential(&self) -> bool {
        self.file.items.iter().any(|item| matches!(item.value.decl, Decl::Sequential(_)))
    }

    pub(super) fn warn_of_sets_without_process(&mut self) {
        if self.is_doubtful() {
            return;
        }
        for at in 0..self.program.sets.len() {
            let set = &self.program.sets[at];
            if set.superset.is_none() && self.code_of[at].is_none() {
                let (message, range) = (format!("no process is declared for `{}`", set.name), set.range);
                let help = format!("declare what its members do: `process c in {} {{ }}`", set.name);
                self.warning(codes::NO_PROCESS, range, message).help(help);
            }
        }
    }
}
