//! What is wrong with P's tests under `DynamicError`, and why some of P's tests end otherwise here.

/// The kinds of bugs a test has (`Fault::kind`). P's suite says no more than that there is one. The kinds were read off the programs, with P's
/// rules in hand: several were written for pushed states, which P no longer has, and fail otherwise than their comments say.
pub(crate) fn expected(test: &str) -> Vec<&'static str> {
    let found: Vec<&str> = KINDS.iter().filter(|(_, tests)| tests.contains(&test)).map(|(kind, _)| *kind).collect();
    if found.is_empty() { vec!["assertion"] } else { found }
}

const KINDS: [(&str, &[&str]); 11] = [
    // Either of two machines can be the first to fail.
    ("assertion", &["MaxInstances"]),
    ("endless", &["InfiniteLoopInAtomicBlock"]),
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

/// `push` and `pop` are gone from P, and with them the handlers that a pushed state had from the one below it.
const PUSHED: &str =
    "P's runner leaves this folder out; the state was a pushed one that inherited a handler, and P has no pushed states any more";

const KNOWN: [Known; 10] = [
    Known { test: "Feature5ModuleSystem/Correct/Elevator", result: "`eTimerFired` arrives", why: PUSHED },
    Known { test: "Feature5ModuleSystem/Correct/OSR", result: "`eD0Exit` arrives", why: PUSHED },
    Known {
        test: "Feature5ModuleSystem/Correct/InterfaceTest",
        result: "this is `null`",
        why: "P's runner leaves this folder out; the program converts a variable with `to` that is still null, which P's checker cannot either",
    },
    Known {
        test: "PortfolioTests/Paxos/paxosV3",
        result: "this assertion does not hold",
        why: "true: a value is decided where one node has voted or is not in the quorum, instead of all nodes of the quorum",
    },
    Known {
        test: "PortfolioTests/VoldKV",
        result: "the map has the key",
        why: "true: a read request is added with `+=` also where an older message is waiting",
    },
    Known {
        test: "tcMultiUserOperations",
        result: "`eInWarmUpState` arrives",
        why: "true: several coffee makers announce to one spec, which expects one",
    },
    Known {
        test: "tcBooleanConfigs",
        result: "`eCoffeeMaker",
        why: "true: the user handles neither an error nor a coffee maker that is ready after its `receive`",
    },
    Known { test: "tcParametricTests", result: "Record read is not same", why: "true: the bug of tcMultipleClientsNoFailure" },
    Known { test: "pFailParticipants_1", result: "deadlock", why: "true: the bug of tcMultipleClientsWithFailure" },
    Known { test: "PriorityQueue", result: "is written in another language", why: "it has functions in C#" },
];
