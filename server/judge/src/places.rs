//! The places of a program in one order, so that a place can be told by its number.
//!
//! Invariant: two programs with the same fingerprint differ in places only, so the same number is the same place of the program in both
//! texts. That is how a finding moves with its text when a comment comes before it.

use lockstep_runtime::{Place, Program};

/// All places, each as often as something is there.
pub fn places(program: &Program) -> Vec<Place> {
    let mut places = Vec::new();
    for machine in &program.machines {
        places.push(machine.place);
        places.extend(machine.states.iter().map(|state| state.place));
    }
    for function in &program.functions {
        places.push(function.place);
        for block in &function.blocks {
            places.extend(block.instrs.iter().map(|instr| instr.place));
            places.push(block.place);
        }
    }
    places
}

/// The number of a place.
pub(crate) fn number_of(places: &[Place], place: Place) -> Option<u32> {
    places.iter().position(|known| *known == place).and_then(|number| u32::try_from(number).ok())
}
