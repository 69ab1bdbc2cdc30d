// There is no machine that a global function belongs to.
event ePing: machine;

fun Send(to_whom: machine, from: machine) {
    send to_whom, ePing, from;
    send to_whom, ePing, this; //! LS0329
}
fun Create() {
    new Client(this); //! LS0329
}
fun Self(): machine { return this; } //! LS0329
fun Waits() {
    receive { case ePing: (who: machine) { send who, ePing, this; } } //! LS0329
}
fun Compare(m: machine): bool { return m == this || this == null; } //! LS0329 LS0329

machine Client {
    start state Init {
        entry (who: machine) { send who, ePing, this; Send(who, this); }
        on ePing do (who: machine) { Own(); }
    }
    fun Own() { send this, ePing, this; }
}
