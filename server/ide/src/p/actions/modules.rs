//! Modules and tests: what is missing in them, and what is there twice.

use lockstep_base::{Diagnostic, Edit, TextRange, TextSize};
use lockstep_program::{Decl, DeclKind, Space, evaluated, lookup, machine_creates};
use lockstep_syntax::p::ast::{Decl as AstDecl, Module, ModuleId, Test, Wise};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Proposal;
use super::site::{Site, Unit, insert, replace, size};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let fix = match finding.code {
        "LS0503" | "LS0513" => value_given_twice(site, finding),
        "LS0504" => strength(site, finding),
        "LS0505" | "LS0506" => filled(site, finding),
        "LS0616" | "LS0617" => union(site, finding),
        "LS1212" => without_pairs(site, finding),
        "LS1311" => not_hidden(site, finding),
        _ => None,
    };
    fix.into_iter().collect()
}

/// What a test or implementation consists of.
fn module_of(unit: &Unit<'_>) -> Option<ModuleId> {
    match &unit.item.value.decl {
        AstDecl::Test(test) => Some(test.module),
        AstDecl::Implementation { module, .. } => Some(*module),
        _ => None,
    }
}

fn test_of<'db>(unit: &Unit<'db>) -> Option<&'db Test> {
    match &unit.item.value.decl {
        AstDecl::Test(test) => Some(test),
        _ => None,
    }
}

/// With all that its machines create, and its main machine.
fn filled(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let module = module_of(&unit)?;
    let value = evaluated(site.db, unit.decl).module.as_ref()?;
    let mut missing: Vec<SmolStr> = value.unbound().cloned().collect();
    let main = test_of(&unit).map(|test| SmolStr::new(unit.nodes[test.main].as_str()));
    missing.extend(main.filter(|main| !value.is_bound(main)));
    let mut added: Vec<SmolStr> = Vec::new();
    let mut seen = FxHashSet::default();
    while let Some(name) = missing.pop() {
        if value.is_bound(&name) || !seen.insert(name.clone()) {
            continue;
        }
        // Which machine stands behind an interface only the author knows.
        let machine = machine_named(site, &name)?;
        missing.extend(machine_creates(site.db, machine).iter().cloned());
        added.push(name);
    }
    added.sort_unstable();
    let names = added.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let title = format!("add {names} to the module");
    (!added.is_empty()).then(|| site.fix(title, bound(site, &unit, module, &added)).preferred())
}

fn machine_named<'db>(site: &Site<'db>, name: &str) -> Option<Decl<'db>> {
    let decl = lookup(site.db, site.project(), Space::Type, name)?.decl;
    (decl.kind(site.db) == DeclKind::Machine).then_some(decl)
}

/// Machines in the first list of bindings, or in a list beside the module.
fn bound(site: &Site<'_>, unit: &Unit<'_>, module: ModuleId, added: &[SmolStr]) -> Vec<Edit> {
    let whole = unit.range(module);
    let lists = unit.nodes.modules.iter().filter(|(id, _)| whole.contains_range(unit.range(*id)));
    let last = { lists }.find_map(|(_, module)| match module {
        Module::Bindings(bindings) => bindings.last().map(|binding| unit.range(binding.part)),
        _ => None,
    });
    match last {
        Some(last) => vec![insert(last.end(), added.iter().map(|name| format!(", {name}")).collect::<String>())],
        None => {
            let text = site.slice(whole);
            vec![replace(whole, format!("(union {text}, {{ {} }})", added.join(", ")))]
        }
    }
}

/// A value of a parameter that is there already.
fn value_given_twice(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    for param in &test_of(&unit)?.params {
        let ranges: Vec<TextRange> = param.values.iter().map(|value| unit.range(*value)).collect();
        let texts: Vec<String> = ranges.iter().map(|range| site.slice(*range)).collect();
        let twice = (0..texts.len()).filter(|index| texts[..*index].contains(&texts[*index]));
        let is_here = |index: &usize| finding.code == "LS0513" || ranges[*index] == finding.range;
        if let Some(index) = { twice }.find(is_here) {
            let edit = site.removal_from_list(&ranges, index)?;
            return Some(site.fix("remove the second one", [edit]).preferred());
        }
    }
    None
}

fn strength(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let test = test_of(&unit)?;
    let Some(Wise::Strength(written)) = test.wise else { return None };
    let most = test.params.len();
    let is_more = unit.nodes[written].as_str().parse::<usize>().is_ok_and(|written| written > most);
    (is_more && most >= 2)
        .then(|| site.fix(format!("combine {most} of them"), [replace(unit.range(written), most.to_string())]).preferred())
}

fn without_pairs(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let test = test_of(&unit)?;
    let head = TextRange::new(unit.whole().start(), unit.range(test.name).start());
    let text = site.slice(head);
    let at = match test.wise? {
        Wise::Pairwise => text.rfind("pairwise")?,
        Wise::Strength(_) => return None,
    };
    let rest = &text[at + "pairwise".len()..];
    let length = "pairwise".len() + rest.len() - rest.trim_start().len();
    let range = TextRange::at(head.start() + size(at), size(length));
    Some(site.fix("take `pairwise` away", [replace(range, "")]).preferred())
}

/// A union may have the same sends and creations twice.
fn union(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let modules = unit.nodes.modules.iter();
    let composed = { modules }.rfind(|(_, module)| match module {
        Module::Compose(parts) => parts.iter().any(|part| unit.range(*part) == finding.range),
        _ => false,
    });
    let range = unit.range(composed?.0);
    let word = TextRange::at(range.start(), TextSize::of("compose"));
    (site.slice(word) == "compose").then(|| site.fix("make it a union", [replace(word, "union")]))
}

fn not_hidden(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let modules = unit.nodes.modules.iter();
    let (outer, inner) = modules
        .filter_map(|(id, module)| match module {
            Module::HideEvents { module, .. } => Some((id, *module)),
            _ => None,
        })
        .find(|(id, _)| unit.range(*id) == finding.range)?;
    let head = TextRange::new(unit.range(outer).start(), unit.range(inner).start());
    Some(site.fix("do not hide events", [replace(head, "")]))
}
