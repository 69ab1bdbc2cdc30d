//! The IceT programs of the tests do what they say: those in `tests/programs/icet` are right in every small instance, and those in
//! `broken` and `unsound` go wrong as their headers claim, in the smallest instance that the header names and in none that is smaller.

mod findings;
mod header;
mod traffic;

use lockstep_base::Severity;
use lockstep_icet::check::check;
use lockstep_icet::program::{self, Type};
use lockstep_icet::run::domain::Domains;
use lockstep_icet::run::instance::{Instance, instances, instances_of_sizes};
use lockstep_icet::run::search::Limits;
use lockstep_icet::run::value::Value;
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Program, faulty_icet_programs, programs};

use crate::findings::{Findings, Kind, Races, Source, add_findings};
use crate::header::{Expect, Header};

/// The programs that were broken, and how many ways there are at least.
const BENCHMARKS: [(&str, usize); 23] = [
    ("2pcommit", 3),
    ("conc_db", 3),
    ("conc_db_once", 3),
    // Its clients can write for ever without waiting for an answer, so only variants that always wait can be searched.
    ("dist_db", 1),
    ("dist_db_once", 3),
    ("ex2", 3),
    ("ex3", 3),
    ("firewall", 3),
    ("lock_server", 3),
    ("map_reduce", 3),
    ("multi_paxos", 3),
    ("parikh", 3),
    ("paxos", 3),
    ("ping_det", 3),
    ("ping_iter", 3),
    ("ping_sym", 3),
    ("ping_sym2", 3),
    ("raft_election", 3),
    ("registry", 3),
    ("theque", 3),
    ("two_buyers", 3),
    ("two_phase_commit", 3),
    ("work_steal", 3),
];

/// A program of which some states are not seen.
struct PartlySeen {
    name: &'static str,
    /// So many states of an instance are seen.
    states: usize,
    /// Each so-manieth instance is looked at. If not each one is, all of their states are seen.
    every: usize,
}

/// Programs with very many states or no end of them, or with very many instances.
const PARTLY_SEEN: [PartlySeen; 5] = [
    PartlySeen { name: "choice", states: 3_000, every: 1 },
    PartlySeen { name: "conc_db", states: 50_000, every: 1 },
    PartlySeen { name: "dist_db", states: 3_000, every: 1 },
    PartlySeen { name: "endless_rounds", states: 3_000, every: 1 },
    PartlySeen { name: "multi_paxos", states: 300_000, every: 97 },
];

#[test]
fn every_benchmark_is_broken_in_several_ways() {
    let names: Vec<String> = faulty_icet_programs().into_iter().map(|program| program.name).collect();
    for (benchmark, least) in BENCHMARKS {
        let longer = |name: &str| BENCHMARKS.iter().any(|(other, _)| other.len() > benchmark.len() && is_variant(name, other));
        let variants = names.iter().filter(|name| is_variant(name, benchmark) && !longer(name)).count();
        assert!(variants >= least, "{benchmark} has {variants} broken variants");
    }
}

fn is_variant(name: &str, benchmark: &str) -> bool {
    name.strip_prefix("icet/broken/").is_some_and(|name| name.starts_with(&format!("{benchmark}_")))
}

#[test]
fn faulty_programs_go_wrong_as_they_say() {
    let programs = faulty_icet_programs();
    assert!(programs.len() > 80, "the programs were not found");
    let wrong: Vec<String> =
        programs.iter().filter_map(|program| Some(format!("{}: {}", program.name, problem(program)?))).collect();
    assert!(wrong.is_empty(), "{} headers are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_programs_are_right_in_small_instances() {
    let programs: Vec<Program> = programs().into_iter().filter(|program| program.language == Language::Icet).collect();
    assert!(programs.len() > 30, "the programs were not found");
    for file in programs {
        let program = checked(&file).unwrap_or_else(|errors| panic!("{}: {errors}", file.name));
        let source = Source { program: &program, text: &file.text };
        let part = PARTLY_SEEN.iter().find(|part| file.name == format!("icet/{}.icet", part.name));
        let limits = Limits { states: part.map_or(limits().states, |part| part.states), ..limits() };
        let small = instances(&program, 2, &Domains::of(&program));
        assert_eq!(small.missing, Vec::<String>::new(), "{}", file.name);
        let mut found = Findings::new();
        let mut are_all_seen = true;
        for instance in small.list.iter().step_by(part.map_or(1, |part| part.every)) {
            are_all_seen &= add_findings(&mut found, &source, instance, &limits, Races::LeftOut).is_ok();
        }
        assert_eq!(found, Findings::new(), "{}", file.name);
        let is_part = part.is_some_and(|part| part.every == 1);
        assert_eq!(are_all_seen, !is_part, "{}: whether all states are seen is not as `PARTLY_SEEN` says", file.name);
    }
}

/// What is not as the header says.
fn problem(file: &Program) -> Option<String> {
    let program = match checked(file) {
        Ok(program) => program,
        Err(errors) => return Some(errors),
    };
    let header = Header::of(&file.text);
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    if let Some(missing) = header.marked.iter().find(|marked| !lines.contains(&marked.as_str())) {
        return Some(format!("there is no line `{missing}`"));
    }
    let source = Source { program: &program, text: &file.text };
    let (mut here, mut below) = (Findings::new(), Findings::new());
    let sought = if header.expect == Expect::Race { Races::Sought } else { Races::LeftOut };
    let mut domains = Domains::of(&program);
    domains.ints = header.ints.clone().unwrap_or(domains.ints);
    let mut tried = 0;
    for sizes in sizes_up_to(&program, &header) {
        let found = instances_of_sizes(&program, &sizes, &domains);
        if !found.missing.is_empty() {
            return Some(found.missing.join(", "));
        }
        for instance in &found.list {
            let findings = match place(&program, &header, instance) {
                Place::Here => &mut here,
                Place::Below => &mut below,
                Place::Elsewhere => continue,
            };
            tried += 1;
            if let Err(limits) = add_findings(findings, &source, instance, &limits(), sought) {
                return Some(format!("the search is too large: {limits}"));
            }
        }
    }
    if tried == 0 {
        return Some("there is no such instance".to_owned());
    }
    if !below.is_empty() {
        return Some(format!("a smaller instance has {below:?}"));
    }
    mismatch(&header, &here)
}

fn mismatch(header: &Header, found: &Findings) -> Option<String> {
    let kinds: Vec<Kind> = found.keys().copied().collect();
    let is_right = match header.expect {
        Expect::Nothing => kinds.is_empty(),
        Expect::Deadlock => kinds == [Kind::Deadlock],
        Expect::Orphan => kinds == [Kind::Orphan],
        Expect::Failure => kinds == [Kind::Failure],
        Expect::Race => kinds == [Kind::Race],
        Expect::NoneAtSmallSizes => kinds.len() == 1 && header.size.iter().any(|(_, size)| *size > 3),
    };
    let marked = found.values().flatten().cloned().collect();
    (!is_right || header.marked != marked)
        .then(|| format!("expected {:?} at {:?}, found {found:?}", header.expect, header.marked))
}

/// Where an instance is, compared with that of the header.
enum Place {
    Here,
    /// Nothing is larger and something is smaller.
    Below,
    Elsewhere,
}

fn place(program: &program::Program, header: &Header, instance: &Instance) -> Place {
    let mut is_here = true;
    let sets = program.sets.iter().zip(&instance.members).map(|(set, members)| (&set.name, members.len() as i128));
    let consts = program.consts.iter().zip(&instance.consts).filter_map(|(constant, value)| match value {
        Value::Int(number) => Some((&constant.name, *number)),
        _ => None,
    });
    for (name, number) in sets.chain(consts) {
        let Some(size) = header.size_of(name) else { continue };
        if number < 0 || number > i128::from(size) {
            return Place::Elsewhere;
        }
        is_here &= number == i128::from(size);
    }
    if is_here { Place::Here } else { Place::Below }
}

/// All sizes of sets up to those of the header, which names every set and no strangers.
fn sizes_up_to(program: &program::Program, header: &Header) -> Vec<Vec<u32>> {
    for (name, _) in &header.size {
        let is_set = program.sets.iter().any(|set| set.name == name);
        let is_number = program.consts.iter().any(|constant| constant.name == name && constant.ty == Type::Int);
        assert!(is_set || is_number, "`{name}` is neither a set nor an integer constant");
    }
    let mut all = vec![Vec::new()];
    for set in &program.sets {
        let largest = header.size_of(&set.name).unwrap_or_else(|| panic!("the header does not give the size of `{}`", set.name));
        all = all.iter().flat_map(|sizes| (0..=largest).map(move |size| [&sizes[..], &[size]].concat())).collect();
    }
    all
}

fn limits() -> Limits {
    Limits { states: 300_000, reports: 10_000, ..Limits::default() }
}

fn checked(file: &Program) -> Result<program::Program, String> {
    let parse = Parse::new(Language::Icet, file.text.as_str());
    let tree = parse.icet().ok_or("it is not an IceT program")?;
    let checked = check(tree);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
    checked.program.ok_or_else(|| format!("it has errors: {errors:?} {:?}", parse.errors()))
}
