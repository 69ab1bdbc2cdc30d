// Braces in texts.
event eGo: string;

machine Server {
    var s: string; var m: machine; var n: int;
    start state Init {
        entry {
            print "no braces";
            print "{{";
            print "a }} b {{ c";
            print format("{0}{1}", 1, 2);
            print format("{{{0}}}", n);
            print "{"; //! LS0319
            print "}"; //! LS0319
            print "a { b"; //! LS0319
            print "{}"; //! LS0319
            print "{n}"; //! LS0319
            print format("{0", 1); //! LS0319
            print format("{0:x}", 1); //! LS0319
            print format("{ 0 }", 1); //! LS0319
            print format("{-1}", 1); //! LS0319
            print format("{0}}", 1); //! LS0319
            s = "{" + "}"; //! LS0319 LS0319
            assert n == 0, "set {a, b}"; //! LS0319
            send m, eGo, "}"; //! LS0319
            send m, eGo, "}}";
        }
    }
}
