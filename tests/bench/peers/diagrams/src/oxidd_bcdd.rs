//! oxidd: a shared table of nodes with complement edges, counted references and one thread.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};

use crate::Engine;

/// Room for nodes and for results, which is taken from the start.
const NODES: usize = 1 << 24;
const RESULTS: usize = 1 << 20;

pub struct Diagrams {
    manager: BCDDManagerRef,
    variables: Vec<BCDDFunction>,
    constants: [BCDDFunction; 2],
}

impl Diagrams {
    pub fn new(count: usize) -> Self {
        let manager = oxidd::bcdd::new_manager(NODES, RESULTS, 1);
        let count = u32::try_from(count).expect("few variables");
        manager.with_manager_exclusive(|manager| manager.add_vars(count));
        let (variables, constants) = manager.with_manager_shared(|manager| {
            let variables = (0..count).map(|number| BCDDFunction::var(manager, number).expect("there is room"));
            (variables.collect(), [BCDDFunction::f(manager), BCDDFunction::t(manager)])
        });
        Self { manager, variables, constants }
    }
}

impl Engine for Diagrams {
    type Guard = BCDDFunction;

    fn input(&mut self, nodes: &[(u16, usize, usize)], is_true: bool) -> BCDDFunction {
        let mut all = self.constants.to_vec();
        for (variable, low, high) in nodes {
            let node = self.variables[usize::from(*variable)].ite(&all[*high], &all[*low]).expect("there is room");
            all.push(node);
        }
        if nodes.is_empty() { self.constants[usize::from(is_true)].clone() } else { all[all.len() - 1].clone() }
    }

    fn operate(&mut self, operation: char, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        let made = match operation {
            '&' => a.and(b),
            '|' => a.or(b),
            // What is in the second one only.
            '-' => b.imp_strict(a),
            _ => a.equiv(b),
        };
        made.expect("there is room")
    }

    fn and_some(&mut self, a: &BCDDFunction, b: &BCDDFunction, gone: &[u16]) -> BCDDFunction {
        let all = gone.iter().rev().fold(self.constants[1].clone(), |all, variable| {
            all.and(&self.variables[usize::from(*variable)]).expect("there is room")
        });
        a.apply_exists(BooleanOperator::And, b, &all).expect("there is room")
    }

    fn is_false(&self, guard: &BCDDFunction) -> bool {
        *guard == self.constants[0]
    }

    fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }
}
