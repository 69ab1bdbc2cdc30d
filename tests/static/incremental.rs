//! After any edits the database says what a fresh one says. `cargo xtask fuzz static` does the same with more texts.

use lockstep_base::Edit;
use lockstep_program::Purpose;
use lockstep_tests::{Texts, checks_like_fresh, programs};

const ROUNDS: u64 = 50;
const PROOF_ROUNDS: u64 = 4;
const STEPS: usize = 60;

#[test]
fn edits_give_what_a_fresh_database_gives() {
    let texts = texts_of("p/lease/");
    (0..ROUNDS).for_each(|round| edit_and_compare(Purpose::Checking, &texts, round));
}

#[test]
fn edits_of_proofs_give_what_a_fresh_database_gives() {
    for text in texts_of("p/verified_") {
        (0..PROOF_ROUNDS).for_each(|round| edit_and_compare(Purpose::Verifying, std::slice::from_ref(&text), round));
    }
}

fn texts_of(prefix: &str) -> Vec<String> {
    let texts: Vec<String> =
        programs().into_iter().filter(|program| program.name.starts_with(prefix)).map(|program| program.text).collect();
    assert!(texts.len() > 1, "the programs were not found");
    texts
}

fn edit_and_compare(purpose: Purpose, texts: &[String], round: u64) {
    let mut random = Texts::new(round);
    let mut edited = texts.to_vec();
    let mut make = |step: usize| {
        let file = random.below(edited.len());
        let kind = if step.is_multiple_of(4) { Texts::edit } else { Texts::change_of_meaning };
        let edit: Edit = kind(&mut random, &edited[file]);
        edited[file].replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
        (file, edit)
    };
    // Some edits are made one after another before anything is asked.
    let steps: Vec<Vec<(usize, Edit)>> = (0..STEPS / 3).map(|step| (0..1 + step % 5).map(&mut make).collect()).collect();
    checks_like_fresh(purpose, texts, &steps);
}
