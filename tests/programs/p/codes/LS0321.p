// Operands of arithmetic and order.
enum tColour { RED, GREEN }
type tId = int;

machine Server {
    var i: int; var f: float; var s: string; var b: bool; var c: tColour; var id: tId; var a: any; var numbers: seq[int];
    start state Init {
        entry {
            i = i + id - 1 * 2 / 3;
            f = f + 1.5 - .5 * f / 2.0;
            s = s + "x";
            b = i < id && f >= 0.5 && s < "x";
            s = s - "x" * s / s; // P lets this pass here, and cannot run it
            i = i + f; //! LS0321
            f = f * 2; //! LS0321
            f = f * (2 to float);
            i = i + "1"; //! LS0321
            s = s + i; //! LS0321
            s = s + format("{0}", i);
            i = i + b; //! LS0321
            b = b < b; //! LS0321
            b = RED < GREEN; //! LS0321
            b = RED to int < 1;
            b = i < f; //! LS0321
            b = s <= i; //! LS0321
            i = a + 1; //! LS0321
            i = (a as int) + 1;
            numbers = numbers + numbers; //! LS0321
            i = i - null; //! LS0321
            b = this > this; //! LS0321
            i = i + c; //! LS0321
            b = 1 + "1" == 2; //! LS0321
        }
    }
}
