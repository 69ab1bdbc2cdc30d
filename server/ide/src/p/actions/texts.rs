//! Strings and numbers as P wants them written.

use lockstep_base::Diagnostic;
use lockstep_syntax::p::ast::Expr;

use super::Proposal;
use super::site::{Site, replace};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let fix = match finding.code {
        "LS0319" => braces(site, finding),
        "LS1305" => literal(site, finding).map(|text| ("write `\\\\` for a backslash", escaped(&text))),
        "LS1306" => literal(site, finding)
            .map(|text| ("write `\\n` for the end of the line", text.replace("\r\n", "\\n").replace(['\n', '\r'], "\\n"))),
        "LS1310" => float(site, finding).map(|text| ("write it with a point", text)),
        _ => None,
    };
    fix.map(|(title, text)| site.fix(title, [replace(finding.range, text)]).preferred()).into_iter().collect()
}

/// The string at the finding.
fn literal(site: &Site<'_>, finding: &Diagnostic) -> Option<String> {
    match site.unit(finding.range)?.expr(finding.range)?.1 {
        Expr::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Outside of `format` no brace stands for a value, so all of them are meant as braces.
fn braces(site: &Site<'_>, finding: &Diagnostic) -> Option<(&'static str, String)> {
    let unit = site.unit(finding.range)?;
    let (id, Expr::String(text)) = unit.expr(finding.range)? else { return None };
    let is_filled =
        unit.nodes.exprs.iter().any(|(_, expr)| matches!(expr, Expr::Format { text, args } if *text == id && !args.is_empty()));
    let single = text.replace("{{", "{").replace("}}", "}");
    (!is_filled).then(|| ("double the braces", single.replace('{', "{{").replace('}', "}}")))
}

/// Backslashes that begin no escape, doubled.
fn escaped(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len() + 2);
    let mut rest = literal.chars();
    while let Some(character) = rest.next() {
        text.push(character);
        if character != '\\' {
            continue;
        }
        let Some(escape) = rest.next() else { break };
        let digits = match escape {
            '\'' | '"' | '\\' | '0' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' => 0,
            'x' => 1,
            'u' => 4,
            'U' => 8,
            _ => usize::MAX,
        };
        let after = rest.as_str();
        if after.len() < digits || !after.chars().take(digits).all(|digit| digit.is_ascii_hexdigit()) {
            text.push('\\');
        }
        text.push(escape);
    }
    text
}

/// `float(15, 1)` is 1.5: the second number says how many digits stand behind the point.
fn float(site: &Site<'_>, finding: &Diagnostic) -> Option<String> {
    let (_, Expr::Float(text)) = site.unit(finding.range)?.expr(finding.range)? else { return None };
    let inner = text.strip_prefix("float")?.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (digits, places) = inner.split_once(',')?;
    let (digits, places) = (digits.trim(), places.trim().parse::<usize>().ok()?);
    if places > 30 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    Some(format!("{whole}.{}", if part.is_empty() { "0" } else { part }))
}
