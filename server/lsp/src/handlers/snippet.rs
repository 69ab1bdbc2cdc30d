//! Snippets for clients that know none: what stands in the places is kept, the marks go.

/// The text of a snippet. The server's own have `$1`, `${1}` and `${1:text}`, the text without marks of its own.
pub(super) fn plain(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut rest = snippet;
    while let Some(at) = rest.find(['$', '\\']) {
        text.push_str(&rest[..at]);
        let mark = &rest[at..];
        rest = match mark.strip_prefix('\\') {
            // Something that would mean something else without it.
            Some(escaped) => {
                text.extend(escaped.chars().next());
                escaped.char_indices().nth(1).map_or("", |(next, _)| &escaped[next..])
            }
            None => after_mark(&mark[1..], &mut text),
        };
    }
    text.push_str(rest);
    text
}

/// What follows on a mark, without its `$`; the text of the place is put down.
fn after_mark<'t>(mark: &'t str, text: &mut String) -> &'t str {
    let Some(place) = mark.strip_prefix('{') else { return mark.trim_start_matches(|c: char| c.is_ascii_digit()) };
    let Some((place, rest)) = place.split_once('}') else { return mark };
    text.push_str(place.split_once(':').map_or("", |(_, default)| default));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_their_texts_stay() {
        for (snippet, wanted) in [
            ("machine ${1:Name} {\n\t$0\n}", "machine Name {\n\t\n}"),
            ("on ${1:event} do (${2}: int) $0", "on event do (: int) "),
            ("a \\$5 b$12", "a $5 b"),
            ("plain", "plain"),
            ("foreach ($1 in $2)", "foreach ( in )"),
        ] {
            assert_eq!(plain(snippet), wanted);
        }
    }
}
