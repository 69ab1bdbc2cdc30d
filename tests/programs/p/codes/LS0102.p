// Variables of machines with the names of test parameters.
param nClients, nServers: int;
param isFast: bool;
event eGo: int;

machine Server {
    var nClients: int; //! LS0102
    var left, isFast: int; //! LS0102
    var nclients: int; // upper and lower case differ
    start state Init {
        entry { left = nServers; nclients = left; }
    }
}

machine Driver {
    var nLeft: int;
    start state Init {
        entry {
            nLeft = nClients + nServers;
            if (isFast) { nLeft = 0; }
        }
    }
    fun nServers() { } // a function is no variable
}

spec Watch observes eGo {
    var nServers: set[int]; //! LS0102
    start state nClients { on eGo do { } } // nor is a state
}

enum tParams { isfast }
