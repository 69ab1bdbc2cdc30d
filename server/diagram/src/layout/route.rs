//! Lines: along through the layers, and in a curve from one layer to the next.

use super::ranks::{Chain, LABEL_GAP, LOOP, Layers, Link, Loop, VertexKind, loop_slot};
use super::{Direction, Placed, Point, Rect, Route, Size};

/// Between layers at least; there is room for the head of an arrow.
const GAP: f64 = 18.0;
/// How much more if arrows go far across.
const MOST_GAP: f64 = 64.0;

pub(super) fn routes(layers: &Layers, direction: Direction) -> Placed {
    let spans = spans(layers);
    let sheet = Paper { layers, spans, direction };
    let count = layers.chains.len() + layers.loops.len();
    let mut lines = vec![Route::default(); count];
    for chain in &layers.chains {
        lines[chain.line] = sheet.chain(chain);
    }
    for one in 0..layers.boxes.len() {
        let own: Vec<&Loop> = layers.loops.iter().filter(|other| other.at == one).collect();
        for (line, route) in sheet.loops(one, &own) {
            lines[line] = route;
        }
    }
    let boxes = (0..layers.boxes.len()).map(|number| sheet.box_rect(number)).collect();
    let along = sheet.spans.last().map_or(0.0, |(_, end)| *end);
    let across = layers.vertices.iter().map(|vertex| vertex.place + vertex.after).fold(0.0, f64::max);
    Placed { size: sheet.size(along, across), boxes, lines }
}

/// Where each layer begins and ends.
fn spans(layers: &Layers) -> Vec<(f64, f64)> {
    let mut far = vec![0.0_f64; layers.layers.len()];
    for Link { from, to, leaves, arrives } in &layers.links {
        let distance = layers.vertices[*from].place + leaves - layers.vertices[*to].place - arrives;
        let rank = layers.vertices[*from].rank;
        far[rank] = far[rank].max(distance.abs());
    }
    let mut at = 0.0;
    let mut spans = Vec::with_capacity(layers.layers.len());
    for (rank, layer) in layers.layers.iter().enumerate() {
        let thickness = layer.iter().map(|vertex| layers.vertices[*vertex].along).fold(0.0, f64::max);
        spans.push((at, at + thickness));
        at += thickness + GAP + (far[rank] * 0.12).min(MOST_GAP - GAP);
    }
    spans
}

struct Paper<'a> {
    layers: &'a Layers,
    spans: Vec<(f64, f64)>,
    direction: Direction,
}

impl Paper<'_> {
    fn point(&self, along: f64, across: f64) -> Point {
        match self.direction {
            Direction::Down => Point { x: across, y: along },
            Direction::Right => Point { x: along, y: across },
        }
    }

    fn size(&self, along: f64, across: f64) -> Size {
        match self.direction {
            Direction::Down => Size { width: across, height: along },
            Direction::Right => Size { width: along, height: across },
        }
    }

    /// Where a box begins and ends along: in the middle of its layer.
    fn box_span(&self, number: usize) -> (f64, f64) {
        let (start, end) = self.spans[self.layers.vertices[number].rank];
        let middle = (start + end) / 2.0;
        let half = self.layers.boxes[number].0 / 2.0;
        (middle - half, middle + half)
    }

    fn box_rect(&self, number: usize) -> Rect {
        let (along, across) = self.layers.boxes[number];
        let corner = self.point(self.box_span(number).0, self.layers.vertices[number].place - across / 2.0);
        let size = self.size(along, across);
        Rect { x: corner.x, y: corner.y, width: size.width, height: size.height }
    }

    fn chain(&self, chain: &Chain) -> Route {
        let mut path: Vec<(f64, f64)> = Vec::new();
        for link in chain.links.iter().map(|link| &self.layers.links[*link]) {
            let (from, to) = (&self.layers.vertices[link.from], &self.layers.vertices[link.to]);
            let (leaves, arrives) = (from.place + link.leaves, to.place + link.arrives);
            if path.is_empty() {
                path.push((self.box_span(link.from).1, leaves));
            }
            straight(&mut path, self.spans[from.rank].1);
            let (start, end) = (self.spans[from.rank].1, self.spans[to.rank].0);
            curve(&mut path, (start, leaves), (end, arrives));
            if matches!(to.kind, VertexKind::Box(_)) {
                straight(&mut path, self.box_span(link.to).0);
            }
        }
        if chain.is_turned {
            path.reverse();
        }
        let label = chain.label.map(|(vertex, size)| self.label(vertex, size));
        Route { path: path.into_iter().map(|(along, across)| self.point(along, across)).collect(), label }
    }

    fn label(&self, vertex: usize, size: Size) -> Rect {
        let vertex = &self.layers.vertices[vertex];
        let (start, end) = self.spans[vertex.rank];
        let middle = (start + end) / 2.0;
        let (x, y) = match self.direction {
            Direction::Down => (vertex.place + LABEL_GAP, middle - size.height / 2.0),
            Direction::Right => (middle - size.width / 2.0, vertex.place - LABEL_GAP / 2.0 - size.height),
        };
        Rect { x, y, width: size.width, height: size.height }
    }

    /// Arrows from a box to itself, with their numbers: at its right side, or below it.
    fn loops(&self, number: usize, own: &[&Loop]) -> Vec<(usize, Route)> {
        let rect = self.box_rect(number);
        let count = own.len() as f64;
        let slots: f64 = own.iter().map(|one| loop_slot(one.label.unwrap_or_default(), self.direction)).sum();
        let vertex = &self.layers.vertices[number];
        let mut slot = match self.direction {
            Direction::Down => rect.y + (rect.height - slots) / 2.0,
            Direction::Right => rect.y + rect.height + LOOP - LABEL_GAP / 2.0,
        };
        let mut routes = Vec::new();
        for (nth, one) in own.iter().enumerate() {
            let share = (nth as f64 + 0.5) / count;
            let size = one.label.unwrap_or_default();
            let room = loop_slot(size, self.direction);
            let bow = LOOP - 8.0;
            let (path, label) = match self.direction {
                Direction::Down => {
                    let half = (rect.height / count / 2.0 - 1.0).min(7.0);
                    let (x, y) = (rect.x + rect.width, rect.y + rect.height * share);
                    let path = [(x, y - half), (x + bow, y - 1.5 * half), (x + bow, y + 1.5 * half), (x, y + half)];
                    (path, (x + LOOP - 6.0, slot + (room - size.height) / 2.0))
                }
                Direction::Right => {
                    let half = (rect.width / count / 2.0 - 1.0).min(7.0);
                    let (x, y) = (rect.x + rect.width * share, rect.y + rect.height);
                    let path = [(x - half, y), (x - 1.5 * half, y + bow), (x + 1.5 * half, y + bow), (x + half, y)];
                    (path, (rect.x + (rect.width - vertex.along.max(rect.width)) / 2.0, slot))
                }
            };
            slot += room;
            let label = one.label.map(|size| Rect { x: label.0, y: label.1, width: size.width, height: size.height });
            routes.push((one.line, Route { path: path.into_iter().map(|(x, y)| Point { x, y }).collect(), label }));
        }
        routes
    }
}

/// On along the layers, up to a place.
fn straight(path: &mut Vec<(f64, f64)>, to: f64) {
    let Some(&(along, across)) = path.last() else { return };
    if (to - along).abs() > 0.05 {
        let third = (to - along) / 3.0;
        path.extend([(along + third, across), (to - third, across), (to, across)]);
    }
}

/// From a layer to the next, along at both ends.
fn curve(path: &mut Vec<(f64, f64)>, from: (f64, f64), to: (f64, f64)) {
    let bend = (to.0 - from.0) * 0.5;
    path.extend([(from.0 + bend, from.1), (to.0 - bend, to.1), to]);
}
