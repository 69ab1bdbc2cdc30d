//! Certificates as files.
//!
//! A file names the program it is for by a fingerprint of its text without comments and white space. That spares users a confusing
//! rejection; it proves nothing, and need not: the steps are checked against the program anyway.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::print::print;
use crate::program::Program;
use crate::rewrite::Step;

/// No certificate of a program that somebody wrote is near this.
const LARGEST_FILE: usize = 64 * 1024 * 1024;
/// Scopes in scopes. Readers of JSON give up a little later.
const DEEPEST: usize = 30;

#[derive(Serialize)]
struct Written<'a> {
    lockstep: &'static str,
    program: String,
    steps: &'a [Step],
}

#[derive(Deserialize)]
struct Read {
    program: String,
    steps: Vec<Step>,
}

/// Why a file is not a certificate of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    TooLarge,
    TooDeep,
    Malformed(String),
    OtherProgram,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the certificate is larger than {} MB", LARGEST_FILE / 1024 / 1024),
            Self::TooDeep => write!(f, "the steps of the certificate are nested more than {DEEPEST} deep"),
            Self::Malformed(why) => write!(f, "the file is not a certificate: {why}"),
            Self::OtherProgram => write!(f, "the certificate is for another program, or the program was changed; make a new one"),
        }
    }
}

impl std::error::Error for FileError {}

pub fn to_json(program: &Program, steps: &[Step]) -> Result<String, FileError> {
    if is_too_deep(steps) {
        return Err(FileError::TooDeep);
    }
    let written = Written { lockstep: env!("CARGO_PKG_VERSION"), program: fingerprint(program), steps };
    serde_json::to_string(&written).map_err(|error| FileError::Malformed(error.to_string()))
}

pub fn from_json(program: &Program, text: &str) -> Result<Vec<Step>, FileError> {
    if text.len() > LARGEST_FILE {
        return Err(FileError::TooLarge);
    }
    // The reader stops at a depth of its own, before the stack is used up.
    let read: Read = serde_json::from_str(text).map_err(|error| match error.to_string() {
        why if why.contains("recursion limit") => FileError::TooDeep,
        _ => FileError::Malformed(in_words(&error)),
    })?;
    if read.program != fingerprint(program) {
        return Err(FileError::OtherProgram);
    }
    if is_too_deep(&read.steps) {
        return Err(FileError::TooDeep);
    }
    Ok(read.steps)
}

/// What is wrong with a file that cannot be read, and where.
pub(crate) fn in_words(error: &serde_json::Error) -> String {
    let (why, at) = (error.to_string(), format!("line {}, column {}", error.line(), error.column()));
    let named = |what: &str| Some(why.strip_prefix(what)?.split_once('`')?.0.to_owned());
    if error.is_eof() {
        "the file is cut off".to_owned()
    } else if error.is_syntax() {
        format!("{at} is not JSON")
    } else if let Some(step) = named("unknown variant `") {
        format!("there is no step called `{step}` ({at})")
    } else if let Some(field) = named("missing field `") {
        format!("the field `{field}` is missing ({at})")
    } else {
        format!("the value is not one of those that a certificate has there ({at})")
    }
}

fn is_too_deep(steps: &[Step]) -> bool {
    let mut open = vec![(steps, 1)];
    while let Some((steps, depth)) = open.pop() {
        if depth > DEEPEST {
            return true;
        }
        for step in steps {
            match step {
                Step::Branch { ways, .. } => open.extend(ways.iter().map(|way| (&**way, depth + 1))),
                Step::Loop { steps, .. }
                | Step::Parallel { steps, .. }
                | Step::Pick { steps, .. }
                | Step::Repeat { steps, .. }
                | Step::While { steps, .. } => open.push((steps, depth + 1)),
                _ => {}
            }
        }
    }
    false
}

/// FNV-1a: the same on all machines and in all versions.
fn fingerprint(program: &Program) -> String {
    let hash = print(program)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
