//! Short notes above declarations.

use lockstep_base::TextRange;
use lockstep_base::verdict::{Phase, Record, Verdict};
use lockstep_program::{Db, Decl, DeclKind, Def, ProjectFile, Role, Target, decls, project_errors, test_count};

use super::declared::declared_at;
use super::mentions::{Mention, mentions_of_all};
use super::names::FilePlace;
use super::verdicts::{Outcomes, records, test_item};
use crate::verdicts::summary;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name it stands above.
    pub range: TextRange,
    pub title: String,
    /// Where it leads; nowhere if there are none.
    pub places: Vec<FilePlace>,
    /// What it does with which test, if it does something.
    pub action: Option<(TestAction, String)>,
}

/// What can be done with a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestAction {
    Run,
    Explore,
    Cancel,
    ShowTrace,
    DebugTrace,
}

impl TestAction {
    fn title(self) -> &'static str {
        match self {
            Self::Run => "Run",
            Self::Explore => "Explore",
            Self::Cancel => "Cancel",
            Self::ShowTrace => "Show trace",
            Self::DebugTrace => "Debug trace",
        }
    }
}

/// Who creates machines, who sends and handles events, how many cases tests have, what is known about them and what can be done.
pub fn lenses<'db>(db: &'db dyn Db, file: ProjectFile<'db>, outcomes: Outcomes<'_>) -> Vec<Lens> {
    let named = decls(db, file).iter().copied().filter(|decl| !decl.name(db).is_empty());
    let (tests, others): (Vec<Decl<'db>>, Vec<Decl<'db>>) = named.partition(|decl| decl.kind(db) == DeclKind::Test);
    let records = if tests.is_empty() { Vec::new() } else { records(db, file, outcomes) };
    let mut lenses: Vec<Lens> = tests.into_iter().flat_map(|decl| test_lenses(db, file, decl, &records)).collect();
    let counted: Vec<Decl<'db>> = others.into_iter().filter(|decl| !roles(decl.kind(db)).is_empty()).collect();
    let targets: Vec<Target<'db>> = counted.iter().map(|decl| whole(*decl)).collect();
    for (decl, mentions) in counted.iter().zip(mentions_of_all(db, &targets)) {
        let Some(place) = declared_at(db, &whole(*decl)) else { continue };
        let of = |(what, roles): &(&str, &[Role])| mention_lens(place.range, what, roles, &mentions);
        lenses.extend(roles(decl.kind(db)).iter().map(of));
    }
    lenses.sort_by_key(|lens| lens.range.start());
    lenses
}

fn whole(decl: Decl<'_>) -> Target<'_> {
    Target::Global(Def { decl, part: None })
}

/// What is counted of something, and which mentions count.
fn roles(kind: DeclKind) -> &'static [(&'static str, &'static [Role])] {
    match kind {
        DeclKind::Machine => &[("created", &[Role::Create, Role::Start])],
        DeclKind::Event => &[("sent", &[Role::Send, Role::Raise, Role::Announce]), ("handled", &[Role::Handle])],
        _ => &[],
    }
}

fn mention_lens(range: TextRange, what: &str, roles: &[Role], mentions: &[Mention<'_>]) -> Lens {
    let counting = mentions.iter().filter(|mention| roles.contains(&mention.role));
    let places: Vec<FilePlace> = counting.map(|mention| mention.place).collect();
    // An event that is given on as a value may be sent by whoever gets it.
    let values: Vec<FilePlace> = match what {
        "sent" => mentions.iter().filter(|mention| mention.role == Role::Read).map(|mention| mention.place).collect(),
        _ => Vec::new(),
    };
    if !values.is_empty() {
        let times = |count: usize| if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
        let sent = if places.is_empty() { String::new() } else { format!("sent in {}, ", times(places.len())) };
        let title = format!("{sent}given on as a value in {}", times(values.len()));
        return Lens { range, title, places: places.into_iter().chain(values).collect(), action: None };
    }
    let title = match places.len() {
        0 => format!("never {what}"),
        1 => format!("{what} in 1 place"),
        count => format!("{what} in {count} places"),
    };
    Lens { range, title, places, action: None }
}

/// The tests of an included project are not run here.
fn test_lenses<'db>(db: &'db dyn Db, file: ProjectFile<'db>, decl: Decl<'db>, records: &[Record]) -> Vec<Lens> {
    let Some(place) = declared_at(db, &whole(decl)).filter(|_| !file.is_included(db)) else { return Vec::new() };
    let range = place.range;
    let count = test_count(db, decl).map(cases);
    let records: Vec<&Record> = records.iter().filter(|record| record.name_range == range).collect();
    let known = summary(records.iter().copied());
    let title = count.into_iter().chain(known).collect::<Vec<_>>().join(" \u{b7} ");
    let mut lenses = vec![Lens { range, title, places: Vec::new(), action: None }];
    let item = match records.as_slice() {
        [] => return lenses,
        [one] => one.item.clone(),
        // All cases together.
        _ => test_item(db, file, decl.name(db)),
    };
    let mut offer = |action: TestAction, item: &str| {
        let (title, action) = (action.title().to_owned(), Some((action, item.to_owned())));
        lenses.push(Lens { range, title, places: Vec::new(), action });
    };
    if records.iter().any(|record| record.outcome.phase != Phase::Idle) {
        offer(TestAction::Cancel, &item);
    } else if project_errors(db, file.project(db)) == 0 {
        offer(TestAction::Run, &item);
        offer(TestAction::Explore, &item);
    }
    if let Some(refuted) = records.iter().find(|record| record.outcome.verdict == Verdict::Refuted) {
        offer(TestAction::ShowTrace, &refuted.item);
        offer(TestAction::DebugTrace, &refuted.item);
    }
    lenses
}

/// A number of test cases in words.
pub(super) fn cases(count: usize) -> String {
    match count {
        0 => "no test cases".to_owned(),
        1 => "1 test case".to_owned(),
        count => format!("{count} test cases"),
    }
}
