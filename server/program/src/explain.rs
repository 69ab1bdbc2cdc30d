//! What the codes mean: for each one why the rule is there, what usually breaks it, and an example of both.
//!
//! The texts are the Markdown files of `explain/`, one for each code; without it a code does not compile. What is found before a
//! program means anything, in its syntax or in a project file, has no place in `ProblemCode`, and is listed here.

use crate::problem::Code;

/// The explanation of a code such as `LS0101`, in Markdown.
pub fn explanation(code: &str) -> Option<&'static str> {
    explanations().find(|(known, ..)| *known == code).map(|(_, _, text)| text)
}

/// Every code with its title and its explanation, in order.
pub fn explanations() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let of_programs = Code::ALL.iter().map(|code| (code.number(), code.explanation()));
    let mut all: Vec<(&str, &str)> = EARLIER.iter().copied().chain(of_programs).collect();
    all.sort_unstable();
    all.into_iter().map(|(code, text)| (code, title(text), text))
}

macro_rules! texts {
    ($($code:literal,)*) => {
        &[$(($code, include_str!(concat!("../explain/", $code, ".md"))),)*]
    };
}

const EARLIER: &[(&str, &str)] = texts![
    "LS0001", "LS0002", "LS0003", "LS0004", "LS0005", "LS0006", "LS0007", "LS0010", "LS0011", "LS0012", "LS0013", "LS0014",
    "LS0015", "LS0016", "LS0017",
];

/// What stands after the code in the first line.
fn title(text: &'static str) -> &'static str {
    text.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, title)| title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_explained_in_order() {
        let codes: Vec<&str> = explanations().map(|(code, ..)| code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "a code is there twice: {codes:?}");
        assert_eq!(codes.len(), EARLIER.len() + Code::ALL.len());
        assert!(explanations().all(|(code, title, text)| text.starts_with(&format!("# {code}: {title}\n")) && !title.is_empty()));
    }

    #[test]
    fn only_codes_are_explained() {
        assert_eq!(explanation("LS0101"), Some(Code::DuplicateDeclaration.explanation()));
        assert!(explanation("LS0001").is_some_and(|text| text.contains("grammar")));
        assert_eq!(explanation("LS0000"), None);
        assert_eq!(explanation(""), None);
    }
}
