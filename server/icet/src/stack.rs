//! Recursion over trees that can be thousands of levels deep.

/// Runs one level of such a recursion, on a new piece of stack if little is left of the old one. What is left always suffices for
/// comparing, printing and dropping types, which are at most a thousand levels deep.
pub(crate) fn level<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(1024 * 1024, 4 * 1024 * 1024, run)
}
