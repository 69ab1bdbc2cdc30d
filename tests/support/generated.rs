//! Projects of any size: the sample project over and over, each copy with names of its own.

use std::collections::HashSet;

use lockstep_syntax::p::ast::Decl;
use lockstep_syntax::{Language, Parse};

use crate::programs;

/// Files with at least `lines` lines together, as one project without mistakes.
pub fn generated_project(lines: usize) -> Vec<(String, String)> {
    let sample: Vec<(String, String)> = programs()
        .into_iter()
        .filter(|program| program.name.starts_with("p/lease/"))
        .map(|program| (program.name.trim_start_matches("p/lease/").trim_end_matches(".p").to_owned(), program.text))
        .collect();
    let declared: HashSet<String> = sample.iter().flat_map(|(_, text)| declared_names(text)).collect();
    let mut files = Vec::new();
    let mut total = 0;
    for copy in 0.. {
        if total >= lines {
            break;
        }
        for (name, text) in &sample {
            total += text.lines().count();
            files.push((format!("{name}{copy}.p"), renamed(text, &declared, copy)));
        }
    }
    files
}

fn declared_names(text: &str) -> Vec<String> {
    let parse = Parse::new(Language::P, text);
    let items = &parse.p().expect("a P text").items;
    let mut names = Vec::new();
    for item in items {
        let nodes = &item.value.nodes;
        names.extend(item.value.name().map(|name| nodes[name].as_str().to_owned()));
        if let Decl::Enum { elements, .. } = &item.value.decl {
            names.extend(elements.iter().map(|element| nodes[element.name].as_str().to_owned()));
        }
        if let Decl::Param { names: params, .. } = &item.value.decl {
            names.extend(params.iter().map(|name| nodes[*name].as_str().to_owned()));
        }
    }
    names
}

/// `text` with the number of the copy after each declared name.
fn renamed(text: &str, declared: &HashSet<String>, copy: usize) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut renamed = String::with_capacity(text.len() * 5 / 4);
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        renamed.push_str(&rest[..word]);
        if declared.contains(&rest[..word]) {
            renamed.push_str(&copy.to_string());
        }
        let gap = rest[word..].find(is_word).unwrap_or(rest.len() - word);
        renamed.push_str(&rest[word..word + gap]);
        rest = &rest[word + gap..];
    }
    renamed
}

#[cfg(test)]
mod tests {
    use crate::{generated_project, static_errors};

    #[test]
    fn generated_projects_have_no_mistakes() {
        let files = generated_project(2_000);
        assert!(files.iter().map(|(_, text)| text.lines().count()).sum::<usize>() >= 2_000);
        assert_eq!(static_errors(files).first().map(|(file, line, error)| (file.clone(), *line, error.message.clone())), None);
    }
}
