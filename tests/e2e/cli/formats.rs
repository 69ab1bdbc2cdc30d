//! The same findings for people, for programs, for code scanning services and for GitHub.

use expect_test::expect;
use serde_json::Value;

use super::Sandbox;

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

/// Checks a log against the parts of SARIF 2.1.0 that Lockstep uses: which properties objects have and must have, and their types.
/// Written from the standard's text; the official schema is not ours to copy here.
fn check_log(log: &Value) {
    object(log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    for run in list(&log["runs"]) {
        object(run, &["tool"], &["invocations", "columnKind", "results"]);
        assert!(run["columnKind"] == "unicodeCodePoints" || run["columnKind"] == "utf16CodeUnits");
        let driver = &run["tool"]["driver"];
        object(driver, &["name"], &["semanticVersion", "rules"]);
        for rule in list(&driver["rules"]) {
            object(rule, &["id"], &["shortDescription", "help"]);
            rule.get("shortDescription").into_iter().for_each(check_message);
            rule.get("help").into_iter().for_each(check_message);
        }
        for invocation in list(&run["invocations"]) {
            object(invocation, &["executionSuccessful"], &["toolExecutionNotifications"]);
            assert!(invocation["executionSuccessful"].is_boolean());
            for notification in list(&invocation["toolExecutionNotifications"]) {
                object(notification, &["message"], &["level"]);
                check_message(&notification["message"]);
            }
        }
        list(&run["results"]).iter().for_each(|result| check_result(result, &driver["rules"]));
    }
}

fn check_result(result: &Value, rules: &Value) {
    object(result, &["message"], &["ruleId", "ruleIndex", "level", "locations", "relatedLocations", "fixes"]);
    check_message(&result["message"]);
    assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    for location in list(&result["locations"]).iter().chain(list(&result["relatedLocations"])) {
        object(location, &[], &["id", "physicalLocation", "message"]);
        location.get("id").into_iter().for_each(|id| assert!(id.is_u64()));
        location.get("message").into_iter().for_each(check_message);
        object(&location["physicalLocation"], &["artifactLocation"], &["region"]);
        check_uri(&location["physicalLocation"]["artifactLocation"]);
        check_region(&location["physicalLocation"]["region"]);
    }
    for fix in list(&result["fixes"]) {
        object(fix, &["artifactChanges"], &["description"]);
        check_message(&fix["description"]);
        for change in list(&fix["artifactChanges"]) {
            object(change, &["artifactLocation", "replacements"], &[]);
            check_uri(&change["artifactLocation"]);
            assert!(!list(&change["replacements"]).is_empty());
            for replacement in list(&change["replacements"]) {
                object(replacement, &["deletedRegion"], &["insertedContent"]);
                check_region(&replacement["deletedRegion"]);
                object(&replacement["insertedContent"], &["text"], &[]);
            }
        }
    }
}

fn check_message(message: &Value) {
    object(message, &["text"], &["markdown"]);
    assert!(message["text"].is_string());
}

fn check_uri(artifact: &Value) {
    object(artifact, &["uri"], &[]);
    let uri = artifact["uri"].as_str().unwrap();
    assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.-_~%:".contains(&byte)), "{uri}");
}

fn check_region(region: &Value) {
    object(region, &["startLine", "startColumn", "endLine", "endColumn"], &[]);
    let place = |line: &str, column: &str| (region[line].as_u64().unwrap(), region[column].as_u64().unwrap());
    let (start, end) = (place("startLine", "startColumn"), place("endLine", "endColumn"));
    assert!(start.0 >= 1 && start.1 >= 1 && start <= end, "{region}");
}

fn object(value: &Value, required: &[&str], optional: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("not an object: {value}"));
    required.iter().for_each(|key| assert!(object.contains_key(*key), "`{key}` is missing in {value}"));
    for key in object.keys() {
        assert!(required.contains(&key.as_str()) || optional.contains(&key.as_str()), "`{key}` is not known in {value}");
    }
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        _ => value.as_array().unwrap_or_else(|| panic!("not a list: {value}")),
    }
}
