//! Features of IceT. A program is one text, so everything is a function of its parse.
use crate::*;
use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::Parse;
pub fn definition(_: &Parse, _: TextSize) -> Option<(TextRange, TextRange)> {
    None
}
pub fn references(_: &Parse, _: TextSize) -> Vec<(TextRange, HighlightKind)> {
    Vec::new()
}
pub fn hover(_: &Parse, _: TextSize) -> Option<Hover> {
    None
}
pub fn completions(_: &Parse, offset: TextSize) -> Completions {
    Completions { replace: TextRange::empty(offset), items: Vec::new() }
}
pub fn signature_help(_: &Parse, _: TextSize) -> Option<SignatureHelp> {
    None
}
pub fn prepare_rename(_: &Parse, _: TextSize) -> Result<(TextRange, String), CannotRename> {
    Err(CannotRename(String::new()))
}
pub fn rename(_: &Parse, _: TextSize, _: &str) -> Result<Vec<TextRange>, CannotRename> {
    Err(CannotRename(String::new()))
}
pub fn tokens(_: &Parse) -> Vec<Token> {
    Vec::new()
}
