//! From the tree of a part to its sheet: one walk, with a stack of the nodes around.

use std::ops::Range;

use lockstep_syntax::{Language, Part, Step};

use crate::kinds::{Kind, kinds};
use crate::options::Braces;
use crate::rules::{Break, ListStyle, Place, Rule, is_punctuation, list_style, rule};
use crate::sheet::{Base, Comment, Gap, Group, Sheet, Token};

pub(crate) fn read(part: &Part<'_>, language: Language, braces: Braces) -> Sheet {
    let kinds = kinds(language);
    let mut reader = Reader::new(part.text, braces);
    part.walk(|step| match step {
        Step::Enter(kind) => reader.enter(kinds[usize::from(kind)]),
        Step::Leaf(kind, range) => reader.leaf(kinds[usize::from(kind)], range),
        Step::Leave => reader.leave(),
    });
    reader.finish()
}

struct Reader<'t> {
    text: &'t str,
    braces: Braces,
    sheet: Sheet,
    frames: Vec<Frame>,
    /// What the next token's gap is to be.
    next: Option<Next>,
    /// The gaps of the nodes and lists that are open, which can be settled only at their end.
    own: Vec<u32>,
    open_groups: Vec<u32>,
}

struct Next {
    rule: Rule,
    /// Ends the line in any case.
    is_forced: bool,
    hugs: bool,
}

/// A node that is open.
struct Frame {
    kind: Kind,
    first: u32,
    /// The last child that is no comment.
    left: Option<Kind>,
    /// The first of the comments behind it.
    comments: Option<u32>,
    /// The bracket that is open among the tokens of the node.
    bracket: Option<Kind>,
    list: Option<List>,
    in_condition: bool,
    /// Children between the braces of a body.
    items: u32,
    /// There is a body in it, or a statement that contains others.
    has_nested: bool,
    own_mark: usize,
    group_mark: usize,
}

struct List {
    style: ListStyle,
    own_mark: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, braces: Braces) -> Self {
        let mut reader = Self {
            text,
            braces,
            sheet: Sheet::default(),
            frames: Vec::new(),
            next: None,
            own: Vec::new(),
            open_groups: Vec::new(),
        };
        reader.frames.push(reader.frame(Kind::File, false));
        reader
    }

    fn finish(mut self) -> Sheet {
        let end = self.sheet.tokens.len();
        if let Some(first) = self.frames[0].comments {
            self.place_comments(first as usize..end, &rule(&self.place(Kind::File, Kind::Node)), None);
        }
        self.sheet
    }

    fn frame(&self, kind: Kind, in_condition: bool) -> Frame {
        Frame {
            kind,
            first: self.count(),
            left: None,
            comments: None,
            bracket: None,
            list: None,
            in_condition,
            items: 0,
            has_nested: false,
            own_mark: self.own.len(),
            group_mark: self.open_groups.len(),
        }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.sheet.tokens.len()).expect("a text has fewer tokens than bytes")
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the file is open to the end")
    }

    fn enter(&mut self, kind: Kind) {
        let group_mark = self.open_groups.len();
        self.arrive(kind);
        let in_condition = self.condition_of_child();
        let own_line = self.is_statement(kind);
        let is_branch = !own_line && matches!(self.top().kind, Kind::If | Kind::Loop);
        let mut frame = self.frame(kind, in_condition);
        frame.group_mark = group_mark;
        self.frames.push(frame);
        if own_line {
            self.open_group(Base::Line);
        }
        match kind {
            Kind::Binary | Kind::Quantifier | Kind::ModuleOperation => {
                self.open_group(Base::Line);
            }
            Kind::If | Kind::Loop => self.open_group(Base::Outer).joins = is_branch,
            kind if kind.is_body() => {
                let group = self.open_group(Base::Outer);
                (group.has_gap, group.joins) = (true, is_branch);
            }
            _ => {}
        }
    }

    /// Whether a child that begins here begins a line, so that what is in it counts its levels from there.
    fn is_statement(&self, kind: Kind) -> bool {
        let parent = &self.frames[self.frames.len() - 1];
        match parent.kind {
            Kind::File | Kind::MachineBody | Kind::StateBody | Kind::Block => true,
            Kind::Braced => parent.bracket == Some(Kind::OpenBrace),
            Kind::If => matches!(parent.left, Some(Kind::Else | Kind::CloseParen)) && !kind.is_body() && kind != Kind::If,
            Kind::Loop => parent.left == Some(Kind::CloseParen) && !kind.is_body() || kind == Kind::Clause,
            Kind::Function | Kind::Machine => kind == Kind::Clause,
            _ => false,
        }
    }

    fn condition_of_child(&self) -> bool {
        let parent = &self.frames[self.frames.len() - 1];
        match parent.kind {
            Kind::If | Kind::Loop => parent.bracket == Some(Kind::OpenParen),
            Kind::Binary | Kind::Unary | Kind::Node | Kind::Quantifier => parent.in_condition,
            _ => false,
        }
    }

    fn open_group(&mut self, base: Base) -> &mut Group {
        let index = self.sheet.groups.len();
        self.open_groups.push(u32::try_from(index).expect("fewer groups than bytes"));
        self.sheet.groups.push(Group { open: self.count(), close: self.count(), base, has_gap: false, joins: false });
        &mut self.sheet.groups[index]
    }

    fn close_groups(&mut self, mark: usize) {
        let last = self.count().saturating_sub(1);
        for group in self.open_groups.drain(mark..) {
            self.sheet.groups[group as usize].close = last;
        }
    }

    fn leaf(&mut self, kind: Kind, range: Range<usize>) {
        if kind == Kind::Comment {
            self.comment(range);
            return;
        }
        self.arrive(kind);
        let index = self.count();
        let mut gap = Gap::new(self.newlines_before(range.start));
        let next = self.next.take();
        let hugs = next.as_ref().is_some_and(|next| next.hugs);
        if let Some(next) = next {
            gap.set(&next.rule);
            if next.is_forced {
                gap.force(next.rule.levels);
            }
            gap.keeps_blank |= next.rule.breaks == Break::Always;
        }
        gap.until = index;
        self.sheet.tokens.push(Token { range, comment: None });
        self.sheet.gaps.push(gap);
        self.bracket(kind, index, hugs);
    }

    fn newlines_before(&self, start: usize) -> u32 {
        let from = self.sheet.tokens.last().map_or(0, |token| token.range.end);
        count_newlines(&self.text[from..start])
    }

    fn comment(&mut self, range: Range<usize>) {
        let newlines = self.newlines_before(range.start);
        let is_line = self.text[range.clone()].starts_with("//");
        let index = self.count();
        let comment = Some(if is_line { Comment::Line } else { Comment::Block });
        // Blanks at the end of a line are nobody's comment.
        let end = if is_line { range.start + self.text[range.clone()].trim_end().len() } else { range.end };
        self.sheet.tokens.push(Token { range: range.start..end, comment });
        let mut gap = Gap::new(newlines);
        gap.until = index;
        // Only if a node begins with a comment, which the grammars do not have.
        if let Some(next) = self.next.take() {
            gap.set(&next.rule);
            if next.is_forced {
                gap.force(next.rule.levels);
            }
        }
        self.sheet.gaps.push(gap);
        self.top().comments.get_or_insert(index);
    }

    /// A child of the node on top begins: settles the gap before it and the comments in it.
    fn arrive(&mut self, right: Kind) {
        let frame = &self.frames[self.frames.len() - 1];
        let (left, comments) = (frame.left, frame.comments);
        let count = self.sheet.tokens.len();
        if frame.kind.is_body() || frame.kind == Kind::Braced {
            let is_item = frame.bracket == Some(Kind::OpenBrace) && right != Kind::CloseBrace;
            self.top().items += u32::from(is_item);
        }
        match left {
            Some(left) => {
                let place = self.place(left, right);
                self.between(&place, comments.map_or(count..count, |first| first as usize..count));
            }
            // Before the first child of the file there are only comments.
            None => {
                if let Some(first) = comments {
                    let place = self.place(right, right);
                    self.between(&place, first as usize..count);
                }
            }
        }
        let nests = matches!(right, Kind::If | Kind::Loop | Kind::Braced) || right.is_body();
        let frame = self.top();
        frame.left = Some(right);
        frame.comments = None;
        frame.has_nested |= nests;
    }

    fn place(&self, left: Kind, right: Kind) -> Place {
        let frame = &self.frames[self.frames.len() - 1];
        Place {
            parent: frame.kind,
            left,
            right,
            in_brackets: matches!(frame.bracket, Some(Kind::OpenParen | Kind::OpenBracket)),
            in_braces: frame.bracket == Some(Kind::OpenBrace),
            in_condition: frame.in_condition,
            braces: self.braces,
        }
    }

    fn between(&mut self, place: &Place, comments: Range<usize>) {
        let rule = rule(place);
        let gap = self.place_comments(comments, &rule, Some(place));
        if self.settles_later(place) {
            self.own.push(gap);
        }
    }

    /// Whether the gap can be settled only when the node or list around it is complete.
    fn settles_later(&self, place: &Place) -> bool {
        let frame = &self.frames[self.frames.len() - 1];
        let in_list = frame.list.is_some() && (is_opening(place.left) || place.left == Kind::Comma || is_closing(place.right));
        let in_body = place.parent.is_body() || place.parent == Kind::Braced && place.in_braces;
        in_list || in_body || place.parent == Kind::Binary
    }

    /// Gives the comments between two neighbours their gaps, and the next token its own. The gap that has the rule's line end is returned.
    fn place_comments(&mut self, comments: Range<usize>, rule: &Rule, place: Option<&Place>) -> u32 {
        let next_gap = self.count();
        let mut next = Next { rule: *rule, is_forced: rule.breaks == Break::Always, hugs: rule.hugs && comments.is_empty() };
        let mut carrier = next_gap;
        let Some(last) = comments.clone().last() else {
            self.next = Some(next);
            return carrier;
        };
        let behind = self.newlines_behind(last);
        let has_list = self.frames[self.frames.len() - 1].list.is_some();
        let opens_list = has_list && place.is_some_and(|place| is_opening(place.left) && !is_closing(place.right));
        for index in comments.clone() {
            let is_last_here = index == last && behind > 0 || index < last && self.sheet.gaps[index + 1].newlines > 0;
            let is_line = self.sheet.tokens[index].comment == Some(Comment::Line);
            let is_first = index == comments.start;
            let spaces = self.spaces_before(index);
            let gap = &mut self.sheet.gaps[index];
            gap.space = !(is_first && place.is_some_and(|place| matches!(place.left, Kind::OpenParen | Kind::OpenBracket)));
            if gap.newlines > 0 || index == 0 {
                gap.force(rule.comment_levels);
                gap.aligns = rule.aligns;
            } else if is_last_here || is_line {
                gap.comment_spaces = Some(spaces);
            } else if is_first && (opens_list || matches!(rule.breaks, Break::Author | Break::Needed | Break::Together)) {
                // It belongs to what follows, and goes to the next line with it.
                gap.set(rule);
                carrier = u32::try_from(index).expect("counted as u32");
            }
        }
        let own_line = self.sheet.gaps[last].newlines > 0 || last == 0;
        let follows_on = place.is_none_or(|place| !is_punctuation(place.right));
        next.rule.space |= follows_on;
        if self.sheet.tokens[last].comment == Some(Comment::Line) || (behind > 0 && (own_line || rule.breaks != Break::Never)) {
            next.is_forced = true;
        } else if own_line || carrier != next_gap {
            next.is_forced = false;
            next.rule.breaks = Break::Never;
            carrier = u32::try_from(last).expect("counted as u32");
        }
        self.next = Some(next);
        carrier
    }

    fn newlines_behind(&self, index: usize) -> u32 {
        let rest = &self.text[self.sheet.tokens[index].range.end..];
        let blank = rest.len() - rest.trim_start_matches(is_blank).len();
        count_newlines(&rest[..blank])
    }

    /// At least one.
    fn spaces_before(&self, index: usize) -> u32 {
        let from = index.checked_sub(1).map_or(0, |before| self.sheet.tokens[before].range.end);
        let gap = &self.text[from..self.sheet.tokens[index].range.start];
        let is_spaces = gap.bytes().all(|byte| byte == b' ');
        if is_spaces { u32::try_from(gap.len()).unwrap_or(1).max(1) } else { 1 }
    }

    /// A bracket among the tokens of the node on top.
    fn bracket(&mut self, kind: Kind, index: u32, hugs: bool) {
        if is_opening(kind) {
            let parent = self.frames[self.frames.len() - 1].kind;
            if let Some(style) = list_style(parent, kind) {
                let group = u32::try_from(self.sheet.groups.len()).expect("fewer groups than bytes");
                self.open_group(Base::Line).open = index;
                if hugs {
                    self.sheet.gaps[index as usize].hugged = Some(group);
                }
                let own_mark = self.own.len();
                self.top().list = Some(List { style, own_mark });
            }
            self.top().bracket = Some(kind);
        } else if is_closing(kind) {
            if let Some(list) = self.top().list.take() {
                let group = self.open_groups.pop().expect("opened with the list");
                self.sheet.groups[group as usize].close = index;
                let own: Vec<u32> = self.own.drain(list.own_mark..).collect();
                self.settle_list(list.style, &own);
            }
            self.top().bracket = None;
        }
    }

    /// Decides how a list ends its lines, now that it is known where the author has.
    fn settle_list(&mut self, style: ListStyle, own: &[u32]) {
        let [first, items @ .., last] = own else { return };
        let ends_line = |reader: &Self, gap: u32| reader.is_broken_by_author(gap);
        let after_opening = ends_line(self, *first);
        let between_items = items.iter().any(|gap| ends_line(self, *gap));
        let before_closing = ends_line(self, *last);
        if matches!(style, ListStyle::Filled | ListStyle::Text) && !after_opening {
            for gap in [*first, *last] {
                self.sheet.gaps[gap as usize].breaks = Break::Never;
            }
            if let (ListStyle::Text, Some(second)) = (style, items.first()) {
                self.sheet.gaps[*second as usize].breaks = Break::Together;
            }
            return;
        }
        let is_broken = after_opening || between_items || before_closing;
        for (gap, levels) in [(*first, 1), (*last, 0)] {
            let gap = &mut self.sheet.gaps[gap as usize];
            gap.breaks = Break::Together;
            gap.levels = levels;
            gap.is_forced |= is_broken;
        }
        let item_breaks = if is_broken && style != ListStyle::Column { Break::Needed } else { Break::Together };
        for item in items {
            let gap = &mut self.sheet.gaps[*item as usize];
            gap.breaks = item_breaks;
            gap.hugged = None;
            gap.keeps_blank = true;
        }
    }

    /// Whether the line ends at this gap in the source, or around a comment next to it.
    fn is_broken_by_author(&self, gap: u32) -> bool {
        let index = gap as usize;
        let gap = &self.sheet.gaps[index];
        let before = index.checked_sub(1).map(|before| &self.sheet.tokens[before]);
        gap.newlines > 0 || gap.is_forced || before.is_some_and(|token| token.comment == Some(Comment::Line))
    }

    fn leave(&mut self) {
        let frame = self.frames.pop().expect("entered before");
        let last = self.count().saturating_sub(1);
        let own: Vec<u32> = self.own.drain(frame.own_mark..).collect();
        match frame.kind {
            kind if kind.is_body() => self.settle_body(&frame, &own),
            Kind::Braced if frame.items == 0 => self.settle_body(&frame, &own),
            Kind::Binary => self.settle_binary(&own, last),
            _ => {}
        }
        if let Some(gap) = self.sheet.gaps.get_mut(frame.first as usize) {
            gap.until = last;
        }
        self.close_groups(frame.group_mark);
        self.top().has_nested |= frame.has_nested;
    }

    /// Decides whether a body may stay on the line of its head: one simple thing the author has written there.
    fn settle_body(&mut self, frame: &Frame, own: &[u32]) {
        let is_empty = frame.items == 0 && matches!(own, [gap] if self.is_between_tokens(*gap));
        let is_broken = own.iter().any(|gap| self.sheet.gaps[*gap as usize].newlines > 0);
        let is_simple = frame.items <= 1 && !frame.has_nested && frame.kind != Kind::MachineBody;
        for gap in own {
            let gap = &mut self.sheet.gaps[*gap as usize];
            if is_empty {
                (gap.breaks, gap.is_forced) = (Break::Never, false);
            } else if is_simple && !is_broken {
                (gap.breaks, gap.is_forced) = (Break::Together, false);
            }
        }
    }

    /// No comment is next to the gap.
    fn is_between_tokens(&self, gap: u32) -> bool {
        let gap = gap as usize;
        let around = gap.checked_sub(1).and_then(|before| self.sheet.tokens.get(before..=gap));
        around.is_some_and(|tokens| tokens.iter().all(|token| token.comment.is_none()))
    }

    /// A line ends on one side of an operator, not on both.
    fn settle_binary(&mut self, own: &[u32], last: u32) {
        let &[before, behind] = own else { return };
        let is_before = self.sheet.gaps[before as usize].breaks == Break::Needed;
        if is_before {
            self.sheet.gaps[before as usize].until = last;
        }
        let (usual, other) = if is_before { (before, behind) } else { (behind, before) };
        let ends = |gap: u32| self.is_broken_by_author(gap);
        let unused = if ends(other) && !ends(usual) { usual } else { other };
        self.sheet.gaps[unused as usize].breaks = Break::Never;
    }
}

fn is_opening(kind: Kind) -> bool {
    matches!(kind, Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace)
}

fn is_closing(kind: Kind) -> bool {
    matches!(kind, Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace)
}

pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n' | '\x0c')
}

/// `\n`, `\r\n` and a lone `\r` each end a line.
pub(crate) fn count_newlines(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    u32::try_from(ends.count()).unwrap_or(u32::MAX)
}
