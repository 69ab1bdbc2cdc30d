// goto in functions with a result.
event eFailed;
event eCount: int;

machine Client {
    start state Init {
        entry { if (Check(1) > 0) { goto Done; } }
        on eCount do (n: int) { goto Counted, n; }
    }
    state Done { entry Fail; }
    state Counted { entry (n: int) { } }
    fun Fail() { goto Done; }
    fun Check(n: int): int {
        if (n == 0) { goto Done; } //! LS0332
        if (n == 1) { goto Counted, n; } //! LS0332
        while (n > 2) { goto Done; } //! LS0332
        return n;
    }
    fun Wait(): bool {
        receive {
            case eFailed: { goto Done; } //! LS0332
            case eCount: (n: int) {
                receive { case eFailed: { goto Counted, n; } } //! LS0332
            }
        }
        return true;
    }
    fun Waits() {
        receive { case eFailed: { goto Done; } }
    }
    fun Indirect(): int {
        Fail(); // P does not follow calls here
        return 1;
    }
}
