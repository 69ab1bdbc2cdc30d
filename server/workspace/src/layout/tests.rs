use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use tempfile::TempDir;

use super::*;
use crate::source::read_disk;

/// Makes the files of `fixture` (`//- path` headers) and shows the layout that `paths` lead to.
#[allow(clippy::needless_pass_by_value)]
fn check(fixture: &str, paths: &[&str], expected: Expect) {
    let folder = folder(fixture);
    let paths: Vec<PathBuf> = paths.iter().map(|path| folder.path().join(path)).collect();
    expected.assert_eq(&shown(&Layout::of(&paths, &read_disk), folder.path()));
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

/// Files with a star are asked for, with a plus included.
fn shown(layout: &Layout, folder: &Path) -> String {
    let mut shown = String::new();
    for file in &layout.files {
        shown += &format!("{}{} {}\n", file.language.name(), if file.is_asked { "*" } else { "" }, file.name);
    }
    for project in &layout.projects {
        let kind = match &project.origin {
            Origin::Manifest { name, .. } => name,
            Origin::UsualFolders(_) => "usual folders",
            Origin::Folder(_) => "folder",
            Origin::Text(_) => "text",
        };
        shown += &format!("project {} ({kind}):", project.name);
        for member in &project.members {
            shown += &format!(" {}{}", if member.is_included { "+" } else { "" }, layout.files[member.file].name);
        }
        shown += "\n";
    }
    for project in &layout.manifests {
        for diagnostic in &project.diagnostics {
            let at = project.source.text.slice(diagnostic.range);
            let severity = format!("{:?}", diagnostic.severity).to_lowercase();
            shown += &format!("{}: {severity} {} at `{at}`: {}\n", project.source.name, diagnostic.code, diagnostic.message);
        }
    }
    for failure in &layout.failures {
        shown += &format!("failure: {}\n", failure.message);
    }
    let real = name(&fs::canonicalize(folder).unwrap());
    let last = name(Path::new(folder.file_name().unwrap()));
    let shown = shown.replace(&format!("{real}/"), "").replace(&format!("{}/", name(folder)), "");
    shown.replace(&name(folder), "FOLDER").replace(&last, "FOLDER")
}

#[test]
fn folders_are_searched_and_hidden_files_are_not() {
    check(
        "//- b/two.p\n//- a.icet\n//- b/one.p\n//- b/.hidden.p\n//- .git/three.p\n//- readme.md\n//- b/one.cs",
        &["."],
        expect![[r#"
            IceT* ./a.icet
            P* ./b/one.p
            P* ./b/two.p
            project b (folder): ./b/one.p ./b/two.p
        "#]],
    );
}

#[test]
fn a_file_that_several_paths_lead_to_is_taken_once() {
    check(
        "//- a/x.p\n//- a/y.p",
        &["a/y.p", "a", "a/../a/x.p"],
        expect![[r#"
            P* a/x.p
            P* a/y.p
            project a (folder): a/x.p a/y.p
        "#]],
    );
}

#[test]
fn a_project_names_files_and_folders() {
    check(
        r"
//- demo/demo.pproj
<Project><ProjectName>A</ProjectName><InputFiles>
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
            P* demo/PSrc/B.p
            P* demo/PSrc/deep/A.p
            P* demo/PTst/Test.p
            project A (demo/demo.pproj): demo/PSrc/B.p demo/PSrc/deep/A.p demo/PTst/Test.p
            demo/demo.pproj: warning LS0011 at `PSpec/`: there is no file or folder `demo/PSpec`: P passes over it
        "#]],
    );
}

#[test]
fn projects_may_include_each_other() {
    check(
        r"
//- a/a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles><IncludeProject>../b/b.pproj</IncludeProject></Project>
//- a/a.p
//- a/near.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>near.p</PFile></InputFiles></Project>
//- a/near.p
//- b/b.pproj
<Project><ProjectName>B</ProjectName>
    <IncludeProject>../a/a.pproj</IncludeProject>
    <IncludeProject>b.pproj</IncludeProject>
    <IncludeProject>near.pproj</IncludeProject>
    <IncludeProject>missing.pproj</IncludeProject>
    <InputFiles><PFile>b.p</PFile></InputFiles>
</Project>
//- b/b.p",
        &["a/a.pproj"],
        expect![[r#"
            P* a/a.p
            P* b/b.p
            project A (a/a.pproj): +a/a.p +b/b.p
            b/b.pproj: warning LS0017 at `../a/a.pproj`: this includes `a/a.pproj` in itself: P then passes over all its tests
            b/b.pproj: warning LS0017 at `b.pproj`: P looks for this project at `a/b.pproj`, and there is none
            b/b.pproj: warning LS0017 at `near.pproj`: P passes over this project: it has included another one of the same folder already
            b/b.pproj: error LS0011 at `missing.pproj`: there is no project file `b/missing.pproj`
        "#]],
    );
}

#[test]
fn a_broken_included_project_is_told_in_its_own_file() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><IncludeProject>b.pproj</IncludeProject><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
//- b.pproj
<Project></Wrong>
",
        &["a.pproj"],
        expect![[r#"
            P* a.p
            project A (a.pproj): +a.p
            a.pproj: warning LS0017 at `b.pproj`: P passes over tests below the folder of an included project, and those of `a.pproj` lie there too
            b.pproj: error LS0010 at ``: this project file cannot be read as XML: expected 'Project' tag, not 'Wrong'
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
            project empty (empty.pproj):
            empty.pproj: error LS0013 at `Project`: this project names no P files
            empty.pproj: error LS0015 at `Project`: this project has no `ProjectName`
            failure: there are no P or IceT files in the folder `empty`
            failure: there is no file or folder `missing.p`
            failure: `notes.txt` is not a file that Lockstep knows: expected .p, .icet or .pproj
        "#]],
    );
}

#[test]
fn endings_may_be_in_capitals() {
    check(
        "//- A.P\n//- b.IceT\n//- c/Shop.PPROJ\n<Project><ProjectName>A</ProjectName><InputFiles><PFile>D.P</PFile></InputFiles></Project>\n//- c/D.P",
        &["A.P", "b.IceT", "c"],
        expect![[r#"
            P* A.P
            IceT* b.IceT
            P* c/D.P
            project A (c/Shop.PPROJ): c/D.P
            project FOLDER (folder): A.P
        "#]],
    );
}

#[test]
fn a_project_of_projects_met_before_is_not_empty() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
//- b.pproj
<Project><ProjectName>A</ProjectName><IncludeProject>a.pproj</IncludeProject></Project>
//- c.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>code.cs</PFile></InputFiles></Project>
//- code.cs
",
        &["."],
        expect![[r#"
            P* ./a.p
            project A (./a.pproj): ./a.p
            project A (./b.pproj): +./a.p
            project A (./c.pproj):
            ./b.pproj: warning LS0017 at `a.pproj`: P passes over tests below the folder of an included project, and those of `./b.pproj` lie there too
            ./c.pproj: error LS0013 at `Project`: this project names no P files
        "#]],
    );
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed_but_links_to_files_are() {
    let outside = folder("//- out/x.p\n//- out/y.p");
    let folder = folder("//- a.p");
    std::os::unix::fs::symlink(outside.path().join("out"), folder.path().join("folder.p")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("out/y.p"), folder.path().join("file.p")).unwrap();
    let layout = Layout::of(&[folder.path().to_owned()], &read_disk);
    expect![[r#"
        P* a.p
        P* file.p
        project FOLDER (folder): a.p file.p
    "#]]
    .assert_eq(&shown(&layout, folder.path()));
    let layout = Layout::of(&[folder.path().join("folder.p")], &read_disk);
    expect![[r#"
        P* folder.p/x.p
        P* folder.p/y.p
        project out (folder): folder.p/x.p folder.p/y.p
    "#]]
    .assert_eq(&shown(&layout, folder.path()));
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let folder = folder("//- a/x.p");
    std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("nowhere.p", folder.path().join("a/dangling.p")).unwrap();
    std::os::unix::fs::symlink("x.p", folder.path().join("a/same.p")).unwrap();
    std::os::unix::fs::symlink("self.p", folder.path().join("a/self.p")).unwrap();
    let layout = Layout::of(&[folder.path().to_owned()], &read_disk);
    expect![[r#"
        P* a/same.p
        project a (folder): a/same.p
        failure: cannot read `a/self.p`: Too many levels of symbolic links (os error 40)
    "#]]
    .assert_eq(&shown(&layout, folder.path()));
}

#[test]
fn a_file_is_part_of_the_nearest_project_that_names_it() {
    check(
        r"
//- a/a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>src</PFile></InputFiles></Project>
//- a/src/deep/x.p
//- a/src/y.p
//- a/src/near.pproj
<Project><ProjectName>Near</ProjectName><InputFiles><PFile>y.p</PFile></InputFiles></Project>
//- broken.pproj
<Project>
",
        &["a/src/deep/x.p"],
        expect![[r#"
            P* a/src/deep/x.p
            P a/src/y.p
            project A (a/a.pproj): a/src/deep/x.p a/src/y.p
        "#]],
    );
}

#[test]
fn without_a_project_file_a_folder_is_a_project() {
    check(
        "//- a/x.p\n//- a/y.p\n//- a/z.icet\n//- a/deep/z.p\n//- a/.w.p",
        &["a/x.p"],
        expect![[r#"
        P* a/x.p
        P a/y.p
        project a (folder): a/x.p a/y.p
    "#]],
    );
    check(
        "//- a/PSrc/x.p\n//- a/PTst/deep/y.p\n//- a/main.p\n//- a/Other/z.p",
        &["a/PSrc/x.p"],
        expect![[r#"
        P* a/PSrc/x.p
        P a/PTst/deep/y.p
        P a/main.p
        project a (usual folders): a/main.p a/PSrc/x.p a/PTst/deep/y.p
    "#]],
    );
    check(
        "//- a/PSrc/x.p\n//- a/PTst/y.p\n//- a/main.p\n//- b/z.p\n//- b/w.p\n//- c.p",
        &["."],
        expect![[r#"
        P* ./a/PSrc/x.p
        P* ./a/PTst/y.p
        P* ./a/main.p
        P* ./b/w.p
        P* ./b/z.p
        P* ./c.p
        project a (usual folders): ./a/main.p ./a/PSrc/x.p ./a/PTst/y.p
        project b (folder): ./b/w.p ./b/z.p
        project FOLDER (folder): ./c.p
    "#]],
    );
    check(
        "//- a/PSrc/x.p\n//- a/PSrc/.h/y.p",
        &["a/PSrc/x.p", "a/PSrc/.h/y.p"],
        expect![[r#"
        P* a/PSrc/.h/y.p
        P* a/PSrc/x.p
        project a (usual folders): a/PSrc/x.p a/PSrc/.h/y.p
    "#]],
    );
}

#[test]
fn a_file_beside_a_project_is_checked_with_what_lies_beside_it() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles></Project>
//- a.p
//- b.p
",
        &["."],
        expect![[r#"
            P* ./a.p
            P* ./b.p
            project A (./a.pproj): ./a.p
            project FOLDER (folder): ./a.p ./b.p
        "#]],
    );
}

#[test]
fn a_file_can_be_in_several_projects() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile><PFile>both.p</PFile></InputFiles></Project>
//- b.pproj
<Project><ProjectName>B</ProjectName><InputFiles><PFile>both.p</PFile><PFile>.</PFile></InputFiles></Project>
//- a.p
//- both.p
",
        &["both.p"],
        expect![[r#"
            P a.p
            P* both.p
            project A (a.pproj): a.p both.p
            project B (b.pproj): both.p a.p
        "#]],
    );
}

#[test]
fn an_included_project_is_looked_for_as_p_does() {
    // P is started beside the outermost project.
    check(
        r"
//- a/a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles><IncludeProject>../b/b.pproj</IncludeProject></Project>
//- a/a.p
//- a/both/c.pproj
<Project><InputFiles><PFile>c.p</PFile></InputFiles></Project>
//- a/both/c.p
//- b/b.pproj
<Project><IncludeProject>both/c.pproj</IncludeProject><IncludeProject>only/d.pproj</IncludeProject></Project>
//- b/both/c.pproj
<Project><InputFiles><PFile>c.p</PFile></InputFiles></Project>
//- b/both/c.p
//- b/only/d.pproj
<Project><InputFiles><PFile>d.p</PFile></InputFiles></Project>
//- b/only/d.p
",
        &["a/a.pproj"],
        expect![[r#"
            P* a/a.p
            P* a/both/c.p
            P* b/only/d.p
            project A (a/a.pproj): a/a.p +a/both/c.p +b/only/d.p
            b/b.pproj: warning LS0017 at `both/c.pproj`: this can be `a/both/c.pproj` or `b/both/c.pproj`: P takes the first
            b/b.pproj: warning LS0017 at `only/d.pproj`: P looks for this project at `a/only/d.pproj`, and there is none
        "#]],
    );
}

#[test]
fn p_includes_one_project_of_a_folder() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles>
<IncludeProject>b/b.pproj</IncludeProject><IncludeProject>b/c.pproj</IncludeProject><IncludeProject>b/b.pproj</IncludeProject></Project>
//- a.p
//- b/b.pproj
<Project><InputFiles><PFile>b.p</PFile></InputFiles></Project>
//- b/b.p
//- b/c.pproj
<Project><InputFiles><PFile>c.p</PFile></InputFiles></Project>
//- b/c.p
",
        &["a.pproj"],
        expect![[r#"
            P* a.p
            P* b/b.p
            project A (a.pproj): a.p +b/b.p
            a.pproj: warning LS0017 at `b/c.pproj`: P passes over this project: it has included another one of the same folder already
        "#]],
    );
}

#[test]
fn a_project_that_includes_itself() {
    check(
        r"
//- a.pproj
<Project><ProjectName>A</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles><IncludeProject>a.pproj</IncludeProject></Project>
//- a.p
",
        &["a.pproj"],
        expect![[r#"
            P* a.p
            project A (a.pproj): +a.p
            a.pproj: warning LS0017 at `a.pproj`: this includes `a.pproj` in itself: P then passes over all its tests
        "#]],
    );
}

#[test]
fn the_name_and_target_of_an_included_project_do_not_matter() {
    check(
        r"
//- a/a.pproj
<Project><Target>PVerifier</Target><ProjectName>1</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles>
<IncludeProject>../b/b.pproj</IncludeProject></Project>
//- a/a.p
//- b/b.pproj
<Project><Target>C</Target><InputFiles><PFile>b.p</PFile></InputFiles></Project>
//- b/b.p
",
        &["a"],
        expect![[r#"
            P* a/a.p
            P* b/b.p
            project a (a/a.pproj): a/a.p +b/b.p
            a/a.pproj: error LS0015 at `1`: P refuses `1` as the name of a project
        "#]],
    );
}

#[test]
fn an_open_project_file_counts_as_it_is_in_the_editor() {
    let folder = folder("//- a.pproj\n<Project/>\n//- a.p");
    let read = |path: &Path| match path.extension() {
        Some(ending) if ending == "pproj" => {
            Ok(b"<Project><ProjectName>New</ProjectName><InputFiles><PFile>a.p</PFile></InputFiles></Project>".to_vec())
        }
        _ => read_disk(path),
    };
    expect![[r#"
        P* a.p
        project New (a.pproj): a.p
    "#]]
    .assert_eq(&shown(&Layout::of(&[folder.path().join("a.p")], &read), folder.path()));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_is_a_path() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder("//- a.p");
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"b\xff.p"));
    if fs::write(odd, "").is_err() {
        // Some file systems have no such names.
        return;
    }
    expect![[r#"
        P* a.p
        P* b�.p
        project FOLDER (folder): a.p b�.p
    "#]]
    .assert_eq(&shown(&Layout::of(&[folder.path().to_owned()], &read_disk), folder.path()));
}

#[test]
fn files_that_are_not_saved_yet_belong_where_they_will_be() {
    let folder = folder(
        r"
//- shop/Shop.pproj
<Project><ProjectName>Shop</ProjectName><InputFiles><PFile>src</PFile><PFile>Extra.p</PFile></InputFiles></Project>
//- shop/src/A.p
//- plain/B.p",
    );
    let root = std::fs::canonicalize(folder.path()).unwrap();
    let unsaved = ["shop/src/New.p", "shop/Extra.p", "shop/Alone.p", "plain/New.p", "plain/.hidden/C.p", "shop/src/A.p"];
    let unsaved = unsaved.map(|name| root.join(name));
    let layout = Layout::with_unsaved(std::slice::from_ref(&root), &unsaved, &read_disk);
    expect![[r#"
        P* plain/B.p
        P* plain/New.p
        P* shop/Alone.p
        P* shop/Extra.p
        P* shop/src/A.p
        P* shop/src/New.p
        project Shop (shop/Shop.pproj): shop/src/A.p shop/src/New.p shop/Extra.p
        project plain (folder): plain/B.p plain/New.p
        project shop (folder): shop/Extra.p shop/Alone.p
    "#]]
    .assert_eq(&shown(&layout, &root));
    let layout = Layout::with_unsaved(&unsaved[..1], &unsaved, &read_disk);
    expect![[r#"
        P shop/Extra.p
        P shop/src/A.p
        P* shop/src/New.p
        project Shop (shop/Shop.pproj): shop/src/A.p shop/src/New.p shop/Extra.p
    "#]]
    .assert_eq(&shown(&layout, &root));
}
