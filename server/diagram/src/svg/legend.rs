//! What the looks of arrows mean, below a flow: only those that occur.

use std::fmt::Write;

use super::arrow_class;
use crate::graph::{ArrowKind, Diagram, DiagramKind};
use crate::measure::{LABEL, width};

#[derive(Default)]
pub(super) struct Legend {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) drawn: String,
}

const KINDS: [(ArrowKind, &str); 5] = [
    (ArrowKind::Send, "sends"),
    (ArrowKind::MaySend, "may send, to some machine that takes it"),
    (ArrowKind::Create, "creates"),
    (ArrowKind::Announce, "announces"),
    (ArrowKind::Observe, "is observed"),
];
const SAMPLE: f64 = 34.0;

pub(super) fn legend(diagram: &Diagram) -> Legend {
    let mut legend = Legend::default();
    if diagram.kind != DiagramKind::Flow {
        return legend;
    }
    let mut x = 0.0;
    for (kind, words) in KINDS.iter().filter(|(kind, _)| diagram.arrows.iter().any(|arrow| arrow.kind == *kind)) {
        let class = arrow_class(*kind);
        let _ = writeln!(
            legend.drawn,
            r#"<g class="arrow {class}"><path class="line" d="M{x:.1} 8 h{SAMPLE}"/><path class="tip" transform="translate({:.1} 8)" d="M0 0 l-9 -4 v8 z"/></g><text class="said" x="{:.1}" y="12">{words}</text>"#,
            x + SAMPLE,
            x + SAMPLE + 6.0
        );
        x += SAMPLE + 6.0 + width(words, LABEL) + 18.0;
    }
    if x > 0.0 {
        (legend.width, legend.height) = (x, 30.0);
    }
    legend
}
