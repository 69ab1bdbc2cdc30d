//! Random programs in which nothing goes wrong but what never happens.
//!
//! A few machines in a ring handle ticks for ever, and another one may do something once: they announce something now and then, choose, fairly or not, change their state, and
//! pass the tick on or keep it. There are never more ticks than at the beginning. Specs with hot and cold states see what is announced.

use std::fmt::Write;

use crate::random::Random;

const ANNOUNCED: [&str; 3] = ["one", "two", "three"];

/// The program of a seed.
pub fn p_live_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let machines = 1 + random.below(3);
    let (has_null, is_fair) = (random.below(5) == 0, random.below(3) > 0);
    let mut writer = Writer { random, text: String::new(), machines, has_null, is_fair };
    writer.program();
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    machines: usize,
    has_null: bool,
    /// Whether all choices in conditions are fair.
    is_fair: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("a string");
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn one_of(&mut self, items: &[&'static str]) -> &'static str {
        items[self.random.below(items.len())]
    }

    fn program(&mut self) {
        self.line("event meet: machine; event tick; event tock; event one; event two; event three;");
        self.line("machine Main {\n  start state Init {\n    entry {");
        for number in 0..self.machines {
            self.line(&format!("      var m{number}: machine;"));
        }
        for number in 0..self.machines {
            self.line(&format!("      m{number} = new Node{number}();"));
        }
        for number in 0..self.machines {
            let next = (number + 1) % self.machines;
            self.line(&format!("      send m{number}, meet, m{next};"));
        }
        for _ in 0..=self.random.below(3) {
            let target = self.random.below(self.machines);
            let event = self.one_of(&["tick", "tock"]);
            self.line(&format!("      send m{target}, {event};"));
        }
        let has_late = self.one_in(2);
        if has_late {
            self.line("      new Late();");
        }
        self.line("    }\n  }\n}");
        if has_late {
            let event = self.one_of(&ANNOUNCED);
            self.line(&format!("machine Late {{ start state S {{ entry {{ announce {event}; }} }} }}"));
        }
        for number in 0..self.machines {
            self.node(number);
        }
        let specs = 1 + self.random.below(2);
        for spec in 0..specs {
            self.spec(spec);
        }
        let mut nodes: Vec<String> = (0..self.machines).map(|number| format!(", Node{number}")).collect();
        nodes.extend(has_late.then(|| ", Late".to_owned()));
        let names: Vec<String> = (0..specs).map(|spec| format!("Spec{spec}")).collect();
        self.line(&format!("test tc [main=Main]: assert {} in {{ Main{} }};", names.join(", "), nodes.concat()));
    }

    fn node(&mut self, number: usize) {
        self.line(&format!("machine Node{number} {{\n  var next: machine;\n  var x: int;"));
        self.line("  start state Init {\n    defer tick, tock;\n    on meet goto P with (other: machine) { next = other; }\n  }");
        for (state, other) in [("P", "Q"), ("Q", "P")] {
            self.line(&format!("  state {state} {{"));
            if self.one_in(4) {
                self.line("    entry {");
                self.statement(other, false);
                self.line("    }");
            }
            if self.one_in(6) {
                let event = self.one_of(&ANNOUNCED);
                self.line(&format!("    exit {{ announce {event}; }}"));
            }
            for event in ["tick", "tock"] {
                match self.random.below(12) {
                    0 if state == "Q" => self.line(&format!("    defer {event};")),
                    1 => self.line(&format!("    on {event} goto {other} with {{ send next, {event}; }}")),
                    _ => self.handler(event, other),
                }
            }
            if self.has_null && self.one_in(2) {
                self.line("    on null do {");
                self.statement(other, true);
                self.line("    }");
            }
            self.line("  }");
        }
        self.line("}");
    }

    fn handler(&mut self, event: &str, other: &str) {
        self.line(&format!("    on {event} do {{"));
        for _ in 0..self.random.below(3) {
            self.statement(other, false);
        }
        let (first, second) = (self.passed_on(), self.passed_on());
        match self.random.below(8) {
            0..=4 => self.line(&format!("      {first}")),
            5 => {
                let condition = self.condition();
                self.line(&format!("      if ({condition}) {{ {first} }} else {{ {second} }}"));
            }
            6 => {
                let condition = self.condition();
                let event = self.one_of(&ANNOUNCED);
                self.line(&format!("      if ({condition}) {{ {first} announce {event}; }} else {{ {second} }}"));
            }
            _ => {
                let condition = self.condition();
                self.line(&format!("      if ({condition}) {{ {first} }}"));
            }
        }
        if self.one_in(3) {
            let condition = self.condition();
            self.line(&format!("      if ({condition}) {{ goto {other}; }}"));
        }
        self.line("    }");
    }

    fn passed_on(&mut self) -> String {
        format!("send {}, {};", self.one_of(&["this", "this", "next"]), self.one_of(&["tick", "tock"]))
    }

    fn statement(&mut self, other: &str, may_leave: bool) {
        let event = self.one_of(&ANNOUNCED);
        match self.random.below(6) {
            0 => self.line(&format!("      announce {event};")),
            1 | 2 => {
                let condition = self.condition();
                self.line(&format!("      if ({condition}) {{ announce {event}; }}"));
            }
            3 => self.line("      x = choose(2);"),
            4 if may_leave => {
                let condition = self.condition();
                self.line(&format!("      if ({condition}) {{ goto {other}; }}"));
            }
            _ => self.line("      x = (x + 1) % 2;"),
        }
    }

    fn condition(&mut self) -> &'static str {
        if self.is_fair {
            return self.one_of(&["$$", "$$", "$$ && $$", "x == 1 && $$", "x == 0"]);
        }
        self.one_of(&["$", "$$", "x == 0", "$ && $$", "$$ && $"])
    }

    fn spec(&mut self, number: usize) {
        if self.one_in(2) {
            // What is asked is answered; often once is enough.
            let cold =
                self.one_of(&["start cold state Cold { on one goto Hot; ignore two; }", "cold state Cold { ignore one, two; }"]);
            let start = if cold.starts_with("start") { "" } else { "start " };
            let rest = self.one_of(&["on two goto Cold; ignore one;", "on two goto Cold; on one goto Warm;"]);
            self.line(&format!("spec Spec{number} observes one, two {{\n  {cold}\n  {start}hot state Hot {{ {rest} }}"));
            self.line("  state Warm { on one goto Hot; ignore two; }\n}");
            return;
        }
        let count = 1 + self.random.below(3);
        let observed = &ANNOUNCED[..count];
        self.line(&format!("spec Spec{number} observes {} {{", observed.join(", ")));
        for (state, others) in [("Cold", ["Hot", "Warm"]), ("Hot", ["Cold", "Warm"]), ("Warm", ["Hot", "Cold"])] {
            let words = match state {
                "Cold" => "start cold ",
                "Hot" => "hot ",
                _ => "",
            };
            self.line(&format!("  {words}state {state} {{"));
            for event in observed {
                match self.random.below(if state == "Cold" { 7 } else { 5 }) {
                    0 | 1 => self.line(&format!("    on {event} goto {};", others[0])),
                    2 => self.line(&format!("    on {event} goto {};", others[1])),
                    _ => self.line(&format!("    ignore {event};")),
                }
            }
            self.line("  }");
        }
        self.line("}");
    }
}
