use lockstep_icet::{check, print, rewrite};
use lockstep_syntax::{Language, Parse};
fn main() {
    let verbose = std::env::args().any(|a| a == "-v");
    for path in std::env::args().skip(1).filter(|a| a != "-v") {
        let text = std::fs::read_to_string(&path).unwrap();
        let parse = Parse::new(Language::Icet, text.as_str());
        let checked = check::check(parse.icet().unwrap());
        let Some(program) = checked.program else {
            println!("{path}: CHECK {:?}", checked.diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>());
            continue;
        };
        let start = std::time::Instant::now();
        let out = rewrite::sequentialize(&program);
        let took = start.elapsed();
        println!(
            "{} {path} matched {} steps {} {:?} remaining {:?}",
            if out.is_complete { "OK  " } else { "FAIL" },
            out.matched,
            out.steps.len(),
            took,
            out.remaining
        );
        if !out.is_complete || verbose {
            for (who, refusal) in &out.stuck {
                let line = |s: &lockstep_icet::program::StmtId| {
                    let r = program.stmt(*s).range;
                    text[usize::from(r.start())..usize::from(r.end())].lines().next().unwrap_or("").to_owned()
                };
                let extra = match refusal {
                    rewrite::Refusal::Empty { receive } => line(receive),
                    rewrite::Refusal::Race { receive, send } => format!("{} <- {}", line(receive), line(send)),
                    rewrite::Refusal::Moved { stmt: Some(s), .. }
                    | rewrite::Refusal::UnknownPartner { stmt: s }
                    | rewrite::Refusal::Leftover { send: s }
                    | rewrite::Refusal::Unsupported { stmt: s, .. } => line(s),
                    _ => String::new(),
                };
                println!("     {who:?}: {refusal:?}   {extra}");
            }
        }
        match out.sequential {
            Err(r) => println!("     EMIT FAILED {r:?}"),
            Ok(seq) if verbose => {
                println!("{}", print::print(&seq.program));
            }
            Ok(seq) => {
                let text = print::print(&seq.program);
                let parse = Parse::new(Language::Icet, text.as_str());
                let again = check::check(parse.icet().unwrap());
                let errors: Vec<_> = parse
                    .errors()
                    .iter()
                    .chain(&again.diagnostics)
                    .filter(|d| d.severity == lockstep_base::Severity::Error)
                    .map(|d| format!("{}: {}", d.code, d.message))
                    .collect();
                if !errors.is_empty() {
                    println!("     PRINTED PROGRAM WRONG: {errors:?}");
                }
            }
        }
    }
}
