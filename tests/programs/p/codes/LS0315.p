// Membership.
enum tColour { RED, GREEN }
type tTable = map[string, int];

machine Server {
    var numbers: seq[int]; var colours: set[tColour]; var table: tTable; var things: set[any]; var machines: set[machine];
    var b: bool; var n: int; var s: string; var own: Server; var pairs: seq[(a: int, b: int)];
    start state Init {
        entry {
            b = 1 in numbers;
            b = RED in colours;
            b = "x" in table;
            b = 1 in values(table);
            b = 1 in things && "x" in things && this in things;
            b = own in machines && null in machines;
            b = (a = 1, b = 2) in pairs;
            b = !(1 in numbers);
            b = "x" in numbers; //! LS0315
            b = 1 in colours; //! LS0315
            b = 1 in table; //! LS0315
            b = null in numbers; //! LS0315
            b = (1, 2) in pairs; //! LS0315
            b = 1 in n; //! LS0315
            b = "x" in s; //! LS0315
            b = this in own; //! LS0315
            b = numbers in 1; //! LS0315
            b = !b in numbers; //! LS0315
        }
    }
}
