//! What the client sees at a stop: machines, their functions, variables, the bug, the steps of the run.

use serde_json::{Value, json};

use super::Answer;
use super::running::{Running, shown_source};
use crate::evaluate::evaluate;
use crate::frames::{FrameView, frames};
use crate::protocol::{Evaluate, OfFrame, StackFrame, StackTrace, Variable, Variables};
use crate::variables::{Opens, Row, scopes};

/// Rows that are given to a client that does not ask for a part.
const MOST_ROWS: usize = 1_000;
/// From so many rows on a client is told to ask for parts.
const MANY_ROWS: usize = 100;

impl Running {
    pub(super) fn threads(&self) -> Value {
        let there = self.session.actors().iter().filter(|actor| self.session.situation().local(actor).is_some());
        let threads = there.map(|actor| json!({ "id": self.thread(actor), "name": self.session.name(actor) }));
        json!({ "threads": threads.collect::<Vec<_>>() })
    }

    pub(super) fn stack_trace(&mut self, wanted: &StackTrace) -> Answer {
        let actor = self.actor(wanted.thread_id)?;
        let all = frames(&self.session, &actor);
        let total = all.len();
        let levels = wanted.levels.filter(|levels| *levels > 0).unwrap_or(total);
        let mut shown = Vec::new();
        for FrameView { name, place, depth } in all.into_iter().skip(wanted.start_frame.unwrap_or(0)).take(levels) {
            let id = self.add_frame(&actor, depth);
            let found = place.and_then(|place| self.shown_place(place));
            let (source, [line, column, end_line, end_column]) = match found {
                Some((source, place)) => (Some(source), place),
                None => (None, [0; 4]),
            };
            let (end_line, end_column) = (source.as_ref().map(|_| end_line), source.as_ref().map(|_| end_column));
            shown.push(StackFrame { id, name, source, line, column, end_line, end_column, can_restart: depth.is_some() });
        }
        Ok(json!({ "stackFrames": shown, "totalFrames": total }))
    }

    pub(super) fn scopes(&mut self, wanted: &OfFrame) -> Answer {
        let (actor, depth) = self.frame(wanted.frame_id)?;
        let mut shown = Vec::new();
        for (name, opens) in scopes(&self.session, &actor, depth) {
            let mut scope = json!({ "name": name, "variablesReference": 0, "expensive": false });
            if matches!(opens, Opens::Locals { .. }) {
                scope["presentationHint"] = json!("locals");
            }
            scope["variablesReference"] = json!(self.open(opens));
            shown.push(scope);
        }
        Ok(json!({ "scopes": shown }))
    }

    pub(super) fn variables(&mut self, wanted: &Variables) -> Answer {
        let opens = self.opened(wanted.variables_reference)?.clone();
        let is_indexed = opens.count() > MANY_ROWS;
        if is_indexed && wanted.filter.as_deref() == Some("named") {
            return Ok(json!({ "variables": [] }));
        }
        let start = wanted.start.unwrap_or(0);
        let count = wanted.count.filter(|count| *count > 0).unwrap_or(MOST_ROWS);
        let rows = self.session.rows(&opens, start, count);
        let left = opens.count().saturating_sub(start.saturating_add(rows.len()));
        let mut shown: Vec<Variable> = rows.into_iter().map(|row| self.shown_row(row)).collect();
        if wanted.count.is_none() && left > 0 {
            let (name, value) = ("…".to_owned(), format!("{left} more"));
            shown.push(self.shown_row(Row { name, value, ty: String::new(), path: None, opens: Opens::Nothing }));
        }
        Ok(json!({ "variables": shown }))
    }

    fn shown_row(&mut self, row: Row) -> Variable {
        let Row { name, value, ty, path, opens } = row;
        let count = opens.count();
        let indexed_variables = (count > MANY_ROWS).then_some(count);
        Variable { name, value, ty, variables_reference: self.open(opens), evaluate_name: path, indexed_variables }
    }

    pub(super) fn evaluate(&mut self, wanted: &Evaluate) -> Answer {
        let (actor, depth) = match wanted.frame_id {
            Some(frame) => self.frame(frame)?,
            None => {
                let actor = self.session.point().actor.clone();
                let depth = frames(&self.session, &actor).first().and_then(|frame| frame.depth);
                (actor, depth)
            }
        };
        let text = wanted.expression.trim();
        let value = evaluate(&self.session, &actor, depth, text)?;
        let row = self.session.row(text.to_owned(), &value, String::new(), Some(text.to_owned()), None);
        let shown = self.shown_row(row);
        let mut answer = json!({ "result": shown.value, "variablesReference": shown.variables_reference });
        if let Some(count) = shown.indexed_variables {
            answer["indexedVariables"] = json!(count);
        }
        Ok(answer)
    }

    pub(super) fn exception_info(&self) -> Answer {
        let bug = self.session.bug().filter(|_| self.session.is_at_end()).ok_or("the bug is at the end of the trace")?;
        let who = match (bug.who.as_str(), bug.state.as_str()) {
            ("", _) => String::new(),
            (who, "") => format!("{who}: "),
            (who, state) => format!("{who} in {state}: "),
        };
        let description = format!("{who}{}", bug.message);
        let details = json!({ "message": bug.message, "typeName": bug.code });
        Ok(json!({ "exceptionId": bug.code, "description": description, "breakMode": "always", "details": details }))
    }

    pub(super) fn loaded_sources(&self) -> Value {
        json!({ "sources": self.sources.iter().map(shown_source).collect::<Vec<_>>() })
    }

    /// All steps in words, with where each is written.
    pub(super) fn steps(&self) -> Value {
        let story = self.session.story();
        let mut steps = Vec::new();
        for (number, moment) in (1..).zip(&story.moments) {
            let actor = &story.actors[moment.actor].name;
            let thread = self.session.actors().iter().position(|known| self.session.name(known) == *actor);
            let mut step = json!({ "step": number, "text": self.session.step_words(number), "actor": actor });
            step["threadId"] = json!(thread.map(|thread| thread + 1));
            if let Some(place) = &moment.place {
                step["path"] = json!(place.path);
                step["line"] = json!(self.shown_line(place.line - 1));
            }
            steps.push(step);
        }
        let mut answer = json!({ "steps": steps, "current": self.session.step() });
        if let Some(bug) = self.session.bug() {
            answer["bug"] = json!({ "code": bug.code, "message": bug.message });
        }
        answer
    }
}
