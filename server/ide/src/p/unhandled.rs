//! What can be written into a state that has nothing to say about an event: a handler, `ignore` or `defer`.

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::Parse;

use crate::{Symbol, document_symbols};

/// A change of the file that the state is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFix {
    /// As an order: "ignore `ePing` in state `Idle`".
    pub title: String,
    pub edit: Edit,
}

/// The possible changes; none if there is no such state in this file.
pub fn state_fixes(parse: &Parse, machine: &str, state: &str, event: &str) -> Vec<StateFix> {
    let symbols = document_symbols(parse);
    let named = |symbols: &[Symbol], name: &str| symbols.iter().find(|symbol| symbol.name == name).cloned();
    let Some(found) = named(&symbols, machine).and_then(|machine| named(&machine.children, state)) else { return Vec::new() };
    let Some(last) = found.range.end().checked_sub(TextSize::from(1)) else { return Vec::new() };
    if parse.text().slice(TextRange::new(last, found.range.end())) != "}" {
        return Vec::new();
    }
    let fix = |title: String, written: &[&str]| StateFix { title, edit: inserted(parse, found.range, last, written) };
    let (head, why) = (format!("on {event} do {{"), format!("    // `{event}` has come."));
    vec![
        fix(format!("add a handler for `{event}` to state `{state}`"), &[&head, &why, "}"]),
        fix(format!("ignore `{event}` in state `{state}`"), &[&format!("ignore {event};")]),
        fix(format!("defer `{event}` in state `{state}`"), &[&format!("defer {event};")]),
    ]
}

/// Lines before the brace that closes a state, indented like what is there.
fn inserted(parse: &Parse, state: TextRange, brace: TextSize, lines: &[&str]) -> Edit {
    let before = parse.text().slice(TextRange::new(TextSize::from(0), brace)).into_owned();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_alone = line.trim().is_empty() && TextSize::of(line) <= brace - state.start();
    let own = if is_alone { line } else { first_line_indent(&before, state) };
    let unit = if own.starts_with('\t') { "\t" } else { "    " };
    let written: String = lines.iter().map(|line| format!("{own}{unit}{}\n", line.replace("    ", unit))).collect();
    match is_alone {
        true => Edit { range: TextRange::empty(brace - TextSize::of(line)), insert: written },
        false => Edit { range: TextRange::empty(brace), insert: format!("\n{written}{own}") },
    }
}

fn first_line_indent(before: &str, state: TextRange) -> &str {
    let line = before[..usize::from(state.start())].rsplit('\n').next().unwrap_or_default();
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use lockstep_syntax::Language;

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let parse = Parse::new(Language::P, text);
        let mut shown = String::new();
        for fix in state_fixes(&parse, "M", "S", "eX") {
            let after = parse.edit(&[fix.edit]);
            assert!(after.errors().is_empty(), "{:?}", after.errors());
            shown += &format!("{}:\n{}\n", fix.title, after.text());
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_state_of_several_lines() {
        check(
            "event eX;\nmachine M {\n    start state S {\n        entry { }\n    }\n}\n",
            &expect![[r#"
                add a handler for `eX` to state `S`:
                event eX;
                machine M {
                    start state S {
                        entry { }
                        on eX do {
                            // `eX` has come.
                        }
                    }
                }

                ignore `eX` in state `S`:
                event eX;
                machine M {
                    start state S {
                        entry { }
                        ignore eX;
                    }
                }

                defer `eX` in state `S`:
                event eX;
                machine M {
                    start state S {
                        entry { }
                        defer eX;
                    }
                }

            "#]],
        );
    }

    #[test]
    fn a_state_of_one_line() {
        let parse = Parse::new(Language::P, "event eX;\nmachine M { start state S { } }\n");
        let fixes = state_fixes(&parse, "M", "S", "eX");
        let after = parse.edit(&[fixes[1].edit.clone()]);
        assert_eq!(after.text().to_string(), "event eX;\nmachine M { start state S { \n    ignore eX;\n} }\n");
        assert!(after.errors().is_empty());
    }

    #[test]
    fn no_such_state() {
        let parse = Parse::new(Language::P, "event eX;\nmachine M { start state T { } }\n");
        assert!(state_fixes(&parse, "M", "S", "eX").is_empty());
        assert!(state_fixes(&parse, "N", "T", "eX").is_empty());
    }
}
