#![allow(clippy::print_stdout)]
use lockstep_syntax::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let parse = Parse::new(Language::of_path(path.as_ref()).unwrap(), text.as_str());
        println!("{:?} {:.1} MB/s", t.elapsed(), text.len() as f64 / 1e6 / t.elapsed().as_secs_f64());
        let t = std::time::Instant::now();
        drop(parse);
        println!("drop {:?}", t.elapsed());
    }
}
