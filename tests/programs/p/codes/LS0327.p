// What cannot be chosen from.
enum tColour { RED, GREEN }
type tId = int;
event eGo;

machine Server {
    var i: int; var id: tId; var b: bool; var f: float; var s: string; var a: any; var m: machine; var pair: (int, int);
    var numbers: seq[int]; var colours: set[tColour]; var table: map[string, int]; var c: tColour;
    start state Init {
        entry {
            b = choose();
            i = choose(10);
            i = choose(id);
            i = choose(numbers);
            c = choose(colours);
            s = choose(table);
            i = choose(values(table));
            i = choose(true); //! LS0327
            f = choose(0.5); //! LS0327
            s = choose("abc"); //! LS0327
            c = choose(RED); //! LS0327
            i = choose(pair); //! LS0327
            m = choose(this); //! LS0327
            a = choose(a); //! LS0327
            i = choose(a as int);
            a = choose(null); //! LS0327
            a = choose(eGo); //! LS0327
        }
    }
}

fun Global(): bool { return choose(1.0); } //! LS0327
