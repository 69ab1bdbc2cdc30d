//! The table a benchmark prints, and the JSON it leaves.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Row {
    what: String,
    unit: &'static str,
    value: f64,
}

impl Row {
    pub fn new(what: impl Into<String>, unit: &'static str, value: f64) -> Self {
        Self { what: what.into(), unit, value }
    }
}

/// Prints rows as they come and writes them all to the file named by `--json`, if given.
pub struct Report {
    name: &'static str,
    rows: Vec<Row>,
    json: Option<PathBuf>,
}

impl Report {
    pub fn new(name: &'static str) -> Self {
        let mut arguments = std::env::args().skip(1);
        let json = arguments.find(|argument| argument == "--json").and_then(|_| arguments.next()).map(PathBuf::from);
        Self { name, rows: Vec::new(), json }
    }

    #[allow(clippy::print_stdout)]
    pub fn add(&mut self, row: Row) {
        println!("{:<60} {:>10.3} {}", row.what, row.value, row.unit);
        self.keep(row);
    }

    /// Leaves the printing to the caller.
    pub fn keep(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Fails if the JSON cannot be written: a benchmark whose result is lost should not look fine.
    pub fn finish(self) {
        let Some(path) = &self.json else { return };
        let rows: Vec<serde_json::Value> =
            self.rows.iter().map(|row| serde_json::json!({ "what": row.what, "unit": row.unit, "value": row.value })).collect();
        let json = serde_json::json!({ "bench": self.name, "rows": rows });
        std::fs::write(path, format!("{json:#}\n")).expect("the JSON report can be written");
    }
}
