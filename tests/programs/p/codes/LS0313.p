// Indices, keys, and what has neither.
enum tColour { RED, GREEN }
type tTable = map[tColour, seq[int]];

machine Server {
    var numbers: seq[int]; var members: set[int]; var table: tTable; var names: map[string, int]; var n: int;
    var pair: (int, int); var s: string; var things: map[any, int]; var points: set[(x: int, y: int)];
    start state Init {
        entry {
            n = numbers[0];
            n = numbers[n + 1];
            n = members[0]; // the elements of a set can be read by their number
            n = table[RED][0];
            n = names["x"];
            n = things["x"] + things[1] + things[this];
            n = points[0].x;
            n = numbers["0"]; //! LS0313
            n = numbers[true]; //! LS0313
            n = numbers[RED]; //! LS0313
            n = members["x"]; //! LS0313
            n = table[0][0]; //! LS0313
            n = table[GREEN]["x"]; //! LS0313
            n = names[0]; //! LS0313
            n = n[0]; //! LS0313
            n = pair[0]; //! LS0313
            n = this[0]; //! LS0313
            s = s[0]; //! LS0313
            numbers[0] = 1;
            names["x"] = 1;
            table[RED][0] = 1;
            numbers["0"] = 1; //! LS0313
            names[0] = 1; //! LS0313
            table[0][0] = 1; //! LS0313
            members[0] = 1; //! LS0313
            points[0].x = 1; //! LS0313
            n[0] = 1; //! LS0313
            numbers[n.x] = 1; //! LS0311
        }
    }
}
