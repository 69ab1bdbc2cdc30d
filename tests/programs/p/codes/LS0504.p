// How many parameters a test combines.
param a, b, c: int;
machine Main { start state Init { } }

test param (a in [1, 2], b in [1, 2], c in [1, 2]) (1 wise) tcOne [main=Main]: { Main };
test param (a in [1, 2], b in [1, 2], c in [1, 2]) (2 wise) tcTwo [main=Main]: { Main };
test param (a in [1, 2], b in [1, 2], c in [1, 2]) (3 wise) tcThree [main=Main]: { Main };
test param (a in [1, 2], b in [1, 2], c in [1, 2]) (4 wise) tcFour [main=Main]: { Main }; //! LS0504
test param (a in [1, 2], b in [1, 2]) (0 wise) tcZero [main=Main]: { Main }; //! LS0504
test param (a in [1, 2]) (2 wise) tcSingle [main=Main]: { Main }; //! LS0504
test param (a in [1, 2]) (1 wise) tcSingleFits [main=Main]: { Main };
test (1 wise) tcNone [main=Main]: { Main }; //! LS0504
test param (a in [1, 2], b in [1, 2]) pairwise tcPair [main=Main]: { Main };
test param (a in [1, 2]) pairwise tcPairOfOne [main=Main]: { Main }; // P takes it
test tcPlain [main=Main]: { Main };
