// Test parameters that do not exist.
param nClients, nServers: int;
param isFast: bool;

machine Main {
    var limit: int;
    start state Init { }
}

test param (nClients in [1, 2]) tcOne [main=Main]: { Main };
test param (nClients in [1], nServers in [1, 2], isFast in [true]) tcAll [main=Main]: { Main };
test param (nClient in [1, 2]) tcTypo [main=Main]: { Main }; //! LS0501
test param (nclients in [1, 2]) tcCase [main=Main]: { Main }; //! LS0501
test param (nClients in [1], none in [1], other in [2]) tcTwo [main=Main]: { Main }; //! LS0501 LS0501
test param (limit in [1]) tcVariable [main=Main]: { Main }; //! LS0501
test param (Main in [1]) tcMachine [main=Main]: { Main }; //! LS0501
test tcNone [main=Main]: { Main };
test param (isFast in [true, false], missing in [true]) pairwise tcPair [main=Main]: { Main }; //! LS0501
