//! `lockstep new` and `lockstep samples`: what is made is as good as it is said to be.

use std::fs;

use expect_test::expect;

use super::Sandbox;

#[test]
fn a_new_project_is_clean_laid_out_and_exhausted() {
    let sandbox = Sandbox::new("");
    sandbox.check(
        "new Shop",
        expect![[r#"
            made `Shop`: 7 files in Shop

            next:
              cd Shop
              lockstep check
              lockstep explore Shop.pproj tcTwoClients
            --- exit code 0
        "#]],
    );
    assert_eq!(sandbox.run(&["new", "sub/Election", "--template", "ring"]).code, Some(0));
    for (folder, tests) in [("Shop", "tcOneClient\ntcTwoClients\n"), ("sub/Election", "tcRising\ntcFalling\n")] {
        let checked = sandbox.run_in(folder, &["check", "--deny", "warnings"]);
        assert_eq!(checked.code, Some(0), "{}", checked.shown());
        let laid_out = sandbox.run_in(folder, &["fmt", "--check"]);
        assert_eq!(laid_out.code, Some(0), "{}", laid_out.shown());
        assert_eq!(sandbox.run_in(folder, &["tests"]).stdout, tests);
        let project = format!("{}.pproj", folder.rsplit('/').next().unwrap());
        for test in tests.lines() {
            let explored = sandbox.run_in(folder, &["explore", &project, test]);
            assert!(explored.stdout.starts_with(&format!("{test}: exhausted: ")), "{}", explored.shown());
        }
        let readme = fs::read_to_string(sandbox.path().join(folder).join("README.md")).unwrap();
        assert!(readme.contains(&format!("lockstep explore {project} ")) && !readme.contains("NAME"), "{readme}");
    }
}

#[test]
fn a_new_icet_program_is_proved() {
    let sandbox = Sandbox::new("");
    assert_eq!(sandbox.run(&["new", "--template", "icet", "vote"]).code, Some(0));
    let checked = sandbox.run_in("vote", &["check", "--deny", "warnings"]);
    assert!(
        checked.stdout.starts_with("vote.icet: proved: no deadlock and no orphan message, for every size"),
        "{}",
        checked.shown()
    );
    assert_eq!(sandbox.run_in("vote", &["fmt", "--check"]).code, Some(0));
}

/// The readmes say how to make a bug; it is there then.
#[test]
fn the_bugs_that_readmes_speak_of_are_found() {
    let sandbox = Sandbox::new("");
    let answer = "      send request.client, eResponse, request.number;\n";
    let slips = [
        ("client-server", "PSrc/Server.p", answer, answer.repeat(2), vec!["explore", "a.pproj", "tcTwoClients"]),
        ("ring", "PSrc/Node.p", "other > rank", "other != rank".to_owned(), vec!["explore", "b.pproj", "tcRising"]),
        ("icet", "c.icet", "  send Answer(round) to coordinator;\n", String::new(), vec!["check"]),
    ];
    for ((template, file, right, wrong, command), name) in slips.into_iter().zip(["a", "b", "c"]) {
        assert_eq!(sandbox.run(&["new", name, "--template", template]).code, Some(0));
        let path = format!("{name}/{file}");
        let text = fs::read_to_string(sandbox.path().join(&path)).unwrap();
        assert!(text.contains(right), "{text}");
        sandbox.write(&path, text.replacen(right, &wrong, 1));
        let run = sandbox.run_in(name, &command);
        assert!(run.code == Some(1) && run.stdout.contains("refuted: "), "{}", run.shown());
    }
}

#[test]
fn what_is_there_is_not_touched() {
    let sandbox = Sandbox::new("//- Shop/mine.p\nevent e;\n//- file\nx\n");
    sandbox.check(
        "new Shop",
        expect![[r#"
            --- stderr
            error: `Shop` is there already, and not empty: choose another name
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "new file",
        expect![[r#"
            --- stderr
            error: `file` is there already, and is a file: choose another name
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "new my-shop",
        expect![[r#"
            --- stderr
            error: `my-shop` cannot be the name of a project: P wants a letter or `_`, then letters, digits and `_`; `my_shop` would do
            --- exit code 2
        "#]],
    );
    let below = sandbox.run(&["new", "file/Below"]);
    assert!(below.code == Some(2) && below.stderr.contains("`file/Below` cannot be made: "), "{}", below.shown());
    let names: Vec<_> = fs::read_dir(sandbox.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(fs::read_dir(sandbox.path().join("Shop")).unwrap().count(), 1);
}

#[test]
fn every_sample_does_what_is_said() {
    let sandbox = Sandbox::new("");
    let listed = sandbox.run(&["samples", "--json"]).json();
    let samples = listed["samples"].as_array().unwrap();
    assert!(samples.len() >= 8, "{listed}");
    for sample in samples {
        let name = sample["name"].as_str().unwrap();
        let copied = sandbox.run(&["samples", name]);
        assert_eq!(copied.code, Some(0), "{}", copied.shown());
        let has_bug = name.ends_with("-bug") || name.ends_with("-deadlock");
        let steps = copied.stdout.lines().filter_map(|line| line.trim().strip_prefix("lockstep "));
        let mut codes = Vec::new();
        for step in steps {
            let run = sandbox.run_in(name, &step.split(' ').collect::<Vec<_>>());
            assert!(!run.stdout.is_empty(), "{name}: {step}: {}", run.shown());
            codes.push(run.code.unwrap());
        }
        assert!(!codes.is_empty() && codes.contains(&1) == has_bug && codes.iter().all(|code| *code < 2), "{name}: {codes:?}");
    }
}

#[test]
fn samples_are_listed_and_copied_once() {
    let sandbox = Sandbox::new("//- to/keep.txt\nx\n");
    let listed = sandbox.run(&["samples"]);
    assert!(listed.stdout.starts_with("lease              P: "), "{}", listed.shown());
    assert_eq!(sandbox.run(&["samples", "lease", "--to", "to"]).code, Some(0));
    assert!(sandbox.path().join("to/lease/PSrc/Store.p").exists());
    let again = sandbox.run(&["samples", "lease", "--to", "to"]);
    assert!(again.code == Some(2) && again.stderr.contains("is there already"), "{}", again.shown());
    sandbox.check(
        "samples leese",
        expect![[r#"
            --- stderr
            error: there is no sample `leese`; did you mean `lease`?
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "samples lease --to nowhere",
        expect![[r#"
            --- stderr
            error: there is no folder `nowhere`
            --- exit code 2
        "#]],
    );
}
