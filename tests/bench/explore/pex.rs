//! What PEx, P's own explicit search, took on its models of the same protocols.
//!
//! Measured once on 2 cores under load: CPU seconds, of which the start of its virtual machine takes 1 to 1.5. PEx always delivers messages
//! in the order in which their sender has sent them, over all targets, which is a reduction that misses behaviours of specs.

pub(crate) struct Pex {
    /// How the name of our test begins.
    test: &'static str,
    pub(crate) states: u64,
    pub(crate) seconds: f64,
    /// How its model differs from ours.
    differs: &'static str,
}

const ALL: [Pex; 11] = [
    Pex { test: "tcBackupSteps___participants_5", states: 6_566, seconds: 4.2, differs: "a manager that fails does so at once" },
    Pex {
        test: "tcRingAny___nodes_5__",
        states: 2_549,
        seconds: 2.0,
        differs: "one machine that chooses among enabled actions; other numbers; ends with the winner",
    },
    Pex { test: "tcRingAny___nodes_6__", states: 16_739, seconds: 5.0, differs: "as with 5 nodes" },
    Pex { test: "tcGermanAsked___clients_3__requests_4", states: 24_084, seconds: 5.6, differs: "clients know more states" },
    Pex {
        test: "tcGermanAskedSpec___clients_3__requests_4",
        states: 24_084,
        seconds: 5.6,
        differs: "clients know more states; no spec",
    },
    Pex { test: "tcLastZeroCells___cells_5", states: 9_617, seconds: 5.0, differs: "nothing that matters" },
    Pex { test: "tcTank___pumps_9", states: 1_048, seconds: 2.4, differs: "nothing that matters; its name is counter(10)" },
    Pex { test: "tcTank___pumps_14", states: 39_612, seconds: 12.5, differs: "nothing that matters; its name is counter(15)" },
    Pex { test: "tcRegistry___workers_5", states: 434, seconds: 2.0, differs: "written from the same description" },
    Pex { test: "tcRegistry___workers_8", states: 128_037, seconds: 7.8, differs: "written from the same description" },
    Pex {
        test: "tcTokenRing___nodes_4__hops_1",
        states: 931,
        seconds: 1.8,
        differs: "two messages go round to a chosen node and nothing finds out that they are done",
    },
];

/// Prints how its models differ from ours.
pub(crate) fn explain() {
    println!("\nThe models that PEx was measured on");
    for Pex { test, differs, .. } in &ALL {
        println!("{:<50} {differs}", test.trim_end_matches('_'));
    }
}

/// Its figures for the model that is closest to a test.
pub(crate) fn of(test: &str) -> Option<&'static Pex> {
    ALL.iter().find(|pex| test.starts_with(pex.test))
}
