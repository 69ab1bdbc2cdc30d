//! The same findings for people, for programs, for code scanning services and for GitHub.

use expect_test::expect;
use serde_json::Value;

use super::{Sandbox, schema};

/// A project with an error that points into another file, and one that can be mended.
const SHOP: &str = "
//- Shop.pproj
<Project>
  <ProjectName>Shop</ProjectName>
  <InputFiles><PFile>PSrc</PFile></InputFiles>
</Project>
//- PSrc/Events.p
event eOrder: int;
event eReady;
//- PSrc/Shop, 100%.p
event eReady;
machine Shop {
  start state Open {
    on eOrdr do { }
    entry { raise eOrder, true; }
  }
}
";

#[test]
fn places_in_other_files_are_shown_in_their_files() {
    Sandbox::new(SHOP).check(
        "check",
        expect![[r#"
            error[LS0101]: `eReady` is declared already, as an event
             --> PSrc/Shop, 100%.p:1:7
              |
            1 | event eReady;
              |       ^^^^^^
              |
             ::: PSrc/Events.p:2:7
              |
            2 | event eReady;
              |       ------ declared here

            error[LS0106]: there is no event `eOrdr`
             --> PSrc/Shop, 100%.p:4:8
              |
            4 |     on eOrdr do { }
              |        ^^^^^
              |
              = help: did you mean `eOrder`?

            error[LS0317]: `eOrder` takes a value of type `int`, and this is of type `bool`
             --> PSrc/Shop, 100%.p:5:27
              |
            5 |     entry { raise eOrder, true; }
              |                           ^^^^
              |
             ::: PSrc/Events.p:1:7
              |
            1 | event eOrder: int;
              |       ------ `eOrder` is declared here

            checked 2 files of 1 project: 3 errors
            --- exit code 1
        "#]],
    );
}

#[test]
fn json_has_the_project_the_other_file_and_the_fix() {
    let json = Sandbox::new(SHOP).run(&["check", "--json"]).json();
    expect![[r#"
        [
          {
            "name": "Shop",
            "path": "Shop.pproj",
            "files": [
              "PSrc/Events.p",
              "PSrc/Shop, 100%.p"
            ]
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n", json["projects"]));
    expect![[r#"
        [
          {
            "message": "declared here",
            "path": "PSrc/Events.p",
            "range": {
              "start": {
                "line": 2,
                "column": 7,
                "offset": 25
              },
              "end": {
                "line": 2,
                "column": 13,
                "offset": 31
              }
            }
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n", json["diagnostics"][0]["related"]));
    expect![[r#"
        {
          "title": "replace it by `eOrder`",
          "edits": [
            {
              "range": {
                "start": {
                  "line": 4,
                  "column": 8,
                  "offset": 57
                },
                "end": {
                  "line": 4,
                  "column": 13,
                  "offset": 62
                }
              },
              "text": "eOrder"
            }
          ]
        }
    "#]]
    .assert_eq(&format!("{:#}\n", json["diagnostics"][1]["fix"]));
}

#[test]
fn github_gets_one_command_for_each_finding() {
    let sandbox = Sandbox::new(SHOP);
    sandbox.check("check --format github", expect![[r#"
        ::error file=PSrc/Shop%2C 100%25.p,line=1,col=7,endLine=1,endColumn=12,title=LS0101::`eReady` is declared already, as an event
        ::error file=PSrc/Shop%2C 100%25.p,line=4,col=8,endLine=4,endColumn=12,title=LS0106::there is no event `eOrdr`%0Ahelp: did you mean `eOrder`?
        ::error file=PSrc/Shop%2C 100%25.p,line=5,col=27,endLine=5,endColumn=30,title=LS0317::`eOrder` takes a value of type `int`, and this is of type `bool`
        checked 2 files of 1 project: 3 errors
        --- exit code 1
    "#]]);
    sandbox.check(
        "check --format github -q missing.p",
        expect![[r#"
        ::error file=missing.p::there is no file or folder `missing.p`
        --- exit code 2
    "#]],
    );
}

#[test]
fn sarif() {
    let sandbox = Sandbox::new(SHOP);
    let run = sandbox.run(&["check", "--format", "sarif"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let log = run.json();
    check_log(&log);
    let results = &log["runs"][0]["results"];
    expect![[r#"
        [
          {
            "ruleId": "LS0101",
            "ruleIndex": 0,
            "level": "error",
            "message": {
              "text": "`eReady` is declared already, as an event"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "PSrc/Shop%2C%20100%25.p"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 7,
                    "endLine": 1,
                    "endColumn": 13
                  }
                }
              }
            ],
            "relatedLocations": [
              {
                "id": 0,
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "PSrc/Events.p"
                  },
                  "region": {
                    "startLine": 2,
                    "startColumn": 7,
                    "endLine": 2,
                    "endColumn": 13
                  }
                },
                "message": {
                  "text": "declared here"
                }
              }
            ]
          },
          {
            "ruleId": "LS0106",
            "ruleIndex": 1,
            "level": "error",
            "message": {
              "text": "there is no event `eOrdr`\ndid you mean `eOrder`?"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "PSrc/Shop%2C%20100%25.p"
                  },
                  "region": {
                    "startLine": 4,
                    "startColumn": 8,
                    "endLine": 4,
                    "endColumn": 13
                  }
                }
              }
            ],
            "fixes": [
              {
                "description": {
                  "text": "replace it by `eOrder`"
                },
                "artifactChanges": [
                  {
                    "artifactLocation": {
                      "uri": "PSrc/Shop%2C%20100%25.p"
                    },
                    "replacements": [
                      {
                        "deletedRegion": {
                          "startLine": 4,
                          "startColumn": 8,
                          "endLine": 4,
                          "endColumn": 13
                        },
                        "insertedContent": {
                          "text": "eOrder"
                        }
                      }
                    ]
                  }
                ]
              }
            ]
          },
          {
            "ruleId": "LS0317",
            "ruleIndex": 2,
            "level": "error",
            "message": {
              "text": "`eOrder` takes a value of type `int`, and this is of type `bool`"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "PSrc/Shop%2C%20100%25.p"
                  },
                  "region": {
                    "startLine": 5,
                    "startColumn": 27,
                    "endLine": 5,
                    "endColumn": 31
                  }
                }
              }
            ],
            "relatedLocations": [
              {
                "id": 0,
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "PSrc/Events.p"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 7,
                    "endLine": 1,
                    "endColumn": 13
                  }
                },
                "message": {
                  "text": "`eOrder` is declared here"
                }
              }
            ]
          }
        ]
    "#]]
    .assert_eq(&format!("{results:#}\n"));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect::<Vec<_>>(), ["LS0101", "LS0106", "LS0317"]);
    assert_eq!(rules[0]["shortDescription"]["text"], "a name is declared twice");
    assert!(rules[0]["help"]["markdown"].as_str().unwrap().contains("## Wrong"));
}

#[test]
fn sarif_of_nothing_and_of_a_failure() {
    let sandbox = Sandbox::new("//- a.p\nevent Ping;");
    let log = sandbox.run(&["check", "--format", "sarif"]).json();
    check_log(&log);
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    let run = sandbox.run(&["check", "--format", "sarif", "a.p", "missing.p"]);
    let log = run.json();
    check_log(&log);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        [
          {
            "executionSuccessful": false,
            "toolExecutionNotifications": [
              {
                "level": "error",
                "message": {
                  "text": "there is no file or folder `missing.p`"
                }
              }
            ]
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n", log["runs"][0]["invocations"]));
}

#[test]
fn every_kind_of_finding_fits_the_schema_of_sarif() {
    let sandbox = Sandbox::new(
        "//- Shop/Shop.pproj
<Project xmlns='urn:p'><InputFiles><PFile>missing</PFile><PFile>.</PFile></InputFiles></Project>
//- Shop/Übung.p
event eReady; event eRedy;
fun F() { var x: int; send halt, eReadi; print \"𝄞\"; } // Lockstep: allow(LS1101) why
//- One/a.p
machine M { start state S { entry { goto T; } } }
//- One/b.p
machine M { start state S { } }
//- core.icet
skip skip
",
    );
    sandbox.write("Shop/latin1.p", b"event \xe9;");
    let log = sandbox.run(&["check", "--format", "sarif"]).json();
    check_log(&log);
    let results = list(&log["runs"][0]["results"]);
    let levels = ["error", "warning", "note"].map(|level| results.iter().filter(|result| result["level"] == level).count());
    assert!(levels.iter().all(|count| *count > 0), "errors, warnings, notes: {levels:?}");
    assert!(results.iter().any(|result| result["fixes"].is_array()));
    assert!(results.iter().any(|result| result["relatedLocations"].is_array()));
}

#[test]
fn the_schema_of_sarif_finds_mistakes() {
    let log = Sandbox::new(SHOP).run(&["check", "--format", "sarif"]).json();
    assert_eq!(schema::problems(&log), [""; 0]);
    for (place, value) in [
        ("/version", "2.0.0".into()),
        ("/runs/0/columnKind", "bytes".into()),
        ("/runs/0/results/0/level", "bad".into()),
        ("/runs/0/results/0/ruleIndex", (-2).into()),
        ("/runs/0/results/0/message", "text".into()),
        ("/runs/0/results/0/message", Value::Object(serde_json::Map::new())),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0.into()),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 1.5.into()),
        ("/runs/0/results/0/relatedLocations/0/physicalLocation", serde_json::json!({ "place": 1 })),
        ("/runs/0/tool", serde_json::json!({})),
    ] {
        let mut wrong = log.clone();
        *wrong.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
        assert_ne!(schema::problems(&wrong), [""; 0], "{place}");
    }
    let mut twice = log.clone();
    let runs = twice["runs"][0]["results"][0]["relatedLocations"].as_array_mut().unwrap();
    runs.push(runs[0].clone());
    assert_ne!(schema::problems(&twice), [""; 0]);
}

/// Checks a log against the schema of SARIF 2.1.0, and what that does not say: rules are found by their index, regions do not end before
/// they start, and what is no part of a URI is escaped.
fn check_log(log: &Value) {
    assert_eq!(schema::problems(log), [""; 0]);
    for run in list(&log["runs"]) {
        list(&run["results"]).iter().for_each(|result| check_result(result, &run["tool"]["driver"]["rules"]));
    }
}

fn check_result(result: &Value, rules: &Value) {
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    for location in list(&result["locations"]).iter().chain(list(&result["relatedLocations"])) {
        check_uri(&location["physicalLocation"]["artifactLocation"]);
        check_region(&location["physicalLocation"]["region"]);
    }
    for change in list(&result["fixes"]).iter().flat_map(|fix| list(&fix["artifactChanges"])) {
        check_uri(&change["artifactLocation"]);
        list(&change["replacements"]).iter().for_each(|replacement| check_region(&replacement["deletedRegion"]));
    }
}

fn check_uri(artifact: &Value) {
    let uri = artifact["uri"].as_str().unwrap();
    assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.-_~%:".contains(&byte)), "{uri}");
}

fn check_region(region: &Value) {
    let place = |line: &str, column: &str| (region[line].as_u64().unwrap(), region[column].as_u64().unwrap());
    let (start, end) = (place("startLine", "startColumn"), place("endLine", "endColumn"));
    assert!(start <= end, "{region}");
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        _ => value.as_array().unwrap_or_else(|| panic!("not a list: {value}")),
    }
}
