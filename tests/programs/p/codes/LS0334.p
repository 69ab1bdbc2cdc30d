// What receive cases take.
type tPair = (a: int, b: int);
event eNone;
event eInt: int;
event ePair: tPair;
event eSingle: (int);
event eAny: any;

machine Client {
    start state Init {
        entry {
            receive {
                case eNone: { }
                case eInt: (n: int) { }
                case ePair: (pair: tPair) { }
                case eAny: (value: any) { }
            }
            receive {
                case eNone: (nothing: any) { }
                case eInt: (value: any) { }
                case eSingle: (value: (int)) { }
                case halt: { }
            }
            receive { case eInt: { } } //! LS0334
            receive { case eAny: { } } //! LS0334
            receive { case eNone: (n: int) { } } //! LS0334
            receive { case eInt: (s: string) { } } //! LS0334
            receive { case ePair: (pair: (int, int)) { } } //! LS0334
            receive { case eSingle: (n: int) { } } //! LS0334
            receive { case eNone, eInt: { } } //! LS0334
            receive { case eInt, ePair: (n: int) { } } //! LS0334
            receive { case eInt, ePair, eNone: (value: any) { } }
            receive { case halt: (n: int) { } } //! LS0334
            receive { case null: { } }
        }
    }
}
