//! Declarations that depend on themselves: enums that contain themselves, constants whose value asks for itself.

use crate::program::{Expr, Type};

use super::{Checker, More, codes};

impl Checker<'_> {
    pub(super) fn enums_without_cycle(&mut self) {
        let mut mentioned = Vec::new();
        for declared in &self.program.enums {
            let mut enums = Vec::new();
            for ty in declared.elements.iter().flat_map(|element| &element.payload) {
                enums_in(ty, &mut enums);
            }
            mentioned.push(enums);
        }
        for found in on_cycles(&mentioned) {
            let name = self.program.enums[found].name.clone();
            if let Some((_, range)) = self.globals.get(&name) {
                self.contains_itself(name, *range);
            }
        }
    }

    pub(super) fn constants_without_cycle(&mut self) {
        let mentioned: Vec<Vec<usize>> = self
            .program
            .consts
            .iter()
            .map(|constant| {
                let mut consts = Vec::new();
                constant.value.iter().for_each(|value| consts_in(value, &mut consts));
                consts
            })
            .collect();
        for found in on_cycles(&mentioned) {
            let constant = &self.program.consts[found];
            let message = format!("the value of `{}` depends on itself", constant.name);
            self.error(codes::CONTAINS_ITSELF, constant.range, message).help("leave the value out to make it a parameter");
        }
    }
}

fn enums_in(ty: &Type, found: &mut Vec<usize>) {
    match ty {
        Type::Enum(id) => found.push(id.index()),
        Type::Set(element) => enums_in(element, found),
        Type::Map(key, value) => {
            enums_in(key, found);
            enums_in(value, found);
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| enums_in(part, found)),
        Type::Record(fields) => fields.iter().for_each(|(_, ty)| enums_in(ty, found)),
        _ => {}
    }
}

fn consts_in(expr: &Expr, found: &mut Vec<usize>) {
    let mut rest = vec![expr];
    while let Some(expr) = rest.pop() {
        if let Expr::Const(id) = expr {
            found.push(id.index());
        }
        rest.extend(expr.children());
    }
}

/// One node of each cycle that a walk meets: where it closes.
fn on_cycles(edges: &[Vec<usize>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        Open,
        Done,
    }
    let mut states = vec![State::Unseen; edges.len()];
    let mut is_found = vec![false; edges.len()];
    let mut found = Vec::new();
    for first in 0..edges.len() {
        // A node and which of its edges comes next.
        let mut path = if states[first] == State::Unseen { vec![(first, 0)] } else { Vec::new() };
        while let Some((node, edge)) = path.last_mut() {
            states[*node] = State::Open;
            let Some(&target) = edges[*node].get(*edge) else {
                states[*node] = State::Done;
                path.pop();
                continue;
            };
            *edge += 1;
            match states[target] {
                State::Unseen => path.push((target, 0)),
                State::Open if !is_found[target] => {
                    is_found[target] = true;
                    found.push(target);
                }
                State::Open | State::Done => {}
            }
        }
    }
    found
}
