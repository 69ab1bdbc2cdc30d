//! Files that cannot be one program, because two of them declare the same name.

use std::collections::BTreeMap;

use lockstep_base::TextRange;
use lockstep_program::Space;
use lockstep_syntax::Parse;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::declared::declared;

/// A name of one file that another one declares too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    pub(crate) name: SmolStr,
    pub(crate) range: TextRange,
    pub(crate) other: usize,
    pub(crate) other_range: TextRange,
}

/// The first clash in each file that has one.
pub(crate) fn clashes<'a>(files: impl Iterator<Item = (usize, &'a Parse)>) -> BTreeMap<usize, Clash> {
    let mut first: FxHashMap<(Space, SmolStr), (usize, TextRange)> = FxHashMap::default();
    let mut clashes: BTreeMap<usize, Clash> = BTreeMap::new();
    let mut add = |file: usize, clash: Clash| {
        let known = clashes.entry(file).or_insert_with(|| clash.clone());
        if clash.range.start() < known.range.start() {
            *known = clash;
        }
    };
    for (file, parse) in files {
        for declared in declared(parse) {
            let (name, range) = (declared.name, declared.range);
            let (other, other_range) = *first.entry((declared.space, name.clone())).or_insert((file, range));
            if other != file {
                add(other, Clash { name: name.clone(), range: other_range, other: file, other_range: range });
                add(file, Clash { name, range, other, other_range });
            }
        }
    }
    clashes
}
