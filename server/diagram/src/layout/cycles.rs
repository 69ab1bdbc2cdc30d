//! Which arrows must be turned around so that there is no circle.

/// For each line between two different boxes whether it is turned around: those that lead back to a box on the way of a search in depth.
/// The search begins with `roots`, so what people read first stays at the top.
pub(super) fn turned(count: usize, lines: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Never,
        OnTheWay,
        Done,
    }
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, (from, _)) in lines.iter().enumerate() {
        leaving[*from].push(number);
    }
    let mut turned = vec![false; lines.len()];
    let mut visit = vec![Visit::Never; count];
    for root in roots.iter().copied().chain(0..count) {
        if visit[root] != Visit::Never {
            continue;
        }
        visit[root] = Visit::OnTheWay;
        let mut way = vec![(root, 0)];
        while let Some((at, next)) = way.last_mut() {
            let Some(&line) = leaving[*at].get(*next) else {
                visit[*at] = Visit::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let to = lines[line].1;
            match visit[to] {
                Visit::OnTheWay => turned[line] = true,
                Visit::Never => {
                    visit[to] = Visit::OnTheWay;
                    way.push((to, 0));
                }
                Visit::Done => {}
            }
        }
    }
    turned
}
