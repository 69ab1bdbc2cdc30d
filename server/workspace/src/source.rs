//! A file as text, with everything that can be odd about its bytes: a byte order mark, bytes that are not UTF-8, its size.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use lockstep_base::{Diagnostic, Encoding, Text, TextRange, TextSize};
use lockstep_syntax::Language;

use crate::NOT_UTF8;

/// What standard input is called in findings.
pub const STDIN: &str = "<stdin>";

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How the content of a file is had. An editor answers for the files it has open and leaves the others to `read_disk`.
pub type ReadFile<'r> = &'r (dyn Fn(&Path) -> io::Result<Vec<u8>> + Sync);

/// A source text. Ranges are ranges of `text`, which has no byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// As the user is told of it: the path with forward slashes.
    pub name: String,
    pub text: Text,
    /// The length of the byte order mark that precedes `text` in the file.
    pub bom: u32,
    /// Why `text` is not what the file holds: each byte that is not UTF-8 is a `?` in it.
    pub not_utf8: Option<Diagnostic>,
}

/// A text with what is wrong in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub source: Source,
    pub diagnostics: Vec<Diagnostic>,
}

/// The content of a file on disk, if that is less than 4 GiB.
pub fn read_disk(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    read_all(file, size)
}

/// All that `reader` has, if that is less than 4 GiB. `size` is a promise the reader need not keep.
pub fn read_all(reader: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let most = Text::MAX_LEN as u64;
    let mut bytes = Vec::new();
    if size <= most {
        reader.take(most + 1).read_to_end(&mut bytes)?;
    }
    if size > most || bytes.len() as u64 > most {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Why the file called `name` could not be read, for people.
pub fn why_unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("there is no file `{name}`"),
        ErrorKind::FileTooLarge => format!("`{name}` is too large: Lockstep reads files of less than 4 GiB"),
        _ => format!("cannot read `{name}`: {error}"),
    }
}

impl Source {
    /// A text in XML, which may be UTF-16 if it begins with a byte order mark. Offsets are then those of the same text in UTF-8.
    pub(crate) fn from_xml(bytes: Vec<u8>, name: String) -> Self {
        let unit = match bytes.as_slice() {
            [0xff, 0xfe, ..] => u16::from_le_bytes,
            [0xfe, 0xff, ..] => u16::from_be_bytes,
            _ => return Self::from_bytes(bytes, name),
        };
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        match String::from_utf16(&units) {
            Ok(text) if bytes.len().is_multiple_of(2) => Self { name, text: text.as_str().into(), bom: 0, not_utf8: None },
            _ => Self::from_bytes(bytes, name),
        }
    }

    pub fn from_bytes(mut bytes: Vec<u8>, name: String) -> Self {
        let mut bom = 0;
        if bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
            bom = 3;
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self { name, text: text.as_str().into(), bom, not_utf8: None },
            Err(error) => {
                let not_utf8 = Some(not_utf8(&error, bom));
                Self { name, text: substituted(error.as_bytes()).as_str().into(), bom, not_utf8 }
            }
        }
    }
}

/// The path as it is shown: with forward slashes on every system, without needless `./`.
pub fn name(path: &Path) -> String {
    let shown = path.to_string_lossy();
    let shown = if cfg!(windows) && !shown.starts_with(r"\\") { shown.replace('\\', "/") } else { shown.into_owned() };
    match shown.strip_prefix("./") {
        Some(rest) if !rest.is_empty() => rest.trim_start_matches('/').to_owned(),
        _ => shown,
    }
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// By the file name's ending, in capitals or not.
pub fn language_of(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_ascii_lowercase();
    Language::of_path(&path.with_extension(ending))
}

fn not_utf8(error: &std::string::FromUtf8Error, bom: u32) -> Diagnostic {
    let bytes = error.as_bytes();
    let start = error.utf8_error().valid_up_to();
    let length = error.utf8_error().error_len().unwrap_or(bytes.len() - start);
    let range = TextRange::at(size(start), size(length));
    let valid = Text::from(std::str::from_utf8(&bytes[..start]).unwrap_or_default());
    let line = valid.position(valid.len(), Encoding::Utf8).line + 1;
    let offset = start + bom as usize;
    let message = format!("this file is not UTF-8: byte 0x{:02X} at offset {offset}, line {line}", bytes[start]);
    let help = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file looks like UTF-16: save it as UTF-8",
        _ => "save the file as UTF-8",
    };
    Diagnostic::error(NOT_UTF8, range, message).with_help(help)
}

/// Every byte keeps its offset.
fn substituted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

fn size(bytes: usize) -> TextSize {
    TextSize::try_from(bytes).expect("sources are smaller than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let source = Source::from_bytes(b"\xef\xbb\xbfevent e;".to_vec(), "a.p".to_owned());
        assert_eq!((source.text.to_string().as_str(), source.bom), ("event e;", 3));
    }

    #[test]
    fn bytes_that_are_not_utf8_keep_their_place() {
        let source = Source::from_bytes(b"\xef\xbb\xbfa\n// \xc3\xa9 \xe9\xff\nb".to_vec(), "a.p".to_owned());
        assert_eq!(source.text.to_string(), "a\n// é ??\nb");
        let diagnostic = source.not_utf8.unwrap();
        assert_eq!(diagnostic.message, "this file is not UTF-8: byte 0xE9 at offset 11, line 2");
        assert_eq!(diagnostic.range, TextRange::at(8.into(), 1.into()));
    }

    #[test]
    fn a_character_cut_off_at_the_end_is_not_utf8() {
        let source = Source::from_bytes(b"x\xe2\x82".to_vec(), "a.p".to_owned());
        assert_eq!(source.not_utf8.unwrap().range, TextRange::at(1.into(), 2.into()));
    }

    #[test]
    fn utf16_is_named() {
        let source = Source::from_bytes(b"\xff\xfee\0v\0".to_vec(), "a.p".to_owned());
        assert_eq!(source.not_utf8.unwrap().help.unwrap(), "the file looks like UTF-16: save it as UTF-8");
    }

    #[test]
    fn xml_may_be_utf16() {
        let text = "<P>é𝄞</P>";
        let little: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for bytes in [little.clone(), big] {
            let source = Source::from_xml(bytes, "a.pproj".to_owned());
            assert_eq!((source.text.to_string().as_str(), source.not_utf8), (text, None));
        }
        let cut = Source::from_xml(little[..little.len() - 1].to_vec(), "a.pproj".to_owned());
        assert!(cut.not_utf8.is_some(), "half a character is no text");
        let lone = Source::from_xml(b"\xff\xfe\x00\xd8".to_vec(), "a.pproj".to_owned());
        assert!(lone.not_utf8.is_some());
        assert_eq!(Source::from_xml(b"\xef\xbb\xbf<P/>".to_vec(), "a.pproj".to_owned()).text.to_string(), "<P/>");
    }

    #[test]
    fn a_file_of_4_gib_is_refused_unread() {
        let error = read_all(std::io::empty(), 1 << 32).unwrap_err();
        assert_eq!(why_unreadable("a.p", &error), "`a.p` is too large: Lockstep reads files of less than 4 GiB");
    }
}
