// The same number twice for a test parameter.
param nClients, nServers: int;
param isFast: bool;
machine Main { start state Init { } }

test param (nClients in [1, 2, 3]) tcFits [main=Main]: { Main };
test param (nClients in [1, 1]) tcTwice [main=Main]: { Main }; //! LS0503
test param (nClients in [1, 2, 1, 2]) tcBoth [main=Main]: { Main }; //! LS0503 LS0503
test param (nClients in [1, -1, 2, -2]) tcSigns [main=Main]: { Main };
test param (nClients in [-1, -1]) tcMinus [main=Main]: { Main }; //! LS0503
test param (nClients in [0, -0]) tcZero [main=Main]: { Main }; //! LS0503
test param (nClients in [7, 07]) tcDigits [main=Main]: { Main }; //! LS0503
test param (nClients in [1, 2], nServers in [1, 2]) tcOther [main=Main]: { Main };
test param (isFast in [true, true]) tcBools [main=Main]: { Main }; //! LS0513
