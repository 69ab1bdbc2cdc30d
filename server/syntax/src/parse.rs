//! A parsed text: the text, its tree, its typed tree, its syntax errors; and the next version of it after an edit.
//!
//! Invariant: a version made by edits equals one parsed from scratch. Old trees only save time; a property test and a fuzz
//! target compare the two.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use lockstep_base::{Diagnostic, Edit, Text, TextSize};
use tree_sitter::{InputEdit, ParseOptions, Parser, Point, Tree};

use crate::{Language, errors, icet, p};

#[derive(Debug)]
pub struct Parse {
    language: Language,
    text: Text,
    tree: Tree,
    typed: Typed,
    errors: OnceLock<Vec<Diagnostic>>,
}

#[derive(Debug)]
enum Typed {
    P(p::Lowered),
    Icet(icet::Lowered),
}

impl Parse {
    pub fn new(language: Language, text: impl Into<Text>) -> Self {
        let text = text.into();
        let tree = parse_tree(language, &text, None);
        let typed = match language {
            Language::P => Typed::P(p::lower(&text, &tree, None)),
            Language::Icet => Typed::Icet(icet::lower(&text, &tree, None)),
        };
        Self { language, text, tree, typed, errors: OnceLock::new() }
    }

    /// The text after `edits`, each of which sees the text as the ones before it left it.
    #[must_use]
    pub fn edit(&self, edits: &[Edit]) -> Self {
        let mut text = self.text.clone();
        let mut old_tree = self.tree.clone();
        for edit in edits {
            let used = text.edit(edit);
            let start = usize::from(used.start());
            // Rows and columns are not filled in: nothing here asks tree-sitter for them.
            old_tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: usize::from(used.end()),
                new_end_byte: start + edit.insert.len(),
                start_position: Point::default(),
                old_end_position: Point::default(),
                new_end_position: Point::default(),
            });
        }
        let tree = parse_tree(self.language, &text, Some(&old_tree));
        let typed = match &self.typed {
            Typed::P(previous) => Typed::P(p::lower(&text, &tree, Some(previous))),
            Typed::Icet(previous) => Typed::Icet(icet::lower(&text, &tree, Some(previous))),
        };
        Self { language: self.language, text, tree, typed, errors: OnceLock::new() }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The typed file, if this is P.
    pub fn p(&self) -> Option<&p::ast::File> {
        match &self.typed {
            Typed::P(lowered) => Some(&lowered.file),
            Typed::Icet(_) => None,
        }
    }

    /// The typed file, if this is IceT.
    pub fn icet(&self) -> Option<&icet::ast::File> {
        match &self.typed {
            Typed::Icet(lowered) => Some(&lowered.file),
            Typed::P(_) => None,
        }
    }

    /// Everything wrong with the text as such, in order of place. Computed when first asked for.
    pub fn errors(&self) -> &[Diagnostic] {
        self.errors.get_or_init(|| {
            let mut found = errors::syntax_errors(self.language, &self.text, &self.tree);
            let problems: Vec<Diagnostic> = match &self.typed {
                Typed::P(lowered) => p::problems(&lowered.file).collect(),
                Typed::Icet(lowered) => icet::problems(&lowered.file).collect(),
            };
            // On a line with a syntax error, what was taken for a name may be none.
            let broken: Vec<u32> = found.iter().map(|error| self.text.line_of(error.range.start())).collect();
            found.extend(problems.into_iter().filter(|problem| !broken.contains(&self.text.line_of(problem.range.start()))));
            found.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
            found
        })
    }

    /// Whether the text is what the grammar says, looking at the tree only.
    pub fn is_well_formed(&self) -> bool {
        !self.tree.root_node().has_error()
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

fn parse_tree(language: Language, text: &Text, old: Option<&Tree>) -> Tree {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&language.tree_sitter()).expect("the grammar is made for this tree-sitter");
        let mut never_stop = |_: &tree_sitter::ParseState| ControlFlow::Continue(());
        let options = ParseOptions::new().progress_callback(&mut never_stop);
        // The callback must not panic: it is called from C. `chunk` never does.
        parser
            .parse_with_options(&mut |byte, _| text.chunk(byte), old, Some(options))
            .expect("parsing ends early only if it is told to")
    })
}

impl From<Parse> for Text {
    fn from(parse: Parse) -> Self {
        parse.text
    }
}

/// A tree-sitter offset as ours.
pub(crate) fn offset(byte: usize) -> TextSize {
    TextSize::try_from(byte).expect("texts are smaller than 4 GiB")
}
