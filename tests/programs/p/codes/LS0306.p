// What is added to collections.
type tNumbers = seq[int];

machine Server {
    var numbers: tNumbers;
    var members: set[int];
    var table: map[string, int];
    var nested: map[int, seq[string]];
    var anything: set[any];
    var n: int;
    start state Init {
        entry {
            numbers += (0, 1);
            numbers += (sizeof(numbers), n);
            numbers += (1); //! LS0306
            numbers += ("0", 1); //! LS0306
            numbers += (0, "1"); //! LS0306
            numbers += ("0", "1"); //! LS0306 LS0306
            members += (1);
            members += (0, 1); //! LS0306
            members += ("x"); //! LS0306
            members += ((1, 2)); //! LS0306
            table += ("x", 1);
            table += (1, 1); //! LS0306
            table += ("x", "y"); //! LS0306
            table += ("x"); //! LS0306
            nested[0] += (0, "x");
            nested[0] += (0, 1); //! LS0306
            anything += (1);
            anything += ("x");
            anything += (null);
            n += (1); //! LS0306
            n += (0, 1); //! LS0306
        }
    }
}
