//! What is wrong with P's tests under `DynamicError`, and why some of P's tests end otherwise here.

/// The kind of bug a test has (`Fault::kind`). P's suite says no more than that there is one. These are the kinds Lockstep finds, compared
/// with what comments in the programs say where there are any: they show that a kind has changed, and not always that it is right.
pub(crate) fn expected(test: &str) -> &'static str {
    let found = KINDS.iter().find(|(_, tests)| tests.contains(&test));
    found.map_or("assertion", |(kind, _)| kind)
}

const KINDS: [(&str, &[&str]); 9] = [
    (
        "unhandled event",
        &[
            "Actions_5",
            "Actions_6",
            "MaxInstances",
            "Multi_Paxos_3",
            "Multi_Paxos_4",
            "SEM_OneMachine_11",
            "SEM_OneMachine_12",
            "SEM_OneMachine_13",
            "SEM_OneMachine_16",
            "SEM_OneMachine_32",
            "SEM_OneMachine_5",
            "SEM_TwoMachines_18",
            "bug2",
            "receive10",
            "receive3",
            "receive4",
        ],
    ),
    ("deadlock", &["Liveness_6_deadlock", "receive2", "receive6", "receive7"]),
    (
        "liveness",
        &[
            "Liveness_10",
            "Liveness_1_WarmState",
            "Liveness_2",
            "Liveness_2_LoopMachineAdded",
            "Liveness_2_bugFound",
            "Liveness_3",
            "Liveness_4",
            "Liveness_5",
            "Liveness_5_deadlock",
            "Liveness_6",
            "Liveness_7",
            "Liveness_9",
            "Liveness_NONDET",
            "Liveness_NONDET2",
        ],
    ),
    ("choose", &["tooManyChoicesInt", "tooManyChoicesMap", "tooManyChoicesSeq", "tooManyChoicesSet"]),
    ("cast", &["CastInExprs1", "CastInExprs2", "EnumType1"]),
    ("null", &["CastInExprs3", "CastInExprs4", "CastInExprs5", "CastInExprs6"]),
    ("key", &["nonAtomicDataTypes", "nonAtomicDataTypes11", "nonAtomicDataTypes7", "nonAtomicDataTypes9"]),
    (
        "index",
        &[
            "SEM_OneMachine_40",
            "nonAtomicDataTypes1",
            "nonAtomicDataTypes10",
            "nonAtomicDataTypes2",
            "nonAtomicDataTypes3",
            "nonAtomicDataTypes4",
            "nonAtomicDataTypes5",
            "nonAtomicDataTypes6",
            "nonAtomicDataTypes8",
        ],
    ),
    ("null event or target", &["SEM_TwoMachines_9", "two-phase-commit_1"]),
];

/// Why a test ends otherwise here than P's suite says, if it ends as it is known to.
pub(crate) fn explanation(name: &str, result: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|known| name.contains(known.test) && result.contains(known.result));
    known.map(|known| known.why)
}

/// A known difference: parts of the name of the test and of what is said about it.
struct Known {
    test: &'static str,
    result: &'static str,
    why: &'static str,
}

const NOT_RUN: &str = "P does not run this folder, and by P's rules the bug is there";
const NO_VERDICT: &str = "P's repository does not say whether this model has a bug, and none of P's scripts runs it";

const KNOWN: [Known; 11] = [
    Known { test: "Feature5ModuleSystem/Correct/Elevator", result: "`eTimerFired` arrives", why: NOT_RUN },
    Known { test: "Feature5ModuleSystem/Correct/InterfaceTest", result: "this is `null`", why: NOT_RUN },
    Known { test: "Feature5ModuleSystem/Correct/OSR", result: "`eD0Exit` arrives", why: NOT_RUN },
    Known {
        test: "InfiniteLoopInAtomicBlock",
        result: "without an end in sight",
        why: "one handler never ends: P's checker hangs, Lockstep says that its budget is spent",
    },
    Known {
        test: "Liveness_NONDET",
        result: "no bug in random schedules",
        why: "only unfair answers to `$` keep the spec hot: takes a search for endless runs",
    },
    Known { test: "PortfolioTests/Paxos/paxosV3", result: "this assertion does not hold", why: NO_VERDICT },
    Known { test: "PortfolioTests/VoldKV", result: "the map has the key", why: NO_VERDICT },
    Known {
        test: "tcMultiUserOperations",
        result: "`eInWarmUpState` arrives",
        why: "not run by P's scripts; several coffee makers announce to one spec, which expects one",
    },
    Known {
        test: "tcBooleanConfigs",
        result: "`eCoffeeMakerError` arrives",
        why: "not run by P's scripts; the user does not handle an error that comes after its `receive`",
    },
    Known {
        test: "pFailParticipants_1",
        result: "deadlock",
        why: "not run by P's scripts; a participant fails, as in tcMultipleClientsWithFailure",
    },
    Known { test: "PriorityQueue", result: "is written in another language", why: "has functions in C#" },
];
