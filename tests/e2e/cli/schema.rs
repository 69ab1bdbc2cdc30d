//! JSON Schemas, the official one of SARIF among them, and what a value lacks to fit one.
//!
//! SARIF's is not ours to keep here. The published package `serde-sarif` contains it, and Cargo says where that lies. The words of
//! JSON Schema that it uses are few and are understood here; another word, in a newer schema, ends the test.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What is wrong with a log, each with its place; nothing if it fits the schema.
pub(super) fn problems(log: &Value) -> Vec<String> {
    let schema = schema();
    assert_eq!(schema["$id"].as_str().and_then(|id| id.rsplit('/').next()), Some("sarif-schema-2.1.0.json"));
    problems_with(&schema, log)
}

/// The same for any schema in the words that are understood here.
pub(super) fn problems_with(schema: &Value, value: &Value) -> Vec<String> {
    let mut check = Check { schema, problems: Vec::new() };
    check.value(value, schema, "$");
    check.problems
}

fn schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("Cargo can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the schema is in a package that `cargo fetch` brings:\n{said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("Cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("Cargo lists packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("it is a dependency");
    let manifest = Path::new(package["manifest_path"].as_str().expect("packages have a place"));
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("the package has the schema");
    serde_json::from_str(&text).expect("a schema is JSON")
}

struct Check<'s> {
    schema: &'s Value,
    problems: Vec<String>,
}

impl<'s> Check<'s> {
    fn value(&mut self, value: &Value, schema: &Value, path: &str) {
        let words = match schema {
            Value::Object(words) => words,
            Value::Bool(true) => return,
            _ => return self.problems.push(format!("{path} must not be there")),
        };
        for (word, operand) in words {
            self.word(value, (word, operand), schema, path);
        }
    }

    fn word(&mut self, value: &Value, (word, operand): (&str, &Value), schema: &Value, path: &str) {
        let count = |operand: &Value| operand.as_u64().and_then(|count| usize::try_from(count).ok()).expect("a count");
        let fits = match word {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" | "format" => true,
            "$ref" => {
                let target = self.target(operand);
                return self.value(value, target, path);
            }
            "properties" | "additionalProperties" => return self.members(value, word, schema, path),
            "items" => return self.items(value, operand, path),
            "anyOf" => list(operand).iter().any(|schema| self.is_fit(value, schema)),
            "oneOf" => list(operand).iter().filter(|schema| self.is_fit(value, schema)).count() == 1,
            "type" => is_of_type(value, operand.as_str().expect("one type")),
            "enum" => list(operand).contains(value),
            "required" => {
                list(operand).iter().filter_map(Value::as_str).all(|name| !value.is_object() || value.get(name).is_some())
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() >= count(operand)),
            "uniqueItems" => value.as_array().is_none_or(|items| are_different(items)),
            "minimum" => value.as_f64().is_none_or(|number| operand.as_f64().is_some_and(|least| number >= least)),
            "maximum" => value.as_f64().is_none_or(|number| operand.as_f64().is_some_and(|most| number <= most)),
            "pattern" => panic!("{path}: patterns are not understood yet, and `{operand}` is one"),
            _ => panic!("{path}: the schema has a word that is not understood: {word}"),
        };
        if !fits {
            self.problems.push(format!("{path} does not fit {word}: {operand}"));
        }
    }

    fn is_fit(&self, value: &Value, schema: &Value) -> bool {
        let mut check = Check { schema: self.schema, problems: Vec::new() };
        check.value(value, schema, "");
        check.problems.is_empty()
    }

    fn target(&self, reference: &Value) -> &'s Value {
        let path = reference.as_str().and_then(|path| path.strip_prefix('#')).expect("a place in this schema");
        self.schema.pointer(path).expect("what is mentioned is there")
    }

    fn members(&mut self, value: &Value, word: &str, schema: &Value, path: &str) {
        let Some(members) = value.as_object() else { return };
        for (name, member) in members {
            match (schema["properties"].get(name), word) {
                (Some(schema), "properties") => self.value(member, schema, &format!("{path}.{name}")),
                (None, "additionalProperties") => self.value(member, &schema[word], &format!("{path}.{name}")),
                _ => {}
            }
        }
    }

    fn items(&mut self, value: &Value, schema: &Value, path: &str) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.value(item, schema, &format!("{path}[{index}]"));
        }
    }
}

fn list(operand: &Value) -> &[Value] {
    operand.as_array().expect("a list")
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => panic!("an unknown type: {name}"),
    }
}

fn are_different(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(index, item)| !items[..index].contains(item))
}
