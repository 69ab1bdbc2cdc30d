//! Messages on the wire: a header with the length, then JSON.
//!
//! Reading never gives up before the stream ends: what is no message is passed over, up to the next header.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// The longest line of a header, and the largest message, that are believed.
const MOST_LINE: u64 = 8 << 10;
const MOST_BODY: usize = 64 << 20;

/// What is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    Message(Value),
    /// Something that should be a message and is none, and why.
    Broken(String),
}

/// The next message; `None` at the end of the stream.
pub(crate) fn read(input: &mut dyn BufRead) -> io::Result<Option<Incoming>> {
    let mut length = None;
    loop {
        let Some(line) = read_line(input)? else { return Ok(None) };
        let line = String::from_utf8_lossy(&line).trim().to_ascii_lowercase();
        match (line.as_str(), &length) {
            ("", Some(Ok(length))) => return read_body(input, *length),
            ("", Some(Err(why))) => return Ok(Some(Incoming::Broken(String::clone(why)))),
            _ => {}
        }
        if let Some((_, number)) = line.split_once("content-length:") {
            length = Some(match number.trim().parse::<usize>() {
                Ok(number) if number <= MOST_BODY => Ok(number),
                Ok(number) => Err(format!("a message of {number} bytes is too large")),
                Err(_) => Err(format!("`{}` is no length of a message", number.trim())),
            });
        }
    }
}

/// A line of bounded length; what is longer comes in pieces.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = Read::take(&mut *input, MOST_LINE).read_until(b'\n', &mut line)?;
    Ok((read > 0).then_some(line))
}

fn read_body(input: &mut dyn BufRead, length: usize) -> io::Result<Option<Incoming>> {
    let mut body = Vec::new();
    Read::take(&mut *input, length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(why) => Incoming::Broken(format!("a message is not JSON: {why}")),
    }))
}

pub(crate) fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Incoming, read, write};

    fn all(text: &[u8]) -> Vec<Incoming> {
        let mut input = text;
        std::iter::from_fn(|| read(&mut input).expect("reading from memory does not fail")).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut wire = Vec::new();
        let messages = [json!({ "seq": 1 }), json!("grüße"), json!([])];
        messages.iter().for_each(|message| write(&mut wire, message).expect("memory takes everything"));
        assert_eq!(all(&wire), messages.map(Incoming::Message));
    }

    #[test]
    fn garbage_is_passed_over() {
        let text = b"\xff\xfe garbage\r\n\r\nContent-Type: x\r\ncontent-length:  2 \r\n\r\n{}nonsenseContent-Length: 2\n\n[]";
        assert_eq!(all(text), [Incoming::Message(json!({})), Incoming::Message(json!([]))]);
    }

    #[test]
    fn broken_messages_are_told_and_the_next_is_read() {
        let text = b"Content-Length: 3\r\n\r\n{,}Content-Length: many\r\n\r\nContent-Length: 99999999999\r\n\r\nContent-Length: 1\r\n\r\n1";
        let found = all(text);
        let told: Vec<bool> = found.iter().map(|incoming| matches!(incoming, Incoming::Broken(_))).collect();
        assert_eq!(told, [true, true, true, false]);
    }

    #[test]
    fn a_message_that_is_cut_off_is_the_end() {
        assert_eq!(all(b"Content-Length: 10\r\n\r\n{}"), []);
        assert_eq!(all(b"Content-Le"), []);
        assert_eq!(all(&[b'x'; 100_000]), []);
    }
}
