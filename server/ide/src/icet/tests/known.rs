//! What is known about a program, on every surface.

use expect_test::{Expect, expect};
use lockstep_base::TextSize;
use lockstep_base::verdict::{Freshness, Outcome, Phase, Record};
use lockstep_icet::analysis::{Analysis, Budget, analyse};
use lockstep_icet::check::check_parse;
use lockstep_icet::program::Program;
use lockstep_icet::shape::{Places, split};
use lockstep_syntax::{Language, Parse};

use super::{at_cursor, shown};
use crate::icet::{Known, Standing, empty_view, hover_of_known, lens, outcome, records, sequential_view};

const PING: &str = "\
set Nodes;
message Hello(node: Nodes);
message Welcome(int);

process a {
  var who: Nodes;
  for _ in Nodes {
    recv Hello(who) from any;
    send Welcome(7) to who;
  }
}

process b in Nodes {
  var n: int;
  send Hello(b) to a;
  recv Welcome(n) from a;
}
";

const DEADLOCK: &str = "\
message Ping(int);
message Pong(int);
process a { var n: int; recv Pong(n) from b; send Ping(1) to b; }
process b { var m: int; recv Ping(m) from a; send Pong(m) to a; }
";

/// A text that was analysed.
struct Looked {
    parse: Parse,
    shape: Program,
    places: Places,
    analysis: Analysis,
}

impl Looked {
    fn at(text: &str) -> Self {
        let parse = Parse::new(Language::Icet, text);
        let checked = check_parse(&parse);
        let (shape, places) = split(checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)));
        let analysis = analyse(&shape, &Budget::default());
        Self { parse, shape, places, analysis }
    }

    fn known(&self) -> Known<'_> {
        Known { shape: &self.shape, places: &self.places, analysis: &self.analysis }
    }

    fn outcome(&self) -> Outcome {
        outcome(&self.analysis, "a.icet")
    }

    fn record(&self, standing: Standing) -> Record {
        records(&self.parse, "a.icet", Some(&self.outcome()), standing).pop().expect("something is declared")
    }

    fn hover(&self, offset: TextSize) -> String {
        let hover = hover_of_known(&self.parse, offset, self.known(), &self.outcome());
        hover.map_or_else(String::new, |hover| format!("{}\n{}\n", shown(&self.parse, hover.range), hover.markdown))
    }
}

/// The hover at the `$0` of a piece of a program.
#[allow(clippy::needless_pass_by_value)]
fn check_hover(program: &str, piece: &str, expected: Expect) {
    let (parse, offset) = at_cursor(&program.replacen(&piece.replace("$0", ""), piece, 1));
    expected.assert_eq(&Looked::at(&parse.text().to_string()).hover(offset));
}

#[test]
fn outcomes_claim_what_was_shown() {
    for (program, words) in [(PING, "proved"), (DEADLOCK, "refuted")] {
        let outcome = Looked::at(program).outcome();
        assert!(outcome.is_consistent(), "{outcome:?}");
        assert!(outcome.words().starts_with(words), "{}", outcome.words());
    }
}

#[test]
fn records_say_when_they_are_about_another_program() {
    let looked = Looked::at(PING);
    let same = looked.record(Standing::Same).outcome;
    assert_eq!((same.freshness, same.phase), (Freshness::Current, Phase::Idle));
    let changed = looked.record(Standing::Changed).outcome;
    assert_eq!((changed.freshness, changed.phase), (Freshness::Stale, Phase::Queued));
    let broken = looked.record(Standing::Broken(2)).outcome;
    assert_eq!((broken.freshness, broken.phase), (Freshness::Stale, Phase::Idle));
    let first = records(&looked.parse, "a.icet", None, Standing::Changed).pop().expect("a record").outcome;
    assert_eq!((first.freshness, first.words().as_str()), (Freshness::Current, "not checked yet, queued"));
    let empty = Parse::new(Language::Icet, "// Nothing.\n");
    assert!(records(&empty, "a.icet", None, Standing::Same).is_empty());
}

#[test]
fn lenses_stand_above_the_first_process() {
    let title = |text: &str| {
        let looked = Looked::at(text);
        let lens = lens(&looked.parse, &looked.record(Standing::Same), Some(looked.known()));
        assert!(lens.leads);
        format!("{}: {}", shown(&looked.parse, lens.range), lens.title)
    };
    assert_eq!(title(PING), format!("5:9 a: sequentializes \u{b7} {} \u{b7} view", steps(PING)));
    assert_eq!(title(DEADLOCK), "3:9 a: deadlock \u{b7} show trace");
    let looked = Looked::at(PING);
    let without = |standing| lens(&looked.parse, &looked.record(standing), None);
    assert_eq!((without(Standing::Changed).title.as_str(), without(Standing::Changed).leads), ("proved \u{b7} stale", false));
    let first = records(&looked.parse, "a.icet", None, Standing::Changed).pop().expect("a record");
    assert_eq!(lens(&looked.parse, &first, None).title, "not checked yet");
    let first = records(&looked.parse, "a.icet", None, Standing::Running).pop().expect("a record");
    assert_eq!(lens(&looked.parse, &first, None).title, "checking...");
    assert_eq!(without(Standing::Running).title, "proved \u{b7} stale \u{b7} checking...");
    assert_eq!(looked.record(Standing::Running).outcome.phase, Phase::Running);
    let broken = records(&looked.parse, "a.icet", None, Standing::Broken(1)).pop().expect("a record");
    assert_eq!(lens(&looked.parse, &broken, None).title, "1 error must be mended first");
}

fn steps(text: &str) -> String {
    match Looked::at(text).analysis.outcome.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    }
}

#[test]
fn the_document_is_icet_and_leads_back() {
    for program in [PING, DEADLOCK] {
        let looked = Looked::at(program);
        let steps = looked.analysis.outcome.steps.len();
        for step in (0..steps).map(Some).chain([None]) {
            let view = sequential_view("a.icet", looked.parse.text(), looked.known(), &looked.outcome(), step);
            let text = view.text.to_string();
            let parse = Parse::new(Language::Icet, text.as_str());
            assert_eq!(parse.errors(), [], "after {step:?} steps: {text}");
            assert_eq!(view.steps.len(), steps);
            for (place, sources) in &view.links {
                assert!(!view.text.slice(*place).contains('\n'), "a link is on one line");
                assert!(sources.iter().all(|source| !source.is_empty() && source.end() <= looked.parse.text().len()));
            }
            assert!(view.links.windows(2).all(|pair| pair[0].0.start() <= pair[1].0.start()), "in order of place");
            assert_eq!(view.step, step);
        }
    }
    let looked = Looked::at(PING);
    let far = sequential_view("a.icet", looked.parse.text(), looked.known(), &looked.outcome(), Some(1_000));
    assert_eq!(far.step, None, "there are not so many");
    let nothing = empty_view("a.icet", &Outcome::not_run("1 error must be mended first"));
    assert_eq!(nothing.text.to_string(), "// a.icet: 1 error must be mended first\n");
}

/// The lines are those of the text at hand, not of the one that was analysed.
#[test]
fn a_step_names_its_statement() {
    let looked = Looked::at(
        "\n\nset Nodes; message M;\nprocess a { for n in Nodes { send M to n; } skip; }\nprocess n in Nodes { recv M from a; skip; }",
    );
    let view = sequential_view("a.icet", looked.parse.text(), looked.known(), &looked.outcome(), Some(1));
    let text = view.text.to_string();
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    expect![[r#"
        // a.icet: proved, no deadlock and no orphan message, for every size
        // After step 1 of 2:
        //   1. for every member `n` of `Nodes`, one after the other, `a` has a turn (line 4: `for n in Nodes`; rule Loop):
        //     1. `a` sends `M` to `n` (line 4: `send M to n`; rule Send)
        //     2. `n` receives `M` from `a` (line 5: `recv M from a`; sent in line 4; rule Receive)
        //     3. `n` does this by itself (line 5: `skip`; rule Local)"#]]
    .assert_eq(&head.join("\n"));
    expect![[r#"
        1. for every member `n` of `Nodes`, one after the other, `a` has a turn (line 4: `for n in Nodes`; rule Loop):
          1. `a` sends `M` to `n` (line 4: `send M to n`; rule Send)
          2. `n` receives `M` from `a` (line 5: `recv M from a`; sent in line 4; rule Receive)
          3. `n` does this by itself (line 5: `skip`; rule Local)
        2. `a` does this by itself (line 4: `skip`; rule Local)"#]]
    .assert_eq(&view.steps.join("\n"));
}

#[test]
fn a_deadlock_is_shown_as_a_run() {
    let looked = Looked::at(DEADLOCK);
    let view = sequential_view("a.icet", looked.parse.text(), looked.known(), &looked.outcome(), None);
    let text = view.text.to_string();
    assert!(text.starts_with("// a.icet: refuted"), "{text}");
    assert!(text.contains("// A run with "), "{text}");
}

#[test]
fn processes_and_sets_tell_the_verdict() {
    check_hover(
        PING,
        "process $0a",
        expect![[r#"
        5:9 a
        ```icet
        process a
        ```

        One process. `a` is its pid.

        ---

        **proved, no deadlock and no orphan message, for every size**

        ```icet
        sequential {
          for b in Nodes {
            a.who = b;
            b.n = 7;
          }
        }
        ```

        The command *Lockstep: Show Sequentialization* (`:Lockstep seq`) shows all of it, and keeps it up to date.
    "#]],
    );
    check_hover(
        PING,
        "se$0t Nodes",
        expect![[r#"
        1:1 set
        **proved, no deadlock and no orphan message, for every size**

        ```icet
        sequential {
          for b in Nodes {
            a.who = b;
            b.n = 7;
          }
        }
        ```

        The command *Lockstep: Show Sequentialization* (`:Lockstep seq`) shows all of it, and keeps it up to date.
    "#]],
    );
}

#[test]
fn sends_and_receives_tell_their_partners() {
    check_hover(
        PING,
        "se$0nd Hello",
        expect![[r#"
        15:3 send
        Received by:

        - `a`, line 8: `recv Hello(who) from any`
    "#]],
    );
    check_hover(
        PING,
        "recv Hel$0lo",
        expect![[r#"
        8:10 Hello
        ```icet
        message Hello(node: Nodes);
        ```

        Sent by `process b in Nodes`.\
        Received by `process a`.

        ---

        Sent by:

        - `b`, line 15: `send Hello(b) to a`
    "#]],
    );
    // Only there.
    check_hover(
        PING,
        "recv Hello(w$0ho)",
        expect![[r#"
        8:16 who
        ```icet
        var who: Nodes
        ```

        Variable of `process a`.
    "#]],
    );
    check_hover(
        PING,
        "for _ in Nod$0es",
        expect![[r#"
        7:12 Nodes
        ```icet
        set Nodes;
        ```

        Any number of processes, zero included. Each member runs `process b in Nodes`.
    "#]],
    );
}
