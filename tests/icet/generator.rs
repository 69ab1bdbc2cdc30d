//! Generated programs are what they claim to be: well formed, the same for the same seed, of every kind, and mostly right.

use std::collections::BTreeSet;

use lockstep_base::Severity;
use lockstep_icet::check::check;
use lockstep_icet::print::print;
use lockstep_icet::program::Program;
use lockstep_icet::run::domain::Domains;
use lockstep_icet::run::instance::instances;
use lockstep_icet::run::search::{Limits, Mode, Outcome, explore};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::Random;
use lockstep_tests::icet_generator::{Template, extended, extended_of, mutated, pairwise, structured};

const PROGRAMS: u64 = 3_000;
const SIZES: [usize; 4] = [1, 2, 3, 5];

type Generator = fn(&mut Random, usize) -> String;

/// A structured program with one fault.
fn mutant(random: &mut Random, size: usize) -> String {
    let program = structured(random, size);
    mutated(random, &program)
}

fn text(generator: Generator, seed: u64) -> String {
    let size = SIZES[usize::try_from(seed).expect("a small seed") % SIZES.len()];
    generator(&mut Random::new(seed), size)
}

/// The resolved program; a panic with the text if there is anything wrong with it.
fn resolved(text: &str) -> Program {
    let parse = Parse::new(Language::Icet, text);
    assert!(parse.is_well_formed() && parse.errors().is_empty(), "{:?} in\n{text}", parse.errors());
    let checked = check(parse.icet().expect("an IceT text"));
    let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    let Some(program) = checked.program else { panic!("{errors:?} in\n{text}") };
    program
}

fn check_all(generator: Generator) {
    for seed in 0..PROGRAMS {
        let text = text(generator, seed);
        let printed = print(&resolved(&text));
        let again = print(&resolved(&printed));
        assert_eq!(printed, again, "printed twice:\n{text}");
    }
}

#[test]
fn structured_programs_are_well_formed() {
    check_all(structured);
}

#[test]
fn extended_programs_are_well_formed() {
    check_all(extended);
}

#[test]
fn pairwise_programs_are_well_formed() {
    check_all(pairwise);
}

#[test]
fn mutated_programs_are_well_formed() {
    check_all(mutant);
}

#[test]
fn the_same_seed_gives_the_same_text() {
    for generator in [structured as Generator, extended, pairwise, mutant] {
        let texts: BTreeSet<String> = (0..200).map(|seed| text(generator, seed)).collect();
        assert!(texts.len() > 150, "only {} different texts", texts.len());
        assert!(texts == (0..200).map(|seed| text(generator, seed)).collect());
    }
}

#[test]
fn a_mutant_differs_from_its_program() {
    for seed in 0..300 {
        let program = text(structured, seed);
        let mutant = mutated(&mut Random::new(seed), &program);
        assert!(mutant != print(&resolved(&program)), "nothing was changed in\n{program}");
    }
}

#[test]
fn every_template_occurs() {
    let mut used = BTreeSet::new();
    for seed in 0..600 {
        used.extend(extended_of(&mut Random::new(seed), 3).1);
    }
    let missing: Vec<Template> = Template::all().filter(|template| !used.contains(template)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_construct_occurs() {
    let texts: String = (0..600).map(|seed| text(structured, seed)).collect();
    for construct in [
        "foreach",
        "for _ in",
        "repeat",
        " as piece",
        "while (true)",
        "while (",
        "recv {",
        "timeout {",
        "timeout:",
        "if (*)",
        "choose",
        "match",
        "default:",
        "havoc",
        "pick",
        "assert",
        "assume",
        "break",
        "from any",
        " in any",
        "from Nodes",
        "from n;",
        "from n ",
        "const Times",
        "card(",
    ] {
        assert!(texts.contains(construct), "no program contains `{construct}`");
    }
}

// ---- What they do ----

/// What went wrong in the runs of all instances with at most `largest` members to a set.
#[derive(Default)]
struct Found {
    deadlocks: bool,
    orphans: bool,
    failures: bool,
    is_cut_short: bool,
    states: usize,
}

impl Found {
    fn is_right(&self) -> bool {
        !self.deadlocks && !self.orphans && !self.failures && !self.is_cut_short
    }
}

fn found(program: &Program, largest: u32, most_states: usize) -> Found {
    let mut found = Found::default();
    let all = instances(program, largest, &Domains::of(program));
    assert!(all.missing.is_empty(), "{:?}", all.missing);
    let limits = Limits { states: most_states, ..Limits::default() };
    for instance in &all.list {
        let Outcome { deadlocks, orphans, failures, limits, states, .. } = explore(program, instance, Mode::Reduced, &limits);
        found.deadlocks |= !deadlocks.is_empty();
        found.orphans |= !orphans.is_empty();
        found.failures |= !failures.is_empty();
        found.is_cut_short |= !limits.is_empty();
        found.states += states;
    }
    found
}

#[test]
fn structured_programs_are_mostly_right() {
    let (right, cut_short) = statistic("structured", structured, 500, 200_000);
    assert!((200..=450).contains(&right), "{right} of 500 are right");
    assert_eq!(cut_short, 0);
}

/// Of those that have an end; the others are looked at as far as the comparison of claims goes.
#[test]
fn extended_programs_are_mostly_right() {
    let generate = |seed: u64| extended_of(&mut Random::new(seed), 3);
    let with_end = |(_, used): &(String, Vec<Template>)| !used.iter().any(|template| template.is_endless());
    let (mut all, mut right, mut cut_short) = (0, 0, Vec::new());
    for (text, _) in (0..250).map(generate).filter(with_end) {
        let found = found(&resolved(&text), 2, 20_000);
        all += 1;
        right += usize::from(found.is_right());
        cut_short.extend(found.is_cut_short.then_some(text));
    }
    assert!(all > 100 && right * 3 > all, "{right} of {all} are right");
    assert!(cut_short.len() * 20 < all, "{} of {all} are too large, among them\n{}", cut_short.len(), cut_short[0]);
}

#[test]
fn many_mutants_are_wrong() {
    // A mutant can send for ever, and then its states grow, too.
    let (right, _) = statistic("mutated", mutant, 300, 4_000);
    assert!(right < 200, "{right} of 300 are right");
}

#[test]
fn pairwise_programs_are_right() {
    let (right, cut_short) = statistic("pairwise", pairwise, 500, 200_000);
    assert_eq!((right, cut_short), (500, 0));
}

/// How many of `count` programs are right, and how many were not looked at in full.
#[allow(clippy::print_stdout)]
fn statistic(kind: &str, generator: Generator, count: u64, most_states: usize) -> (usize, usize) {
    let of = |seed: u64| {
        let text = generator(&mut Random::new(seed), 3);
        found(&resolved(&text), 2, most_states)
    };
    let all: Vec<Found> = (0..count).map(of).collect();
    let number = |is: fn(&Found) -> bool| all.iter().filter(|found| is(found)).count();
    let right = number(Found::is_right);
    let cut_short = number(|found| found.is_cut_short);
    let states: usize = all.iter().map(|found| found.states).sum();
    println!(
        "{kind}: of {count} programs {right} are right, {} deadlock, {} leave orphans, {} fail, {cut_short} are too large; {} states \
         on average, {} at most",
        number(|found| found.deadlocks),
        number(|found| found.orphans),
        number(|found| found.failures),
        states / all.len(),
        all.iter().map(|found| found.states).max().unwrap_or(0),
    );
    (right, cut_short)
}
