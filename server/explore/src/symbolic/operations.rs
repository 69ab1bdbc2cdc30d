//! P's operations on summaries. Where all operands are plain, or nothing better is known, they are those on plain values.

use lockstep_runtime::{
    Addressee, Binary, Change, Conversion, Domain, EventId, EventSetId, Failure, Fault, FieldId, InterfaceId, Limit, MachineId,
    NamesId, PathStep, Piece, Reference, Shown, Stop, TypeId, Unary, Value,
};

use super::cells::Kind;
use super::guard::Guard;
use super::summaries::{Alternatives, Chosen, Summaries, plain};
use super::value::{Summary, whole};

/// The most possibilities of one choice.
const MOST_CHOICES: usize = 10_000;

impl Domain for Summaries<'_> {
    type Value = Summary;

    fn constant(&mut self, value: &Value) -> Summary {
        Summary::Plain(value.clone())
    }

    fn truth(&mut self, value: &Summary) -> Result<bool, Stop> {
        let mut all = Vec::new();
        for (guard, one) in self.values_of(value)? {
            match self.plainly(|domain| domain.truth(&one)) {
                Ok(truth) => all.push((guard, truth)),
                Err(Stop::Fault(fault)) => self.fault(&guard, fault),
                Err(stop) => return Err(stop),
            }
        }
        self.still_possible()?;
        self.only(all)
    }

    fn unary(&mut self, op: Unary, operand: &Summary) -> Result<Summary, Stop> {
        self.pointwise(&[operand], |domain, values| domain.unary(op, &values[0]))
    }

    fn binary(&mut self, op: Binary, left: &Summary, right: &Summary) -> Result<Summary, Stop> {
        if plain(&[left, right]).is_none() && matches!(op, Binary::Eq | Binary::Ne) {
            let same = self.same(left, right);
            let guard = if op == Binary::Eq { same } else { self.space.guards.not(&same) };
            return Ok(self.boolean(&guard));
        }
        self.pointwise(&[left, right], |domain, values| domain.binary(op, &values[0], &values[1]))
    }

    fn weight(&self, value: &Summary) -> u64 {
        value.weight()
    }

    fn tuple(&mut self, elements: Vec<Summary>) -> Result<Summary, Stop> {
        sized(Summary::row(Kind::Tuple, elements))
    }

    fn named(&mut self, names: NamesId, elements: Vec<Summary>) -> Result<Summary, Stop> {
        sized(Summary::row(Kind::Named(names), elements))
    }

    fn element(&mut self, tuple: &Summary, index: u32) -> Result<Summary, Stop> {
        self.part(tuple, |kind, _| (kind == Kind::Tuple).then_some(index as usize), |domain, value| domain.element(value, index))
    }

    fn field(&mut self, tuple: &Summary, field: FieldId) -> Result<Summary, Stop> {
        let program = self.program;
        let place = |kind: Kind, _: usize| match kind {
            Kind::Named(names) => program.field_place(names, field),
            _ => None,
        };
        self.part(tuple, place, |domain, value| domain.field(value, field))
    }

    fn index(&mut self, collection: &Summary, index: &Summary) -> Result<Summary, Stop> {
        if plain(&[collection, index]).is_some() {
            return self.pointwise(&[collection, index], |domain, values| domain.index(&values[0], &values[1]));
        }
        let mut found = Vec::new();
        for (guard, one) in self.occurring(collection) {
            match one.parts() {
                Some((Kind::Map, parts)) => self.look_up(&guard, &parts, index, &mut found)?,
                Some((Kind::Seq | Kind::Set, parts)) => {
                    let out = |index| Fault::IndexOutOfRange { index, length: parts.len() };
                    let places = self.places(index, &guard, parts.len(), &out)?;
                    found.extend(places.into_iter().map(|(guard, place)| (guard, parts[place].clone())));
                }
                _ => {
                    let rest =
                        self.pointwise_under(&[&one, index], &guard, |domain, values| domain.index(&values[0], &values[1]))?;
                    found.push((guard, rest));
                }
            }
        }
        self.result(found)
    }

    fn contains(&mut self, item: &Summary, collection: &Summary) -> Result<Summary, Stop> {
        if plain(&[collection, item]).is_some() {
            return self.pointwise(&[item, collection], |domain, values| domain.contains(&values[0], &values[1]));
        }
        let mut found = Vec::new();
        for (guard, one) in self.occurring(collection) {
            match one.parts() {
                Some((kind @ (Kind::Map | Kind::Seq | Kind::Set), parts)) => {
                    if kind == Kind::Map {
                        self.null_key(&guard, item)?;
                    }
                    let width = if kind == Kind::Map { 2 } else { 1 };
                    let mut any = self.space.guards.falsehood();
                    for entry in parts.chunks(width) {
                        let same = self.same(item, &entry[0]);
                        any = self.or(&any, &same);
                    }
                    let rest = self.minus(&guard, &any);
                    found.push((self.and(&guard, &any), Summary::Plain(Value::Bool(true))));
                    found.push((rest, Summary::Plain(Value::Bool(false))));
                }
                _ => {
                    let rest =
                        self.pointwise_under(&[item, &one], &guard, |domain, values| domain.contains(&values[0], &values[1]))?;
                    found.push((guard, rest));
                }
            }
        }
        self.result(found)
    }

    fn size(&mut self, collection: &Summary) -> Result<Summary, Stop> {
        self.by_row(
            collection,
            |kind, parts| match kind {
                Kind::Seq | Kind::Set => Some(number(parts.len())),
                Kind::Map => Some(number(parts.len() / 2)),
                Kind::Tuple | Kind::Named(_) => None,
            },
            |domain, value| domain.size(value),
        )
    }

    fn keys(&mut self, map: &Summary) -> Result<Summary, Stop> {
        self.by_row(
            map,
            |kind, parts| {
                let keys = parts.chunks(2).map(|entry| entry[0].clone());
                (kind == Kind::Map).then(|| Summary::row(Kind::Seq, keys.collect()))
            },
            |domain, value| domain.keys(value),
        )
    }

    fn values(&mut self, map: &Summary) -> Result<Summary, Stop> {
        self.by_row(
            map,
            |kind, parts| {
                let values = parts.chunks(2).filter_map(|entry| entry.get(1)).cloned();
                (kind == Kind::Map).then(|| Summary::row(Kind::Seq, values.collect()))
            },
            |domain, value| domain.values(value),
        )
    }

    fn elements(&mut self, collection: &Summary) -> Result<Summary, Stop> {
        self.by_row(
            collection,
            |kind, parts| matches!(kind, Kind::Seq | Kind::Set).then(|| Summary::row(Kind::Seq, parts.to_vec())),
            |domain, value| domain.elements(value),
        )
    }

    fn cast(&mut self, value: &Summary, ty: TypeId) -> Result<Summary, Stop> {
        self.by_kind(value, |domain, value| domain.cast(value, ty))
    }

    fn convert(&mut self, value: &Summary, into: Conversion) -> Result<Summary, Stop> {
        self.by_kind(value, |domain, value| domain.convert(value, into))
    }

    fn format(&mut self, pieces: &[Piece], values: &[Summary]) -> Result<Summary, Stop> {
        let operands: Vec<&Summary> = values.iter().collect();
        self.pointwise(&operands, |domain, values| domain.format(pieces, values))
    }

    fn change(&mut self, root: &mut Summary, path: &[PathStep<Summary>], change: Change<Summary>) -> Result<(), Stop> {
        let truth = self.space.guards.truth();
        let changed = self.changed(root, path, &change, &truth)?;
        *root = self.result(vec![(truth, changed)])?;
        Ok(())
    }

    fn choose(&mut self, among: Option<&Summary>, _is_fair: bool) -> Result<Summary, Stop> {
        let options = self.options(among)?;
        let most = options.iter().map(|(_, options)| options.len()).max().unwrap_or(1);
        let mut width = 0;
        while (1 << width) < most {
            width += 1;
        }
        let bits = self.fresh_bits(width)?;
        // What is said to be chosen from, so that the answer can be told later.
        self.chosen.push(Chosen { case: self.case.clone(), bits: bits.clone() });
        let (mut found, mut allowed) = (Vec::new(), self.space.guards.falsehood());
        for (guard, options) in options {
            for (answer, option) in options.into_iter().enumerate() {
                let chosen = bits.iter().enumerate().rev().fold(self.space.guards.truth(), |sum, (place, bit)| {
                    self.space.guards.and(&self.space.guards.literal(*bit, answer >> place & 1 == 1), &sum)
                });
                let guard = self.and(&guard, &chosen);
                allowed = self.or(&allowed, &guard);
                found.push((guard, option));
            }
        }
        self.case = self.and(&self.case, &allowed);
        self.result(found)
    }

    fn reference(&mut self, id: MachineId, interface: InterfaceId, permissions: EventSetId) -> Summary {
        Summary::Plain(Value::Machine(std::sync::Arc::new(Reference { id, interface, permissions })))
    }

    fn addressee(&mut self, value: &Summary) -> Result<Option<Addressee>, Stop> {
        self.control(value, |domain, value| domain.addressee(value))
    }

    fn event(&mut self, value: &Summary) -> Result<Option<EventId>, Stop> {
        self.control(value, |domain, value| domain.event(value))
    }

    fn bind(&mut self, event: &str, value: &Summary, ty: TypeId) -> Result<Summary, Stop> {
        self.by_kind(value, |domain, value| domain.bind(event, value, ty))
    }

    fn text(&mut self, value: &Summary) -> Result<String, Stop> {
        self.control(value, |domain, value| domain.text(value))
    }

    fn is_over(&mut self) -> bool {
        self.space.guards.is_exceeded() || self.space.guards.look().is_some()
    }

    fn has_cases(&self) -> bool {
        self.has_others
    }

    fn hears_prints(&self) -> bool {
        false
    }

    fn new_faults(&mut self) -> Vec<Fault> {
        self.take_faults()
    }

    fn failed(&mut self, failure: Failure) {
        self.note_failure(failure);
    }
}

impl Summaries<'_> {
    fn values_of(&mut self, summary: &Summary) -> Result<Vec<(Guard, Value)>, Stop> {
        let truth = self.space.guards.truth();
        Summaries::values(self, summary, &truth)
    }

    /// The case is over if everything in it has gone wrong.
    fn still_possible(&mut self) -> Result<(), Stop> {
        self.result(vec![(self.space.guards.truth(), Summary::Plain(Value::Null))]).map(|_| ())
    }

    /// Something that control depends on: it must be the same in the whole case.
    fn control<T: PartialEq>(
        &mut self,
        value: &Summary,
        ask: impl Fn(&mut lockstep_runtime::Concrete<'_>, &Value) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let mut all = Vec::new();
        for (guard, one) in self.values_of(value)? {
            match self.plainly(|domain| ask(domain, &one)) {
                Ok(answer) => all.push((guard, answer)),
                Err(Stop::Fault(fault)) => self.fault(&guard, fault),
                Err(stop) => return Err(stop),
            }
        }
        self.still_possible()?;
        self.only(all)
    }

    /// A part at a place that depends on the kind of value only. What has no such part is asked of plain values, which say what is wrong.
    fn part(
        &mut self,
        tuple: &Summary,
        place: impl Fn(Kind, usize) -> Option<usize>,
        ask: impl Fn(&mut lockstep_runtime::Concrete<'_>, &Value) -> Result<Value, Stop>,
    ) -> Result<Summary, Stop> {
        self.by_row(tuple, |kind, parts| place(kind, parts.len()).and_then(|place| parts.get(place)).cloned(), ask)
    }

    /// An operation on rows, with what is to be done for everything else.
    fn by_row(
        &mut self,
        summary: &Summary,
        on_row: impl Fn(Kind, &[Summary]) -> Option<Summary>,
        otherwise: impl Fn(&mut lockstep_runtime::Concrete<'_>, &Value) -> Result<Value, Stop>,
    ) -> Result<Summary, Stop> {
        if summary.plain().is_some() {
            return self.pointwise(&[summary], |domain, values| otherwise(domain, &values[0]));
        }
        let mut found = Vec::new();
        for (guard, one) in self.occurring(summary) {
            let part = one.parts().and_then(|(kind, parts)| on_row(kind, &parts));
            let part = match part {
                Some(part) => part,
                None => self.pointwise_under(&[&one], &guard, |domain, values| otherwise(domain, &values[0]))?,
            };
            found.push((guard, part));
        }
        self.result(found)
    }

    /// An operation that leaves values with parts as they are, or does not take them, whatever their parts are.
    fn by_kind(
        &mut self,
        summary: &Summary,
        ask: impl Fn(&mut lockstep_runtime::Concrete<'_>, &Value) -> Result<Value, Stop>,
    ) -> Result<Summary, Stop> {
        let mut found = Vec::new();
        for (guard, one) in self.occurring(summary) {
            let stand_in = one.parts().filter(|_| one.plain().is_none()).map(|(kind, _)| whole(kind, Vec::new()));
            let is_taken = stand_in.is_some_and(|value| self.plainly(|domain| ask(domain, &value)).is_ok());
            let result =
                if is_taken { one } else { self.pointwise_under(&[&one], &guard, |domain, values| ask(domain, &values[0]))? };
            found.push((guard, result));
        }
        self.result(found)
    }

    /// Which of so many places an index is, under which guard. Where it is none of them, `out` says what is wrong.
    fn places(
        &mut self,
        index: &Summary,
        guard: &Guard,
        count: usize,
        out: &dyn Fn(i64) -> Fault,
    ) -> Result<Vec<(Guard, usize)>, Stop> {
        let mut found = Vec::new();
        for (guard, index) in Summaries::values(self, index, guard)? {
            let place = index.number().map(|number| usize::try_from(number).ok().filter(|place| *place < count).ok_or(number));
            match place {
                Some(Ok(place)) => found.push((guard, place)),
                Some(Err(number)) => self.fault(&guard, out(number)),
                None => {
                    let fault = wrong(self, &index, "an index");
                    self.fault(&guard, fault);
                }
            }
        }
        Ok(found)
    }

    /// What maps have for a key.
    fn look_up(&mut self, guard: &Guard, parts: &[Summary], key: &Summary, found: &mut Alternatives) -> Result<(), Stop> {
        self.null_key(guard, key)?;
        let mut missing = guard.clone();
        for entry in parts.chunks(2) {
            let same = self.same(key, &entry[0]);
            let here = self.and(&missing, &same);
            if !here.is_false() {
                found.push((here, entry[1].clone()));
                missing = self.minus(&missing, &same);
            }
        }
        self.missing_key(&missing, key)
    }

    fn missing_key(&mut self, guard: &Guard, key: &Summary) -> Result<(), Stop> {
        if self.is_met(guard) {
            for (guard, key) in Summaries::values(self, key, guard)? {
                self.fault(&guard, Fault::KeyMissing { key: Shown(self.program, &key).to_string() });
            }
        }
        Ok(())
    }

    /// `null` is no key.
    fn null_key(&mut self, guard: &Guard, key: &Summary) -> Result<(), Stop> {
        for (own, one) in self.occurring(key) {
            if one.plain() == Some(&Value::Null) {
                let guard = self.and(guard, &own);
                self.fault(&guard, Fault::NullKey);
            }
        }
        Ok(())
    }

    /// What can be chosen, under which guard.
    fn options(&mut self, among: Option<&Summary>) -> Result<Vec<(Guard, Vec<Summary>)>, Stop> {
        let Some(among) = among else {
            let both = [false, true].map(|value| Summary::Plain(Value::Bool(value)));
            return Ok(vec![(self.space.guards.truth(), both.to_vec())]);
        };
        let mut found = Vec::new();
        for (guard, one) in self.occurring(among) {
            let (collection, options) = match (one.parts(), one.plain()) {
                (_, Some(Value::Int(count))) if *count < 0 => {
                    self.fault(&guard, Fault::ChooseNegative { count: *count });
                    continue;
                }
                (_, Some(Value::Int(count))) => {
                    // There is one possibility below zero: zero.
                    let count = usize::try_from(*count).unwrap_or(usize::MAX).max(1);
                    if count > MOST_CHOICES {
                        self.fault(&guard, Fault::ChooseTooMany { count: count as u64 });
                        continue;
                    }
                    ("range", (0..count).map(number).collect())
                }
                (Some((Kind::Seq, parts)), _) => ("sequence", parts),
                (Some((Kind::Set, parts)), _) => ("set", parts),
                (Some((Kind::Map, parts)), _) => ("map", parts.chunks(2).map(|entry| entry[0].clone()).collect::<Vec<_>>()),
                _ => {
                    for (guard, value) in Summaries::values(self, &one, &guard)? {
                        let fault = wrong(self, &value, "a number or a collection");
                        self.fault(&guard, fault);
                    }
                    continue;
                }
            };
            match options.len() {
                0 => self.fault(&guard, Fault::ChooseEmpty { collection }),
                count if count > MOST_CHOICES => self.fault(&guard, Fault::ChooseTooMany { count: count as u64 }),
                _ => found.push((guard, options)),
            }
        }
        self.still_possible()?;
        Ok(found)
    }

    /// A value of which a part is changed, under a guard; under others it can be anything.
    fn changed(
        &mut self,
        at: &Summary,
        path: &[PathStep<Summary>],
        change: &Change<Summary>,
        under: &Guard,
    ) -> Result<Summary, Stop> {
        if let ([], Change::Set(value)) = (path, change) {
            return Ok(value.clone());
        }
        if let Some(result) = self.changed_plainly(at, path, change, under) {
            return result;
        }
        let mut found = Vec::new();
        for (own, one) in self.occurring(at) {
            let guard = self.and(under, &own);
            if !self.is_met(&guard) {
                continue;
            }
            match path {
                [step, rest @ ..] => self.change_part(&one, step, rest, change, &guard, &mut found)?,
                [] => self.change_here(&one, change, &guard, &mut found)?,
            }
        }
        Ok(self.union(found))
    }

    /// Where everything is plain, plain values are changed.
    fn changed_plainly(
        &mut self,
        at: &Summary,
        path: &[PathStep<Summary>],
        change: &Change<Summary>,
        under: &Guard,
    ) -> Option<Result<Summary, Stop>> {
        let mut value = at.plain()?.clone();
        let path: Option<Vec<PathStep<Value>>> = path.iter().map(plain_step).collect();
        let (path, change) = (path?, plain_change(change)?);
        Some(match self.plainly(|domain| domain.change(&mut value, &path, change)) {
            Ok(()) => Ok(Summary::Plain(value)),
            Err(Stop::Fault(fault)) => {
                self.fault(under, fault);
                Ok(at.clone())
            }
            Err(stop) => Err(stop),
        })
    }

    fn change_part(
        &mut self,
        one: &Summary,
        step: &PathStep<Summary>,
        rest: &[PathStep<Summary>],
        change: &Change<Summary>,
        guard: &Guard,
        found: &mut Alternatives,
    ) -> Result<(), Stop> {
        let program = self.program;
        let place = match (one.parts(), step) {
            (Some((Kind::Tuple, parts)), PathStep::Element(index)) => Some(*index as usize).filter(|place| *place < parts.len()),
            (Some((Kind::Named(names), _)), PathStep::Field(field)) => program.field_place(names, *field),
            _ => None,
        };
        match (one.parts(), step, place) {
            (Some((kind, mut parts)), _, Some(place)) => {
                parts[place] = self.changed(&parts[place].clone(), rest, change, guard)?;
                found.push((guard.clone(), Summary::row(kind, parts)));
                Ok(())
            }
            (Some((Kind::Seq, parts)), PathStep::Index(index), _) => {
                self.change_element(&parts, index, rest, change, guard, found)
            }
            (Some((Kind::Map, parts)), PathStep::Index(key), _) => self.change_entry(&parts, key, rest, change, guard, found),
            // Nothing else has such a part; plain values say what is wrong.
            _ => self.wrong_everywhere(one, step, guard),
        }
    }

    fn wrong_everywhere(&mut self, one: &Summary, step: &PathStep<Summary>, guard: &Guard) -> Result<(), Stop> {
        for (guard, mut value) in Summaries::values(self, one, guard)? {
            let step = match step {
                PathStep::Element(index) => PathStep::Element(*index),
                PathStep::Field(field) => PathStep::Field(*field),
                PathStep::Index(_) => PathStep::Index(Value::Null),
            };
            match self.plainly(|domain| domain.change(&mut value, &[step], Change::Set(Value::Null))) {
                Err(Stop::Fault(fault)) => self.fault(&guard, fault),
                Err(stop) => return Err(stop),
                Ok(()) => return Err(Stop::Limit(Limit::Interrupted)),
            }
        }
        Ok(())
    }

    fn change_element(
        &mut self,
        parts: &[Summary],
        index: &Summary,
        rest: &[PathStep<Summary>],
        change: &Change<Summary>,
        guard: &Guard,
        found: &mut Alternatives,
    ) -> Result<(), Stop> {
        let out = |index| Fault::IndexOutOfRange { index, length: parts.len() };
        for (guard, place) in self.places(index, guard, parts.len(), &out)? {
            let mut parts = parts.to_vec();
            parts[place] = self.changed(&parts[place].clone(), rest, change, &guard)?;
            found.push((guard, Summary::row(Kind::Seq, parts)));
        }
        Ok(())
    }

    fn change_entry(
        &mut self,
        parts: &[Summary],
        key: &Summary,
        rest: &[PathStep<Summary>],
        change: &Change<Summary>,
        guard: &Guard,
        found: &mut Alternatives,
    ) -> Result<(), Stop> {
        self.null_key(guard, key)?;
        let mut missing = guard.clone();
        for place in (0..parts.len()).step_by(2) {
            let same = self.same(key, &parts[place]);
            let here = self.and(&missing, &same);
            if self.is_met(&here) {
                let mut parts = parts.to_vec();
                parts[place + 1] = self.changed(&parts[place + 1].clone(), rest, change, &here)?;
                found.push((here, Summary::row(Kind::Map, parts)));
            }
            missing = self.minus(&missing, &same);
        }
        match (rest, change) {
            ([], Change::Set(value)) => {
                let added = parts.iter().cloned().chain([key.clone(), value.clone()]).collect();
                found.push((missing, Summary::row(Kind::Map, added)));
                Ok(())
            }
            _ => self.missing_key(&missing, key),
        }
    }

    fn change_here(
        &mut self,
        one: &Summary,
        change: &Change<Summary>,
        guard: &Guard,
        found: &mut Alternatives,
    ) -> Result<(), Stop> {
        match (one.parts(), change) {
            (Some((Kind::Set, parts)), Change::Add(value)) => {
                self.null_key(guard, value)?;
                let there = self.among(&parts, 1, value);
                let added = parts.iter().cloned().chain([value.clone()]).collect();
                found.push((self.and(guard, &there), one.clone()));
                found.push((self.minus(guard, &there), Summary::row(Kind::Set, added)));
            }
            (Some((Kind::Map, parts)), Change::Insert(key, value)) => {
                self.null_key(guard, key)?;
                let there = self.among(&parts, 2, key);
                let twice = self.and(guard, &there);
                if self.is_met(&twice) {
                    for (guard, key) in Summaries::values(self, key, &twice)? {
                        self.fault(&guard, Fault::KeyExists { key: Shown(self.program, &key).to_string() });
                    }
                }
                let added = parts.iter().cloned().chain([key.clone(), value.clone()]).collect();
                found.push((self.minus(guard, &there), Summary::row(Kind::Map, added)));
            }
            (Some((Kind::Seq, parts)), Change::Insert(index, value)) => {
                let out = |index| Fault::InsertOutOfRange { index, length: parts.len() };
                for (guard, place) in self.places(index, guard, parts.len() + 1, &out)? {
                    let mut parts = parts.clone();
                    parts.insert(place, value.clone());
                    found.push((guard, Summary::row(Kind::Seq, parts)));
                }
            }
            (Some((Kind::Seq, parts)), Change::Remove(index)) => {
                let out = |index| Fault::IndexOutOfRange { index, length: parts.len() };
                for (guard, place) in self.places(index, guard, parts.len(), &out)? {
                    let mut parts = parts.clone();
                    parts.remove(place);
                    found.push((guard, Summary::row(Kind::Seq, parts)));
                }
            }
            (Some((kind @ (Kind::Set | Kind::Map), parts)), Change::Remove(key)) => {
                if kind == Kind::Map {
                    self.null_key(guard, key)?;
                }
                let width = if kind == Kind::Set { 1 } else { 2 };
                let mut missing = guard.clone();
                for place in (0..parts.len()).step_by(width) {
                    let same = self.same(key, &parts[place]);
                    let mut left = parts.clone();
                    left.drain(place..place + width);
                    found.push((self.and(&missing, &same), Summary::row(kind, left)));
                    missing = self.minus(&missing, &same);
                }
                found.push((missing, one.clone()));
            }
            _ => return self.changed_each(one, change, guard, found),
        }
        Ok(())
    }

    /// What is no collection, or cannot be changed like that: plain values say what is wrong.
    fn changed_each(
        &mut self,
        one: &Summary,
        change: &Change<Summary>,
        guard: &Guard,
        found: &mut Alternatives,
    ) -> Result<(), Stop> {
        let operands: Vec<Summary> = match change {
            Change::Set(value) | Change::Add(value) | Change::Remove(value) => vec![one.clone(), value.clone()],
            Change::Insert(key, value) => vec![one.clone(), key.clone(), value.clone()],
        };
        for (guard, values) in self.combinations(&operands, guard)? {
            let mut value = values[0].clone();
            let change = match change {
                Change::Set(_) => Change::Set(values[1].clone()),
                Change::Add(_) => Change::Add(values[1].clone()),
                Change::Remove(_) => Change::Remove(values[1].clone()),
                Change::Insert(..) => Change::Insert(values[1].clone(), values[2].clone()),
            };
            match self.plainly(|domain| domain.change(&mut value, &[], change)) {
                Ok(()) => found.push((guard, Summary::Plain(value))),
                Err(Stop::Fault(fault)) => self.fault(&guard, fault),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Where a key is among the entries of a collection.
    fn among(&mut self, parts: &[Summary], width: usize, key: &Summary) -> Guard {
        let mut any = self.space.guards.falsehood();
        for entry in parts.chunks(width) {
            let same = self.same(key, &entry[0]);
            any = self.or(&any, &same);
        }
        any
    }
}

fn sized(summary: Summary) -> Result<Summary, Stop> {
    if summary.is_too_large() { Err(Stop::Limit(Limit::ValueSize)) } else { Ok(summary) }
}

fn number(count: usize) -> Summary {
    Summary::Plain(Value::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// As plain values say it.
fn wrong(summaries: &Summaries<'_>, value: &Value, wanted: &str) -> Fault {
    match value {
        Value::Null => Fault::NullValue,
        other => Fault::WrongKind { value: Shown(summaries.program, other).to_string(), wanted: wanted.to_owned() },
    }
}

fn plain_step(step: &PathStep<Summary>) -> Option<PathStep<Value>> {
    Some(match step {
        PathStep::Element(index) => PathStep::Element(*index),
        PathStep::Field(field) => PathStep::Field(*field),
        PathStep::Index(index) => PathStep::Index(index.plain()?.clone()),
    })
}

fn plain_change(change: &Change<Summary>) -> Option<Change> {
    Some(match change {
        Change::Set(value) => Change::Set(value.plain()?.clone()),
        Change::Add(value) => Change::Add(value.plain()?.clone()),
        Change::Insert(key, value) => Change::Insert(key.plain()?.clone(), value.plain()?.clone()),
        Change::Remove(key) => Change::Remove(key.plain()?.clone()),
    })
}
