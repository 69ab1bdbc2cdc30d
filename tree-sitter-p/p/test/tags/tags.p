type Id = int;
//   ^ definition.type
enum Level { Low }
//   ^ definition.enum
//           ^ definition.constant
event Ping : Id;
//    ^ definition.constant
//           ^ reference.type
interface Peer () receives Ping;
//        ^ definition.interface
//                         ^ reference.constant
fun ask(to_whom: machine) { send to_whom, Ping; }
//  ^ definition.function
//                                        ^ reference.constant
machine Server {
//      ^ definition.class
  var peer: machine;
//    ^ definition.field
  start state Init {
//            ^ definition.state
    entry setUp;
//        ^ reference.call
    on Ping goto Init;
//     ^ reference.constant
//               ^ reference.state
  }
  fun setUp() { peer = new Peer(); ask(peer); }
//    ^ definition.method
//                         ^ reference.class
//                                 ^ reference.call
}
spec Safety observes Ping { }
//   ^ definition.class
module System = union { Server -> Peer }, Others;
//     ^ definition.module
//                      ^ reference.class
//                                ^ reference.interface
//                                        ^ reference.module
test Basic [main = Server] : assert Safety in System;
//   ^ definition.test
//                 ^ reference.class
//                                  ^ reference.class
//                                            ^ reference.module
pure leader() : machine;
//   ^ definition.function
Lemma ring { invariant unique: leader() == null; }
//    ^ definition.module
//                     ^ definition.constant
//                             ^ reference.call
Proof whole { }
//    ^ definition.module
