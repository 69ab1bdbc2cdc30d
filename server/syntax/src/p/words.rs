//! Words that P reserves although the grammar here takes them as names.

/// Words of the proof language, which models older than it use as names.
const PROOF_WORDS: [&str; 17] = [
    "invariant",
    "axiom",
    "is",
    "inflight",
    "targets",
    "sent",
    "Proof",
    "prove",
    "using",
    "Lemma",
    "Theorem",
    "except",
    "requires",
    "ensures",
    "forall",
    "exists",
    "pure",
];

/// Reserved without any use.
const UNUSED_WORDS: [&str; 2] = ["safe", "paramtest"];

/// Whether P's compiler refuses `word` as a name while this grammar accepts it.
pub fn is_reserved_for_proofs(word: &str) -> bool {
    PROOF_WORDS.contains(&word) || UNUSED_WORDS.contains(&word)
}
