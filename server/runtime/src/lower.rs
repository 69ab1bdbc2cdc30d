//! From a checked test case to a program that can be run.
//!
//! Everything has been resolved and checked by `lockstep-program`; here names become numbers and expressions become instructions.
//! Only what the test can reach is lowered, so that the fingerprint changes only with that.

mod body;
mod expr;
mod foreign;
mod live;
mod machine;
mod order;
mod slots;
mod stmt;

#[cfg(test)]
mod tests;
mod text;
mod types;

use std::fmt;

use lockstep_base::TextRange;
use lockstep_program::ty::Ty;
use lockstep_program::{
    AttachedSpec, Db, Decl, DeclKind, Kept, Link, Module, ParamValue, Project, SourceFile, Space, TestCase, TestKind,
    abstractions, decls, default_implementation, evaluated, lookup, machine_creates, machine_info, project_errors, project_files,
};
use lockstep_syntax::p::ast::{BodyId, Decl as AstDecl, EventKind, EventRef, Item, Nodes, Placed};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::program::{
    Abstraction, AbstractionId, ConstId, CreatedId, Event, EventId, EventSet, EventSetId, FieldId, FileId, FunctionId, HALT,
    Interface, InterfaceId, MachineTypeId, Monitor, MonitorId, NULL_EVENT, NamesId, Place, Program, Type, TypeId,
};
use crate::value::Value;

pub(crate) use live::{reads_of, reads_of_end, written};

/// Why a test case cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRunnable {
    /// The project has so many errors, which come first.
    Errors(usize),
    /// Something that was checked is not there. Should not happen.
    Missing(String),
}

impl fmt::Display for NotRunnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Errors(1) => f.write_str("there is an error in the project"),
            Self::Errors(count) => write!(f, "there are {count} errors in the project"),
            Self::Missing(what) => write!(f, "{what} cannot be found"),
        }
    }
}

/// What can be chosen about a test from outside of its project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub specs: Specs,
    /// What stands for functions in other languages, by their names. Without it a run ends at such a function.
    pub foreign: Vec<(SmolStr, Stub)>,
    /// Whether values are taken together as comments in the project say.
    pub is_abstract: bool,
}

/// Which specs watch a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Specs {
    /// Those that its module attaches.
    #[default]
    Attached,
    /// All there are, watching all machines.
    All,
}

/// What is called instead of a function in another language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stub {
    /// A global function of the project with the same parameters.
    Function(SmolStr),
    /// Nothing, and the result is any: `true` or `false`, any element of an enum, a number up to 2; of other types only what
    /// variables are at first.
    AnyValue,
}

/// The program of a test case.
pub fn lower(db: &dyn Db, project: Project, case: &TestCase<'_>, options: &Options) -> Result<Program, NotRunnable> {
    match project_errors(db, project) {
        0 => {}
        errors => return Err(NotRunnable::Errors(errors)),
    }
    let module = match case.kind {
        TestKind::DefaultImplementation => default_implementation(db, project).clone(),
        TestKind::Test | TestKind::Implementation => evaluated(db, case.decl).module.clone(),
    };
    let module = module.ok_or_else(|| NotRunnable::Missing(format!("the module of `{}`", case.name)))?;
    let mut lowering = Lowering::new(db, project, case, &options.foreign);
    if options.is_abstract {
        lowering.abstractions();
    }
    lowering.events();
    lowering.params(case)?;
    lowering.system(&module, &case.main)?;
    lowering.monitors(&module, options.specs)?;
    lowering.functions()?;
    lowering.field_places();
    Ok(lowering.program)
}

/// Where the code of a function is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Source<'db> {
    Global(Decl<'db>),
    /// A function of a machine, by name.
    Own(MachineTypeId, Decl<'db>, SmolStr),
    Handler(MachineTypeId, Decl<'db>, u32),
}

/// A declaration as its file has it now, with its place.
#[derive(Clone)]
struct Declared<'db> {
    item: &'db Placed<Item>,
    file: FileId,
}

impl Declared<'_> {
    fn place(&self, range: TextRange) -> Place {
        Place { file: self.file, range: range + self.item.start }
    }

    fn nodes(&self) -> &Nodes {
        &self.item.value.nodes
    }
}

struct Lowering<'db> {
    db: &'db dyn Db,
    project: Project,
    foreign: Vec<(SmolStr, Stub)>,
    /// By file and line.
    kept: FxHashMap<(FileId, u32), Vec<Kept>>,
    program: Program,
    files: FxHashMap<SourceFile, FileId>,
    events: FxHashMap<SmolStr, EventId>,
    params: FxHashMap<SmolStr, Value>,
    types: FxHashMap<Ty, TypeId>,
    shapes: FxHashMap<Type, TypeId>,
    names: FxHashMap<Vec<SmolStr>, NamesId>,
    fields: FxHashMap<SmolStr, FieldId>,
    enums: FxHashMap<SmolStr, crate::program::EnumId>,
    sets: FxHashMap<EventSet, EventSetId>,
    constants: FxHashMap<Value, ConstId>,
    created: FxHashMap<SmolStr, CreatedId>,
    machines: FxHashMap<Decl<'db>, MachineTypeId>,
    known: FxHashMap<Source<'db>, FunctionId>,
    /// Functions that are mentioned and not lowered yet.
    open: Vec<(FunctionId, Source<'db>)>,
}

impl<'db> Lowering<'db> {
    fn new(db: &'db dyn Db, project: Project, case: &TestCase<'db>, foreign: &[(SmolStr, Stub)]) -> Self {
        let mut files = FxHashMap::default();
        let mut paths = Vec::new();
        for file in project_files(db, project) {
            files.insert(file.file(db), FileId(number(paths.len())));
            paths.push(file.file(db).path(db).clone());
        }
        let program = Program {
            name: case.name.clone(),
            files: paths,
            events: Vec::new(),
            event_sets: Vec::new(),
            enums: Vec::new(),
            types: Vec::new(),
            field_names: Vec::new(),
            fields: Vec::new(),
            field_places: Vec::new(),
            interfaces: Vec::new(),
            machines: Vec::new(),
            monitors: Vec::new(),
            functions: Vec::new(),
            created_names: Vec::new(),
            constants: Vec::new(),
            abstractions: Vec::new(),
            main: InterfaceId(0),
        };
        Self {
            db,
            project,
            foreign: foreign.to_vec(),
            kept: FxHashMap::default(),
            program,
            files,
            events: FxHashMap::default(),
            params: FxHashMap::default(),
            types: FxHashMap::default(),
            shapes: FxHashMap::default(),
            names: FxHashMap::default(),
            fields: FxHashMap::default(),
            enums: FxHashMap::default(),
            sets: FxHashMap::default(),
            constants: FxHashMap::default(),
            created: FxHashMap::default(),
            machines: FxHashMap::default(),
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Where what is assigned is not told apart.
    fn abstractions(&mut self) {
        for file in project_files(self.db, self.project) {
            let Some(&id) = self.files.get(&file.file(self.db)) else { continue };
            for (line, kept) in abstractions(self.db, file.file(self.db)) {
                self.kept.entry((id, line)).or_default().extend(kept);
            }
        }
    }

    /// The declarations of one kind, in the order of the files.
    fn declarations(&self, kind: DeclKind) -> Vec<Decl<'db>> {
        let all = project_files(self.db, self.project).flat_map(|file| decls(self.db, file));
        all.filter(|decl| decl.kind(self.db) == kind).copied().collect()
    }

    fn declared(&self, decl: Decl<'db>) -> Result<Declared<'db>, NotRunnable> {
        let file = decl.file(self.db);
        let missing = || NotRunnable::Missing(format!("`{}`", decl.name(self.db)));
        let index = decls(self.db, file).iter().position(|known| *known == decl).ok_or_else(missing)?;
        let items = &file.file(self.db).parse(self.db).p().ok_or_else(missing)?.items;
        let item = items.get(index).ok_or_else(missing)?;
        let file = self.files.get(&file.file(self.db)).copied().ok_or_else(missing)?;
        Ok(Declared { item, file })
    }

    fn events(&mut self) {
        let nothing = self.shape(Type::Null);
        for name in ["null", "halt"] {
            self.program.events.push(Event { name: name.into(), payload: nothing });
        }
        self.events.insert("halt".into(), HALT);
        for decl in self.declarations(DeclKind::Event) {
            let payload = self.ty(lockstep_program::event_payload(self.db, decl));
            let name = decl.name(self.db).clone();
            let id = EventId(number(self.program.events.len()));
            self.events.entry(name.clone()).or_insert(id);
            self.program.events.push(Event { name, payload });
        }
    }

    fn params(&mut self, case: &TestCase<'_>) -> Result<(), NotRunnable> {
        for decl in self.declarations(DeclKind::Param) {
            let declared = self.declared(decl)?;
            let AstDecl::Param { names, ty } = &declared.item.value.decl else { continue };
            let ty = lockstep_program::written_type(self.db, self.project, declared.nodes(), *ty);
            let ty = self.ty(&ty);
            for name in names {
                let name = declared.nodes()[*name].0.clone();
                let given = case.params.iter().find(|(given, _)| *given == name).map(|(_, value)| match value {
                    ParamValue::Bool(value) => Value::Bool(*value),
                    ParamValue::Int(number) => Value::Int(*number),
                });
                let value = given.unwrap_or_else(|| self.default(ty));
                self.params.insert(name, value);
            }
        }
        Ok(())
    }

    /// Interfaces, monitors and what stands behind them.
    fn system(&mut self, module: &Module<'db>, main: &SmolStr) -> Result<(), NotRunnable> {
        let mut bound: Vec<(SmolStr, Decl<'db>, Vec<Link>)> =
            module.bindings.iter().map(|bound| (bound.interface.clone(), bound.machine, bound.links.clone())).collect();
        let main_decl = lookup(self.db, self.project, Space::Type, main).map(|def| def.decl);
        let main_decl = main_decl.ok_or_else(|| NotRunnable::Missing(format!("the machine `{main}`")))?;
        let own = bound.iter().position(|(name, _, _)| name == main);
        let position = own.or_else(|| bound.iter().position(|(_, machine, _)| *machine == main_decl));
        let position = position.unwrap_or_else(|| {
            // P starts the main machine of an implementation even if it is not part of its module.
            let link = |name: &SmolStr| Link { written: name.clone(), interface: name.clone() };
            bound.push((main.clone(), main_decl, machine_creates(self.db, main_decl).iter().map(link).collect()));
            bound.len() - 1
        });
        self.program.main = InterfaceId(number(position));
        for (name, machine, _) in &bound {
            let machine = self.machine(*machine)?;
            let receives = self.interface_receives(name);
            let (links, monitors) = (Vec::new(), Vec::new());
            self.program.interfaces.push(Interface { name: name.clone(), machine, receives, links, monitors });
        }
        for (index, (_, _, links)) in bound.iter().enumerate() {
            for link in links {
                let created = self.created(&link.written);
                let target = bound.iter().position(|(name, _, _)| *name == link.interface);
                let links = &mut self.program.interfaces[index].links;
                links.resize(links.len().max(created.index() + 1), None);
                links[created.index()] = target.map(|target| InterfaceId(number(target)));
            }
        }
        Ok(())
    }

    fn monitors(&mut self, module: &Module<'db>, specs: Specs) -> Result<(), NotRunnable> {
        match specs {
            Specs::Attached => {
                for AttachedSpec { spec, interfaces } in &module.specs {
                    self.monitor(*spec, Some(interfaces), false)?;
                }
            }
            Specs::All => {
                for spec in self.declarations(DeclKind::Spec) {
                    self.monitor(spec, None, false)?;
                }
            }
        }
        for scenario in self.declarations(DeclKind::Scenario) {
            self.monitor(scenario, None, true)?;
        }
        Ok(())
    }

    fn monitor(&mut self, spec: Decl<'db>, watched: Option<&[SmolStr]>, is_scenario: bool) -> Result<(), NotRunnable> {
        let machine = self.machine(spec)?;
        let declared = self.declared(spec)?;
        let AstDecl::Machine(ast) = &declared.item.value.decl else { return Ok(()) };
        let observes = ast.observes.iter().filter_map(|event| self.event(declared.nodes(), event)).collect();
        let id = MonitorId(number(self.program.monitors.len()));
        self.program.monitors.push(Monitor { machine, observes, is_scenario });
        for interface in &mut self.program.interfaces {
            if watched.is_none_or(|watched| watched.contains(&interface.name)) {
                interface.monitors.push(id);
            }
        }
        Ok(())
    }

    fn interface_receives(&mut self, name: &str) -> EventSetId {
        let decl = lookup(self.db, self.project, Space::Type, name).map(|def| def.decl);
        let events = match decl.map(|decl| (decl, decl.kind(self.db))) {
            Some((decl, DeclKind::Interface)) => lockstep_program::interface_events(self.db, decl),
            Some((decl, _)) => &machine_info(self.db, decl).receives,
            None => &lockstep_program::ty::Events::All,
        };
        self.event_set(events)
    }

    fn event(&self, nodes: &Nodes, event: &EventRef) -> Option<EventId> {
        match event.kind {
            EventKind::Null => Some(NULL_EVENT),
            EventKind::Halt => Some(HALT),
            EventKind::Declared => self.events.get(&nodes[event.name].0).copied(),
        }
    }

    fn created(&mut self, name: &SmolStr) -> CreatedId {
        if let Some(id) = self.created.get(name) {
            return *id;
        }
        let id = CreatedId(number(self.program.created_names.len()));
        self.program.created_names.push(name.clone());
        self.created.insert(name.clone(), id);
        id
    }

    fn constant(&mut self, value: Value) -> ConstId {
        if let Some(id) = self.constants.get(&value) {
            return *id;
        }
        let id = ConstId(number(self.program.constants.len()));
        self.program.constants.push(value.clone());
        self.constants.insert(value, id);
        id
    }

    /// The number of a function, which is lowered later if it is new.
    fn function(&mut self, source: Source<'db>) -> FunctionId {
        if let Some(id) = self.known.get(&source) {
            return *id;
        }
        let id = FunctionId(number(self.known.len()));
        self.known.insert(source.clone(), id);
        self.open.push((id, source));
        id
    }

    fn functions(&mut self) -> Result<(), NotRunnable> {
        let mut done = Vec::new();
        while let Some((id, source)) = self.open.pop() {
            done.push((id, body::lower_function(self, &source)?));
        }
        done.sort_by_key(|(id, _)| *id);
        self.program.functions = done.into_iter().map(|(_, function)| function).collect();
        Ok(())
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Lowering<'_> {
    /// What is not told apart in what the statement at this place assigns.
    fn kept_at(&mut self, place: Place) -> Vec<AbstractionId> {
        if self.kept.is_empty() {
            return Vec::new();
        }
        let file = project_files(self.db, self.project).nth(place.file.index());
        let line = file.map(|file| file.file(self.db).parse(self.db).text().line_of(place.range.start()));
        let kept = line.and_then(|line| self.kept.get(&(place.file, line))).cloned().unwrap_or_default();
        let mut ids = Vec::new();
        for Kept { field, values } in kept {
            let abstraction = Abstraction { field, values };
            let known = self.program.abstractions.iter().position(|known| *known == abstraction);
            let position = known.unwrap_or_else(|| {
                self.program.abstractions.push(abstraction);
                self.program.abstractions.len() - 1
            });
            ids.push(AbstractionId(number(position)));
        }
        ids
    }

    /// What stands for a function in another language.
    fn stub(&self, name: &str) -> Option<&Stub> {
        self.foreign.iter().find(|(known, _)| known == name).map(|(_, stub)| stub)
    }
}

fn body_number(body: BodyId) -> u32 {
    body.0
}
