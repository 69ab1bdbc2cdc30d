// A counter whose writers take themselves for done before they have got the value they asked for.
// fault: goto too early
// expect: unhandled event
// says: eValue

event eRead: Writer;
event eValue: int;
event eWrite: int;

param writers: int;

machine Counter {
    var value: int;

    start state Serving {
        entry {
            var i: int;
            while (i < writers) {
                new Writer(this);
                i = i + 1;
            }
        }
        on eRead do (writer: Writer) { send writer, eValue, value; }
        on eWrite do (new_value: int) {
            value = new_value;
            assert value >= 1 && value <= writers;
        }
    }
}

machine Writer {
    var counter: Counter;

    start state Reading {
        entry (c: Counter) {
            counter = c;
            send counter, eRead, this;
            goto Done;
        }
        on eValue do (value: int) {
            send counter, eWrite, value + 1;
            goto Done;
        }
    }

    state Done { }
}

test param (writers in [2]) tcCounter [main=Counter]: { Counter, Writer };
