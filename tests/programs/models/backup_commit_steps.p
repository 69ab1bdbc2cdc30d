// Two-phase commit with a backup as one machine that knows the condition of everybody and chooses what happens next, the way in which
// protocols are written in TLA+. A participant prepares, decides or fails. The manager decides by looking at the participants, and may fail
// later; then its decision is hidden, and the backup looks at the participants again.

event eGo;

enum tCondition { WORKING, PREPARED, COMMITTED, ABORTED, FAILED }
enum tDecision { NONE, HIDDEN, COMMIT, ABORT }
enum tAction { PREPARE, DECIDE, FAIL, MANAGE, HIDE, TAKE_OVER }

type tStep = (action: tAction, who: int);

param participants: int;

machine Main {
    var condition: seq[tCondition];
    var decision: tDecision;
    var is_managed: bool;
    var is_taken_over: bool;

    start state Running {
        entry {
            while (sizeof(condition) < participants) { condition += (0, WORKING); }
            send this, eGo;
        }
        on eGo do {
            var steps: seq[tStep];
            steps = Possible();
            if (sizeof(steps) > 0) {
                Make(choose(steps));
                assert !(Has(COMMITTED) && Has(ABORTED)), "some commit and some abort";
                send this, eGo;
            }
        }
    }

    fun Possible(): seq[tStep] {
        var steps: seq[tStep];
        var i: int;
        while (i < participants) {
            if (condition[i] == WORKING) { steps += (0, (action = PREPARE, who = i)); }
            if (condition[i] == WORKING || (condition[i] == PREPARED && (decision == COMMIT || decision == ABORT))) {
                steps += (0, (action = DECIDE, who = i));
            }
            if (condition[i] == WORKING || condition[i] == PREPARED) { steps += (0, (action = FAIL, who = i)); }
            i = i + 1;
        }
        if (!is_managed && Outcome() != NONE) { steps += (0, (action = MANAGE, who = 0)); }
        if (is_managed && decision != HIDDEN && !is_taken_over) { steps += (0, (action = HIDE, who = 0)); }
        if (decision == HIDDEN && Outcome() != NONE) { steps += (0, (action = TAKE_OVER, who = 0)); }
        return steps;
    }

    fun Make(step: tStep) {
        if (step.action == PREPARE) {
            condition[step.who] = PREPARED;
        } else if (step.action == DECIDE) {
            // Who has not prepared aborts.
            if (condition[step.who] == PREPARED && decision == COMMIT) {
                condition[step.who] = COMMITTED;
            } else {
                condition[step.who] = ABORTED;
            }
        } else if (step.action == FAIL) {
            condition[step.who] = FAILED;
        } else if (step.action == MANAGE) {
            is_managed = true;
            decision = Outcome();
        } else if (step.action == HIDE) {
            decision = HIDDEN;
        } else {
            is_taken_over = true;
            decision = Outcome();
        }
    }

    // What can be decided now.
    fun Outcome(): tDecision {
        if (Has(COMMITTED)) { return COMMIT; }
        if (Has(ABORTED) || Has(FAILED)) { return ABORT; }
        if (Has(WORKING)) { return NONE; }
        return COMMIT;
    }

    fun Has(wanted: tCondition): bool {
        return wanted in condition;
    }
}

test param (participants in [2, 3, 4, 5, 6, 7]) tcBackupSteps [main=Main]: { Main };
