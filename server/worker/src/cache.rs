//! Results on disk, by the fingerprint of the program they are about, so that they outlive the server.
//!
//! A file for each program and engine, written beside and moved into place, with a hash of its content in the first line: what was
//! damaged is passed over and told. Traces are files of their own, because people give them to other commands. Old files go when there
//! are too many. Only what the same work would say again is kept, never what a clock or a person has ended.

use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lockstep_base::verdict::Outcome;
use lockstep_judge::{ENGINE, Finding};
use lockstep_runtime::StableHasher;
use serde::{Deserialize, Serialize};

/// How much may be kept, in bytes.
const MOST: u64 = 256 << 20;
/// How many traces of one test are kept.
const MOST_TRACES: usize = 3;
const RESULTS: &str = "results";
const TRACES: &str = "traces";
/// Pages that were opened in editors; whatever is in them can be made again.
const PAGES: &str = "pages";
const TRACE: &str = ".trace.json";

/// A folder with results; nothing is kept without one.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    most: u64,
    /// Of the program that makes results.
    engine: String,
}

/// What is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub folder: PathBuf,
    pub results: usize,
    pub traces: usize,
    pub bytes: u64,
}

/// What is kept of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) fingerprint: String,
    pub(crate) outcome: Outcome,
    pub(crate) findings: Vec<Finding>,
}

impl Cache {
    /// The user's: `LOCKSTEP_CACHE`, or `lockstep` below `XDG_CACHE_HOME` or `~/.cache`.
    pub fn of_user() -> Self {
        let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = || named("XDG_CACHE_HOME").or_else(|| Some(std::env::home_dir()?.join(".cache")));
        Self::at(named("LOCKSTEP_CACHE").or_else(|| Some(usual()?.join("lockstep"))), MOST)
    }

    pub(crate) fn at(folder: Option<PathBuf>, most: u64) -> Self {
        Self { folder, most, engine: engine() }
    }

    /// The result of a program. `Err` says what is wrong with it.
    pub(crate) fn load(&self, fingerprint: &str) -> Result<Option<Entry>, String> {
        let Some(path) = self.result_path(fingerprint) else { return Ok(None) };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("`{}` cannot be read: {error}", path.display())),
        };
        let damaged = || format!("`{}` is damaged and is passed over", path.display());
        let (hash, body) = text.split_once('\n').ok_or_else(damaged)?;
        if hash != hash_of(body) {
            return Err(damaged());
        }
        let entry: Entry = serde_json::from_str(body).map_err(|_| damaged())?;
        if entry.fingerprint != fingerprint || !entry.outcome.is_consistent() {
            return Err(damaged());
        }
        // A bug without its trace is no bug that anyone could look at.
        let has_trace = entry.outcome.trace.as_ref().is_none_or(|trace| self.trace_path(trace).is_some_and(|path| path.exists()));
        Ok(has_trace.then_some(entry))
    }

    pub(crate) fn store(&self, entry: &Entry) -> io::Result<()> {
        let Some(path) = self.result_path(&entry.fingerprint) else { return Ok(()) };
        let body = serde_json::to_string(entry)?;
        write(&path, &format!("{}\n{body}", hash_of(&body)))?;
        self.prune()
    }

    /// Writes a trace of a test, and gives its name.
    pub(crate) fn store_trace(&self, item: &str, fingerprint: &str, trace: &str) -> io::Result<String> {
        let name = format!("{}{}", stem(item), fingerprint.chars().take(16).collect::<String>());
        let path = self.trace_path(&name).ok_or_else(|| io::Error::other("there is no folder for traces"))?;
        write(&path, trace)?;
        for old in self.traces_of(item).into_iter().filter(|known| *known != path).skip(MOST_TRACES - 1) {
            fs::remove_file(old)?;
        }
        Ok(name)
    }

    /// The traces of a test, the newest first.
    pub(crate) fn traces_of(&self, item: &str) -> Vec<PathBuf> {
        let stem = stem(item);
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join(TRACES)) else { return Vec::new() };
        let mut found: Vec<File> = files(&folder);
        found.retain(|file| file.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&stem)));
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().map(|file| file.path).collect()
    }

    /// Where a trace is.
    pub fn trace_path(&self, name: &str) -> Option<PathBuf> {
        let is_plain = !name.contains(['/', '\\']);
        Some(self.folder.as_ref().filter(|_| is_plain)?.join(TRACES).join(format!("{name}{TRACE}")))
    }

    /// Writes a page that an editor is to open, and says where it is.
    pub(crate) fn store_page(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| !name.contains(['/', '\\']));
        let path = folder.ok_or_else(|| io::Error::other("there is no folder for pages"))?.join(PAGES).join(name);
        write(&path, text)?;
        Ok(path)
    }

    /// What is there; nothing without a folder.
    pub fn show(&self) -> Option<Contents> {
        let folder = self.folder.clone()?;
        let (results, traces) = (files(&folder.join(RESULTS)), files(&folder.join(TRACES)));
        let bytes = results.iter().chain(&traces).map(|file| file.bytes).sum();
        Some(Contents { folder, results: results.len(), traces: traces.len(), bytes })
    }

    /// Removes all results and traces, and says what there was.
    pub fn clear(&self) -> io::Result<Option<Contents>> {
        let contents = self.show();
        for file in
            contents.iter().flat_map(|contents| [RESULTS, TRACES, PAGES].map(|name| files(&contents.folder.join(name)))).flatten()
        {
            fs::remove_file(file.path)?;
        }
        Ok(contents)
    }

    fn result_path(&self, fingerprint: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(RESULTS).join(format!("{fingerprint}-{}.json", self.engine)))
    }

    /// Removes the oldest files if there is too much.
    fn prune(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut all: Vec<File> = [RESULTS, TRACES, PAGES].into_iter().flat_map(|name| files(&folder.join(name))).collect();
        all.sort();
        let mut bytes: u64 = all.iter().map(|file| file.bytes).sum();
        for file in all {
            if bytes <= self.most {
                break;
            }
            fs::remove_file(&file.path)?;
            bytes -= file.bytes;
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    changed: SystemTime,
    path: PathBuf,
    bytes: u64,
}

/// The files of a folder of ours.
fn files(folder: &Path) -> Vec<File> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(File { changed, path: entry.path(), bytes: metadata.len() })
    };
    entries.filter_map(file).collect()
}

/// Beside its place first, so that nobody ever sees half of it.
fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&beside, content)?;
    fs::rename(&beside, path)
}

/// What the names of all traces of a test begin with.
fn stem(item: &str) -> String {
    let test = item.rsplit('/').next().unwrap_or(item);
    let plain: String = test.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).take(80).collect();
    format!("{plain}-{}-", &hash_of(item)[..8])
}

fn hash_of(text: &str) -> String {
    let mut hasher = StableHasher::default();
    hasher.write(text.as_bytes());
    hasher.fingerprint().to_string()
}

/// Which build this is: another one may say something else, also one with the same version.
fn engine() -> String {
    let build = std::env::current_exe().and_then(fs::metadata);
    let build = build.map(|file| (file.len(), file.modified().ok())).ok();
    hash_of(&format!("{} {ENGINE} {build:?}", env!("CARGO_PKG_VERSION")))[..8].to_owned()
}

#[cfg(test)]
mod tests {
    use lockstep_base::verdict::{Scope, Verdict};

    use super::*;

    fn entry(fingerprint: &str) -> Entry {
        let scope = Some(Scope::Bounded { machines: 2, states: 7 });
        let outcome = Outcome { verdict: Verdict::Exhausted, scope, ..Outcome::not_run("all 7 states") };
        Entry { fingerprint: fingerprint.to_owned(), outcome, findings: Vec::new() }
    }

    #[test]
    fn what_was_stored_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(folder.path().to_owned()), MOST);
        assert_eq!(cache.load("ab"), Ok(None));
        cache.store(&entry("ab")).unwrap();
        assert_eq!(cache.load("ab"), Ok(Some(entry("ab"))));
        assert_eq!(cache.load("cd"), Ok(None));
        let contents = cache.show().unwrap();
        assert_eq!((contents.results, contents.traces), (1, 0));
        cache.clear().unwrap();
        assert_eq!(cache.load("ab"), Ok(None));
        assert_eq!(Cache::at(None, MOST).load("ab"), Ok(None));
    }

    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(folder.path().to_owned()), MOST);
        cache.store(&entry("ab")).unwrap();
        let path = cache.result_path("ab").unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for damaged in [whole.replace("\"states\":7", "\"states\":8"), whole[..whole.len() / 2].to_owned(), String::new()] {
            fs::write(&path, &damaged).unwrap();
            assert!(cache.load("ab").unwrap_err().contains("is damaged"), "{damaged}");
        }
        fs::write(&path, &whole).unwrap();
        fs::rename(&path, cache.result_path("cd").unwrap()).unwrap();
        assert!(cache.load("cd").is_err(), "it is about another program");
    }

    #[test]
    fn a_bug_needs_its_trace() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(folder.path().to_owned()), MOST);
        let name = cache.store_trace("/a/App.p#App/tcOne", "abcd", "{}").unwrap();
        let outcome = Outcome { verdict: Verdict::Refuted, scope: None, trace: Some(name.clone()), ..entry("ab").outcome };
        let bug = Entry { outcome, ..entry("ab") };
        cache.store(&bug).unwrap();
        assert_eq!(cache.load("ab"), Ok(Some(bug)));
        assert_eq!(cache.traces_of("/a/App.p#App/tcOne"), [cache.trace_path(&name).unwrap()]);
        assert!(cache.traces_of("/b/App.p#App/tcOne").is_empty(), "a test of the same name elsewhere");
        fs::remove_file(cache.trace_path(&name).unwrap()).unwrap();
        assert_eq!(cache.load("ab"), Ok(None));
        assert_eq!(cache.trace_path("../../etc/passwd"), None);
    }

    #[test]
    fn the_oldest_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(folder.path().to_owned()), 1500);
        for number in 0..20 {
            cache.store(&entry(&format!("{number:02}"))).unwrap();
        }
        let contents = cache.show().unwrap();
        assert!(contents.bytes <= 1500 && contents.results > 1, "{contents:?}");
        assert!(cache.load("19").unwrap().is_some() && cache.load("00").unwrap().is_none());
    }
}
