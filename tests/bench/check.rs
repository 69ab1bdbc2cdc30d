//! `cargo xtask bench check`: how fast whole projects are checked, and again after one typed character.

use std::time::{Duration, Instant};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_program::{Database, Project, SourceFile, file_diagnostics, project_files};
use lockstep_tests::{Random, Report, Row, generated_project, p_project};

const EDITS: usize = 400;
/// How many files are open in the editor; the letters are typed in these.
const OPEN: usize = 12;

/// Lines of a project, with what is meant to be reached: milliseconds from scratch and for 95 of 100 letters typed.
const SIZES: [(usize, Option<f64>, Option<f64>); 3] =
    [(1_000, None, None), (10_000, None, Some(5.0)), (100_000, Some(1_000.0), Some(15.0))];

fn main() {
    let mut report = Report::new("check");
    for (lines, cold, letter) in SIZES {
        let texts = generated_project(lines);
        let size = texts.iter().map(|(_, text)| text.len()).sum::<usize>();
        let before = resident();
        let start = Instant::now();
        let mut db = Database::default();
        let (project, files) = p_project(&db, texts);
        let parsed = start.elapsed();
        assert_eq!(all_diagnostics(&db, project), 0, "a generated project has no mistakes");
        let checked = start.elapsed();
        let aimed = |aim: Option<f64>| aim.map_or(String::new(), |aim| format!(" (aim {aim})"));
        report.add(Row::new(format!("{lines} lines, {} files, from scratch{}", files.len(), aimed(cold)), "ms", ms(checked)));
        report.add(Row::new(format!("{lines} lines, of that parsing"), "ms", ms(parsed)));
        if let (Some(before), Some(after)) = (before, resident()) {
            #[allow(clippy::cast_precision_loss)]
            let (used, size) = ((after - before) as f64 / 1e6, size as f64 / 1e6);
            report.add(Row::new(format!("{lines} lines, memory (text {size:.1} MB, aim {:.0})", 10.0 * size + 50.0), "MB", used));
        }
        let mut times = keystrokes(&mut db, project, &files);
        times.sort();
        for share in [50, 95, 99] {
            let time = times[(times.len() - 1) * share / 100];
            let aim = aimed(letter.filter(|_| share == 95));
            report.add(Row::new(format!("{lines} lines, one letter in a body, p{share}{aim}"), "ms", ms(time)));
        }
    }
    report.finish();
}

/// From a typed letter to all diagnostics of the project.
fn keystrokes(db: &mut Database, project: Project, files: &[SourceFile]) -> Vec<Duration> {
    let mut random = Random::new(7);
    let open: Vec<SourceFile> = (0..OPEN).map(|_| files[random.below(files.len())]).collect();
    for file in &open {
        // What the server does when an editor opens a file.
        file.expect_edits(db);
    }
    all_diagnostics(db, project);
    let mut times = Vec::new();
    while times.len() < EDITS {
        let file = open[random.below(open.len())];
        let text = file.parse(db).text().to_string();
        let Some(at) = place_in_body(&text, &mut random) else { continue };
        let typed = TextRange::at(at, TextSize::of("x"));
        let start = Instant::now();
        let edited = file.parse(db).edit(&[Edit { range: TextRange::empty(at), insert: "x".to_owned() }]);
        file.update(db, edited);
        all_diagnostics(db, project);
        times.push(start.elapsed());
        let original = file.parse(db).edit(&[Edit { range: typed, insert: String::new() }]);
        file.update(db, original);
        all_diagnostics(db, project);
    }
    times
}

/// After a letter in an indented line, that is inside of a machine or function.
fn place_in_body(text: &str, random: &mut Random) -> Option<TextSize> {
    let places: Vec<usize> = text
        .lines()
        .filter(|line| line.starts_with("            ") && !line.trim_start().starts_with("//"))
        .flat_map(|line| {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            line.char_indices().filter(|(_, letter)| letter.is_ascii_lowercase()).map(move |(at, _)| start + at + 1)
        })
        .collect();
    if places.is_empty() {
        return None;
    }
    TextSize::try_from(places[random.below(places.len())]).ok()
}

fn all_diagnostics(db: &Database, project: Project) -> usize {
    project_files(db, project).map(|file| file_diagnostics(db, file).len()).sum()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Bytes of memory this process occupies, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}
