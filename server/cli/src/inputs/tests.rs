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
            failure: there are no P or IceT files in the folder `empty`
            failure: there is no file or folder `missing.p`
            failure: `notes.txt` is not a file that Lockstep knows: expected .p, .icet or .pproj
            failure: the project `empty.pproj` names no P files
        "#]],
    );
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let folder = folder("//- a/x.p");
    std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("nowhere.p", folder.path().join("a/dangling.p")).unwrap();
    std::os::unix::fs::symlink("x.p", folder.path().join("a/same.p")).unwrap();
    let inputs = discover(&[folder.path().to_owned()]);
    expect![[r#"
        P: a/same.p
    "#]]
    .assert_eq(&shown(&inputs, folder.path()));
}
