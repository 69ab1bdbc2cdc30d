//! What records say when there is no result, or one that no longer counts, and when there are many.

use std::collections::BTreeMap;

use lockstep_base::verdict::{Freshness, Outcome, Record, Verdict};

/// What is said of something that has so many errors to mend before it can be checked, where there may be a result.
pub(crate) fn outcome(result: Option<&Outcome>, errors: usize) -> Outcome {
    match (result, errors) {
        (Some(result), 0) => result.clone(),
        // What does not compile is not what was checked.
        (Some(result), _) => Outcome { freshness: Freshness::Stale, ..result.clone() },
        (None, 0) => Outcome::not_run("not checked yet"),
        (None, 1) => Outcome::not_run("1 error must be mended first"),
        (None, _) => Outcome::not_run(format!("{errors} errors must be mended first")),
    }
}

/// What the records of several cases say, in a few words.
pub(crate) fn summary<'r>(records: impl Iterator<Item = &'r Record> + Clone) -> Option<String> {
    let first = records.clone().next()?.outcome.words();
    if records.clone().all(|record| record.outcome.words() == first) {
        return Some(first);
    }
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    records.for_each(|record| *counts.entry(record.outcome.verdict).or_default() += 1);
    let parts: Vec<String> = counts.into_iter().map(|(verdict, count)| format!("{count} {}", verdict.word())).collect();
    Some(parts.join(", "))
}

#[cfg(test)]
mod tests {
    use lockstep_base::TextRange;
    use lockstep_base::verdict::{Check, Scope};

    use super::*;

    fn sampled() -> Outcome {
        let scope = Some(Scope::Schedules { count: 100 });
        Outcome { verdict: Verdict::Sampled, scope, ..Outcome::not_run("100 schedules") }
    }

    fn record(outcome: Outcome) -> Record {
        let range = TextRange::default();
        Record { item: String::new(), check: Check::Exploration, range, name_range: range, outcome }
    }

    #[test]
    fn without_a_result_the_errors_are_the_reason() {
        assert_eq!(outcome(None, 0).words(), "not checked yet");
        assert_eq!(outcome(None, 1).words(), "1 error must be mended first");
        assert_eq!(outcome(None, 7).words(), "7 errors must be mended first");
        assert_eq!(outcome(None, 7).verdict, Verdict::NotRun);
    }

    #[test]
    fn a_result_is_stale_while_there_are_errors() {
        assert_eq!(outcome(Some(&sampled()), 0), sampled());
        assert_eq!(outcome(Some(&sampled()), 2).words(), "sampled, stale, 100 schedules");
    }

    #[test]
    fn many_cases_in_a_few_words() {
        let (one, other) = (record(sampled()), record(Outcome::not_run("not checked yet")));
        assert_eq!(summary([].iter()), None);
        assert_eq!(summary([&one, &one].into_iter()).as_deref(), Some("sampled, 100 schedules"));
        assert_eq!(summary([&other, &one, &other].into_iter()).as_deref(), Some("1 sampled, 2 not run"));
    }
}
