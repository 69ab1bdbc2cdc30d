// Two-phase commit in which nobody tells the backup of a manager that fails before all have voted: participants wait for ever.
// fault: wrong condition
// expect: liveness
// says: ends in a hot state

event ePrepare: Manager;
event eVote: bool;
event eDecide: (commits: bool, by_backup: bool);
event eTakeOver: seq[Participant];
event eQuery: Backup;
event eCondition: tCondition;
event eCrash;
event eOutcome: bool;
event eLost;

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
                send all[i], eDecide, (commits = commits, by_backup = false);
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
            if (votes == participants) { send backup, eTakeOver, all; }
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
                send participant, eDecide, (commits = is_committed || is_all_prepared, by_backup = true);
            }
        }
    }
}

machine Participant {
    var may_fail: bool;
    var condition: tCondition;
    var has_answered: bool;

    start state Working {
        entry (can_fail: bool) { may_fail = can_fail; }
        on ePrepare do (manager: Manager) {
            // Who has answered the backup does not vote any more.
            if (has_answered) { return; }
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
        on eDecide do (decision: (commits: bool, by_backup: bool)) {
            if (decision.by_backup || !has_answered) { Settle(decision.commits); }
        }
        on eQuery do Answer;
        on eCrash do {
            if (condition == PREPARED) { goto Failed; }
        }
    }

    // Whoever watches the participant answers for it.
    state Failed {
        entry {
            condition = FAILED;
            announce eLost;
        }
        ignore ePrepare, eDecide, eCrash;
        on eQuery do Answer;
    }

    fun Answer(backup: Backup) {
        has_answered = true;
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

// And everybody learns what was decided, except those that fail.
spec Decided observes eOutcome, eLost {
    var settled: int;
    start hot state Waiting {
        on eOutcome do Count;
        on eLost do Count;
    }
    cold state AllSettled { }

    fun Count() {
        settled = settled + 1;
        if (settled == participants) { goto AllSettled; }
    }
}

test param (participants in [1], failing in [0]) tcBackupCommitEnds [main=Manager]:
    assert Decided in { Manager, Backup, Participant };
