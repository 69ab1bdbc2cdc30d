//! Specs of random programs.

use super::{Carries, EVENTS, Writer};

impl Writer {
    pub(super) fn spec(&mut self, number: usize) {
        let first = self.random.below(self.events);
        let second = (first + 1 + self.random.below(self.events - 1)) % self.events;
        let observed = [EVENTS[first], EVENTS[second]];
        let (one, two) = (observed[0].0, observed[1].0);
        self.line(&format!("spec Spec{number} observes {one}, {two} {{\n  var seen: int;"));
        if self.taste.is_rich {
            self.line("  var last: machine;\n  var met: set[machine];");
        }
        let hot = self.taste.is_harmless || self.one_in(3);
        for (state, others) in [("Idle", ["Busy", "Mid"]), ("Busy", ["Idle", "Mid"]), ("Mid", ["Busy", "Idle"])] {
            let start = if state == "Idle" { "start " } else { "" };
            let temperature = match state {
                "Idle" if hot => "cold ",
                "Busy" if hot => "hot ",
                _ => "",
            };
            self.line(&format!("  {start}{temperature}state {state} {{"));
            // Some states are left as soon as they are entered.
            match state {
                "Mid" if self.one_in(4) => self.line("    entry { goto Busy; }"),
                "Idle" if self.one_in(4) => self.line("    entry { if (seen == 1) { goto Busy; } }"),
                _ => {}
            }
            for (event, carries) in observed {
                self.spec_reaction(event, carries, others);
            }
            self.line("  }");
        }
        self.line("}");
    }

    fn spec_reaction(&mut self, event: &str, carries: Carries, others: [&str; 2]) {
        let other = if self.one_in(3) { others[1] } else { others[0] };
        let assert = if self.taste.is_harmless { "" } else { " assert seen < 2;" };
        if let Some((machine, "")) = carries.machine().filter(|_| self.taste.is_rich)
            && let Some(ty) = carries.ty()
        {
            let assert = if self.taste.is_harmless { "" } else { " assert sizeof(met) < 3;" };
            let body = format!("met += ({machine});{assert} if ({machine} == last) {{ goto {other}; }} last = {machine};");
            return self.line(&format!("    on {event} do (v: {ty}) {{ {body} }}"));
        }
        match self.random.below(10) {
            0..=4 => self.line(&format!("    on {event} goto {other};")),
            5 | 6 => self.line(&format!("    on {event} do {{ seen = (seen + 1) % 3;{assert} }}")),
            7 if carries == Carries::Number => {
                self.line(&format!("    on {event} do (n: int) {{ if (n > 0) {{ goto {other}; }} }}"));
            }
            8 => self.line(&format!("    on {event} goto {other} with {{ seen = (seen + 1) % 2; }}")),
            _ => self.line(&format!("    ignore {event};")),
        }
    }
}
