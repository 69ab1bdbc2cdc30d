//! The syntax tree in print: an indented outline for people, a flat list in JSON for programs.
//!
//! Trees may be as deep as their text is long. Nothing here recurses, and the indentation stops growing at some depth, or the
//! outline of a deep tree would be quadratic in its text.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use lockstep_base::{Encoding, TextSize};
use lockstep_syntax::{OutlineNode, Parse, outline};
use lockstep_workspace::Source;
use serde::Serialize;

use crate::json::{self, Places};
use crate::output::Output;
use crate::report::Sources;

/// Deeper nodes name their depth instead of standing further right.
const MOST_INDENT: usize = 32;
const INDENT: [u8; 2 * MOST_INDENT] = [b' '; 2 * MOST_INDENT];

pub(crate) fn write_outline(output: &mut Output, parse: &Parse) -> io::Result<()> {
    let field_style = output.style(AnsiColor::Blue.on_default());
    let token_style = output.style(AnsiColor::Green.on_default());
    let range_style = output.style(Style::new().dimmed());
    for node in outline(parse) {
        output.write_all(&INDENT[..2 * node.depth.min(MOST_INDENT)])?;
        if node.depth > MOST_INDENT {
            write!(output, "{range_style}(depth {}){range_style:#} ", node.depth)?;
        }
        if let Some(field) = node.field {
            write!(output, "{field_style}{field}{field_style:#}: ")?;
        }
        write_kind(output, &node)?;
        let text = parse.text().slice(node.range);
        if node.is_leaf && !text.is_empty() && *text != *node.kind {
            write!(output, " {token_style}{text:?}{token_style:#}")?;
        }
        let (start, end) = (place(parse, node.range.start()), place(parse, node.range.end()));
        writeln!(output, " {range_style}{start}-{end}{range_style:#}")?;
    }
    Ok(())
}

fn write_kind(output: &mut Output, node: &OutlineNode<'_>) -> io::Result<()> {
    let error_style = output.style(AnsiColor::BrightRed.on_default().bold());
    let token_style = output.style(AnsiColor::Green.on_default());
    if node.is_missing {
        write!(output, "{error_style}MISSING{error_style:#} ")?;
    }
    match node {
        OutlineNode { is_error: true, .. } => write!(output, "{error_style}ERROR{error_style:#}"),
        OutlineNode { is_named: true, kind, .. } => write!(output, "{kind}"),
        OutlineNode { kind, .. } => write!(output, "{token_style}{kind:?}{token_style:#}"),
    }
}

fn place(parse: &Parse, at: TextSize) -> String {
    let position = parse.text().position(at, Encoding::Utf32);
    format!("{}:{}", position.line + 1, position.column + 1)
}

#[derive(Serialize)]
struct Node<'n> {
    depth: usize,
    parent: Option<usize>,
    field: Option<&'n str>,
    kind: &'n str,
    named: bool,
    error: bool,
    missing: bool,
    text: Option<&'n str>,
    range: json::Range,
}

pub(crate) fn write_json(output: &mut Output, source: &Source, parse: &Parse) -> io::Result<()> {
    let places = Places::new(source);
    let (version, path) = (json::VERSION, serde_json::to_string(&source.name)?);
    let language = parse.language().name();
    write!(output, r#"{{"version":{version},"path":{path},"language":"{language}","nodes":["#)?;
    // The node's ancestors, itself last.
    let mut path: Vec<usize> = Vec::new();
    for (index, node) in outline(parse).into_iter().enumerate() {
        path.truncate(node.depth);
        let text = parse.text().slice(node.range);
        let node = Node {
            depth: node.depth,
            parent: path.last().copied(),
            field: node.field,
            kind: node.kind,
            named: node.is_named,
            error: node.is_error,
            missing: node.is_missing,
            text: node.is_leaf.then_some(&*text),
            range: places.range(node.range),
        };
        path.push(index);
        output.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *output, &node)?;
    }
    output.write_all(b"\n],\"diagnostics\":[")?;
    for (index, diagnostic) in parse.errors().iter().enumerate() {
        output.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *output, &json::finding(source, &Sources::default(), diagnostic))?;
    }
    output.write_all(b"\n]}\n")
}
