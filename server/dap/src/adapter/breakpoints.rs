//! Breakpoints on lines, on events and functions, and on variables; and the times at which a line is reached.

use serde_json::{Value, json};

use super::Answer;
use super::running::{Running, shown_source};
use crate::evaluate::{evaluate, locals, root};
use crate::protocol::{
    Breakpoint, DataBreakpointInfo, Lines, SetBreakpoints, SetDataBreakpoints, SetFunctionBreakpoints, SourceBreakpoint,
};
use crate::recording::Actor;
use crate::stops::{named, statements_from};
use crate::variables::{Opens, join};

/// How many times at which a line is reached are offered.
const MOST_TARGETS: usize = 100;

impl Running {
    pub(super) fn set_breakpoints(&mut self, wanted: &SetBreakpoints) -> Answer {
        let file = match self.file(&wanted.source) {
            Ok(file) => file,
            Err(why) => {
                let unknown = wanted.breakpoints.iter().map(|_| self.refused(&why)).collect();
                return Ok(listed(unknown));
            }
        };
        let old = self.by_file.iter().position(|(known, _)| *known == file).map(|position| self.by_file.remove(position));
        let old = old.map(|(_, ids)| ids).unwrap_or_default();
        self.session.stops.lines.retain(|(id, _)| !old.contains(id));
        let mut placed = Vec::new();
        for SourceBreakpoint { line } in &wanted.breakpoints {
            let found = statements_from(&self.session, file, self.line(*line), &|place| self.line_of(place));
            let Some((line, places)) = found else {
                placed.push(self.refused("there is no code on this line or below"));
                continue;
            };
            let id = self.breakpoint_id();
            self.session.stops.lines.push((id, places));
            let source = self.sources.get(file.index()).map(shown_source);
            placed.push(Breakpoint { id, verified: true, message: None, source, line: Some(self.shown_line(line)) });
        }
        self.by_file.push((file, placed.iter().map(|breakpoint| breakpoint.id).collect()));
        Ok(listed(placed))
    }

    pub(super) fn set_function_breakpoints(&mut self, wanted: &SetFunctionBreakpoints) -> Answer {
        self.session.stops.names.clear();
        let mut placed = Vec::new();
        for breakpoint in &wanted.breakpoints {
            let names = named(self.session.program(), breakpoint.name.trim());
            if names.is_empty() {
                placed.push(self.refused(&format!("the program has no event or function `{}`", breakpoint.name.trim())));
                continue;
            }
            let id = self.breakpoint_id();
            self.session.stops.names.push((id, names));
            placed.push(Breakpoint { id, verified: true, message: None, source: None, line: None });
        }
        Ok(listed(placed))
    }

    pub(super) fn set_data_breakpoints(&mut self, wanted: &SetDataBreakpoints) -> Answer {
        self.session.stops.data.clear();
        let mut placed = Vec::new();
        for breakpoint in &wanted.breakpoints {
            let parts = breakpoint.data_id.split_once(':');
            let found = parts.and_then(|(thread, path)| Some((self.actor(thread.parse().ok()?).ok()?, path.to_owned())));
            let Some((actor, path)) = found else {
                placed.push(self.refused("there is no such variable"));
                continue;
            };
            let id = self.breakpoint_id();
            self.session.stops.data.push((id, actor, path));
            placed.push(Breakpoint { id, verified: true, message: None, source: None, line: None });
        }
        Ok(listed(placed))
    }

    pub(super) fn data_breakpoint_info(&self, wanted: &DataBreakpointInfo) -> Answer {
        let Some((actor, path)) = self.watchable(wanted)? else {
            let why = "only fields of machines and specs, and their parts, can be watched";
            return Ok(json!({ "dataId": Value::Null, "description": why }));
        };
        let description = format!("{} of {}", path, self.session.name(&actor));
        let id = format!("{}:{path}", self.thread(&actor));
        Ok(json!({ "dataId": id, "description": description, "accessTypes": ["write"], "canPersist": true }))
    }

    fn watchable(&self, wanted: &DataBreakpointInfo) -> Result<Option<(Actor, String)>, String> {
        let name = &wanted.name;
        if let Some(number) = wanted.variables_reference.filter(|number| *number != 0) {
            return Ok(match self.opened(number)? {
                Opens::Fields(actor) => Some((actor.clone(), name.clone())),
                Opens::Value { path: Some(path), owner: Some(owner), .. } => Some((owner.clone(), join(path, name))),
                _ => None,
            });
        }
        let (actor, depth) = match wanted.frame_id {
            Some(frame) => self.frame(frame)?,
            None => (self.session.point().actor.clone(), None),
        };
        let own = depth.map(|depth| locals(&self.session, &actor, depth)).unwrap_or_default();
        let is_local = own.iter().any(|(local, _, _)| root(name) == local);
        let is_field = !is_local && evaluate(&self.session, &actor, None, name).is_ok();
        Ok(is_field.then(|| (actor, name.trim().to_owned())))
    }

    pub(super) fn breakpoint_locations(&self, wanted: &Lines) -> Answer {
        let file = self.file(&wanted.source)?;
        let (first, last) = (self.line(wanted.line), self.line(wanted.end_line.unwrap_or(wanted.line)));
        let mut lines = Vec::new();
        let mut from = first;
        while let Some((line, _)) = statements_from(&self.session, file, from, &|place| self.line_of(place)) {
            if line > last {
                break;
            }
            lines.push(json!({ "line": self.shown_line(line) }));
            from = line + 1;
        }
        Ok(json!({ "breakpoints": lines }))
    }

    /// The times at which a line is reached in this run.
    pub(super) fn goto_targets(&mut self, wanted: &Lines) -> Answer {
        let file = self.file(&wanted.source)?;
        let found = statements_from(&self.session, file, self.line(wanted.line), &|place| self.line_of(place));
        let (line, places) = found.unwrap_or_default();
        let visits = self.session.visits(&|place| places.contains(&place), MOST_TARGETS);
        let mut targets = Vec::new();
        for (cursor, actor) in visits {
            let label = format!("step {}: {}", self.session.step_of(cursor), self.session.name(&actor));
            targets.push(json!({ "id": self.targets.len(), "label": label, "line": self.shown_line(line) }));
            self.targets.push(cursor);
        }
        Ok(json!({ "targets": targets }))
    }

    fn refused(&mut self, why: &str) -> Breakpoint {
        let id = self.breakpoint_id();
        Breakpoint { id, verified: false, message: Some(why.to_owned()), source: None, line: None }
    }
}

fn listed(breakpoints: Vec<Breakpoint>) -> Value {
    json!({ "breakpoints": breakpoints })
}
