//! Where everything in a chart is. All numbers are pixels.

use super::short;
use crate::story::{Fate, Story, What};

/// The height of a row.
pub(crate) const ROW: i32 = 26;
/// The height of the names.
pub(crate) const HEAD: i32 = 56;
/// Left of the first line: the numbers of the rows.
const MARGIN: i32 = 48;
/// The most characters of a message's label.
pub(super) const LABEL: usize = 56;

pub(crate) struct Layout {
    pub(crate) width: i32,
    /// Without the names.
    pub(crate) height: i32,
    /// Where the bug is marked.
    pub(super) bug_y: i32,
    columns: Vec<i32>,
    /// The row of each moment.
    rows: Vec<i32>,
    /// Where each actor's life begins.
    births: Vec<i32>,
    /// Where it ends, if it halts.
    deaths: Vec<Option<i32>>,
}

impl Layout {
    pub(crate) fn of(story: &Story) -> Self {
        let columns = columns(story);
        let rows = rows(story);
        let y = |row: i32| row * ROW + ROW / 2;
        let bug_y = y(rows.last().map_or(0, |row| row + 1));
        let mut births = vec![0; story.actors.len()];
        let mut deaths = vec![None; story.actors.len()];
        for (moment, row) in story.moments.iter().zip(&rows) {
            match &moment.what {
                What::Create { actor } => births[*actor] = y(*row),
                What::Observe { .. } if births[moment.actor] == 0 => births[moment.actor] = 1,
                _ => {}
            }
            if moment.state.as_ref().is_some_and(|change| change.to.is_none()) {
                deaths[moment.actor] = Some(y(*row));
            }
        }
        let mut layout = Self { width: 0, height: 0, bug_y, columns, rows, births, deaths };
        layout.width = layout.needed_width(story);
        let said = story.bug.as_ref().map_or(0, |bug| i32::try_from(wrapped(&bug.message, layout.width).len()).unwrap_or(1) + 1);
        layout.height = bug_y + 40 + 18 * said;
        layout
    }

    /// The line of an actor.
    pub(super) fn x(&self, actor: usize) -> i32 {
        self.columns[actor]
    }

    /// The middle of the row of a moment.
    pub(super) fn row_y(&self, moment: usize) -> i32 {
        self.rows[moment] * ROW + ROW / 2
    }

    pub(super) fn is_first_of_row(&self, moment: usize) -> bool {
        moment == 0 || self.rows[moment - 1] != self.rows[moment]
    }

    pub(super) fn begins(&self, actor: usize) -> i32 {
        self.births[actor].max(-12)
    }

    pub(super) fn ends(&self, actor: usize) -> i32 {
        self.deaths[actor].unwrap_or(self.bug_y)
    }

    /// States are shown on the side from which no arrow comes.
    pub(super) fn is_state_left(&self, story: &Story, moment: usize) -> bool {
        let own = story.moments[moment].actor;
        let other = match &story.moments[moment].what {
            What::Take { message } => story.messages[*message].from,
            What::Send { message } => story.messages[*message].to,
            What::Create { actor } => *actor,
            What::Observe { by, .. } => *by,
            What::Start { .. } | What::Null | What::Print { .. } => own,
        };
        self.x(other) > self.x(own)
    }

    /// Nothing that is written may be cut off.
    fn needed_width(&self, story: &Story) -> i32 {
        let mut width = self.columns.last().copied().unwrap_or(0) + 90;
        for (actor, x) in story.actors.iter().zip(&self.columns) {
            width = width.max(x + width_of(&actor.name) / 2 + 24);
        }
        for moment in &story.moments {
            let x = self.x(moment.actor);
            let label = match &moment.what {
                What::Send { message } => width_of(&short(&story.messages[*message].words(), LABEL)),
                What::Print { text } => width_of(&short(text, 60)),
                _ => 0,
            };
            let state = moment.state.as_ref().map_or(0, |change| width_of(change.to.as_deref().unwrap_or("halted")) + 30);
            width = width.max(x + label.max(state) + 40);
        }
        width.max(420)
    }
}

/// Columns are as far from each other as their names and the shorter labels between neighbours need.
fn columns(story: &Story) -> Vec<i32> {
    let mut columns = Vec::new();
    let mut x = MARGIN;
    for (number, actor) in story.actors.iter().enumerate() {
        let half = width_of(&actor.name) / 2 + 14;
        x += half.max(if number == 0 { 30 } else { 66 });
        columns.push(x);
        x += half.max(66);
    }
    columns
}

/// Each moment has a row, but a message that is taken at once does not need a second one, nor do several specs that see the same.
fn rows(story: &Story) -> Vec<i32> {
    let mut rows = Vec::with_capacity(story.moments.len());
    let mut next = 0;
    for (number, moment) in story.moments.iter().enumerate() {
        let is_at_once = match &moment.what {
            What::Take { message } => {
                let message = &story.messages[*message];
                let is_from_other = message.from != message.to;
                is_from_other && message.sent + 1 == number && story.moments[message.sent].state.is_none()
            }
            What::Observe { .. } => number > 0 && story.moments[number - 1].what == moment.what,
            _ => false,
        };
        // What is repeated begins with a row of its own, so that the bracket around it says where.
        if !is_at_once || story.repeats_from == Some(number) {
            next += 1;
        }
        rows.push(next - 1);
    }
    rows
}

/// About as wide as the text is drawn.
pub(crate) fn width_of(text: &str) -> i32 {
    let characters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 16);
    characters.saturating_mul(13) / 2 + 4
}

/// Words in lines that fit.
pub(super) fn wrapped(text: &str, width: i32) -> Vec<String> {
    let most = usize::try_from((width - 40) / 7).unwrap_or(40).max(30);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines.push(line);
    lines
}

/// Where the arrow of a message ends.
pub(super) fn end_of(layout: &Layout, story: &Story, message: usize) -> (i32, i32) {
    let message = &story.messages[message];
    let y = match message.fate {
        Fate::Taken { moment } => layout.row_y(moment),
        Fate::Ignored | Fate::Lost | Fate::Waiting => layout.row_y(message.sent),
    };
    (layout.x(message.to), y)
}
