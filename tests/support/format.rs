//! What must hold for the layout of every text: it changes white space only, twice is once, and what is broken stays as it is.

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_format::{Options, format, format_on_type, format_range};
use lockstep_syntax::{Language, OutlineNode, Parse, outline};

use crate::tokens;

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    pub text: String,
    /// Whether it was so before.
    pub is_unchanged: bool,
}

/// Lays a text out and checks everything that must hold then; panics with the reason if it does not.
pub fn formats(language: Language, text: &str, options: &Options) -> Formatted {
    let parse = Parse::new(language, text);
    let edits = format(&parse, options, None);
    only_white_space(text, &edits);
    let once = applied(text, &edits);
    let again = Parse::new(language, once.as_str());
    same_trees((text, &parse), (&once, &again));
    let broken =
        |parse: &Parse| -> Vec<String> { parse.parts().filter(|part| !part.is_sound).map(|part| part.text.to_owned()).collect() };
    assert_eq!(broken(&parse), broken(&again), "a broken part has changed");
    let twice = format(&again, options, None);
    let first = twice.first().map(|edit| (edit, context(&once, edit.range)));
    assert!(twice.is_empty(), "formatting twice differs from formatting once: {first:?}");
    parts_of_it(&parse, text, options);
    Formatted { is_unchanged: once == text, text: once }
}

/// Ranges, and what is done while somebody types: a part of the same edits, none at a broken place.
fn parts_of_it(parse: &Parse, text: &str, options: &Options) {
    let length = u32::try_from(text.len()).expect("a small text");
    for at in [length / 3, length / 2, length] {
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at as usize)).unwrap_or(0);
        let range = TextRange::new(TextSize::new(at / 2), TextSize::new(at));
        let edits = format_range(parse, range, options, None);
        only_white_space(text, &edits);
        same_trees((text, parse), (&applied(text, &edits), &parse.edit(&reversed(&edits))));
        for typed in ['}', ';', '\n'] {
            let edits = format_on_type(parse, TextSize::new(at), typed, options, None);
            only_white_space(text, &edits);
            same_trees((text, parse), (&applied(text, &edits), &parse.edit(&reversed(&edits))));
        }
    }
}

fn reversed(edits: &[Edit]) -> Vec<Edit> {
    edits.iter().rev().cloned().collect()
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut applied = String::new();
    let mut end = 0;
    for edit in edits {
        applied.push_str(&text[end..usize::from(edit.range.start())]);
        applied.push_str(&edit.insert);
        end = usize::from(edit.range.end());
    }
    applied + &text[end..]
}

fn only_white_space(text: &str, edits: &[Edit]) {
    let is_blank = |text: &str| text.chars().all(|character| matches!(character, ' ' | '\t' | '\r' | '\n' | '\x0c'));
    let mut end = None;
    for edit in edits {
        assert!(end.is_none_or(|end| edit.range.start() > end), "edits overlap or touch: {edit:?}");
        let old = &text[edit.range];
        assert!(is_blank(old) && is_blank(&edit.insert), "{edit:?} changes {old:?}");
        assert!(old != edit.insert, "{edit:?} changes nothing");
        end = Some(edit.range.end());
    }
}

/// The same nodes and tokens in the same order. Only comments may differ in white space: where their lines begin and end.
fn same_trees((old, before): (&str, &Parse), (new, after): (&str, &Parse)) {
    let (before, after) = (outline(before), outline(after));
    for (old_node, new_node) in before.iter().zip(&after) {
        let (left, right) = (shown(old, old_node), shown(new, new_node));
        assert!(left == right, "{left:?} has become {right:?} at {:?}", context(old, old_node.range));
    }
    assert_eq!(before.len(), after.len(), "nodes have come or gone");
}

type Shown<'n> = (usize, Option<&'n str>, &'n str, bool, bool, Option<Vec<&'n str>>);

fn shown<'n>(text: &'n str, node: &OutlineNode<'n>) -> Shown<'n> {
    let token = node.is_leaf.then(|| {
        let token = &text[node.range];
        if node.kind == "comment" { token.lines().map(str::trim).collect() } else { vec![token] }
    });
    (node.depth, node.field, node.kind, node.is_error, node.is_missing, token)
}

fn context(text: &str, range: TextRange) -> String {
    text[usize::from(range.start())..].chars().take(80).collect()
}

/// Comments of all kinds between the tokens: before one of `share` of them. `below` gives random numbers.
pub fn inject_comments(text: &str, share: usize, mut below: impl FnMut(usize) -> usize) -> String {
    const COMMENTS: [&str; 9] = [
        " // line\n",
        "\n// own line\n",
        "/* block */",
        " /* block */ ",
        "\n/* own\n   lines */\n",
        "\n   /** star\n    * star\n    */",
        "// tight\n",
        " /**/ /* two */ // three  \n\n",
        "\n\n\n/* far */\n\n\n\n",
    ];
    let mut injected = String::new();
    let mut end = 0;
    for token in tokens(text) {
        injected.push_str(&text[end..token.start]);
        if below(share) == 0 {
            injected.push_str(COMMENTS[below(COMMENTS.len())]);
        }
        injected.push_str(&text[token.clone()]);
        end = token.end;
    }
    injected + &text[end..]
}
