//! States that differ in names only: one of each kind is looked at, and everything that can go wrong is still found.
//!
//! The oracle goes through all configurations and puts together, by trying all ways to exchange names, those that are the same.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lockstep_explore::{Bugs, Keeping, Liveness, Options, Order, Outcome, Reduction, Report};
use lockstep_runtime::{
    Configuration, Delivery, Ending, Failure, InterfaceId, Limits, MachineId, Place, Program, Script, Settings, naive,
    shows_names,
};
use lockstep_tests::{Taste, p_program};

use crate::{count, first_seed, program, search};

#[test]
fn names_are_forgotten_and_nothing_else() {
    for workers in 1..=4 {
        let text = format!(
            "event eRegister: Worker;
machine Registry {{
  var known: set[Worker];
  start state Open {{
    entry {{ var i: int; while (i < {workers}) {{ new Worker(this); i = i + 1; }} }}
    on eRegister do (worker: Worker) {{ known += (worker); }}
  }}
}}
machine Worker {{ start state Init {{ entry (registry: Registry) {{ send registry, eRegister, this; }} }} }}
test tc [main=Registry]: {{ Registry, Worker }};"
        );
        let program = program(&text);
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let settings = Settings { delivery, ..Settings::default() };
            assert_eq!(symmetric(&program, settings).stats.states, kinds(&program, &settings, 5_000).expect("few") as u64);
        }
    }
}

#[test]
fn machines_created_by_machines_that_exchange_names() {
    let text = "event eHello: machine;
machine Main { start state S { entry { new Parent(this); new Parent(this); } on eHello do (who: machine) { } } }
machine Parent { start state S { entry (boss: machine) { new Child(boss); new Child(boss); } } }
machine Child { start state S { entry (boss: machine) { send boss, eHello, this; } } }
test tc [main=Main]: { Main, Parent, Child };";
    let program = program(text);
    let settings = Settings::default();
    let plain = naive::explore(&program, &settings, 100_000);
    let states = symmetric(&program, settings).stats.states;
    assert_eq!(states, kinds(&program, &settings, 10_000).expect("few") as u64);
    assert!(states * 4 < plain.configurations as u64, "{states} of {}", plain.configurations);
}

/// The second worker that reports is wrong, whoever it is; with names in texts it is a certain one.
fn reporting(check: &str) -> String {
    format!(
        "event eReport: Worker;
machine Main {{
  var first: Worker;
  var text: string;
  var count: int;
  start state S {{
    entry {{ var i: int; while (i < 3) {{ new Worker(this); i = i + 1; }} }}
    on eReport do (worker: Worker) {{ count = count + 1; {check} }}
  }}
}}
machine Worker {{ start state S {{ entry (boss: Main) {{ send boss, eReport, this; }} }} }}
test tc [main=Main]: {{ Main, Worker }};"
    )
}

#[test]
fn bugs_are_found_under_real_names() {
    let program = program(&reporting("if (count == 1) { first = worker; } else { assert worker == first; }"));
    let found = search(&program, &Options { reduction: Reduction::SYMMETRY, ..Options::default() });
    assert_eq!(found.bugs.len(), 1, "{:?}", found.outcome);
    assert!(found.stats.reduction.symmetry);
}

/// A search finds out on the way that symmetry pays. States before and after that are on one way to the bug.
#[test]
fn bugs_are_found_under_real_names_when_symmetry_begins_late() {
    let text = "event eReport: Worker; event eLast;
machine Main {
  var known: set[Worker];
  start state S {
    entry { var i: int; while (i < 5) { new Worker(this); i = i + 1; } }
    on eReport do (worker: Worker) { known += (worker); if (sizeof(known) == 5) { send worker, eLast; } }
  }
}
machine Worker { start state S { entry (boss: Main) { send boss, eReport, this; } on eLast do { assert false, \"the last\"; } } }
test tc [main=Main]: { Main, Worker };";
    let program = program(text);
    let plain = search(&program, &Options { reduction: Reduction::PARTIAL_ORDER, ..Options::default() });
    for threads in [1, 2] {
        let found = search(&program, &Options { threads, ..Options::default() });
        // Only what the plain interpreter shows is among them.
        assert!(!found.bugs.is_empty(), "{:?}", found.outcome);
        assert!(found.stats.reduction.symmetry);
        assert!(
            found.stats.states > 64 && found.stats.states * 2 < plain.stats.states,
            "{} of {}",
            found.stats.states,
            plain.stats.states
        );
    }
}

/// Who has moved sleeps by position, and workers that exchange names exchange positions: every order of their reports is seen all the same.
#[test]
fn who_gets_another_name_is_awake() {
    let checks: String = (8..16).map(|log| format!("assert log != {log}, \"{log}\"; ")).collect();
    let text = format!(
        "event x; event y; event go0; event go1; event go2;
machine Main {{ start state S {{ entry {{ var b: machine; var n: int; b = new Boss(); while (n < 3) {{ new W(b); n = n + 1; }} }} }} }}
machine Boss {{ var log: int; start state S {{ entry {{ log = 1; }} on x do {{ note(0); }} on y do {{ note(1); }} }}
  fun note(bit: int) {{ log = log * 2 + bit; {checks}}} }}
machine W {{ var b: machine;
  start state S {{ entry (m: machine) {{ b = m; if ($) {{ goto T; }} send this, go0; }}
    on go0 do {{ send this, go1; }} on go1 do {{ send this, go2; }} on go2 do {{ send b, x; }} }}
  state T {{ entry {{ send this, go0; }} on go0 do {{ send b, y; }} }} }}
test tc [main=Main]: {{ Main, Boss, W }};"
    );
    let program = program(&text);
    let reductions = [Reduction::NONE, Reduction::SYMMETRY, Reduction::MONOTONIC.and(Reduction::SYMMETRY), Reduction::ALL];
    for (reduction, order) in reductions.into_iter().flat_map(|all| [(all, Order::BreadthFirst), (all, Order::DepthFirst)]) {
        let found = search(&program, &Options { reduction, order, bugs: Bugs::All, ..Options::default() });
        assert_eq!(found.bugs.len(), 8, "{reduction} {order:?}");
        assert!(found.stats.reduction.symmetry || !reduction.symmetry || reduction.partial_order, "{reduction} {order:?}");
    }
}

/// A deadlock is about whoever is first in the text, and not about whoever has the first name: machines of one type can have exchanged names
/// with those that are gone.
#[test]
fn a_deadlock_of_machines_with_other_names_is_shown() {
    let text = "event go;
machine Main { start state S { entry { var y: machine; new A(); new B(); y = new A(); send y, halt; } } }
machine A { start state S { entry { receive { case go: { } } } } }
machine B { start state S { entry { receive { case go: { } } } } }
test tc [main=Main]: { Main, A, B };";
    let program = program(text);
    let [plain, symmetric] = [Reduction::NONE, Reduction::SYMMETRY].map(|reduction| {
        let found = search(&program, &Options { reduction, ..Options::default() });
        let Outcome::Bug(bug) = found.outcome else { panic!("{reduction}: {:?}", found.outcome) };
        (bug.failure.fault.kind(), bug.failure.place, bug.failure.state)
    });
    assert_eq!(plain, symmetric);
}

#[test]
fn names_in_texts_tell_machines_apart() {
    let shown = program(&reporting("print format(\"{0}\", worker); assert count < 9, format(\"{0} is one too many\", worker);"));
    assert!(!shows_names(&shown));
    let kept = program(&reporting("text = format(\"{0}\", worker);"));
    assert!(shows_names(&kept));
    let numbers = program(&reporting("text = format(\"{0} of {1}\", count + 1, count * 2);"));
    assert!(!shows_names(&numbers));
    let found = search(&kept, &Options::default());
    assert!(!found.stats.reduction.symmetry);
}

/// How much was compared.
#[derive(Debug, Default)]
struct Compared {
    complete: u32,
    smaller: u32,
    with_bugs: u32,
    /// As small as can be.
    exact: u32,
}

#[test]
fn random_programs() {
    let mut compared = Compared::default();
    for seed in 0..count(70) {
        let taste = Taste { has_specs: seed % 2 == 0, has_null: seed % 5 == 0, ..Taste::default() };
        compare(first_seed() + 1_000 + seed, taste, &mut compared);
    }
    assert!(compared.complete >= 60 && compared.smaller >= 15 && compared.with_bugs >= 20, "{compared:?}");
    assert!(compared.exact * 20 >= compared.complete * 19, "{compared:?}");
}

/// Machines are compared and remembered, by specs too, and those that can exchange names create others that can.
#[test]
fn random_programs_about_machines() {
    let mut compared = Compared::default();
    for seed in 0..count(60) {
        let (has_specs, has_null, is_endless) = (seed % 2 == 0, seed % 5 == 0, seed % 4 == 3);
        let taste = Taste { has_specs, has_null, is_endless, is_harmless: seed % 3 == 0, is_rich: true };
        compare(first_seed() + 3_000_000 + seed, taste, &mut compared);
    }
    assert!(compared.complete >= 20 && compared.smaller >= 5 && compared.with_bugs >= 5, "{compared:?}");
}

fn compare(seed: u64, taste: Taste, compared: &mut Compared) {
    let text = alike(&p_program(seed, taste));
    let program = program(&text);
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let limits = Limits { instructions: 20_000, frames: 1_000 };
        let settings = Settings { delivery, limits, ..Settings::default() };
        let plain = naive::explore(&program, &settings, 400);
        if !plain.is_complete {
            continue;
        }
        compared.complete += 1;
        let context = format!("seed {seed} {delivery:?}\n{text}");
        let expected: BTreeSet<String> = plain.failures.iter().map(|(failure, _)| nameless(failure)).collect();
        compared.with_bugs += u32::from(!expected.is_empty());
        let found = symmetric(&program, settings);
        let kinds = kinds(&program, &settings, 400).expect("it was complete") as u64;
        assert!(kinds <= found.stats.states && found.stats.states <= plain.configurations as u64, "{context}");
        compared.exact += u32::from(kinds == found.stats.states);
        compared.smaller += u32::from(found.stats.states < plain.configurations as u64);
        let options =
            Options { settings, reduction: Reduction::NONE, bugs: Bugs::All, liveness: Liveness::AtEnd, ..Options::default() };
        let ends = kinds_of_ends(&search(&program, &options));
        for reduction in [Reduction::ALL, Reduction::SYMMETRY] {
            let options = Options { reduction, ..options.clone() };
            let again = search(&program, &options);
            let twice = search(&program, &Options { threads: 2, ..options.clone() });
            assert_eq!((again.stats.states, &again.bugs), (twice.stats.states, &twice.bugs), "{context}");
            let deep = search(&program, &Options { order: Order::DepthFirst, keeping: Keeping::Fingerprints, ..options });
            for report in [&again, &deep] {
                assert_eq!(failures(report), expected, "{reduction:?} {context}");
                assert_eq!(kinds_of_ends(report), ends, "{reduction:?} {context}");
            }
        }
    }
}

/// Wherever a name is, it is exchanged, and known to be there. What a machine consists of is taken from how it is shown for debugging.
#[test]
fn no_name_is_overlooked() {
    let count_of = |text: &str, what: &str| text.matches(what).count();
    let new = (0..7).fold(MachineId::main(), |id, _| id.child(77));
    let new_text = format!("{new:?}");
    let mut missing = vec!["Created(", "Paused(Send", "Paused(Create", "With(", "Enter(", "Set(", "Map(", "Named(", "Receiving"];
    let transition = "event peer: machine; event go; event rest;
machine Main { start state S { entry { var a: machine; a = new A(new X()); send a, peer, a; send a, go; } } }
machine X { start state S { ignore rest; } }
machine A { var x: machine;
  start state S { entry (v: machine) { x = v; } defer go; exit { send x, rest; } on peer goto T with (v: machine) { send x, rest; send v, rest; } }
  state T { ignore rest; entry (v: machine) { receive { case go: { send v, rest; } } } } }
test tc [main=Main]: { Main, A, X };";
    let random = (0..count(20)).map(|seed| {
        let taste = Taste { has_specs: seed % 2 == 0, is_rich: true, is_harmless: true, ..Taste::default() };
        p_program(first_seed() + 4_000_000 + seed, taste)
    });
    for text in random.chain([transition.to_owned()]) {
        let program = program(&text);
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let settings = Settings { delivery, ..Settings::default() };
            // Each is looked at on its own, so their order does not matter.
            #[allow(clippy::iter_over_hash_type)]
            for configuration in configurations(&program, &settings, 150) {
                let machines = configuration.machines.iter().map(|(_, machine)| (&machine.local, Some(&machine.queue)));
                for (local, queue) in machines.chain(configuration.monitors.iter().map(|monitor| (monitor, None))) {
                    let shown = format!("{local:?}");
                    let mut known = 0;
                    local.each_machine(&mut |_| known += 1);
                    assert_eq!(count_of(&shown, "MachineId("), known, "{shown}\n{text}");
                    let renamed = format!("{:?}", local.renamed(&|_| new.clone()));
                    assert_eq!(count_of(&renamed, "MachineId("), count_of(&renamed, &new_text), "{shown}\n{text}");
                    if let Some(queue) = queue {
                        let renamed = format!("{:?}", queue.renamed(&|_| new.clone()));
                        assert_eq!(count_of(&renamed, "MachineId("), count_of(&renamed, &new_text), "{queue:?}\n{text}");
                    }
                    missing.retain(|part| !shown.contains(part));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?} did not occur");
}

/// Sisters exchange names while lanes are named after them: lanes stay in the order of names.
#[test]
fn lanes_are_named_after_their_senders() {
    let text = "event eA; event eB;
machine Main { var n: int; start state S {
  entry { var i: int; while (i < 3) { new Worker(this); i = i + 1; } }
  on eA do { n = n + 1; } on eB do { assert n > 2, \"too early\"; } } }
machine Worker { start state S { entry (boss: Main) { if ($) { send boss, eA; } send boss, eB; } } }
test tc [main=Main]: { Main, Worker };";
    let program = program(text);
    let settings = Settings { delivery: Delivery::Network, ..Settings::default() };
    let plain = naive::explore(&program, &settings, 100_000);
    let found = symmetric(&program, settings);
    assert_eq!(failures(&found), plain.failures.iter().map(|(failure, _)| nameless(failure)).collect());
    assert_eq!(found.stats.states, kinds(&program, &settings, 10_000).expect("few") as u64);
}

/// A sender goes on sending after names were exchanged: what it sends stays in the order in which it was sent.
#[test]
fn what_one_sends_stays_in_order_under_new_names() {
    let text = "event eA: machine; event eB: machine; event eGo;
machine Main { var seen: set[machine]; start state S {
  entry { var i: int; while (i < 3) { new Worker(this); i = i + 1; } }
  on eA do (w: machine) { seen += (w); } on eB do (w: machine) { assert w in seen, \"overtaken\"; seen -= (w); } } }
machine Worker { var boss: Main; start state S { entry (b: Main) { boss = b; send boss, eA, this; send this, eGo; }
  on eGo do { send boss, eB, this; } } }
test tc [main=Main]: { Main, Worker };";
    let program = program(text);
    let settings = Settings { delivery: Delivery::Network, ..Settings::default() };
    let found = symmetric(&program, settings);
    assert!(matches!(found.outcome, Outcome::Exhausted(_)), "{:?}", found.outcome);
    assert_eq!(found.stats.states, kinds(&program, &settings, 10_000).expect("few") as u64);
    // The same with a bug in it: the run is told with the names that senders really have.
    let program = crate::program(&text.replace("assert w in seen", "assert sizeof(seen) < 3"));
    let found = symmetric(&program, settings);
    assert_eq!(found.bugs.len(), 1, "{:?}", found.outcome);
}

/// Specs know machines too: whom a spec has seen is exchanged with the names.
#[test]
fn specs_know_machines_by_their_new_names() {
    let text = "event eFirst: machine; event eSecond: machine; event eGo;
machine Main { start state S { entry { var i: int; while (i < 3) { new Worker(); i = i + 1; } } } }
machine Worker { start state S { entry { announce eFirst, this; send this, eGo; announce eSecond, this; } ignore eGo; } }
spec Order observes eFirst, eSecond { var last: machine; var seen: set[machine]; start state S {
  on eFirst do (w: machine) { last = w; seen += (w); }
  on eSecond do (w: machine) { assert w in seen, \"never seen\"; CHECK } } }
test tc [main=Main]: assert Order in { Main, Worker };";
    for (check, bugs) in [("", 0), ("assert w == last, \"not the last\";", 1)] {
        let program = program(&text.replace("CHECK", check));
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let settings = Settings { delivery, ..Settings::default() };
            let found = symmetric(&program, settings);
            assert_eq!(found.bugs.len(), bugs, "{:?}", found.outcome);
            assert_eq!(matches!(found.outcome, Outcome::Exhausted(_)), bugs == 0, "{:?}", found.outcome);
            assert_eq!(found.stats.states, kinds(&program, &settings, 20_000).expect("few") as u64);
        }
    }
}

/// The program with workers that are all of one kind, and that know and are known to nobody else at first but the main machine.
pub(crate) fn alike(text: &str) -> String {
    let mut text = text.replacen("      left = ", "      var me: seq[machine];\n      me += (0, this);\n      left = ", 1);
    for worker in 0..3 {
        let created = format!("peers += (sizeof(peers), new Worker{worker}((n = {worker}, known = peers)));");
        text = text.replace(&created, "new Worker0((n = 0, known = me));");
    }
    text
}

fn symmetric(program: &Program, settings: Settings) -> Report {
    let options =
        Options { settings, reduction: Reduction::SYMMETRY, bugs: Bugs::All, liveness: Liveness::AtEnd, ..Options::default() };
    search(program, &options)
}

/// How many ends of a kind there are depends on names, whether there are any does not.
fn kinds_of_ends(report: &Report) -> [bool; 3] {
    let ends = &report.stats.ends;
    [ends.normal > 0, ends.with_deferred > 0, ends.blocked > 0]
}

fn failures(report: &Report) -> BTreeSet<String> {
    report.bugs.iter().map(|bug| nameless(&bug.failure)).collect()
}

/// A failure without the names of machines.
fn nameless(failure: &Failure) -> String {
    let place: Option<Place> = failure.place;
    format!("{} in {} at {place:?}", failure.fault.kind(), failure.state)
}

/// How many configurations there are, counting those once that differ in names only; `None` if there are more than `most`.
fn kinds(program: &Program, settings: &Settings, most: usize) -> Option<usize> {
    let known = configurations(program, settings, most + 1);
    if known.len() > most {
        return None;
    }
    let kind = |configuration: &Configuration| {
        let renamed = exchanges(configuration).into_iter().map(|names| format!("{:?}", renamed(configuration, &names)));
        renamed.min()
    };
    Some(known.iter().map(kind).collect::<BTreeSet<_>>().len())
}

/// Configurations of a program: all of them, or so many.
fn configurations(program: &Program, settings: &Settings, most: usize) -> HashSet<Configuration> {
    let mut known: HashSet<Configuration> = HashSet::new();
    let mut open: Vec<Configuration> = Configuration::initial(program, settings).ok().into_iter().collect();
    while let Some(configuration) = open.pop() {
        if known.len() >= most || !known.insert(configuration.clone()) {
            continue;
        }
        for step in configuration.enabled(program, settings) {
            let mut answers = vec![Vec::new()];
            while let Some(tried) = answers.pop() {
                let mut next = configuration.clone();
                match next.apply(program, settings, &step, &mut Script::new(&tried)).1 {
                    Ok(()) => open.push(next),
                    Err(Ending::NeedsChoice(choice)) => {
                        answers.extend((0..choice.options).map(|option| [tried.clone(), vec![option]].concat()));
                    }
                    Err(_) => {}
                }
            }
        }
    }
    known
}

/// All ways in which machines of the same creator and kind can exchange names, as new names.
fn exchanges(configuration: &Configuration) -> Vec<BTreeMap<MachineId, MachineId>> {
    let mut families: BTreeMap<(MachineId, Option<InterfaceId>), Vec<u32>> = BTreeMap::new();
    for (id, machine) in &configuration.machines {
        if let Some((creator, before)) = id.creator() {
            families.entry((creator, machine.local.interface)).or_default().push(before);
        }
    }
    let mut all: Vec<BTreeMap<(MachineId, u32), u32>> = vec![BTreeMap::new()];
    for ((creator, _), members) in &families {
        let orders = permutations(members);
        all = all
            .iter()
            .flat_map(|exchange| {
                orders.iter().map(|order| {
                    let own = members.iter().zip(order).map(|(old, new)| ((creator.clone(), *old), *new));
                    exchange.clone().into_iter().chain(own).collect()
                })
            })
            .collect();
    }
    all.iter().map(|exchange| configuration.machines.iter().map(|(id, _)| (id.clone(), named(exchange, id))).collect()).collect()
}

fn named(exchange: &BTreeMap<(MachineId, u32), u32>, id: &MachineId) -> MachineId {
    match id.creator() {
        None => id.clone(),
        Some((creator, before)) => named(exchange, &creator).child(exchange[&(creator, before)]),
    }
}

fn permutations(items: &[u32]) -> Vec<Vec<u32>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (position, first) in items.iter().enumerate() {
        let rest: Vec<u32> = [&items[..position], &items[position + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    all
}

fn renamed(configuration: &Configuration, names: &BTreeMap<MachineId, MachineId>) -> Configuration {
    let name = |id: &MachineId| names.get(id).unwrap_or(id).clone();
    let mut machines: Vec<_> = configuration
        .machines
        .iter()
        .map(|(id, machine)| {
            let (local, queue) = (machine.local.renamed(&name), machine.queue.renamed(&name));
            (name(id), lockstep_runtime::Machine { local: local.into(), queue }.into())
        })
        .collect();
    machines.sort_by(|(a, _), (b, _): &(MachineId, _)| a.cmp(b));
    let monitors = configuration.monitors.iter().map(|monitor| monitor.renamed(&name).into()).collect();
    Configuration { machines, monitors }
}
