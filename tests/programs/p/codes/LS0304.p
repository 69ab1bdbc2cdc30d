// What is returned, and what is declared.
event eGo: int;
type tId = int;

fun None() { return; }
fun NoneWrong() { return 1; } //! LS0304
fun NoneNull() { return null; } // null is what it returns anyway
fun Int(): int { return 1; }
fun IntAlias(): tId { return 1; }
fun IntNone(): int { return; } //! LS0304
fun IntBool(): int { return true; } //! LS0304
fun IntFloat(): int { return 1.0; } //! LS0304
fun Any(): any { return (1, "x"); }
fun AnyNone(): any { return; }
fun Machine(): machine { return null; }
fun Text(): string { return null; } //! LS0304
fun Pair(): (a: int, b: int) { return (a = 1, b = 2); }
fun PairOrder(): (a: int, b: int) { return (b = 1, a = 2); } //! LS0304
fun PairTuple(): (a: int, b: int) { return (1, 2); } //! LS0304
fun Data(): data { return (1, "x"); }
fun DataMachine(m: machine): data { return m; } //! LS0304

machine Server {
    start state Init {
        entry {
            if (Int() > 0) { return; }
            return Int(); //! LS0304
        }
        on eGo do (n: int) { return n; } //! LS0304
        exit { return; }
    }
    fun Wait(): int {
        var result: int;
        receive {
            case eGo: (n: int) {
                result = n;
                if (n > 0) { return; }
                return n; //! LS0304
            }
        }
        return result;
    }
}
