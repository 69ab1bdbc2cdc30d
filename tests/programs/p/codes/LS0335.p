// Functions that can end without a result.
event eYes;
event eNo;

fun Returns(): int { return 1; }
fun Empty(): int { } //! LS0335
fun OneBranch(n: int): int { //! LS0335
    if (n > 0) { return 1; }
}
fun BothBranches(n: int): int {
    if (n > 0) { return 1; } else { return 2; }
}
fun Chain(n: int): int { //! LS0335
    if (n > 0) { return 1; } else if (n < 0) { return 2; }
}
fun FullChain(n: int): int {
    if (n > 0) { return 1; } else if (n < 0) { return 2; } else return 3;
}
fun Loop(): int { //! LS0335
    while (true) { return 1; }
}
fun Foreach(numbers: seq[int]): int { //! LS0335
    var n: int;
    foreach (n in numbers) { return n; }
}
fun AfterLoop(): int {
    while (true) { }
    assert false;
}
fun Parentheses(): int { assert (false), "never"; }
fun AssertOther(b: bool): int { assert b; } //! LS0335
fun AssertTrue(): int { assert true; } //! LS0335
fun Inner(): int { { { return 1; } } }
fun Cases(): int { //! LS0335
    receive { case eYes: { return; } case eNo: { } }
}
fun AllCases(): int {
    receive { case eYes: { return; } case eNo: { assert false; } }
}
fun AnyOf(): any { } //! LS0335
fun NoResult() { }
fun Foreign(): int;
fun Before(): int { return 1; print "never"; }
fun Assumes(): int { assume false; }
