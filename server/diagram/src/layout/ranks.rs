//! The layers: which one each box is in, and the vertices that stand for labels and for arrows that pass.

use super::cycles::{Search, turned};
use super::pack::Part;
use super::{Direction, Line, Sheet, Size};

/// Something that has a place in a layer. Invariant: boxes are in even layers, labels in odd ones.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) kind: VertexKind,
    pub(super) rank: usize,
    /// How much of the layer's thickness it needs.
    pub(super) along: f64,
    /// How far it reaches across, from its place towards lower and higher numbers.
    pub(super) before: f64,
    pub(super) after: f64,
    pub(super) place: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexKind {
    /// By its number in the part.
    Box(usize),
    Label,
    Bend,
}

/// A piece of an arrow, from a layer to the next.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Where it leaves and arrives, measured from the places of its vertices.
    pub(super) leaves: f64,
    pub(super) arrives: f64,
}

/// An arrow between two boxes: its links from the lower to the higher layer.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Its number in the part.
    pub(super) line: usize,
    pub(super) is_turned: bool,
    pub(super) links: Vec<usize>,
    pub(super) label: Option<(usize, Size)>,
}

/// An arrow from a box to itself.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) line: usize,
    pub(super) at: usize,
    pub(super) label: Option<Size>,
}

/// A part in layers.
pub(super) struct Layers {
    pub(super) vertices: Vec<Vertex>,
    pub(super) links: Vec<Link>,
    /// The vertices of each layer, in order.
    pub(super) layers: Vec<Vec<usize>>,
    pub(super) chains: Vec<Chain>,
    pub(super) loops: Vec<Loop>,
    /// The sizes of the boxes as (along, across).
    pub(super) boxes: Vec<(f64, f64)>,
}

/// What an arrow to the box itself needs beside its label.
pub(super) const LOOP: f64 = 30.0;
/// Around a label.
pub(super) const LABEL_GAP: f64 = 6.0;

impl Layers {
    pub(super) fn of(sheet: &Sheet, part: &Part, direction: Direction, search: Search) -> Self {
        let local = |of: usize| part.boxes.binary_search(&of).unwrap_or_default();
        let turn = |size: Size| match direction {
            Direction::Down => (size.height, size.width),
            Direction::Right => (size.width, size.height),
        };
        let lines = part.lines.iter().map(|number| &sheet.lines[*number]);
        let lines: Vec<Line> = lines.map(|line| Line { from: local(line.from), to: local(line.to), ..line.clone() }).collect();
        let boxes: Vec<(f64, f64)> = part.boxes.iter().map(|number| turn(sheet.boxes[*number])).collect();
        let starts: Vec<usize> =
            sheet.starts.iter().filter(|start| part.boxes.contains(start)).map(|start| local(*start)).collect();
        let mut layers = Self {
            vertices: Vec::new(),
            links: Vec::new(),
            layers: Vec::new(),
            chains: Vec::new(),
            loops: Vec::new(),
            boxes: boxes.clone(),
        };
        layers.add_boxes(&lines, &starts, direction, search);
        layers
    }

    fn add_boxes(&mut self, lines: &[Line], starts: &[usize], direction: Direction, search: Search) {
        let between: Vec<usize> = (0..lines.len()).filter(|number| lines[*number].from != lines[*number].to).collect();
        let ends: Vec<(usize, usize)> = between.iter().map(|number| (lines[*number].from, lines[*number].to)).collect();
        let turned = turned(self.boxes.len(), &ends, &roots(self.boxes.len(), &ends, starts), search);
        let forward: Vec<(usize, usize)> =
            ends.iter().zip(&turned).map(|((from, to), turned)| if *turned { (*to, *from) } else { (*from, *to) }).collect();
        let ranks = ranks(self.boxes.len(), &forward);
        for (number, rank) in ranks.iter().enumerate() {
            let (along, across) = self.boxes[number];
            let half = across / 2.0;
            self.add(Vertex { kind: VertexKind::Box(number), rank: *rank, along, before: half, after: half, place: 0.0 });
        }
        for (line, number) in lines.iter().zip(0..).filter(|(line, _)| line.from == line.to) {
            self.loops.push(Loop { line: number, at: line.from, label: line.label });
        }
        self.make_room_for_loops(direction);
        for ((number, (upper, lower)), is_turned) in between.iter().zip(forward).zip(turned) {
            self.add_chain(*number, (upper, lower), is_turned, lines[*number].label, direction);
        }
    }

    fn add(&mut self, vertex: Vertex) -> usize {
        let (number, rank) = (self.vertices.len(), vertex.rank);
        if self.layers.len() <= rank {
            self.layers.resize(rank + 1, Vec::new());
        }
        self.layers[rank].push(number);
        self.vertices.push(vertex);
        number
    }

    /// Arrows from a box to itself are drawn beside it, across.
    fn make_room_for_loops(&mut self, direction: Direction) {
        for of in 0..self.boxes.len() {
            let own: Vec<&Loop> = self.loops.iter().filter(|one| one.at == of).collect();
            if own.is_empty() {
                continue;
            }
            let label = |one: &&Loop| one.label.unwrap_or_default();
            let (along, across) = match direction {
                Direction::Down => {
                    let width = own.iter().map(|one| label(one).width).fold(0.0, f64::max);
                    (own.iter().map(|one| loop_slot(label(one), direction)).sum(), LOOP + width + LABEL_GAP)
                }
                Direction::Right => {
                    let width = own.iter().map(|one| label(one).width).fold(0.0, f64::max);
                    (width, LOOP + own.iter().map(|one| loop_slot(label(one), direction)).sum::<f64>())
                }
            };
            let vertex = &mut self.vertices[of];
            vertex.along = vertex.along.max(along);
            vertex.after += across;
        }
    }

    fn add_chain(
        &mut self,
        line: usize,
        (upper, lower): (usize, usize),
        is_turned: bool,
        label: Option<Size>,
        direction: Direction,
    ) {
        let (first, last) = (self.vertices[upper].rank, self.vertices[lower].rank);
        // The odd layer nearest to the middle.
        let middle = (first + (last - first) / 2) | 1;
        let mut chain = Chain { line, is_turned, links: Vec::new(), label: None };
        let mut before = upper;
        for rank in first + 1..=last {
            let next = match label {
                _ if rank == last => lower,
                Some(size) if rank == middle => {
                    let vertex = self.add(label_vertex(size, rank, direction));
                    chain.label = Some((vertex, size));
                    vertex
                }
                _ => {
                    let kind = VertexKind::Bend;
                    self.add(Vertex { kind, rank, along: 0.0, before: 4.0, after: 4.0, place: 0.0 })
                }
            };
            chain.links.push(self.links.len());
            self.links.push(Link { from: before, to: next, leaves: 0.0, arrives: 0.0 });
            before = next;
        }
        self.chains.push(chain);
    }
}

/// The height that an arrow from a box to itself takes up with its label: beside the box, or below the bows.
pub(super) fn loop_slot(label: Size, direction: Direction) -> f64 {
    match direction {
        Direction::Down => label.height.max(24.0) + LABEL_GAP,
        Direction::Right => label.height + LABEL_GAP,
    }
}

/// The line passes left of its label, or below it.
fn label_vertex(size: Size, rank: usize, direction: Direction) -> Vertex {
    let (along, before, after) = match direction {
        Direction::Down => (size.height, LABEL_GAP, LABEL_GAP + size.width + LABEL_GAP),
        Direction::Right => (size.width, LABEL_GAP + size.height, LABEL_GAP),
    };
    Vertex { kind: VertexKind::Label, rank, along, before, after, place: 0.0 }
}

/// Where reading begins: what is said to come first, then boxes that nothing leads to.
fn roots(count: usize, lines: &[(usize, usize)], starts: &[usize]) -> Vec<usize> {
    let mut is_led_to = vec![false; count];
    lines.iter().for_each(|(_, to)| is_led_to[*to] = true);
    let free = (0..count).filter(|of| !is_led_to[*of]);
    starts.iter().copied().chain(free).collect()
}

/// Layers such that every line leads down by two at least, and altogether not much further than it must.
fn ranks(count: usize, lines: &[(usize, usize)]) -> Vec<usize> {
    let mut entering: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in lines {
        leaving[*from].push(*to);
        entering[*to].push(*from);
    }
    let mut ranks = vec![0_i64; count];
    let mut missing: Vec<usize> = entering.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..count).filter(|of| missing[*of] == 0).collect();
    while let Some(of) = ready.pop() {
        for to in &leaving[of] {
            ranks[*to] = ranks[*to].max(ranks[of] + 2);
            missing[*to] -= 1;
            if missing[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    for _ in 0..count.min(60) {
        if !tighten(&mut ranks, &entering, &leaving) {
            break;
        }
    }
    let least = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter().map(|rank| usize::try_from(rank - least).unwrap_or_default()).collect()
}

/// Moves each box to the side where more of its lines are. Whether anything has moved.
fn tighten(ranks: &mut [i64], entering: &[Vec<usize>], leaving: &[Vec<usize>]) -> bool {
    let mut has_moved = false;
    for of in 0..ranks.len() {
        let lowest = entering[of].iter().map(|from| ranks[*from] + 2).max();
        let highest = leaving[of].iter().map(|to| ranks[*to] - 2).min();
        let best = match (lowest, highest) {
            (Some(lowest), None) => lowest,
            (None, Some(highest)) => highest,
            (Some(lowest), Some(_)) if entering[of].len() > leaving[of].len() => lowest,
            (Some(_), Some(highest)) if entering[of].len() < leaving[of].len() => highest,
            _ => ranks[of],
        };
        has_moved |= best != ranks[of];
        ranks[of] = best;
    }
    has_moved
}
