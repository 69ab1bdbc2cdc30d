// raise in functions with a result.
event eFailed;
event eCount: int;

machine Client {
    start state Init {
        entry { raise eCount, Check(1); }
        on eCount do (n: int) { Fail(); }
        ignore eFailed;
    }
    fun Fail() { raise eFailed; }
    fun Check(n: int): int {
        if (n == 0) { raise eFailed; } //! LS0331
        if (n == 1) { raise eCount, n; } //! LS0331
        while (n > 2) { raise halt; } //! LS0331
        return n;
    }
    fun Wait(): bool {
        receive {
            case eFailed: { raise eFailed; } //! LS0331
            case eCount: (n: int) {
                receive { case eFailed: { raise eCount, n; } } //! LS0331
            }
        }
        return true;
    }
    fun Waits() {
        receive { case eFailed: { raise eFailed; } }
    }
    fun Indirect(): int {
        Fail(); // P does not follow calls here
        return 1;
    }
}

fun Global(): any { raise eFailed; } //! LS0331
fun GlobalNone() { raise eFailed; }
