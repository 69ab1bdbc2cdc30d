//! Random diagrams: nothing lies on anything, and the same input gives the same picture.

use super::*;

/// A small generator of numbers: the tests are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn length(&mut self, least: usize, more: usize) -> f64 {
        (least + self.below(more)) as f64
    }
}

fn random(seed: u64) -> Sheet {
    let mut numbers = Numbers(seed);
    let count = 1 + numbers.below(30);
    let boxes = (0..count).map(|_| Size { width: numbers.length(40, 200), height: numbers.length(20, 90) }).collect();
    let lines = (0..numbers.below(2 * count + 2)).map(|_| {
        let label = Size { width: numbers.length(10, 120), height: numbers.length(12, 60) };
        let label = (numbers.below(4) > 0).then_some(label);
        Line { from: numbers.below(count), to: numbers.below(count), label }
    });
    let lines = lines.collect();
    Sheet { boxes, lines, starts: vec![numbers.below(count)] }
}

/// What is wrong with a layout, in words.
pub(crate) fn mistakes(placed: &Placed) -> Vec<String> {
    let mut found = Vec::new();
    let labels: Vec<(usize, &Rect)> =
        placed.lines.iter().zip(0..).filter_map(|(line, number)| Some((number, line.label.as_ref()?))).collect();
    for (number, rect) in placed.boxes.iter().enumerate() {
        for (other, second) in placed.boxes.iter().enumerate().skip(number + 1) {
            if rect.overlaps(second) {
                found.push(format!("boxes {number} and {other} overlap: {rect:?} {second:?}"));
            }
        }
        for (label, second) in &labels {
            if rect.overlaps(second) {
                found.push(format!("box {number} and label {label} overlap: {rect:?} {second:?}"));
            }
        }
    }
    for (at, (number, rect)) in labels.iter().enumerate() {
        for (other, second) in &labels[at + 1..] {
            if rect.overlaps(second) {
                found.push(format!("labels {number} and {other} overlap: {rect:?} {second:?}"));
            }
        }
    }
    let page = Rect { x: -0.1, y: -0.1, width: placed.size.width + 0.2, height: placed.size.height + 0.2 };
    let is_inside = |rect: &Rect| {
        page.x <= rect.x && page.y <= rect.y && rect.x + rect.width <= page.width && rect.y + rect.height <= page.height
    };
    found.extend(placed.boxes.iter().filter(|rect| !is_inside(rect)).map(|rect| format!("a box is not on the page: {rect:?}")));
    found.extend(labels.iter().filter(|(_, rect)| !is_inside(rect)).map(|(_, rect)| format!("a label is not: {rect:?}")));
    found
}

/// Points on a line, close to each other.
fn points(route: &Route) -> Vec<Point> {
    let mut points = Vec::new();
    for curve in route.path.windows(4).step_by(3) {
        for step in 0..=12 {
            let t = f64::from(step) / 12.0;
            let s = 1.0 - t;
            let mix = |of: fn(&Point) -> f64| {
                let [a, b, c, d] = [of(&curve[0]), of(&curve[1]), of(&curve[2]), of(&curve[3])];
                s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
            };
            points.push(Point { x: mix(|point| point.x), y: mix(|point| point.y) });
        }
    }
    points
}

/// Lines that run over a box: of any other than the two they belong to.
fn crossings(sheet: &Sheet, placed: &Placed) -> Vec<String> {
    let mut found = Vec::new();
    for (number, (line, route)) in sheet.lines.iter().zip(&placed.lines).enumerate() {
        let points = points(route);
        let is_on = |rect: &Rect, point: &Point| {
            rect.x + 0.1 < point.x
                && point.x < rect.x + rect.width - 0.1
                && rect.y + 0.1 < point.y
                && point.y < rect.y + rect.height - 0.1
        };
        for (other, rect) in placed.boxes.iter().enumerate() {
            if points.iter().any(|point| is_on(rect, point)) {
                found.push(format!("line {number} ({} to {}) runs over box {other}", line.from, line.to));
            }
        }
        for (other, rect) in placed.lines.iter().enumerate().filter_map(|(other, line)| Some((other, line.label.as_ref()?))) {
            if points.iter().any(|point| is_on(rect, point)) {
                found.push(format!("line {number} runs over label {other}"));
            }
        }
    }
    found
}

#[test]
fn nothing_lies_on_anything() {
    for seed in 0..300 {
        let sheet = random(seed);
        for direction in [Direction::Down, Direction::Right] {
            for search in [Search::Depth, Search::Breadth] {
                let placed = layout_in(&sheet, direction, search);
                assert_eq!(mistakes(&placed), Vec::<String>::new(), "seed {seed}, {direction:?}, {search:?}");
                assert_eq!(crossings(&sheet, &placed), Vec::<String>::new(), "seed {seed}, {direction:?}, {search:?}");
            }
        }
    }
}

#[test]
fn lines_begin_and_end_at_their_boxes() {
    for seed in 0..100 {
        let sheet = random(seed);
        let placed = layout(&sheet);
        for (line, route) in sheet.lines.iter().zip(&placed.lines) {
            assert_eq!(route.path.len() % 3, 1, "seed {seed}");
            for (of, point) in [(line.from, route.path.first()), (line.to, route.path.last())] {
                let (rect, point) = (placed.boxes[of], point.expect("a line has points"));
                let near = Rect { x: point.x - 0.2, y: point.y - 0.2, width: 0.4, height: 0.4 };
                assert!(rect.overlaps(&near), "seed {seed}: {line:?} at {point:?}, not at {rect:?}");
            }
        }
    }
}

#[test]
fn the_same_every_time() {
    for seed in 0..40 {
        assert_eq!(layout(&random(seed)), layout(&random(seed)));
    }
}

#[test]
fn nothing_at_all() {
    assert_eq!(layout(&Sheet::default()), Placed::default());
}

/// A chain has no crossing and no bend.
#[test]
fn a_chain_is_straight() {
    let boxes = vec![Size { width: 80.0, height: 30.0 }; 4];
    let lines = (1..4).map(|to| Line { from: to - 1, to, label: None }).collect();
    let placed = layout_in(&Sheet { boxes, lines, starts: vec![0] }, Direction::Down, Search::Depth);
    for route in &placed.lines {
        assert!(route.path.iter().all(|point| (point.x - route.path[0].x).abs() < 0.01), "{route:?}");
    }
}

/// Large input is drawn too, and in a moment.
#[test]
fn very_large() {
    let count = 600;
    let mut numbers = Numbers(1);
    let boxes = vec![Size { width: 80.0, height: 30.0 }; count];
    let lines = (0..2_000).map(|_| Line { from: numbers.below(count), to: numbers.below(count), label: None }).collect();
    let placed = layout(&Sheet { boxes, lines, starts: Vec::new() });
    assert_eq!(mistakes(&placed), Vec::<String>::new());
}
