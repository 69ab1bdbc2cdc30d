//! `lockstep parse` and `lockstep highlight`.

use expect_test::expect;

use super::Sandbox;

#[test]
fn the_tree_as_an_outline() {
    Sandbox::new("//- a.p\nevent Ping: int; // é\n").check(
        "parse a.p",
        expect![[r#"
            source_file 1:1-2:1
              event_declaration 1:1-1:17
                "event" 1:1-1:6
                name: identifier "Ping" 1:7-1:11
                ":" 1:11-1:12
                type: primitive_type 1:13-1:16
                  "int" 1:13-1:16
                ";" 1:16-1:17
              comment "// é" 1:18-1:22
            --- exit code 0
        "#]],
    );
}

#[test]
fn errors_go_beside_the_tree() {
    Sandbox::new("//- a.p\nevent Ping\nfun f() { return; ) }\n").check(
        "parse --tree a.p",
        expect![[r#"
            source_file 1:1-3:1
              event_declaration 1:1-1:11
                "event" 1:1-1:6
                name: identifier "Ping" 1:7-1:11
                MISSING ";" 1:11-1:11
              function_declaration 2:1-2:22
                "fun" 2:1-2:4
                name: identifier "f" 2:5-2:6
                parameters: parameters 2:6-2:8
                  "(" 2:6-2:7
                  ")" 2:7-2:8
                body: block 2:9-2:22
                  "{" 2:9-2:10
                  return_statement 2:11-2:18
                    "return" 2:11-2:17
                    ";" 2:17-2:18
                  ERROR 2:19-2:20
                    ")" 2:19-2:20
                  "}" 2:21-2:22
            --- stderr
            error[LS0001]: expected `;` after `Ping`
             --> a.p:1:11
              |
            1 | event Ping
              |           ^

            error[LS0001]: unexpected `)`, expected `}` or a statement
             --> a.p:2:19
              |
            2 | fun f() { return; ) }
              |                   ^

            --- exit code 1
        "#]],
    );
}

#[test]
fn the_tree_as_json() {
    Sandbox::new("//- a.p\nevent Ping: int").check("parse --json a.p", expect![[r#"
        {"version":1,"path":"a.p","language":"P","nodes":[
        {"depth":0,"parent":null,"field":null,"kind":"source_file","named":true,"error":false,"missing":false,"text":null,"range":{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":16,"offset":15}}},
        {"depth":1,"parent":0,"field":null,"kind":"event_declaration","named":true,"error":false,"missing":false,"text":null,"range":{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":16,"offset":15}}},
        {"depth":2,"parent":1,"field":null,"kind":"event","named":false,"error":false,"missing":false,"text":"event","range":{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":6,"offset":5}}},
        {"depth":2,"parent":1,"field":"name","kind":"identifier","named":true,"error":false,"missing":false,"text":"Ping","range":{"start":{"line":1,"column":7,"offset":6},"end":{"line":1,"column":11,"offset":10}}},
        {"depth":2,"parent":1,"field":null,"kind":":","named":false,"error":false,"missing":false,"text":":","range":{"start":{"line":1,"column":11,"offset":10},"end":{"line":1,"column":12,"offset":11}}},
        {"depth":2,"parent":1,"field":"type","kind":"primitive_type","named":true,"error":false,"missing":false,"text":null,"range":{"start":{"line":1,"column":13,"offset":12},"end":{"line":1,"column":16,"offset":15}}},
        {"depth":3,"parent":5,"field":null,"kind":"int","named":false,"error":false,"missing":false,"text":"int","range":{"start":{"line":1,"column":13,"offset":12},"end":{"line":1,"column":16,"offset":15}}},
        {"depth":2,"parent":1,"field":null,"kind":";","named":false,"error":false,"missing":true,"text":"","range":{"start":{"line":1,"column":16,"offset":15},"end":{"line":1,"column":16,"offset":15}}}
        ],"diagnostics":[
        {"code":"LS0001","severity":"error","message":"expected `;` after `int`","help":null,"path":"a.p","range":{"start":{"line":1,"column":16,"offset":15},"end":{"line":1,"column":16,"offset":15}},"related":[],"fix":null}
        ]}
        --- stderr
        error[LS0001]: expected `;` after `int`
         --> a.p:1:16
          |
        1 | event Ping: int
          |                ^

        --- exit code 1
    "#]]);
}

#[test]
fn standard_input() {
    let sandbox = Sandbox::new("");
    let run = sandbox.run_with_input(&["parse", "--language", "p", "-"], "event Ping");
    expect![[r#"
        source_file 1:1-1:11
          event_declaration 1:1-1:11
            "event" 1:1-1:6
            name: identifier "Ping" 1:7-1:11
            MISSING ";" 1:11-1:11
        --- stderr
        error[LS0001]: expected `;` after `Ping`
         --> <stdin>:1:11
          |
        1 | event Ping
          |           ^

        --- exit code 1
    "#]]
    .assert_eq(&run.shown());
    let run = sandbox.run_with_input(&["parse", "-", "--language", "icet"], "");
    expect![[r#"
        source_file 1:1-1:1
        --- exit code 0
    "#]]
    .assert_eq(&run.shown());
    sandbox.check(
        "parse -",
        expect![[r#"
            --- stderr
            error: the text comes from standard input: say --language p or icet
            --- exit code 2
        "#]],
    );
}

#[test]
fn the_language_of_other_files_must_be_said() {
    let sandbox = Sandbox::new("//- a.txt\nevent Ping;");
    sandbox.check(
        "parse a.txt",
        expect![[r#"
            --- stderr
            error: `a.txt` is neither a .p nor an .icet file: say --language p or icet
            --- exit code 2
        "#]],
    );
    assert_eq!(sandbox.run(&["parse", "a.txt", "--language", "p"]).code, Some(0));
    sandbox.check(
        "parse missing.txt",
        expect![[r#"
            --- stderr
            error: there is no file `missing.txt`
            --- exit code 2
        "#]],
    );
}

#[test]
fn highlighting_changes_nothing_but_colours() {
    let text = "// é\r\nevent Ping: int;\n\tmachine M { start state S { entry { print \"a\n b\"; } } }";
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", text);
    let plain = sandbox.run(&["highlight", "a.p"]);
    assert_eq!((plain.code, plain.stdout.as_str()), (Some(0), text));
    let coloured = sandbox.run(&["highlight", "--color", "always", "a.p"]).stdout;
    expect![[r#"
        ␛[90m// é␛[0m␍
        ␛[35mevent␛[0m ␛[33mPing␛[0m: ␛[36mint␛[0m;
        	␛[35mmachine␛[0m ␛[36mM␛[0m { ␛[35mstart␛[0m ␛[35mstate␛[0m ␛[1m␛[34mS␛[0m { ␛[35mentry␛[0m { ␛[35mprint␛[0m ␛[32m"a␛[0m
        ␛[32m b"␛[0m; } } }"#]]
    .assert_eq(&coloured.replace('\x1b', "␛").replace('\r', "␍"));
}
