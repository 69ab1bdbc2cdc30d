//! Panics of requests and checks: caught, written down, told once.

use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static HERE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static TOLD: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Keeps what a panic says and where it was, instead of printing it.
pub(crate) fn remember() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        let said = text.unwrap_or("no message");
        let place = info.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
        let text = format!("{said}{place}");
        HERE.with_borrow_mut(|here| *here = Some(text));
    }));
}

/// How a piece of work ended.
pub(crate) enum End<T> {
    Done(T),
    /// The state changed meanwhile.
    Stale,
    /// The client no longer wants it.
    Cancelled,
    /// It panicked; with what was said and where.
    Panicked(String),
}

/// Runs `work`, which may be interrupted by the database or by a mistake of ours.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> End<T> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => End::Done(value),
        Err(payload) => match payload.downcast::<salsa::Cancelled>() {
            Ok(cancelled) => match *cancelled {
                salsa::Cancelled::Local => End::Cancelled,
                // Whoever panicked on the other thread has told; here it is worth another try.
                _ => End::Stale,
            },
            Err(_) => End::Panicked(said()),
        },
    }
}

/// What the panic that was just caught on this thread said, and where.
pub(crate) fn said() -> String {
    HERE.with_borrow_mut(Option::take).unwrap_or_else(|| "no message".to_owned())
}

/// Writes a panic down for `lockstep doctor`. Returns whether it is the first of its kind.
pub(crate) fn record(during: &str, panic: &str) -> bool {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = told.get_or_insert_default().insert(panic.to_owned());
    if is_new && let Some(file) = report_file() {
        let _ = file.parent().map(std::fs::create_dir_all);
        // What cannot be written down is lost; the client is told in any case.
        let _ = std::fs::write(file, format!("{during}: {panic}\n"));
    }
    is_new
}

/// The last panic of any server of this user, with what it was doing.
pub fn last_panic() -> Option<String> {
    std::fs::read_to_string(report_file()?).ok()
}

fn report_file() -> Option<PathBuf> {
    Some(state_folder()?.join("last-panic.txt"))
}

/// Where servers leave notes for `lockstep doctor`.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("XDG_STATE_HOME") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => std::env::home_dir()?.join(".local/state"),
    };
    Some(folder.join("lockstep"))
}
