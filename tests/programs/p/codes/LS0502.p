// Values of another type than the test parameter's.
type tCount = int;
param nClients: int;
param count: tCount;
param isFast: bool;
param anything: any;
param share: float;
machine Main { start state Init { } }

test param (nClients in [1, 2], isFast in [true, false], count in [0, -1]) tcFits [main=Main]: { Main };
test param (nClients in [true]) tcBool [main=Main]: { Main }; //! LS0502
test param (isFast in [0, 1]) tcInt [main=Main]: { Main }; //! LS0502
test param (nClients in [1, true]) tcMixed [main=Main]: { Main }; //! LS0502
test param (count in [false]) tcAlias [main=Main]: { Main }; //! LS0502
test param (isFast in [-1]) tcMinus [main=Main]: { Main }; //! LS0502
test param (anything in [1]) tcAny [main=Main]: { Main }; //! LS0502
test param (share in [1]) tcFloat [main=Main]: { Main }; //! LS0502
test param (nClients in [1, 2, 3]) tcFitsToo [main=Main]: { Main };
