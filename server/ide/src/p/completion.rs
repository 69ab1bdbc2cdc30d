//! What could stand at a place. Works on the words in front of it, because the text is mostly broken just there.

mod context;
mod offers;
mod snippets;

use lockstep_base::TextSize;
use lockstep_program::{Db, ProjectFile};

use self::context::{Context, context};
use self::offers::{LIKELY, Offers};
use super::scope::Scope;
use crate::Completions;
use crate::words::word_at;

pub fn completions<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Completions {
    let replace = word_at(file.file(db).parse(db).text(), offset);
    let Some(scope) = Scope::at(db, file, replace.start()) else { return Completions { replace, items: Vec::new() } };
    let context = context(&scope.around);
    let mut offers = Offers::new(scope);
    match context {
        Context::Nothing => {}
        Context::Words(words) => offers.words(words),
        Context::Field => offers.fields(),
        Context::State => offers.states(),
        Context::Event(events) => offers.events(events),
        Context::Machine => offers.machines(),
        Context::Spec => offers.specs(),
        Context::Module => offers.modules(),
        Context::Interface => offers.interfaces(),
        Context::Type => offers.types(),
        Context::Param => offers.params(LIKELY),
        Context::Handler => offers.handlers(),
        Context::Goal => offers.goals(),
        Context::TopLevel => offers.top_level(),
        Context::MachineBody => offers.machine_body(),
        Context::StateBody => offers.state_body(),
        Context::ReceiveBody => offers.receive_body(),
        Context::Statement { can_declare } => {
            offers.statements(can_declare);
            offers.values();
        }
        Context::Value => offers.keys_or_values(),
    }
    Completions { replace, items: offers.finish() }
}
