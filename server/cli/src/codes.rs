//! The codes that a user can name.

use anyhow::bail;
use lockstep_base::Severity;
use lockstep_icet::explain as icet;
use lockstep_program::ProblemCode;
use lockstep_runtime::explain as runs;
use lockstep_workspace as workspace;

/// Every code with its title and its explanation in Markdown, in order.
pub(crate) fn explanations() -> Vec<(&'static str, &'static str, &'static str)> {
    let title = |text: &'static str| text.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, title)| title);
    let of_icet = icet::explanations().iter().map(|(code, text)| (*code, title(text), *text));
    let of_runs = runs::explanations().iter().map(|(code, text)| (*code, title(text), *text));
    let mut all: Vec<_> = lockstep_program::explanations().chain(of_icet).chain(of_runs).collect();
    all.sort_unstable();
    all
}

/// The explanation of a code, in Markdown.
pub(crate) fn explanation(code: &str) -> Option<&'static str> {
    lockstep_program::explanation(code).or_else(|| icet::explain(code)).or_else(|| runs::explain(code))
}

/// The codes whose titles have a word in them; none for what is or looks like a code.
pub(crate) fn titled(word: &str) -> Vec<(&'static str, &'static str)> {
    let word = word.trim().to_lowercase();
    if word.chars().count() < 3 || word.chars().any(|char| char.is_ascii_digit()) {
        return Vec::new();
    }
    let has_word = |title: &str| title.to_lowercase().contains(&word);
    explanations().into_iter().filter(|(_, title, _)| has_word(title)).map(|(code, title, _)| (code, title)).collect()
}

/// The code as it is written in findings. An unknown one is told with those it may be mixed up with.
pub(crate) fn known(written: &str) -> anyhow::Result<&'static str> {
    let is_number = (1..=4).contains(&written.len()) && written.bytes().all(|byte| byte.is_ascii_digit());
    // `305` is `LS0305`.
    let upper = if is_number { format!("LS{written:0>4}") } else { written.to_ascii_uppercase() };
    let codes: Vec<&'static str> = explanations().into_iter().map(|(code, ..)| code).collect();
    if let Some(code) = codes.iter().find(|code| **code == upper) {
        return Ok(code);
    }
    let mut near: Vec<(usize, &str)> = codes.into_iter().map(|code| (strsim::osa_distance(code, &upper), code)).collect();
    near.sort_unstable();
    let near: Vec<String> =
        near.into_iter().take_while(|(far, _)| *far <= 2).take(3).map(|(_, code)| format!("`{code}`")).collect();
    match near.as_slice() {
        [] => bail!("there is no code `{written}`: `lockstep explain` lists all"),
        near => bail!("there is no code `{written}`: did you mean {}?", near.join(" or ")),
    }
}

/// A code whose findings can be left out: P takes programs in spite of them.
pub(crate) fn allowed(written: &str) -> anyhow::Result<&'static str> {
    let code = known(written)?;
    let problem = ProblemCode::ALL.iter().find(|problem| problem.number() == code);
    let is_error = match problem {
        Some(problem) => problem.severity() == Severity::Error,
        // Of IceT, `LS21nn` are warnings.
        None if icet::explain(code).is_some() => !code.starts_with("LS21"),
        None if runs::explain(code).is_some() => true,
        None => ![workspace::PROJECT_PATH, workspace::PROJECT_ELEMENT, workspace::SEPARATE_PROGRAMS, workspace::PROJECT_INCLUDE]
            .contains(&code),
    };
    if is_error {
        bail!("`{code}` is an error: only warnings can be allowed");
    }
    Ok(code)
}
