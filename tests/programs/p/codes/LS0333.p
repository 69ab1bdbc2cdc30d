// Events with two receive cases.
event eYes;
event eNo;
event eMaybe: int;

machine Client {
    start state Init {
        entry {
            receive {
                case eYes: { }
                case eNo: { }
                case eYes: { } //! LS0333
            }
            receive {
                case eYes, eNo: { }
                case eMaybe: (n: int) { }
                case eNo, eMaybe: { } //! LS0333 LS0333
            }
            receive { case eYes, eYes: { } } //! LS0333
            receive { case eYes: { receive { case eYes: { } } } } // one inside of the other
            receive { case eYes: { } case eNo: { } } // and one after the other
            receive { case halt: { } case null: { } case halt: { } } //! LS0333
        }
    }
}

fun Wait() {
    receive {
        case eMaybe: (n: int) { }
        case eMaybe: (n: any) { } //! LS0333
    }
}
