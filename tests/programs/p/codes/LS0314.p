// The size, keys and values of what has none.
type tTable = map[int, string];
event eGo: int;

machine Server {
    var numbers: seq[int]; var members: set[int]; var table: tTable; var n: int; var s: string; var pair: (int, int);
    var names: seq[string]; var a: any;
    start state Init {
        entry {
            n = sizeof(numbers) + sizeof(members) + sizeof(table);
            n = sizeof(keys(table)) + sizeof(values(table));
            n = sizeof(a as seq[int]);
            n = sizeof(n); //! LS0314
            n = sizeof(s); //! LS0314
            n = sizeof(pair); //! LS0314
            n = sizeof(a); //! LS0314
            n = sizeof(this); //! LS0314
            n = sizeof(eGo); //! LS0314
            n = sizeof(null); //! LS0314
            numbers = keys(table);
            names = values(table);
            numbers = keys(numbers); //! LS0314
            numbers = keys(members); //! LS0314
            names = values(names); //! LS0314
            names = values(pair); //! LS0314
            numbers = keys(a); //! LS0314
            names = keys(s); //! LS0314
        }
    }
}
