//! Machines of random programs.

use super::{Carries, EVENTS, Writer};

/// `left` is how many messages it may still send, `hops` how often it may still leave the state for this event, `made` and `raised` how
/// often it has created and raised.
const FIELDS: &str = "  var peers: seq[machine];
  var known: set[machine];
  var book: map[int, machine];
  var picked: event;
  var left: int;
  var hops: int;
  var made: int;
  var raised: int;
  var x: int;";

/// What a machine does with machines it knows, in functions that can be interrupted.
const RICH: &str = "  var seen: map[machine, int];
  fun tell(m: machine) { if (left > 0) { left = left - 1; send m, eGo; } }
  fun tellAll() { var m: machine; foreach (m in known) { if (left > 0) { left = left - 1; send m, eStop; } } }
  fun met(m: machine): int { if (m in seen) { seen[m] = (seen[m] + 1) % 3; } else { seen[m] = 0; } return seen[m]; }
  fun first(): machine { var m: machine; foreach (m in keys(seen)) { if (seen[m] > 0) { return m; } } return this; }";

impl Writer {
    pub(super) fn main(&mut self) {
        self.line(&format!("machine Main {{\n{FIELDS}\n  start state Init {{\n    entry {{"));
        let messages = if self.taste.is_endless { 1 + self.random.below(2) } else { 2 };
        self.line(&format!("      left = {messages};"));
        for worker in 0..self.workers {
            self.line(&format!("      peers += (sizeof(peers), new Worker{worker}((n = {worker}, known = peers)));"));
        }
        for _ in 0..=self.random.below(2) {
            self.send("      ");
        }
        if self.one_in(2) {
            self.line("      goto A;");
        }
        self.line("    }");
        self.reactions(false);
        self.line("  }");
        self.states(false);
        self.functions();
        self.line("}");
    }

    /// A worker or a helper; helpers create nothing, so that there is an end to it.
    pub(super) fn created_machine(&mut self, name: &str) {
        let creates = self.has_helper && name != "Helper";
        self.line(&format!("machine {name} {{\n{FIELDS}"));
        self.line("  start state Init {\n    entry (from: (n: int, known: seq[machine])) {\n      peers = from.known;\n      x = from.n;");
        let sends = if self.taste.is_endless { self.random.below(2) } else { 1 + self.random.below(2) };
        self.line(&format!("      left = {sends};"));
        self.statements("      ", 1, creates);
        self.line("    }");
        self.reactions(creates);
        self.line("  }");
        self.states(creates);
        self.functions();
        self.line("}");
    }

    fn functions(&mut self) {
        if self.taste.is_rich {
            self.line(RICH);
        }
    }

    fn states(&mut self, creates: bool) {
        for state in ["A", "B"] {
            self.line(&format!("  state {state} {{"));
            if self.one_in(3) {
                self.line("    entry {");
                self.statements("      ", 1, creates);
                self.line("    }");
            }
            match self.random.below(8) {
                0 => self.line("    exit { x = (x + 1) % 3; }"),
                1 => {
                    self.line("    exit {");
                    self.send("      ");
                    self.line("    }");
                }
                2 if self.taste.has_specs => self.line("    exit { announce eStop; }"),
                _ => {}
            }
            self.reactions(creates);
            self.line("  }");
        }
        self.line("  state C {\n    entry (v: int) {\n      x = (x + v) % 3;");
        self.statements("      ", 1, creates);
        self.line("    }");
        self.reactions(creates);
        self.line("  }");
        self.line("  state D {\n    entry (v: machine) {");
        self.given = Carries::Machine.machine();
        self.statements("      ", 1, creates);
        self.given = None;
        self.line("    }");
        self.reactions(creates);
        self.line("  }");
    }

    fn reactions(&mut self, creates: bool) {
        for (event, carries) in &EVENTS[..self.events] {
            match self.random.below(14) {
                0..=6 => {
                    let param = carries.ty().map(|ty| format!(" (v: {ty})")).unwrap_or_default();
                    self.line(&format!("    on {event} do{param} {{"));
                    self.take("      ", *carries, "v");
                    self.given = carries.machine();
                    self.statements("      ", 2, creates);
                    self.given = None;
                    if self.taste.is_endless && !self.one_in(4) {
                        self.pass_on("      ");
                    }
                    self.line("    }");
                }
                7 if *carries == Carries::Number => self.line(&format!("    on {event} goto C;")),
                7 | 8 if *carries == Carries::Machine => self.line(&format!("    on {event} goto D;")),
                7 | 8 => {
                    let target = self.state();
                    self.line(&format!("    on {event} goto {target};"));
                }
                9 => {
                    let target = self.state();
                    let param = carries.ty().map(|ty| format!(" (v: {ty})")).unwrap_or_default();
                    self.line(&format!("    on {event} goto {target} with{param} {{"));
                    self.take("      ", *carries, "v");
                    self.given = carries.machine();
                    self.send("      ");
                    self.given = None;
                    self.line("    }");
                }
                10 => self.line(&format!("    defer {event};")),
                11 | 12 => self.line(&format!("    ignore {event};")),
                // Forgotten: a bug if it arrives.
                _ if !self.taste.is_harmless => {}
                _ => self.line(&format!("    ignore {event};")),
            }
        }
        if self.taste.has_null && self.one_in(4) {
            self.null();
        }
        if self.one_in(10) {
            self.line("    on halt do { x = 0; }");
        }
    }

    fn null(&mut self) {
        match (self.taste.is_endless, self.random.below(4)) {
            (true, 0) => self.line("    on null goto A;"),
            (true, 1) => self.line("    on null do { if ($$) { goto B; } }"),
            (true, _) => self.line("    on null do { x = (x + 1) % 2; }"),
            (false, 0) => self.line("    on null do { if (left > 0) { left = left - 1; x = 1; goto A; } else { raise halt; } }"),
            (false, _) => {
                self.line("    on null do {\n      if (left == 0) { raise halt; }\n      left = left - 1;");
                self.statement("      ", 1, false);
                self.line("    }");
            }
        }
    }

    /// What a machine keeps of what it got.
    fn take(&mut self, indent: &str, carries: Carries, name: &str) {
        let left = if self.taste.is_endless { " left = 1;" } else { "" };
        self.line(&format!("{indent}hops = 1;{left}"));
        match carries {
            Carries::Nothing => {}
            // It is gone when the handler is.
            _ if self.one_in(4) => {}
            Carries::Number => self.line(&format!("{indent}x = {name} % 3;")),
            Carries::Machine => self.line(&format!(
                "{indent}if (sizeof(peers) < 3) {{ peers += (sizeof(peers), {name}); }} else {{ peers[0] = {name}; }}"
            )),
            Carries::Pair => self.line(&format!("{indent}x = {name}.n % 3;\n{indent}book[x] = {name}.who;")),
            Carries::Crowd => self.line(&format!("{indent}known = {name};")),
            Carries::Book => self.line(&format!("{indent}book = {name};")),
        }
    }

    fn state(&mut self) -> &'static str {
        if self.one_in(2) { "A" } else { "B" }
    }

    fn statements(&mut self, indent: &str, depth: usize, creates: bool) {
        for _ in 0..=self.random.below(2) {
            self.statement(indent, depth, creates);
        }
    }

    fn statement(&mut self, indent: &str, depth: usize, creates: bool) {
        if self.taste.is_rich && self.one_in(3) {
            return self.rich(indent);
        }
        match self.random.below(21) {
            0..=6 => self.send(indent),
            7 => self.line(&format!("{indent}x = choose(2);")),
            8 | 9 if depth > 0 => self.branch(indent, depth, creates),
            10 if !self.taste.is_harmless => {
                let bound = 1 + self.random.below(3);
                self.line(&format!("{indent}assert x < {bound};"));
            }
            11 if depth > 0 => self.receive(indent),
            12 => {
                let target = self.state();
                self.line(&format!("{indent}if (x == 1 && hops > 0) {{ hops = hops - 1; goto {target}; }}"));
            }
            13 => self.line(&format!("{indent}if (x == 2 && hops > 0) {{ hops = hops - 1; goto C, left; }}")),
            14 => {
                let raised = self.one_of(&["eStop", "eGo", "eNumber, x"]);
                self.line(&format!("{indent}if (x == 2 && raised < 1) {{ raised = raised + 1; raise {raised}; }}"));
            }
            15 if self.taste.has_specs => {
                let announced = self.one_of(&["eGo", "eStop", "eNumber, x", "eNumber, 2"]);
                self.line(&format!("{indent}announce {announced};"));
            }
            16 | 17 if creates => self.create(indent),
            18 => self.line(&format!("{indent}peers = default(seq[machine]); known = default(set[machine]);")),
            19 if self.one_in(3) => self.line(&format!("{indent}if (x == 1) {{ raise halt; }}")),
            _ => self.line(&format!("{indent}x = (x + 1) % 3;")),
        }
    }

    /// Something about machines, not just to them.
    fn rich(&mut self, indent: &str) {
        let (target, condition) = self.target();
        match self.random.below(9) {
            0 | 1 => self.line(&format!("{indent}tellAll();")),
            2 => self.line(&format!("{indent}if (left > 0{condition}) {{ tell({target}); }}")),
            3 | 4 => self.line(&format!("{indent}if (true{condition}) {{ x = met({target}); }}")),
            5 => self.line(&format!("{indent}tell(first());")),
            6 if !self.taste.is_harmless => {
                let assertion = self.one_of(&["!(this in known)", "sizeof(seen) < 2", "first() == this"]);
                self.line(&format!("{indent}assert {assertion};"));
            }
            7 => self.line(&format!("{indent}if (sizeof(peers) > 1 && peers[0] == peers[1]) {{ x = 2; }}")),
            _ => self.line(&format!("{indent}if (sizeof(known) > 1) {{ known -= (known[0]); }}")),
        }
    }

    fn branch(&mut self, indent: &str, depth: usize, creates: bool) {
        let condition = self.one_of(&["$", "$$", "x == 0", "sizeof(known) > 0", "this in known"]);
        self.line(&format!("{indent}if ({condition}) {{"));
        self.statements(&format!("{indent}  "), depth - 1, creates);
        if self.one_in(3) {
            self.line(&format!("{indent}}} else {{"));
            self.statements(&format!("{indent}  "), depth - 1, creates);
        }
        self.line(&format!("{indent}}}"));
    }

    fn receive(&mut self, indent: &str) {
        let (first, carries) = self.event();
        let (second, other) = self.event();
        self.line(&format!("{indent}receive {{"));
        let count = if first == second { 1 } else { 2 };
        for (event, carries) in [(first, carries), (second, other)].into_iter().take(count) {
            let param = carries.ty().map(|ty| format!(" (got: {ty})")).unwrap_or_default();
            self.line(&format!("{indent}  case {event}:{param} {{"));
            self.take(&format!("{indent}    "), carries, "got");
            self.line(&format!("{indent}  }}"));
        }
        self.line(&format!("{indent}}}"));
    }

    /// A machine that nobody else knows yet.
    fn create(&mut self, indent: &str) {
        let is_rich = self.taste.is_rich;
        let new = if is_rich { "new Helper((n = 0, known = peers))" } else { "new Helper((n = x, known = peers))" };
        let created = match self.random.below(3) {
            0 => format!("{new};"),
            1 => format!("book[x] = {new};"),
            _ => format!("known += ({new});"),
        };
        let most = 1 + u32::from(is_rich);
        self.line(&format!("{indent}if (made < {most}) {{ made = made + 1; {created} }}"));
    }

    /// A message to somebody, if there are any left.
    fn send(&mut self, indent: &str) {
        let (event, carries) = self.event();
        let (target, condition) = self.target();
        let (first, payload) = match carries {
            Carries::Nothing => ("", String::new()),
            Carries::Number => ("", ", x".to_owned()),
            Carries::Machine => ("", format!(", {}", if self.one_in(2) { "this" } else { &target })),
            Carries::Pair => ("", ", (who = this, n = x)".to_owned()),
            Carries::Crowd if self.one_in(2) => ("known += (this); ", ", known".to_owned()),
            Carries::Crowd => ("", ", known".to_owned()),
            Carries::Book if self.one_in(2) => ("book[x] = this; ", ", book".to_owned()),
            Carries::Book => ("", ", book".to_owned()),
        };
        let (first, event) = match carries {
            Carries::Nothing if self.one_in(12) => (first, "halt"),
            Carries::Nothing if self.one_in(6) => ("picked = eGo; if (x == 1) { picked = eStop; } ", "picked"),
            _ => (first, event),
        };
        self.line(&format!("{indent}if (left > 0{condition}) {{ left = left - 1; {first}send {target}, {event}{payload}; }}"));
    }

    /// A message for the one that was taken, if nothing was sent for it yet.
    fn pass_on(&mut self, indent: &str) {
        if self.taste.has_specs && self.one_in(2) {
            let condition = self.one_of(&["$", "$$", "$$", "x == 0"]);
            let announced = self.one_of(&["eGo", "eStop", "eNumber, x"]);
            self.line(&format!("{indent}if ({condition}) {{ announce {announced}; }}"));
        }
        let target = self.one_of(&["this", "this", "peers[0]"]);
        let condition = if target == "this" { "" } else { " && sizeof(peers) > 0" };
        let event = self.one_of(&["eGo", "eStop", "eNumber, x"]);
        self.line(&format!("{indent}if (left > 0{condition}) {{ left = left - 1; send {target}, {event}; }}"));
    }

    /// Somebody, and under which condition there is such a machine.
    fn target(&mut self) -> (String, String) {
        if let Some((target, condition)) = self.given
            && self.one_in(2)
        {
            return (target.to_owned(), condition.to_owned());
        }
        let position = self.random.below(self.workers);
        match self.random.below(8) {
            0 => ("this".to_owned(), String::new()),
            1 => ("choose(peers)".to_owned(), " && sizeof(peers) > 0".to_owned()),
            2 => ("choose(known)".to_owned(), " && sizeof(known) > 0".to_owned()),
            3 => ("book[x]".to_owned(), " && x in book".to_owned()),
            _ => (format!("peers[{position}]"), format!(" && sizeof(peers) > {position}")),
        }
    }
}
