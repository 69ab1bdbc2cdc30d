//! From paths to P projects and IceT files: which files belong together, each read and parsed once, kept in the database.
//!
//! Three steps, each plain data for the next:
//!
//! 1. [`Layout::of`] looks at the disk: the files and projects that some paths lead to, and what is wrong in project files. It reads
//!    project files only, through a closure, so that an editor can answer for what it has open.
//! 2. [`Workspace::update`] reads and parses the files of a layout and brings a database in line with it. Only inputs that changed
//!    are set, so that everything derived from the others stays.
//! 3. [`Workspace::findings`] checks in parallel and puts together what several projects say about one file.
//!
//! A command does this once. A server calls `update` again when files come, go or change on disk, and [`Workspace::set_parse`] for
//! what is typed in between.
//!
//! What the user's files say never makes any of this fail: it becomes a finding in the right file, or a [`Failure`] where a file
//! cannot be had at all.

mod adopt;
mod declared;
mod findings;
mod format;
pub mod guard;
mod icet;
mod layout;
pub mod manifest;
mod separate;
mod source;
#[cfg(test)]
mod tests;
mod workspace;

pub use adopt::{Adoption, adoptions};
pub use findings::FileFindings;
pub use format::{CONFIG, format_options};
pub use icet::{CheckedIcet, IcetFile, checked_icet};
pub use layout::{Failure, FileLayout, Layout, MemberLayout, Origin, ProjectLayout, file_key};
pub use source::{Checked, ReadFile, STDIN, Source, is_stdin, language_of, name, read_all, read_disk, why_unreadable};
pub use workspace::{LoadedFile, Program, Workspace};

/// A file that is not UTF-8.
pub const NOT_UTF8: &str = "LS0007";
/// A project file that cannot be read or is not XML.
pub const PROJECT_FILE: &str = "LS0010";
/// A path in a project file that leads nowhere.
pub const PROJECT_PATH: &str = "LS0011";
/// An element that P passes over: not known, or not known where it stands.
pub const PROJECT_ELEMENT: &str = "LS0012";
/// A project without P files.
pub const PROJECT_EMPTY: &str = "LS0013";
/// Files of a folder that are taken as separate programs, because they declare the same name.
pub const SEPARATE_PROGRAMS: &str = "LS0014";
/// A project without a name, or with one that P refuses.
pub const PROJECT_NAME: &str = "LS0015";
/// A target that P does not know, or targets that do not go together.
pub const PROJECT_TARGET: &str = "LS0016";
/// An included project that P looks for elsewhere, or passes over.
pub const PROJECT_INCLUDE: &str = "LS0017";

/// The codes of all findings of this crate.
pub const CODES: [&str; 9] = [
    NOT_UTF8,
    PROJECT_FILE,
    PROJECT_PATH,
    PROJECT_ELEMENT,
    PROJECT_EMPTY,
    SEPARATE_PROGRAMS,
    PROJECT_NAME,
    PROJECT_TARGET,
    PROJECT_INCLUDE,
];
