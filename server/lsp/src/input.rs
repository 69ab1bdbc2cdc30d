//! What the client sends, cut into messages and looked over before tower-lsp sees it.
//!
//! tower-lsp's reader ends for good at the first message that it cannot make sense of, and with it the server. Here such a message
//! is replaced by a request that is answered with "this could not be read", and reading goes on at the next header.

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tower_lsp::jsonrpc::Request;

/// The method of what takes the place of a message that could not be read.
pub(crate) const UNREADABLE: &str = "lockstep/unreadable";

/// No message is longer than this; a header that says so is taken for a mistake.
const LONGEST: u64 = 1 << 32;
/// No line of a header is longer than this.
const LONGEST_LINE: u64 = 4096;

/// Hands messages on until either side ends.
pub(crate) async fn pass_on(mut from: impl AsyncBufRead + Unpin, mut to: impl AsyncWrite + Unpin) -> std::io::Result<()> {
    while let Some(message) = next(&mut from).await? {
        let body = match message {
            Message::Good(body) => body,
            Message::Bad => format!("{{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"{UNREADABLE}\"}}").into_bytes(),
        };
        to.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
        to.write_all(&body).await?;
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Message {
    Good(Vec<u8>),
    Bad,
}

/// `None` at the end of the input.
async fn next(from: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Message>> {
    let mut length = None;
    let mut has_header = false;
    loop {
        let mut line = Vec::new();
        if (&mut *from).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        match (line.is_empty(), length) {
            (true, Some(length)) => return body(from, length).await,
            (true, None) if has_header => return Ok(Some(Message::Bad)),
            (true, None) => {}
            (false, _) => length = content_length(line).or(length),
        }
        has_header |= !line.is_empty();
    }
}

async fn body(from: &mut (impl AsyncBufRead + Unpin), length: u64) -> std::io::Result<Option<Message>> {
    let mut body = Vec::new();
    let read = from.take(length).read_to_end(&mut body).await?;
    if (read as u64) < length {
        return Ok(None);
    }
    // Answers are read as requests as well here: what they have besides is passed over.
    let is_good = serde_json::from_slice::<Request>(&body).is_ok();
    Ok(Some(if is_good { Message::Good(body) } else { Message::Bad }))
}

/// Wherever the words stand in the line: there may be rubbish before them.
fn content_length(line: &[u8]) -> Option<u64> {
    const WORDS: &[u8] = b"content-length:";
    let start = line.windows(WORDS.len()).position(|words| words.eq_ignore_ascii_case(WORDS))?;
    let number = std::str::from_utf8(&line[start + WORDS.len()..]).ok()?;
    number.trim().parse().ok().filter(|length| *length <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(mut input: &[u8]) -> Vec<Message> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut found = Vec::new();
            while let Some(message) = next(&mut input).await.unwrap() {
                found.push(message);
            }
            found
        })
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn reading_goes_on_behind_rubbish() {
        let good = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let is_good = || Message::Good(good.as_bytes().to_vec());
        for bad in ["{", "[]", "7", r#"{"jsonrpc":"1.0","method":"exit"}"#, r#"{"jsonrpc":"2.0","method":7}"#] {
            let input = format!("{}{}{}", framed(good), framed(bad), framed(good));
            assert_eq!(messages(input.as_bytes()), [is_good(), Message::Bad, is_good()], "{bad}");
        }
        for bad in
            ["Content-Length: two\r\n\r\n", "Other: header\r\n\r\n", "Content-Length: 99999999999999\r\n\r\n", "???\r\n\r\n"]
        {
            let input = format!("{}{bad}{}", framed(good), framed(good));
            assert_eq!(messages(input.as_bytes()), [is_good(), Message::Bad, is_good()], "{bad}");
        }
        let deep = format!(r#"{{"jsonrpc":"2.0","method":"exit","params":{}{}}}"#, "[".repeat(1000), "]".repeat(1000));
        assert_eq!(messages(framed(&deep).as_bytes()), [Message::Bad]);
        assert_eq!(messages(b"Content-Length: 2\r\n\r\n\xff\xfe"), [Message::Bad]);
        assert_eq!(messages(format!("rubbish{}", framed(good)).as_bytes()), [is_good()]);
        assert_eq!(messages(framed(good).to_lowercase().as_bytes()), [is_good()]);
        assert_eq!(messages(b"Content-Length: 20\r\n\r\n{}"), [], "cut off");
    }
}
