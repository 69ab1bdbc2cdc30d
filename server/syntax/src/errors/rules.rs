//! A grammar's rules as plain productions, read from tree-sitter's `grammar.json`.
//!
//! Only the set of accepted token sequences matters here, not the tree, so precedence, fields and aliases are dropped. No
//! production is empty: optional parts are spelled out as alternatives, which keeps the recogniser simple.

use rustc_hash::FxHashMap;
use serde_json::Value;

pub(super) type Terminal = u16;
pub(super) type Nonterminal = u16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    Terminal(Terminal),
    Nonterminal(Nonterminal),
}

#[derive(Debug)]
pub(super) struct Production {
    pub(super) left: Nonterminal,
    pub(super) right: Vec<Symbol>,
}

#[derive(Debug)]
pub(super) struct Rules {
    /// The text of a literal token, or the rule name of a token with a pattern (`identifier`).
    pub(super) terminals: Vec<String>,
    /// Terminals from here on are named by a rule, the ones before are literal.
    pub(super) first_pattern: Terminal,
    /// Rule names; parts of rules that needed a name of their own have the name of their rule.
    pub(super) nonterminals: Vec<String>,
    pub(super) productions: Vec<Production>,
    pub(super) start: Nonterminal,
    /// Literals that are never identifiers.
    pub(super) reserved: Vec<Terminal>,
    /// Whether a string may contain a line end.
    pub(super) strings_span_lines: bool,
}

const PATTERNS: [&str; 3] = ["identifier", "integer", "string"];

impl Rules {
    /// Reads a grammar that is compiled in; a malformed one is a programming error.
    pub(super) fn read(grammar_json: &str) -> Self {
        let grammar: Value = serde_json::from_str(grammar_json).expect("grammar.json is JSON");
        let rules = grammar["rules"].as_object().expect("a grammar has rules");
        let mut reader = Reader::default();
        for name in rules.keys().filter(|name| !is_token(&rules[*name])) {
            reader.nonterminal(name);
        }
        collect_literals(&grammar["rules"], &mut reader.terminals);
        let first_pattern = to_id(reader.terminals.len());
        for name in PATTERNS {
            reader.terminals.push(name.to_owned());
        }
        reader.terminal_ids = (0..).zip(&reader.terminals).map(|(id, name)| (name.clone(), id)).collect();
        for (name, rule) in rules.iter().filter(|(_, rule)| !is_token(rule)) {
            let left = reader.by_name[name];
            for right in reader.alternatives(rule, name) {
                // Only the start rule may be empty, and an empty file is never diagnosed.
                if !right.is_empty() {
                    reader.productions.push(Production { left, right });
                }
            }
        }
        for rule in 0..to_id(rules.len()).min(to_id(reader.by_name.len())) {
            reader.remove_ambiguity(rule);
        }
        let start = reader.by_name["source_file"];
        let reserved = grammar["reserved"]["global"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|word| reader.terminal_ids.get(word["value"].as_str()?).copied())
            .collect();
        Self {
            terminals: reader.terminals,
            first_pattern,
            nonterminals: reader.nonterminals,
            productions: reader.productions,
            start,
            reserved,
            strings_span_lines: !text(&rules["string"], "value").contains(r"\r\n"),
        }
    }
}

#[derive(Default)]
struct Reader {
    terminals: Vec<String>,
    terminal_ids: FxHashMap<String, Terminal>,
    nonterminals: Vec<String>,
    by_name: FxHashMap<String, Nonterminal>,
    productions: Vec<Production>,
}

impl Reader {
    fn nonterminal(&mut self, name: &str) -> Nonterminal {
        let id = self.fresh(name);
        self.by_name.insert(name.to_owned(), id);
        id
    }

    fn fresh(&mut self, name: &str) -> Nonterminal {
        self.nonterminals.push(name.to_owned());
        to_id(self.nonterminals.len() - 1)
    }

    /// The symbol sequences that `rule` stands for; optional parts give several.
    fn alternatives(&mut self, rule: &Value, owner: &str) -> Vec<Vec<Symbol>> {
        match rule["type"].as_str().expect("a rule has a type") {
            "BLANK" => vec![vec![]],
            "STRING" => vec![vec![Symbol::Terminal(self.terminal_ids[text(rule, "value")])]],
            "SYMBOL" => vec![vec![self.symbol(text(rule, "name"))]],
            "CHOICE" => members(rule).iter().flat_map(|member| self.alternatives(member, owner)).collect(),
            "SEQ" => self.sequence(members(rule), owner),
            "REPEAT" => vec![vec![], vec![self.list(&rule["content"], owner)]],
            "REPEAT1" => vec![vec![self.list(&rule["content"], owner)]],
            _ => self.alternatives(&rule["content"], owner),
        }
    }

    fn symbol(&self, name: &str) -> Symbol {
        match self.by_name.get(name) {
            Some(&id) => Symbol::Nonterminal(id),
            None => Symbol::Terminal(self.terminal_ids[name]),
        }
    }

    fn sequence(&mut self, members: &[Value], owner: &str) -> Vec<Vec<Symbol>> {
        let mut sequences = vec![vec![]];
        for member in members {
            let mut choices = self.alternatives(member, owner);
            // A choice of many gets a name, so that alternatives do not multiply.
            if choices.len() > 2 {
                let optional = choices.iter().any(Vec::is_empty);
                let left = self.fresh(owner);
                choices.retain(|right| !right.is_empty());
                self.productions.extend(choices.into_iter().map(|right| Production { left, right }));
                choices = vec![vec![Symbol::Nonterminal(left)]];
                if optional {
                    choices.push(vec![]);
                }
            }
            sequences = sequences
                .iter()
                .flat_map(|sequence| choices.iter().map(move |choice| [sequence.as_slice(), choice].concat()))
                .collect();
        }
        sequences
    }

    /// One or more of `content`.
    fn list(&mut self, content: &Value, owner: &str) -> Symbol {
        let left = self.fresh(owner);
        for element in self.alternatives(content, owner) {
            let longer = [&[Symbol::Nonterminal(left)], element.as_slice()].concat();
            self.productions.push(Production { left, right: longer });
            self.productions.push(Production { left, right: element });
        }
        Symbol::Nonterminal(left)
    }

    /// Rewrites `E -> E op E` to `E -> E op T`, where `T` is an `E` that does not itself begin with an `E`. The same sequences
    /// are accepted, but in one way, so that a long chain of operators costs linear instead of quadratic time.
    fn remove_ambiguity(&mut self, whole: Nonterminal) {
        let kinds: Vec<Nonterminal> = self
            .productions
            .iter()
            .filter(|production| production.left == whole)
            .filter_map(|production| match production.right[..] {
                [Symbol::Nonterminal(kind)] => Some(kind),
                _ => None,
            })
            .collect();
        let begins = |production: &Production| production.right[0] == Symbol::Nonterminal(whole);
        let ends = |production: &Production| production.right.last() == Some(&Symbol::Nonterminal(whole));
        let of_a_kind = |production: &Production| kinds.contains(&production.left);
        if !self.productions.iter().any(|production| of_a_kind(production) && begins(production) && ends(production)) {
            return;
        }
        let name = self.nonterminals[whole as usize].clone();
        let tail = self.fresh(&name);
        for production in self.productions.iter_mut().filter(|production| kinds.contains(&production.left)) {
            let last = production.right.len() - 1;
            if last > 0 && production.right[last] == Symbol::Nonterminal(whole) {
                production.right[last] = Symbol::Nonterminal(tail);
            }
        }
        let is_token =
            |production: &Production| production.left == whole && matches!(production.right[..], [Symbol::Terminal(_)]);
        let added: Vec<Production> = self
            .productions
            .iter()
            .filter(|production| is_token(production) || (of_a_kind(production) && !begins(production)))
            .map(|production| Production { left: tail, right: production.right.clone() })
            .collect();
        self.productions.extend(added);
    }
}

fn is_token(rule: &Value) -> bool {
    matches!(rule["type"].as_str(), Some("PATTERN" | "TOKEN"))
}

fn members(rule: &Value) -> &[Value] {
    rule["members"].as_array().expect("members is a list")
}

fn text<'a>(rule: &'a Value, key: &str) -> &'a str {
    rule[key].as_str().expect("a string")
}

fn collect_literals(value: &Value, literals: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if object.get("type").and_then(Value::as_str) == Some("STRING") {
                let literal = text(value, "value").to_owned();
                if !literals.contains(&literal) {
                    literals.push(literal);
                }
            }
            object.values().for_each(|inner| collect_literals(inner, literals));
        }
        Value::Array(values) => values.iter().for_each(|inner| collect_literals(inner, literals)),
        _ => {}
    }
}

fn to_id(index: usize) -> u16 {
    u16::try_from(index).expect("a grammar has fewer than 65,536 symbols")
}
