//! Programs that are not what the rules of sequentialization, read generously, say of them: each has runs that block, or ends in a state
//! that its sequentialization does not reach, at least by the steps that come to mind first. No such certificate may be accepted.

use super::resolved;
use crate::certify::certify;
use crate::program::Program;
use crate::rewrite::{Outcome, sequentialize};
use crate::run::{Domains, Limits, Mode, explore, instances};

/// The certificate, if there is one, is rejected or right.
fn is_not_certified_wrongly(text: &str) {
    let program = resolved(text);
    let outcome = sequentialize(&program);
    if outcome.is_complete && certify(&program, &outcome.steps).is_ok() {
        compare(&program, &outcome);
    }
}

/// If the rewriter calls it complete, no run is stuck, and the sequential program reaches all final states.
fn is_put_in_order_rightly(text: &str) {
    let program = resolved(text);
    let outcome = sequentialize(&program);
    if outcome.is_complete {
        compare(&program, &outcome);
    }
}

fn compare(program: &Program, outcome: &Outcome) {
    let Ok(sequential) = &outcome.sequential else { panic!("complete, and no sequential program") };
    let domains = Domains::of(program);
    let limits = Limits { states: 20_000, steps: 1_000_000, reports: 1, cancel: None };
    let mut compared = 0;
    for instance in instances(program, 2, &domains).list {
        let runs = explore(program, &instance, Mode::Reduced, &limits);
        let reached = explore(&sequential.program, &instance, Mode::Reduced, &limits);
        if runs.limits.is_empty() && reached.limits.is_empty() {
            compared += 1;
            assert!(runs.deadlocks.is_empty(), "there are runs that block");
            assert!(runs.orphans.is_empty(), "messages are left");
            assert!(runs.finals.is_subset(&reached.finals), "a final state is missed");
        }
    }
    assert!(compared > 1);
}

macro_rules! holes {
    ($($(#[$doc:meta])* $name:ident $([$ignored:meta])?: $text:expr;)*) => {
        $($(#[$doc])*
        mod $name {
            #[test]
            fn is_not_certified_wrongly() {
                super::is_not_certified_wrongly($text);
            }

            #[test]
            $(#[$ignored])?
            fn is_put_in_order_rightly() {
                super::is_put_in_order_rightly($text);
            }
        })*
    };
}

holes! {
    /// A message from before the loop is found by its first turn only, but its value was used for all.
    old_message: "
        set S;
        message T(b: bool);
        message A;
        process p {
            send T(true) to q;
            for _ in S {
                recv A from S;
                send T(false) to q;
            }
        }
        process q {
            var b: bool;
            var x, y: int;
            for _ in S {
                recv T(b) from p;
                assert b;
                if (b) {
                    x = x + 1;
                }
                else {
                    y = y + 1;
                }
            }
            recv T(b) from p;
        }
        process m in S {
            send A to p;
        }
    ";
    /// Two servers that are held at the same time, in one order or the other: clients block each other.
    opposite_locks: "
        set C;
        message Acq;
        message Ok;
        message Rel;
        process p {
            var x: pid;
            while (true) {
                recv Acq from x in any;
                send Ok to x;
                recv Rel from x;
            }
        }
        process q {
            var x: pid;
            while (true) {
                recv Acq from x in any;
                send Ok to x;
                recv Rel from x;
            }
        }
        process c in C {
            if (*) {
                send Acq to p;
                recv Ok from p;
                send Acq to q;
                recv Ok from q;
                send Rel to p;
                send Rel to q;
            }
            else {
                send Acq to q;
                recv Ok from q;
                send Acq to p;
                recv Ok from p;
                send Rel to p;
                send Rel to q;
            }
        }
    ";
    /// Every client takes all locks, in an order of its own.
    philosophers: "
        set C;
        set L;
        message Acq;
        message Ok;
        message Rel;
        process l in L {
            var x: C;
            while (true) {
                recv Acq from x in C;
                send Ok to x;
                recv Rel from x;
            }
        }
        process c in C {
            for l in L {
                send Acq to l;
                recv Ok from l;
            }
            for l in L {
                send Rel to l;
            }
        }
    ";
    /// As before, with servers that end.
    opposite_locks_once: "
        set C;
        message Acq;
        message Ok;
        message Rel;
        process p {
            var x: C;
            for _ in C {
                recv Acq from x in C;
                send Ok to x;
                recv Rel from x;
            }
        }
        process q {
            var x: C;
            for _ in C {
                recv Acq from x in C;
                send Ok to x;
                recv Rel from x;
            }
        }
        process c in C {
            if (*) {
                send Acq to p;
                recv Ok from p;
                send Acq to q;
                recv Ok from q;
                send Rel to p;
                send Rel to q;
            }
            else {
                send Acq to q;
                recv Ok from q;
                send Acq to p;
                recv Ok from p;
                send Rel to p;
                send Rel to q;
            }
        }
    ";
    /// The clients ask both servers at once; each server takes another client first.
    crossed_locks: "
        set C;
        message Acq;
        message Ok;
        message Rel;
        process p {
            var x: C;
            for _ in C {
                recv Acq from x in C;
                send Ok to x;
                recv Rel from x;
            }
        }
        process q {
            var x: C;
            for _ in C {
                recv Acq from x in C;
                send Ok to x;
                recv Rel from x;
            }
        }
        process c in C {
            send Acq to p;
            send Acq to q;
            recv Ok from p;
            recv Ok from q;
            send Rel to p;
            send Rel to q;
        }
    ";
    /// A third process lets members go on, so that their second message is taken in the turn of another.
    early_second_message: "
        set S;
        message Done(n: int);
        message Go;
        process srv {
            var x, first: int;
            for _ in S {
                recv Done(x) from S;
                first = first + x;
            }
            for _ in S {
                recv Done(x) from S;
            }
        }
        process q {
            for m in S {
                send Go to m;
            }
        }
        process m in S {
            send Done(1) to srv;
            recv Go from q;
            send Done(2) to srv;
        }
    ";
    /// The second message is under way when the first loop begins.
    second_message_is_there: "
        set S;
        message A(n: int);
        process p {
            var x, first: int;
            for _ in S {
                recv A(x) from S;
                first = first + x;
            }
            for _ in S {
                recv A(x) from S;
            }
        }
        process m in S {
            send A(1) to p;
            send A(2) to p;
        }
    ";
    /// Two processes take the members in different orders.
    two_orders: "
        set S;
        message M;
        message N;
        message T;
        process p {
            var last: S;
            for _ in S {
                recv M from last in S;
                send T to q;
            }
        }
        process q {
            var last: S;
            for _ in S {
                recv N from last in S;
                recv T from p;
            }
        }
        process m in S {
            send M to p;
            send N to q;
        }
    ";
    /// One process goes through the members in its own order, the other takes them as they come.
    order_and_arrival: "
        set S;
        message M;
        message N;
        message T;
        message U;
        process p {
            var last: S;
            for c in S {
                recv M from c;
                last = c;
                send T to q;
                recv U from q;
            }
        }
        process q {
            var last: S;
            for _ in S {
                recv N from last in S;
                recv T from p;
                send U to p;
            }
        }
        process m in S {
            send M to p;
            send N to q;
        }
    ";
    /// One process names a member and receives from another.
    named_and_received: "
        set S;
        message Go;
        message Done;
        process p {
            var last, x: S;
            for c in S {
                send Go to c;
                last = c;
                recv Done from x in S;
            }
        }
        process m in S {
            send Done to p;
            recv Go from p;
        }
    ";
    /// Two receives of one turn take messages of different members.
    two_choices_in_a_turn: "
        set S;
        message A;
        message B;
        process p {
            var x, y: S;
            for _ in S {
                recv A from x in S;
                recv B from y in S;
            }
        }
        process m in S {
            send A to p;
            send B to p;
        }
    ";
    /// The order of one process is told to another, which receives in an order of its own.
    forwarded_order: "
        set S;
        message A;
        message B;
        message T(c: S);
        process p {
            var last: S;
            for _ in S {
                recv A from last in S;
                send T(last) to q;
            }
        }
        process q {
            var who, x: S;
            for _ in S {
                recv T(who) from p;
                recv B from x in S;
            }
        }
        process m in S {
            send A to p;
            send B to q;
        }
    ";
    /// Two processes wait for each other in each turn, and still take the members in different orders.
    chained_order: "
        set S;
        message A;
        message B;
        message C;
        process p {
            var last: S;
            for _ in S {
                recv A from last in S;
                send B to q;
                recv C from q;
            }
        }
        process q {
            var last: S;
            var who: S;
            for _ in S {
                recv B from p;
                recv A from last in S;
                send C to p;
            }
        }
        process m in S {
            send A to p;
            send A to q;
        }
    ";
    /// A server is visited twice; other members come in between.
    second_visit_without_answer: "
        set S;
        message A(n: int);
        message H;
        message Go;
        process p {
            var x, count, first: int;
            while (true) {
                recv A(x) from S;
                count = count + 1;
                if (x == 2 && first == 0) {
                    first = count;
                }
            }
        }
        process q {
            for c in S {
                recv H from c;
                send Go to c;
            }
        }
        process c in S {
            send A(1) to p;
            send H to q;
            recv Go from q;
            send A(2) to p;
        }
    ";
    /// A server is asked twice, and counts in between what others have put.
    second_visit: "
        set S;
        message Put;
        message Ask;
        message Total(n: int);
        process bank {
            var who: S;
            var total: int;
            while (true) {
                recv {
                    case Put from who in S: {
                        total = total + 1;
                        send Total(total) to who;
                    }
                    case Ask from who in S: {
                        send Total(total) to who;
                    }
                }
            }
        }
        process c in S {
            var x, y: int;
            send Put to bank;
            recv Total(x) from bank;
            send Ask to bank;
            recv Total(y) from bank;
        }
    ";
    /// Peers go on before they are heard, so nodes hear them in orders that no order of asking explains.
    ahead_of_answers: "
        set P;
        set N;
        message M(int);
        process p in P {
            var d: int;
            for n in N {
                choose {
                    d = 1;
                } or {
                    d = 2;
                }
                send M(d) to n;
            }
        }
        process n in N {
            var got: int;
            foreach p in P {
                recv M(got) from p;
            }
        }
    ";
    /// The same without a loop: the second server takes the clients in another order than the first.
    ahead_of_two_servers: "
        set C;
        message A;
        message B;
        process p {
            var last: C;
            while (true) {
                recv A from last in C;
            }
        }
        process q {
            var last: C;
            while (true) {
                recv B from last in C;
            }
        }
        process c in C {
            var first: bool;
            if (*) {
                first = true;
                send A to p;
                send B to q;
            } else {
                send B to q;
                send A to p;
            }
        }
    ";
    /// The rounds of processes are matched by their order: the first ones of `b` are not the second ones of `a`.
    second_rounds_with_first: "
        message G;
        message M;
        process a {
            rounds 1 as r {
                skip;
            }
            send G to b;
            rounds 1 as r {
                send M to b;
            }
        }
        process b {
            recv G from a;
            rounds 1 as r {
                recv M from a;
            }
        }
    ";
    /// The same for sets, and with messages that nobody has to wait for: they are left.
    second_rounds_with_first_of_members: "
        set S;
        message G;
        message M;
        process a {
            rounds 1 as r {
                skip;
            }
            for s in S {
                send G to s;
            }
            rounds 1 as r {
                for s in S {
                    send M to s;
                }
            }
        }
        process s in S {
            recv G from a;
            rounds 1 as r {
                recv M from a timeout { }
            }
        }
    ";
    /// Servers that do not wait for those they serve take them in orders of their own.
    served_without_asking: "
        set C;
        message A; message R;
        process p { var last: C; foreach c in C { recv A from c timeout { skip; } last = c; send R to c; } }
        process q { var last: C; foreach c in C { recv A from c timeout { skip; } last = c; send R to c; } }
        process c in C { var first: bool;
          if (*) { first = true; send A to p; recv R from p; send A to q; recv R from q; }
          else { send A to q; recv R from q; send A to p; recv R from p; } }
    ";
}

/// What was sent is kept, though the variable it was read from is changed before it is received.
#[test]
fn overwritten_value() {
    is_put_in_order_rightly(
        "
        set P;
        set N;
        message Other;
        message M(int);
        process hub {
            for n in N {
                send Other to n;
            }
        }
        process p in P {
            var d: int;
            for n in N {
                choose {
                    d = 1;
                } or {
                    d = 2;
                }
                send M(d) to n;
            }
        }
        process n in N {
            var got: int;
            foreach p in P {
                recv M(got) from p;
            }
            recv Other from hub;
        }
        ",
    );
}
