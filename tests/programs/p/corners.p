// The corners of the grammar that the compiler reads but cannot use: exponent floats, hidden
// events, refinement tests, implementations without a main machine, and foreign functions that
// end without a semicolon. It models a door bell.

event eRing: int;
event eDing: int;

fun Chime()
fun Volume() : float;
fun Mute(level: float, why: string) ;
fun Quiet(how: bool)

machine Bell receives eRing; sends eDing; {
  var level: float;
  var listener: machine;
  start state Waiting {
    entry (l: machine) { listener = l; level = float(15, 2); }
    on eRing do (times: int) {
      Chime();
      Quiet(false);
      send listener, eDing, times;
    }
  }
}

machine House receives eDing; sends eRing; {
  var bell: machine;
  start state Init {
    entry {
      bell = new Bell(this);
      send bell, eRing, 2;
      receive {
        case eDing: (times: int) { assert times == 2; }
        case halt, null: { return; }
      }
    }
  }
}

module Inside = hidee eRing, eDing in { House, Bell };
module Everything = { House, Bell };

test tcSame [main=House]: Inside refines Everything;
test tcPlain [main=House]: hidee halt in Everything;

implementation doorBell: Everything;
