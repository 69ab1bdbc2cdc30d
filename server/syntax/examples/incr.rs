#![allow(clippy::print_stdout)]
use lockstep_base::*;
use lockstep_syntax::*;
fn main() {
    let mut seed = 1u64;
    let mut next = move |n: usize| { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); ((seed >> 33) as usize) % n };
    let snippets = ["{", "}", ";", "(", ")", "x", " ", "state", "on e do {", "machine M {", "\n", "fun f() { }", "event e;", "\"", "//", "/*", "*/", "= 3", "1", ",", "é"];
    let (mut steps, mut differ, mut broken, mut bdiffer_ok, mut typed) = (0, 0, 0, 0, 0);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lang = Language::of_path(path.as_ref()).unwrap();
        for _ in 0..20 {
            let mut parse = Parse::new(lang, text.as_str());
            for _ in 0..15 {
                let len = u32::from(parse.text().len()) as usize;
                let at = next(len + 1);
                let del = if next(2) == 0 { 0 } else { next(8) };
                let ins = if next(3) == 0 { "" } else { snippets[next(snippets.len())] };
                let range = TextRange::new(TextSize::new(at as u32), TextSize::new((at + del).min(len) as u32));
                let new = parse.edit(&[Edit { range, insert: ins.into() }]);
                let fresh = Parse::new(lang, new.text().to_string().as_str());
                steps += 1;
                let a = outline(&new); let b = outline(&fresh);
                if !fresh.is_well_formed() { broken += 1; }
                if a != b {
                    differ += 1;
                    if fresh.is_well_formed() != new.is_well_formed() || fresh.is_well_formed() { bdiffer_ok += 1;  }
                }
                if new.p() != fresh.p() { typed += 1; }
                parse = new;
            }
        }
    }
    println!("steps {steps} broken {broken} differ {differ} differ-in-wellformedness {bdiffer_ok} typed {typed}");
}
