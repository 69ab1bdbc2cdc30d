//! The declarations of a file as a tree, for outlines and searches.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::p::ast::{Decl, EventRef, GroupKind, Item, Machine, MachineKind, NameId, Placed, StateItemKind};
use lockstep_syntax::{Parse, icet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Type,
    Enum,
    EnumElement,
    Event,
    Interface,
    Machine,
    Spec,
    Variable,
    Constant,
    Function,
    State,
    Handler,
    Module,
    Test,
    Proof,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    pub detail: Option<String>,
    /// All of it.
    pub range: TextRange,
    /// Its name.
    pub name_range: TextRange,
    pub children: Vec<Symbol>,
}

/// The declarations of a text, in order.
pub fn document_symbols(parse: &Parse) -> Vec<Symbol> {
    let p = parse.p().into_iter().flat_map(|file| &file.items).flat_map(p_symbols);
    let icet = parse.icet().into_iter().flat_map(|file| &file.items).flat_map(icet_symbols);
    p.chain(icet).filter(|symbol| !symbol.name.is_empty()).collect()
}

fn p_symbols(item: &Placed<Item>) -> Vec<Symbol> {
    let symbols = ItemSymbols { item: &item.value, start: item.start };
    let one = |name, kind, detail: &str| vec![symbols.whole(name, kind, detail)];
    match &item.value.decl {
        Decl::Type { name, .. } => one(*name, SymbolKind::Type, "type"),
        Decl::Enum { name, elements } => {
            let mut symbol = symbols.whole(*name, SymbolKind::Enum, "enum");
            symbol.children = elements.iter().map(|element| symbols.part(element.name, SymbolKind::EnumElement, "")).collect();
            vec![symbol]
        }
        Decl::Event { name, .. } => one(*name, SymbolKind::Event, "event"),
        Decl::EventSet { name, .. } => one(*name, SymbolKind::Event, "event set"),
        Decl::Interface { name, .. } => one(*name, SymbolKind::Interface, "interface"),
        Decl::Machine(machine) => vec![symbols.machine(machine)],
        Decl::Function(function) => one(function.name, SymbolKind::Function, "function"),
        Decl::Param { names, .. } => {
            names.iter().map(|name| symbols.part(*name, SymbolKind::Constant, "test parameter")).collect()
        }
        Decl::Module { name, .. } => one(*name, SymbolKind::Module, "module"),
        Decl::Implementation { name, .. } => one(*name, SymbolKind::Module, "implementation"),
        Decl::Test(test) => one(test.name, SymbolKind::Test, "test"),
        Decl::Pure { name, .. } => one(*name, SymbolKind::Function, "pure function"),
        Decl::Invariant(invariant) => one(invariant.name, SymbolKind::Proof, "invariant"),
        Decl::InvariantGroup { kind, name, invariants } => {
            let detail = if *kind == GroupKind::Lemma { "lemma" } else { "theorem" };
            let mut symbol = symbols.whole(*name, SymbolKind::Proof, detail);
            let children = invariants.iter();
            symbol.children = children.map(|invariant| symbols.part(invariant.name, SymbolKind::Proof, "invariant")).collect();
            vec![symbol]
        }
        Decl::Proof { name: Some(name), .. } => one(*name, SymbolKind::Proof, "proof"),
        Decl::Axiom { .. } | Decl::InitCondition { .. } | Decl::Proof { name: None, .. } => Vec::new(),
    }
}

struct ItemSymbols<'i> {
    item: &'i Item,
    start: TextSize,
}

impl ItemSymbols<'_> {
    /// The item itself.
    fn whole(&self, name: NameId, kind: SymbolKind, detail: &str) -> Symbol {
        self.symbol(name, kind, detail, TextRange::up_to(self.item.len))
    }

    /// Something in it of which only the name has a place.
    fn part(&self, name: NameId, kind: SymbolKind, detail: &str) -> Symbol {
        self.symbol(name, kind, detail, self.item.spans[name])
    }

    fn symbol(&self, name: NameId, kind: SymbolKind, detail: &str, range: TextRange) -> Symbol {
        Symbol {
            name: self.item.nodes[name].as_str().to_owned(),
            kind,
            detail: (!detail.is_empty()).then(|| detail.to_owned()),
            range: range + self.start,
            name_range: self.item.spans[name] + self.start,
            children: Vec::new(),
        }
    }

    fn machine(&self, machine: &Machine) -> Symbol {
        let (kind, detail) = match machine.kind {
            MachineKind::Machine => (SymbolKind::Machine, "machine"),
            MachineKind::Spec => (SymbolKind::Spec, "spec"),
            MachineKind::Scenario => (SymbolKind::Spec, "scenario"),
        };
        let mut symbol = self.whole(machine.name, kind, detail);
        for var in &machine.vars {
            symbol.children.extend(var.names.iter().map(|name| self.part(*name, SymbolKind::Variable, "variable")));
        }
        for function in &machine.functions {
            symbol.children.push(self.symbol(function.name, SymbolKind::Function, "function", self.item.spans[function.part]));
        }
        for state in &machine.states {
            let detail = if state.is_start { "start state" } else { "state" };
            let mut child = self.symbol(state.name, SymbolKind::State, detail, self.item.spans[state.part]);
            child.children = state.items.iter().filter_map(|item| self.handler(item.part, &item.kind)).collect();
            symbol.children.push(child);
        }
        symbol.children.retain(|child| !child.name.is_empty());
        symbol.children.sort_by_key(|child| child.range.start());
        symbol
    }

    fn handler(&self, part: lockstep_syntax::p::ast::PartId, kind: &StateItemKind) -> Option<Symbol> {
        let events =
            |events: &[EventRef]| events.iter().map(|event| self.item.nodes[event.name].as_str()).collect::<Vec<_>>().join(", ");
        let name = match kind {
            StateItemKind::Entry(_) => "entry".to_owned(),
            StateItemKind::Exit(_) => "exit".to_owned(),
            StateItemKind::OnDo { events: on, .. } => format!("on {}", events(on)),
            StateItemKind::OnGoto { events: on, target, .. } => {
                format!("on {} goto {}", events(on), self.item.nodes[*target].as_str())
            }
            StateItemKind::Defer(_) | StateItemKind::Ignore(_) => return None,
        };
        let range = self.item.spans[part] + self.start;
        Some(Symbol { name, kind: SymbolKind::Handler, detail: None, range, name_range: range, children: Vec::new() })
    }
}

fn icet_symbols(item: &Placed<icet::ast::Item>) -> Vec<Symbol> {
    use icet::ast::Decl as Icet;
    let value = &item.value;
    let symbol = |name: icet::ast::NameId, kind, detail: &str, range: TextRange| Symbol {
        name: value.nodes[name].as_str().to_owned(),
        kind,
        detail: Some(detail.to_owned()),
        range: range + item.start,
        name_range: value.spans[name] + item.start,
        children: Vec::new(),
    };
    let whole = TextRange::up_to(value.len);
    match &value.decl {
        Icet::Type { name, .. } => vec![symbol(*name, SymbolKind::Type, "type", whole)],
        Icet::Enum { name, elements } => {
            let mut all = symbol(*name, SymbolKind::Enum, "enum", whole);
            let element = |element: &icet::ast::EnumElement| {
                symbol(element.name, SymbolKind::EnumElement, "element", value.spans[element.name])
            };
            all.children = elements.iter().map(element).collect();
            vec![all]
        }
        Icet::Message { name, .. } => vec![symbol(*name, SymbolKind::Event, "message", whole)],
        Icet::Set { name, .. } => vec![symbol(*name, SymbolKind::Constant, "set of processes", whole)],
        Icet::Const { name, .. } => vec![symbol(*name, SymbolKind::Constant, "constant", whole)],
        Icet::Var(var) => {
            var.names.iter().map(|name| symbol(*name, SymbolKind::Variable, "variable", value.spans[*name])).collect()
        }
        Icet::Process { name, .. } => vec![symbol(*name, SymbolKind::Machine, "process", whole)],
        Icet::Invariant(claim) | Icet::Ensures(claim) => {
            claim.name.iter().map(|name| symbol(*name, SymbolKind::Proof, "invariant", whole)).collect()
        }
        Icet::Sequential(_) | Icet::Assume(_) => Vec::new(),
    }
}
