//! Parts of a diagram that have nothing to do with each other, put beside each other.

use super::{Placed, Point, Rect, Sheet, Size};

/// Between parts.
const GAP: f64 = 36.0;

/// Boxes that are connected, and the lines between them, by their numbers in the sheet, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) boxes: Vec<usize>,
    pub(super) lines: Vec<usize>,
}

pub(super) fn parts(sheet: &Sheet) -> Vec<Part> {
    let mut root: Vec<usize> = (0..sheet.boxes.len()).collect();
    fn find(root: &mut [usize], mut of: usize) -> usize {
        while root[of] != of {
            root[of] = root[root[of]];
            of = root[of];
        }
        of
    }
    for line in &sheet.lines {
        let (a, b) = (find(&mut root, line.from), find(&mut root, line.to));
        root[a.max(b)] = a.min(b);
    }
    let mut parts: Vec<Part> = vec![Part::default(); sheet.boxes.len()];
    for of in 0..sheet.boxes.len() {
        parts[find(&mut root, of)].boxes.push(of);
    }
    for (number, line) in sheet.lines.iter().enumerate() {
        parts[find(&mut root, line.from)].lines.push(number);
    }
    parts.retain(|part| !part.boxes.is_empty());
    parts
}

/// In rows, the largest first.
pub(super) fn pack(sheet: &Sheet, parts: &[Part], placed: Vec<Placed>) -> Placed {
    let mut all = Placed {
        size: Size::default(),
        boxes: vec![Rect::default(); sheet.boxes.len()],
        lines: vec![super::Route::default(); sheet.lines.len()],
    };
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|a, b| placed[*b].size.height.total_cmp(&placed[*a].size.height).then(a.cmp(b)));
    let area: f64 = placed.iter().map(|part| (part.size.width + GAP) * (part.size.height + GAP)).sum();
    let widest = placed.iter().map(|part| part.size.width).fold(0.0, f64::max);
    let most = (area * 1.6).sqrt().max(widest);
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0_f64);
    for number in order {
        let size = placed[number].size;
        if x > 0.0 && x + size.width > most {
            (x, y, row) = (0.0, y + row + GAP, 0.0);
        }
        put(&mut all, &parts[number], &placed[number], Point { x, y });
        all.size.width = all.size.width.max(x + size.width);
        all.size.height = all.size.height.max(y + size.height);
        x += size.width + GAP;
        row = row.max(size.height);
    }
    all
}

fn put(all: &mut Placed, part: &Part, placed: &Placed, at: Point) {
    let moved = |rect: &Rect| Rect { x: rect.x + at.x, y: rect.y + at.y, ..*rect };
    for (number, rect) in part.boxes.iter().zip(&placed.boxes) {
        all.boxes[*number] = moved(rect);
    }
    for (number, route) in part.lines.iter().zip(&placed.lines) {
        let path = route.path.iter().map(|point| Point { x: point.x + at.x, y: point.y + at.y }).collect();
        all.lines[*number] = super::Route { path, label: route.label.as_ref().map(moved) };
    }
}
