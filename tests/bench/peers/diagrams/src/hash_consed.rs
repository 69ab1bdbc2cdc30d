//! One table of nodes for all diagrams, and a memory of results. Equal diagrams are the same number; nothing is ever forgotten.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Engine;

type Node = u32;

pub struct Diagrams {
    nodes: Vec<(u16, Node, Node)>,
    numbers: FxHashMap<(u16, Node, Node), Node>,
    results: FxHashMap<(char, Node, Node), Node>,
}

impl Default for Diagrams {
    fn default() -> Self {
        // The constants are below all variables.
        let nodes = vec![(u16::MAX, 0, 0), (u16::MAX, 1, 1)];
        Self { nodes, numbers: FxHashMap::default(), results: FxHashMap::default() }
    }
}

impl Diagrams {
    fn node(&mut self, variable: u16, low: Node, high: Node) -> Node {
        if low == high {
            return low;
        }
        let next = u32::try_from(self.nodes.len()).expect("too many nodes");
        let node = *self.numbers.entry((variable, low, high)).or_insert(next);
        if node == next {
            self.nodes.push((variable, low, high));
        }
        node
    }

    fn split(&self, variable: u16, node: Node) -> (Node, Node) {
        let (own, low, high) = self.nodes[node as usize];
        if own == variable { (low, high) } else { (node, node) }
    }

    fn applied(&mut self, operation: char, a: Node, b: Node) -> Node {
        let known = match (operation, a, b) {
            ('&', 0, _) | ('&', _, 0) | ('-', 0, _) | ('-', _, 1) => Some(0),
            ('&', 1, other) | ('&', other, 1) | ('|', 0, other) | ('|', other, 0) | ('-', other, 0) | ('=', other, 1) | ('=', 1, other) => {
                Some(other)
            }
            ('|', 1, _) | ('|', _, 1) => Some(1),
            ('&' | '|', a, b) if a == b => Some(a),
            ('-', a, b) if a == b => Some(0),
            ('=', a, b) if a == b => Some(1),
            _ => None,
        };
        if let Some(known) = known {
            return known;
        }
        let (a, b) = if operation == '-' { (a, b) } else { (a.min(b), a.max(b)) };
        if let Some(known) = self.results.get(&(operation, a, b)) {
            return *known;
        }
        let variable = self.nodes[a as usize].0.min(self.nodes[b as usize].0);
        let ((a_low, a_high), (b_low, b_high)) = (self.split(variable, a), self.split(variable, b));
        let low = self.applied(operation, a_low, b_low);
        let high = self.applied(operation, a_high, b_high);
        let result = self.node(variable, low, high);
        self.results.insert((operation, a, b), result);
        result
    }

    /// Both, without the variables that are gone. What is found is known for these variables only.
    fn both(&mut self, a: Node, b: Node, gone: &FxHashSet<u16>, last: u16, known: &mut FxHashMap<(Node, Node), Node>) -> Node {
        if a == 0 || b == 0 {
            return 0;
        }
        let (a, b) = (a.min(b), a.max(b));
        let variable = self.nodes[a as usize].0.min(self.nodes[b as usize].0);
        if variable > last {
            return self.applied('&', a, b);
        }
        if let Some(known) = known.get(&(a, b)) {
            return *known;
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.split(variable, a), self.split(variable, b));
        let low = self.both(a_low, b_low, gone, last, known);
        let result = if gone.contains(&variable) {
            if low == 1 {
                1
            } else {
                let high = self.both(a_high, b_high, gone, last, known);
                self.applied('|', low, high)
            }
        } else {
            let high = self.both(a_high, b_high, gone, last, known);
            self.node(variable, low, high)
        };
        known.insert((a, b), result);
        result
    }
}

impl Engine for Diagrams {
    type Guard = Node;

    fn input(&mut self, nodes: &[(u16, usize, usize)], is_true: bool) -> Node {
        let mut all = vec![0, 1];
        for (variable, low, high) in nodes {
            let node = self.node(*variable, all[*low], all[*high]);
            all.push(node);
        }
        if nodes.is_empty() { Node::from(is_true) } else { all[all.len() - 1] }
    }

    fn operate(&mut self, operation: char, a: &Node, b: &Node) -> Node {
        self.applied(operation, *a, *b)
    }

    fn and_some(&mut self, a: &Node, b: &Node, gone: &[u16]) -> Node {
        let last = gone.iter().max().copied();
        let gone = gone.iter().copied().collect();
        match last {
            Some(last) => self.both(*a, *b, &gone, last, &mut FxHashMap::default()),
            None => self.applied('&', *a, *b),
        }
    }

    fn is_false(&self, guard: &Node) -> bool {
        *guard == 0
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }
}
