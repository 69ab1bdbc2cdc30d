//! Recursion over trees that can be thousands of levels deep.

/// Runs one level of such a recursion, on a new piece of stack if little is left of the old one.
pub(crate) fn level<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, run)
}
