//! The style: what stands between two neighbours in a node, and where a line may end.
//!
//! Looks at kinds only, never at text or widths. The layout decides which of the allowed line ends are used.

use crate::kinds::Kind;
use crate::options::Braces;

/// Whether a line may end between two neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    Never,
    /// Where the author has ended it.
    Author,
    /// Where the author has ended it, or if what follows does not fit.
    Needed,
    /// Where the author has ended it, or if the group does not fit on one line.
    Together,
    /// If the group does not fit on one line, wherever the author has ended it.
    WithGroup,
    /// In any case.
    Always,
}

/// What stands between two neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// On one line: a space or nothing.
    pub(crate) space: bool,
    pub(crate) breaks: Break,
    /// How many levels the next line is indented, seen from the group.
    pub(crate) levels: u8,
    /// The same for comments on lines of their own before it.
    pub(crate) comment_levels: u8,
    /// Not indented if the group begins the line: operators stand below what they connect.
    pub(crate) aligns: bool,
    /// Something between brackets that needs several lines stays behind what is before it.
    pub(crate) hugs: bool,
}

impl Rule {
    const fn new(space: bool, breaks: Break, levels: u8) -> Self {
        Self { space, breaks, levels, comment_levels: levels, aligns: false, hugs: false }
    }

    const NOTHING: Self = Self::new(false, Break::Never, 1);
    const SPACE: Self = Self::new(true, Break::Never, 1);
    /// Before what belongs to the line that begins the construct: `else`, `{`.
    const AT_HEAD: Self = Self::new(true, Break::Never, 0);
    const LINE: Self = Self::new(true, Break::Always, 0);
    const INDENTED_LINE: Self = Self::new(true, Break::Always, 1);

    fn hugging(self) -> Self {
        Self { hugs: true, ..self }
    }
}

/// Where two neighbours are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) parent: Kind,
    pub(crate) left: Kind,
    pub(crate) right: Kind,
    /// Between brackets that are tokens of the parent.
    pub(crate) in_brackets: bool,
    /// Between braces that are tokens of the parent.
    pub(crate) in_braces: bool,
    /// In the condition of an `if` or loop, whose body follows.
    pub(crate) in_condition: bool,
    pub(crate) braces: Braces,
}

pub(crate) fn rule(place: &Place) -> Rule {
    let Place { parent, left, right, .. } = *place;
    match parent {
        Kind::File => Rule::LINE,
        Kind::MachineBody | Kind::StateBody | Kind::Block => in_body(right),
        Kind::Braced if place.in_braces || left == Kind::OpenBrace => in_body(right),
        Kind::Braced if right == Kind::OpenBrace => brace(place.braces),
        Kind::If => in_if(place),
        Kind::Loop | Kind::Function | Kind::Machine => in_head(place),
        _ if right.is_body() => brace(place.braces),
        Kind::Binary => in_binary(place),
        Kind::Quantifier => in_quantifier(place),
        Kind::Unary if left.is_token() => Rule::NOTHING,
        Kind::Test | Kind::Module => in_test(place),
        _ => in_list(place).unwrap_or_else(|| spacing(place)),
    }
}

fn in_body(right: Kind) -> Rule {
    match right {
        Kind::CloseBrace => Rule { levels: 0, ..Rule::INDENTED_LINE },
        _ => Rule::INDENTED_LINE,
    }
}

/// Before the brace of a body.
fn brace(braces: Braces) -> Rule {
    match braces {
        Braces::SameLine => Rule::AT_HEAD,
        Braces::NextLine => Rule { breaks: Break::WithGroup, ..Rule::AT_HEAD },
    }
}

fn in_if(place: &Place) -> Rule {
    let Place { left, right, .. } = *place;
    match (left, right) {
        (Kind::Else, Kind::If) => Rule::AT_HEAD,
        (left, Kind::Else) if left.is_body() => match place.braces {
            Braces::SameLine => Rule::AT_HEAD,
            Braces::NextLine => Rule::LINE,
        },
        (_, Kind::Else) => Rule::new(true, Break::Together, 0),
        (Kind::Else | Kind::CloseParen, right) if right.is_body() => brace(place.braces),
        (Kind::Else | Kind::CloseParen, _) => Rule::new(true, Break::Together, 1),
        _ => spacing(place),
    }
}

/// Functions, machines and loops: clauses on lines of their own, then the body.
fn in_head(place: &Place) -> Rule {
    let Place { parent, left, right, .. } = *place;
    match (left, right) {
        (_, Kind::Clause) => Rule::INDENTED_LINE,
        (Kind::Clause, right) if right.is_body() => Rule::LINE,
        (Kind::Clause, _) => Rule::INDENTED_LINE,
        (_, right) if right.is_body() => brace(place.braces),
        // `return (name: type);` of a function in another language.
        (Kind::Parameters, Kind::Token) => Rule::new(true, Break::Author, 1),
        (Kind::CloseParen, _) if parent == Kind::Loop => Rule::new(true, Break::Together, 1),
        _ => spacing(place),
    }
}

fn in_binary(place: &Place) -> Rule {
    let levels = if place.in_condition { 2 } else { 1 };
    let breaks = match (place.left, place.right) {
        (_, Kind::Logical) => Break::Needed,
        (Kind::Logical, _) => Break::Author,
        (left, _) if left.is_token() => Break::Needed,
        _ => Break::Author,
    };
    let aligns = place.left != Kind::Implies && place.right != Kind::Implies;
    Rule { aligns, ..Rule::new(true, breaks, levels) }
}

fn in_quantifier(place: &Place) -> Rule {
    match (place.left, place.right) {
        (Kind::Colon, Kind::Colon) => Rule::NOTHING,
        (_, Kind::Colon) => Rule::SPACE,
        (Kind::Colon | Kind::DoubleColon, _) => Rule::new(true, Break::Needed, 1),
        _ => in_list(place).unwrap_or_else(|| spacing(place)),
    }
}

fn in_test(place: &Place) -> Rule {
    let Place { parent, left, right, .. } = *place;
    match (left, right) {
        (_, Kind::OpenBracket) => Rule::SPACE,
        // `[main=X]`.
        (Kind::Equals, _) | (_, Kind::Equals) if place.in_brackets => Rule::NOTHING,
        (Kind::Colon, _) if parent == Kind::Test => Rule::new(true, Break::Together, 1),
        (Kind::Colon | Kind::Equals, _) => Rule::new(true, Break::Author, 1).hugging(),
        (_, Kind::Continues) => Rule::new(true, Break::Needed, 1),
        (left, right) if parent == Kind::Test && !left.is_token() && !is_punctuation(right) => Rule::new(true, Break::Needed, 1),
        _ => spacing(place),
    }
}

/// Behind commas, `in`, `:` and `=`, where lines may end.
fn in_list(place: &Place) -> Option<Rule> {
    let Place { parent, left, right, .. } = *place;
    let needed = |levels| Some(Rule::new(true, Break::Needed, levels));
    if matches!(right, Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace) {
        return None;
    }
    match (parent, left) {
        (Kind::Parts | Kind::Insert, Kind::Comma) => Some(Rule::new(true, Break::Needed, 1).hugging()),
        (Kind::Arguments | Kind::Format, Kind::Comma) => Some(Rule::new(true, Break::Needed, 1).hugging()),
        (Kind::Handler | Kind::Observes, Kind::Comma) => needed(2),
        (Kind::Index, Kind::Comma) => Some(Rule::SPACE),
        (_, Kind::Comma) => needed(1),
        (Kind::ModuleOperation, Kind::In) => Some(Rule { aligns: true, ..Rule::new(true, Break::Needed, 1) }),
        (Kind::Assign, Kind::Equals) | (Kind::Definition, Kind::Equals | Kind::Colon) => {
            Some(Rule::new(true, Break::Author, 1).hugging())
        }
        (Kind::Prove, _) if right == Kind::Continues => needed(1),
        (_, _) if right == Kind::Observes => needed(2),
        _ => None,
    }
}

fn spacing(place: &Place) -> Rule {
    let Place { parent, left, right, .. } = *place;
    let is_tight = match (left, right) {
        (Kind::OpenParen | Kind::OpenBracket | Kind::Dot, _) => true,
        (_, Kind::CloseParen | Kind::CloseBracket | Kind::Comma | Kind::Semicolon | Kind::Dot | Kind::Colon) => true,
        (_, Kind::Arguments | Kind::Parameters) => true,
        (Kind::OpenBrace, _) | (_, Kind::CloseBrace) => parent == Kind::Set,
        (_, Kind::OpenParen) => matches!(parent, Kind::Builtin | Kind::Format | Kind::Dotted | Kind::Names),
        (_, Kind::OpenBracket) => parent == Kind::Index,
        _ => false,
    };
    if is_tight { Rule::NOTHING } else { Rule::SPACE }
}

/// What stands at the end of what is before it.
pub(crate) fn is_punctuation(kind: Kind) -> bool {
    matches!(kind, Kind::CloseParen | Kind::CloseBracket | Kind::Comma | Kind::Semicolon | Kind::Dot | Kind::Colon)
}

/// How something between brackets is laid out if it needs several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListStyle {
    /// The brackets at the ends of lines, what is between them indented.
    Open,
    /// The same, each element on a line of its own.
    Column,
    /// As many elements on a line as fit, unless the author has ended the line behind the bracket.
    Filled,
    /// The same; if it needs several lines, the first ends behind the first element: the text of `format`.
    Text,
}

/// The style of a list in brackets that are tokens of `parent`.
pub(crate) fn list_style(parent: Kind, opening: Kind) -> Option<ListStyle> {
    match (parent, opening) {
        (Kind::Tuple | Kind::Parameters, Kind::OpenParen) => Some(ListStyle::Open),
        (Kind::Binding | Kind::EventSet | Kind::Set, Kind::OpenBrace) => Some(ListStyle::Open),
        (Kind::Enum, Kind::OpenBrace) => Some(ListStyle::Column),
        (Kind::Format, Kind::OpenParen) => Some(ListStyle::Text),
        (Kind::Arguments | Kind::Quantifier | Kind::TestParams, Kind::OpenParen) => Some(ListStyle::Filled),
        (Kind::TestParam, Kind::OpenBracket) => Some(ListStyle::Filled),
        _ => None,
    }
}
