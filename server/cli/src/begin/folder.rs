//! A folder that is made whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

/// A file of a folder that is to be made: its path there, with forward slashes, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

/// Makes a folder that is not there, or fills one that is empty.
pub(super) fn make(folder: &Path, files: &[File]) -> anyhow::Result<()> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Ok(mut entries) => ensure!(entries.next().is_none(), "`{shown}` is there already, and not empty: choose another name"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) if folder.is_file() => bail!("`{shown}` is there already, and is a file: choose another name"),
        Err(error) => return Err(error).with_context(|| format!("`{shown}` cannot be made")),
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("the folder `{}` cannot be made", parent.display()))?;
    // Beside its place, because nothing else is sure to be on the same disk.
    let beside = tempfile::Builder::new().prefix(".lockstep-").tempdir_in(parent);
    let beside = beside.with_context(|| format!("nothing can be written in `{}`", parent.display()))?;
    let made = beside.path().join("made");
    for file in files {
        write(&made.join(file.path.split('/').collect::<PathBuf>()), &file.text)
            .with_context(|| format!("`{}` cannot be written", file.path))?;
    }
    // An empty folder gives way; one that has got something meanwhile does not.
    if folder.is_dir() {
        fs::remove_dir(folder).with_context(|| format!("`{shown}` cannot be replaced"))?;
    }
    fs::rename(&made, folder).with_context(|| format!("`{shown}` cannot be made"))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<File> {
        vec![File { path: "PSrc/A.p".to_owned(), text: "event e;\n".to_owned() }]
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        fs::create_dir(&there).unwrap();
        make(&there, &files()).unwrap();
        assert_eq!(fs::read_to_string(there.join("PSrc/A.p")).unwrap(), "event e;\n");
        let again = make(&there, &files()).unwrap_err();
        assert!(again.to_string().contains("not empty"), "{again}");
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(make(&file, &files()).unwrap_err().to_string().contains("is a file"));
        assert!(make(&file.join("below"), &files()).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "x");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 2, "nothing is left behind: {left:?}");
    }
}
