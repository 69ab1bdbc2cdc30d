//! What a sequentialization claims is what the program does: on thousands of random programs, exhaustive search has the last word.
//!
//! Whenever a program is put in order, then in every small instance, empty sets included: no run is stuck, no message is left over,
//! every final state is one of the sequential program, and an assertion fails in both or in none. The sequential program is printed,
//! read and checked again before it is run, so that what a user sees is what is compared.

use lockstep_icet::check::check_parse;
use lockstep_icet::program::Program;
use lockstep_icet::rewrite::sequentialize;
use lockstep_icet::run::{Domains, Limits, Mode, explore, instances};
use lockstep_icet::{print, program};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Random, icet_generator};

/// How many programs of each kind; ten times as many in the long form.
fn count(short: u64) -> u64 {
    if std::env::var_os("LOCKSTEP_LONG_TESTS").is_some() { short * 10 } else { short }
}

fn resolved(text: &str) -> Option<Program> {
    check_parse(&Parse::new(Language::Icet, text)).program
}

/// Compares what is claimed with what happens; `None` if the program cannot be put in order.
fn compare(text: &str, seed: u64) -> Option<()> {
    let program: program::Program = resolved(text)?;
    let outcome = sequentialize(&program);
    if !outcome.is_complete {
        return None;
    }
    let sequential =
        outcome.sequential.unwrap_or_else(|refusal| panic!("seed {seed}: no program for the steps: {refusal:?}\n{text}"));
    let printed = print::print(&sequential.program);
    let sequential =
        resolved(&printed).unwrap_or_else(|| panic!("seed {seed}: the sequential program has errors\n{text}\n{printed}"));
    let domains = Domains { ints: 0..=2, ..Domains::of(&program) };
    let limits = Limits { states: 2_000, steps: 50_000, reports: 1, cancel: None };
    for instance in instances(&program, 2, &domains).list.into_iter().take(12) {
        let original = explore(&program, &instance, Mode::Reduced, &limits);
        assert!(original.deadlocks.is_empty(), "seed {seed}: a deadlock\n{text}\n{printed}");
        assert!(original.orphans.is_empty(), "seed {seed}: a message is left over\n{text}\n{printed}");
        let ordered = explore(&sequential, &instance, Mode::Reduced, &limits);
        if !original.limits.is_empty() || !ordered.limits.is_empty() {
            continue;
        }
        let is_missing = original.finals.difference(&ordered.finals).next();
        assert!(is_missing.is_none(), "seed {seed}: the final state {is_missing:?} is missing\n{text}\n{printed}");
        assert_eq!(original.failures.is_empty(), ordered.failures.is_empty(), "seed {seed}: failures\n{text}\n{printed}");
    }
    Some(())
}

/// How many of the programs could be put in order.
fn ordered(programs: u64, first: u64, generate: impl Fn(&mut Random, usize) -> String) -> u64 {
    let seeds = first..first + programs;
    seeds
        .filter(|seed| {
            let mut random = Random::new(*seed);
            let size = 1 + random.below(4);
            compare(&generate(&mut random, size), *seed).is_some()
        })
        .fold(0, |count, _| count + 1)
}

#[test]
fn structured_programs() {
    let programs = count(250);
    let ordered = ordered(programs, 100_000, icet_generator::structured);
    assert!(ordered * 3 > programs, "only {ordered} of {programs} programs could be put in order: the test compares too little");
}

fn mutate(random: &mut Random, size: usize) -> String {
    let text = icet_generator::structured(random, size);
    icet_generator::mutated(random, &text)
}

#[test]
fn mutated_programs() {
    assert!(ordered(count(400), 200_000, mutate) > 20);
}

/// Programs that earlier versions of the rules put in order wrongly.
#[test]
fn programs_that_showed_mistakes() {
    for seed in [278, 142, 10_108, 12_094, 12_177] {
        ordered(1, seed, icet_generator::structured);
    }
    for seed in [6_160, 20_219, 20_735, 21_591, 22_219] {
        ordered(1, seed, mutate);
    }
}

/// Programs of two sides that only talk to each other, lifted to sets and put one after the other.
#[test]
fn pairwise_programs_can_be_put_in_order() {
    let programs = count(150);
    let ordered = ordered(programs, 300_000, icet_generator::pairwise);
    // Two branches that differ in what they send, both after messages whose values tell them apart, are sometimes not brought together.
    assert!(ordered * 100 >= programs * 95, "{ordered} of {programs}");
}

/// What is sent in one turn of a loop is not what the sender's variable holds after the next.
#[test]
fn a_value_is_kept_while_later_turns_change_the_variable() {
    let text = "set N;
message Go;
message M(int);
process hub { var d: int; for n in N { choose { d = 1; } or { d = 2; } send M(d) to n; } }
process late { for n in N { send Go to n; } }
process n in N { var got: int; recv Go from late; recv M(got) from hub; }
";
    assert_eq!(compare(text, 0), Some(()), "it can be put in order");
}
