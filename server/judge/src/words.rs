//! Numbers for people.

use std::time::Duration;

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 step`, `1,234 steps`.
pub fn number(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// `1 second`, `0.5 seconds`.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{} second{}", time.as_secs_f64(), if time == Duration::from_secs(1) { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([number(1, "step"), number(2_000, "step")], ["1 step", "2,000 steps"]);
    }
}
