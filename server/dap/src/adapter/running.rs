//! A session with what the client knows of it: numbers for actors, functions and values, places in its own way of counting.

use lockstep_base::{Encoding, Position};
use lockstep_runtime::{FileId, Place, ReplayEnd};
use lockstep_trace::{Located, tell};
use serde_json::Value;

use crate::protocol;
use crate::recording::Actor;
use crate::session::{Cursor, Session};
use crate::variables::Opens;
use crate::{Loaded, Source};

/// The first line and column as the client counts: 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) first_line: i64,
    pub(super) first_column: i64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { first_line: 1, first_column: 1 }
    }
}

pub(super) struct Running {
    pub(super) session: Session,
    pub(super) sources: Vec<Source>,
    pub(super) numbers: Numbers,
    pub(super) stop_on_entry: bool,
    test: String,
    /// To be sent after the answer.
    pub(super) events: Vec<Value>,
    /// What the client has been told of since the last stop. Numbers are never used again, so an old one is noticed.
    frames: Handles<(Actor, Option<usize>)>,
    opened: Handles<Opens>,
    pub(super) targets: Vec<Cursor>,
    /// Breakpoints by file, and the number of the next one of any kind.
    next_breakpoint: u64,
    pub(super) by_file: Vec<(FileId, Vec<u64>)>,
}

/// Things by number, from 1.
struct Handles<T> {
    first: i64,
    things: Vec<T>,
}

impl<T> Handles<T> {
    fn new() -> Self {
        Self { first: 1, things: Vec::new() }
    }

    fn add(&mut self, thing: T) -> i64 {
        self.things.push(thing);
        self.first + i64::try_from(self.things.len()).unwrap_or(i64::MAX) - 1
    }

    fn get(&self, number: i64) -> Option<&T> {
        usize::try_from(number.checked_sub(self.first)?).ok().and_then(|index| self.things.get(index))
    }

    fn clear(&mut self) {
        self.first += i64::try_from(self.things.len()).unwrap_or_default();
        self.things.clear();
    }
}

impl Running {
    pub(super) fn new(loaded: Loaded, numbers: Numbers, stop_on_entry: bool) -> Result<Self, String> {
        let Loaded { file, program, sources } = loaded;
        let (story, end) = tell(&program, &file.settings, &file.trace, file.repeats_from, &|place| located(&sources, place));
        let ReplayEnd::Failed(failure) = end else {
            return Err("the trace is damaged: its program does not do what it says".to_owned());
        };
        let session = Session::new(program, file.settings, file.trace, story, Some(*failure));
        Ok(Self {
            session,
            sources,
            numbers,
            stop_on_entry,
            test: file.test,
            events: Vec::new(),
            frames: Handles::new(),
            opened: Handles::new(),
            targets: Vec::new(),
            next_breakpoint: 1,
            by_file: Vec::new(),
        })
    }

    /// What is told at the beginning.
    pub(super) fn greeting(&self) -> String {
        let bug = self.session.bug().map(|bug| format!("; it ends in {}: {}", bug.code, bug.message)).unwrap_or_default();
        format!("{}: a run of {} steps{bug}\n", self.test, self.session.story().moments.len())
    }

    /// Forgets what was seen at the last stop.
    pub(super) fn forget(&mut self) {
        self.frames.clear();
        self.opened.clear();
    }

    pub(super) fn breakpoint_id(&mut self) -> u64 {
        self.next_breakpoint += 1;
        self.next_breakpoint - 1
    }

    /// The number of an actor.
    pub(super) fn thread(&self, actor: &Actor) -> usize {
        self.session.actors().iter().position(|known| known == actor).map_or(0, |position| position + 1)
    }

    pub(super) fn actor(&self, thread: i64) -> Result<Actor, String> {
        let position = usize::try_from(thread).ok().and_then(|thread| thread.checked_sub(1));
        let actor = position.and_then(|position| self.session.actors().get(position));
        actor.cloned().ok_or_else(|| format!("there is no machine with the number {thread}"))
    }

    pub(super) fn add_frame(&mut self, actor: &Actor, depth: Option<usize>) -> i64 {
        self.frames.add((actor.clone(), depth))
    }

    pub(super) fn frame(&self, frame: i64) -> Result<(Actor, Option<usize>), String> {
        self.frames.get(frame).cloned().ok_or_else(|| "this function was seen at an earlier stop".to_owned())
    }

    /// The number behind which something can be opened; 0 if there is nothing.
    pub(super) fn open(&mut self, opens: Opens) -> i64 {
        if opens == Opens::Nothing { 0 } else { self.opened.add(opens) }
    }

    pub(super) fn opened(&self, number: i64) -> Result<&Opens, String> {
        self.opened.get(number).ok_or_else(|| "this value was seen at an earlier stop".to_owned())
    }

    /// A line of the client, from 0.
    pub(super) fn line(&self, line: i64) -> u32 {
        u32::try_from(line.saturating_sub(self.numbers.first_line)).unwrap_or_default()
    }

    /// The line at which a place begins, from 0.
    pub(super) fn line_of(&self, place: Place) -> u32 {
        self.sources.get(place.file.index()).map_or(0, |source| source.text.line_of(place.range.start()))
    }

    pub(super) fn shown_line(&self, line: u32) -> i64 {
        i64::from(line) + self.numbers.first_line
    }

    /// A place as the client counts: line, column, last line, last column.
    pub(super) fn shown_place(&self, place: Place) -> Option<(protocol::Source, [i64; 4])> {
        let source = self.sources.get(place.file.index())?;
        let at = |offset| {
            let Position { line, column } = source.text.position(offset, Encoding::Utf16);
            (self.shown_line(line), i64::from(column) + self.numbers.first_column)
        };
        let ((line, column), (last, last_column)) = (at(place.range.start()), at(place.range.end()));
        Some((shown_source(source), [line, column, last, last_column]))
    }

    /// The file that a client means by a path.
    pub(super) fn file(&self, source: &protocol::Source) -> Result<FileId, String> {
        let path = source.path.as_deref().unwrap_or_default();
        let is_it = |(_, known): &(FileId, &Source)| is_same_path(&known.path, path);
        let found = (0..).map(FileId).zip(&self.sources).find(is_it);
        found.map(|(file, _)| file).ok_or_else(|| "this file is no part of the program".to_owned())
    }
}

/// Paths of Windows come with either slash, and with drives in either case.
fn is_same_path(known: &str, given: &str) -> bool {
    let plain = |path: &str| path.replace('\\', "/");
    known == given || (known.contains('\\') && plain(known).eq_ignore_ascii_case(&plain(given)))
}

pub(super) fn shown_source(source: &Source) -> protocol::Source {
    let name = source.path.rsplit(['/', '\\']).next().unwrap_or_default();
    protocol::Source { name: Some(name.to_owned()), path: Some(source.path.clone()) }
}

/// A place as stories have it.
fn located(sources: &[Source], place: Place) -> Option<Located> {
    let Source { path, text } = sources.get(place.file.index())?;
    Some(Located::new(path, text, place.range))
}
