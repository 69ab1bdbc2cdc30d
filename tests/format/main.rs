//! The layout of every program there is, of generated ones, of broken ones, and of programs with comments where nobody would write them.

use lockstep_format::{Braces, Indent, Options, Width};
use lockstep_syntax::Language;
use lockstep_tests::{
    Program, Random, Taste, faulty_icet_programs, faulty_p_programs, formats, icet_generator, inject_comments, mutants,
    p_program, programs, programs_of_codes,
};

fn all() -> Vec<Program> {
    let of_codes = programs_of_codes().into_iter().map(|(_, program)| program);
    programs().into_iter().chain(of_codes).chain(faulty_icet_programs()).chain(faulty_p_programs()).collect()
}

/// One style after another: the usual one, a narrow one in which most lines need several, one with tabs.
fn styles() -> [Options; 3] {
    let narrow = Options { width: Width::new(44), braces: Some(Braces::NextLine), ..Options::default() };
    let tabs = Options { indent: Some(Indent::Tab), width: Width::new(70), ..Options::default() };
    [Options::default(), narrow, tabs]
}

fn style(number: usize) -> Options {
    styles()[number % 3]
}

#[test]
fn every_program_keeps_its_tree() {
    let programs = all();
    assert!(programs.len() > 250, "only {} programs were found", programs.len());
    for program in programs {
        for style in styles() {
            formats(program.language, &program.text, &style);
        }
    }
}

#[test]
fn most_programs_are_laid_out_as_the_formatter_would() {
    let unchanged =
        programs().iter().filter(|program| formats(program.language, &program.text, &Options::default()).is_unchanged).count();
    assert!(unchanged * 2 > programs().len(), "only {unchanged} programs stay as they are: the style is not ours");
}

#[test]
fn comments_stay_wherever_they_are() {
    let mut random = Random::new(1);
    for (number, program) in all().iter().enumerate() {
        for share in [1, 12] {
            let text = inject_comments(&program.text, share, |bound| random.below(bound));
            formats(program.language, &text, &style(number));
        }
    }
}

#[test]
fn generated_programs_keep_their_trees() {
    for seed in 0..60 {
        formats(Language::P, &p_program(seed, Taste::default()), &style(seed as usize));
        let mut random = Random::new(seed);
        formats(Language::Icet, &icet_generator::structured(&mut random, 6), &style(seed as usize));
        formats(Language::Icet, &icet_generator::extended(&mut random, 6), &style(seed as usize));
    }
}

#[test]
fn broken_parts_stay_as_they_are() {
    let mut random = Random::new(2);
    for (number, program) in programs().iter().enumerate() {
        for mutant in mutants(program, 6, &mut random) {
            formats(program.language, &mutant.text, &style(number));
        }
    }
}

#[test]
fn what_is_on_one_line_is_laid_out_like_the_rest() {
    for program in programs().iter().filter(|program| program.language == Language::P) {
        let without_comments: Vec<&str> =
            lockstep_tests::tokens(&program.text).into_iter().map(|token| &program.text[token]).collect();
        let formatted = formats(Language::P, &without_comments.join(" "), &Options::default());
        let longest = formatted.text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= 132, "{}: a line has {longest} columns", program.name);
        let spread = without_comments.join("\n");
        formats(Language::P, &spread, &Options::default());
    }
}

#[test]
fn line_ends_stay_what_they_are() {
    for program in programs() {
        let windows = program.text.replace('\n', "\r\n");
        let formatted = formats(program.language, &windows, &Options::default()).text;
        assert_eq!(formatted.matches('\n').count(), formatted.matches("\r\n").count(), "{}", program.name);
        let plain = formats(program.language, &program.text, &Options::default()).text;
        assert_eq!(formatted.replace("\r\n", "\n"), plain, "{}", program.name);
    }
}

/// There are no time limits. The sizes are such that quadratic time or space would show.
#[test]
fn absurd_texts_are_laid_out_in_time() {
    let deep = 10_000;
    let nested = |open: &str, close: &str| format!("fun f() {{ {}x = 1;{} }}", open.repeat(deep), close.repeat(deep));
    formats(Language::P, &nested("{ ", "}"), &Options::default());
    formats(Language::P, &nested("if (a) ", ""), &Options::default());
    formats(Language::P, &format!("fun f() {{ x = {}1{}; }}", "(".repeat(deep), ")".repeat(deep)), &Options::default());
    formats(Language::P, &format!("fun f() {{ x = {}1{}; }}", "(a = ".repeat(deep), ",)".repeat(deep)), &Options::default());
    formats(Language::P, &format!("fun f() {{ x = 1{}; }}", " + 1".repeat(deep)), &Options::default());
    formats(Language::P, &format!("fun f() {{ x = {}1; }}", "- ".repeat(deep)), &Options::default());
    formats(Language::P, &"// c\n".repeat(deep), &Options::default());
    formats(Language::P, &format!("event /*\n{}*/ e;", " \n".repeat(deep)), &Options::default());
    formats(Language::Icet, &format!("process p {{ x = {{{}}}; }}", "{},".repeat(deep) + "1"), &Options::default());
}
