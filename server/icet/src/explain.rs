//! What the codes of IceT mean: for each one why the rule is there, and an example of breaking and of keeping it.

/// The explanation of a code such as `LS2001`, in Markdown.
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

const EXPLANATIONS: &[(&str, &str)] = texts![
    "LS2001", "LS2002", "LS2003", "LS2004", "LS2005", "LS2006", "LS2007", "LS2008", "LS2009", "LS2010", "LS2011", "LS2012",
    "LS2013", "LS2014", "LS2015", "LS2016", "LS2017", "LS2018", "LS2019", "LS2020", "LS2021", "LS2022", "LS2023", "LS2024",
    "LS2101", "LS2102", "LS2103", "LS2104", "LS2105", "LS2201", "LS2202", "LS2203", "LS2204", "LS2205", "LS2206",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{self, Budget, analyse};
    use crate::check::codes;
    use crate::check::tests::check_text;

    #[test]
    fn every_code_is_explained() {
        let explained: Vec<&str> = explanations().iter().map(|(code, _)| *code).collect();
        assert_eq!(explained, [codes::ALL, analysis::codes::ALL].concat());
        for (code, text) in explanations() {
            assert!(text.starts_with(&format!("# {code}: ")), "{code}");
            assert_eq!(explain(code), Some(*text));
        }
        assert_eq!(explain("LS2000"), None);
    }

    #[test]
    fn examples_are_what_they_say() {
        for (code, text) in explanations() {
            let (_, examples) = text.split_once("## Wrong\n").unwrap();
            let (wrong, right) = examples.split_once("## Right\n").unwrap();
            for program in programs(wrong) {
                assert_eq!(codes_found(program, code), [*code], "{program}");
            }
            for program in programs(right) {
                assert_eq!(codes_found(program, code), [""; 0], "{program}");
                assert!(check_text(program).program.is_some());
            }
        }
    }

    /// The codes of findings, each once for what is found by analysing: that tells one thing in several places.
    fn codes_found(program: &str, code: &str) -> Vec<&'static str> {
        let checked = check_text(program);
        let mut found: Vec<&str> = checked.diagnostics.iter().map(|found| found.code).collect();
        if let Some(program) = checked.program.filter(|_| analysis::codes::ALL.contains(&code)) {
            let analysis = analyse(&program, &Budget { claims: 1_000, ..Budget::default() });
            found.extend(analysis.findings.iter().map(|finding| finding.code));
            found.dedup();
        }
        found
    }

    /// The programs in a piece of Markdown: at least one.
    fn programs(text: &str) -> Vec<&str> {
        let programs: Vec<&str> =
            text.split("```icet\n").skip(1).map(|block| block.split("```").next().unwrap_or_default()).collect();
        assert!(!programs.is_empty());
        programs
    }
}
