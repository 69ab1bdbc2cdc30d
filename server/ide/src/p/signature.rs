//! What a call, `new`, `send` or `goto` takes, while it is written.

use lockstep_base::TextSize;
use lockstep_program::ty::Ty;
use lockstep_program::{Db, ProjectFile, Signature, Target};

use super::describe;
use super::expected::Taker;
use super::scope::Scope;
use super::surroundings::{Bracket, BracketKind};
use crate::SignatureHelp;

pub fn signature_help<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<SignatureHelp> {
    let scope = Scope::at(db, file, offset)?;
    let brackets = &scope.around.brackets;
    for (at, bracket) in brackets.iter().enumerate().rev() {
        let argument = Argument { number: bracket.argument, tuple: brackets.get(at + 1) };
        match &bracket.kind {
            BracketKind::Call(name) => {
                let (signature, target) = scope.function(name)?;
                return Some(function_help(name, &signature, bracket.argument, describe::comment(db, &target)));
            }
            BracketKind::New(name) => {
                let (ty, def) = scope.constructor(name)?;
                let documentation = describe::comment(db, &Target::Global(def));
                return Some(value_help([&format!("new {name}("), ")"], &ty, &argument, documentation));
            }
            BracketKind::Params | BracketKind::TypeTuple | BracketKind::TypeArguments => return None,
            _ => {}
        }
    }
    let taker = scope.taker();
    let ty = scope.taken(taker)?;
    let tuple = brackets.first();
    match taker {
        Taker::Event { word, name, argument } => {
            let target = if word == "send" { "..., " } else { "" };
            let documentation = describe::comment(db, &Target::Global(scope.event(name)?));
            let argument = Argument { number: argument, tuple };
            Some(value_help([&format!("{word} {target}{name}, "), ""], &ty, &argument, documentation))
        }
        Taker::Goto { state, argument } => {
            Some(value_help([&format!("goto {state}, "), ""], &ty, &Argument { number: argument, tuple }, None))
        }
        Taker::Other => None,
    }
}

/// Which value the cursor is in.
struct Argument<'w> {
    /// Its number among those that are given.
    number: usize,
    /// The brackets in it that the cursor is in too.
    tuple: Option<&'w Bracket>,
}

fn function_help(name: &str, signature: &Signature, argument: usize, documentation: Option<String>) -> SignatureHelp {
    let params = signature.params.iter().map(|(param, ty)| format!("{param}: {ty}"));
    let (mut label, parameters) = list(&format!("{name}("), params, ")");
    if signature.result != Ty::Null {
        label += &format!(": {}", signature.result);
    }
    let active = (argument < parameters.len()).then_some(argument);
    SignatureHelp { label, parameters, active, documentation }
}

/// Something that takes one value, the parts of which are shown.
fn value_help([open, close]: [&str; 2], ty: &Ty, argument: &Argument<'_>, documentation: Option<String>) -> SignatureHelp {
    let tuple = argument.tuple.filter(|bracket| bracket.kind == BracketKind::Group && argument.number == 0);
    let ((label, parameters), active) = match ty {
        Ty::Null => {
            let nothing = if close.is_empty() { "(no value)" } else { "" };
            (list(&format!("{open}{nothing}"), [], close), None)
        }
        Ty::NamedTuple(fields) => {
            let parts = fields.iter().map(|(name, ty)| format!("{name}: {ty}"));
            let of_key = |bracket: &Bracket| match bracket.keys.last().filter(|_| bracket.has_key) {
                Some(key) => fields.iter().position(|(name, _)| name == key),
                None => Some(bracket.argument),
            };
            (list(&format!("{open}("), parts, &format!("){close}")), tuple.and_then(of_key))
        }
        Ty::Tuple(elements) => {
            // Its elements can be given as one tuple, or each for itself.
            let active = tuple.map_or(argument.number, |bracket| bracket.argument);
            (list(&format!("{open}("), elements.iter().map(ToString::to_string), &format!("){close}")), Some(active))
        }
        ty => (list(open, [ty.to_string()], close), Some(argument.number)),
    };
    let active = active.filter(|active| *active < parameters.len());
    SignatureHelp { label, parameters, active, documentation }
}

/// A text with a list in it, and where in the text its parts are.
fn list(open: &str, parts: impl IntoIterator<Item = String>, close: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let mut label = open.to_owned();
    let mut ranges = Vec::new();
    for part in parts {
        label += if ranges.is_empty() { "" } else { ", " };
        ranges.push(label.len()..label.len() + part.len());
        label += &part;
    }
    label += close;
    (label, ranges)
}
