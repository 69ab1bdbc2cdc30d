// Helpers without a machine around them.

fun Sum(values: seq[int]): int {
    var total: int;
    var i: int;

    while (i < sizeof(values)) {
        total = total + values[i];
        i = i + 1;
    }
    print "DEFINE VARIABLE total AS INTEGER NO-UNDO. begin end; x := 1;";
    return total;
}
