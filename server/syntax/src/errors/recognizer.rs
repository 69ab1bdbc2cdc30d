//! An Earley recogniser: after each token it knows every way the text so far can continue.
//!
//! That knowledge is what tree-sitter's public interface does not give: the exact set of tokens that could stand at the
//! failing place, and the freedom to go back some tokens and try another one. It runs only on the broken part of a file.
//!
//! A set holds only items that have consumed something ("kernel" items); the predictions of a set are a bit per rule, and
//! what a rule can begin with is tabulated once. Productions are never empty (see `rules`).

use rustc_hash::FxHashSet;

use super::rules::{Nonterminal, Rules, Symbol, Terminal};

/// A production with a dot, as an index into `Tables::next`; the slot after it is the same production one symbol further.
type Slot = u32;

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) rules: Rules,
    /// The symbol after the dot, or `None` at a production's end.
    next: Vec<Option<Symbol>>,
    left: Vec<Nonterminal>,
    /// How many symbols stand before the dot.
    done: Vec<u8>,
    /// For each rule, all rules that can stand at its left edge, itself included.
    closure: Vec<Bits>,
    /// For each terminal or rule, who begins with it: the rule, and the slot behind that first symbol.
    begins_with_terminal: Vec<Vec<(Nonterminal, Slot)>>,
    begins_with_rule: Vec<Vec<(Nonterminal, Slot)>>,
    start: Slot,
    /// For each rule, whether it begins with a whole expression (or other ambiguous construct) and goes on with an operator.
    continues: Vec<bool>,
}

impl Tables {
    pub(super) fn new(mut rules: Rules) -> Self {
        // A production of its own for the start, so that acceptance is one slot.
        let top = u16::try_from(rules.nonterminals.len()).expect("few rules");
        rules.nonterminals.push(String::new());
        let start_symbol = Symbol::Nonterminal(rules.start);
        rules.productions.push(super::rules::Production { left: top, right: vec![start_symbol] });

        let mut tables = Self {
            next: Vec::new(),
            left: Vec::new(),
            done: Vec::new(),
            closure: Vec::new(),
            begins_with_terminal: vec![Vec::new(); rules.terminals.len()],
            begins_with_rule: vec![Vec::new(); rules.nonterminals.len()],
            start: 0,
            continues: vec![false; rules.nonterminals.len()],
            rules,
        };
        for production in &tables.rules.productions {
            let slot = u32::try_from(tables.next.len()).expect("few slots");
            if production.left == top {
                tables.start = slot;
            }
            let begins = match production.right[0] {
                Symbol::Terminal(terminal) => &mut tables.begins_with_terminal[terminal as usize],
                Symbol::Nonterminal(rule) => &mut tables.begins_with_rule[rule as usize],
            };
            begins.push((production.left, slot + 1));
            tables.next.extend(production.right.iter().copied().map(Some));
            tables.next.push(None);
            tables.left.resize(tables.next.len(), production.left);
            tables.done.extend((0..=production.right.len()).map(|done| u8::try_from(done).unwrap_or(u8::MAX)));
        }
        tables.closure = closures(&tables.rules);
        tables.continues = continuations(&tables.rules);
        tables
    }

    /// Whether what `rule` asks for next merely continues an expression that could also end here.
    pub(super) fn continues_expression(&self, rule: Nonterminal) -> bool {
        self.continues[rule as usize]
    }
}

/// The rules that are an expression followed by something more, so that the something could also be left out: `e + e`, `f(e)`.
fn continuations(rules: &Rules) -> Vec<bool> {
    let is_expression = |rule: Nonterminal| rules.nonterminals[rule as usize] == "_expression";
    let kinds: Vec<Nonterminal> = rules
        .productions
        .iter()
        .filter(|production| is_expression(production.left))
        .filter_map(|production| match production.right[..] {
            [Symbol::Nonterminal(kind)] => Some(kind),
            _ => None,
        })
        .collect();
    let mut continues = vec![false; rules.nonterminals.len()];
    for production in rules.productions.iter().filter(|production| production.right.len() > 1) {
        let begins = match production.right[0] {
            Symbol::Nonterminal(first) => is_expression(first),
            Symbol::Terminal(first) => matches!(rules.terminals[first as usize].as_str(), "identifier" | "integer"),
        };
        continues[production.left as usize] |= begins && kinds.contains(&production.left);
    }
    continues
}

fn closures(rules: &Rules) -> Vec<Bits> {
    let count = rules.nonterminals.len();
    let mut closure: Vec<Bits> = (0..count).map(|rule| Bits::with(count, rule)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for production in &rules.productions {
            if let Symbol::Nonterminal(first) = production.right[0] {
                let added = closure[first as usize].clone();
                changed |= closure[production.left as usize].union(&added);
            }
        }
    }
    closure
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn empty(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn with(count: usize, bit: usize) -> Self {
        let mut bits = Self::empty(count);
        bits.0[bit / 64] |= 1 << (bit % 64);
        bits
    }

    fn contains(&self, bit: u16) -> bool {
        self.0[bit as usize / 64] & (1 << (bit % 64)) != 0
    }

    fn union(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Item {
    slot: Slot,
    origin: u32,
}

/// All that can be going on between two tokens.
#[derive(Clone, Debug)]
pub(super) struct Set {
    kernel: Vec<Item>,
    predicted: Bits,
}

/// A rule in progress, the symbol it asks for next, and how many symbols of it have been read.
pub(super) struct Wanted {
    pub(super) rule: Nonterminal,
    pub(super) symbol: Symbol,
    pub(super) done: u8,
}

/// The sets after 0, 1, 2, ... tokens. Going back is truncating.
pub(super) struct Recognizer<'t> {
    tables: &'t Tables,
    sets: Vec<Set>,
    seen: FxHashSet<Item>,
    /// Steps still allowed, so that no text takes forever or fills the memory.
    work: usize,
}

/// Some seconds at worst; real mistakes take a thousandth of it.
const MOST_WORK: usize = 20_000_000;

impl<'t> Recognizer<'t> {
    pub(super) fn new(tables: &'t Tables) -> Self {
        let mut recognizer = Self { tables, sets: Vec::new(), seen: FxHashSet::default(), work: MOST_WORK };
        recognizer.push(vec![Item { slot: tables.start, origin: 0 }]);
        recognizer
    }

    /// How many tokens have been consumed.
    pub(super) fn position(&self) -> usize {
        self.sets.len() - 1
    }

    /// Whether so much has been tried that nothing more will be read.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work == 0
    }

    /// Goes back to where `position` tokens had been consumed and gives away what came after, for `restore`.
    pub(super) fn rewind(&mut self, position: usize) -> Vec<Set> {
        self.sets.split_off(position + 1)
    }

    pub(super) fn restore(&mut self, position: usize, after: Vec<Set>) {
        self.sets.truncate(position + 1);
        self.sets.extend(after);
    }

    /// Consumes a token that can be read as any of `terminals`; false, and unchanged, if none of them can stand here.
    pub(super) fn advance(&mut self, terminals: &[Terminal]) -> bool {
        let position = u32::try_from(self.position()).expect("fewer than 4G tokens");
        let here = &self.sets[position as usize];
        let mut kernel = Vec::new();
        self.seen.clear();
        for &terminal in terminals {
            for item in &here.kernel {
                if self.tables.next[item.slot as usize] == Some(Symbol::Terminal(terminal)) {
                    add(&mut kernel, &mut self.seen, Item { slot: item.slot + 1, origin: item.origin });
                }
            }
            for &(rule, slot) in &self.tables.begins_with_terminal[terminal as usize] {
                if here.predicted.contains(rule) {
                    add(&mut kernel, &mut self.seen, Item { slot, origin: position });
                }
            }
        }
        if kernel.is_empty() || self.is_exhausted() {
            return false;
        }
        self.complete(&mut kernel);
        self.work = self.work.saturating_sub(kernel.len());
        self.push(kernel);
        true
    }

    /// Adds what follows from the items that have reached their end.
    fn complete(&mut self, kernel: &mut Vec<Item>) {
        let mut at = 0;
        while at < kernel.len() {
            let item = kernel[at];
            at += 1;
            if self.tables.next[item.slot as usize].is_some() {
                continue;
            }
            let done = self.tables.left[item.slot as usize];
            let parent = &self.sets[item.origin as usize];
            self.work = self.work.saturating_sub(parent.kernel.len());
            for waiting in &parent.kernel {
                if self.tables.next[waiting.slot as usize] == Some(Symbol::Nonterminal(done)) {
                    add(kernel, &mut self.seen, Item { slot: waiting.slot + 1, origin: waiting.origin });
                }
            }
            for &(rule, slot) in &self.tables.begins_with_rule[done as usize] {
                if parent.predicted.contains(rule) {
                    add(kernel, &mut self.seen, Item { slot, origin: item.origin });
                }
            }
        }
    }

    fn push(&mut self, kernel: Vec<Item>) {
        let mut predicted = Bits::empty(self.tables.rules.nonterminals.len());
        for item in &kernel {
            if let Some(Symbol::Nonterminal(rule)) = self.tables.next[item.slot as usize] {
                predicted.union(&self.tables.closure[rule as usize]);
            }
        }
        self.sets.push(Set { kernel, predicted });
    }

    /// Whether the tokens so far are a whole text.
    pub(super) fn accepts(&self) -> bool {
        let end = Item { slot: self.tables.start + 1, origin: 0 };
        self.position() == 0 || self.last().kernel.contains(&end)
    }

    /// Whether `terminal` can come next.
    pub(super) fn expects(&self, terminal: Terminal) -> bool {
        let here = self.last();
        here.kernel.iter().any(|item| self.tables.next[item.slot as usize] == Some(Symbol::Terminal(terminal)))
            || self.tables.begins_with_terminal[terminal as usize].iter().any(|(rule, _)| here.predicted.contains(*rule))
    }

    /// What the rules in progress ask for next, without looking into those symbols.
    pub(super) fn wanted(&self) -> impl Iterator<Item = Wanted> {
        self.last().kernel.iter().filter_map(|item| {
            let slot = item.slot as usize;
            let symbol = self.tables.next[slot]?;
            Some(Wanted { rule: self.tables.left[slot], symbol, done: self.tables.done[slot] })
        })
    }

    fn last(&self) -> &Set {
        self.sets.last().expect("the set before the first token is never removed")
    }
}

fn add(kernel: &mut Vec<Item>, seen: &mut FxHashSet<Item>, item: Item) {
    if seen.insert(item) {
        kernel.push(item);
    }
}
