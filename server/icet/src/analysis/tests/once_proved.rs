//! Programs that were proved once, by rules that were wrong on both sides: each has a run that goes wrong, and it is found.

use lockstep_base::verdict::Verdict;

use super::analysed;

macro_rules! refuted {
    ($($(#[$doc:meta])* $name:ident: $text:expr;)*) => {
        $($(#[$doc])*
        #[test]
        fn $name() {
            assert_eq!(analysed($text).verdict, Verdict::Refuted);
        })*
    };
}

refuted! {
    /// Whoever was told to do something by one that made a choice is still in the middle of it when the next choice is made.
    a_lock_behind_a_desk: "
        set S;
        message Acq; message Rel; message Ok; message Take; message Taken; message Free;
        process desk { var w: S; while (true) { recv {
            case Acq from w in S: { send Take to lock; recv Taken from lock; send Ok to w; }
            case Rel from w in S: { send Free to lock; send Ok to w; } } } }
        process lock { while (true) { recv Take from desk; send Taken to desk; recv Free from desk; } }
        process c in S { send Acq to desk; recv Ok from desk; send Rel to desk; recv Ok from desk; }
    ";
    /// The same with loops that end, and two locks.
    two_locks_behind_desks: "
        set S;
        message Acq; message Rel; message Ok; message Take; message Taken; message Free;
        process d1 { foreach c in S { recv Acq from c; send Take to lock; recv Taken from lock; send Ok to c; } }
        process d2 { foreach c in S { recv Rel from c; send Free to lock; send Ok to c; } }
        process x  { foreach c in S { recv Acq from c; send Take to lock2; recv Taken from lock2; send Ok to c; } }
        process y  { foreach c in S { recv Rel from c; send Free to lock2; send Ok to c; } }
        process lock { for _ in S { recv Take from d1; send Taken to d1; recv Free from d2; } }
        process lock2 { for _ in S { recv Take from x; send Taken to x; recv Free from y; } }
        process c in S { if (*) { send Acq to d1; recv Ok from d1; send Acq to x; recv Ok from x; } else { send Acq to x; recv Ok from x; send Acq to d1; recv Ok from d1; }
         send Rel to d2; recv Ok from d2; send Rel to y; recv Ok from y; }
    ";
    /// The same with clients that go on for ever.
    endless_clients_of_a_lock_behind_a_desk: "
        set S;
        message Acq; message Rel; message Ok; message Take; message Taken; message Free;
        process desk { var w: S; while (true) { recv { case Acq from w in S: { send Take to lock; recv Taken from lock; send Ok to w; } case Rel from w in S: { send Free to lock; send Ok to w; } } } }
        process lock { while (true) { recv Take from desk; send Taken to desk; recv Free from desk; } }
        process c in S { while (true) { send Acq to desk; recv Ok from desk; send Rel to desk; recv Ok from desk; } }
    ";
    /// A `foreach` that can give up chooses members that have not written.
    a_foreach_that_gives_up: "
        set C; set N;
        message A; message R; message D;
        process c in C { for n in N { send A to n; recv R from n; send D to n; } }
        process n in N { foreach c in C { recv A from c timeout { skip; } send R to c; recv D from c; } }
    ";
    /// A loop that can give up at its head does not wait there.
    an_endless_loop_that_gives_up: "
        message X; message Z;
        process c { send X to p; send Z to p; }
        process p { while (true) { recv X from c timeout { skip; } recv Z from c; } }
    ";
    /// The same for what is known at its head.
    an_assertion_after_giving_up: "
        message X;
        process c { send X to p; }
        process p { var n: bool; while (true) { recv X from c timeout { assert !n; } n = true; } }
    ";
    /// A message says who sent it, so its receiver can answer.
    a_sender_is_known_by_its_message: "
        set S;
        message Hello;
        message Hey;
        message Ans(int);
        process p { var who: S; for _ in S { recv Hello from who in S; send Ans(1) to who; } }
        process q { var who: S; for _ in S { recv Hey from who in S; send Ans(2) to who; } }
        process c in S {
          var x, y: int;
          send Hello to p;
          send Hey to q;
          recv Ans(x) from any;
          assert x == 1;
          recv Ans(y) from any;
        }
    ";
    /// The same, with a receive that waits for ever.
    an_answer_to_a_sender_that_told_nothing: "
        set S;
        message A; message B; message Ans(bool);
        process p { var w: S; for _ in S { recv A from w in S; send Ans(true) to w; } }
        process q { var w: S; for _ in S { recv B from w in S; send Ans(false) to w; } }
        process c in S { var b: bool; send A to p; send B to q; recv Ans(b) from any; if (b) { recv Ans(b) from any; } else { recv Ans(b) from p; recv A from p; } }
    ";
}
