//! What a call, `new`, `send` or `goto` takes, while it is written.

use lockstep_base::TextSize;
use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, DeclKind, ProjectFile, Signature, Space, Target, event_payload, function_signature, lookup, machine_info,
};

use super::completion::words_before;
use super::describe;
use super::scope::Scope;
use crate::SignatureHelp;
use crate::words::Word;

pub fn signature_help<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<SignatureHelp> {
    let before = words_before(db, file, offset)?;
    let call = open_call(&before)?;
    let scope = Scope::at(db, file, offset);
    let project = file.project(db);
    match call {
        Call::Function { name, argument } => {
            let own = scope.machine().and_then(|(_, decl, _)| machine_info(db, decl).function(&name).cloned());
            let (signature, documentation) = match own {
                Some(signature) => (signature, None),
                None => {
                    let spaces = [Space::Function, Space::Pure];
                    let def = spaces.into_iter().find_map(|space| lookup(db, project, space, &name))?;
                    (function_signature(db, def.decl).clone(), describe::comment(db, &Target::Global(def)))
                }
            };
            Some(function_help(&name, &signature, argument, documentation))
        }
        Call::New { name, argument } => {
            let def = lookup(db, project, Space::Type, &name)?;
            let ty = match def.decl.kind(db) {
                DeclKind::Machine => machine_info(db, def.decl).constructor(),
                _ => return None,
            };
            Some(value_help(&format!("new {name}("), &ty, ")", argument, describe::comment(db, &Target::Global(def))))
        }
        Call::Event { word, name, argument } => {
            let def = lookup(db, project, Space::Event, &name).filter(|def| def.part.is_none())?;
            let ty = event_payload(db, def.decl).clone();
            let documentation = describe::comment(db, &Target::Global(def));
            Some(value_help(&format!("{word} {name}, "), &ty, "", argument, documentation))
        }
        Call::Goto { name } => {
            let (_, decl, _) = scope.machine()?;
            let ty = machine_info(db, decl).state(&name)?.entry.clone().unwrap_or(Ty::Null);
            Some(value_help(&format!("goto {name}, "), &ty, "", 0, None))
        }
    }
}

/// What is being written, and which of its arguments.
enum Call {
    Function { name: String, argument: usize },
    New { name: String, argument: usize },
    Event { word: String, name: String, argument: usize },
    Goto { name: String },
}

/// The innermost call around the end of the words.
fn open_call(before: &[Word]) -> Option<Call> {
    let (mut depth, mut argument) = (0, 0);
    for at in (0..before.len()).rev() {
        match before[at].text.as_str() {
            ")" | "]" => depth += 1,
            "}" | "{" | ";" => return None,
            "[" if depth > 0 => depth -= 1,
            "(" if depth > 0 => depth -= 1,
            "," if depth == 0 => argument += 1,
            "(" => {
                let name = before.get(at.checked_sub(1)?)?;
                let is_new = at >= 2 && before[at - 2].text == "new";
                if name.is_name() && is_new {
                    return Some(Call::New { name: name.text.clone(), argument });
                }
                if name.is_name() && !is_word_of_p(&name.text) {
                    return Some(Call::Function { name: name.text.clone(), argument });
                }
                // A tuple: what is around it counts, and this is its one argument so far.
                argument = 0;
            }
            "send" if depth == 0 && argument >= 2 => return event_after(before, at, argument - 2),
            "raise" | "announce" if depth == 0 && argument >= 1 => {
                let name = before.get(at + 1)?.text.clone();
                return Some(Call::Event { word: before[at].text.clone(), name, argument: argument - 1 });
            }
            "goto" if depth == 0 && argument >= 1 => return Some(Call::Goto { name: before.get(at + 1)?.text.clone() }),
            _ => {}
        }
    }
    None
}

/// The event of a `send`: the token behind its first comma.
fn event_after(before: &[Word], send: usize, argument: usize) -> Option<Call> {
    let mut depth = 0;
    for at in send + 1..before.len() {
        match before[at].text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => {
                let name = before.get(at + 1)?.text.clone();
                return Some(Call::Event { word: "send ...,".to_owned(), name, argument });
            }
            _ => {}
        }
    }
    None
}

fn is_word_of_p(word: &str) -> bool {
    lockstep_syntax::Language::P.is_reserved(word)
}

fn function_help(name: &str, signature: &Signature, argument: usize, documentation: Option<String>) -> SignatureHelp {
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (index, (param, ty)) in signature.params.iter().enumerate() {
        label += if index > 0 { ", " } else { "" };
        let start = label.len();
        label += &format!("{param}: {ty}");
        parameters.push(start..label.len());
    }
    label.push(')');
    if signature.result != Ty::Null {
        label += &format!(": {}", signature.result);
    }
    let active = (argument < parameters.len()).then_some(argument);
    SignatureHelp { label, parameters, active, documentation }
}

/// Something that takes one value, the parts of which are shown.
fn value_help(open: &str, ty: &Ty, close: &str, argument: usize, documentation: Option<String>) -> SignatureHelp {
    let mut label = open.to_owned();
    let mut parameters = Vec::new();
    let mut part = |text: String, label: &mut String| {
        let start = label.len();
        *label += &text;
        parameters.push(start..label.len());
    };
    match ty {
        Ty::Null => label += "(no value)",
        Ty::Tuple(elements) => {
            for (index, element) in elements.iter().enumerate() {
                label += if index > 0 { ", " } else { "" };
                part(element.to_string(), &mut label);
            }
        }
        ty => part(ty.to_string(), &mut label),
    }
    label += close;
    let active = (argument < parameters.len()).then_some(argument);
    SignatureHelp { label, parameters, active, documentation }
}
