use expect_test::{Expect, expect};
use tempfile::TempDir;

use super::*;

/// Makes the files of `fixture` (`//- path` headers), discovers from `paths` and shows what was found.
fn check(fixture: &str, paths: &[&str], expected: Expect) {
    let folder = folder(fixture);
    let paths: Vec<PathBuf> = paths.iter().map(|path| folder.path().join(path)).collect();
    expected.assert_eq(&shown(&discover(&paths), folder.path()));
}

fn folder(fixture: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fixture.split("//- ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap_or((file, ""));
        let path = folder.path().join(path.trim());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn shown(inputs: &Inputs, folder: &Path) -> String {
    let mut shown = String::new();
    for (path, language) in &inputs.files {
        shown += &format!("{}: {}\n", language.name(), name(path));
    }
    for project in &inputs.projects {
        shown += &format!("project {}\n", project.source.name);
        for diagnostic in &project.diagnostics {
            let at = &project.source.text[diagnostic.range];
            shown += &format!("  {} at `{at}`: {}\n", diagnostic.code, diagnostic.message);
        }
    }
    for failure in &inputs.failures {
        shown += &format!("failure: {}\n", failure.message);
    }
    shown.replace(&format!("{}/", name(folder)), "").replace(&name(folder), "FOLDER")
}

#[test]
fn folders_are_searched_and_hidden_files_are_not() {
    check(
        "//- b/two.p\n//- a.icet\n//- b/one.p\n//- b/.hidden.p\n//- .git/three.p\n//- readme.md\n//- b/one.cs",
        &["."],
        expect![[r#"
            IceT: ./a.icet
            P: ./b/one.p
            P: ./b/two.p
        "#]],
    );
}

#[test]
fn a_file_that_several_paths_lead_to_is_taken_once() {
    check(
        "//- a/x.p\n//- a/y.p",
        &["a/y.p", "a", "a/../a/x.p"],
        expect![[r#"
            P: a/x.p
            P: a/y.p
        "#]],
    );
}

#[test]
fn a_project_names_files_and_folders() {
    check(
        r"
//- demo/demo.pproj
<Project><InputFiles>
    <PFile>.\PSrc\</PFile>
    <PFile>PTst/Test.p</PFile>
    <PFile>Foreign.cs</PFile>
    <PFile>PSpec/</PFile>
</InputFiles></Project>
//- demo/PSrc/deep/A.p
//- demo/PSrc/B.p
//- demo/PSrc/model.icet
//- demo/PTst/Test.p
//- demo/PTst/Other.p
//- demo/Foreign.cs",
        &["demo/demo.pproj"],
        expect![[r#"
            P: demo/PSrc/B.p
            P: demo/PSrc/deep/A.p
            P: demo/PTst/Test.p
            project demo/demo.pproj
              LS0011 at `PSpec/`: there is no file or folder `demo/PSpec`
        "#]],
    );
}

#[test]
fn projects_may_include_each_other() {
    check(
        r"
//- a/a.pproj
<Project><InputFiles><PFile>a.p</PFile></InputFiles><IncludeProject>../b/b.pproj</IncludeProject></Project>
//- a/a.p
//- a/near.pproj
<Project><InputFiles><PFile>near.p</PFile></InputFiles></Project>
//- a/near.p
//- b/b.pproj
<Project>
    <IncludeProject>../a/a.pproj</IncludeProject>
    <IncludeProject>b.pproj</IncludeProject>
    <IncludeProject>near.pproj</IncludeProject>
    <IncludeProject>missing.pproj</IncludeProject>
    <InputFiles><PFile>b.p</PFile></InputFiles>
</Project>
//- b/b.p",
        &["a/a.pproj"],
        expect![[r#"
            P: a/a.p
            P: a/near.p
            P: b/b.p
            project a/a.pproj
            project b/b.pproj
              LS0011 at `missing.pproj`: there is no project file `b/missing.pproj`
            project a/near.pproj
        "#]],
    );
}

#[test]
fn a_broken_included_project_is_told_in_its_own_file() {
    check(
        r"
//- a.pproj
<Project><IncludeProject>b.pproj</IncludeProject><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
//- b.pproj
<Project></Wrong>
",
        &["a.pproj"],
        expect![[r#"
            P: a.p
            project a.pproj
            project b.pproj
              LS0010 at ``: this project file cannot be read as XML: expected 'Project' tag, not 'Wrong'
        "#]],
    );
}

#[test]
fn what_cannot_be_had_is_told() {
    check(
        r"
//- empty/readme.md
//- notes.txt
//- empty.pproj
<Project/>
",
        &["empty", "missing.p", "notes.txt", "empty.pproj"],
        expect![[r#"
            project empty.pproj
              LS0013 at `Project`: this project names no P files
            failure: there are no P or IceT files in the folder `empty`
            failure: there is no file or folder `missing.p`
            failure: `notes.txt` is not a file that Lockstep knows: expected .p, .icet or .pproj
        "#]],
    );
}

#[test]
fn endings_may_be_in_capitals() {
    check(
        "//- A.P\n//- b.IceT\n//- c/Shop.PPROJ\n<Project><InputFiles><PFile>D.P</PFile></InputFiles></Project>\n//- c/D.P",
        &["A.P", "b.IceT", "c"],
        expect![[r#"
            P: A.P
            IceT: b.IceT
            P: c/D.P
            project c/Shop.PPROJ
        "#]],
    );
}

#[test]
fn a_project_of_projects_met_before_is_not_empty() {
    check(
        r"
//- a.pproj
<Project><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
//- b.pproj
<Project><IncludeProject>a.pproj</IncludeProject></Project>
//- c.pproj
<Project><InputFiles><PFile>code.cs</PFile></InputFiles></Project>
//- code.cs
",
        &["."],
        expect![[r#"
            P: ./a.p
            project ./a.pproj
            project ./b.pproj
            project ./c.pproj
              LS0013 at `Project`: this project names no P files
        "#]],
    );
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed_but_links_to_files_are() {
    let outside = folder("//- x.p\n//- y.p");
    let folder = folder("//- a.p");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("folder.p")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("y.p"), folder.path().join("file.p")).unwrap();
    let inputs = discover(&[folder.path().to_owned()]);
    expect![[r#"
        P: a.p
        P: file.p
    "#]]
    .assert_eq(&shown(&inputs, folder.path()));
    let inputs = discover(&[folder.path().join("folder.p")]);
    expect![[r#"
        P: folder.p/x.p
        P: folder.p/y.p
    "#]]
    .assert_eq(&shown(&inputs, folder.path()));
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let folder = folder("//- a/x.p");
    std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("nowhere.p", folder.path().join("a/dangling.p")).unwrap();
    std::os::unix::fs::symlink("x.p", folder.path().join("a/same.p")).unwrap();
    std::os::unix::fs::symlink("self.p", folder.path().join("a/self.p")).unwrap();
    let inputs = discover(&[folder.path().to_owned()]);
    expect![[r#"
        P: a/same.p
        failure: cannot read `a/self.p`: Too many levels of symbolic links (os error 40)
    "#]]
    .assert_eq(&shown(&inputs, folder.path()));
}
