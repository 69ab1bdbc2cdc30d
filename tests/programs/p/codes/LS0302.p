// Conditions that are not of type bool.
type tFlag = bool;
event eGo;
enum tColour { RED }

machine Server {
    var n: int;
    var flag: tFlag;
    var anything: any;
    var who: machine;
    start state Init {
        entry {
            if (flag) { }
            if (n) { } //! LS0302
            if (n == 0) { } else if (who) { } //! LS0302
            if (anything) { } //! LS0302
            if (anything as bool) { }
            while (n > 0) { n = n - 1; }
            while (n - 1) { n = n - 1; } //! LS0302
            while (null) { } //! LS0302
            assert flag && n > 0;
            assert n; //! LS0302
            assert "text"; //! LS0302
            assert RED, "not a bool"; //! LS0302
            assert RED == RED, "a bool";
            if (eGo) { } //! LS0302
            if ($) { }
            if (choose()) { }
            if (choose(2)) { } //! LS0302
            if ((flag, flag)) { } //! LS0302
            assume flag;
            assume n; //! LS0302
        }
    }
}
