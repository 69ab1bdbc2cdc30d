//! Certificates as files: what `lockstep sequentialize --certificate` writes and `lockstep certify` reads.
//!
//! One JSON object. `format` and `version` say what the file is, before anything else is looked at; `program` is a fingerprint of the
//! program's text without comments and white space; `steps` are the rules that were applied. `tree-sitter-p/icet/README.md` documents the
//! fields. They keep their names; if one changes its meaning, `version` is raised, and readers say so instead of guessing.

use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::certify;
use crate::program::Program;
use crate::rewrite::Step;

pub const FORMAT: &str = "lockstep-certificate";
pub const VERSION: u32 = 1;

/// Why a file is not a certificate of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Not even JSON, and where not.
    NotJson(String),
    /// JSON of another kind.
    OtherFormat,
    OtherVersion(u64),
    /// Right by its head, and then not as it should be.
    Content(certify::FileError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => {
                write!(f, "the file is not a certificate: {why}; `lockstep sequentialize --certificate` writes certificates")
            }
            Self::OtherFormat => {
                write!(f, "the file is JSON, but no certificate: there is no `\"format\": \"{FORMAT}\"`; ")?;
                write!(f, "`lockstep sequentialize --certificate` writes certificates")
            }
            Self::OtherVersion(version) => {
                write!(f, "the certificate has version {version}, and this Lockstep reads version {VERSION}; make a new one")
            }
            Self::Content(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FileError {}

pub fn to_json(program: &Program, steps: &[Step]) -> Result<String, FileError> {
    let content = certify::to_json(program, steps).map_err(FileError::Content)?;
    let fields = content.strip_prefix('{').unwrap_or(&content);
    Ok(format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},{fields}"))
}

pub fn from_json(program: &Program, text: &str) -> Result<Vec<Step>, FileError> {
    check_head(text)?;
    certify::from_json(program, text).map_err(FileError::Content)
}

#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u64>,
}

fn check_head(text: &str) -> Result<(), FileError> {
    match serde_json::from_str::<Head>(text) {
        Ok(Head { format: Some(format), version: Some(version) }) if format == FORMAT => {
            if version == u64::from(VERSION) {
                Ok(())
            } else {
                Err(FileError::OtherVersion(version))
            }
        }
        Ok(_) => Err(FileError::OtherFormat),
        // What is skipped needs no stack, however deep it is.
        Err(_) => match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Err(FileError::OtherFormat),
            Err(error) => Err(FileError::NotJson(certify::in_words(&error))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::check_text;
    use crate::rewrite::sequentialize;

    const PROGRAM: &str = "message M; process a { send M to b; } process b { recv M from a; }";

    fn written() -> (Program, String) {
        let program = check_text(PROGRAM).program.unwrap();
        let steps = sequentialize(&program).steps;
        let text = to_json(&program, &steps).unwrap();
        assert_eq!(from_json(&program, &text), Ok(steps));
        (program, text)
    }

    /// What other programs rely on: names and values as the reference documents them.
    #[test]
    fn the_fields_are_those_of_the_reference() {
        let (_, text) = written();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut fields: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["format", "lockstep", "program", "steps", "version"]);
        assert_eq!((&json["format"], &json["version"]), (&"lockstep-certificate".into(), &1.into()));
        let steps = serde_json::json!([
            {"rule": "send", "who": {"one": 0}},
            {"rule": "receive", "who": {"one": 1}, "case": 0, "from": {"one": 0}},
        ]);
        assert_eq!(json["steps"], steps);
        assert!(json["program"].as_str().is_some_and(|hash| hash.len() == 16), "{text}");
    }

    #[test]
    fn wrong_files_are_told_apart() {
        let (program, text) = written();
        let why = |text: &str| from_json(&program, text).unwrap_err();
        assert!(matches!(why("message M;"), FileError::NotJson(_)));
        assert!(matches!(why(&text[..text.len() - 5]), FileError::NotJson(_)));
        assert_eq!(why("{}"), FileError::OtherFormat);
        assert_eq!(why("[1, 2]"), FileError::OtherFormat);
        assert_eq!(why("{\"version\": 1, \"format\": 3}"), FileError::OtherFormat);
        assert_eq!(why(&text.replace("\"version\":1", "\"version\":2")), FileError::OtherVersion(2));
        let other = text.replace("\"program\":\"", "\"program\":\"0");
        assert_eq!(why(&other), FileError::Content(certify::FileError::OtherProgram));
        let unknown = why(&text.replace("\"receive\"", "\"teleport\""));
        assert!(matches!(&unknown, FileError::Content(certify::FileError::Malformed(_))), "{unknown}");
        assert!(unknown.to_string().contains("there is no step called `teleport`"), "{unknown}");
        let cut = why(&text[..text.len() - 5]).to_string();
        assert!(cut.starts_with("the file is not a certificate: the file is cut off"), "{cut}");
        let missing = why(&text.replace("\"case\":0,", "")).to_string();
        assert!(missing.contains("the field `case` is missing"), "{missing}");
        let (open, close) = ("{\"rule\":\"while\",\"driver\":{\"one\":0},\"steps\":[", "]}");
        let deep = text.replace("\"steps\":[", &format!("\"steps\":[{}{},", open.repeat(10_000), close.repeat(10_000)));
        assert_eq!(why(&deep), FileError::Content(certify::FileError::TooDeep));
    }
}
