//! What could stand at a place. Works on the tokens in front of it, because the text is mostly broken just there.

mod context;
mod offers;

use lockstep_base::TextSize;
use lockstep_program::{Db, ProjectFile};

use self::context::{Context, context};
use self::offers::Offers;
use super::scope::Scope;
use crate::Completions;
use crate::words::{Word, word_at, words};

pub fn completions<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Completions {
    let text = file.file(db).parse(db).text();
    let replace = word_at(text, offset);
    let mut offers = Offers::new(Scope::at(db, file, offset));
    if let Some(before) = words_before(db, file, replace.start()) {
        match context(&before, &offers.scope) {
            Context::Nothing => {}
            Context::Field(path) => offers.fields(&path),
            Context::State => offers.states(),
            Context::Event { with_halt, with_null } => offers.events(with_halt, with_null),
            Context::Machine => offers.machines(),
            Context::Spec => offers.specs(),
            Context::Module => offers.modules(),
            Context::Type => offers.types(),
            Context::Param => offers.params(),
            Context::TopLevel => offers.top_level(),
            Context::MachineBody => offers.machine_body(),
            Context::StateBody => offers.state_body(),
            Context::Statement => {
                offers.statements();
                offers.values();
            }
            Context::Value => offers.values(),
        }
    }
    Completions { replace, items: offers.finish() }
}

/// The tokens from the start of the declaration around a place; `None` inside of a comment or string.
pub(super) fn words_before(db: &dyn Db, file: ProjectFile<'_>, offset: TextSize) -> Option<Vec<Word>> {
    let parse = file.file(db).parse(db);
    let items = parse.p().map_or(&[][..], |ast| &ast.items);
    let start = items.iter().map(|item| item.start).take_while(|start| *start <= offset).last().unwrap_or_default();
    words(parse.text(), start, offset)
}
