//! `lockstep check --fix`: what is clearly right is made, and nothing else.

use std::fs;

use super::Sandbox;

const TEXT: &str = "\
event eAdd: int;

machine Counter {
    var total: int;
    var unused: int;

    start state Counting {
        on eAdd do (n: int) {
            total = total + n;
            print total;
        }
    }
}

fun broken() {
    var half: int
}
";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", TEXT);
    sandbox
}

#[test]
fn files_are_mended() {
    let sandbox = sandbox();
    let shown = sandbox.run(&["check", "--fix", "--diff"]);
    assert!(shown.stdout.contains("+            print format(\"{0}\", total);"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("-    var unused: int;"), "{}", shown.stdout);
    assert!(shown.stdout.contains("print total;\n"), "the findings are those of the files as they are: {}", shown.stdout);
    assert_eq!(shown.code, Some(1), "{}", shown.stdout);
    assert_eq!(fs::read_to_string(sandbox.path().join("a.p")).expect("it is there"), TEXT, "nothing is written");
    let run = sandbox.run(&["check", "--fix"]);
    assert!(run.stdout.contains("fixed a.p:10: LS0303: make a text of it"), "{}", run.stdout);
    let wanted = TEXT.replace("print total;", "print format(\"{0}\", total);");
    let found = fs::read_to_string(sandbox.path().join("a.p")).expect("it is there");
    assert_eq!(found, wanted, "what could not be read is left alone");
    let again = sandbox.run(&["check", "--fix"]);
    assert!(!again.stdout.contains("fixed "), "{}", again.stdout);
}

/// A function may seem to be of no use only because its name is misspelt where it is called.
#[test]
fn nothing_is_removed_because_it_is_not_used() {
    let sandbox = Sandbox::new("");
    let text =
        "machine M {\n    start state S {\n        entry {\n            HowMuch();\n        }\n    }\n}\n\nfun Withdraw() { }\n";
    sandbox.write("a.p", text);
    let run = sandbox.run(&["check", "--fix"]);
    assert!(run.stdout.contains("HowMuch"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(sandbox.path().join("a.p")).expect("it is there"), text);
}

#[test]
fn it_is_about_files_and_people() {
    let sandbox = sandbox();
    let run = sandbox.run(&["check", "--fix", "--json"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("--fix changes files"), "{}", run.stderr);
}
