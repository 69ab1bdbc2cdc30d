//! A P file that no project names, and the project files that could name it.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::Language;

use crate::layout::{Layout, Origin};
use crate::source::ReadFile;

/// A change of a project file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// As an order: "add this file to `Lease.pproj`".
    pub title: String,
    pub manifest: PathBuf,
    /// What the project file says now.
    pub text: String,
    pub edit: Edit,
}

/// How far above a file its project is looked for.
const FOLDERS: usize = 3;

/// The projects that lie nearest to a file which is part of none, each with the line that would make it part of it.
pub fn adoptions(layout: &Layout, file: usize, read: ReadFile<'_>) -> Vec<Adoption> {
    let Some(found) = layout.files.get(file).filter(|found| found.language == Language::P) else { return Vec::new() };
    let mut projects = layout.projects.iter().filter(|project| project.members.iter().any(|member| member.file == file));
    if projects.any(|project| matches!(project.origin, Origin::Manifest { .. } | Origin::Text(_))) {
        return Vec::new();
    }
    let folders = found.key.ancestors().skip(1).take(FOLDERS);
    let nearest = folders.map(manifests).find(|manifests| !manifests.is_empty()).unwrap_or_default();
    nearest.into_iter().filter_map(|manifest| adoption(&found.key, manifest, read)).collect()
}

fn manifests(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "pproj")).collect();
    found.sort();
    found
}

/// A line before the end of `InputFiles`, indented like the entry before it.
fn adoption(file: &Path, manifest: PathBuf, read: ReadFile<'_>) -> Option<Adoption> {
    let text = String::from_utf8(read(&manifest).ok()?).ok()?;
    // Editors do not count the mark, and keep it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    let below = file.strip_prefix(manifest.parent()?).ok()?;
    let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let path = parts.join("/").replace('&', "&amp;").replace('<', "&lt;");
    let end = text.rfind("</InputFiles>")?;
    let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let is_alone = text[line..end].trim().is_empty();
    let before = text[..line].trim_end();
    let last = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let own = &text[line..end];
    let indent = match last.trim_start().starts_with("<PFile") {
        true => last[..last.len() - last.trim_start().len()].to_owned(),
        false => format!("{own}  "),
    };
    let entry = format!("<PFile>./{path}</PFile>");
    let (at, insert) = if is_alone { (line, format!("{indent}{entry}\n")) } else { (end, entry) };
    let range = TextRange::empty(TextSize::try_from(at).ok()?);
    let name = manifest.file_name()?.to_string_lossy().into_owned();
    Some(Adoption { title: format!("add this file to `{name}`"), manifest, text, edit: Edit { range, insert } })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::read_disk;

    #[test]
    fn a_file_beside_a_project_becomes_part_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        fs::create_dir(folder.path().join("Other")).expect("a folder");
        write("A.p", "event eA;\n");
        write("Other/B.p", "event eB;\n");
        write(
            "Lease.pproj",
            "<Project>\n  <ProjectName>Lease</ProjectName>\n  <InputFiles>\n    <PFile>./A.p</PFile>\n  </InputFiles>\n</Project>\n",
        );
        let layout = || Layout::of(&[PathBuf::from(folder.path())], &read_disk);
        let index =
            |layout: &Layout, name: &str| layout.files.iter().position(|file| file.path.ends_with(name)).expect("it is there");
        let before = layout();
        assert!(adoptions(&before, index(&before, "A.p"), &read_disk).is_empty(), "it is part of it");
        let [only] = &adoptions(&before, index(&before, "B.p"), &read_disk)[..] else { panic!("one project") };
        assert_eq!(only.title, "add this file to `Lease.pproj`");
        assert_eq!(only.edit.insert, "    <PFile>./Other/B.p</PFile>\n");
        let mut text = only.text.clone();
        text.insert_str(usize::from(only.edit.range.start()), &only.edit.insert);
        write("Lease.pproj", &text);
        let after = layout();
        let file = index(&after, "B.p");
        assert!(adoptions(&after, file, &read_disk).is_empty());
        let member = |project: &crate::ProjectLayout| project.members.iter().any(|member| member.file == file);
        assert!(after.projects.iter().any(|project| matches!(project.origin, Origin::Manifest { .. }) && member(project)));
        assert!(after.manifests.iter().all(|manifest| manifest.diagnostics.is_empty()), "nothing is wrong with it");
    }
}
