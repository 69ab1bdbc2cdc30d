//! `lockstep run` for P: random schedules of tests.

use std::time::Duration;

use anyhow::bail;
use lockstep_judge::{Judged, MINIMIZING, Sample, Test, grouped, sample_test};
use lockstep_runtime::{Sampling, Settings};

use super::args::RunArgs;
use super::progress::Progress;
use super::report;
use super::result::{Keeping, TestResult};
use super::select::{Selected, Selection, meant, select};
use crate::Outcome;
use crate::output::Terminal;

/// How many schedules are run, and for how long, if nobody says.
const SCHEDULES: u32 = 1_000;
const TIME: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &RunArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    refuse_icet_options(args)?;
    let (paths, wanted) = meant(&args.words, args.all)?;
    let selected = match select(&paths, &wanted)? {
        Selection::Runnable(selected) => selected,
        Selection::Errors(errors, note) => return report::write_errors(&errors, note.as_deref(), args.format, terminal),
    };
    let keeping = Keeping { out: args.trace.trace_out.as_deref(), has_several: selected.tests.len() > 1 };
    let mut results = Vec::new();
    for test in &selected.tests {
        results.push(TestResult::kept(test, sampled(test, args, &selected), &keeping));
        if Progress::is_interrupted() {
            break;
        }
    }
    let left = selected.tests.len() - results.len();
    report::write(results, selected.report, left, args.format, terminal)
}

fn sampled(test: &Test, args: &RunArgs, selected: &Selected) -> Judged {
    let options = &args.sampling;
    let settings = Settings { delivery: options.delivery.into(), most_hot_steps: options.max_hot_steps, ..Settings::default() };
    let schedules = options.schedules.unwrap_or(SCHEDULES);
    let (seed, most_steps) = (args.seed.unwrap_or(1), options.max_steps);
    let sample = Sample {
        settings,
        sampling: Sampling { seed, schedules, most_steps, strategy: options.strategy.into() },
        // Who says how many schedules are wanted waits for them.
        time: options.max_time.or(options.schedules.is_none().then_some(TIME)),
        minimizing: if args.trace.no_minimize { 0 } else { MINIMIZING },
        paths: selected.paths.clone(),
    };
    let mut progress = Progress::start(args.progress);
    let texts = |name: &str| selected.report.sources.text(name);
    sample_test(test, &texts, &sample, &mut |so_far| {
        progress.show(so_far.steps, |rate| {
            let done = grouped(so_far.schedules.into());
            format!("{}: {done} of {} schedules, {rate} steps a second", test.program.name, grouped(schedules.into()))
        });
        !Progress::is_interrupted()
    })
}

fn refuse_icet_options(args: &RunArgs) -> anyhow::Result<()> {
    if !args.icet.size.is_empty() || !args.icet.constants.is_empty() || args.icet.language.is_some() {
        bail!("--size, --const and --language are for IceT programs (.icet), and this is P");
    }
    Ok(())
}
