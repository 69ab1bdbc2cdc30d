//! What the first lines of a faulty program say about it.
//!
//! Lines of the form `// key: value`, in front of the program:
//!
//! | key | value |
//! |---|---|
//! | `fault` | what was done to the program, for people |
//! | `expect` | what the search finds: `deadlock`, `orphan`, `race`, `failure`, `none-at-small-sizes`, or `ok` |
//! | `at` | a line of the program that must be marked, without the space around it; repeated for several |
//! | `size` | the smallest instance that shows it, as `Set=2, Constant=1`; `none` if there is nothing to choose |
//! | `ints` | optional: the integers that are tried for open constants and `havoc`, as `0..2` with both ends |

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    Deadlock,
    Orphan,
    /// A receive can take from processes with different code, and nothing worse happens.
    Race,
    Failure,
    /// The instance of the header shows it, but sets of at most three members do not.
    NoneAtSmallSizes,
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) expect: Expect,
    pub(crate) marked: BTreeSet<String>,
    pub(crate) size: Vec<(String, u32)>,
    pub(crate) ints: Option<RangeInclusive<i128>>,
}

impl Header {
    /// Panics if the header is not as it should be: it is part of the test.
    pub(crate) fn of(text: &str) -> Self {
        let header = text.lines().map_while(|line| line.strip_prefix("// "));
        let entries: Vec<(&str, &str)> = header.filter_map(|line| line.split_once(": ")).collect();
        let all = |key: &str| entries.iter().filter(|(found, _)| *found == key).map(|(_, value)| *value).collect::<Vec<_>>();
        let one = |key: &str| match all(key)[..] {
            [value] => value,
            _ => panic!("there must be one `{key}` in the header"),
        };
        let expect = match one("expect") {
            "deadlock" => Expect::Deadlock,
            "orphan" => Expect::Orphan,
            "race" => Expect::Race,
            "failure" => Expect::Failure,
            "none-at-small-sizes" => Expect::NoneAtSmallSizes,
            "ok" => Expect::Nothing,
            other => panic!("what is expected cannot be `{other}`"),
        };
        let marked: BTreeSet<String> = all("at").into_iter().map(str::to_owned).collect();
        assert_eq!(marked.is_empty(), expect == Expect::Nothing, "a fault is somewhere, and only a fault is");
        assert_eq!(all("fault").len(), usize::from(expect != Expect::Nothing), "a fault has one name");
        Self { expect, marked, size: sizes(one("size")), ints: all("ints").first().map(|ints| interval(ints)) }
    }

    /// The number in the header, for sets and integer constants.
    pub(crate) fn size_of(&self, name: &str) -> Option<u32> {
        self.size.iter().find(|(found, _)| found == name).map(|(_, size)| *size)
    }
}

fn sizes(text: &str) -> Vec<(String, u32)> {
    if text == "none" {
        return Vec::new();
    }
    let size = |part: &str| {
        let (name, number) = part.split_once('=').expect("a size is written `Name=number`");
        (name.to_owned(), number.parse().expect("a size is a number"))
    };
    text.split(", ").map(size).collect()
}

fn interval(text: &str) -> RangeInclusive<i128> {
    let (low, high) = text.split_once("..").expect("integers are written `low..high`");
    low.parse().expect("an integer")..=high.parse().expect("an integer")
}
