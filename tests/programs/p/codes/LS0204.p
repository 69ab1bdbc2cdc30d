// What events carry and what their handlers take.
type tPair = (a: int, b: int);
event eNone;
event eInt: int;
event ePair: tPair;
event eSingle: (int);
event eAny: any;
event eServer: Server;

machine Server {
    start state Init {
        on eInt do (n: int) { }
        on eNone do { }
        on ePair do { } // not to take it is always possible
        on eAny do TakesAny;
        on eSingle do TakesInt; // a tuple of one element fits where the element does
        on eServer do (who: machine) { }
        on halt do TakesAny;
        on null do (nothing: any) { }
    }
    state Run {
        on eInt do (text: string) { } //! LS0204
        on eNone do TakesInt; //! LS0204
        on ePair do (pair: (int, int)) { } //! LS0204
        on eAny do TakesInt; //! LS0204
        on halt do (n: int) { } //! LS0204
        on null do TakesInt; //! LS0204
    }
    state Goes {
        on eInt goto Entered;
        on eNone goto Entered; //! LS0204
        on ePair, eSingle goto Entered; //! LS0204
        on eAny goto Run;
        on eServer goto Named; //! LS0204
    }
    state With {
        on eInt goto Run with TakesInt;
        on eNone goto Run with TakesInt; //! LS0204
        on ePair goto Entered with (pair: tPair) { } //! LS0204
        on eSingle goto Entered with (pair: tPair) { } //! LS0204
        on eAny goto Run with (value: any) { }
    }
    state Entered { entry (n: int) { } }
    state Named { entry TakesInt; }
    fun TakesInt(n: int) { }
    fun TakesAny(value: any) { }
}

spec Watch observes eInt, eNone {
    start state Off { on eInt do (n: int) { } on eNone do (n: int) { } } //! LS0204
}
