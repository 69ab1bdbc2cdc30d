//! What can stand at a place, in words: "an expression", "`;`", "a name".

use super::recognizer::{Recognizer, Tables, Wanted};
use super::rules::{Nonterminal, Symbol, Terminal};

/// Rules that a person knows by a word; everything else is described by the tokens it begins with.
const WORDS: [(&str, &str); 6] = [
    ("_expression", "an expression"),
    ("_statement", "a statement"),
    ("_type", "a type"),
    ("_declaration", "a declaration"),
    ("_pattern", "a variable"),
    ("_module_expression", "a module expression"),
];

#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// Descriptions in the grammar's order, without what merely continues an expression.
    pub(super) choices: Vec<String>,
    /// For each terminal that can stand here, the description that covers it.
    described: Vec<(Terminal, String)>,
    /// The rules in progress with what they ask for, by name.
    pub(super) asking: Vec<(String, String)>,
}

impl Expected {
    pub(super) fn at(recognizer: &Recognizer<'_>, tables: &Tables) -> Self {
        let mut expected = Self::default();
        for Wanted { rule, symbol, done } in recognizer.wanted() {
            let asked = match symbol {
                Symbol::Terminal(terminal) => tables.rules.terminals[terminal as usize].clone(),
                Symbol::Nonterminal(inner) => tables.rules.nonterminals[inner as usize].clone(),
            };
            expected.asking.push((tables.rules.nonterminals[rule as usize].clone(), asked));
            let mut seen = Vec::new();
            // An operator could follow every expression; saying so each time helps nobody.
            if done == 1 && tables.continues_expression(rule) {
                expected.collect(tables, symbol, &mut Vec::new(), &mut seen, Some("an operator"));
            } else {
                let mut choices = std::mem::take(&mut expected.choices);
                expected.collect(tables, symbol, &mut choices, &mut seen, None);
                expected.choices = choices;
            }
        }
        expected
    }

    /// The keywords among what can stand here.
    pub(super) fn keywords<'t>(&self, tables: &'t Tables) -> impl Iterator<Item = &'t str> {
        let texts = self.described.iter().map(|(terminal, _)| tables.rules.terminals[*terminal as usize].as_str());
        texts.filter(|text| text.len() > 1 && text.chars().all(|c| c.is_ascii_alphabetic()))
    }

    /// The words for the only thing that can stand here, if there is only one.
    pub(super) fn only(&self) -> Option<&str> {
        match &self.choices[..] {
            [only] if self.described.iter().all(|(_, words)| words == only) => Some(only),
            _ => None,
        }
    }

    /// The words for `terminal`: the construct it would begin, or itself.
    pub(super) fn describe(&self, terminal: Terminal) -> Option<&str> {
        self.described.iter().find(|(known, _)| *known == terminal).map(|(_, words)| words.as_str())
    }

    fn collect(
        &mut self,
        tables: &Tables,
        symbol: Symbol,
        choices: &mut Vec<String>,
        seen: &mut Vec<Nonterminal>,
        within: Option<&str>,
    ) {
        match symbol {
            Symbol::Terminal(terminal) => {
                let words = within.map_or_else(|| terminal_words(tables, terminal), str::to_owned);
                if within.is_none() && !choices.contains(&words) {
                    choices.push(words.clone());
                }
                self.described.push((terminal, words));
            }
            Symbol::Nonterminal(rule) => {
                if seen.contains(&rule) {
                    return;
                }
                seen.push(rule);
                let name = tables.rules.nonterminals[rule as usize].as_str();
                let words = WORDS.iter().find(|(known, _)| *known == name).map(|(_, words)| *words);
                if let (Some(words), None) = (words, within)
                    && !choices.iter().any(|choice| choice == words)
                {
                    choices.push(words.to_owned());
                }
                let within = within.or(words);
                for production in &tables.rules.productions {
                    if production.left == rule {
                        self.collect(tables, production.right[0], choices, seen, within);
                    }
                }
            }
        }
    }
}

fn terminal_words(tables: &Tables, terminal: Terminal) -> String {
    let text = &tables.rules.terminals[terminal as usize];
    if terminal < tables.rules.first_pattern {
        return format!("`{text}`");
    }
    match text.as_str() {
        "identifier" => "a name".to_owned(),
        "integer" => "a number".to_owned(),
        other => format!("a {other}"),
    }
}
