//! `lockstep cache`: what the language server has kept.

use std::io::Write;

use anyhow::Context;
use lockstep_worker::{Cache, Contents};
use lockstep_workspace::name;

use crate::Outcome;
use crate::args::{CacheArgs, CacheCommand};
use crate::human::count;
use crate::output::{Terminal, write_all};

pub(crate) fn run(args: &CacheArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let cache = Cache::of_user();
    let (verb, contents) = match args.what {
        CacheCommand::Show => ("", cache.show()),
        CacheCommand::Clear => ("removed ", cache.clear().context("not everything could be removed")?),
    };
    let told = match contents {
        None => "nothing is kept: there is no folder for it".to_owned(),
        Some(Contents { folder, results, traces, bytes }) => {
            let what = format!("{}, {}, {} KB", count(results, "result"), count(traces, "trace"), bytes.div_ceil(1024));
            format!("{verb}{what} in {}", name(&folder))
        }
    };
    write_all(terminal.stdout(), |output| writeln!(output, "{told}"))?;
    Ok(Outcome::Clean)
}
