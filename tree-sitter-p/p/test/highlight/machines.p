/* A machine, its states and its statements. */
event Request : (client: machine, n: int);
event Response : int;
machine Server
// <- keyword
//      ^^^^^^ type
  receives Request;
  sends Response, halt;
//^^^^^ keyword
//      ^^^^^^^^ constant
//                ^^^^ constant.builtin
{
  var total: int;
//^^^ keyword
//    ^^^^^ variable
//           ^^^ type.builtin
  var peers: seq[machine];
  start state Init {
//^^^^^ keyword.modifier
//      ^^^^^ keyword
//            ^^^^ label
    entry (config: (limit: int)) {
//  ^^^^^ keyword
//         ^^^^^^ variable.parameter
//                  ^^^^^ variable.member
      var next, i: int;
      total = config.limit;
//    ^^^^^ variable
//          ^ operator
//            ^^^^^^ variable.parameter
//                  ^ punctuation.delimiter
//                   ^^^^^ variable.member
      peers += (0, new Server((limit = 3,)));
//    ^^^^^ variable
//          ^^ operator
//                 ^^^ keyword.operator
//                     ^^^^^^ constructor
//                             ^^^^^ property
//                                     ^ number
      if (total > 0) { goto Busy, total; } else raise halt;
//    ^^ keyword.conditional
//                     ^^^^ keyword
//                          ^^^^ label
//                                         ^^^^ keyword.conditional
//                                              ^^^^^ keyword
//                                                    ^^^^ constant.builtin
      foreach (i in keys(table)) total = add(total, i);
//    ^^^^^^^ keyword.repeat
//               ^^ keyword.repeat
//                  ^^^^ function.builtin
//                               ^^^^^ variable
//                                       ^^^ function.call
      while (true) { break; continue; }
//    ^^^^^ keyword.repeat
//           ^^^^ boolean
//                   ^^^^^ keyword.repeat
//                          ^^^^^^^^ keyword.repeat
    }
    exit leave;
//  ^^^^ keyword
//       ^^^^^ function
    on Request goto Busy with (payload: (client: machine, n: int)) {
//  ^^ keyword
//     ^^^^^^^ constant
//             ^^^^ keyword
//                  ^^^^ label
//                       ^^^^ keyword
//                             ^^^^^^^ variable.parameter
//                                       ^^^^^^ variable.member
      send payload.client, Response, payload.n;
//    ^^^^ keyword
//         ^^^^^^^ variable.parameter
//                 ^^^^^^ variable.member
//                         ^^^^^^^^ constant
      announce Response, 1;
//    ^^^^^^^^ keyword
//             ^^^^^^^^ constant
      report();
//    ^^^^^^ function.call
    }
    on null do idle;
//     ^^^^ constant.builtin
//          ^^ keyword
//             ^^^^ function
    defer Response;
//  ^^^^^ keyword
//        ^^^^^^^^ constant
    ignore halt;
//  ^^^^^^ keyword
//         ^^^^ constant.builtin
  }
  cold state Busy {
//^^^^ keyword.modifier
//           ^^^^ label
    entry {
      receive {
//    ^^^^^^^ keyword
        case Response: (answer: int) { assert answer > 0, "positive"; }
//      ^^^^ keyword
//           ^^^^^^^^ constant
//                      ^^^^^^ variable.parameter
//                                     ^^^^^^ keyword
//                                            ^^^^^^ variable.parameter
//                                                        ^^^^^^^^^^ string
      }
      send this, pick, null;
//         ^^^^ variable.builtin
//               ^^^^ constant
//                     ^^^^ constant.builtin
    }
  }
  fun add(a: int, b: int) : int { return a + b; }
//^^^ keyword.function
//    ^^^ function
//        ^ variable.parameter
//                                ^^^^^^ keyword.return
//                                         ^ operator
  fun forward(to_send: event) { send peers[0], to_send; }
//            ^^^^^^^ variable.parameter
//                     ^^^^^ type.builtin
//                                             ^^^^^^^ variable.parameter
}
spec Live observes Request, Response {
// <- keyword
//   ^^^^ type
//        ^^^^^^^^ keyword
//                 ^^^^^^^ constant
  start hot state Waiting { }
//^^^^^ keyword.modifier
//      ^^^ keyword.modifier
//                ^^^^^^^ label
}
scenario Seen observes Response { }
// <- keyword
//       ^^^^ type
