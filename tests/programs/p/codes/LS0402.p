// What specs cannot do through others, and by choose and new.
event eGo: int;
machine Server { start state Init { } }
fun Pick(): bool { return $; }
fun PickFar(): bool { return PickToo(); }
fun PickToo(): bool { if (Pick()) { return PickFar(); } return false; }
fun Send(m: machine) { send m, halt; }
fun Announce() { announce eGo, 1; }
fun Make() { new Server(); }
fun MakeToo(): machine { return new Server(); }
fun Wait() { receive { case eGo: (n: int) { } } }
fun Pure(n: int): int { return n + 1; }
fun Foreign(): machine creates Server;
fun Hidden(m: machine) { send m, halt; }
fun Raise() { raise eGo, 1; }

spec Watch observes eGo {
    var m: machine;
    var n: int;
    start state Init {
        entry { if (Pick()) { n = 1; } } //! LS0402
        on eGo do (k: int) {
            n = Pure(k);
            n = choose(3); //! LS0402
            if (choose()) { n = 2; } //! LS0402
            new Server(); //! LS0402
            Send(m); //! LS0402
            Announce(); //! LS0402
            Make(); //! LS0402
            m = MakeToo(); //! LS0402
            Wait(); //! LS0402
            if (PickFar()) { n = 3; } //! LS0402
            m = Foreign(); // P does not look at what foreign code creates
            if (n == 3) { Raise(); }
            Own();
        }
        exit { Own(); Hides(); }
    }
    fun Own() { Hides(); Send(m); } //! LS0402
    fun Hides() { Hidden(m); }
    fun Hidden(by: machine) { m = by; } // this one is meant
}
scenario Covered observes eGo {
    start cold state Init { on eGo do { Wait(); } } //! LS0402
}
machine Client {
    var b: bool;
    start state Init { entry { b = Pick(); Make(); Send(this); Wait(); } }
}
