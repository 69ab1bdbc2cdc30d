//! A part of a text taken apart: its tokens, the gaps between them with the rules that hold there, and the groups they form.
//!
//! The sheet is made in one walk over the tree and knows no widths. Invariant: a gap is white space of the source and nothing else, so
//! whatever becomes of the gaps, the tokens stay what they are.

use std::ops::Range;

use crate::rules::{Break, Rule};

#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) tokens: Vec<Token>,
    /// The gap before each token.
    pub(crate) gaps: Vec<Gap>,
    /// In the order in which they open.
    pub(crate) groups: Vec<Group>,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) range: Range<usize>,
    pub(crate) comment: Option<Comment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comment {
    Line,
    Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) space: bool,
    pub(crate) breaks: Break,
    pub(crate) levels: u8,
    pub(crate) aligns: bool,
    /// The line ends here whatever the widths are.
    pub(crate) is_forced: bool,
    /// An empty line of the source stays.
    pub(crate) keeps_blank: bool,
    /// How many lines end here in the source.
    pub(crate) newlines: u32,
    /// How many spaces stay before a comment at the end of a line.
    pub(crate) comment_spaces: Option<u32>,
    /// The list that stays on this line if it needs several, even if the author has ended the line here.
    pub(crate) hugged: Option<u32>,
    /// The last token of what follows the gap.
    pub(crate) until: u32,
}

impl Gap {
    pub(crate) fn new(newlines: u32) -> Self {
        Self {
            space: false,
            breaks: Break::Never,
            levels: 0,
            aligns: false,
            is_forced: false,
            keeps_blank: false,
            newlines,
            comment_spaces: None,
            hugged: None,
            until: 0,
        }
    }

    pub(crate) fn set(&mut self, rule: &Rule) {
        self.space = rule.space;
        self.breaks = rule.breaks;
        self.levels = rule.levels;
        self.aligns = rule.aligns;
    }

    /// Ends the line whatever the widths are.
    pub(crate) fn force(&mut self, levels: u8) {
        self.is_forced = true;
        self.keeps_blank = true;
        self.levels = levels;
    }

    /// Whether the line can end here because of its width.
    pub(crate) fn can_break(&self) -> bool {
        self.is_forced || !matches!(self.breaks, Break::Never | Break::Author)
    }
}

/// Tokens that are on one line if they fit.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The first and the last token.
    pub(crate) open: u32,
    pub(crate) close: u32,
    /// From where its levels count.
    pub(crate) base: Base,
    /// The gap before the first token belongs to it.
    pub(crate) has_gap: bool,
    /// It needs several lines if the group around it does: a branch beside one that needs them.
    pub(crate) joins: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// The indentation of the line it begins on.
    Line,
    /// That of the group around it.
    Outer,
}
