//! What is known about programs, by fingerprint: in memory, and on disk behind it.
//!
//! Invariant: what `get` gives is about a program with exactly this fingerprint. So whoever looks a program up by its own fingerprint
//! shows nothing that is out of date.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lockstep_base::verdict::{Outcome, Scope, Verdict};
use lockstep_judge::Finding;
use lockstep_trace::TraceFile;

use crate::cache::{Cache, Entry};
use crate::job::Finished;

/// What is known about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub outcome: Outcome,
    pub findings: Vec<Finding>,
}

pub struct Ledger {
    cache: Cache,
    /// `None` for what is not known on disk either.
    known: Mutex<HashMap<String, Option<Arc<Known>>>>,
    /// What is wrong on disk, for people.
    complaints: Mutex<Vec<String>>,
}

impl Ledger {
    pub fn new(cache: Cache) -> Self {
        Self { cache, known: Mutex::default(), complaints: Mutex::default() }
    }

    /// What is known about the program with this fingerprint.
    pub fn get(&self, fingerprint: &str) -> Option<Arc<Known>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(fingerprint) {
            return known.clone();
        }
        let found = match self.cache.load(fingerprint) {
            Ok(entry) => entry.map(|Entry { outcome, findings, .. }| Arc::new(Known { outcome, findings })),
            Err(why) => {
                self.complain(why);
                None
            }
        };
        known.insert(fingerprint.to_owned(), found.clone());
        found
    }

    /// Takes up what was found out about a test, and gives what is known now. What claims more stays if less was found out later: it is
    /// about the same program.
    pub fn put(&self, item: &str, finished: Finished) -> Arc<Known> {
        let Finished { fingerprint, mut outcome, is_final, findings, trace } = finished;
        if let Some(trace) = &trace {
            match self.cache.store_trace(item, &fingerprint, trace) {
                Ok(name) => outcome.trace = Some(name),
                Err(error) => {
                    let why = format!("{}; its trace cannot be written: {error}", outcome.why);
                    let known_as = Some(fingerprint.clone());
                    outcome = Outcome { verdict: Verdict::Unknown, fingerprint: known_as, ..Outcome::not_run(why) };
                }
            }
        }
        let new = Arc::new(Known { outcome, findings });
        if let Some(before) = self.get(&fingerprint).filter(|before| claim(&before.outcome) > claim(&new.outcome)) {
            return before;
        }
        if is_final && new.outcome.verdict != Verdict::Unknown {
            let (outcome, findings) = (new.outcome.clone(), new.findings.clone());
            if let Err(error) = self.cache.store(&Entry { fingerprint: fingerprint.clone(), outcome, findings }) {
                self.complain(format!("results cannot be kept: {error}"));
            }
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(fingerprint, Some(new.clone()));
        new
    }

    /// Runs of a test that went wrong, the newest first, as JSON.
    pub fn traces_of(&self, item: &str) -> Vec<String> {
        self.cache.traces_of(item).iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    }

    /// A trace with its path.
    pub fn trace(&self, name: &str) -> Option<(PathBuf, TraceFile)> {
        let path = self.cache.trace_path(name)?;
        let text = std::fs::read_to_string(&path).ok()?;
        match TraceFile::from_json(&text) {
            Ok(file) => Some((path, file)),
            Err(why) => {
                self.complain(format!("`{}`: {why}", path.display()));
                None
            }
        }
    }

    /// Writes a page that an editor is to open, and says where it is.
    pub fn page(&self, name: &str, text: &str) -> std::io::Result<PathBuf> {
        self.cache.store_page(name, text)
    }

    /// What is wrong on disk and was not told yet.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut *self.complaints.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn complain(&self, why: String) {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).push(why);
    }
}

/// How much a result says.
fn claim(outcome: &Outcome) -> (u8, u64) {
    match (outcome.verdict, outcome.scope) {
        (Verdict::Refuted, _) => (5, 0),
        (Verdict::Proved, _) => (4, 0),
        (Verdict::Exhausted, _) => (3, 0),
        (Verdict::Sampled, Some(Scope::Schedules { count })) => (2, count),
        (Verdict::Sampled, _) => (2, 0),
        (Verdict::Unsupported, _) => (1, 0),
        (Verdict::Unknown | Verdict::NotRun, _) => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(verdict: Verdict, scope: Option<Scope>, why: &str) -> Finished {
        let outcome = Outcome { verdict, scope, ..Outcome::not_run(why) };
        let is_final = verdict != Verdict::Unknown;
        Finished { fingerprint: "ab".to_owned(), outcome, is_final, findings: Vec::new(), trace: None }
    }

    fn sampled(count: u64) -> Finished {
        finished(Verdict::Sampled, Some(Scope::Schedules { count }), &format!("{count} schedules"))
    }

    fn refuted() -> Finished {
        Finished { trace: Some("{}".to_owned()), ..finished(Verdict::Refuted, None, "wrong") }
    }

    #[test]
    fn what_claims_more_counts() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = || Ledger::new(Cache::at(Some(folder.path().to_owned()), 1 << 20));
        let kept = ledger();
        let exhausted = || finished(Verdict::Exhausted, Some(Scope::Bounded { machines: 1, states: 2 }), "all");
        let whys =
            [sampled(10), sampled(5), finished(Verdict::Unknown, None, "cancelled"), sampled(20), exhausted(), sampled(90)];
        let whys = whys.map(|finished| kept.put("a#b/tc", finished).outcome.why.clone());
        assert_eq!(whys, ["10 schedules", "10 schedules", "10 schedules", "20 schedules", "all", "all"]);
        assert_eq!(ledger().get("ab").unwrap().outcome.why, "all", "also on disk");
        assert_eq!(kept.put("a#b/tc", refuted()).outcome.verdict, Verdict::Refuted);
        assert!(kept.complaints().is_empty());
    }

    #[test]
    fn what_was_not_found_out_is_not_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = || Ledger::new(Cache::at(Some(folder.path().to_owned()), 1 << 20));
        let kept = ledger();
        kept.put("a#b/tc", finished(Verdict::Unknown, None, "cancelled"));
        kept.put("a#b/tc", Finished { is_final: false, ..sampled(3) });
        assert_eq!(kept.get("ab").unwrap().outcome.why, "3 schedules", "but known here");
        assert_eq!(ledger().get("ab"), None);
    }

    /// A bug that nobody can look at is not claimed.
    #[test]
    fn a_bug_whose_trace_cannot_be_kept() {
        let nowhere = Ledger::new(Cache::at(None, 0));
        let known = nowhere.put("a#b/tc", refuted());
        assert_eq!(known.outcome.verdict, Verdict::Unknown);
        assert!(known.outcome.why.starts_with("wrong; its trace cannot be written"), "{}", known.outcome.why);
        assert!(known.outcome.is_consistent());
    }
}
