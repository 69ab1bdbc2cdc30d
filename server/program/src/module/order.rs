//! In which order modules are evaluated, and which contain themselves.

/// Numbers of nodes such that each comes after all it depends on, apart from circles; and for each node whether it is part of a
/// circle. This is Tarjan's algorithm with a stack of its own, because modules can be chained in thousands.
pub(super) fn evaluation_order(dependencies: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    let count = dependencies.len();
    let mut search = Search {
        dependencies,
        number: vec![UNSEEN; count],
        lowest: vec![UNSEEN; count],
        is_open: vec![false; count],
        open: Vec::new(),
        order: Vec::with_capacity(count),
        is_circular: vec![false; count],
    };
    let mut seen = 0;
    for node in 0..count {
        if search.number[node] == UNSEEN {
            search.visit(node, &mut seen);
        }
    }
    (search.order, search.is_circular)
}

const UNSEEN: usize = usize::MAX;

struct Search<'a> {
    dependencies: &'a [Vec<usize>],
    /// When a node was first seen.
    number: Vec<usize>,
    /// The smallest number that can be reached from a node among those that are open.
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    order: Vec<usize>,
    is_circular: Vec<bool>,
}

impl Search<'_> {
    fn visit(&mut self, root: usize, seen: &mut usize) {
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if *next == 0 {
                self.number[node] = *seen;
                self.lowest[node] = *seen;
                *seen += 1;
                self.open.push(node);
                self.is_open[node] = true;
            }
            if let Some(&dependency) = self.dependencies[node].get(*next) {
                *next += 1;
                self.is_circular[node] |= dependency == node;
                if self.number[dependency] == UNSEEN {
                    path.push((dependency, 0));
                } else if self.is_open[dependency] {
                    self.lowest[node] = self.lowest[node].min(self.number[dependency]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
            }
            if self.lowest[node] == self.number[node] {
                self.close(node);
            }
        }
    }

    /// All that was opened since `root` reaches it and is reached from it.
    fn close(&mut self, root: usize) {
        let start = self.open.iter().rposition(|node| *node == root).unwrap_or(0);
        let group = self.open.split_off(start);
        for &node in &group {
            self.is_open[node] = false;
            self.is_circular[node] |= group.len() > 1;
        }
        self.order.extend(group);
    }
}
