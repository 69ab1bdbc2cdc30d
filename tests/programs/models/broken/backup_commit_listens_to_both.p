// Two-phase commit with participants that still listen to the manager when they have answered the backup, whose messages may be
// faster.
// fault: missing condition
// expect: assertion
// delivery: network

event ePrepare: Manager;
event eVote: bool;
event eDecide: bool;
event eTakeOver: seq[Participant];
event eQuery: Backup;
event eCondition: tCondition;
event eCrash;
event eOutcome: bool;

enum tCondition { WORKING, PREPARED, COMMITTED, ABORTED, FAILED }

param participants: int;
// How many of them may fail.
param failing: int;

machine Manager {
    var backup: Backup;
    var all: seq[Participant];
    var votes: int;
    var commits: bool;

    start state Asking {
        entry {
            var i: int;
            backup = new Backup();
            while (i < participants) {
                all += (i, new Participant(i >= participants - failing));
                i = i + 1;
            }
            commits = true;
            i = 0;
            while (i < participants) {
                MayFail();
                send all[i], ePrepare, this;
                i = i + 1;
            }
        }
        on eVote do (yes: bool) {
            votes = votes + 1;
            commits = commits && yes;
            if (votes == participants) { goto Deciding; }
        }
    }

    state Deciding {
        entry {
            var i: int;
            while (i < participants) {
                MayFail();
                send all[i], eDecide, commits;
                i = i + 1;
            }
        }
    }

    state Failed {
        ignore eVote;
    }

    // Whoever watches the manager tells the backup.
    fun MayFail() {
        if ($) {
            send backup, eTakeOver, all;
            goto Failed;
        }
    }
}

machine Backup {
    var all: seq[Participant];
    var answers: int;
    var is_committed: bool;
    var is_all_prepared: bool;

    start state Watching {
        on eTakeOver do (participants_left: seq[Participant]) {
            var participant: Participant;
            all = participants_left;
            is_all_prepared = true;
            foreach (participant in all) { send participant, eQuery, this; }
            goto Collecting;
        }
    }

    state Collecting {
        on eCondition do (condition: tCondition) {
            is_committed = is_committed || condition == COMMITTED;
            is_all_prepared = is_all_prepared && condition == PREPARED;
            answers = answers + 1;
            if (answers == participants) { goto Deciding; }
        }
    }

    state Deciding {
        entry {
            var participant: Participant;
            // Nobody fails after it has committed. If all are prepared, the manager may have decided, and then to commit.
            foreach (participant in all) {
                send participant, eDecide, is_committed || is_all_prepared;
            }
        }
    }
}

machine Participant {
    var may_fail: bool;
    var condition: tCondition;

    start state Working {
        entry (can_fail: bool) { may_fail = can_fail; }
        on ePrepare do (manager: Manager) {
            if (may_fail && $) {
                send manager, eVote, false;
                goto Failed;
            }
            if ($) {
                condition = PREPARED;
                if (may_fail && $) { send this, eCrash; }
                send manager, eVote, true;
            } else {
                Settle(false);
                send manager, eVote, false;
            }
        }
        on eDecide do Settle;
        on eQuery do Answer;
        on eCrash do {
            if (condition == PREPARED) { goto Failed; }
        }
    }

    // Whoever watches the participant answers for it.
    state Failed {
        entry { condition = FAILED; }
        ignore ePrepare, eDecide, eCrash;
        on eQuery do Answer;
    }

    fun Answer(backup: Backup) {
        send backup, eCondition, condition;
    }

    fun Settle(commits: bool) {
        if (condition == COMMITTED || condition == ABORTED) {
            assert commits == (condition == COMMITTED), "the decision has changed";
            return;
        }
        assert condition == PREPARED || !commits, "commits without being prepared";
        condition = ABORTED;
        if (commits) { condition = COMMITTED; }
        announce eOutcome, commits;
    }
}

// Nobody commits if somebody aborts.
spec Atomicity observes eOutcome {
    var committed: bool;
    var aborted: bool;
    start state Watching {
        on eOutcome do (commits: bool) {
            if (commits) { committed = true; } else { aborted = true; }
            assert !(committed && aborted), "some commit and some abort";
        }
    }
}

test param (participants in [2], failing in [1]) tcBackupCommit [main=Manager]:
    assert Atomicity in { Manager, Backup, Participant };
