//! What the cases of one receive must not do together: take the same message, or, with a `timeout`, wait for several processes.

use lockstep_base::TextRange;
use rustc_hash::FxHashMap;

use super::{Checker, More, codes};
use crate::program::{BinaryOp, Expr, MessageId, Source, Type};
use crate::types::{is_unknown, overlapping};

/// From whom a case takes which message.
pub(super) struct From {
    pub(super) message: Option<MessageId>,
    pub(super) source: Source,
    /// The type of the processes in the source.
    pub(super) senders: Type,
    pub(super) range: TextRange,
}

impl Checker<'_> {
    pub(super) fn no_common_message(&mut self, sources: &[From]) {
        let mut cases_of: FxHashMap<MessageId, Vec<&From>> = FxHashMap::default();
        for from in sources {
            let Some(message) = from.message else { continue };
            let earlier = cases_of.entry(message).or_default();
            if let Some(first) = earlier.iter().find(|first| self.may_take_the_same(first, from)) {
                let message = format!("another case can take the same `{}`", self.program.message(message).name);
                self.error(codes::CASES, from.range, message)
                    .help("join the two cases, or receive from processes that are different for sure")
                    .related(first.range, "the other case is here");
            }
            earlier.push(from);
        }
    }

    fn may_take_the_same(&self, a: &From, b: &From) -> bool {
        let is_excluded = |one: &Source, set: &Source| match (one, set) {
            (Source::One(pid), Source::Of(Expr::Binary(BinaryOp::Sub, _, without))) => {
                matches!(&**without, Expr::SetOf(pids) if pids.contains(pid))
            }
            _ => false,
        };
        match (&a.source, &b.source) {
            // Wrong, which was reported, or nobody.
            _ if is_unknown(&a.senders) || is_unknown(&b.senders) => false,
            (Source::Any, _) | (_, Source::Any) => true,
            _ if !overlapping(&self.program.sets, &a.senders, &b.senders) => false,
            (one, other) => !is_excluded(one, other) && !is_excluded(other, one),
        }
    }

    /// With a timeout it has to be clear whose message counts as lost.
    pub(super) fn one_process_only(&mut self, sources: &[From]) {
        let mut first: Option<&From> = None;
        for from in sources {
            match (&from.source, first) {
                (Source::Any | Source::Of(_), _) => {
                    self.error(codes::TIMEOUT, from.range, "with a `timeout`, messages have to come from one process")
                        .help("go through the processes: `for c in ... { recv ... from c timeout { } }`");
                }
                (Source::One(pid), Some(From { source: Source::One(other), range, .. })) if pid != other => {
                    self.error(codes::TIMEOUT, from.range, "with a `timeout`, all cases have to be from the same process")
                        .help("write one receive for each process")
                        .related(*range, "the first case is from this process");
                }
                (Source::One(_), None) => first = Some(from),
                (Source::One(_), Some(_)) => {}
            }
        }
    }
}
