//! Comments for Lockstep: `// lockstep: allow(LS1101) because ...` switches warnings off, and `// lockstep: abstract(key = 0)` says that values
//! other than these need not be told apart in what the line assigns.
//!
//! Such a comment stands at the end of the line it is about, or alone on the lines before it; `allow-file` stands before the first
//! declaration and is about all of the file. A reason is part of it. Comments are no part of the typed tree, so they are looked for
//! in the text. Errors cannot be switched off, nor can what is said about these comments.

#[cfg(test)]
mod tests;

use lockstep_base::{Diagnostic, Edit, Fix, Severity, TextRange, TextSize};
use smol_str::SmolStr;

use crate::db::{Db, SourceFile};
use crate::problem::Code;

/// A comment that begins with `lockstep:`, or was meant to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// From the slashes to the end of the line; in a block comment, the words.
    pub(crate) range: TextRange,
    /// What is removed with the comment: it and the blanks before it, and the whole line if nothing else is on it.
    pub(crate) whole: TextRange,
    /// The line it is about, counted from 0, or all of the file.
    line: Option<u32>,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// The codes with their places.
    Allow {
        codes: Vec<(SmolStr, TextRange)>,
        has_reason: bool,
    },
    /// What is not told apart, and where the names of fields stand.
    Abstract(Vec<Kept>, Vec<(SmolStr, TextRange)>),
    Malformed(&'static str),
    /// It begins with `abstract`.
    MalformedAbstract,
    /// It would be right if its mark, at this place, were in small letters.
    Capitals(TextRange),
    /// It would be right if it were no block comment.
    Block,
}

/// Which values are told apart in what is assigned; all others are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kept {
    /// In fields with this name, wherever they are in what is assigned; `None` if it is a number itself.
    pub field: Option<SmolStr>,
    pub values: Vec<i64>,
}

/// What the comments `abstract(...)` of a file say, by the number of the line that each is about.
pub fn abstractions(db: &dyn Db, file: SourceFile) -> Vec<(u32, Vec<Kept>)> {
    let all = comments(db, file).iter().filter_map(Comment::abstraction);
    all.map(|(line, kept)| (line, kept.to_vec())).collect()
}

/// The comments of a file that are meant for Lockstep, in the order of the text.
#[salsa::tracked]
pub(crate) fn comments(db: &dyn Db, file: SourceFile) -> Vec<Comment> {
    let parse = file.parse(db);
    let text = parse.text().to_string();
    if !text.as_bytes().windows(MARK.len()).any(|bytes| bytes.ends_with(b":") && bytes.eq_ignore_ascii_case(MARK.as_bytes())) {
        return Vec::new();
    }
    let first = parse.p().and_then(|file| file.items.first()).map_or(text.len(), |item| usize::from(item.start));
    let found = all_comments(&text).into_iter().flat_map(|found| match found {
        Found::Line(start) => comment(&text, start, first).into_iter().collect(),
        Found::Block(start, end) => in_block(&text, start, end),
    });
    let line_of = |at: usize| parse.text().line_of(size(at));
    found.map(|(comment, about)| Comment { line: about.map(line_of), ..comment }).collect()
}

const MARK: &str = "lockstep:";

/// Takes out what the comments switch off, and adds what is wrong with them. `is_allowed` are codes that are off anyway; `is_complete`
/// says that all warnings there could be are among the findings, so that a comment without a finding is of no use.
pub(crate) fn apply(
    comments: &[Comment],
    findings: &mut Vec<Diagnostic>,
    line_of: impl Fn(TextSize) -> u32,
    is_allowed: impl Fn(&str) -> bool,
    is_complete: bool,
) {
    let mut used: Vec<Vec<bool>> = comments.iter().map(|comment| vec![false; comment.codes().len()]).collect();
    findings.retain(|finding| {
        if finding.severity != Severity::Warning || is_about_comments(finding.code) {
            return true;
        }
        let line = line_of(finding.range.start());
        let mut is_kept = true;
        for (comment, used) in comments.iter().zip(&mut used) {
            if comment.line.is_none_or(|about| about == line) {
                for ((code, _), used) in comment.codes().iter().zip(used) {
                    if code == finding.code {
                        (is_kept, *used) = (false, true);
                    }
                }
            }
        }
        is_kept
    });
    for (comment, used) in comments.iter().zip(&used) {
        comment.check(used, &is_allowed, is_complete, findings);
    }
}

fn is_about_comments(code: &str) -> bool {
    code.starts_with("LS10")
}

impl Comment {
    fn codes(&self) -> &[(SmolStr, TextRange)] {
        match &self.content {
            Content::Allow { codes, .. } => codes,
            _ => &[],
        }
    }

    /// The line that an `abstract(...)` is about, and what it says.
    pub(crate) fn abstraction(&self) -> Option<(u32, &[Kept])> {
        match &self.content {
            Content::Abstract(kept, _) => Some((self.line?, kept)),
            _ => None,
        }
    }

    /// The fields that an `abstract(...)` names, with their places.
    pub(crate) fn fields(&self) -> &[(SmolStr, TextRange)] {
        match &self.content {
            Content::Abstract(_, fields) => fields,
            _ => &[],
        }
    }

    fn check(&self, used: &[bool], is_allowed: impl Fn(&str) -> bool, is_complete: bool, findings: &mut Vec<Diagnostic>) {
        let (codes, has_reason) = match &self.content {
            Content::Allow { codes, has_reason } => (codes, *has_reason),
            Content::Abstract(..) => return,
            other => return findings.push(self.unread(other)),
        };
        if !has_reason {
            let problem = Diagnostic::warning(Code::SuppressionReason.number(), self.range, "a reason is missing");
            findings.push(problem.with_help("say after the `)` why the warning is wrong here"));
        }
        let mut useless = Vec::new();
        for ((code, range), used) in codes.iter().zip(used) {
            let known = Code::ALL.iter().find(|known| known.number() == code);
            let message = match known {
                None => format!("there is no warning `{code}`"),
                Some(known) if known.severity() != Severity::Warning => {
                    format!("`{code}` is an error and cannot be switched off")
                }
                Some(_) if is_about_comments(code) => format!("`{code}` is about comments like this and cannot be switched off"),
                Some(_) => {
                    if !used && !is_allowed(code) && is_complete {
                        useless.push(code);
                    }
                    continue;
                }
            };
            findings.push(Diagnostic::warning(Code::SuppressionCode.number(), *range, message));
        }
        if !useless.is_empty() {
            findings.push(self.useless(codes, &useless));
        }
    }

    /// That the comment has no effect.
    fn unread(&self, content: &Content) -> Diagnostic {
        let allow = "write `// lockstep: allow(LS1101) because ...`";
        let (message, help) = match content {
            Content::Malformed(message) => (*message, allow),
            Content::MalformedAbstract => (
                "this comment does not say what need not be told apart",
                "write `// lockstep: abstract(0)`, `abstract(0 | 1)`, `abstract(field = 0, other = 1)` or `abstract(field)`",
            ),
            Content::Block => ("this has no effect: only a comment that begins with `//` does", "write it behind `//`"),
            _ => ("this has no effect: `lockstep:` is written in small letters", "write it in small letters"),
        };
        let mut problem = Diagnostic::warning(Code::SuppressionForm.number(), self.range, message).with_help(help);
        if let Content::Capitals(range) = content {
            let edits = vec![Edit { range: *range, insert: MARK.to_owned() }];
            problem.fix = Some(Fix { title: format!("write `{MARK}`"), edits });
        }
        problem
    }

    fn useless(&self, codes: &[(SmolStr, TextRange)], useless: &[&SmolStr]) -> Diagnostic {
        let list: Vec<String> = useless.iter().map(|code| format!("`{code}`")).collect();
        let about = if self.line.is_some() { "line" } else { "file" };
        let message = format!("there is no {} to switch off in this {about}", list.join(" or "));
        let mut problem = Diagnostic::warning(Code::SuppressionUseless.number(), self.range, message);
        let kept: Vec<&str> =
            codes.iter().map(|(code, _)| code).filter(|code| !useless.contains(code)).map(SmolStr::as_str).collect();
        let (title, edit) = match (kept.is_empty(), codes.first(), codes.last()) {
            (false, Some((_, first)), Some((_, last))) => {
                let range = TextRange::new(first.start(), last.end());
                (format!("remove {}", list.join(" and ")), Edit { range, insert: kept.join(", ") })
            }
            _ => ("remove the comment".to_owned(), Edit { range: self.whole, insert: String::new() }),
        };
        problem.fix = Some(Fix { title, edits: vec![edit] });
        problem
    }
}

/// A comment in the text.
pub(crate) enum Found {
    /// To the end of the line, and where it begins.
    Line(usize),
    /// Between these places, the marks of its start and its end not counted.
    Block(usize, usize),
}

pub(crate) fn all_comments(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => {
                found.push(Found::Line(at));
                at = line_end(text, at);
            }
            (b'/', Some(b'*')) => {
                let start = at + 2;
                let end = text[start..].find("*/").map_or(bytes.len(), |length| start + length);
                found.push(Found::Block(start, end));
                at = end + 2;
            }
            (b'"', _) => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// What was meant to switch warnings off in a block comment, where nothing does.
fn in_block(text: &str, start: usize, end: usize) -> Vec<(Comment, Option<usize>)> {
    let mut found = Vec::new();
    let mut at = start;
    for line in text[start..end].split_inclusive(['\n', '\r']) {
        let words = line.trim_start_matches(|c: char| c == '*' || c.is_whitespace());
        if marked(words).is_some_and(is_order) {
            let first = at + line.len() - words.len();
            let range = range(first, first + words.trim_end().len());
            found.push((Comment { range, whole: range, line: None, content: Content::Block }, None));
        }
        at += line.len();
    }
    found
}

/// What follows the mark of a comment, in whatever letters that is written.
fn marked(words: &str) -> Option<&str> {
    let (mark, rest) = words.split_at_checked(MARK.len())?;
    mark.eq_ignore_ascii_case(MARK).then_some(rest)
}

/// Whether this is not just a sentence about Lockstep.
fn is_order(rest: &str) -> bool {
    let begins_with = |order: &str| rest.trim_start().get(..order.len()).is_some_and(|word| word.eq_ignore_ascii_case(order));
    begins_with("allow") || begins_with("abstract(")
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length)
}

/// The comment at `start`, if it is for Lockstep, and where the line begins that it is about. Declarations begin at `first`.
fn comment(text: &str, start: usize, first: usize) -> Option<(Comment, Option<usize>)> {
    let end = line_end(text, start);
    let words = text[start..end].trim_start_matches('/').trim_start();
    let rest = marked(words)?;
    let mark = end - words.len();
    let is_exact = words.starts_with(MARK);
    if !is_exact && !is_order(rest) {
        return None;
    }
    let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let is_alone = text[line_start..start].trim().is_empty();
    let (about_file, content) = content(rest, end - rest.len());
    let content = match content {
        _ if !is_exact => Content::Capitals(range(mark, mark + MARK.len())),
        Content::Allow { .. } if about_file && start > first => {
            Content::Malformed("`allow-file` stands before the first declaration")
        }
        content => content,
    };
    let line = if is_alone { next_line(text, end) } else { line_start };
    let whole = match is_alone {
        true => range(line_start, end + line_break(text, end)),
        false => range(text[..start].trim_end_matches([' ', '\t']).len(), end),
    };
    let range = range(start, start + text[start..end].trim_end().len());
    Some((Comment { range, whole, line: None, content }, (!about_file).then_some(line)))
}

/// What follows the mark; `at` is where that begins in the text. Says also whether it is about the whole file.
fn content(rest: &str, at: usize) -> (bool, Content) {
    let trimmed = rest.trim_start();
    let mut at = at + rest.len() - trimmed.len();
    if let Some(list) = trimmed.strip_prefix("abstract") {
        return (false, abstracted(list, at + "abstract".len()));
    }
    let (about_file, word) = if trimmed.starts_with("allow-file") { (true, "allow-file") } else { (false, "allow") };
    let Some(list) = trimmed.strip_prefix(word).and_then(|rest| rest.strip_prefix('(')) else {
        return (false, Content::Malformed("this comment says neither `allow(...)` nor `allow-file(...)` nor `abstract(...)`"));
    };
    at += word.len() + 1;
    let Some((list, reason)) = list.split_once(')') else {
        return (about_file, Content::Malformed("a `)` is missing after the codes"));
    };
    let mut codes = Vec::new();
    for code in list.split(',') {
        let blank = code.len() - code.trim_start().len();
        let name = code.trim();
        if name.is_empty() {
            return (about_file, Content::Malformed("between the brackets stand codes, with commas between them"));
        }
        codes.push((SmolStr::new(name), range(at + blank, at + blank + name.len())));
        at += code.len() + 1;
    }
    let reason = reason.trim().trim_start_matches([':', '-']).trim_start();
    let reason = reason.strip_prefix("because").unwrap_or(reason);
    let has_reason = reason.chars().any(char::is_alphanumeric);
    (about_file, Content::Allow { codes, has_reason })
}

/// What follows `abstract`, at this place in the text: `(0)`, `(0 | 1)`, `(key = 0, value)`, and why.
fn abstracted(list: &str, at: usize) -> Content {
    let Some((list, _)) = list.strip_prefix('(').and_then(|list| list.split_once(')')) else {
        return Content::MalformedAbstract;
    };
    let (mut all, mut fields) = (Vec::new(), Vec::new());
    let mut at = at + 1;
    for one in list.split(',') {
        let (field, values) = match one.split_once('=') {
            Some((field, values)) => (Some(field.trim()), values.trim()),
            None if one.trim().starts_with(|c: char| c.is_alphabetic() || c == '_') => (Some(one.trim()), ""),
            None => (None, one.trim()),
        };
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let numbers: Result<Vec<i64>, _> =
            values.split('|').filter(|_| !values.is_empty()).map(|one| one.trim().parse()).collect();
        match numbers {
            Ok(values) if field.is_none_or(is_name) && (field.is_some() || !values.is_empty()) => {
                let blank = one.len() - one.trim_start().len();
                fields.extend(field.map(|name| (SmolStr::new(name), range(at + blank, at + blank + name.len()))));
                all.push(Kept { field: field.map(SmolStr::new), values });
            }
            _ => return Content::MalformedAbstract,
        }
        at += one.len() + 1;
    }
    Content::Abstract(all, fields)
}

/// The start of the line that a comment alone on its line is about: the next that is no such comment.
fn next_line(text: &str, end: usize) -> usize {
    let mut at = end;
    loop {
        at += line_break(text, at);
        let end = line_end(text, at);
        if end == text.len() || !text[at..end].trim_start().starts_with("//") {
            return at;
        }
        at = end;
    }
}

fn line_break(text: &str, at: usize) -> usize {
    match &text.as_bytes()[at..] {
        [b'\r', b'\n', ..] => 2,
        [_, ..] => 1,
        [] => 0,
    }
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(size(start), size(end))
}

/// Texts are no longer than this can say.
fn size(at: usize) -> TextSize {
    TextSize::try_from(at).unwrap_or_default()
}
