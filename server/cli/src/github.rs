//! Findings as workflow commands of GitHub Actions, one line each.

use std::io::{self, Write};

use lockstep_base::{Encoding, Severity};

use crate::output::Output;
use crate::report::Report;

pub(crate) fn write(output: &mut Output, report: &Report) -> io::Result<()> {
    for (source, diagnostic) in report.diagnostics() {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let start = source.text.position(diagnostic.range.start(), Encoding::Utf32);
        let end = source.text.position(diagnostic.range.end(), Encoding::Utf32);
        let file = property(&source.name);
        write!(output, "::{command} file={file},line={},col={},endLine={}", start.line + 1, start.column + 1, end.line + 1)?;
        // GitHub takes the last column, and only within one line.
        if start.line == end.line {
            write!(output, ",endColumn={}", end.column.max(start.column + 1))?;
        }
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        writeln!(output, ",title={}::{}", diagnostic.code, data(&format!("{}{help}", diagnostic.message)))?;
    }
    for failure in &report.failures {
        writeln!(output, "::error file={}::{}", property(&failure.path), data(&failure.message))?;
    }
    for open in &report.open {
        writeln!(output, "::warning::{}", data(open))?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        assert_eq!(data("50%: a,\r\nb"), "50%25: a,%0D%0Ab");
        assert_eq!(property("C:/a,b%.p"), "C%3A/a%2Cb%25.p");
    }
}
