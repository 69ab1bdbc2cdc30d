//! What is wrong with P's tests under `DynamicError`, and why some of P's tests end otherwise here.

/// The kind of bug a test has (`Fault::kind`). P's suite says no more than that there is one; these are read off the programs.
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

/// Why a test ends otherwise here than P's suite says.
pub(crate) fn explanation(name: &str) -> Option<&'static str> {
    EXPLANATIONS.iter().find(|(part, _)| name.contains(part)).map(|(_, explanation)| *explanation)
}

const EXPLANATIONS: [(&str, &str); 9] = [
    ("Feature5ModuleSystem", "P does not run this folder, and by P's rules the bug is there"),
    ("InfiniteLoopInAtomicBlock", "one handler never ends: P's checker hangs, Lockstep says that its budget is spent"),
    ("Liveness_NONDET", "only unfair answers to `$` keep the spec hot: takes a search for endless runs"),
    ("Liveness_7", "only an unfair schedule keeps the spec hot: takes a search for endless runs"),
    ("PortfolioTests", "P's repository does not say whether this model has a bug, and none of P's scripts runs it"),
    ("tcMultiUserOperations", "not run by P's scripts; several machines announce to one spec, which expects one"),
    ("tcBooleanConfigs", "not run by P's scripts; the user does not handle an error that comes after its `receive`"),
    ("tcParametricTests", "not run by P's scripts; participants fail in this one, as in tcMultipleClientsWithFailure"),
    ("PriorityQueue", "has functions in C#"),
];
