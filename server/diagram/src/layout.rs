//! A layered layout, after Sugiyama: boxes in layers, arrows from layer to layer, as few crossings as can be had in a moment.
//!
//! Labels are vertices of their own between the layers of the boxes, so room is kept for them like for boxes. An arrow that passes a layer
//! does so at a place that is kept free for it. Therefore no label lies on a box or on another label, and no arrow crosses
//! a box or a label that is not its own. Everything is computed in (along, across): along goes from layer to layer.
//!
//! `cycles` turns arrows around until there is no circle, `ranks` gives each box its layer, `order` finds the order within the layers,
//! `position` the places, `route` the lines; `pack` puts parts beside each other that have nothing to do with each other.

mod cycles;
mod order;
mod pack;
mod position;
mod ranks;
mod route;
#[cfg(test)]
mod tests;

pub use cycles::Search;

/// Width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// Whether they share more than a border.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// What is to be laid out.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub boxes: Vec<Size>,
    pub lines: Vec<Line>,
    /// Boxes that come first, if the lines do not say otherwise.
    pub starts: Vec<usize>,
}

/// An arrow, by the numbers of its boxes.
#[derive(Clone, Debug)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub label: Option<Size>,
}

/// Where everything is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    pub size: Size,
    pub boxes: Vec<Rect>,
    pub lines: Vec<Route>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The start, then three points for each cubic curve.
    pub path: Vec<Point>,
    pub label: Option<Rect>,
}

/// Which way the layers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Down,
    Right,
}

/// Above so many lines only the first way is tried.
const MANY: usize = 1_500;

/// In the way that gives the most readable picture.
pub fn layout(sheet: &Sheet) -> Placed {
    let ways = [
        (Direction::Down, Search::Depth),
        (Direction::Right, Search::Depth),
        (Direction::Down, Search::Breadth),
        (Direction::Right, Search::Breadth),
    ];
    let ways = if sheet.lines.len() > MANY { &ways[..1] } else { &ways };
    let mut best: Option<Placed> = None;
    for (direction, search) in ways {
        let placed = layout_in(sheet, *direction, *search);
        // The earlier ways are easier to read at the same size, and are left only for much more.
        if best.as_ref().is_none_or(|best| readability(placed.size) > 1.25 * readability(best.size)) {
            best = Some(placed);
        }
    }
    best.unwrap_or_default()
}

/// How large it can be shown on a screen.
fn readability(size: Size) -> f64 {
    const SCREEN: Size = Size { width: 1100.0, height: 900.0 };
    (SCREEN.width / size.width.max(1.0)).min(SCREEN.height / size.height.max(1.0)).min(1.0)
}

pub fn layout_in(sheet: &Sheet, direction: Direction, search: Search) -> Placed {
    let parts = pack::parts(sheet);
    let placed = parts.iter().map(|part| place_part(sheet, part, direction, search)).collect();
    pack::pack(sheet, &parts, placed)
}

fn place_part(sheet: &Sheet, part: &pack::Part, direction: Direction, search: Search) -> Placed {
    let mut layers = ranks::Layers::of(sheet, part, direction, search);
    order::order(&mut layers);
    position::position(&mut layers);
    route::routes(&layers, direction)
}
