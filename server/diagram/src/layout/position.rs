//! Places across: vertices near to what they are linked to, in their order and with their room between them.
//!
//! Layer by layer, down and up, each vertex wants to be at the mean of its links to the layer before. Of all places that keep order and
//! room, those nearest to what is wanted are found exactly: after taking off the room between them this is a monotone regression
//! (pool adjacent violators). In the end arrows that pass several layers are made straight where there is room.

use super::ranks::{Layers, VertexKind};

const SWEEPS: usize = 40;
const MANY: usize = 3_000;
/// Between neighbours of a layer.
const GAP: f64 = 16.0;
const BOX_GAP: f64 = 30.0;
/// Between arrows at the side of a box, if there is room.
const PORT: f64 = 26.0;

pub(super) fn position(layers: &mut Layers) {
    ports(layers);
    let beside = [links_of(layers, Side::Above), links_of(layers, Side::Below)];
    for rank in 0..layers.layers.len() {
        let wanted = vec![(0.0, 1.0); layers.layers[rank].len()];
        settle(layers, rank, &wanted);
    }
    let sweeps = if layers.links.len() > MANY { 6 } else { SWEEPS };
    let count = layers.layers.len();
    for sweep in 0..sweeps {
        for step in 0..count {
            let goes_down = sweep % 2 == 0;
            let rank = if goes_down { step } else { count - 1 - step };
            // The last sweeps look to both sides, so that neither decides alone.
            let sides: &[usize] = match (sweep + 6 >= sweeps, goes_down) {
                (true, _) => &[0, 1],
                (false, true) => &[0],
                (false, false) => &[1],
            };
            let wanted: Vec<(f64, f64)> =
                layers.layers[rank].iter().map(|vertex| wish(layers, *vertex, sides, &beside)).collect();
            settle(layers, rank, &wanted);
        }
    }
    straighten(layers);
    let least = layers.vertices.iter().map(|vertex| vertex.place - vertex.before).fold(f64::INFINITY, f64::min);
    layers.vertices.iter_mut().for_each(|vertex| vertex.place -= least);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

fn links_of(layers: &Layers, side: Side) -> Vec<Vec<usize>> {
    let mut links = vec![Vec::new(); layers.vertices.len()];
    for (number, link) in layers.links.iter().enumerate() {
        links[if side == Side::Above { link.to } else { link.from }].push(number);
    }
    links
}

/// Where a vertex wants to be, and how much.
fn wish(layers: &Layers, vertex: usize, sides: &[usize], beside: &[Vec<Vec<usize>>; 2]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for link in sides.iter().flat_map(|side| &beside[*side][vertex]).map(|number| &layers.links[*number]) {
        let (from, to) = (&layers.vertices[link.from], &layers.vertices[link.to]);
        let place =
            if link.to == vertex { from.place + link.leaves - link.arrives } else { to.place + link.arrives - link.leaves };
        let boxes = [from, to].iter().filter(|end| matches!(end.kind, VertexKind::Box(_))).count();
        let own = [8.0, 2.0, 1.0][boxes];
        sum += own * place;
        weight += own;
    }
    if weight > 0.0 { (sum / weight, weight) } else { (layers.vertices[vertex].place, 0.1) }
}

/// The room from one place to the next.
fn room(layers: &Layers, left: usize, right: usize) -> f64 {
    let (left, right) = (&layers.vertices[left], &layers.vertices[right]);
    let is_box = |kind: VertexKind| matches!(kind, VertexKind::Box(_));
    let gap = if is_box(left.kind) && is_box(right.kind) { BOX_GAP } else { GAP };
    left.after + gap + right.before
}

/// Puts the vertices of a layer as near to what they want as order and room allow.
fn settle(layers: &mut Layers, rank: usize, wanted: &[(f64, f64)]) {
    let layer = layers.layers[rank].clone();
    // Blocks of vertices that touch: what they want, less the room before them.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (at, vertex) in layer.iter().enumerate() {
        if at > 0 {
            offset += room(layers, layer[at - 1], *vertex);
        }
        offsets.push(offset);
        let (place, weight) = wanted[at];
        let mut block = (place - offset, weight, 1);
        while let Some(last) = blocks.last()
            && last.0 > block.0
        {
            let weight = last.1 + block.1;
            block = ((last.0 * last.1 + block.0 * block.1) / weight, weight, last.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let places = blocks.iter().flat_map(|(place, _, count)| std::iter::repeat_n(*place, *count));
    for ((vertex, place), offset) in layer.iter().zip(places).zip(offsets) {
        layers.vertices[*vertex].place = place + offset;
    }
}

/// Where arrows leave and reach boxes: side by side, in the order of where they come from.
fn ports(layers: &mut Layers) {
    let mut order = vec![0; layers.vertices.len()];
    for layer in &layers.layers {
        layer.iter().enumerate().for_each(|(place, vertex)| order[*vertex] = place);
    }
    for side in [Side::Above, Side::Below] {
        for (vertex, mut links) in links_of(layers, side).into_iter().enumerate() {
            let VertexKind::Box(number) = layers.vertices[vertex].kind else { continue };
            links.sort_by_key(|link| {
                let link = &layers.links[*link];
                order[if side == Side::Above { link.from } else { link.to }]
            });
            let room = (layers.boxes[number].1 - 16.0).max(4.0);
            let step = (room / links.len().max(1) as f64).min(PORT);
            for (place, link) in links.iter().enumerate() {
                let offset = (place as f64 - (links.len() - 1) as f64 / 2.0) * step;
                let link = &mut layers.links[*link];
                *(if side == Side::Above { &mut link.arrives } else { &mut link.leaves }) = offset;
            }
        }
    }
}

/// Runs of vertices of one arrow that can all be at one place, are.
fn straighten(layers: &mut Layers) {
    let mut neighbours = vec![(None, None); layers.vertices.len()];
    for layer in &layers.layers {
        for pair in layer.windows(2) {
            neighbours[pair[0]].1 = Some(pair[1]);
            neighbours[pair[1]].0 = Some(pair[0]);
        }
    }
    for chain in 0..layers.chains.len() {
        let links = layers.chains[chain].links.clone();
        let passed: Vec<usize> = links.iter().skip(1).map(|link| layers.links[*link].from).collect();
        let (Some(first), Some(last)) = (links.first(), links.last()) else { continue };
        let (first, last) = (&layers.links[*first], &layers.links[*last]);
        let ends = [layers.vertices[first.from].place + first.leaves, layers.vertices[last.to].place + last.arrives];
        let mut at = 0;
        while at < passed.len() {
            let run = run_from(layers, &neighbours, &passed[at..]);
            let inside = &passed[at..at + run.count];
            let mean = inside.iter().map(|vertex| layers.vertices[*vertex].place).sum::<f64>() / run.count as f64;
            // To go on straight from a box is best.
            let touches = [at == 0, at + run.count == passed.len()];
            let near = ends.iter().zip(touches).filter(|(end, touches)| *touches && run.holds(**end)).map(|(end, _)| *end);
            let best = near.min_by(|a, b| (a - mean).abs().total_cmp(&(b - mean).abs()));
            let place = best.unwrap_or_else(|| mean.max(run.least).min(run.most));
            inside.iter().for_each(|vertex| layers.vertices[*vertex].place = place);
            at += run.count;
        }
    }
}

struct Run {
    count: usize,
    least: f64,
    most: f64,
}

impl Run {
    fn holds(&self, place: f64) -> bool {
        self.least <= place && place <= self.most
    }
}

/// As many vertices as can be at one place without touching their neighbours.
fn run_from(layers: &Layers, neighbours: &[(Option<usize>, Option<usize>)], passed: &[usize]) -> Run {
    let mut run = Run { count: 0, least: f64::NEG_INFINITY, most: f64::INFINITY };
    for vertex in passed {
        let (left, right) = neighbours[*vertex];
        let least = left.map_or(f64::NEG_INFINITY, |left| layers.vertices[left].place + room(layers, left, *vertex));
        let most = right.map_or(f64::INFINITY, |right| layers.vertices[right].place - room(layers, *vertex, right));
        let (least, most) = (run.least.max(least), run.most.min(most));
        // The first one can stay where it is, whatever rounding says.
        if least > most && run.count > 0 {
            break;
        }
        let own = layers.vertices[*vertex].place;
        (run.least, run.most) = if least > most { (own, own) } else { (least, most) };
        run.count += 1;
    }
    run
}
