//! A long session: thousands of edits of several documents, with questions and cancels between them. In the end the server says
//! what a fresh one says about the same texts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::lsp::{CONTENT_MODIFIED, Finding, LspClient, Position, REQUEST_CANCELLED, Range};
use crate::lsp_text::{Units, position};
use crate::random::Random;
use crate::{Sandbox, at, programs};

const EDITS: usize = 10_000;

/// After so many edits of a document it is typed anew: otherwise there would be nothing but wreckage.
const ANEW: usize = 60;

const PIECES: [&str; 24] = [
    "x",
    " ",
    "\n",
    "\r\n",
    "\r",
    ";",
    "{",
    "}",
    "(",
    ")",
    ",",
    "😀",
    "e\u{301}",
    "\"",
    "//",
    "/*",
    "*/",
    "event eNew;\n",
    "\nmachine Extra { start state S { } }\n",
    "goto Done;",
    "roundsLeft",
    "eLeaseGranted",
    "var more: int;",
    "set Others;\n",
];

struct Document {
    uri: String,
    language: &'static str,
    original: String,
    text: String,
    version: i64,
    is_open: bool,
    edits: usize,
}

impl Document {
    fn new(uri: String, language: &'static str, original: String) -> Self {
        Self { uri, language, text: original.clone(), original, version: 0, is_open: false, edits: 0 }
    }

    fn open(&mut self, client: &mut LspClient) {
        self.version += 1;
        client.open(&self.uri, self.language, self.version, &self.text);
        self.is_open = true;
    }

    /// Some bytes of the text.
    fn some_range(&self, random: &mut Random) -> std::ops::Range<usize> {
        let mut boundary = |most: usize| {
            let mut at = random.below(most + 1);
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(self.text.len());
        let end = start + boundary((self.text.len() - start).min(40));
        let end = (start..=end).rev().find(|end| self.text.is_char_boundary(*end)).unwrap_or(start);
        start..end
    }

    /// A position that is an offset of the text: not between the halves of a line break.
    fn position(&self, offset: usize) -> Position {
        position(&self.text, offset, Units::Utf16)
    }

    fn is_inside_break(&self, offset: usize) -> bool {
        self.text[..offset].ends_with('\r') && self.text[offset..].starts_with('\n')
    }

    fn edit(&mut self, client: &mut LspClient, random: &mut Random) {
        self.version += 1;
        self.edits += 1;
        if self.edits.is_multiple_of(ANEW) {
            self.text = self.original.clone();
            return client.change(&self.uri, self.version, &[(None, &self.text)]);
        }
        let mut changes = Vec::new();
        for _ in 0..=random.below(3) {
            let mut range = self.some_range(random);
            if self.is_inside_break(range.start) || self.is_inside_break(range.end) {
                continue;
            }
            let insert = match random.below(4) {
                0 => String::new(),
                1 => self.text[self.some_range(random)].to_owned(),
                _ => PIECES[random.below(PIECES.len())].to_owned(),
            };
            if !insert.is_empty() && random.below(2) == 0 {
                range.end = range.start;
            }
            let place = Range::new(self.position(range.start), self.position(range.end));
            self.text.replace_range(range, &insert);
            changes.push((Some(place), insert));
        }
        let changes: Vec<(Option<Range>, &str)> = changes.iter().map(|(range, text)| (*range, text.as_str())).collect();
        client.change(&self.uri, self.version, &changes);
    }

    /// A question about the document as it is now.
    fn ask(&self, client: &mut LspClient, random: &mut Random) -> i64 {
        let place = self.position(self.some_range(random).start);
        let document = json!({ "uri": self.uri });
        let everywhere = Range::new(Position::new(0, 0), Position::new(u32::MAX, 0));
        let (method, params) = match random.below(14) {
            0 => ("textDocument/hover", at(&self.uri, place)),
            1 => ("textDocument/completion", at(&self.uri, place)),
            2 => ("textDocument/definition", at(&self.uri, place)),
            3 => ("textDocument/documentHighlight", at(&self.uri, place)),
            4 => ("textDocument/signatureHelp", at(&self.uri, place)),
            5 => ("textDocument/documentSymbol", json!({ "textDocument": document })),
            6 => ("textDocument/semanticTokens/full", json!({ "textDocument": document })),
            7 => ("textDocument/foldingRange", json!({ "textDocument": document })),
            8 => ("textDocument/codeLens", json!({ "textDocument": document })),
            9 => ("textDocument/diagnostic", json!({ "textDocument": document })),
            10 => ("textDocument/selectionRange", json!({ "textDocument": document, "positions": [place.json()] })),
            11 => ("workspace/symbol", json!({ "query": "e" })),
            12 => {
                let context = json!({ "diagnostics": [] });
                ("textDocument/codeAction", json!({ "textDocument": document, "range": everywhere.json(), "context": context }))
            }
            _ => {
                let mut params = at(&self.uri, place);
                params["context"] = json!({ "includeDeclaration": true });
                ("textDocument/references", params)
            }
        };
        client.send(method, params)
    }
}

fn documents(sandbox: &Sandbox) -> Vec<Document> {
    let icet = std::fs::read_to_string(programs().join("icet/ping_sym.icet")).unwrap();
    sandbox.write("ping.icet", &icet);
    let mut documents: Vec<Document> = ["PSrc/Client.p", "PSrc/Protocol.p", "PTst/Tests.p", "PSpec/Safety.p"]
        .map(|name| Document::new(sandbox.uri(name), "p", sandbox.read(name)))
        .into();
    documents.push(Document::new(sandbox.uri("ping.icet"), "icet", icet));
    documents.push(Document::new(sandbox.uri("lease.pproj"), "xml", sandbox.read("lease.pproj")));
    documents.push(Document::new("untitled:Untitled-1".to_owned(), "p", sandbox.read("PSrc/Timer.p")));
    documents
}

/// Everything the server says about the documents when it has come to rest.
fn last_word(client: &mut LspClient, documents: &[Document]) -> (BTreeMap<String, Vec<Finding>>, Vec<Value>) {
    // When this document's findings are told, everything before it has been seen; the next status is about all of it.
    client.open("untitled:last.p", "p", 1, "fun last() { raise eLast; }\n");
    client.wait_for_version("untitled:last.p", 1);
    client.wait_until_checked();
    let published = client.published.iter().filter(|(_, published)| !published.findings.is_empty());
    let published = published.map(|(uri, published)| (uri.clone(), published.findings.clone())).collect();
    let mut looks = Vec::new();
    for Document { uri, .. } in documents {
        for method in ["documentSymbol", "semanticTokens/full", "foldingRange", "diagnostic"] {
            looks.push(client.ask(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri } })));
        }
    }
    (published, looks)
}

#[test]
fn a_long_session_ends_like_a_fresh_one() {
    let sandbox = Sandbox::lease();
    let mut random = Random::new(2_026);
    let mut documents = documents(&sandbox);
    let mut client = sandbox.session();
    let mut asked = Vec::new();
    for edit in 0..EDITS {
        let nth = random.below(documents.len());
        let document = &mut documents[nth];
        match (document.is_open, random.below(100)) {
            (false, _) => document.open(&mut client),
            (true, 0) => {
                client.close(&document.uri);
                document.is_open = false;
                document.text = document.original.clone();
                continue;
            }
            (true, _) => {}
        }
        document.edit(&mut client, &mut random);
        if random.below(3) == 0 {
            let id = documents[random.below(documents.len())].ask(&mut client, &mut random);
            asked.push(id);
            if random.below(4) == 0 {
                client.cancel(id);
            }
        }
        // An editor that never listens would only measure how much can be piled up.
        if edit % 50 == 49 {
            for id in asked.drain(..) {
                if let Err(failure) = client.answer(id) {
                    assert!([CONTENT_MODIFIED, REQUEST_CANCELLED].contains(&failure.code), "{failure:?}");
                }
            }
        }
    }
    let worn = last_word(&mut client, &documents);
    assert_eq!(client.shown, [""; 0], "no mistake of ours");
    assert_eq!(client.shut_down().code(), Some(0));

    let mut fresh = sandbox.session();
    for document in documents.iter_mut().filter(|document| document.is_open) {
        document.open(&mut fresh);
    }
    let fresh = last_word(&mut fresh, &documents);
    assert!(!worn.0.is_empty(), "there is something to compare");
    assert_eq!(worn.0, fresh.0);
    assert_eq!(worn.1, fresh.1);
}
