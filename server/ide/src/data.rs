//! What features give: plain data, for any editor.

use lockstep_base::TextRange;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What the text is about.
    pub range: TextRange,
    pub markdown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionKind {
    Keyword,
    Snippet,
    Variable,
    Parameter,
    Field,
    Function,
    Event,
    EnumElement,
    State,
    Machine,
    Spec,
    Type,
    Module,
    Test,
    Constant,
    Process,
    Proof,
    /// Of project files.
    Element,
    File,
    Folder,
}

/// Something that could stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: String,
    pub kind: CompletionKind,
    pub detail: Option<String>,
    /// What takes the place of the word at the cursor.
    pub insert: String,
    /// Whether `insert` has places to fill in, written `$1`, `${2:name}`, `$0`.
    pub is_snippet: bool,
    /// What is likelier comes first; equal ones by label.
    pub rank: u8,
}

/// What can be completed, and the word it replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    pub replace: TextRange,
    pub items: Vec<Completion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    pub label: String,
    /// Byte ranges of the parameters in the label.
    pub parameters: Vec<std::ops::Range<usize>>,
    /// Which of them the cursor is in.
    pub active: Option<usize>,
    pub documentation: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighlightKind {
    Declaration,
    /// A value is read, an event is handled.
    Read,
    /// A value is written, an event is sent.
    Write,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub range: TextRange,
    pub kind: HighlightKind,
}

/// The kinds of names that are coloured by meaning, as the protocol calls them.
pub const TOKEN_TYPES: [&str; 12] = [
    "type",
    "enum",
    "enumMember",
    "event",
    "class",
    "interface",
    "variable",
    "parameter",
    "property",
    "function",
    "namespace",
    "label",
];
pub const TOKEN_MODIFIERS: [&str; 3] = ["declaration", "readonly", "modification"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Type,
    Enum,
    EnumElement,
    Event,
    Machine,
    Interface,
    Variable,
    Parameter,
    Field,
    Function,
    Module,
    State,
}

/// A name with its meaning. `kind as usize` is its place in `TOKEN_TYPES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: TextRange,
    pub kind: TokenKind,
    pub is_declaration: bool,
    /// Parameters of tests and elements of enums cannot be changed.
    pub is_constant: bool,
    pub is_write: bool,
}

/// Why a name cannot be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotRename(pub String);
