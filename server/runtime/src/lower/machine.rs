//! Machines and their states.

use lockstep_program::{Decl, machine_info};
use lockstep_syntax::p::ast::{
    Decl as AstDecl, EventRef, Handler, HandlerKind, MachineKind, State as AstState, StateItemKind, Temperature as AstTemperature,
};

use super::{Declared, Lowering, NotRunnable, Source, body_number, number};
use crate::program::{FunctionId, MachineType, MachineTypeId, Reaction, State, StateId, Temperature, Variable};

impl<'db> Lowering<'db> {
    /// The number of a machine, spec or scenario.
    pub(super) fn machine(&mut self, decl: Decl<'db>) -> Result<MachineTypeId, NotRunnable> {
        if let Some(id) = self.machines.get(&decl) {
            return Ok(*id);
        }
        let id = MachineTypeId(number(self.program.machines.len()));
        self.machines.insert(decl, id);
        let declared = self.declared(decl)?;
        let AstDecl::Machine(ast) = &declared.item.value.decl else {
            return Err(NotRunnable::Missing(format!("the machine `{}`", decl.name(self.db))));
        };
        let info = machine_info(self.db, decl);
        let mut fields = Vec::new();
        for (name, ty) in &info.fields {
            let ty = self.ty(ty);
            fields.push(Variable { name: name.clone(), ty, initial: self.default(ty) });
        }
        let (receives, sends) = (self.event_set(&info.receives), self.event_set(&info.sends));
        let place = declared.place(declared.item.value.spans[ast.name]);
        let states: Vec<State> = ast.states.iter().map(|state| self.state(id, decl, &declared, state)).collect();
        let start = ast.states.iter().position(|state| state.is_start).map(|start| StateId(number(start)));
        let is_monitor = ast.kind != MachineKind::Machine;
        let name = decl.name(self.db).clone();
        self.program.machines.push(MachineType { name, fields, states, start, receives, sends, is_monitor, place });
        Ok(id)
    }

    fn state(&mut self, machine: MachineTypeId, decl: Decl<'db>, declared: &Declared<'db>, ast: &AstState) -> State {
        let nodes = declared.nodes();
        let temperature = match ast.temperature {
            Some(AstTemperature::Hot) => Temperature::Hot,
            Some(AstTemperature::Cold) => Temperature::Cold,
            None => Temperature::Warm,
        };
        let place = declared.place(declared.item.value.spans[ast.name]);
        let name = nodes[ast.name].0.clone();
        let mut state = State { name, temperature, entry: None, exit: None, reactions: Vec::new(), place };
        for item in &ast.items {
            match &item.kind {
                StateItemKind::Entry(handler) => state.entry = self.handler(machine, decl, declared, handler),
                StateItemKind::Exit(handler) => state.exit = self.handler(machine, decl, declared, handler),
                StateItemKind::Defer(events) => self.react(&mut state, declared, events, Reaction::Defer),
                StateItemKind::Ignore(events) => self.react(&mut state, declared, events, Reaction::Ignore),
                StateItemKind::OnDo { events, handler } => {
                    if let Some(function) = self.handler(machine, decl, declared, handler) {
                        self.react(&mut state, declared, events, Reaction::Do(function));
                    }
                }
                StateItemKind::OnGoto { events, target, with } => {
                    let with = with.as_ref().and_then(|with| self.handler(machine, decl, declared, with));
                    if let Some(target) = state_named(declared, nodes[*target].as_str()) {
                        self.react(&mut state, declared, events, Reaction::Goto { target, with });
                    }
                }
            }
        }
        state
    }

    fn react(&self, state: &mut State, declared: &Declared<'_>, events: &[EventRef], reaction: Reaction) {
        for event in events.iter().filter_map(|event| self.event(declared.nodes(), event)) {
            let length = state.reactions.len().max(event.index() + 1);
            state.reactions.resize(length, Reaction::Unhandled);
            state.reactions[event.index()] = reaction;
        }
    }

    fn handler(
        &mut self,
        machine: MachineTypeId,
        decl: Decl<'db>,
        declared: &Declared<'_>,
        handler: &Handler,
    ) -> Option<FunctionId> {
        let source = match handler.kind {
            HandlerKind::Named(name) => Source::Own(machine, decl, declared.nodes()[name].0.clone()),
            HandlerKind::Inline { body, .. } => Source::Handler(machine, decl, body_number(body)),
            HandlerKind::Missing => return None,
        };
        Some(self.function(source))
    }
}

/// The state of a machine with this name.
pub(super) fn state_named(declared: &Declared<'_>, name: &str) -> Option<StateId> {
    let AstDecl::Machine(machine) = &declared.item.value.decl else { return None };
    let position = machine.states.iter().position(|state| declared.nodes()[state.name].as_str() == name)?;
    Some(StateId(number(position)))
}
