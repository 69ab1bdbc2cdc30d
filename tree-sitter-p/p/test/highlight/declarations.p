// Types, events, interfaces: what a name is shows in its colour.
type Amount = int;
// <- keyword
//   ^^^^^^ type
//          ^ operator
//            ^^^ type.builtin
//               ^ punctuation.delimiter
type Table = map[string, set[Amount]];
//           ^^^ type.builtin
//              ^ punctuation.bracket
//               ^^^^^^ type.builtin
//                           ^^^^^^ type
type Request = (client: machine, at: (x: int, y: float));
//              ^^^^^^ variable.member
//                      ^^^^^^^ type.builtin
//                                            ^ variable.member
//                                               ^^^^^ type.builtin
enum Level { Low = 1, High = 2 }
// <- keyword
//   ^^^^^ type
//         ^ punctuation.bracket
//           ^^^ constant
//                 ^ number
//                    ^^^^ constant
event Ping : Request;
// <- keyword
//    ^^^^ constant
//           ^^^^^^^ type
event Any : event;
// <- keyword
//          ^^^^^ type.builtin
eventset Both = { Ping, halt };
// <- keyword
//       ^^^^ constant
//                ^^^^ constant
//                      ^^^^ constant.builtin
interface Server (int) receives Ping;
// <- keyword
//        ^^^^^^ type
//                     ^^^^^^^^ keyword
//                              ^^^^ constant
param clients : int;
// <- keyword
//    ^^^^^^^ constant
fun now() : int;
// <- keyword.function
//  ^^^ function
fun spawn(limit: int) : machine creates Server;
//        ^^^^^ variable.parameter
//                              ^^^^^^^ keyword
//                                      ^^^^^^ type
fun pick(from: seq[int]) return (chosen: int);
//                       ^^^^^^ keyword.return
//                               ^^^^^^ variable.parameter
  requires sizeof(from) > 0;
//^^^^^^^^ keyword
//         ^^^^^^ function.builtin
//                ^^^^ variable.parameter
//                      ^ operator
  ensures chosen in from;
//^^^^^^^ keyword
//        ^^^^^^ variable.parameter
//               ^^ keyword.operator
