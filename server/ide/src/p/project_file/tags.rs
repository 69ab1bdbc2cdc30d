//! The tags of a project file that may be half written: what is open at a place, and the name there.

use lockstep_base::{TextRange, TextSize};

/// Where a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a tag, behind its `<` or `</`.
    Tag { name_start: usize, is_closing: bool },
    /// Between tags, behind the last of them.
    Content { start: usize },
    /// Where nothing of ours is written: a comment, an attribute, a declaration of XML.
    Elsewhere,
}

/// What a place is in: the names of the open elements, outermost first, and what is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context<'t> {
    pub(super) open: Vec<&'t str>,
    pub(super) place: Place,
}

/// The context of the end of a text.
pub(super) fn context(before: &str) -> Context<'_> {
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    loop {
        let Some(tag) = before[at..].find('<').map(|found| at + found) else {
            return Context { open, place: Place::Content { start: at } };
        };
        let rest = &before[tag..];
        let (closing, skipped) = match () {
            () if rest.starts_with("<!--") => ("-->", "<!--".len()),
            () if rest.starts_with("<?") => ("?>", "<?".len()),
            () if rest.starts_with("<!") => (">", "<!".len()),
            () => (">", "<".len()),
        };
        let end = rest[skipped..].find(closing).map(|end| tag + skipped + end);
        let is_element = !rest.starts_with("<!") && !rest.starts_with("<?");
        let is_closing = rest.starts_with("</");
        let name_start = tag + 1 + usize::from(is_closing);
        match end {
            Some(end) if is_element => {
                let inner = &before[name_start..end];
                let name = inner.split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
                if is_closing {
                    // What was not closed before is closed with what is around it.
                    if let Some(closed) = open.iter().rposition(|open| *open == name) {
                        open.truncate(closed);
                    }
                } else if !inner.ends_with('/') {
                    open.push(name);
                }
                at = end + closing.len();
            }
            Some(end) => at = end + closing.len(),
            None if is_element && is_name(&before[name_start..]) => {
                return Context { open, place: Place::Tag { name_start, is_closing } };
            }
            None => return Context { open, place: Place::Elsewhere },
        }
    }
}

/// The name of the element whose tag is at a place.
pub(super) fn name_at(text: &str, offset: TextSize) -> Option<(TextRange, &str)> {
    let at = usize::from(offset);
    let before = text.get(..at)?;
    let Place::Tag { name_start, .. } = context(before).place else { return None };
    let end = at + name_length(&text[at..]);
    let size = |at: usize| TextSize::try_from(at).ok();
    Some((TextRange::new(size(name_start)?, size(end)?), &text[name_start..end]))
}

fn is_name(text: &str) -> bool {
    name_length(text) == text.len()
}

/// How many bytes of a name a text begins with.
pub(super) fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))).unwrap_or(text.len())
}
