#![allow(clippy::print_stdout)]
use lockstep_syntax::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lang = Language::of_path(path.as_ref()).unwrap();
        let t = std::time::Instant::now();
        let parse = Parse::new(lang, text.as_str());
        let t1 = t.elapsed();
        let errors = parse.errors();
        println!("{path}: {} errors, parse {:?}, errors {:?} wf={}", errors.len(), t1, t.elapsed() - t1, parse.is_well_formed());
        for e in errors {
            let p = parse.text().position(e.range.start(), lockstep_base::Encoding::Utf8);
            println!(
                "  {}:{} [{}] {}  -- {:?} {:?}",
                p.line + 1,
                p.column + 1,
                e.code,
                e.message,
                e.help,
                e.related.iter().map(|r| &r.message).collect::<Vec<_>>()
            );
        }
    }
}
