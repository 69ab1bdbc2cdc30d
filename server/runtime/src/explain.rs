//! What the codes of bugs in runs mean: for each one why it is a bug, and an example of having it and of not having it.

/// The explanation of a code such as `LS3001`, in Markdown.
pub fn explain(code: &str) -> Option<&'static str> {
    EXPLANATIONS.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

/// Every code with its explanation, in order.
pub fn explanations() -> &'static [(&'static str, &'static str)] {
    EXPLANATIONS
}

macro_rules! texts {
    ($($code:literal,)*) => {
        &[$(($code, include_str!(concat!("../explain/", $code, ".md"))),)*]
    };
}

const EXPLANATIONS: &[(&str, &str)] =
    texts!["LS3001", "LS3002", "LS3003", "LS3004", "LS3005", "LS3006", "LS3007", "LS3008", "LS3009",];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;
    use crate::{Outcome, Sampling, Settings, sample};

    #[test]
    fn examples_are_what_they_say() {
        for (code, text) in explanations() {
            assert!(text.starts_with(&format!("# {code}: ")), "{code}");
            assert_eq!(explain(code), Some(*text));
            let (_, examples) = text.split_once("## Wrong\n").unwrap();
            let (wrong, right) = examples.split_once("## Right\n").unwrap();
            assert_eq!(found(block(wrong)), Some(*code), "{wrong}");
            assert_eq!(found(block(right)), None, "{right}");
        }
        assert_eq!(explain("LS3000"), None);
    }

    fn block(section: &str) -> &str {
        section.split_once("```p\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0
    }

    /// The code of the bug that random schedules find.
    fn found(text: &str) -> Option<&'static str> {
        match sample(&program(text), &Settings::default(), &Sampling::default()).outcome {
            Outcome::NoBug => None,
            Outcome::Failed(failure, _) => Some(failure.fault.code()),
            other => panic!("{other:?}"),
        }
    }
}
