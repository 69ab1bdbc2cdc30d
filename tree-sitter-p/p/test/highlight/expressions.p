// Values and operators.
enum Colour { Red, Green }
fun expressions(input: int, sent: bool) : any {
//              ^^^^^ variable.parameter
//                          ^^^^ variable.parameter
//                                        ^^^ type.builtin
  var x: data;
//    ^ variable
//       ^^^^ type.builtin
  x = 1.5 + 2;
//    ^^^ number.float
//        ^ operator
//          ^ number
  x = .5;
//    ^^ number.float
  x = float(1, 2);
//    ^^^^^ function.builtin
//          ^ number.float
  x = true && !false || $ == $$;
//    ^^^^ boolean
//         ^^ operator
//            ^ operator
//             ^^^^^ boolean
//                   ^^ operator
//                      ^ constant.builtin
//                           ^^ constant.builtin
  x = "text";
//    ^^^^^^ string
  x = input as int to string;
//    ^^^^^ variable.parameter
//          ^^ keyword.operator
//             ^^^ type.builtin
//                 ^^ keyword.operator
//                    ^^^^^^ type.builtin
  x = default(seq[int]);
//    ^^^^^^^ function.builtin
//            ^^^ type.builtin
  x = choose(3) in values(table);
//    ^^^^^^ function.builtin
//              ^^ keyword.operator
//                 ^^^^^^ function.builtin
  x = format("{0}", Red);
//    ^^^^^^ function.builtin
//           ^^^^^ string
//                  ^^^ constant
  x = (a = 1, b = sent);
//     ^ property
//            ^ property
//                ^^^^ variable.parameter
  x = pair.0.name;
//    ^^^^ variable
//         ^ number
//           ^^^^ variable.member
  x = -helper(input) % 2;
//    ^ operator
//     ^^^^^^ function.call
//                   ^ operator
  x -= this;
//  ^^ operator
//     ^^^^ variable.builtin
  print "a" + "b";
//^^^^^ keyword
//      ^^^ string
}
