//! What became of tests, in a message: for editors that show nothing else of it.
//!
//! Invariant: every announcement is made once, when the last of its tests has ended, and says no more than their records do.

use std::collections::BTreeMap;

use lockstep_base::verdict::{Outcome, Verdict};
use tower_lsp::ls_types::MessageType;

use super::State;
use crate::convert;
use crate::handlers::{Page, Prepared};

/// How many bugs of one announcement are named.
const MOST_NAMED: usize = 5;

#[derive(Default)]
pub(super) struct Announcements {
    open: BTreeMap<u64, Announcement>,
    last: u64,
}

/// Tests that were asked for together.
struct Announcement {
    left: usize,
    ended: Vec<(String, Option<Outcome>)>,
}

impl State {
    pub(super) fn run_and_tell(&mut self, tests: Vec<Prepared>) {
        let announcements = &mut self.jobs.announcements;
        announcements.last += 1;
        let number = announcements.last;
        announcements.open.insert(number, Announcement { left: tests.len(), ended: Vec::new() });
        self.run_tests(tests, Some(number));
    }

    /// A test has ended.
    pub(super) fn announce(&mut self, number: Option<u64>, item: &str, outcome: Option<&Outcome>) {
        let open = &mut self.jobs.announcements.open;
        let Some(number) = number.filter(|number| open.contains_key(number)) else { return };
        let Some(announcement) = open.get_mut(&number) else { return };
        let test = item.rsplit('/').next().unwrap_or(item).to_owned();
        announcement.ended.push((test, outcome.cloned()));
        announcement.left = announcement.left.saturating_sub(1);
        if announcement.left == 0 {
            let ended = open.remove(&number).map(|announcement| announcement.ended).unwrap_or_default();
            let (kind, words) = words(&ended);
            self.teller.say(kind, words);
        }
    }

    /// Has the client open a file, or says where it is.
    pub(super) fn open_page(&self, page: Page) {
        match convert::uri(&page.path).filter(|_| self.support.shows_documents) {
            Some(uri) => self.teller.open(uri),
            None => self.teller.say(MessageType::INFO, format!("Lockstep has written {}", page.path.display())),
        }
    }
}

/// What is said of tests that have ended, and how loud.
fn words(ended: &[(String, Option<Outcome>)]) -> (MessageType, String) {
    let verdict = |outcome: &Option<Outcome>| outcome.as_ref().map_or(Verdict::Unknown, |outcome| outcome.verdict);
    let is_bug = |(_, outcome): &&(String, Option<Outcome>)| verdict(outcome) == Verdict::Refuted;
    let is_open =
        |outcome: &Option<Outcome>| matches!(verdict(outcome), Verdict::Unknown | Verdict::Unsupported | Verdict::NotRun);
    let kind = match () {
        () if ended.iter().any(|test| is_bug(&test)) => MessageType::ERROR,
        () if ended.iter().any(|(_, outcome)| is_open(outcome)) => MessageType::WARNING,
        () => MessageType::INFO,
    };
    if let [(test, outcome)] = ended {
        let words = outcome.as_ref().map_or_else(|| "nothing was found out".to_owned(), Outcome::words);
        return (kind, format!("{test}: {words}"));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, outcome) in ended {
        *counts.entry(verdict(outcome).word()).or_default() += 1;
    }
    let counted: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let bugs: Vec<&str> = ended.iter().filter(is_bug).map(|(test, _)| test.as_str()).collect();
    let named = bugs.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if bugs.len() > MOST_NAMED { ", ..." } else { "" };
    let bugs = if bugs.is_empty() { String::new() } else { format!("; refuted: {named}{more}") };
    (kind, format!("{} test cases: {}{bugs}", ended.len(), counted.join(", ")))
}
