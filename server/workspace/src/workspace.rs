//! A database kept in line with a layout.
//!
//! Invariant: the database has one `SourceFile` for each P file and one `IcetFile` for each IceT file, whatever becomes of it, and one
//! `Project` for each program. What goes is emptied, because inputs of the database cannot be removed; what comes back is filled again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_program::{Database, Member, Project, ProjectFile, Purpose, SourceFile, Space};
use lockstep_syntax::{Language, Parse};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use smol_str::SmolStr;

use crate::declared::{declared, is_for_verifier};
use crate::guard::guarded;
use crate::icet::IcetFile;
use crate::layout::{Failure, FileLayout, Layout, Origin, ProjectLayout};
use crate::separate::{Clash, clashes};
use crate::source::{ReadFile, Source, why_unreadable};

/// Files and projects with what the database knows them by.
#[derive(Default)]
pub struct Workspace {
    layout: Layout,
    /// For each file of the layout its content, if it could be read.
    files: Vec<Option<LoadedFile>>,
    by_key: FxHashMap<PathBuf, usize>,
    by_input: FxHashMap<SourceFile, usize>,
    programs: Vec<Program>,
    /// For each file of the layout the programs it is judged by, with whether it is included there.
    programs_of: Vec<Vec<(usize, Member)>>,
    /// Names by which files of a folder show that they are not one program.
    clashes: BTreeMap<usize, Clash>,
    unreadable: Vec<Failure>,
    /// All inputs that the database has been given.
    sources: FxHashMap<PathBuf, SourceFile>,
    icet: FxHashMap<PathBuf, IcetFile>,
    projects: FxHashMap<ProgramKey, Project>,
}

/// A file in memory.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    pub source: Source,
    pub parse: Arc<Parse>,
    /// For P: what the database knows it by.
    pub input: Option<SourceFile>,
    /// For IceT, likewise.
    pub icet: Option<IcetFile>,
}

/// Files that are checked as one program.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    /// Index into `Layout::projects`. Several programs come from one project if its files cannot be one program.
    pub layout: usize,
    pub project: Project,
    /// Indices into `Layout::files`, without those that could not be read.
    pub files: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ProgramKey {
    Whole(Origin),
    /// One file of a folder.
    Single(PathBuf),
}

impl Workspace {
    /// Brings the database in line with a layout. All files are read, in parallel; those whose text has changed are parsed, and
    /// only inputs that have changed are set.
    pub fn update(&mut self, db: &mut Database, layout: Layout, read: ReadFile<'_>) {
        let loaded: Vec<Result<LoadedFile, Failure>> = layout.files.par_iter().map(|file| self.load(file, read)).collect();
        self.unreadable.clear();
        self.files = loaded.into_iter().map(|loaded| loaded.map_err(|failure| self.unreadable.push(failure)).ok()).collect();
        self.by_key = layout.files.iter().map(|file| file.key.clone()).zip(0..).collect();
        self.layout = layout;
        self.set_sources(db);
        self.set_icet(db);
        self.set_programs(db);
    }

    /// Puts a new version of an open file into the database. Nothing happens if the layout has no such file. Before the first edit,
    /// call `SourceFile::expect_edits` on its input.
    pub fn set_parse(&mut self, db: &mut Database, key: &Path, parse: Arc<Parse>) {
        let Some(file) = self.by_key.get(key).and_then(|index| self.files[*index].as_mut()) else { return };
        file.source.text = parse.text().clone();
        file.source.not_utf8 = None;
        let may_split =
            declared_names(&file.parse) != declared_names(&parse) || is_for_verifier(&file.parse) != is_for_verifier(&parse);
        file.parse = parse;
        if let Some(input) = file.input {
            input.update(db, file.parse.clone());
        }
        if let Some(input) = file.icet {
            input.update(db, file.parse.clone());
        }
        if may_split {
            self.set_programs(db);
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// What the database and the user know a file of the layout by; `None` if it could not be read.
    pub fn file(&self, index: usize) -> Option<&LoadedFile> {
        self.files.get(index)?.as_ref()
    }

    /// The index of a file in the layout.
    pub fn index(&self, key: &Path) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The index of a file in the layout, by the name that findings give it.
    pub fn index_of_name(&self, name: &str) -> Option<usize> {
        self.layout.files.iter().position(|file| file.name == name)
    }

    /// The index of a file in the layout, by what the database knows it by.
    pub fn index_of_input(&self, input: SourceFile) -> Option<usize> {
        self.by_input.get(&input).copied()
    }

    /// A file as part of each program it is judged by.
    pub fn project_files<'db>(&self, db: &'db Database, file: usize) -> impl Iterator<Item = ProjectFile<'db>> {
        self.programs_of(file)
            .map(move |(program, member)| ProjectFile::new(db, program.project, member.file, member.is_included))
    }

    /// Says that a file is no longer edited.
    pub fn expect_no_edits(&self, db: &mut Database, key: &Path) {
        if let Some(input) = self.index(key).and_then(|index| self.file(index)?.input) {
            input.expect_no_edits(db);
        }
    }

    /// Says that a file is about to be edited; see `SourceFile::expect_edits`.
    pub fn expect_edits(&self, db: &mut Database, key: &Path) {
        if let Some(input) = self.index(key).and_then(|index| self.file(index)?.input) {
            input.expect_edits(db);
        }
    }

    /// What could not be had: on the way to the files, and of them.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.layout.failures.iter().chain(&self.unreadable)
    }

    /// The programs a file is judged by, each with its membership there. What a project file says goes before what its folder
    /// suggests.
    pub(crate) fn programs_of(&self, file: usize) -> impl Iterator<Item = (&Program, Member)> {
        self.programs_of[file].iter().map(|(program, member)| (&self.programs[*program], *member))
    }

    pub(crate) fn clash(&self, file: usize) -> Option<&Clash> {
        self.clashes.get(&file)
    }

    /// Which of the layout's projects a file that clashes with others would be in.
    pub(crate) fn folder_of(&self, file: usize) -> Option<usize> {
        self.clashes.get(&file)?;
        self.programs_of[file].first().map(|(program, _)| self.programs[*program].layout)
    }

    fn load(&self, file: &FileLayout, read: ReadFile<'_>) -> Result<LoadedFile, Failure> {
        let fail = |message| Failure { path: file.name.clone(), message };
        let bytes = read(&file.path).map_err(|error| fail(why_unreadable(&file.name, &error)))?;
        let source = Source::from_bytes(bytes, file.name.clone());
        let known = self.by_key.get(&file.key).and_then(|index| self.files[*index].as_ref());
        if let Some(known) = known.filter(|known| known.source.text == source.text && known.parse.language() == file.language) {
            return Ok(LoadedFile { source, ..known.clone() });
        }
        let parse = guarded(|| Arc::new(Parse::new(file.language, source.text.clone())));
        let parse = parse.map_err(|panic| fail(format!("cannot check `{}`: {panic}", file.name)))?;
        Ok(LoadedFile { source, parse, input: None, icet: None })
    }

    fn set_sources(&mut self, db: &mut Database) {
        for (layout, file) in self.layout.files.iter().zip(&mut self.files) {
            let Some(file) = file.as_mut().filter(|_| layout.language == Language::P) else { continue };
            let input = match self.sources.get(&layout.key) {
                Some(input) => *input,
                None => {
                    let input = SourceFile::open(db, layout.name.clone(), file.parse.clone());
                    self.sources.insert(layout.key.clone(), input);
                    input
                }
            };
            if !Arc::ptr_eq(input.parse(db), &file.parse) {
                input.update(db, file.parse.clone());
            }
            if *input.path(db) != layout.name {
                input.set_path(db).with_durability(Durability::HIGH).to(layout.name.clone());
            }
            file.input = Some(input);
        }
        let inputs = self.files.iter().enumerate().filter_map(|(index, file)| Some((file.as_ref()?.input?, index)));
        self.by_input = inputs.collect();
        let mut gone: Vec<(&PathBuf, SourceFile)> = self.sources.iter().map(|(key, input)| (key, *input)).collect();
        gone.retain(|(key, _)| self.by_key.get(*key).is_none_or(|index| self.files[*index].is_none()));
        for (_, input) in gone {
            if !input.parse(db).text().is_empty() {
                input.update(db, Parse::new(Language::P, ""));
            }
        }
    }

    fn set_icet(&mut self, db: &mut Database) {
        for (layout, file) in self.layout.files.iter().zip(&mut self.files) {
            let Some(file) = file.as_mut().filter(|_| layout.language == Language::Icet) else { continue };
            let input = match self.icet.get(&layout.key) {
                Some(input) => *input,
                None => *self.icet.entry(layout.key.clone()).or_insert(IcetFile::open(db, file.parse.clone())),
            };
            input.update(db, file.parse.clone());
            file.icet = Some(input);
        }
        let mut gone: Vec<(&PathBuf, IcetFile)> = self.icet.iter().map(|(key, input)| (key, *input)).collect();
        gone.retain(|(key, _)| self.by_key.get(*key).is_none_or(|index| self.files[*index].is_none()));
        for (_, input) in gone {
            input.empty(db);
        }
    }

    fn set_programs(&mut self, db: &mut Database) {
        let mut wanted = Vec::new();
        let is_claimed = self.claimed();
        self.set_clashes(&is_claimed);
        for (index, project) in self.layout.projects.iter().enumerate() {
            wanted.extend(self.programs_in(index, project, &is_claimed));
        }
        self.programs.clear();
        self.programs_of = vec![Vec::new(); self.files.len()];
        let mut emptied: FxHashMap<ProgramKey, Project> = std::mem::take(&mut self.projects);
        for Wanted { key, layout, name, purpose, members } in wanted {
            let files: Vec<Member> = members.iter().map(|(_, member)| *member).collect();
            let project = match emptied.remove(&key) {
                Some(project) => {
                    set_project(db, project, name.clone(), files, purpose);
                    project
                }
                None => Project::open(db, name.clone(), files, purpose),
            };
            self.projects.insert(key, project);
            let is_manifest = matches!(self.layout.projects[layout].origin, Origin::Manifest { .. });
            for (file, member) in &members {
                if is_manifest || !is_claimed[*file] {
                    self.programs_of[*file].push((self.programs.len(), *member));
                }
            }
            self.programs.push(Program { name, layout, project, files: members.into_iter().map(|(file, _)| file).collect() });
        }
        let emptied: Vec<(ProgramKey, Project)> = emptied.into_iter().collect();
        for (key, project) in emptied {
            let (name, purpose) = (project.name(db).clone(), project.purpose(db));
            set_project(db, project, name, Vec::new(), purpose);
            self.projects.insert(key, project);
        }
    }

    fn set_clashes(&mut self, is_claimed: &[bool]) {
        self.clashes.clear();
        for project in self.layout.projects.iter().filter(|project| matches!(project.origin, Origin::Folder(_))) {
            let parses =
                project.members.iter().filter_map(|member| Some((member.file, &*self.files[member.file].as_ref()?.parse)));
            self.clashes.extend(clashes(parses).into_iter().filter(|(file, _)| !is_claimed[*file]));
        }
    }

    /// For each file whether a project file names it.
    fn claimed(&self) -> Vec<bool> {
        let mut is_claimed = vec![false; self.files.len()];
        for project in &self.layout.projects {
            if matches!(project.origin, Origin::Manifest { .. }) {
                project.members.iter().for_each(|member| is_claimed[member.file] = true);
            }
        }
        is_claimed
    }

    fn programs_in(&self, layout: usize, project: &ProjectLayout, is_claimed: &[bool]) -> Vec<Wanted> {
        let loaded = |file: usize| self.files[file].as_ref();
        let members: Vec<(usize, Member)> = project
            .members
            .iter()
            .filter_map(|member| {
                let file = loaded(member.file)?.input?;
                Some((member.file, Member { file, is_included: member.is_included }))
            })
            .collect();
        let purpose = |members: &[(usize, Member)]| {
            let is_for_verifier = |file: usize| loaded(file).is_some_and(|file| is_for_verifier(&file.parse));
            project.purpose.unwrap_or(match members.iter().any(|(file, _)| is_for_verifier(*file)) {
                true => Purpose::Verifying,
                false => Purpose::Checking,
            })
        };
        let wanted = |key, name: &str, members: Vec<(usize, Member)>| Wanted {
            key,
            layout,
            name: name.to_owned(),
            purpose: purpose(&members),
            members,
        };
        if !project.members.iter().any(|member| self.clashes.contains_key(&member.file)) {
            return vec![wanted(ProgramKey::Whole(project.origin.clone()), &project.name, members)];
        }
        let unclaimed = members.into_iter().filter(|(file, _)| !is_claimed[*file]);
        unclaimed
            .map(|member| {
                let FileLayout { key, name, .. } = &self.layout.files[member.0];
                wanted(ProgramKey::Single(key.clone()), name, vec![member])
            })
            .collect()
    }
}

/// A program as it should be.
struct Wanted {
    key: ProgramKey,
    layout: usize,
    name: String,
    purpose: Purpose,
    members: Vec<(usize, Member)>,
}

fn set_project(db: &mut Database, project: Project, name: String, files: Vec<Member>, purpose: Purpose) {
    if *project.name(db) != name {
        project.set_name(db).with_durability(Durability::HIGH).to(name);
    }
    if *project.files(db) != files {
        project.set_files(db).with_durability(Durability::HIGH).to(files);
    }
    if project.purpose(db) != purpose {
        project.set_purpose(db).with_durability(Durability::HIGH).to(purpose);
    }
}

fn declared_names(parse: &Parse) -> Vec<(Space, SmolStr)> {
    declared(parse).into_iter().map(|declared| (declared.space, declared.name)).collect()
}
