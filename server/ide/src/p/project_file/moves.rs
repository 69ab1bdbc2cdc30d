//! Files and folders that get another name or place, and the paths of project files that have to say so.

use std::path::{Component, Path, PathBuf};

use lockstep_base::Edit;
use lockstep_workspace::manifest::{Entry, entries};

use super::completion::escaped;
use super::{Disk, target};

/// A file or folder that gets another path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: PathBuf,
    pub to: PathBuf,
}

/// The changes of project files that keep their paths leading to what they lead to now, before anything is moved: of each project
/// file that has any, its number in `files` and the edits. The project files may be among what is moved. A path that leads
/// nowhere stays as it is; so does one that is mixed with comments or references, which is no text to replace.
pub fn follow_moves(files: &[(PathBuf, String)], moves: &[Move], disk: &dyn Disk) -> Vec<(usize, Vec<Edit>)> {
    let roots: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    let mut found = Vec::new();
    for (number, (path, text)) in files.iter().enumerate() {
        let edits: Vec<Edit> = entries(text)
            .iter()
            .filter(|entry| text[entry.range] == entry.written)
            .filter_map(|entry| Some(Edit { range: entry.range, insert: escaped(&follow(path, entry, &roots, moves, disk)?) }))
            .collect();
        if !edits.is_empty() {
            found.push((number, edits));
        }
    }
    found
}

/// The path that an entry has to have afterwards, if that is another one.
fn follow(path: &Path, entry: &Entry, roots: &[PathBuf], moves: &[Move], disk: &dyn Disk) -> Option<String> {
    let (from, target, _) = target(path, entry, roots, disk)?;
    let (folder, new_target) = (moved(&from, moves), moved(&target, moves));
    let folder = folder.parent()?;
    let written = &entry.written;
    let forward = written.replace('\\', "/");
    // Not as the disk has it: it is not there yet.
    if simplified(&folder.join(&forward)) == new_target {
        return None;
    }
    let is_absolute = Path::new(&forward).is_absolute();
    let mut new = if is_absolute { new_target.to_string_lossy().into_owned() } else { relative(folder, &new_target)? };
    // As it was written before.
    if written.starts_with("./") || written.starts_with(".\\") {
        new = if new.starts_with("../") { new } else { format!("./{new}") };
    }
    if written.ends_with(['/', '\\']) && !new.ends_with('/') {
        new.push('/');
    }
    Some(if written.contains('\\') && !written.contains('/') { new.replace('/', "\\") } else { new })
}

/// A path without `.` and without going into folders only to leave them.
fn simplified(path: &Path) -> PathBuf {
    let mut simple = PathBuf::new();
    for component in path.components() {
        match (component, simple.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(simple.pop()),
            _ => simple.push(component),
        }
    }
    simple
}

/// Where a path is after the moves: the one that is nearest to it counts.
fn moved(path: &Path, moves: &[Move]) -> PathBuf {
    let around = moves.iter().filter(|moved| path.starts_with(&moved.from));
    match around.max_by_key(|moved| moved.from.components().count()) {
        Some(Move { from, to }) => match path.strip_prefix(from) {
            Ok(rest) if rest.as_os_str().is_empty() => to.clone(),
            Ok(rest) => to.join(rest),
            Err(_) => path.to_owned(),
        },
        None => path.to_owned(),
    }
}

/// The way from a folder to a path, with forward slashes; `None` if there is none, as between drives.
fn relative(folder: &Path, path: &Path) -> Option<String> {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) = (folder.components().collect(), path.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let down = to[shared..].iter().map(|component| component.as_os_str().to_string_lossy().into_owned());
    let way: Vec<String> = up.chain(down).collect();
    Some(if way.is_empty() { ".".to_owned() } else { way.join("/") })
}
