//! Receives: what they take, and from whom.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, NameId, Reception};

use super::sources::From;
use super::{Checker, More, codes};
use crate::program::{Case, Place, Source, StmtKind, Type, Whose};
use crate::types::{fits, is_unknown, unknown};

impl Checker<'_> {
    /// `recv M from p;`
    pub(super) fn receive(&mut self, range: TextRange, reception: &Reception, timeout: Option<&ast::Block>) -> StmtKind {
        self.cases(range, &[(reception, None)], timeout)
    }

    /// `recv { case ... }`
    pub(super) fn select(&mut self, range: TextRange, cases: &[ast::ReceiveCase], timeout: Option<&ast::Block>) -> StmtKind {
        let cases: Vec<(&Reception, Option<&ast::Block>)> =
            cases.iter().map(|case| (&case.reception, Some(&case.body))).collect();
        self.has_holes |= cases.is_empty();
        self.cases(range, &cases, timeout)
    }

    fn cases(&mut self, range: TextRange, cases: &[(&Reception, Option<&ast::Block>)], timeout: Option<&ast::Block>) -> StmtKind {
        self.not_in_sequential(range, "recv");
        let mut found = Vec::new();
        let mut sources = Vec::new();
        for (reception, body) in cases {
            let (case, source) = self.reception(reception);
            sources.push(source);
            let body = body.map_or_else(|| Vec::new().into(), |body| self.block(body));
            if let Some(case) = case {
                found.push(Case { body, ..case });
            }
        }
        self.no_common_message(&sources);
        if timeout.is_some() {
            self.one_process_only(&sources);
        }
        let timeout = timeout.map(|timeout| self.block(timeout));
        StmtKind::Receive { cases: found, timeout }
    }

    /// One case without its body; `None` if its message is not known.
    fn reception(&mut self, reception: &Reception) -> (Option<Case>, From) {
        let message_range = self.range(reception.message);
        let message = self.message(reception.message);
        if let Some(message) = message {
            self.note_received(message, message_range);
        }
        let payload = message.map(|message| self.program.message(message).payload.clone());
        let patterns = self.patterns(reception.message, &reception.patterns, payload.as_deref());
        let sender = reception.sender.map(|sender| (sender, self.variable(sender)));
        let (source, senders) = self.source(reception.source);
        let sender = sender.and_then(|(name, target)| {
            let target = target?;
            self.takes_all_senders(name, &target.ty, &senders);
            Some(target.place)
        });
        let range = self.reception_range(reception);
        let from = From { message, source: source.clone(), senders, range: self.source_range(reception, range) };
        let case = message.map(|message| case_of(message, patterns, sender, source, range));
        (case, from)
    }

    /// A source and the type of the processes in it.
    fn source(&mut self, source: ast::Source) -> (Source, Type) {
        let anybody = Type::Pid(Whose::Anybody);
        let id = match source {
            ast::Source::Any => return (Source::Any, anybody),
            ast::Source::From(id) => id,
        };
        let typed = self.expr(id, None);
        self.no_ghost(&typed, "the source of a receive");
        match &typed.ty {
            ty if is_unknown(ty) => (Source::One(typed.expr), unknown()),
            Type::Pid(_) => (Source::One(typed.expr), typed.ty),
            Type::Set(element) if fits(&self.program.sets, element, &anybody) => (Source::Of(typed.expr), (**element).clone()),
            ty => {
                let message = format!("messages come from a process or a set of processes, and this is {}", self.describe(ty));
                self.error(codes::SOURCE, self.range(id), message).help("write `any` to receive from everybody");
                (Source::One(typed.expr), unknown())
            }
        }
    }

    /// The variable for the sender has to be able to name everybody who may have sent.
    fn takes_all_senders(&mut self, name: NameId, ty: &Type, senders: &Type) {
        if fits(&self.program.sets, senders, ty) {
            return;
        }
        let (text, kind, senders) = (self.text(name), self.describe(ty), self.describe(senders));
        let message = format!("`{text}` is {kind} and cannot name every sender, which can be any {senders}");
        let declared = self.scope.find(text).map(|(_, range)| range);
        let error = self.error(codes::SOURCE, self.range(name), message);
        error.help(format!("declare `{text}` as {senders}, or receive from fewer processes"));
        if let Some(declared) = declared {
            error.related(declared, format!("`{text}` is declared here"));
        }
    }

    /// From the message to the source, as far as its parts have places.
    fn reception_range(&self, reception: &Reception) -> TextRange {
        let mut range = self.range(reception.message);
        for pattern in &reception.patterns {
            range = range.cover(self.range(*pattern));
        }
        if let Some(sender) = reception.sender {
            range = range.cover(self.range(sender));
        }
        match reception.source {
            ast::Source::Any => range,
            ast::Source::From(source) => range.cover(self.range(source)),
        }
    }

    fn source_range(&self, reception: &Reception, whole: TextRange) -> TextRange {
        match reception.source {
            ast::Source::Any => whole,
            ast::Source::From(source) => self.range(source),
        }
    }
}

fn case_of(
    message: crate::program::MessageId,
    patterns: Vec<crate::program::Pattern>,
    sender: Option<Place>,
    source: Source,
    range: TextRange,
) -> Case {
    Case { message, patterns, sender, source, body: Vec::new().into(), range }
}
