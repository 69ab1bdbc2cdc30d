//! The parent against children that behave in every way: shell scripts stand for them.

use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::job::{Job, Project, Task, Work};
use crate::{End, Lane, Update, Workers};

/// Only keeps a test that fails from hanging.
const PATIENCE: Duration = Duration::from_secs(60);

fn job(tasks: impl IntoIterator<Item = u64>) -> Job {
    let task = |id| Task { id, test: "tc".to_owned(), work: Work::Explore { seconds: 100 } };
    let tasks = tasks.into_iter().map(task).collect();
    Job { project: Project::default(), tasks, memory_megabytes: 100, milliseconds: 0, threads: 1 }
}

fn workers(script: &str) -> (Workers, Receiver<Update>) {
    let (tell, told) = channel();
    let script = script.to_owned();
    let command = move || {
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        command
    };
    (Workers::start(command, move |update| drop(tell.send(update))), told)
}

fn ends(told: &Receiver<Update>, count: usize) -> Vec<(u64, String)> {
    let mut ends = Vec::new();
    while ends.len() < count {
        if let Update::Ended(task, end) = told.recv_timeout(PATIENCE).expect("every task ends") {
            let word = match end {
                End::Finished(finished) => format!("finished: {}", finished.outcome.why),
                End::Cancelled => "cancelled".to_owned(),
                End::Failed(why) => why,
            };
            ends.push((task, word));
        }
    }
    ends
}

fn finished(task: u64, why: &str) -> String {
    let outcome = format!(r#"{{"verdict":"unknown","phase":"idle","freshness":"current","why":"{why}"}}"#);
    format!(r#"{{"finished":[{task},{{"fingerprint":"f","outcome":{outcome},"isFinal":false,"findings":[]}}]}}"#)
}

#[test]
fn a_child_that_breaks_down_fails_its_task_and_no_other() {
    let script = format!(
        "read job; case $job in *'\"id\":1,'*) echo '{{\"started\":1}}'; kill -SEGV $$;; *) echo '{}';; esac",
        finished(2, "done")
    );
    let (workers, told) = workers(&script);
    workers.add(Lane::Asked, job([1, 2]));
    let ends = ends(&told, 2);
    assert_eq!(ends[0], (1, "the process that did this broke down (signal 11)".to_owned()));
    assert_eq!(ends[1], (2, "finished: done".to_owned()), "by the next child");
}

#[test]
fn a_child_that_says_nothing_fails_all() {
    let (workers, told) = workers("read job; echo 'no report at all'; echo 'out of memory' >&2; exit 3");
    workers.add(Lane::Passing, job([1, 2]));
    for (_, why) in ends(&told, 2) {
        assert!(why.starts_with("there was not enough memory"), "{why}");
    }
}

#[test]
fn what_cannot_be_started_fails() {
    let (tell, told) = channel();
    let workers = Workers::start(|| Command::new("/nowhere/lockstep"), move |update| drop(tell.send(update)));
    workers.add(Lane::Asked, job([7]));
    let ends = ends(&told, 1);
    assert!(ends[0].1.starts_with("the process for this cannot be started: "), "{ends:?}");
}

#[test]
fn a_child_that_does_not_listen_is_killed_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("pid");
    let script = format!(
        "sleep 1000 & echo $! > {0}.part; mv {0}.part {0}; echo '{{\"started\":1}}'; trap '' TERM; sleep 1000",
        note.display()
    );
    let (workers, told) = workers(&script);
    workers.add(Lane::Asked, job([1]));
    workers.add(Lane::Asked, job([2]));
    assert_eq!(told.recv_timeout(PATIENCE), Ok(Update::Started(1)));
    let grandchild = std::fs::read_to_string(&note).unwrap();
    workers.cancel(2);
    assert_eq!(ends(&told, 1), [(2, "cancelled".to_owned())], "it had not begun");
    workers.cancel(1);
    assert_eq!(ends(&told, 1), [(1, "cancelled".to_owned())]);
    let stat = std::path::PathBuf::from(format!("/proc/{}/stat", grandchild.trim()));
    let is_gone = || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") Z")) || !stat.exists();
    for _ in 0..600 {
        if is_gone() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("process {grandchild} is still there");
}

#[test]
fn cancelling_one_task_leaves_the_others() {
    let script = format!(
        "read job; case $job in *'\"id\":1,'*) echo '{{\"started\":1}}'; sleep 1000;; *) echo '{{\"started\":2}}'; echo '{}';; esac",
        finished(2, "done")
    );
    let (workers, told) = workers(&script);
    workers.add(Lane::Asked, job([1, 2]));
    assert_eq!(told.recv_timeout(PATIENCE), Ok(Update::Started(1)));
    workers.cancel(1);
    assert_eq!(ends(&told, 2), [(1, "cancelled".to_owned()), (2, "finished: done".to_owned())]);
    workers.cancel(2);
    workers.cancel(99);
    workers.stop();
    assert!(told.try_recv().is_err(), "what has ended is not told again");
}

#[test]
fn a_child_that_gives_up_in_time_says_no_more_than_one_that_is_killed() {
    let script = format!("read job; echo '{{\"started\":1}}'; read cancel; echo '{}'", finished(1, "interrupted"));
    let (workers, told) = workers(&script);
    workers.add(Lane::Asked, job([1]));
    assert_eq!(told.recv_timeout(PATIENCE), Ok(Update::Started(1)));
    workers.cancel(1);
    assert_eq!(ends(&told, 1), [(1, "cancelled".to_owned())]);
}

#[test]
fn what_was_found_out_just_before_it_was_taken_back_counts() {
    let refuted = finished(1, "a bug").replace("unknown", "refuted");
    let script = format!("read job; echo '{{\"started\":1}}'; read cancel; echo '{refuted}'");
    let (workers, told) = workers(&script);
    workers.add(Lane::Asked, job([1]));
    assert_eq!(told.recv_timeout(PATIENCE), Ok(Update::Started(1)));
    workers.cancel(1);
    // A machine under load may kill it before it has said so.
    let end = &ends(&told, 1)[0].1;
    assert!(["finished: a bug", "cancelled"].contains(&end.as_str()), "{end}");
}
