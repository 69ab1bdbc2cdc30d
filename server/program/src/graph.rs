//! Circles in a graph, without recursion.

/// Groups of nodes that can reach each other, those that others lead to first. A node in no circle is a group of its own.
pub(crate) fn groups(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        edges,
        number: vec![None; edges.len()],
        low: vec![0; edges.len()],
        open: Vec::new(),
        groups: Vec::new(),
        met: 0,
    };
    for node in 0..edges.len() {
        if search.number[node].is_none() {
            search.from(node);
        }
    }
    search.groups
}

/// Tarjan's search.
struct Search<'e> {
    edges: &'e [Vec<usize>],
    /// In which order nodes were met.
    number: Vec<Option<usize>>,
    /// The first met of those that a node leads to and that are not in a group yet; a node in a group has `usize::MAX`.
    low: Vec<usize>,
    open: Vec<usize>,
    groups: Vec<Vec<usize>>,
    met: usize,
}

impl Search<'_> {
    fn from(&mut self, root: usize) {
        // Nodes on the way, each with how many of its edges were followed.
        let mut way = vec![(root, 0)];
        while let Some((node, followed)) = way.pop() {
            if followed == 0 {
                (self.number[node], self.low[node]) = (Some(self.met), self.met);
                self.met += 1;
                self.open.push(node);
            }
            if let Some(&next) = self.edges[node].get(followed) {
                way.push((node, followed + 1));
                match self.number[next] {
                    None => way.push((next, 0)),
                    Some(number) if self.low[next] != usize::MAX => self.low[node] = self.low[node].min(number),
                    Some(_) => {}
                }
                continue;
            }
            if Some(self.low[node]) == self.number[node] {
                self.close(node);
            } else if let Some(&(before, _)) = way.last() {
                self.low[before] = self.low[before].min(self.low[node]);
            }
        }
    }

    fn close(&mut self, first: usize) {
        let mut group = Vec::new();
        while let Some(node) = self.open.pop() {
            self.low[node] = usize::MAX;
            group.push(node);
            if node == first {
                break;
            }
        }
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn circles_are_groups_and_come_after_what_they_lead_to() {
        assert_eq!(groups(&[vec![1], vec![2], vec![1, 3], vec![]]), [vec![3], vec![2, 1], vec![0]]);
        assert_eq!(groups(&[vec![0], vec![0]]), [vec![0], vec![1]]);
        // Two circles that share a node.
        assert_eq!(groups(&[vec![1, 2], vec![0], vec![0]]), [vec![2, 1, 0]]);
    }

    #[test]
    fn long_chains_and_circles_need_no_stack() {
        const LENGTH: usize = 200_000;
        let chain: Vec<Vec<usize>> = (0..LENGTH).map(|node| if node + 1 < LENGTH { vec![node + 1] } else { vec![] }).collect();
        assert_eq!(groups(&chain).len(), LENGTH);
        let circle: Vec<Vec<usize>> = (0..LENGTH).map(|node| vec![(node + 1) % LENGTH]).collect();
        assert_eq!(groups(&circle).len(), 1);
    }
}
