// Messages that are not of type string.
type tText = string;
event eGo;

machine Server {
    var n: int;
    var text: tText;
    var anything: any;
    start state Init {
        entry {
            print "text";
            print text;
            print text + "more";
            print format("{0} of {1}", n, text);
            print n; //! LS0303
            print true; //! LS0303
            print this; //! LS0303
            print null; //! LS0303
            print anything; //! LS0303
            print anything as string;
            print ("a", "b"); //! LS0303
            assert n == 0, "text";
            assert n == 0, text;
            assert n == 0, format("{0}", n);
            assert n == 0, n; //! LS0303
            assert n == 0, eGo; //! LS0303
            assume n == 0, text;
            assume n == 0, 1; //! LS0303
        }
    }
}
