//! Lists of tests: where P's suite says which tests come of a program with parameters, the list is the same in the same order.
//!
//! P's runner only asks that each expected name is printed. The files list what P prints in its order, so the whole list is compared.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep_tests::test_names;

const EXPECTED: &str = "ExpectedParametricTests.txt";

/// Compares the tests of a folder's program with those its list expects: whether they agree, and the first difference in words.
/// `None` if there is no such list.
pub(crate) fn compare(folder: &Path, files: &[PathBuf]) -> Option<Result<usize, String>> {
    let expected = fs::read_to_string(folder.join(EXPECTED)).ok()?;
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let text = |path: &PathBuf| (path.to_string_lossy().into_owned(), fs::read_to_string(path).unwrap_or_default());
    let found = test_names(files.iter().map(text));
    let differs = (0..expected.len().max(found.len())).find(|&at| expected.get(at).copied() != found.get(at).map(String::as_str));
    Some(match differs {
        None => Ok(found.len()),
        Some(at) => {
            let shown = |name: Option<&str>| name.unwrap_or("nothing").to_owned();
            let (mine, theirs) = (shown(found.get(at).map(String::as_str)), shown(expected.get(at).copied()));
            Err(format!("test {}: P lists {theirs}, Lockstep {mine}", at + 1))
        }
    })
}
