//! Summaries as a domain: how the step function computes with values that stand for many.
//!
//! A run has a *base*, the states from which it starts, and goes on in one *case* at a time, a guard that says for which of them. What depends on
//! a value that is not the same in the whole case is computed for each alternative. If it goes wrong for some, they are left behind: the
//! fault is noted with its guard, and the case goes on without them. Only where control depends on a value does the run split.
//!
//! What a summary stands for outside of the case does not matter, so an alternative counts only if it meets the case in the base.

use lockstep_runtime::{Concrete, Failure, Fault, Limit, Program, Script, Stop, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{CellId, Cells, Content, Kind};
use super::guard::{Guard, Guards, Variable};
use super::value::{Head, Summary};

/// The most alternatives that one operation looks at.
const MOST_ALTERNATIVES: usize = 20_000;

/// Choices of one run among which variables are shared.
const MOST_SHARED: usize = 64;

/// What all runs of a search share.
pub(crate) struct Space {
    pub(crate) guards: Guards,
    pub(crate) cells: Cells,
}

pub(crate) struct Summaries<'a> {
    pub(crate) program: &'a Program,
    pub(crate) space: &'a mut Space,
    /// The states from which the run starts.
    pub(crate) base: Guard,
    /// For which of them it goes on now.
    pub(crate) case: Guard,
    /// Whether there are other cases.
    pub(crate) has_others: bool,
    /// The cases into which the run splits.
    pub(crate) split: Vec<Guard>,
    faults: Vec<(Guard, Fault)>,
    failing: Vec<Guard>,
    pub(crate) failures: Vec<(Guard, Failure)>,
    pub(crate) chosen: Vec<Chosen>,
    /// What is in cells in the base, as far as somebody has asked.
    cells: FxHashMap<CellId, Summary>,
}

/// A choice that was made, in whatever case.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) case: Guard,
    /// The answer in binary, the lowest bit first.
    pub(crate) bits: Vec<Variable>,
}

pub(super) type Alternatives = Vec<(Guard, Summary)>;
pub(super) type Values = Vec<(Guard, Value)>;

impl<'a> Summaries<'a> {
    pub(crate) fn new(program: &'a Program, space: &'a mut Space, base: Guard, case: Guard) -> Self {
        Self {
            program,
            space,
            base,
            case,
            has_others: false,
            split: Vec::new(),
            faults: Vec::new(),
            failing: Vec::new(),
            failures: Vec::new(),
            chosen: Vec::new(),
            cells: FxHashMap::default(),
        }
    }

    pub(super) fn and(&self, a: &Guard, b: &Guard) -> Guard {
        self.space.guards.and(a, b)
    }

    pub(super) fn or(&self, a: &Guard, b: &Guard) -> Guard {
        self.space.guards.or(a, b)
    }

    pub(super) fn minus(&self, a: &Guard, b: &Guard) -> Guard {
        self.space.guards.minus(a, b)
    }

    /// Whether a guard holds for something in the case.
    pub(super) fn is_met(&self, guard: &Guard) -> bool {
        self.space.guards.all_meet(&self.base, &self.case, guard)
    }

    /// Whether a guard within the case holds for something.
    pub(crate) fn is_possible(&self, guard: &Guard) -> bool {
        self.space.guards.meet(&self.base, guard)
    }

    /// Plain values and rows that a summary is, each with its guard.
    pub(super) fn alternatives(&mut self, summary: &Summary) -> Alternatives {
        match summary {
            Summary::Plain(_) | Summary::Row(_) => vec![(self.space.guards.truth(), summary.clone())],
            Summary::Many(all) if all.iter().any(|(_, one)| matches!(one, Summary::Cell(_))) => {
                let mut flat = Vec::new();
                for (guard, one) in all.iter() {
                    let read = self.alternatives(one);
                    flat.extend(read.into_iter().map(|(own, one)| (self.and(guard, &own), one)));
                }
                self.grouped(flat)
            }
            Summary::Many(all) => all.to_vec(),
            Summary::Cell(cell) => {
                let read = self.read(*cell);
                if matches!(read, Summary::Cell(_)) { Vec::new() } else { self.alternatives(&read) }
            }
        }
    }

    /// The same, but a cell with nothing but plain values is left as it is. What is put there again unchanged is recognised then, and
    /// nobody has to know all that it could be.
    fn unread(&mut self, summary: &Summary) -> Alternatives {
        match summary {
            Summary::Plain(_) | Summary::Row(_) => vec![(self.space.guards.truth(), summary.clone())],
            Summary::Many(all) => all.to_vec(),
            Summary::Cell(cell) => match self.read(*cell) {
                Summary::Cell(_) => Vec::new(),
                Summary::Many(all) if all.iter().all(|(_, one)| matches!(one.head(), Some(Head::Value(_)))) => {
                    vec![(self.space.guards.truth(), summary.clone())]
                }
                read => self.unread(&read),
            },
        }
    }

    /// The same, without those that do not occur in the case.
    pub(super) fn occurring(&mut self, summary: &Summary) -> Alternatives {
        let mut all = self.alternatives(summary);
        if all.len() > 1 {
            all.retain(|(guard, _)| self.is_met(guard));
        }
        all
    }

    /// What is in a cell in the base.
    fn read(&mut self, cell: CellId) -> Summary {
        if let Some(known) = self.cells.get(&cell) {
            return known.clone();
        }
        let contents = self.space.cells.contents(cell).map(|(content, guard)| (content.clone(), guard.clone()));
        let contents: Vec<(Content, Guard)> = contents.collect();
        let mut found = Vec::new();
        for (content, guard) in contents {
            if !self.space.guards.meet(&self.base, &guard) {
                continue;
            }
            match content {
                Content::Value(value) => found.push((guard, Summary::Plain(value))),
                Content::Row(kind, count) => {
                    let parts = (0..count).map(|part| Summary::Cell(self.space.cells.part_cell(cell, part))).collect();
                    found.push((guard, Summary::row(kind, parts)));
                }
                Content::Skeleton(_) => debug_assert!(false, "a skeleton is no value"),
            }
        }
        let read = many(found);
        self.cells.insert(cell, read.clone());
        read
    }

    /// Every plain value that a summary stands for in the case and under a guard.
    pub(super) fn values(&mut self, summary: &Summary, under: &Guard) -> Result<Values, Stop> {
        if let Summary::Plain(value) = summary {
            return Ok(vec![(under.clone(), value.clone())]);
        }
        let mut found = Vec::new();
        for (guard, one) in self.alternatives(summary) {
            let guard = self.and(&guard, under);
            if !self.is_met(&guard) {
                continue;
            }
            match one.parts() {
                None => found.extend(one.plain().map(|value| (guard, value.clone()))),
                Some(_) if one.plain().is_some() => found.extend(one.plain().map(|value| (guard, value.clone()))),
                Some((kind, parts)) => {
                    let rows = self.combinations(&parts, &guard)?;
                    found.extend(rows.into_iter().map(|(guard, values)| (guard, super::value::whole(kind, values))));
                }
            }
            if found.len() > MOST_ALTERNATIVES {
                return Err(Stop::Limit(Limit::Alternatives(MOST_ALTERNATIVES)));
            }
        }
        Ok(found)
    }

    /// Every combination of plain values that summaries stand for together.
    pub(super) fn combinations(&mut self, summaries: &[Summary], under: &Guard) -> Result<Vec<(Guard, Vec<Value>)>, Stop> {
        let mut rows = vec![(under.clone(), Vec::new())];
        for summary in summaries {
            let mut longer = Vec::new();
            for (guard, values) in rows {
                for (guard, value) in self.values(summary, &guard)? {
                    let mut values: Vec<Value> = values.clone();
                    values.push(value);
                    longer.push((guard, values));
                }
            }
            if longer.len() > MOST_ALTERNATIVES {
                return Err(Stop::Limit(Limit::Alternatives(MOST_ALTERNATIVES)));
            }
            rows = longer;
        }
        Ok(rows)
    }

    /// What an operation on plain values gives, for every combination of what the operands stand for.
    pub(super) fn pointwise(
        &mut self,
        operands: &[&Summary],
        op: impl FnMut(&mut Concrete<'_>, &[Value]) -> Result<Value, Stop>,
    ) -> Result<Summary, Stop> {
        let truth = self.space.guards.truth();
        self.pointwise_under(operands, &truth, op)
    }

    pub(super) fn pointwise_under(
        &mut self,
        operands: &[&Summary],
        under: &Guard,
        mut op: impl FnMut(&mut Concrete<'_>, &[Value]) -> Result<Value, Stop>,
    ) -> Result<Summary, Stop> {
        let operands: Vec<Summary> = operands.iter().map(|operand| (*operand).clone()).collect();
        let mut found = Vec::new();
        for (guard, values) in self.combinations(&operands, under)? {
            match self.plainly(|domain| op(domain, &values)) {
                Ok(value) => found.push((guard, Summary::Plain(value))),
                Err(Stop::Fault(fault)) => self.fault(&guard, fault),
                Err(stop) => return Err(stop),
            }
        }
        self.result(found)
    }

    /// Computes with plain values.
    pub(super) fn plainly<T>(&self, op: impl FnOnce(&mut Concrete<'_>) -> T) -> T {
        let mut script = Script::new(&[]);
        op(&mut Concrete::new(self.program, &mut script))
    }

    /// Leaves what goes wrong behind, if it is in the case.
    pub(super) fn fault(&mut self, guard: &Guard, fault: Fault) {
        let guard = self.and(&self.case, guard);
        if !self.is_possible(&guard) {
            return;
        }
        self.case = self.minus(&self.case, &guard);
        self.faults.push((guard, fault));
    }

    /// What an operation gives. If it has gone wrong everywhere, the case is over, and one of its faults stands for it.
    pub(super) fn result(&mut self, found: Alternatives) -> Result<Summary, Stop> {
        if !self.faults.is_empty() && !self.is_possible(&self.case) {
            let (guard, fault) = match self.faults.pop() {
                Some(last) => last,
                None => return Err(Stop::Limit(Limit::Interrupted)),
            };
            self.case = guard;
            return Err(Stop::Fault(fault));
        }
        let summary = self.union(found);
        if summary.is_too_large() { Err(Stop::Limit(Limit::ValueSize)) } else { Ok(summary) }
    }

    /// Whatever is under its guard. The guards are disjoint in the case.
    pub(super) fn union(&mut self, found: Alternatives) -> Summary {
        let mut flat = Vec::new();
        for (guard, summary) in found {
            let all = self.unread(&summary);
            flat.extend(all.into_iter().map(|(own, one)| (self.and(&guard, &own), one)));
        }
        let mut all = self.grouped(flat);
        if all.len() > 1 {
            all.retain(|(guard, _)| self.is_met(guard));
        }
        many(all)
    }

    /// Those with the same head as one, in the order of heads.
    fn grouped(&mut self, flat: Alternatives) -> Alternatives {
        let headed = flat.into_iter().filter(|(guard, _)| !guard.is_false());
        let mut flat: Vec<(Head, Guard, Summary)> = headed.filter_map(|(guard, one)| Some((one.head()?, guard, one))).collect();
        flat.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut all: Alternatives = Vec::new();
        let mut flat = flat.into_iter().peekable();
        while let Some((head, guard, one)) = flat.next() {
            let mut group = vec![(guard, one)];
            while let Some((_, guard, one)) = flat.next_if(|(next, ..)| *next == head) {
                group.push((guard, one));
            }
            all.push(self.united(group));
        }
        all
    }

    /// Alternatives with one head as one.
    fn united(&mut self, mut group: Alternatives) -> (Guard, Summary) {
        let guard = self.space.guards.any(group.iter().map(|(guard, _)| guard.clone()));
        let is_same = group.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let Some((_, first)) = group.pop() else { return (guard, Summary::Plain(Value::Null)) };
        if is_same {
            return (guard, first);
        }
        let Some((kind, last)) = first.parts() else { return (guard, first) };
        let last_guard = self.minus(&guard, &self.space.guards.any(group.iter().map(|(guard, _)| guard.clone())));
        let mut columns: Vec<Alternatives> = last.into_iter().map(|part| vec![(last_guard.clone(), part)]).collect();
        for (own, one) in group {
            let parts = one.parts().map(|(_, parts)| parts).unwrap_or_default();
            columns.iter_mut().zip(parts).for_each(|(column, part)| column.push((own.clone(), part)));
        }
        let parts = columns.into_iter().map(|column| self.united_part(column)).collect();
        (guard, Summary::row(kind, parts))
    }

    fn united_part(&mut self, column: Alternatives) -> Summary {
        if column.windows(2).all(|pair| pair[0].1 == pair[1].1) {
            return column.into_iter().next().map_or(Summary::Plain(Value::Null), |(_, part)| part);
        }
        self.union(column)
    }

    /// What is known where two cases meet.
    pub(crate) fn merged(&mut self, case: &Guard, one: &Summary, other_case: &Guard, other: &Summary) -> Summary {
        if one == other {
            return one.clone();
        }
        self.union(vec![(case.clone(), one.clone()), (other_case.clone(), other.clone())])
    }

    /// Where P's `==` says that two values are the same.
    pub(super) fn same(&mut self, one: &Summary, other: &Summary) -> Guard {
        if let (Summary::Plain(one), Summary::Plain(other)) = (one, other) {
            return self.constant_guard(one.same(other));
        }
        let mut sum = self.space.guards.falsehood();
        let others = self.occurring(other);
        for (guard, one) in self.occurring(one) {
            for (other_guard, other) in &others {
                let both = self.and(&guard, other_guard);
                if both.is_false() {
                    continue;
                }
                let same = self.same_alternative(&one, other);
                sum = self.or(&sum, &self.and(&both, &same));
            }
        }
        sum
    }

    fn same_alternative(&mut self, one: &Summary, other: &Summary) -> Guard {
        if let (Summary::Plain(one), Summary::Plain(other)) = (one, other) {
            return self.constant_guard(one.same(other));
        }
        let (Some((kind, parts)), Some((other_kind, others))) = (one.parts(), other.parts()) else {
            return self.constant_guard(false);
        };
        if kind != other_kind || parts.len() != others.len() {
            return self.constant_guard(false);
        }
        let mut all = self.space.guards.truth();
        match kind {
            Kind::Tuple | Kind::Named(_) | Kind::Seq => {
                for (part, other) in parts.iter().zip(&others) {
                    let same = self.same(part, other);
                    all = self.and(&all, &same);
                }
            }
            // The order does not count.
            Kind::Set | Kind::Map => {
                let width = if kind == Kind::Set { 1 } else { 2 };
                for entry in parts.chunks(width) {
                    let mut any = self.space.guards.falsehood();
                    for other in others.chunks(width) {
                        let mut both = self.space.guards.truth();
                        for (part, other) in entry.iter().zip(other) {
                            let same = self.same(part, other);
                            both = self.and(&both, &same);
                        }
                        any = self.or(&any, &both);
                    }
                    all = self.and(&all, &any);
                }
            }
        }
        all
    }

    fn constant_guard(&self, value: bool) -> Guard {
        if value { self.space.guards.truth() } else { self.space.guards.falsehood() }
    }

    /// `true` where the guard holds.
    pub(super) fn boolean(&mut self, guard: &Guard) -> Summary {
        let rest = self.space.guards.not(guard);
        self.union(vec![(guard.clone(), Summary::Plain(Value::Bool(true))), (rest, Summary::Plain(Value::Bool(false)))])
    }

    /// What is one thing in the case, or the cases in which it is.
    pub(super) fn only<T: PartialEq>(&mut self, all: Vec<(Guard, T)>) -> Result<T, Stop> {
        let mut groups: Vec<(Guard, T)> = Vec::new();
        for (guard, thing) in all {
            match groups.iter().position(|(_, known)| *known == thing) {
                Some(position) => groups[position].0 = self.or(&groups[position].0, &guard),
                None => groups.push((guard, thing)),
            }
        }
        if groups.len() > 1 {
            groups.retain(|(guard, _)| self.is_met(guard));
        }
        match groups.pop() {
            Some((_, only)) if groups.is_empty() => Ok(only),
            Some(_) => {
                // What is none of these does not occur, so it may go with the last: together they are the whole case, which is simple.
                let mut rest = self.case.clone();
                for (guard, _) in &groups {
                    let part = self.and(&self.case, guard);
                    rest = self.minus(&rest, guard);
                    self.split.push(part);
                }
                self.split.push(rest);
                Err(Stop::Split)
            }
            None => Err(Stop::Limit(Limit::Interrupted)),
        }
    }

    /// Variables for a choice. Choices that no state makes one after the other may share theirs: what is chosen in different branches is
    /// then decided by the same variables, and a relation that is cut by them is cut in all branches (`image.rs`).
    pub(super) fn fresh_bits(&self, count: usize) -> Result<Vec<Variable>, Stop> {
        // Among very many there is nothing to be gained, and asking about each would take long.
        let shares = self.chosen.len() < MOST_SHARED;
        let before = self.chosen.iter().filter(|chosen| !shares || self.is_met(&chosen.case));
        let taken: FxHashSet<Variable> = before.flat_map(|chosen| chosen.bits.iter().copied()).collect();
        let first = if shares { 0 } else { taken.len() };
        let bits: Vec<Variable> =
            self.space.guards.choices().skip(first).filter(|variable| !taken.contains(variable)).take(count).collect();
        // With fewer bits some answers could not be told from others, and would be lost.
        if bits.len() < count { Err(Stop::Limit(Limit::Choices(self.chosen.len()))) } else { Ok(bits) }
    }

    pub(super) fn take_faults(&mut self) -> Vec<Fault> {
        let (guards, faults): (Vec<Guard>, Vec<Fault>) = std::mem::take(&mut self.faults).into_iter().unzip();
        self.failing.extend(guards);
        faults
    }

    pub(super) fn note_failure(&mut self, failure: Failure) {
        if !self.failing.is_empty() {
            let guard = self.failing.remove(0);
            self.failures.push((guard, failure));
        }
    }
}

/// One alternative is no choice.
fn many(mut all: Alternatives) -> Summary {
    match all.len() {
        0 => Summary::Plain(Value::Null),
        1 => all.pop().map_or(Summary::Plain(Value::Null), |(_, only)| only),
        _ => Summary::Many(std::sync::Arc::new(all)),
    }
}

/// Plain values need no guards.
pub(super) fn plain<'v>(operands: &[&'v Summary]) -> Option<Vec<&'v Value>> {
    operands.iter().map(|operand| operand.plain()).collect()
}
