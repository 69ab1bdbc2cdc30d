//! What a child imposes on itself before it begins: a cap on its memory, and to come last where others want the processor.
//!
//! The cap is on addresses, which is what systems offer: more than a search counts itself, since threads reserve stacks and heaps they
//! hardly use. Where there is none (Windows), only the search's own count bounds it.

/// Addresses beyond what the search may keep: the program, stacks, heaps of threads, and half-full tables.
const SLACK: u64 = 1 << 30;

#[cfg(unix)]
pub(crate) fn impose(memory_megabytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
    let most = memory_megabytes.saturating_mul(1 << 20).saturating_mul(3) / 2 + SLACK;
    let most = getrlimit(Resource::As).current.map_or(most, |current| current.min(most));
    // What a system refuses it does without: the search still counts.
    let _ = setrlimit(Resource::As, Rlimit { current: Some(most), maximum: Some(most) });
    let _ = nice(10);
}

#[cfg(not(unix))]
pub(crate) fn impose(_memory_megabytes: u64) {}
