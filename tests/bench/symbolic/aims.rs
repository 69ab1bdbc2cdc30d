//! What we aim at, and which rows get there.

use crate::Searched;

/// How many times as long PSYM should take as `auto`, and as sets of states alone.
pub(crate) const AUTO: f64 = 50.0;
pub(crate) const SETS: f64 = 10.0;
/// Bytes that no row should go beyond.
const BYTES: u64 = 2 << 30;

/// Prints which rows meet the aims, and names the others.
pub(crate) fn judge(searched: &[Searched]) {
    println!("\nAims: PSYM takes {AUTO} times as long as `auto` and {SETS} times as long as sets of states alone; at most 2 GB");
    println!("(given up: not done in the time or memory that a row gets here)");
    for (engine, name, least) in [(2, "auto", AUTO), (1, "sets", SETS)] {
        let asked: Vec<&Searched> = searched.iter().filter(|row| row.psym().is_some()).collect();
        let short: Vec<String> = asked.iter().filter_map(|row| shortfall(row, engine, least)).collect();
        println!("{name}: met by {} of {}; short: {}", asked.len() - short.len(), asked.len(), listed(&short));
    }
    let heavy = |row: &&Searched| row.engines.iter().flatten().any(|measured| measured.bytes > BYTES);
    let heavy: Vec<String> = searched.iter().filter(heavy).map(|row| row.published.name.to_owned()).collect();
    println!("more than 2 GB: {}", listed(&heavy));
    let (ahead, behind): (Vec<&Searched>, Vec<&Searched>) = searched.iter().partition(|row| is_ahead(row));
    let names = |rows: &[&Searched]| -> Vec<String> { rows.iter().map(|row| compared(row)).collect() };
    println!("sets of states are ahead of single states: {}", listed(&names(&ahead)));
    println!("and behind them, or neither ends: {}", listed(&names(&behind)));
}

fn shortfall(row: &Searched, engine: usize, least: f64) -> Option<String> {
    match row.ratio(engine) {
        Some(ratio) if ratio >= least => None,
        Some(ratio) => Some(format!("{} ({ratio:.0})", row.published.name)),
        None => Some(format!("{} (given up)", row.published.name)),
    }
}

fn is_ahead(row: &Searched) -> bool {
    let [explicit, sets, _] = row.engines;
    let Some(sets) = sets.filter(|sets| sets.is_complete) else { return false };
    explicit.filter(|explicit| explicit.is_complete).is_none_or(|explicit| sets.seconds < explicit.seconds)
}

/// How many times as long single states take as sets of them.
fn compared(row: &Searched) -> String {
    let [explicit, sets, _] = row.engines.map(|measured| measured.filter(|measured| measured.is_complete));
    match (explicit, sets) {
        (Some(explicit), Some(sets)) => format!("{} ({:.2})", row.published.name, explicit.seconds / sets.seconds),
        _ => row.published.name.to_owned(),
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
