#![allow(clippy::print_stdout)]
use lockstep_base::*;
use lockstep_syntax::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let parse = Parse::new(Language::P, text.as_str());
    let n = parse.p().unwrap().items.len();
    for at in [text.len() as u32 / 2, 100, text.len() as u32 - 10] {
        let t = std::time::Instant::now();
        let new = parse.edit(&[Edit { range: TextRange::empty(TextSize::new(at)), insert: " ".into() }]);
        let t = t.elapsed();
        let same = new.p().unwrap().items.iter().filter(|i| parse.p().unwrap().items.iter().any(|j| std::sync::Arc::ptr_eq(&i.value, &j.value))).count();
        println!("{n} items, {same} reused, {t:?}");
    }
}
