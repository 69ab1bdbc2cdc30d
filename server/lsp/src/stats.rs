//! How long requests took, for `lockstep doctor` and the curious.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::panics::state_folder;

/// How many of the latest durations of a method are kept.
const KEPT: usize = 512;

#[derive(Clone, Default)]
pub(crate) struct Stats(Arc<Mutex<BTreeMap<&'static str, Method>>>);

#[derive(Default)]
struct Method {
    count: u64,
    failed: u64,
    latest: Vec<Duration>,
}

impl Stats {
    pub(crate) fn add(&self, method: &'static str, took: Duration, is_failure: bool) {
        let mut methods = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let method = methods.entry(method).or_default();
        let place = usize::try_from(method.count).unwrap_or(0) % KEPT;
        method.count += 1;
        method.failed += u64::from(is_failure);
        if place < method.latest.len() {
            method.latest[place] = took;
        } else {
            method.latest.push(took);
        }
    }

    /// For each method how often it ran and failed, and how long it took in milliseconds.
    pub(crate) fn summary(&self) -> serde_json::Value {
        let methods = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let summary = methods.iter().map(|(name, method)| {
            let mut latest = method.latest.clone();
            latest.sort();
            let at =
                |share: usize| latest.get((latest.len().max(1) - 1) * share / 100).map_or(0.0, |took| took.as_secs_f64() * 1e3);
            let value = serde_json::json!({
                "count": method.count, "failed": method.failed, "p50": at(50), "p95": at(95), "max": at(100),
            });
            ((*name).to_owned(), value)
        });
        serde_json::Value::Object(summary.collect())
    }
}

impl Stats {
    /// Leaves a note for `lockstep doctor`.
    pub(crate) fn save(&self) {
        let Some(folder) = state_folder() else { return };
        // A note that cannot be left is not missed.
        let _ = std::fs::create_dir_all(&folder);
        let _ = std::fs::write(folder.join("last-session.json"), format!("{:#}\n", self.summary()));
    }
}

/// How long the requests of the last session took, by method.
pub fn last_session() -> Option<serde_json::Value> {
    serde_json::from_str(&std::fs::read_to_string(state_folder()?.join("last-session.json")).ok()?).ok()
}
