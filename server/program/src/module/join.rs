//! `union` and `compose`: modules put together.
//!
//! P compares every module with every other. Here each is compared with all before it taken together, which finds the same and
//! takes time in proportion to what is put together.

use std::sync::Arc;

use lockstep_syntax::p::ast::ModuleId;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::alphabet::Alphabet;
use super::eval::Evaluator;
use super::value::{Module, add_names};
use crate::declaration::Decl;
use crate::problem::{Code, Problem};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Union,
    /// In addition, nothing is sent or created by two of them.
    Compose,
}

/// What the modules so far have, and where it was first.
struct Before<'db> {
    bound: FxHashMap<SmolStr, ModuleId>,
    created: FxHashMap<SmolStr, ModuleId>,
    specs: FxHashMap<Decl<'db>, ModuleId>,
    sends: Alphabet,
}

impl<'db> Evaluator<'_, 'db> {
    pub(super) fn join(&mut self, how: Join, operands: &[ModuleId]) -> Option<Arc<Module<'db>>> {
        let mut before = Before {
            bound: FxHashMap::default(),
            created: FxHashMap::default(),
            specs: FxHashMap::default(),
            sends: Alphabet::none(),
        };
        let mut modules: Vec<(ModuleId, Arc<Module<'db>>)> = Vec::new();
        let mut is_right = true;
        for &operand in operands {
            let Some(module) = self.module(operand) else {
                is_right = false;
                continue;
            };
            if let Some(problem) = self.clash(how, operand, &module, &before, &modules) {
                self.problems.push(problem);
                is_right = false;
                continue;
            }
            before.add(operand, &module);
            modules.push((operand, module));
        }
        let is_right = self.check_private_events(&modules) && is_right;
        is_right.then(|| Arc::new(joined(modules)))
    }

    /// The first thing that keeps a module from being put together with those before it.
    fn clash(
        &self,
        how: Join,
        operand: ModuleId,
        module: &Module<'db>,
        before: &Before<'db>,
        modules: &[(ModuleId, Arc<Module<'db>>)],
    ) -> Option<Problem<'db>> {
        let bound = module.bindings.iter().find_map(|bound| Some((&bound.interface, *before.bound.get(&bound.interface)?)));
        if let Some((name, first)) = bound {
            let message = format!("`{name}` is bound in two of the modules that are put together");
            let problem = Problem::new(Code::BoundInBoth, operand, message);
            return Some(problem.with_related(self.decl, first, "this one binds it already"));
        }
        let spec = module.specs.iter().find_map(|attached| Some((attached.spec, *before.specs.get(&attached.spec)?)));
        if let Some((spec, first)) = spec {
            let name = spec.name(self.db);
            let message = format!("the spec `{name}` is attached to two of the modules that are put together");
            let problem = Problem::new(Code::SpecInBoth, operand, message)
                .with_help(format!("attach it to the whole: `assert {name} in (union ...)`"));
            return Some(problem.with_related(self.decl, first, "it is attached to this one already"));
        }
        if how == Join::Union {
            return None;
        }
        if let Some(event) = before.sends.common(&module.sends, self.db, self.project) {
            let all = |alphabet: &Alphabet| matches!(alphabet, Alphabet::AllBut(missing) if missing.is_empty());
            let what = match all(&before.sends) && all(&module.sends) {
                true => "every event".to_owned(),
                false => format!("`{event}`"),
            };
            let message = format!("two of the modules that are composed may send {what}");
            let mut problem = Problem::new(Code::SentByBoth, operand, message)
                .with_help("use `union`, or say in each machine which events it sends: `sends ...;`");
            if let Some((first, _)) = modules.iter().find(|(_, other)| other.sends.contains(&event)) {
                problem = problem.with_related(self.decl, *first, "this one may send it too");
            }
            return Some(problem);
        }
        let (name, first) = module.creates.iter().find_map(|name| Some((name, *before.created.get(name)?)))?;
        let message = format!("`{name}` is created by two of the modules that are composed");
        let problem = Problem::new(Code::CreatedByBoth, operand, message).with_help("use `union`");
        Some(problem.with_related(self.decl, first, "this one creates it too"))
    }
}

impl<'db> Before<'db> {
    fn add(&mut self, operand: ModuleId, module: &Module<'db>) {
        for bound in &module.bindings {
            self.bound.entry(bound.interface.clone()).or_insert(operand);
        }
        for name in &module.creates {
            self.created.entry(name.clone()).or_insert(operand);
        }
        for attached in &module.specs {
            self.specs.entry(attached.spec).or_insert(operand);
        }
        self.sends.add(&module.sends);
    }
}

fn joined<'db>(modules: Vec<(ModuleId, Arc<Module<'db>>)>) -> Module<'db> {
    let (mut sends, mut receives) = (Alphabet::none(), Alphabet::none());
    let (mut private_events, mut private_interfaces) = (Vec::new(), Vec::new());
    let (mut bindings, mut specs) = (Vec::new(), Vec::new());
    for (_, module) in modules {
        sends.add(&module.sends);
        receives.add(&module.receives);
        add_names(&mut private_events, &module.private_events);
        add_names(&mut private_interfaces, &module.private_interfaces);
        bindings.extend_from_slice(&module.bindings);
        specs.extend_from_slice(&module.specs);
    }
    Module { specs, private_events, private_interfaces, ..Module::new(bindings, sends, receives) }
}
