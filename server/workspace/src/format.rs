//! How the files of a folder are to be laid out: the section `[format]` of the nearest `lockstep.toml`.

use std::io::ErrorKind;
use std::path::Path;

use lockstep_format::Options;

use crate::source::{ReadFile, name, why_unreadable};

/// The name of the file that says how Lockstep is to deal with a project.
pub const CONFIG: &str = "lockstep.toml";

/// What the `lockstep.toml` in the file's folder says, or the nearest one above; nothing if there is none. The error is for people.
pub fn format_options(file: &Path, read: ReadFile<'_>) -> Result<Options, String> {
    // Of a path without folders, the current one and those above it are asked.
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    for folder in file.ancestors().skip(1) {
        let path = folder.join(CONFIG);
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(error) => return Err(why_unreadable(&name(&path), &error)),
        };
        let text = String::from_utf8(bytes).map_err(|_| format!("`{}` is not UTF-8", name(&path)))?;
        return Options::from_toml(&text).map_err(|error| format!("`{}` cannot be read: {error}", name(&path)));
    }
    Ok(Options::default())
}
