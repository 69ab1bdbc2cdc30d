// Modules and tests.
module Servers = { Server, Fast -> Server };
// <- keyword
//     ^^^^^^^ module
//                 ^^^^^^ type
//                         ^^^^ type
//                              ^^ operator
module System = compose Servers, (union Clients, { Timer });
//     ^^^^^^ module
//              ^^^^^^^ keyword
//                      ^^^^^^^ module
//                                ^^^^^ keyword
//                                      ^^^^^^^ module
//                                                 ^^^^^ type
module Quiet = hidee Tick, halt in hidei Cache in System;
//             ^^^^^ keyword
//                   ^^^^ constant
//                         ^^^^ constant.builtin
//                              ^^ keyword
//                                 ^^^^^ keyword
//                                       ^^^^^ type
//                                                ^^^^^^ module
module Named = rename Server to Backend in main Driver in Servers;
//             ^^^^^^ keyword
//                    ^^^^^^ type
//                           ^^ keyword
//                              ^^^^^^^ type
//                                         ^^^^ keyword
//                                              ^^^^^^ type
implementation Product [main = Driver] : System;
// <- keyword
//             ^^^^^^^ module
//                      ^^^^ keyword
//                             ^^^^^^ type
test Safe [main = Driver] : assert Safety in System refines Servers;
// <- keyword
//   ^^^^ module
//         ^^^^ keyword
//                          ^^^^^^ keyword
//                                 ^^^^^^ type
//                                                  ^^^^^^^ keyword
test param (n in [1, -2], lossy in [true]) assume n < 3 (2 wise) Many [main = Driver] : System;
//   ^^^^^ keyword
//          ^ constant
//                ^ number
//                   ^^ number
//                        ^^^^^ constant
//                                  ^^^^ boolean
//                                         ^^^^^^ keyword
//                                                ^ variable
//                                                         ^^^^ keyword
//                                                               ^^^^ module
test param (n in [1]) pairwise Pairs [main = Driver] : System;
//                    ^^^^^^^^ keyword
//                             ^^^^^ module
