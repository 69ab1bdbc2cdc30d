//! The names that a file declares for its whole project, read off its typed tree: enough to see which files cannot belong together.

use lockstep_base::TextRange;
use lockstep_program::Space;
use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Decl, NameId};
use smol_str::SmolStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) space: Space,
    pub(crate) name: SmolStr,
    pub(crate) range: TextRange,
}

/// In the order of the text.
pub(crate) fn declared(parse: &Parse) -> Vec<Declared> {
    let mut found = Vec::new();
    for item in parse.p().into_iter().flat_map(|file| &file.items) {
        let mut add = |space, name: NameId| {
            let text = &item.value.nodes[name].0;
            if !text.is_empty() {
                found.push(Declared { space, name: text.clone(), range: item.value.spans[name] + item.start });
            }
        };
        match &item.value.decl {
            Decl::Param { names, .. } => names.iter().for_each(|name| add(Space::Param, *name)),
            Decl::Enum { name, elements } => {
                add(Space::Type, *name);
                elements.iter().for_each(|element| add(Space::Event, element.name));
            }
            decl => {
                if let Some((space, name)) = space(decl).zip(item.value.name()) {
                    add(space, name);
                }
            }
        }
    }
    found
}

/// Whether the file is written for P's verifier: it declares what only proofs need.
pub(crate) fn is_for_verifier(parse: &Parse) -> bool {
    let is_proof = |decl: &Decl| {
        matches!(
            decl,
            Decl::Pure { .. }
                | Decl::Invariant(_)
                | Decl::InvariantGroup { .. }
                | Decl::Axiom { .. }
                | Decl::InitCondition { .. }
                | Decl::Proof { .. }
        )
    };
    parse.p().is_some_and(|file| file.items.iter().any(|item| is_proof(&item.value.decl)))
}

/// The names among which the declaration's own must be unique.
fn space(decl: &Decl) -> Option<Space> {
    match decl {
        Decl::Type { .. } | Decl::Enum { .. } | Decl::Interface { .. } | Decl::Machine(_) => Some(Space::Type),
        Decl::Event { .. } => Some(Space::Event),
        Decl::EventSet { .. } => Some(Space::EventSet),
        Decl::Function(_) => Some(Space::Function),
        Decl::Param { .. } => Some(Space::Param),
        Decl::Module { .. } => Some(Space::Module),
        Decl::Implementation { .. } | Decl::Test(_) => Some(Space::Test),
        Decl::Pure { .. } => Some(Space::Pure),
        Decl::Invariant(_) => Some(Space::Invariant),
        Decl::InvariantGroup { .. } => Some(Space::InvariantGroup),
        Decl::Axiom { .. } | Decl::InitCondition { .. } | Decl::Proof { .. } => None,
    }
}
