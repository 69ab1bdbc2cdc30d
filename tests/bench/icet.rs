//! `cargo xtask bench icet`: from the text of an IceT program to its sequentialization, cold and after an edit of one statement.
//!
//! Beside our times stand those of the published rewriters on comparable encodings, in-process (shared facts of the project, measured
//! on another run of such a machine): a ratio says more than either number.

use std::time::{Duration, Instant};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_icet::check::check_parse;
use lockstep_icet::rewrite::sequentialize;
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Report, Row, programs};

const RUNS: usize = 40;

/// What the originals take, in milliseconds, without parsing.
const ORIGINAL: [(&str, f64); 17] = [
    ("ex2", 0.55),
    ("ex3", 0.65),
    ("ping_det", 0.59),
    ("ping_iter", 0.72),
    ("ping_sym", 0.29),
    ("ping_sym2", 3.2),
    ("conc_db_once", 14.4),
    ("firewall", 5.2),
    ("lock_server", 0.76),
    ("map_reduce", 3.1),
    ("parikh", 1.9),
    ("registry", 2.2),
    ("two_buyers", 1.9),
    ("2pcommit", 12.3),
    ("work_steal", 3.5),
    ("raft_election", 3.3),
    ("paxos", 56.8),
];

fn main() {
    let mut report = Report::new("icet");
    for (name, original) in ORIGINAL {
        let Some(text) = program(name) else { continue };
        let cold = best(|| verdict(&Parse::new(Language::Icet, text.as_str())));
        let edited = after_edit(&text);
        report.add(Row::new(
            format!("{name}, text to verdict (original {original} ms, {:.0}x)", original / ms(cold)),
            "ms",
            ms(cold),
        ));
        report.add(Row::new(format!("{name}, after an edit of one statement"), "ms", ms(edited)));
    }
    for (name, text) in [("2pcommit", program("2pcommit")), ("theque", program("theque"))] {
        let Some(text) = text else { continue };
        let cold = best(|| verdict(&Parse::new(Language::Icet, text.as_str())));
        report.add(Row::new(format!("{name}, text to verdict"), "ms", ms(cold)));
    }
    for times in [1, 2, 4, 8, 16, 32, 64] {
        let text = in_sequence(times);
        let cold = best(|| verdict(&Parse::new(Language::Icet, text.as_str())));
        report.add(Row::new(format!("broadcast and gather, {times} times in sequence"), "ms", ms(cold)));
    }
    for depth in [2, 4, 8, 12] {
        let text = nested(depth);
        let cold = best(|| verdict(&Parse::new(Language::Icet, text.as_str())));
        report.add(Row::new(format!("{depth} branches inside of each other"), "ms", ms(cold)));
    }
    report.finish();
}

fn program(name: &str) -> Option<String> {
    let wanted = format!("{name}.icet");
    programs().into_iter().find(|program| program.name.ends_with(&format!("/{wanted}"))).map(|program| program.text)
}

fn verdict(parse: &Parse) {
    let program = check_parse(parse).program.expect("the benchmark programs are correct");
    assert!(sequentialize(&program).is_complete, "the benchmark programs can be put in order");
}

fn best(run: impl Fn()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// A statement that does nothing is added at the end of the first process.
fn after_edit(text: &str) -> Duration {
    let at = text.find("\n}\n\nprocess").or_else(|| text.rfind("\n}")).unwrap_or(0);
    let at = TextSize::try_from(at).unwrap_or_default();
    let parse = Parse::new(Language::Icet, text);
    best(|| verdict(&parse.edit(&[Edit { range: TextRange::empty(at), insert: "\n  skip;".to_owned() }])))
}

fn in_sequence(times: usize) -> String {
    let mut text = String::from("set Nodes;\n");
    let (mut hub, mut node) = (String::new(), String::new());
    for nth in 0..times {
        text += &format!("message Ask{nth}(int);\nmessage Tell{nth}(int);\n");
        hub +=
            &format!("  for n in Nodes {{ send Ask{nth}({nth}) to n; }}\n  for _ in Nodes {{ recv Tell{nth}(x) from any; }}\n");
        node += &format!("  recv Ask{nth}(x) from hub;\n  send Tell{nth}(x) to hub;\n");
    }
    text + &format!("process hub {{\n  var x: int;\n{hub}}}\nprocess n in Nodes {{\n  var x: int;\n{node}}}\n")
}

fn nested(depth: usize) -> String {
    let mut body = "send Stop to q;".to_owned();
    for _ in 0..depth {
        body = format!("if (*) {{ x = x + 1; {body} }} else {{ send Stop to q; }}");
    }
    format!("message Stop;\nprocess p {{\n  var x: int;\n  {body}\n}}\nprocess q {{\n  recv Stop from p;\n}}\n")
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
