//! Syntax errors that one token mends. Whether it does is tried out: the text must then have fewer errors, and none at this place.

use lockstep_base::{Diagnostic, Edit};

use super::Proposal;
use super::site::{Site, insert, replace};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let fix = match finding.code {
        "LS0001" => missing(site, finding).or_else(|| misspelt(site, finding)),
        "LS0002" => look_alike(site, finding),
        _ => None,
    };
    fix.into_iter().filter(|fix| fix.edits.iter().all(|(_, edit)| mends(site, edit))).collect()
}

/// A sign that the grammar wants here.
fn missing(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (sign, _) = finding.message.strip_prefix("expected `")?.split_once('`')?;
    let is_sign = matches!(sign, ";" | ")" | "]" | "}" | "," | ":" | "{" | "(");
    let is_gap = finding.range.is_empty() && is_sign;
    is_gap.then(|| site.fix(format!("write `{sign}`"), [insert(finding.range.start(), sign)]).preferred())
}

/// A keyword with a slip of the keyboard in it.
fn misspelt(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let word = finding.help.as_deref()?.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let is_word = !finding.range.is_empty() && !word.contains('`');
    is_word.then(|| site.fix(format!("replace it by `{word}`"), [replace(finding.range, word)]).preferred())
}

/// Signs that word processors make of what is typed.
fn look_alike(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let plain = match site.slice(finding.range).as_str() {
        "\u{2013}" | "\u{2014}" | "\u{2212}" => "-",
        "\u{201c}" | "\u{201d}" => "\"",
        "\u{d7}" => "*",
        "\u{2264}" => "<=",
        "\u{2265}" => ">=",
        "\u{2260}" => "!=",
        "\u{a0}" => " ",
        _ => return None,
    };
    Some(site.fix(format!("write `{plain}`"), [replace(finding.range, plain)]).preferred())
}

fn mends(site: &Site<'_>, edit: &Edit) -> bool {
    site.parse.edit(std::slice::from_ref(edit)).errors().len() < site.parse.errors().len()
}
