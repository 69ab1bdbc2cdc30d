//! Who may depend on what, kept true: the crates form layers, and what each outside library is wrapped by stays its only user.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Our crates from the bottom up. A crate depends on crates of lower layers only.
const LAYERS: [&[&str]; 18] = [
    &["tree-sitter-p"],
    &["lockstep-base"],
    &["lockstep-syntax"],
    &["lockstep-format"],
    &["lockstep-icet"],
    &["lockstep-program"],
    &["lockstep-runtime"],
    &["lockstep-trace"],
    &["lockstep-dap"],
    &["lockstep-explore"],
    &["lockstep-workspace"],
    &["lockstep-judge"],
    &["lockstep-worker"],
    &["lockstep-ide"],
    &["lockstep-diagram"],
    &["lockstep-lsp"],
    &["lockstep"],
    &["lockstep-tests", "lockstep-xtask"],
];

/// Libraries and the only crates that may name them.
const USERS: [(&str, &[&str]); 12] = [
    ("tree-sitter", &["lockstep-syntax"]),
    ("tree-sitter-highlight", &["lockstep-syntax"]),
    ("tree-sitter-generate", &["lockstep-xtask"]),
    ("ropey", &["lockstep-base"]),
    ("salsa", &["lockstep-program", "lockstep-workspace", "lockstep-lsp", "lockstep-tests"]),
    ("tower-lsp-server", &["lockstep-lsp"]),
    ("tokio", &["lockstep-lsp"]),
    ("notify", &["lockstep-lsp"]),
    ("rustix", &["lockstep-worker"]),
    ("biodivine-lib-bdd", &["lockstep-explore"]),
    ("annotate-snippets", &["lockstep"]),
    ("clap", &["lockstep", "lockstep-xtask"]),
];

#[test]
fn crates_depend_on_lower_layers_only() {
    for Crate { name, dependencies } in crates() {
        let layer = layer(&name).unwrap_or_else(|| panic!("{name} is in no layer: add it to `LAYERS`"));
        for dependency in dependencies {
            if let Some(below) = self::layer(&dependency) {
                assert!(below < layer, "{name} must not depend on {dependency}");
            }
        }
    }
}

#[test]
fn libraries_are_named_only_by_those_who_wrap_them() {
    let crates = crates();
    for (library, allowed) in USERS {
        for Crate { name, dependencies } in &crates {
            let depends = dependencies.iter().any(|dependency| dependency == library);
            assert!(!depends || allowed.contains(&name.as_str()), "{name} must not depend on {library}, only {allowed:?} may");
        }
    }
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

struct Crate {
    name: String,
    /// Of every kind: also those of tests and build scripts.
    dependencies: Vec<String>,
}

/// The workspace's crates, as Cargo sees them.
fn crates() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("Cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("Cargo prints JSON");
    let crates: Vec<Crate> = list(&metadata["packages"])
        .iter()
        .map(|package| Crate { name: name(package), dependencies: list(&package["dependencies"]).iter().map(name).collect() })
        .collect();
    assert!(crates.iter().any(|found| found.name == "lockstep-syntax"), "the workspace was not found");
    crates
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("Cargo lists packages and dependencies")
}

/// Of a dependency: the package's name, even if the crate renames it.
fn name(value: &Value) -> String {
    value["name"].as_str().expect("packages and dependencies have names").to_owned()
}
