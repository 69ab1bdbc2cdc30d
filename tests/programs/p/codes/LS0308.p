// What a foreach goes through, and with which variable.
enum tColour { RED, GREEN }
type tId = int;
event eGo;
param limit: int;

machine Server {
    var numbers: seq[int];
    var colours: set[tColour];
    var table: map[int, string];
    var ids: seq[tId];
    var things: seq[any];
    var n: int; var id: tId; var a: any; var c: tColour; var s: string; var m: machine; var x: int;
    start state Init {
        entry {
            foreach (n in numbers) { x = n; }
            foreach (id in numbers) { }
            foreach (n in ids) { }
            foreach (a in numbers) { } //! LS0308
            foreach (s in numbers) { } //! LS0308
            foreach (c in colours) { }
            foreach (n in colours) { } //! LS0308
            foreach (n in table) { } //! LS0308
            foreach (n in keys(table)) { }
            foreach (s in values(table)) { }
            foreach (n in values(table)) { } //! LS0308
            foreach (a in things) { }
            foreach (n in things) { } //! LS0308
            foreach (n in n) { } //! LS0308
            foreach (s in "text") { } //! LS0308
            foreach (m in this) { } //! LS0308
            foreach (x in (1, 2)) { } //! LS0308
            foreach (limit in numbers) { }
            foreach (limit in colours) { } //! LS0308
        }
    }
}
