//! Which arrows must be turned around so that there is no circle.

/// In which order boxes are met, which decides what leads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// As far as it goes first: few arrows lead back, and there are many layers.
    Depth,
    /// What is near first: fewer layers, and more arrows that lead back.
    Breadth,
}

pub(super) fn turned(count: usize, lines: &[(usize, usize)], roots: &[usize], search: Search) -> Vec<bool> {
    match search {
        Search::Depth => in_depth(count, lines, roots),
        Search::Breadth => in_breadth(count, lines, roots),
    }
}

/// Those lines are turned that lead to a box that was met before.
fn in_breadth(count: usize, lines: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    lines.iter().for_each(|(from, to)| leaving[*from].push(*to));
    let mut met: Vec<Option<usize>> = vec![None; count];
    let mut next = 0;
    for root in roots.iter().copied().chain(0..count) {
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(at) = queue.pop_front() {
            if met[at].is_none() {
                met[at] = Some(next);
                next += 1;
                queue.extend(&leaving[at]);
            }
        }
    }
    lines.iter().map(|(from, to)| met[*from] > met[*to]).collect()
}

/// For each line between two different boxes whether it is turned around: those that lead back to a box on the way of a search in depth.
/// The search begins with `roots`, so what people read first stays at the top.
fn in_depth(count: usize, lines: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
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
