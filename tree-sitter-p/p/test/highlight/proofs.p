// The proof language.
event Vote : (round: int);
machine Node { var count: int; }
pure leader(round: int) : machine;
// <- keyword.function
//   ^^^^^^ function
//          ^^^^^ variable.parameter
//                        ^^^^^^^ type.builtin
pure later(a: int, b: int) : bool = a > b;
//   ^^^^^ function
//         ^ variable.parameter
//                                    ^ operator
axiom exists (m: machine) :: m is Node;
// <- keyword
//    ^^^^^^ keyword
//            ^ variable.parameter
//                             ^^ keyword.operator
//                                ^^^^ type
init-condition forall (n: Node) :: n.count == 0;
// <- keyword
//             ^^^^^^ keyword
//                     ^ variable.parameter
//                                   ^^^^^ variable.member
Lemma ring {
// <- keyword
//    ^^^^ label
  invariant unique: forall new (v: Vote) :: inflight v && v targets leader(v.round) ==> !sent v;
//^^^^^^^^^ keyword
//          ^^^^^^ label
//                         ^^^ keyword
//                                          ^^^^^^^^ keyword.operator
//                                                          ^^^^^^^ keyword.operator
//                                                                  ^^^^^^ function.call
//                                                                                  ^^^ operator
//                                                                                       ^^^^ keyword.operator
}
Theorem agreement { }
// <- keyword
//      ^^^^^^^^^ label
Proof whole {
// <- keyword
//    ^^^^^ label
  prove agreement, unique using ring except unique;
//^^^^^ keyword
//      ^^^^^^^^^ label
//                        ^^^^^ keyword
//                              ^^^^ label
//                                   ^^^^^^ keyword
  prove default using *;
//      ^^^^^^^ keyword
//                    ^ operator
}
// In older models the words of proofs are names.
fun using(is: int) : int {
//  ^^^^^ function
//        ^^ variable.parameter
  var sent: int;
//    ^^^^ variable
  sent = sent + is;
//^^^^ variable
//       ^^^^ variable
//              ^^ variable.parameter
  return exists(sent);
//       ^^^^^^ function.call
//              ^^^^ variable
}
