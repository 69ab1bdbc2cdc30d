//! IceT files in the database: each is a program of its own.
//!
//! Checking a file is done again after every edit, since it is quick and its findings have places. What takes long (sequentialization,
//! searches) is no query: it must not hold the database, which nobody could change meanwhile. It is done on the program apart from
//! its places, which is equal as long as only comments and white space change, and its results are kept beside the database by
//! whoever does it.

use std::sync::Arc;

use lockstep_base::Diagnostic;
use lockstep_icet::check::check_parse;
use lockstep_icet::program::Program;
use lockstep_icet::shape::{Places, split};
use lockstep_program::Db;
use lockstep_syntax::{Language, Parse};
use salsa::Setter;

/// An IceT file.
#[salsa::input(debug)]
pub struct IcetFile {
    parsed: ParsedIcet,
}

/// A parse that can be shared. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct ParsedIcet(Arc<Parse>);

impl PartialEq for ParsedIcet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ParsedIcet {}

impl IcetFile {
    pub(crate) fn open(db: &dyn Db, parse: Arc<Parse>) -> Self {
        Self::new(db, ParsedIcet(parse))
    }

    /// Gives the file another text.
    pub(crate) fn update(self, db: &mut dyn Db, parse: Arc<Parse>) {
        if !Arc::ptr_eq(&self.parsed(db).0, &parse) {
            self.set_parsed(db).to(ParsedIcet(parse));
        }
    }

    /// The file has gone: inputs cannot.
    pub(crate) fn empty(self, db: &mut dyn Db) {
        if !self.parsed(db).0.text().is_empty() {
            self.set_parsed(db).to(ParsedIcet(Arc::new(Parse::new(Language::Icet, ""))));
        }
    }
}

/// What a file says, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedIcet {
    /// Errors of syntax among them, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// There if there are no errors; its ranges are numbers into `places`.
    pub shape: Option<Arc<Program>>,
    pub places: Places,
}

#[salsa::tracked]
pub fn checked_icet(db: &dyn Db, file: IcetFile) -> CheckedIcet {
    let parse = &file.parsed(db).0;
    let checked = check_parse(parse);
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(checked.diagnostics);
    diagnostics.sort_by_key(|found| (found.range.start(), found.range.end(), found.code));
    let (shape, places) = match checked.program {
        Some(program) => {
            let (shape, places) = split(program);
            (Some(Arc::new(shape)), places)
        }
        None => (None, Places::default()),
    };
    CheckedIcet { diagnostics, shape, places }
}
