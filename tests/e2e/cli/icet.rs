//! IceT programs on the command line: `check`, `sequentialize` and `run`.

use expect_test::expect;

use super::Sandbox;

const PING: &str = "
//- ping.icet
set Nodes;
message Ping;
message Pong(node: Nodes);

process a {
  var who: Nodes;

  for b in Nodes {
    send Ping to b;
  }
  for _ in Nodes {
    recv Pong(who) from Nodes;
  }
}

process b in Nodes {
  recv Ping from a;
  send Pong(b) to a;
}
";

const STUCK: &str = "
//- stuck.icet
set Clients;
message Ask;
message Answer;

process server {
  for c in Clients {
    recv Ask from c;
  }
  for c in Clients {
    recv Ask from c;
    send Answer to c;
  }
}

process c in Clients {
  send Ask to server;
  recv Answer from server;
}
";

const LIMITED: &str = "
//- limited.icet
const Most: int;
message Amount(n: int);

process a {
  send Amount(Most) to b;
}

process b {
  var n: int;

  recv Amount(n) from a;
  assert n < 100, \"small enough\";
}
";

#[test]
fn a_program_that_is_proved() {
    Sandbox::new(PING).check(
        "check ping.icet",
        expect![[r#"
        ping.icet: proved: no deadlock and no orphan message, for every size
        checked 1 IceT file: no errors
        --- exit code 0
    "#]],
    );
}

#[test]
fn a_deadlock_is_shown_where_everybody_waits() {
    Sandbox::new(STUCK).check("check stuck.icet", expect![[r#"
        error[LS2201]: deadlock: `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`
          --> stuck.icet:10:5
           |
        10 |     recv Ask from c;
           |     ^^^^^^^^^^^^^^^^
        ...
        17 |   recv Answer from server;
           |   ------------------------ and `c[0]` waits for `Answer` from `server` here
           |
           = help: when `Clients` has 1 member: one of them has to send before it waits

        stuck.icet: refuted: deadlock when `Clients` has 1 member: `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`
          see it: `lockstep run --all --size Clients=1 stuck.icet`
        checked 1 IceT file: 1 error
        --- exit code 1
    "#]]);
}

#[test]
fn a_static_error_comes_first() {
    let sandbox = Sandbox::new("//- wrong.icet\nprocess a { x = 1; }");
    sandbox.check(
        "check wrong.icet",
        expect![[r#"
        error[LS2001]: `x` is not declared
         --> wrong.icet:1:13
          |
        1 | process a { x = 1; }
          |             ^

        checked 1 IceT file: 1 error
        --- exit code 1
    "#]],
    );
    sandbox.check(
        "sequentialize wrong.icet",
        expect![[r#"
        --- stderr
        error[LS2001]: `x` is not declared
         --> wrong.icet:1:13
          |
        1 | process a { x = 1; }
          |             ^

        --- exit code 1
    "#]],
    );
}

#[test]
fn what_is_known_is_in_the_json() {
    Sandbox::new(&[PING, STUCK].concat()).check("check --json ping.icet stuck.icet", expect![[r#"
        {"version":1,"files":2,"projects":[],"icet":[{"path":"ping.icet","verdict":"proved","scope":{"kind":"allSizes"},"summary":"no deadlock and no orphan message, for every size","bug":null},{"path":"stuck.icet","verdict":"refuted","scope":null,"summary":"deadlock when `Clients` has 1 member: `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`","bug":{"kind":"deadlock","instance":"`Clients` has 1 member","end":"`server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`","trace":[{"text":"server begins the turn of c[0]","range":{"start":{"line":6,"column":3,"offset":62},"end":{"line":8,"column":4,"offset":105}}},{"text":"c[0] sends Ask to server","range":{"start":{"line":16,"column":3,"offset":202},"end":{"line":16,"column":22,"offset":221}}},{"text":"server receives Ask from c[0]","range":{"start":{"line":7,"column":10,"offset":90},"end":{"line":7,"column":20,"offset":100}}},{"text":"server begins the turn of c[0]","range":{"start":{"line":9,"column":3,"offset":108},"end":{"line":12,"column":4,"offset":173}}}]}}],"diagnostics":[{"code":"LS2201","severity":"error","message":"deadlock: `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`","help":"when `Clients` has 1 member: one of them has to send before it waits","path":"stuck.icet","range":{"start":{"line":10,"column":5,"offset":131},"end":{"line":10,"column":21,"offset":147}},"related":[{"message":"and `c[0]` waits for `Answer` from `server` here","path":"stuck.icet","range":{"start":{"line":17,"column":3,"offset":224},"end":{"line":17,"column":27,"offset":248}}}],"fix":null}],"failures":[]}
        --- exit code 1
    "#]]);
}

#[test]
fn the_sequential_program_is_a_program() {
    let sandbox = Sandbox::new(PING);
    sandbox.check(
        "sequentialize --steps ping.icet",
        expect![[r#"
            // ping.icet: proved: no deadlock and no orphan message, for every size
            // the steps, each with the statement it executes and the rule that allows it:
            //   1. for every member `b` of `Nodes`, one after the other, `a` has a turn (line 8: `for b in Nodes`; rule Loop):
            //     1. `a` sends `Ping` to `b` (line 9: `send Ping to b`; rule Send)
            //     2. `b` receives `Ping` from `a` (line 17: `recv Ping from a`; sent in line 9; rule Receive)
            //   2. for every member `b_2` of `Nodes`, one after the other, `a` has a turn (line 11: `for _ in Nodes`; rule Loop):
            //     1. `b_2` sends `Pong` to `a` (line 18: `send Pong(b) to a`; rule Send)
            //     2. `a` receives `Pong` from `b_2` (line 12: `recv Pong(who) from Nodes`; sent in line 18; rule Receive)

            set Nodes;
            message Ping;
            message Pong(Nodes);

            process a {
              var who: Nodes;
            }

            process b in Nodes {
            }

            sequential {
              for b in Nodes {
              }
              for b_2 in Nodes {
                a.who = b_2;
              }
            }
            --- exit code 0
        "#]],
    );
    let printed = sandbox.run(&["sequentialize", "ping.icet"]).stdout;
    sandbox.write("again.icet", printed);
    let again = sandbox.run(&["run", "again.icet", "--all"]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
}

#[test]
fn what_cannot_be_put_in_order_is_shown_as_far_as_it_goes() {
    Sandbox::new(STUCK).check("sequentialize stuck.icet", expect![[r#"
        // stuck.icet: refuted: deadlock when `Clients` has 1 member: `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`
        // how it comes to this:
        //    1  server begins the turn of c[0] (line 6)
        //    2  c[0] sends Ask to server (line 16)
        //    3  server receives Ask from c[0] (line 7)
        //    4  server begins the turn of c[0] (line 9)
        //       `server` waits for `Ask` from `c[0]`, which waits for `Answer` from `server`
        // as far as it goes: first the sequential part, then what is left of the processes;
        // messages that are under way in between are not shown

        set Clients;
        message Ask;
        message Answer;

        process server {
          for c in Clients {
            recv Ask from c;
            send Answer to c;
          }
        }

        process c in Clients {
          recv Answer from server;
        }

        sequential {
          for c in Clients {
          }
        }
        --- exit code 1
    "#]]);
}

#[test]
fn a_certificate_is_written_for_what_is_in_order() {
    let sandbox = Sandbox::new(&[PING, STUCK].concat());
    assert_eq!(sandbox.run(&["sequentialize", "ping.icet", "--certificate", "ping.json"]).code, Some(0));
    let written = std::fs::read_to_string(sandbox.path().join("ping.json")).unwrap();
    let certificate: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert!(certificate["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{written}");
    let refused = sandbox.run(&["sequentialize", "stuck.icet", "--certificate", "stuck.json"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.starts_with("error: there is no certificate: deadlock"), "{}", refused.stderr);
    assert!(!sandbox.path().join("stuck.json").exists());
}

#[test]
fn a_certificate_is_checked() {
    let sandbox = Sandbox::new(&[PING, STUCK].concat());
    sandbox.run(&["sequentialize", "ping.icet", "--certificate", "ping.json"]);
    sandbox.check(
        "certify ping.icet ping.json",
        expect![[r#"
        ping.json: accepted: no deadlock and no orphan message, for every size
        --- exit code 0
    "#]],
    );
    sandbox.check(
        "certify stuck.icet ping.json",
        expect![[r#"
        ping.json: rejected: the certificate is for another program, or the program was changed; make a new one
        --- exit code 1
    "#]],
    );
    let written = std::fs::read_to_string(sandbox.path().join("ping.json")).unwrap();
    let mut certificate: serde_json::Value = serde_json::from_str(&written).unwrap();
    certificate["steps"].as_array_mut().unwrap().pop();
    sandbox.write("short.json", certificate.to_string());
    let short = sandbox.run(&["certify", "ping.icet", "short.json"]);
    assert_eq!(short.code, Some(1), "{}", short.stdout);
    assert!(short.stdout.starts_with("short.json: rejected at its end: "), "{}", short.stdout);
    let json = sandbox.run(&["certify", "ping.icet", "short.json", "--format", "json"]).json();
    assert_eq!((&json["accepted"], &json["step"]), (&false.into(), &serde_json::json!([])));
    sandbox.write("none.json", "{}");
    sandbox.check("certify ping.icet none.json", expect![[r#"
        none.json: rejected: the file is JSON, but no certificate: there is no `"format": "lockstep-certificate"`; `lockstep sequentialize --certificate` writes certificates
        --- exit code 1
    "#]]);
    sandbox.check("certify ping.icet ping.icet", expect![[r#"
        ping.icet: rejected: the file is not a certificate: line 1, column 1 is not JSON; `lockstep sequentialize --certificate` writes certificates
        --- exit code 1
    "#]]);
    sandbox.write("future.json", written.replace("\"version\":1", "\"version\":2"));
    sandbox.check(
        "certify ping.icet future.json",
        expect![[r#"
        future.json: rejected: the certificate has version 2, and this Lockstep reads version 1; make a new one
        --- exit code 1
    "#]],
    );
    assert_eq!(sandbox.run(&["certify", "ping.icet", "missing.json"]).code, Some(2));
}

#[test]
fn sequentialize_in_json() {
    let sandbox = Sandbox::new(&[PING, STUCK].concat());
    let told = |file: &str| -> serde_json::Value {
        serde_json::from_str(&sandbox.run(&["sequentialize", file, "--steps", "--format", "json"]).stdout).unwrap()
    };
    let ping = told("ping.icet");
    assert_eq!((&ping["verdict"], &ping["complete"]), (&"proved".into(), &true.into()));
    assert_eq!(ping["scope"]["kind"], "allSizes");
    assert!(ping["sequential"].as_str().is_some_and(|text| text.contains("sequential {")), "{ping}");
    assert!(ping["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    let stuck = told("stuck.icet");
    assert_eq!((&stuck["verdict"], &stuck["complete"]), (&"refuted".into(), &false.into()));
    assert_eq!(stuck["bug"]["kind"], "deadlock");
    assert_eq!(stuck["remaining"][0]["process"], "server");
    assert_eq!(stuck["remaining"][0]["next"]["start"]["line"], 9);
}

#[test]
fn one_run() {
    let sandbox = Sandbox::new(PING);
    sandbox.check(
        "run ping.icet --size Nodes=1",
        expect![[r#"
        a run of ping.icet with Nodes=1, seed 1
            1  a begins the turn of b[0]        line 8
            2  a sends Ping to b[0]             line 9
            3  b[0] receives Ping from a        line 17
            4  b[0] sends Pong(b[0]) to a       line 18
            5  a receives Pong(b[0]) from b[0]  line 12
        the run ends
          a.who = b[0]
        --- exit code 0
    "#]],
    );
    let steps = |seed: u32| -> Vec<String> {
        let run = sandbox.run(&["run", "ping.icet", "--size", "Nodes=3", "--seed", &seed.to_string()]);
        run.stdout.lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(steps(5), steps(5));
    assert!((0..20).any(|seed| steps(seed) != steps(5)));
}

#[test]
fn all_runs() {
    let sandbox = Sandbox::new(&[PING, STUCK].concat());
    sandbox.check(
        "run ping.icet --all",
        expect![[r#"
            all runs of ping.icet with Nodes=2: 23 states looked at
            no deadlock, no orphan message and no failure in all runs

            2 final states
              1:
                a.who = b[0]
              2:
                a.who = b[1]
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "run stuck.icet --all --size Clients=1",
        expect![[r#"
            all runs of stuck.icet with Clients=1: 7 states looked at
            1 thing went wrong

            deadlock: server waits at line 10 (`recv Ask from c`); c[0] waits at line 17 (`recv Answer from server`)
                1  server begins the turn of c[0]  line 6
                2  c[0] sends Ask to server        line 16
                3  server receives Ask from c[0]   line 7
                4  server begins the turn of c[0]  line 9

            0 final states
            --- exit code 1
        "#]],
    );
}

#[test]
fn runs_in_json() {
    let sandbox = Sandbox::new(&[PING, STUCK].concat());
    let told = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&sandbox.run(&[&["run", "--format", "json"], args].concat()).stdout).unwrap()
    };
    let one = told(&["ping.icet"]);
    assert_eq!((&one["end"], &one["seed"], &one["instance"]), (&"ended".into(), &1.into(), &"Nodes=2".into()));
    let all = told(&["stuck.icet", "--all"]);
    assert_eq!((&all["complete"], &all["wrong"][0]["kind"]), (&true.into(), &"deadlock".into()));
    assert!(all["wrong"][0]["steps"].as_array().is_some_and(|steps| steps.len() == 7), "{all}");
}

#[test]
fn not_everything_was_seen() {
    Sandbox::new(PING).check(
        "run ping.icet --all --size Nodes=6 --states 50",
        expect![[r#"
            all runs of ping.icet with Nodes=6: 50 states looked at
            no deadlock, no orphan message and no failure in what was seen
            not everything was seen: there are more than 50 states; --states allows more

            3 final states
              1:
                a.who = b[3]
              2:
                a.who = b[4]
              3:
                a.who = b[5]
            --- exit code 1
        "#]],
    );
}

#[test]
fn constants_are_given() {
    let sandbox = Sandbox::new(LIMITED);
    sandbox.check(
        "run limited.icet --const Most=100",
        expect![[r#"
        a run of limited.icet with Most=100, seed 1
            1  a sends Amount(100) to b                       line 5
            2  b receives Amount(100) from a                  line 11
            3  b fails: the assertion is false: small enough  line 12
        the run fails: the assertion is false: small enough
          b.n = 100
        --- exit code 1
    "#]],
    );
    assert_eq!(sandbox.run(&["run", "limited.icet", "--all", "--const", "Most=99"]).code, Some(0));
    sandbox.check(
        "check limited.icet",
        expect![[r#"
        info[LS2206]: it is not known if this holds
          --> limited.icet:12:3
           |
        12 |   assert n < 100, "small enough";
           |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: `lockstep run --all` tries all runs with sets of a given size

        limited.icet: proved: no deadlock and no orphan message, for every size; it is not known if the assertion holds
        checked 1 IceT file: no errors, 1 remark
        --- exit code 0
    "#]],
    );
}

#[test]
fn wrong_sizes_and_constants() {
    let sandbox = Sandbox::new(&[PING, LIMITED, "//- some.p\nevent Ping;\n"].concat());
    for (args, why) in [
        (&["ping.icet", "--size", "Clients=1"][..], "there is no set `Clients`: the program declares `Nodes`"),
        (&["ping.icet", "--size", "Nodes=-1"], "the size of `Nodes` is a number from 0 to 1000, and `-1` is not"),
        (&["ping.icet", "--size", "Nodes"], "`--size Nodes` is not of the form NAME=NUMBER"),
        (&["ping.icet", "--const", "K=1"], "there is no constant `K`: the program declares none"),
        (&["limited.icet"], "the constant `Most` has no value: say --const Most=VALUE"),
        (&["limited.icet", "--const", "Most=x"], "`x` is no value for the constant `Most`, which is of type `int`"),
        (&["some.p", "--size", "A=1"], "--size, --const and --language are for IceT programs (.icet), and this is P"),
    ] {
        let run = sandbox.run(&[&["run"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), format!("error: {why}\n").as_str()));
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn codes_are_explained() {
    let sandbox = Sandbox::new("");
    for code in ["LS2001", "LS2105", "LS2201", "ls2205"] {
        let run = sandbox.run(&["explain", code]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.starts_with(&code.to_uppercase()), "{}", run.stdout);
    }
}

/// Three members, of which each two can block each other, and many final states.
const MANY: &str = "//- many.icet
set Nodes;
message Never;
process a { var x: int; havoc x; }
process n in Nodes { if (*) { recv Never from a; } }
";

#[test]
fn all_runs_begin_with_the_verdict_and_tell_what_is_alike_once() {
    let sandbox = Sandbox::new(MANY);
    let told = sandbox.run(&["run", "--all", "--size", "Nodes=2", "many.icet"]).stdout;
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[1].ends_with("things went wrong"), "{told}");
    assert_eq!(told.matches("\ndeadlock: ").count(), 2, "{told}");
    assert_eq!(told.matches("  and 1 more like it, with other members\n").count(), 1, "{told}");
    assert!(told.contains("chooses to do `recv Never from a`") && told.contains("chooses not to do"), "{told}");
    assert_eq!(lines.iter().filter(|line| line.ends_with(".x = 0") || line.contains("a.x = ")).count(), 3, "{told}");
    let all = sandbox.run(&["run", "--all", "--finals", "100", "--size", "Nodes=2", "many.icet"]).stdout;
    assert!(all.matches("a.x = ").count() > 3 && !all.contains("--finals"), "{all}");
}

#[test]
fn an_endless_run_is_stopped() {
    let sandbox = Sandbox::new("//- on.icet\nprocess a { var n: int; rounds as r { n = r; } }");
    let told = sandbox.run(&["run", "on.icet"]).stdout;
    assert!(told.contains("\nstopped after 10000 steps: the run goes on\n"), "{}", &told[told.len() - 200..]);
    assert!(told.contains("a begins round 1 (r = 0)") && told.contains("a begins round 2 (r = 1)"), "{}", &told[..200]);
}

#[test]
fn the_key_of_a_map_is_shown() {
    let sandbox = Sandbox::new("//- map.icet\nprocess a { var m: map[int, int]; var k: int; k = 3; m[k + 1] = 7; }");
    let told = sandbox.run(&["run", "map.icet"]).stdout;
    assert!(told.contains("a sets m[4] to 7"), "{told}");
}

#[test]
fn wrong_use_is_told_in_words() {
    let sandbox = Sandbox::new("//- empty.icet\n\n//- on.icet\nprocess a { skip; }");
    let folder = sandbox.run(&["run", "."]);
    assert_eq!(folder.code, Some(2));
    assert!(folder.stderr.contains("no P test here") && folder.stderr.contains("naming its file"), "{}", folder.stderr);
    let seed = sandbox.run(&["run", "--seed", "-1", "on.icet"]);
    assert!(seed.code == Some(2) && seed.stderr.contains("a seed must not be negative"), "{}", seed.stderr);
    let seed = sandbox.run(&["run", "--seed", "x", "on.icet"]);
    assert!(seed.code == Some(2) && seed.stderr.contains("a seed is a number from 0 to"), "{}", seed.stderr);
    for command in ["check", "sequentialize"] {
        let told = sandbox.run(&[command, "empty.icet"]).stdout;
        assert!(told.contains("empty.icet: unknown: there are no processes, so there is nothing to prove"), "{told}");
    }
}

#[test]
fn codes_are_found_by_their_titles() {
    let told = Sandbox::new("").run(&["explain", "deadlock"]);
    assert_eq!(told.code, Some(0));
    assert!(
        told.stdout.contains("LS2201  ") && told.stdout.lines().all(|line| line.to_lowercase().contains("deadlock")),
        "{}",
        told.stdout
    );
}
