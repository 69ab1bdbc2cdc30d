//! Files that change on disk, told by the client or seen by the server itself.

use std::fs;

use serde_json::{Value, json};

use crate::lsp::{Finding, LspClient};
use crate::{Sandbox, at, codes, start_of};

const SHOP: &str = "
//- Shop.pproj
<Project>
    <ProjectName>Shop</ProjectName>
    <InputFiles><PFile>./src</PFile></InputFiles>
    <Target>PChecker</Target>
</Project>
//- src/A.p
event eOrder: int;
//- src/B.p
fun f(target: machine) { send target, eOrder, 1; }
//- other/C.p
event eExtra;
";

/// How the server learns of changes.
enum Watching {
    ByClient,
    ByServer,
}

struct Shop {
    sandbox: Sandbox,
    client: LspClient,
    watching: Watching,
}

impl Shop {
    fn new(watching: Watching) -> Self {
        let sandbox = Sandbox::new(SHOP);
        let mut hello = sandbox.hello();
        if matches!(watching, Watching::ByServer) {
            hello["capabilities"] = json!({});
        }
        let client = sandbox.session_with(hello);
        Self { sandbox, client, watching }
    }

    /// Says that files were created (1), changed (2) or deleted (3), if that is the client's part.
    fn tell(&mut self, changes: &[(&str, i64)]) {
        if matches!(self.watching, Watching::ByClient) {
            let changes: Vec<Value> =
                changes.iter().map(|(name, kind)| json!({ "uri": self.sandbox.uri(name), "type": kind })).collect();
            self.client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
        }
    }

    fn wait(&mut self, name: &str, wanted: &[&str]) {
        self.client.wait_for_findings(&self.sandbox.uri(name), |found| codes(found) == wanted);
    }
}

fn files_come_change_and_go(watching: Watching) {
    let mut shop = Shop::new(watching);
    assert!(shop.client.published.is_empty(), "all is well");

    shop.sandbox.write("src/A.p", "event eOrders: int;\n");
    shop.tell(&[("src/A.p", 2)]);
    shop.wait("src/B.p", &["LS0110"]);

    shop.sandbox.write("src/New.p", "event eOrder: int;\n");
    shop.tell(&[("src/New.p", 1)]);
    shop.wait("src/B.p", &[]);

    fs::remove_file(shop.sandbox.path("src/New.p")).unwrap();
    shop.tell(&[("src/New.p", 3)]);
    shop.wait("src/B.p", &["LS0110"]);

    // A new name for a file, and a folder that comes with files in it.
    fs::rename(shop.sandbox.path("src/B.p"), shop.sandbox.path("src/Renamed.p")).unwrap();
    shop.tell(&[("src/B.p", 3), ("src/Renamed.p", 1)]);
    shop.wait("src/B.p", &[]);
    shop.wait("src/Renamed.p", &["LS0110"]);
    shop.sandbox.write("elsewhere/D.p", "event eOrder: int;\n");
    fs::rename(shop.sandbox.path("elsewhere"), shop.sandbox.path("src/deep")).unwrap();
    shop.tell(&[("src/deep", 1)]);
    shop.wait("src/Renamed.p", &[]);
    fs::remove_dir_all(shop.sandbox.path("src/deep")).unwrap();
    shop.tell(&[("src/deep", 3)]);
    shop.wait("src/Renamed.p", &["LS0110"]);

    // As many editors save: under another name first.
    shop.sandbox.write("src/A.p.tmp", "event eOrder: int;\n");
    fs::rename(shop.sandbox.path("src/A.p.tmp"), shop.sandbox.path("src/A.p")).unwrap();
    shop.tell(&[("src/A.p", 2)]);
    shop.wait("src/Renamed.p", &[]);
    assert_eq!(shop.client.shut_down().code(), Some(0));
}

fn project_files_come_change_and_go(watching: Watching) {
    let mut shop = Shop::new(watching);
    shop.sandbox.write("src/B.p", "fun f(target: machine) { send target, eExtra; }\n");
    shop.tell(&[("src/B.p", 2)]);
    shop.wait("src/B.p", &["LS0110"]);

    let project = shop.sandbox.read("Shop.pproj");
    shop.sandbox.write("Shop.pproj", project.replace("<PFile>./src</PFile>", "<PFile>./src</PFile><PFile>./other</PFile>"));
    shop.tell(&[("Shop.pproj", 2)]);
    shop.wait("src/B.p", &[]);

    fs::rename(shop.sandbox.path("Shop.pproj"), shop.sandbox.path("Store.pproj")).unwrap();
    shop.tell(&[("Shop.pproj", 3), ("Store.pproj", 1)]);
    shop.sandbox.write("Store.pproj", project);
    shop.tell(&[("Store.pproj", 2)]);
    shop.wait("src/B.p", &["LS0110"]);

    shop.sandbox.write("Store.pproj", "<Project>");
    shop.tell(&[("Store.pproj", 2)]);
    shop.wait("Store.pproj", &["LS0010"]);
    fs::remove_file(shop.sandbox.path("Store.pproj")).unwrap();
    shop.tell(&[("Store.pproj", 3)]);
    shop.wait("Store.pproj", &[]);
}

#[test]
fn files_that_the_client_watches() {
    files_come_change_and_go(Watching::ByClient);
}

#[test]
fn files_that_the_server_watches() {
    files_come_change_and_go(Watching::ByServer);
}

#[test]
fn project_files_that_the_client_watches() {
    project_files_come_change_and_go(Watching::ByClient);
}

#[test]
fn project_files_that_the_server_watches() {
    project_files_come_change_and_go(Watching::ByServer);
}

#[test]
fn a_client_that_can_watch_is_asked_to() {
    let mut shop = Shop::new(Watching::ByClient);
    let globs = shop.client.wait("the registration", |client| {
        let (_, params) = client.others.iter().find(|(method, _)| method == "client/registerCapability")?;
        Some(params["registrations"][0]["registerOptions"]["watchers"].clone())
    });
    let globs: Vec<&str> = globs.as_array().unwrap().iter().map(|watcher| watcher["globPattern"].as_str().unwrap()).collect();
    assert_eq!(globs, ["**/*.p", "**/*.icet", "**/*.pproj", "**/lockstep.toml"]);
}

/// What is open counts, whatever happens on disk.
#[test]
fn open_documents_are_not_read_from_disk() {
    let mut shop = Shop::new(Watching::ByClient);
    let uri = shop.sandbox.uri("src/A.p");
    shop.sandbox.open(&mut shop.client, "src/A.p");
    shop.client.wait_for_version(&uri, 1);
    shop.sandbox.write("src/A.p", "nonsense");
    shop.tell(&[("src/A.p", 2)]);
    shop.client.change(&uri, 2, &[(None, "event eOrder: int;\nevent eOrder: int;\n")]);
    let found = shop.client.wait_for_version(&uri, 2);
    assert_eq!(codes(&found), ["LS0101"], "{found:?}");
    fs::remove_file(shop.sandbox.path("src/A.p")).unwrap();
    shop.tell(&[("src/A.p", 3)]);
    shop.client.change(&uri, 3, &[(None, "event eOrder: int;\n")]);
    assert_eq!(shop.client.wait_for_version(&uri, 3), []);
    assert_eq!(shop.client.findings(&shop.sandbox.uri("src/B.p")).unwrap_or_default(), [], "it still belongs to the project");
    shop.client.close(&uri);
    shop.wait("src/B.p", &["LS0110"]);
}

/// A project file that is being typed says what is wrong with it and loses nothing.
#[test]
fn a_project_file_that_is_being_written() {
    let mut shop = Shop::new(Watching::ByClient);
    let uri = shop.sandbox.uri("Shop.pproj");
    let text = shop.sandbox.read("Shop.pproj");
    shop.client.open(&uri, "xml", 1, &text);
    let mut version = 1;
    for cut in (1..text.len()).rev().step_by(7) {
        version += 1;
        shop.client.change(&uri, version, &[(None, &text[..cut])]);
    }
    shop.client.wait_for_findings(&uri, |found| !found.is_empty());
    let place = start_of(&shop.sandbox.read("src/B.p"), "eOrder");
    let hover = at(&shop.sandbox.uri("src/B.p"), place);
    shop.client.ask("textDocument/hover", hover.clone());
    shop.client.change(&uri, version + 1, &[(None, &text)]);
    shop.client.wait_for_findings(&uri, <[Finding]>::is_empty);
    let answer = shop.client.ask("textDocument/hover", hover);
    assert!(crate::hover_text(&answer).contains("event eOrder: int"), "{answer}");
}
