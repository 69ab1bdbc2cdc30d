//! Declares what can be used before it is written.

use std::ops::Range;

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::icet::ast::{Decl, Item, NameId, Part, Type, TypeId, Var};

use super::{DeclId, Declaration, NameKind, Program, Role, Target, Ty, Use};

impl Program<'_> {
    /// Declares all that items declare for others, and gives for each item which declarations came from it.
    pub(super) fn declare_items(&mut self) -> Vec<Range<DeclId>> {
        let file = self.file;
        let mut ranges = Vec::new();
        for (index, placed) in file.items.iter().enumerate() {
            let first = self.declarations.len();
            let mut declare = Declare { program: self, item: &placed.value, index, start: placed.start, process: None };
            declare.item();
            declare.fields();
            ranges.push(first..self.declarations.len());
        }
        ranges
    }

    /// Adds a declaration and its place; nothing for a hole.
    pub(super) fn declare(&mut self, declaration: Declaration, process: Option<DeclId>) -> Option<DeclId> {
        if declaration.name.is_empty() || declaration.range.is_empty() {
            return None;
        }
        let id = self.declarations.len();
        self.uses.push(Use { range: declaration.range, role: Role::Declare, target: Target::Declared(id), process });
        self.declarations.push(declaration);
        Some(id)
    }
}

struct Declare<'a, 'p> {
    program: &'a mut Program<'p>,
    item: &'p Item,
    index: usize,
    start: TextSize,
    /// The process that the item is.
    process: Option<DeclId>,
}

impl Declare<'_, '_> {
    fn item(&mut self) {
        let item = self.item;
        match &item.decl {
            Decl::Type { name, .. } => _ = self.global(*name, NameKind::Type, Ty::Unknown, None),
            Decl::Enum { name, elements } => {
                let owner = self.global(*name, NameKind::Enum, Ty::Unknown, None);
                for element in elements {
                    let ty = owner.map_or(Ty::Unknown, Ty::Enum);
                    let id = self.global(element.name, NameKind::EnumElement, ty, owner);
                    self.payload(&element.payload, id);
                }
            }
            Decl::Message { name, payload } => {
                let id = self.global(*name, NameKind::Message, Ty::Unknown, None);
                self.payload(payload, id);
            }
            Decl::Set { name, .. } => {
                if let Some(id) = self.global(*name, NameKind::Set, Ty::Unknown, None) {
                    self.program.declarations[id].ty = self.program.set_of(Ty::Member(id));
                }
            }
            Decl::Const { name, ty, value } => {
                if let Some(id) = self.global(*name, NameKind::Constant, self.written(*ty), None) {
                    self.program.declarations[id].rest = Some(self.typed(*ty, *value));
                }
            }
            Decl::Var(var) => {
                for name in &var.names {
                    if let Some(id) = self.global(*name, NameKind::SharedGhost, self.written(var.ty), None) {
                        self.program.declarations[id].rest = Some(self.typed(var.ty, var.value));
                    }
                }
            }
            Decl::Process { name, set, body } => {
                self.process(*name, *set);
                self.variables(&body.vars);
            }
            Decl::Sequential(body) => self.variables(&body.vars),
            Decl::Assume(_) | Decl::Invariant(_) | Decl::Ensures(_) => {}
        }
    }

    fn process(&mut self, name: NameId, set: Option<NameId>) {
        let id = match set {
            None => self.global(name, NameKind::Process, Ty::Unknown, None),
            Some(_) => self.add(name, NameKind::Process, self.whole(), Ty::Unknown, None),
        };
        self.process = id;
        let Some(id) = id else { return };
        self.program.declarations[id].ty = Ty::Process(id);
        if let Some(set) = set.map(|set| &self.item.nodes[set]).filter(|set| !set.is_missing()) {
            self.program.process_of_set.entry(set.0.clone()).or_insert(id);
        }
    }

    fn variables(&mut self, vars: &[Var]) {
        for var in vars {
            let kind = if var.is_ghost { NameKind::Ghost } else { NameKind::Variable };
            for name in &var.names {
                let id = self.add(*name, kind, self.whole(), self.written(var.ty), self.process);
                let Some(id) = id else { continue };
                self.program.declarations[id].rest = Some(self.typed(var.ty, var.value));
                if let Some(process) = self.process {
                    let name = self.program.declarations[id].name.clone();
                    self.program.variables.entry((process, name)).or_insert(id);
                }
            }
        }
    }

    fn payload(&mut self, parts: &[Part], owner: Option<DeclId>) {
        for part in parts {
            let Some(name) = part.name else { continue };
            let nowhere = TextRange::empty(self.place(name).start());
            if let Some(id) = self.add(name, NameKind::Part, nowhere, self.written(part.ty), owner) {
                self.program.declarations[id].rest = Some(self.typed(part.ty, None));
            }
        }
    }

    /// The fields of all record types that are written in the item.
    fn fields(&mut self) {
        let item = self.item;
        for (ty, node) in item.nodes.types.iter() {
            let Type::Record(fields) = node else { continue };
            for field in fields {
                let nowhere = TextRange::empty(self.place(field.name).start());
                let id = self.add(field.name, NameKind::Field, nowhere, self.written(field.ty), None);
                let Some(id) = id else { continue };
                self.program.declarations[id].rest = Some(self.typed(field.ty, None));
                let name = self.program.declarations[id].name.clone();
                self.program.fields.entry((self.index, ty, name)).or_insert(id);
            }
        }
    }

    fn global(&mut self, name: NameId, kind: NameKind, ty: Ty, owner: Option<DeclId>) -> Option<DeclId> {
        let everywhere = TextRange::up_to(self.program.text.len());
        let id = self.add(name, kind, everywhere, ty, owner)?;
        let name = self.program.declarations[id].name.clone();
        self.program.globals.entry(name).or_insert(id);
        Some(id)
    }

    fn add(&mut self, name: NameId, kind: NameKind, scope: TextRange, ty: Ty, owner: Option<DeclId>) -> Option<DeclId> {
        let declaration = Declaration {
            name: self.item.nodes[name].0.clone(),
            range: self.place(name),
            kind,
            item: self.index,
            scope,
            owner,
            ty,
            rest: None,
        };
        self.program.declare(declaration, self.process)
    }

    fn place(&self, name: NameId) -> TextRange {
        self.item.spans[name] + self.start
    }

    fn whole(&self) -> TextRange {
        TextRange::at(self.start, self.item.len)
    }

    fn written(&self, ty: TypeId) -> Ty {
        Ty::Written { item: self.index, ty }
    }

    /// A type with the value behind it.
    fn typed(&self, ty: TypeId, value: Option<lockstep_syntax::icet::ast::ExprId>) -> TextRange {
        let ty = self.item.spans[ty];
        value.map_or(ty, |value| ty.cover(self.item.spans[value])) + self.start
    }
}
