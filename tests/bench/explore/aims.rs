//! What we aim at, and which searches get there.

use crate::table::Searched;

/// Thousand states per CPU second.
const RATE: f64 = 500.0;
/// How many times as long PEx may at least take.
const RATIO: f64 = 50.0;
/// Bytes per state.
const BYTES: f64 = 64.0;
/// The rate and the bytes of smaller searches are about something else: machines that are run for the first time, and tables.
const LEAST_STATES: u64 = 10_000;

/// Prints for each search which aims it meets.
pub(crate) fn judge(searched: &[Searched]) {
    println!("\nAims: {RATE} thousand states per CPU second, 1/{RATIO} of the CPU time of PEx, {BYTES} bytes per state");
    println!("(rates and bytes of searches with at least {LEAST_STATES} states; ! is not met, - not asked)\n");
    println!("{:<50} {:<9} {:>9} {:>9} {:>10} {:>9} {:>9}", "test", "search", "k/s ", "k steps/s", "PEx ratio ", "B ", "fp B ");
    let mut tallies = ["rate", "PEx ratio", "bytes", "bytes with fingerprints"].map(|name| Tally { name, met: 0, all: 0 });
    for row in searched {
        let exact = Some(row.measured.exact).filter(|figures| figures.states >= LEAST_STATES);
        let fingerprints = row.measured.fingerprints.filter(|figures| figures.states >= LEAST_STATES);
        let [rate, ratio, bytes, compact] = &mut tallies;
        let rate = rate.count(exact.map(|figures| figures.rate() / 1e3), |rate| rate >= RATE);
        let ratio = ratio.count(row.ratio(), |ratio| ratio >= RATIO);
        let bytes = bytes.count(exact.map(|figures| figures.bytes_per_state()), |bytes| bytes <= BYTES);
        let compact = compact.count(fingerprints.map(|figures| figures.bytes_per_state()), |bytes| bytes <= BYTES);
        if exact.is_some() || row.ratio().is_some() {
            let steps = row.measured.exact.step_rate() / 1e3;
            println!("{:<50} {:<9} {rate:>9} {steps:>9.1} {ratio:>10} {bytes:>9} {compact:>9}", row.test, row.way.name);
        }
    }
    println!();
    for Tally { name, met, all } in &tallies {
        println!("{name}: met by {met} of {all}");
    }
}

struct Tally {
    name: &'static str,
    met: u32,
    all: u32,
}

impl Tally {
    /// The value in the table, with a mark if it is not as it should be.
    fn count(&mut self, value: Option<f64>, is_met: impl Fn(f64) -> bool) -> String {
        let Some(value) = value else { return "- ".to_owned() };
        self.all += 1;
        self.met += u32::from(is_met(value));
        format!("{value:.1}{}", if is_met(value) { ' ' } else { '!' })
    }
}
