//! The order within the layers: barycentres in sweeps, down and up, and exchanges of neighbours; the best order that was seen stays.

use super::ranks::Layers;

const SWEEPS: usize = 24;
/// Above so many links only few sweeps are made: the picture is beyond reading anyway.
const MANY: usize = 3_000;

pub(super) fn order(layers: &mut Layers) {
    let neighbours = Neighbours::of(layers);
    let sweeps = if layers.links.len() > MANY { 4 } else { SWEEPS };
    let mut best = (usize::MAX, layers.layers.clone());
    for begins_with in [Begin::AsAdded, Begin::Searched] {
        let mut order = match begins_with {
            Begin::AsAdded => layers.layers.clone(),
            Begin::Searched => searched(layers, &neighbours),
        };
        for sweep in 0..sweeps {
            neighbours.sweep(&mut order, sweep);
            if layers.links.len() <= MANY {
                neighbours.exchange(&mut order);
            }
            let crossings = neighbours.crossings(&order);
            if crossings < best.0 {
                best = (crossings, order.clone());
            }
            if best.0 == 0 {
                break;
            }
        }
    }
    layers.layers = best.1;
}

#[derive(Clone, Copy)]
enum Begin {
    AsAdded,
    Searched,
}

/// In the order in which a search in depth meets the vertices.
fn searched(layers: &Layers, neighbours: &Neighbours) -> Vec<Vec<usize>> {
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); layers.layers.len()];
    let mut is_seen = vec![false; layers.vertices.len()];
    for root in layers.layers.iter().flatten() {
        let mut todo = vec![*root];
        while let Some(vertex) = todo.pop() {
            if !std::mem::replace(&mut is_seen[vertex], true) {
                order[layers.vertices[vertex].rank].push(vertex);
                todo.extend(neighbours.below[vertex].iter().rev());
            }
        }
    }
    order
}

struct Neighbours {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

impl Neighbours {
    fn of(layers: &Layers) -> Self {
        let mut above = vec![Vec::new(); layers.vertices.len()];
        let mut below = vec![Vec::new(); layers.vertices.len()];
        for link in &layers.links {
            above[link.to].push(link.from);
            below[link.from].push(link.to);
        }
        Self { above, below }
    }

    /// Down with even numbers, up with odd ones. Of equal vertices every second pair of sweeps exchanges the order.
    fn sweep(&self, order: &mut [Vec<usize>], number: usize) {
        let goes_down = number.is_multiple_of(2);
        let turns_equal = number / 2 % 2 == 1;
        let count = order.len();
        let mut places = places(order, self.above.len());
        for step in 1..count {
            let rank = if goes_down { step } else { count - 1 - step };
            let beside = if goes_down { &self.above } else { &self.below };
            let layer = &mut order[rank];
            if turns_equal {
                layer.reverse();
            }
            let centre = |vertex: &usize| {
                let beside = &beside[*vertex];
                match beside.len() {
                    0 => places[*vertex],
                    count => beside.iter().map(|other| places[*other]).sum::<f64>() / count as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|vertex| (centre(vertex), *vertex)).collect();
            keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            *layer = keyed.into_iter().map(|(_, vertex)| vertex).collect();
            for (place, vertex) in layer.iter().enumerate() {
                places[*vertex] = place as f64;
            }
        }
    }

    /// Exchanges neighbours as long as there are fewer crossings for it.
    fn exchange(&self, order: &mut [Vec<usize>]) {
        let mut places = places(order, self.above.len());
        for _ in 0..8 {
            let mut is_better = false;
            for layer in order.iter_mut() {
                for at in 1..layer.len() {
                    let (left, right) = (layer[at - 1], layer[at]);
                    if self.crossed(&places, right, left) < self.crossed(&places, left, right) {
                        layer.swap(at - 1, at);
                        places.swap(left, right);
                        is_better = true;
                    }
                }
            }
            if !is_better {
                break;
            }
        }
    }

    /// Crossings of the links of two neighbours, in this order.
    fn crossed(&self, places: &[f64], left: usize, right: usize) -> usize {
        let count = |beside: &[Vec<usize>]| -> usize {
            let of_left = |right: &usize| beside[left].iter().filter(|left| places[**left] > places[*right]).count();
            beside[right].iter().map(of_left).sum()
        };
        count(&self.above) + count(&self.below)
    }

    /// All crossings: of two links that leave in one order and arrive in the other.
    fn crossings(&self, order: &[Vec<usize>]) -> usize {
        let places = places(order, self.above.len());
        let mut crossings = 0;
        for (rank, layer) in order.iter().enumerate() {
            let size = order.get(rank + 1).map_or(0, Vec::len);
            // How many links have arrived up to each place: a tree of partial sums.
            let mut sums = vec![0_usize; size + 1];
            let mut all = 0;
            for vertex in layer {
                let mut ends: Vec<usize> = self.below[*vertex].iter().map(|to| places[*to] as usize).collect();
                ends.sort_unstable();
                for end in &ends {
                    crossings += all - up_to(&sums, end + 1);
                }
                for end in &ends {
                    add(&mut sums, end + 1);
                }
                all += ends.len();
            }
        }
        crossings
    }
}

fn up_to(sums: &[usize], mut at: usize) -> usize {
    let mut sum = 0;
    while at > 0 {
        sum += sums[at];
        at &= at - 1;
    }
    sum
}

fn add(sums: &mut [usize], mut at: usize) {
    while at < sums.len() {
        sums[at] += 1;
        at += at & at.wrapping_neg();
    }
}

fn places(order: &[Vec<usize>], count: usize) -> Vec<f64> {
    let mut places = vec![0.0; count];
    for layer in order {
        for (place, vertex) in layer.iter().enumerate() {
            places[*vertex] = place as f64;
        }
    }
    places
}
