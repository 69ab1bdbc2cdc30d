//! What follows from the syntax tree alone: folding and growing selections.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::{OutlineNode, Parse, outline};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Code,
    Comment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub range: TextRange,
    pub kind: FoldKind,
}

/// Everything in braces that takes more than one line, and comments that do; comments at the margin that follow each other count as one.
pub fn folds(parse: &Parse) -> Vec<Fold> {
    let text = parse.text();
    let nodes = outline(parse);
    let mut folds = Vec::new();
    let mut open: Vec<(usize, TextSize)> = Vec::new();
    let mut comments: Option<TextRange> = None;
    let flush = |comments: &mut Option<TextRange>, folds: &mut Vec<Fold>| {
        if let Some(range) = comments.take()
            && text.line_of(range.start()) < text.line_of(range.end())
        {
            folds.push(Fold { range, kind: FoldKind::Comment });
        }
    };
    for node in nodes.iter().filter(|node| node.is_leaf && !node.is_missing) {
        if node.kind == "comment" {
            let follows = |known: &TextRange| text.line_of(known.end()) + 1 == text.line_of(node.range.start());
            match comments.filter(follows) {
                Some(known) => comments = Some(known.cover(node.range)),
                None => {
                    flush(&mut comments, &mut folds);
                    comments = Some(node.range);
                }
            }
            continue;
        }
        flush(&mut comments, &mut folds);
        match node.kind {
            "{" => open.push((node.depth, node.range.start())),
            "}" => {
                // A brace that is closed elsewhere belongs to broken text.
                while let Some((depth, start)) = open.pop() {
                    if depth == node.depth {
                        let range = TextRange::new(start, node.range.end());
                        if text.line_of(start) < text.line_of(range.end()) {
                            folds.push(Fold { range, kind: FoldKind::Code });
                        }
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    flush(&mut comments, &mut folds);
    folds.sort_by_key(|fold| (fold.range.start(), fold.range.end()));
    folds
}

/// What a selection at `offset` grows through: from the innermost node to the whole text, each larger than the one before. Between two
/// tokens it is the word, and of two words or none the later one.
pub fn selection_ranges(parse: &Parse, offset: TextSize) -> Vec<TextRange> {
    let nodes = outline(parse);
    let touches = |node: &&OutlineNode<'_>| node.range.contains_inclusive(offset) && !node.range.is_empty();
    let is_word = |node: &OutlineNode<'_>| node.is_named || node.kind.starts_with(|first: char| first.is_ascii_alphabetic());
    let tokens = nodes.iter().filter(touches).filter(|node| node.is_leaf);
    let token = tokens.max_by_key(|node| (is_word(node), node.range.start())).map(|node| node.range);
    let around = |node: &&OutlineNode<'_>| token.is_none_or(|token| node.range.contains_range(token));
    let mut ranges: Vec<TextRange> = nodes.iter().filter(touches).filter(around).map(|node| node.range).collect();
    ranges.push(TextRange::up_to(parse.text().len()));
    ranges.sort_by_key(|range| (range.len(), range.start()));
    let mut grown: Vec<TextRange> = Vec::new();
    for range in ranges {
        if grown.last().is_none_or(|last| range.contains_range(*last) && range != *last) {
            grown.push(range);
        }
    }
    grown
}
