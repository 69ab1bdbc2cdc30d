//! Tests and modules.

use tree_sitter::{Node, TreeCursor};

use super::super::ast::*;
use super::super::kinds::{Field, Kind, TABLE};
use super::Lower;

impl Lower<'_> {
    pub(super) fn test(&mut self, cursor: &mut TreeCursor<'_>) -> Test {
        let node = cursor.node();
        let (mut name, mut main, mut params, mut assume, mut wise) = (None, None, Vec::new(), None, None);
        let (mut module, mut refines) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Main => main = Some(this.name(cursor.node())),
            Field::Params => this.children(cursor, |this, field, cursor| {
                if field == Field::Param {
                    params.push(this.test_param(cursor));
                }
            }),
            Field::Assume => assume = Some(this.expr(cursor)),
            Field::Wise => wise = Some(this.wise(cursor)),
            Field::Module => module = Some(this.module(cursor)),
            Field::Refines => refines = Some(this.module(cursor)),
            _ => {}
        });
        Test {
            name: self.name_or_missing(name, node),
            main: self.name_or_missing(main, node),
            params,
            assume,
            wise,
            module: self.module_or_missing(module, node),
            refines,
        }
    }

    pub(super) fn test_param(&mut self, cursor: &mut TreeCursor<'_>) -> TestParam {
        let node = cursor.node();
        let (mut name, mut values) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Value => values.push(this.expr(cursor)),
            _ => {}
        });
        TestParam { part: self.part(node), name: self.name_or_missing(name, node), values }
    }

    pub(super) fn wise(&mut self, cursor: &mut TreeCursor<'_>) -> Wise {
        let mut wise = Wise::Pairwise;
        self.children(cursor, |this, field, cursor| {
            if field == Field::Strength {
                wise = Wise::Strength(this.written(cursor.node()));
            }
        });
        wise
    }

    pub(super) fn module_decl(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut value) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Value => value = Some(this.module(cursor)),
            _ => {}
        });
        Decl::Module { name: self.name_or_missing(name, node), value: self.module_or_missing(value, node) }
    }

    pub(super) fn implementation(&mut self, cursor: &mut TreeCursor<'_>) -> Decl {
        let node = cursor.node();
        let (mut name, mut main, mut module) = (None, None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Name => name = Some(this.name(cursor.node())),
            Field::Main => main = Some(this.name(cursor.node())),
            Field::Module => module = Some(this.module(cursor)),
            _ => {}
        });
        Decl::Implementation { name: self.name_or_missing(name, node), main, module: self.module_or_missing(module, node) }
    }

    pub(super) fn module(&mut self, cursor: &mut TreeCursor<'_>) -> ModuleId {
        let node = cursor.node();
        let module = self.nested(node, |this| this.module_node(cursor)).unwrap_or(Module::Missing);
        let span = self.span(node);
        self.nodes.add_module(&mut self.spans, module, span)
    }

    pub(super) fn module_node(&mut self, cursor: &mut TreeCursor<'_>) -> Module {
        let node = cursor.node();
        let kind = TABLE.kind(node);
        if kind == Kind::ModuleName {
            return Module::Named(self.name(node));
        }
        let (mut modules, mut bindings, mut events, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Module => modules.push(this.module(cursor)),
            Field::Binding => bindings.push(this.binding(cursor)),
            Field::Event => events.push(this.event(cursor.node())),
            Field::Interface | Field::Spec | Field::From | Field::To | Field::Machine => names.push(this.name(cursor.node())),
            _ => {}
        });
        if let Kind::ComposeModule | Kind::UnionModule = kind {
            return if kind == Kind::ComposeModule { Module::Compose(modules) } else { Module::Union(modules) };
        }
        if kind == Kind::BindingModule {
            return Module::Bindings(bindings);
        }
        let module = self.module_or_missing(modules.first().copied(), node);
        let mut names = names.into_iter();
        match kind {
            Kind::ParenthesizedModule => Module::Paren(module),
            Kind::HideEventsModule => Module::HideEvents { events, module },
            Kind::HideInterfacesModule => Module::HideInterfaces { interfaces: names.collect(), module },
            Kind::AssertModule => Module::Assert { specs: names.collect(), module },
            Kind::RenameModule => {
                let from = self.name_or_missing(names.next(), node);
                Module::Rename { from, to: self.name_or_missing(names.next(), node), module }
            }
            Kind::MainModule => Module::Main { machine: self.name_or_missing(names.next(), node), module },
            _ => Module::Missing,
        }
    }

    pub(super) fn binding(&mut self, cursor: &mut TreeCursor<'_>) -> Binding {
        let node = cursor.node();
        let (mut machine, mut interface) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Machine => machine = Some(this.name(cursor.node())),
            Field::Interface => interface = Some(this.name(cursor.node())),
            _ => {}
        });
        Binding { part: self.part(node), machine: self.name_or_missing(machine, node), interface }
    }

    pub(super) fn module_or_missing(&mut self, module: Option<ModuleId>, node: Node<'_>) -> ModuleId {
        let span = self.end_of(node);
        module.unwrap_or_else(|| self.nodes.add_module(&mut self.spans, Module::Missing, span))
    }
}
