// The operands of logic and of a minus.
type tFlag = bool;
event eGo;

machine Server {
    var b: bool; var flag: tFlag; var n: int; var f: float; var s: string; var a: any; var m: machine;
    start state Init {
        entry {
            b = b && flag || !b;
            b = n > 0 && n in keys(default(map[int, int]));
            n = -n - -1;
            f = -f;
            b = (a as bool) || $;
            b = b && n; //! LS0316
            b = n || b; //! LS0316
            b = n && s; //! LS0316 LS0316
            b = m && b; //! LS0316
            b = b && null; //! LS0316
            b = a || b; //! LS0316
            b = !n; //! LS0316
            b = !s; //! LS0316
            b = !m; //! LS0316
            b = !a; //! LS0316
            n = -b; //! LS0316
            s = -s; //! LS0316
            n = -a; //! LS0316
            b = -eGo; //! LS0316
            b = b ==> flag;
            b = b ==> n; //! LS0316
            b = s <==> b; //! LS0316
            if (!(n == 0) && !b) { }
        }
    }
}
