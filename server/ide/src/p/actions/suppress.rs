//! A warning that is wrong here is switched off by a comment.

use lockstep_base::Diagnostic;

use super::site::{Site, insert};
use super::{ActionKind, Proposal};

/// A comment on the line above, with a place for the reason. What is said about such comments cannot be switched off.
pub(super) fn suppression(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let code = finding.code;
    if !code.starts_with("LS1") || code.starts_with("LS10") {
        return None;
    }
    let start = site.text.line_start(site.text.line_of(finding.range.start()));
    let indent = site.indent(finding.range.start());
    let edit = insert(start, format!("{indent}// lockstep: allow({code}) because it is meant like this\n"));
    // The line may begin in a comment or a string.
    let after = site.parse.edit(std::slice::from_ref(&edit));
    let items = |parse: &lockstep_syntax::Parse| parse.p().map_or(0, |file| file.items.len());
    let is_comment = after.errors().len() == site.parse.errors().len() && items(&after) == items(site.parse);
    let title = format!("switch {code} off in this line");
    is_comment.then(|| site.fix(title, [edit]).kind(ActionKind::Suppress))
}
