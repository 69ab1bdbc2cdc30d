// Fields that are named twice: in types, in values, in the parameters of tests.
type tTwice = (id: int, name: string, id: bool); //! LS0104
type tThrice = (x: int, x: int, x: int); //! LS0104 LS0104
event eTwice: (key: int, key: int); //! LS0104
type tInner = (id: int, inner: (id: int, name: string)); // another tuple, another id
type tCase = (id: int, Id: int);
param nClients, nServers: int;

machine Main {
    var both: tInner;
    var pair: seq[(a: int, a: int)]; //! LS0104
    start state Init {
        entry {
            both = (id = 1, inner = (id = 2, name = "two"));
            Take((x = 1, y = 2, x = 3)); //! LS0104
            Take((x = 1, y = 2));
            print format("{0}", default((b: int, b: int))); //! LS0104
        }
    }
    fun Take(value: any) {
        var local: (a: int, b: bool, a: int); //! LS0104
    }
}

test param (nClients in [1, 2], nServers in [1], nClients in [3]) tcTwice [main=Main]: { Main }; //! LS0104
test param (nClients in [1, 2], nServers in [1, 2]) tcOnce [main=Main]: { Main };
