//! Runs that end badly: processes that are killed, that fill their memory, that never come back. The server goes on, every run ends, and
//! no process is left.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use lockstep_worker::{End, Job, Lane, Project, SourceText, Task, Update, Work, Workers};
use serde_json::json;

use crate::lsp::LspClient;
use crate::random::Random;
use crate::runs::{ENDLESS, RIGHT, last, run, wait_for, words};
use crate::{Sandbox, assert_alive};

/// The processes that a process has started.
fn children(parent: u32) -> BTreeSet<u32> {
    let stat = |id: u32| fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let parent_of = |id: u32| stat(id).rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse::<u32>().ok());
    let all = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    all.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn is_there(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_until_gone(processes: &BTreeSet<u32>) {
    for _ in 0..600 {
        if !processes.iter().any(|process| is_there(*process)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("still there: {processes:?}");
}

fn kill(process: u32) {
    Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
}

fn start(client: &mut LspClient, uri: &str) -> serde_json::Value {
    let item = last(client, uri).unwrap()["id"].clone();
    client.ask("lockstep/run", json!({ "item": item, "mode": "explore" }));
    item
}

#[test]
fn a_process_that_is_killed_at_any_moment() {
    let sandbox = Sandbox::new(ENDLESS);
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let mut random = Random::new(3);
    let times = if std::env::var_os("LOCKSTEP_LONG_TESTS").is_some() { 200 } else { 20 };
    let mut seen = BTreeSet::new();
    for _ in 0..times {
        let before = client.others.len();
        start(&mut client, &uri);
        let mut processes = children(client.process_id());
        while processes.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
            processes = children(client.process_id());
        }
        // What begins and ends between two reports is not told, so it must have been told that it has begun.
        client.wait("the beginning", |client| {
            let mut told = client.others[before..].iter().filter(|(method, _)| method == "lockstep/verdicts");
            told.any(|(_, params)| params["items"][0]["phase"] != "idle").then_some(())
        });
        std::thread::sleep(Duration::from_millis(random.below(120) as u64));
        processes.iter().for_each(|process| kill(*process));
        seen.extend(processes);
        let ended = client.wait("the end", |client| {
            let told = client.others[before..].iter().filter(|(method, _)| method == "lockstep/verdicts");
            let items: Vec<_> = told.map(|(_, params)| params["items"][0].clone()).collect();
            let has_begun = items.iter().any(|item| item["phase"] != "idle");
            items.last().filter(|item| has_begun && item["phase"] == "idle").cloned()
        });
        assert_eq!(words(&ended), ["unknown", "current", "idle"]);
        assert!(ended["why"].as_str().unwrap().contains("the process that did this"), "{ended}");
    }
    assert_alive(&mut client);
    wait_until_gone(&seen);
    assert!(children(client.process_id()).is_empty());
    assert!(client.shut_down().success());
}

#[test]
fn no_process_outlives_the_server() {
    for way in ["goodbye", "kill"] {
        let sandbox = Sandbox::new(ENDLESS);
        let mut client = sandbox.session();
        let uri = sandbox.uri("App.p");
        start(&mut client, &uri);
        wait_for(&mut client, &uri, "a running test", |item| item["phase"] == "running");
        let processes = children(client.process_id());
        assert_eq!(processes.len(), 1);
        match way {
            "goodbye" => assert!(client.shut_down().success()),
            _ => client.kill(),
        }
        wait_until_gone(&processes);
    }
}

#[test]
fn a_search_that_fills_its_memory() {
    let sandbox = Sandbox::new(ENDLESS);
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "explore": { "memoryMegabytes": 16 } });
    let mut client = sandbox.session_with(hello);
    let ended = run(&mut client, &sandbox.uri("App.p"), "explore");
    assert_eq!(words(&ended), ["unknown", "current", "idle"]);
    assert!(ended["why"].as_str().unwrap().starts_with("the budget of 16 MB of memory is spent"), "{ended}");
    // That is no result to keep.
    assert!(!sandbox.state().join("cache/results").exists());
    assert_alive(&mut client);
}

/// The cap on the process, where the search's own count does not help.
#[test]
fn a_process_without_memory() {
    let (tell, told) = std::sync::mpsc::channel();
    let command = || {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v 300000; exec {} worker", env!("CARGO_BIN_EXE_lockstep"))]);
        command
    };
    let workers = Workers::start(command, move |update| drop(tell.send(update)));
    let text = ENDLESS.split_once('\n').unwrap().1.to_owned();
    let files = vec![SourceText { name: "App.p".to_owned(), text, is_included: false }];
    let project = Project { name: "App".to_owned(), files, ..Project::default() };
    let tasks = vec![Task { id: 1, test: "tcEndless".to_owned(), work: Work::Explore { seconds: 600 } }];
    workers.add(Lane::Asked, Job { project, tasks, memory_megabytes: 100_000, milliseconds: 0, threads: 1 });
    let end = loop {
        match told.recv_timeout(Duration::from_secs(240)).expect("every task ends") {
            Update::Ended(1, end) => break end,
            _ => continue,
        }
    };
    let End::Failed(why) = end else { panic!("{end:?}") };
    assert!(why.contains("not enough memory"), "{why}");
}

#[test]
fn a_handler_that_never_returns() {
    let text = RIGHT.replacen("pongs = pongs + 1;", "while (true) { pongs = pongs + 1; }", 1);
    let sandbox = Sandbox::new(&text);
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let item = start(&mut client, &uri);
    wait_for(&mut client, &uri, "a running test", |item| item["phase"] == "running");
    assert_alive(&mut client);
    client.ask("lockstep/cancel", json!({ "item": item }));
    let ended = wait_for(&mut client, &uri, "the end", |item| item["phase"] == "idle");
    assert_eq!(words(&ended)[0], "unknown", "{ended}");
    assert!(client.shut_down().success());
}
