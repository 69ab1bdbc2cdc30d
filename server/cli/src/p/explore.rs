//! `lockstep explore`: all behaviours of tests.

use std::io::Write;

use lockstep_base::verdict::Verdict;
use lockstep_explore::{Budgets, Engine, Keeping as Kept, Observer, Options, Order, Reduction, Stats};
use lockstep_judge::{Exploring, Judged, MINIMIZING, Test, explore_test, grouped};
use lockstep_runtime::Settings;
use serde::Serialize;

use super::args::{EngineArg, ExploreArgs, KeepArg, OrderArg};
use super::progress::Progress;
use super::report;
use super::result::{Keeping, TestResult};
use super::select::{Selected, Selection, meant, select};
use crate::Outcome;
use crate::output::{Terminal, write_all};

pub(crate) fn run(args: &ExploreArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let (paths, wanted) = meant(&args.words, args.all)?;
    let mut selected = match select(&paths, &wanted)? {
        Selection::Runnable(selected) => selected,
        Selection::Errors(errors, note) => return report::write_errors(&errors, note.as_deref(), args.format, terminal),
    };
    let exploring = Exploring {
        options: options(args),
        minimizing: if args.trace.no_minimize { 0 } else { MINIMIZING },
        paths: selected.paths.clone(),
        counts_schedules: false,
    };
    let keeping = Keeping { out: args.trace.trace_out.as_deref(), has_several: selected.tests.len() > 1 };
    let mut results = Vec::new();
    for test in &mut selected.tests {
        if args.no_abstraction {
            test.abstracted = None;
        }
    }
    for test in &selected.tests {
        let (judged, stats) = searched(test, args, &exploring, &selected);
        if args.stats.is_some() {
            let stats = serde_json::to_string(&Figures { test: &judged.test, verdict: judged.outcome.verdict, stats })?;
            write_all(terminal.stderr(), |output| writeln!(output, "{stats}"))?;
        }
        results.push(TestResult::kept(test, judged, &keeping));
        if Progress::is_interrupted() {
            break;
        }
    }
    let left = selected.tests.len() - results.len();
    report::write(results, selected.report, left, args.format, terminal)
}

/// What `--stats` prints of a search.
#[derive(Serialize)]
struct Figures<'a> {
    test: &'a str,
    verdict: Verdict,
    #[serde(flatten)]
    stats: Stats,
}

/// How many random schedules come first, if nothing else is asked for.
const SCHEDULES: u32 = 500;

fn options(args: &ExploreArgs) -> Options {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(all, usize::from);
    Options {
        settings: Settings { delivery: args.delivery.into(), ..Settings::default() },
        engine: match args.engine {
            EngineArg::Explicit => Engine::Explicit,
            EngineArg::Symbolic => Engine::Symbolic,
            EngineArg::Auto => Engine::Auto,
        },
        order: match args.strategy {
            OrderArg::Auto | OrderArg::Bfs => Order::BreadthFirst,
            OrderArg::Dfs => Order::DepthFirst,
        },
        keeping: match args.keep {
            KeepArg::Exact => Kept::Exact,
            KeepArg::Fingerprints => Kept::Fingerprints,
        },
        reduction: args.reduction.iter().fold(Reduction::NONE, |all, one| all.and((*one).into())),
        probe: match args.strategy {
            OrderArg::Auto => SCHEDULES,
            OrderArg::Bfs | OrderArg::Dfs => 0,
        },
        budgets: Budgets {
            states: args.max_states,
            time: args.max_time,
            memory: Some(args.max_mem.saturating_mul(1 << 20)),
            ..Budgets::default()
        },
        threads,
        ..Options::default()
    }
}

fn searched(test: &Test, args: &ExploreArgs, exploring: &Exploring, selected: &Selected) -> (Judged, Stats) {
    let mut progress = Progress::start(args.progress);
    let mut show = |so_far: &lockstep_explore::Progress| {
        progress.show(so_far.states, |rate| {
            let (name, states, waiting) = (&test.program.name, grouped(so_far.states), grouped(so_far.frontier));
            let memory = so_far.memory >> 20;
            let sets = so_far.nodes.map(|nodes| format!(" as sets of {} nodes", grouped(nodes))).unwrap_or_default();
            format!("{name}: {states} states{sets}, {rate} a second, {waiting} waiting, depth {}, {memory} MB", so_far.depth)
        });
    };
    let texts = |name: &str| selected.report.sources.text(name);
    explore_test(test, &texts, exploring, &mut Observer { cancel: Progress::interrupted(), progress: &mut show })
}
