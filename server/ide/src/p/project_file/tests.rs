//! Project files on a disk that is only a list of paths. `$0` is the cursor.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use lockstep_base::TextSize;

use super::{Disk, Found, Move, completions, follow_moves, hover, links};

/// The files of a disk; their folders are there too.
struct Files(&'static [&'static str]);

impl Disk for Files {
    fn find(&self, path: &Path) -> Option<Found> {
        match self.0.iter().map(Path::new).find(|file| file.starts_with(path)) {
            Some(file) if file == path => Some(Found::File),
            found => found.map(|_| Found::Folder),
        }
    }

    fn list(&self, folder: &Path) -> Vec<(String, Found)> {
        let below = self.0.iter().filter_map(|file| Path::new(file).strip_prefix(folder).ok());
        let names: BTreeSet<String> = below.filter_map(|rest| Some(rest.iter().next()?.to_string_lossy().into_owned())).collect();
        // The order in which a disk lists is its own.
        names.into_iter().rev().filter_map(|name| Some((name.clone(), self.find(&folder.join(&name))?))).collect()
    }
}

const DISK: Files = Files(&[
    "/no/such/app/app.pproj",
    "/no/such/app/PSrc/a.p",
    "/no/such/app/PSrc/b.P",
    "/no/such/app/PSrc/deep/c.p",
    "/no/such/app/PSrc/notes.txt",
    "/no/such/app/.hidden/x.p",
    "/no/such/common/common.pproj",
    "/no/such/common/PSrc/shared.p",
]);
const APP: &str = "/no/such/app/app.pproj";
const COMMON: &str = "/no/such/common/common.pproj";

fn check_links(text: &str, expected: &Expect) {
    let found = links(Path::new(APP), text, &[PathBuf::from(COMMON)], &DISK);
    let shown = found.into_iter().map(|link| format!("{} -> {} ({:?})\n", &text[link.range], link.target.display(), link.found));
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn paths_lead_to_files_folders_and_projects() {
    check_links(
        "<Project>\n<IncludeProject>../common/common.pproj</IncludeProject>\n<InputFiles>\n<PFile>./PSrc/</PFile>\n<PFile> PSrc\\a.p </PFile>\n<PFile>gone.p</PFile>\n<PFile></PFile>\n</InputFiles>\n</Project>",
        &expect![[r#"
            ../common/common.pproj -> /no/such/common/common.pproj (File)
            ./PSrc/ -> /no/such/app/PSrc (Folder)
            PSrc\a.p -> /no/such/app/PSrc/a.p (File)
        "#]],
    );
    check_links("<Project><InputFiles><PFile>PSrc</PF", &expect![[""]]);
    // P is started in the folder of the outermost project.
    let text = "<Project><IncludeProject>../app/app.pproj</IncludeProject></Project>";
    let roots = [PathBuf::from("/no/such/elsewhere/deep/x.pproj"), PathBuf::from(APP)];
    let found = links(Path::new("/no/such/elsewhere/deep/x.pproj"), text, &roots, &DISK);
    assert_eq!(found[0].target, Path::new(APP));
}

fn check_completions(source: &str, expected: &Expect) {
    let at = source.find("$0").expect("a cursor");
    let text = source.replacen("$0", "", 1);
    let found = completions(Path::new(APP), &text, TextSize::try_from(at).unwrap(), &DISK);
    let mut shown = format!("for `{}`\n", &text[found.replace]);
    for item in found.items {
        shown += &format!(
            "{:?} {} `{}`{}\n",
            item.kind,
            item.label,
            item.insert.escape_debug(),
            if item.is_snippet { " $" } else { "" }
        );
    }
    expected.assert_eq(&shown);
}

#[test]
fn elements_where_p_reads_them() {
    check_completions(
        "$0",
        &expect![[r#"
        for ``
        Element Project `<Project>\n  <ProjectName>${1:Name}</ProjectName>\n  <InputFiles>\n    <PFile>${2:PSrc}</PFile>\n  </InputFiles>\n</Project>` $
    "#]],
    );
    check_completions(
        "<?xml version='1.0'?>\n<Project>\n  <$0",
        &expect![[r#"
        for ``
        Element ProjectName `ProjectName>$1</ProjectName>` $
        Element InputFiles `InputFiles>\n  <PFile>$1</PFile>\n</InputFiles>` $
        Element OutputDir `OutputDir>$1</OutputDir>` $
        Element Target `Target>$1</Target>` $
        Element IncludeProject `IncludeProject>$1</IncludeProject>` $
        Element pobserve-package `pobserve-package>$1</pobserve-package>` $
    "#]],
    );
    check_completions(
        "<Project>\n  <Inp$0ut>",
        &expect![[r#"
        for `Input`
        Element ProjectName `ProjectName`
        Element InputFiles `InputFiles`
        Element OutputDir `OutputDir`
        Element Target `Target`
        Element IncludeProject `IncludeProject`
        Element pobserve-package `pobserve-package`
    "#]],
    );
    check_completions(
        "<Project><InputFiles>\n  <!-- <PFile> -->\n  PF$0\n</InputFiles>",
        &expect![[r#"
        for `PF`
        Element PFile `<PFile>$1</PFile>` $
    "#]],
    );
    check_completions(
        "<Project><InputFiles><PFile>a.p</$0",
        &expect![[r#"
        for ``
        Element PFile `PFile>`
    "#]],
    );
    check_completions(
        "<Project><ProjectName>a</ProjectName></$0>",
        &expect![[r#"
        for ``
        Element Project `Project`
    "#]],
    );
    check_completions(
        "<Project><InputFiles/><$0",
        &expect![[r#"
        for ``
        Element ProjectName `ProjectName>$1</ProjectName>` $
        Element InputFiles `InputFiles>\n  <PFile>$1</PFile>\n</InputFiles>` $
        Element OutputDir `OutputDir>$1</OutputDir>` $
        Element Target `Target>$1</Target>` $
        Element IncludeProject `IncludeProject>$1</IncludeProject>` $
        Element pobserve-package `pobserve-package>$1</pobserve-package>` $
    "#]],
    );
    check_completions(
        "<Project name='$0",
        &expect![[r#"
        for ``
    "#]],
    );
    check_completions(
        "<Project><!-- $0",
        &expect![[r#"
        for ``
    "#]],
    );
}

#[test]
fn paths_of_what_is_there() {
    check_completions(
        "<Project><InputFiles><PFile>$0</PFile>",
        &expect![[r#"
        for ``
        Folder PSrc/ `PSrc/`
        Folder ../ `../`
    "#]],
    );
    check_completions(
        "<Project><InputFiles><PFile>./PSrc/$0a.p</PFile>",
        &expect![[r#"
        for `a.p`
        File a.p `a.p`
        File b.P `b.P`
        Folder deep/ `deep/`
    "#]],
    );
    check_completions(
        "<Project><InputFiles><PFile>PS$0rc/a.p</PFile>",
        &expect![[r#"
        for `PSrc/`
        Folder PSrc/ `PSrc/`
    "#]],
    );
    check_completions(
        "<Project><InputFiles><PFile>PSrc\\de$0",
        &expect![[r#"
        for `de`
        File a.p `a.p`
        File b.P `b.P`
        Folder deep/ `deep/`
    "#]],
    );
    check_completions(
        "<Project><IncludeProject>$0</IncludeProject>",
        &expect![[r#"
        for ``
        Folder PSrc/ `PSrc/`
        Folder ../ `../`
    "#]],
    );
    check_completions(
        "<Project><IncludeProject>../common/c$0</IncludeProject>",
        &expect![[r#"
            for `c`
            Folder PSrc/ `PSrc/`
            File common.pproj `common.pproj`
        "#]],
    );
    check_completions(
        "<Project><Target>PChecker, P$0</Target>",
        &expect![[r#"
        for `P`
        Constant PChecker `PChecker`
        Constant PEx `PEx`
        Constant PObserve `PObserve`
        Constant PVerifier `PVerifier`
    "#]],
    );
}

fn check_hover(source: &str, expected: &Expect) {
    let at = source.find("$0").expect("a cursor");
    let text = source.replacen("$0", "", 1);
    let found = hover(Path::new(APP), &text, TextSize::try_from(at).unwrap(), &[], &DISK);
    let shown = found.map(|found| format!("{}: {}", &text[found.range], found.markdown));
    expected.assert_eq(&shown.unwrap_or_else(|| "nothing".to_owned()));
}

#[test]
fn hovers_of_elements_and_paths() {
    check_hover(
        "<Project><Inpu$0tFiles></InputFiles></Project>",
        &expect!["InputFiles: `InputFiles`: the files of the project, each in an element `PFile`"],
    );
    check_hover(
        "<Project><InputFiles><PFile>PS$0rc</PFile></InputFiles></Project>",
        &expect!["PSrc: the folder `/no/such/app/PSrc`: every `.p` file below it belongs to the project"],
    );
    check_hover("<Project><InputFiles><PFile>gone.p$0</PFile></InputFiles></Project>", &expect!["gone.p: nothing is there"]);
    check_hover(
        "<Project></In$0putFiles",
        &expect!["InputFiles: `InputFiles`: the files of the project, each in an element `PFile`"],
    );
    check_hover("<Project><Other$0>", &expect!["nothing"]);
    check_hover("<Project> $0 ", &expect!["nothing"]);
}

/// The texts of both projects after files have moved.
fn check_moves(app: &str, common: &str, moves: &[(&str, &str)], expected: &Expect) {
    let whole = |inner: &str| format!("<Project>{inner}</Project>");
    let mut files = [(PathBuf::from(APP), whole(app)), (PathBuf::from(COMMON), whole(common))];
    let moves: Vec<Move> = moves
        .iter()
        .map(|(from, to)| Move { from: Path::new("/no/such").join(from), to: Path::new("/no/such").join(to) })
        .collect();
    for (number, edits) in follow_moves(&files, &moves, &DISK) {
        for edit in edits.into_iter().rev() {
            files[number].1.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
        }
    }
    let shown = |text: &str| text.replace("<Project>", "").replace("</Project>", "").replace("><", ">\n<");
    expected.assert_eq(&files.map(|(_, text)| shown(&text)).join("\n---\n"));
}

#[test]
fn files_and_folders_that_move() {
    let app = "<IncludeProject>../common/common.pproj</IncludeProject><InputFiles><PFile>./PSrc/a.p</PFile><PFile>PSrc/</PFile><PFile>..\\common\\PSrc\\shared.p</PFile><PFile>gone.p</PFile></InputFiles>";
    let common = "<InputFiles><PFile>PSrc</PFile><PFile>../app/PSrc/a.p</PFile></InputFiles>";
    check_moves(
        app,
        common,
        &[("app/PSrc/a.p", "app/PSrc/r & d.p")],
        &expect![[r#"
        <IncludeProject>../common/common.pproj</IncludeProject>
        <InputFiles>
        <PFile>./PSrc/r &amp; d.p</PFile>
        <PFile>PSrc/</PFile>
        <PFile>..\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>PSrc</PFile>
        <PFile>../app/PSrc/r &amp; d.p</PFile>
        </InputFiles>"#]],
    );
    check_moves(
        app,
        common,
        &[("app/PSrc", "app/Source")],
        &expect![[r#"
        <IncludeProject>../common/common.pproj</IncludeProject>
        <InputFiles>
        <PFile>./Source/a.p</PFile>
        <PFile>Source/</PFile>
        <PFile>..\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>PSrc</PFile>
        <PFile>../app/Source/a.p</PFile>
        </InputFiles>"#]],
    );
    check_moves(
        app,
        common,
        &[("common", "lib/common")],
        &expect![[r#"
        <IncludeProject>../lib/common/common.pproj</IncludeProject>
        <InputFiles>
        <PFile>./PSrc/a.p</PFile>
        <PFile>PSrc/</PFile>
        <PFile>..\lib\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>PSrc</PFile>
        <PFile>../../app/PSrc/a.p</PFile>
        </InputFiles>"#]],
    );
    check_moves(
        app,
        common,
        &[("common/common.pproj", "shared.pproj")],
        &expect![[r#"
        <IncludeProject>../shared.pproj</IncludeProject>
        <InputFiles>
        <PFile>./PSrc/a.p</PFile>
        <PFile>PSrc/</PFile>
        <PFile>..\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>common/PSrc</PFile>
        <PFile>app/PSrc/a.p</PFile>
        </InputFiles>"#]],
    );
    check_moves(
        app,
        common,
        &[("app/PSrc", "app/Source"), ("app/PSrc/a.p", "app/a.p")],
        &expect![[r#"
        <IncludeProject>../common/common.pproj</IncludeProject>
        <InputFiles>
        <PFile>./a.p</PFile>
        <PFile>Source/</PFile>
        <PFile>..\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>PSrc</PFile>
        <PFile>../app/a.p</PFile>
        </InputFiles>"#]],
    );
    check_moves(
        app,
        common,
        &[("app/PSrc/deep/c.p", "app/PSrc/deep/d.p")],
        &expect![[r#"
        <IncludeProject>../common/common.pproj</IncludeProject>
        <InputFiles>
        <PFile>./PSrc/a.p</PFile>
        <PFile>PSrc/</PFile>
        <PFile>..\common\PSrc\shared.p</PFile>
        <PFile>gone.p</PFile>
        </InputFiles>
        ---
        <InputFiles>
        <PFile>PSrc</PFile>
        <PFile>../app/PSrc/a.p</PFile>
        </InputFiles>"#]],
    );
}

#[test]
fn what_cannot_be_replaced_stays() {
    check_moves(
        "<InputFiles><PFile>PSrc/<!-- here -->a.p</PFile><PFile>PSrc/&#97;.p</PFile></InputFiles>",
        "",
        &[("app/PSrc/a.p", "app/PSrc/z.p")],
        &expect![[r#"
            <InputFiles>
            <PFile>PSrc/<!-- here -->a.p</PFile>
            <PFile>PSrc/&#97;.p</PFile>
            </InputFiles>
            ---
        "#]],
    );
}

/// Nothing panics, wherever the cursor is and wherever the text ends.
#[test]
fn every_place_of_broken_texts() {
    let text = "<?xml?><Project a='b'><!-- c --><InputFiles><PFile>./PSrc/ä.p</PFile></InputFiles><Target>PEx</Target></Project>";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        for at in (0..=end).filter(|at| text.is_char_boundary(*at)) {
            let (text, offset) = (&text[..end], TextSize::try_from(at).unwrap());
            let found = completions(Path::new(APP), text, offset, &DISK);
            assert!(
                text.get(std::ops::Range::<usize>::from(found.replace)).is_some() && found.replace.contains_inclusive(offset)
            );
            hover(Path::new(APP), text, offset, &[], &DISK);
        }
        links(Path::new(APP), &text[..end], &[], &DISK);
    }
}
