// break and continue, and the loops around them.
event eGo;

fun Loops(numbers: seq[int]) {
    var n: int;
    while (true) { break; }
    while (n < 3) { if (n == 2) { continue; } n = n + 1; }
    foreach (n in numbers) { if (n == 1) { break; } else { continue; } }
    while (true) { foreach (n in numbers) { break; } break; }
    break; //! LS0336
    continue; //! LS0336
    if (n == 1) { break; } else { continue; } //! LS0336 LS0336
    { { break; } } //! LS0336
    while (n < 3) { n = n + 1; }
    break; //! LS0336
}

machine Client {
    start state Init {
        entry { break; } //! LS0336
        exit { continue; } //! LS0336
        on eGo do { while (true) { receive { case eGo: { continue; } } } }
    }
    fun Waits() {
        receive { case eGo: { break; } } // leaves the case
        receive { case eGo: { continue; } } //! LS0336
        receive { case eGo: { while (true) { break; } } }
        while (true) { receive { case eGo: { if ($) { break; } continue; } } }
    }
}
