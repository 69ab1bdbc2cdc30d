//! The rows of the main table.

use std::fmt;

use lockstep_tests::{Report, Row};

use crate::measure::{Figures, Measured, Way};
use crate::pex::Pex;

/// A test that was searched in one way.
pub(crate) struct Searched {
    pub(crate) test: String,
    pub(crate) way: &'static Way,
    pub(crate) measured: Measured,
    pub(crate) pex: Option<&'static Pex>,
}

/// `k/s` are thousand states per CPU second, `steps` thousand steps per CPU second, and `B` bytes per state, also with fingerprints (`fp`); `2 thr` is how many times as fast two
/// threads are; a + stands for `and more`. The last columns are the CPU seconds of PEx on its own model, its states, and how many times
/// as long as ours it takes.
pub(crate) const HEADING: &str = "\
test                                               search        states    CPU ms   k/s steps     B 2 thr |  fp ms   k/s     B | PEx s  states  ratio";

impl Searched {
    /// How many times as long PEx takes, if both find all there is.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let pex = self.pex?;
        self.measured.exact.is_complete.then(|| pex.seconds / self.measured.exact.seconds)
    }

    /// Notes the figures for the JSON.
    pub(crate) fn keep(&self, report: &mut Report) {
        let fingerprints = self.measured.fingerprints.map(|figures| (", fingerprints", figures));
        for (how, figures) in [("", self.measured.exact)].into_iter().chain(fingerprints) {
            let what = format!("{}, {}{how}", self.test, self.way.name);
            let end = if figures.is_complete { "states" } else { "states, not all" };
            report.keep(Row::new(what.clone(), end, figures.states as f64));
            report.keep(Row::new(what.clone(), "CPU milliseconds", figures.seconds * 1e3));
            report.keep(Row::new(what.clone(), "thousand states per CPU second", figures.rate() / 1e3));
            report.keep(Row::new(what.clone(), "thousand steps per CPU second", figures.step_rate() / 1e3));
            report.keep(Row::new(what, "bytes per state", figures.bytes_per_state()));
        }
        if let Some(speed_up) = self.measured.speed_up {
            report.keep(Row::new(format!("{}, {}", self.test, self.way.name), "times as fast with two threads", speed_up));
        }
        if let Some(ratio) = self.ratio() {
            report.keep(Row::new(format!("{}, {}", self.test, self.way.name), "times as fast as PEx", ratio));
        }
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { states, is_complete, seconds, .. } = self.measured.exact;
        let more = if is_complete { ' ' } else { '+' };
        write!(f, "{:<50} {:<9} {states:>10}{more} {:>8.1}", self.test, self.way.name, seconds * 1e3)?;
        let exact = &self.measured.exact;
        write!(f, " {:>5.0} {:>5.0} {:>5.0}", exact.rate() / 1e3, exact.step_rate() / 1e3, exact.bytes_per_state())?;
        match self.measured.speed_up {
            Some(speed_up) => write!(f, " {speed_up:>5.2}")?,
            None => write!(f, "      ")?,
        }
        match &self.measured.fingerprints {
            Some(figures) => {
                let (milliseconds, rate) = (figures.seconds * 1e3, figures.rate() / 1e3);
                write!(f, " | {milliseconds:>6.0} {rate:>5.0} {:>5.0}", figures.bytes_per_state())?;
            }
            None => write!(f, " | {:>6} {:>5} {:>5}", "-", "-", "-")?,
        }
        if let Some(pex) = self.pex {
            let ratio = self.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.0}"));
            write!(f, " | {:>5.1} {:>7} {ratio:>6}", pex.seconds, pex.states)?;
        }
        Ok(())
    }
}
