//! Bugs of ours as values: a panic while one file is looked at must neither lose the others nor scroll past unseen.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// What a panic said and where, to be shown with a request to report it.
#[derive(Debug)]
pub struct Panic {
    said: String,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        write!(f, "internal error in lockstep {version}: {}\nThis is a bug in Lockstep. ", self.said)?;
        f.write_str("Please report it with the command you ran and the file it was about.")
    }
}

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on panics print nothing; `guarded` hands them over.
pub fn remember_panics() {
    panic::set_hook(Box::new(|info| {
        let said = message(info.payload());
        let place = info.location().map(|location| format!(" ({}:{})", location.file(), location.line()));
        LAST.set(Some(format!("{said}{}", place.unwrap_or_default())));
    }));
}

/// Runs `work`; a panic in it is returned.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        // A panic that another thread hands on was remembered there.
        Panic { said: LAST.take().unwrap_or_else(|| message(&*payload).to_owned()) }
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_request_to_report_it() {
        let panic = guarded(|| panic!("the map lost {} keys", 2)).unwrap_err().to_string();
        assert!(panic.contains("the map lost 2 keys") && panic.contains("Please report it"), "{panic}");
        assert_eq!(guarded(|| 7).unwrap(), 7);
    }
}
