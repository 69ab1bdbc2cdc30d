//! Lines and columns, in the units that were agreed on.

use serde_json::json;

use crate::lsp::{Finding, LspClient, Position, Range};
use crate::lsp_text::{Units, position, range_of};
use crate::{Sandbox, at, codes, hover_text};

const ALL: [Units; 3] = [Units::Utf8, Units::Utf16, Units::Utf32];

/// Characters of one to four bytes before what is looked at, and every kind of line break.
const ODD: &str = "/* 😀 */ event eFirst; // e\u{301}\r\n/* ä😀😀 */ event eSecond;\r/* \u{2028} */ event eThird;\n/* e\u{301}\u{301}𝒳 */ fun f() { print \"😀\"; raise eNone; }\n";

fn session(sandbox: &Sandbox, units: Units) -> LspClient {
    let mut hello = sandbox.hello();
    hello["capabilities"]["general"] = json!({ "positionEncodings": [units.name()] });
    let mut client = sandbox.start();
    let result = client.initialize(hello);
    assert_eq!(result["capabilities"]["positionEncoding"], units.name());
    client
}

#[test]
fn the_best_encoding_is_agreed_on() {
    let sandbox = Sandbox::new("");
    let agreed = |offered: &[&str]| {
        let mut hello = sandbox.hello();
        hello["capabilities"]["general"] = json!({ "positionEncodings": offered });
        sandbox.start().initialize(hello)["capabilities"]["positionEncoding"].clone()
    };
    assert_eq!(agreed(&["utf-8", "utf-16", "utf-32"]), "utf-8");
    assert_eq!(agreed(&["utf-16", "utf-32"]), "utf-16");
    assert_eq!(agreed(&["utf-32"]), "utf-32");
    assert_eq!(agreed(&["utf-7"]), "utf-16");
    assert_eq!(agreed(&[]), "utf-16");
}

#[test]
fn places_go_both_ways() {
    let sandbox = Sandbox::new("");
    for units in ALL {
        let mut client = session(&sandbox, units);
        let uri = "untitled:odd.p";
        client.open(uri, "p", 1, ODD);
        for name in ["eFirst", "eSecond", "eThird"] {
            let range = range_of(ODD, name, units);
            let hover = client.ask("textDocument/hover", at(uri, range.start));
            assert!(hover_text(&hover).contains(&format!("event {name}")), "{units:?}: {hover}");
            assert_eq!(Range::of(&hover["range"]), range, "{units:?} {name}");
        }
        let found = client.wait_for_version(uri, 1);
        assert_eq!((codes(&found), found[0].range), (vec!["LS0110"], range_of(ODD, "eNone", units)), "{units:?}");
        let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        let ranges: Vec<Range> = symbols.as_array().unwrap().iter().map(|symbol| Range::of(&symbol["selectionRange"])).collect();
        let wanted = ["eFirst", "eSecond", "eThird", "f()"].map(|name| range_of(ODD, name, units).start);
        assert_eq!(ranges.iter().map(|range| range.start).collect::<Vec<_>>(), wanted, "{units:?}");
    }
}

#[test]
fn edits_meet_the_right_characters() {
    let sandbox = Sandbox::new("");
    for units in ALL {
        let mut client = session(&sandbox, units);
        let uri = "untitled:odd.p";
        client.open(uri, "p", 1, ODD);
        // Several changes in one message: each sees what the ones before it left.
        let first = range_of(ODD, "😀 */ event eFirst", units);
        let after_smiley = Range::new(position(ODD, ODD.find("😀").unwrap() + 4, units), first.end);
        let once = ODD.replace(" */ event eFirst", "😀 */ event eOne");
        let third = range_of(&once, "\r/* \u{2028} */ event eThird", units);
        let twice = once.replace("\r/* \u{2028} */ event eThird", "\r\n event eNone");
        client.change(uri, 2, &[(Some(after_smiley), "😀 */ event eOne"), (Some(third), "\r\n event eNone")]);
        let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["eOne", "eSecond", "eNone", "f"], "{units:?}");
        let declared = position(&twice, twice.find("eNone").unwrap(), units);
        assert_eq!(Range::of(&symbols[2]["selectionRange"]).start, declared, "{units:?}");
        client.wait_for_findings(uri, <[Finding]>::is_empty);
    }
}

/// What a carriage return means can change with the character behind it.
#[test]
fn line_breaks_made_and_broken_by_edits() {
    let sandbox = Sandbox::new("");
    let mut client = session(&sandbox, Units::Utf16);
    let uri = "untitled:breaks.p";
    client.open(uri, "p", 1, "event a;\revent b;\revent c;");
    let at_line = |line| Range::new(Position::new(line, 0), Position::new(line, 0));
    client.change(uri, 2, &[(Some(at_line(1)), "\n")]);
    client.change(uri, 3, &[(Some(at_line(2)), "\n\nevent d;\r\n")]);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let found: Vec<(&str, u32)> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| (symbol["name"].as_str().unwrap(), Range::of(&symbol["selectionRange"]).start.line))
        .collect();
    assert_eq!(found, [("a", 0), ("b", 1), ("d", 3), ("c", 4)]);
}

/// On disk a byte order mark is no part of the text; a client that hands one over counts it.
#[test]
fn byte_order_marks() {
    let sandbox = Sandbox::new("");
    let text = "event e; fun f() { raise eNone; }\n";
    sandbox.write("Marked.p", format!("\u{feff}{text}"));
    for units in ALL {
        let mut client = session(&sandbox, units);
        let uri = sandbox.uri("Marked.p");
        let wanted = range_of(text, "eNone", units);
        let found = client.wait_for_findings(&uri, |found| !found.is_empty());
        assert_eq!((codes(&found), found[0].range), (vec!["LS0110"], wanted), "{units:?}, on disk");
        client.open(&uri, "p", 1, text);
        client.change(&uri, 2, &[(Some(range_of(text, "eNone", units)), "eSome")]);
        let found = client.wait_for_findings(&uri, |found| found.iter().any(|finding| finding.message.contains("eSome")));
        assert_eq!((codes(&found), found[0].range), (vec!["LS0110"], wanted), "{units:?}, open without the mark");
        client.close(&uri);
        client.wait_for_findings(&uri, |found| found.iter().any(|finding| finding.message.contains("eNone")));
        let marked = format!("\u{feff}{text}");
        client.open(&uri, "p", 1, &marked);
        let wanted = range_of(&marked, "eNone", units);
        let found = client.wait_for_findings(&uri, |found| found.iter().any(|finding| finding.range == wanted));
        assert_eq!(codes(&found), ["LS0110"], "{units:?}, open with the mark: {found:?}");
        client.change(&uri, 2, &[(Some(wanted), "eSome")]);
        let found = client.wait_for_findings(&uri, |found| found.iter().any(|finding| finding.message.contains("eSome")));
        assert_eq!((codes(&found), found[0].range), (vec!["LS0110"], wanted), "{units:?}, edited with the mark");
    }
}
