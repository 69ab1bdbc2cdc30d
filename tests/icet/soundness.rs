//! What a sequentialization claims is what the program does: on thousands of random programs, exhaustive search has the last word.
//!
//! Whenever a program is put in order, then in every small instance, empty sets included: no run is stuck, no message is left over,
//! every final state is one of the sequential program, and an assertion fails in both or in none. The independent checker accepts the
//! steps. And whatever certificate it accepts, of whatever program, claims what is so.

use lockstep_icet::certify::certify;
use lockstep_icet::rewrite::sequentialize;
use lockstep_tests::icet_soundness::{self, Bounds, Compared, resolved, wrongly_certified};
use lockstep_tests::{Random, icet_generator, mutate_steps};

/// How many programs of each kind; ten times as many in the long form.
fn count(short: u64) -> u64 {
    if std::env::var_os("LOCKSTEP_LONG_TESTS").is_some() { short * 10 } else { short }
}

type Generator = fn(&mut Random, usize) -> String;

fn compare(text: &str, seed: u64, bounds: &Bounds) -> Option<Compared> {
    icet_soundness::compare(text, bounds).unwrap_or_else(|(mistake, story)| panic!("seed {seed}: {mistake:?} {story}"))
}

/// What was compared of those programs that could be put in order.
fn compared(programs: u64, first: u64, generate: Generator, bounds: &Bounds) -> Vec<Compared> {
    let of = |seed: u64| {
        let mut random = Random::new(seed);
        let size = 1 + random.below(4);
        compare(&generate(&mut random, size), seed, bounds)
    };
    (first..first + programs).filter_map(of).collect()
}

/// How many of the programs could be put in order.
fn ordered(programs: u64, first: u64, generate: Generator) -> u64 {
    compared(programs, first, generate, &Bounds::SMALL).into_iter().fold(0, |count, _| count + 1)
}

#[test]
fn structured_programs() {
    let programs = count(250);
    let ordered = ordered(programs, 100_000, icet_generator::structured);
    assert!(ordered * 3 > programs, "only {ordered} of {programs} programs could be put in order: the test compares too little");
}

#[test]
fn extended_programs() {
    let programs = count(250);
    let ordered = ordered(programs, 400_000, icet_generator::extended);
    assert!(ordered * 3 > programs, "only {ordered} of {programs} programs could be put in order: the test compares too little");
}

/// Three members can do what two cannot: one is overtaken by another while the third is served.
#[test]
fn programs_with_three_members() {
    let programs = count(40);
    for generate in [icet_generator::structured as Generator, icet_generator::extended] {
        let compared = compared(programs, 500_000, generate, &Bounds::THREE);
        let of_three = compared.iter().filter(|compared| compared.of_three > 0).count();
        assert!(of_three * 10 > usize::try_from(programs).expect("a small number"), "{of_three} of {programs} programs");
    }
}

fn mutate(random: &mut Random, size: usize) -> String {
    let text = icet_generator::structured(random, size);
    icet_generator::mutated(random, &text)
}

fn mutate_extended(random: &mut Random, size: usize) -> String {
    let text = icet_generator::extended(random, size);
    icet_generator::mutated(random, &text)
}

#[test]
fn mutated_programs() {
    assert!(ordered(count(400), 200_000, mutate) > 20);
    assert!(ordered(count(200), 250_000, mutate_extended) > 10);
}

/// Certificates of a program, and changed ones, are tried on the program and on a mutant of it, most of which are wrong.
#[test]
fn mutated_certificates() {
    let mut accepted = 0;
    for seed in 600_000..600_000 + count(100) {
        let mut random = Random::new(seed);
        let size = 1 + random.below(3);
        let text = icet_generator::extended(&mut random, size);
        let mutant = icet_generator::mutated(&mut random, &text);
        let texts = [text, mutant];
        let programs = texts.each_ref().map(|text| resolved(text).expect("a program without errors"));
        let certificates = programs.each_ref().map(|program| sequentialize(program).steps);
        for (text, program) in texts.iter().zip(&programs) {
            for changes in [0, 1, 1, 1, 2] {
                let mut steps = certificates[random.below(2)].clone();
                (0..changes).for_each(|_| mutate_steps(&mut random, &mut steps));
                accepted += usize::from(certify(program, &steps).is_ok());
                let wrong = wrongly_certified(program, &steps, &Bounds::SMALL);
                assert_eq!(wrong, None, "seed {seed}:\n{text}\n{steps:?}");
            }
        }
    }
    assert!(accepted > 50, "only {accepted} certificates were accepted: the test compares too little");
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
    assert_eq!(ordered, programs);
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
    assert!(compare(text, 0, &Bounds::SMALL).is_some(), "it can be put in order");
}

/// What comes after an endless loop is never reached: the loop has to be the last that is done.
#[test]
fn endless_loops_come_last() {
    let text = "set G;
message A;
message O;
message R;
process hub { repeat 1 { recv R from desk; } assert false; }
process desk { repeat 1 { send R to hub; } }
process s { var x: G; while (true) { recv A from x in G; send O to x; } }
process g in G { while (true) { send A to s; recv O from s; } }
";
    assert!(compare(text, 0, &Bounds::SMALL).is_some(), "it can be put in order");
}

/// The same, where the members that fail go on together.
#[test]
fn endless_loops_come_last_for_members() {
    let text = "set N;
set P;
set G;
message R;
message A;
message O;
process n in N { for _ in P { recv R from P; } fail; }
process p in P { for n in N { send R to n; } }
process s { var x: G; while (true) { recv A from x in G; send O to x; } }
process g in G { while (true) { send A to s; recv O from s; } }
";
    assert!(compare(text, 0, &Bounds::SMALL).is_some(), "it can be put in order");
}

/// What can be put in order can be written down.
#[test]
fn a_late_choice_of_messages() {
    let text = "message A;
message B;
process d { choose { send A to h; } or { send B to h; } }
process h { var m: int; recv { case A from d: { } case B from d: { } timeout: { m = 1; } } }
";
    assert!(compare(text, 0, &Bounds::SMALL).is_some(), "it can be put in order");
}
