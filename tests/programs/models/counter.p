// A counter without a lock: writers read it and then write what they have read and one more. The last value is anything from 1 to the
// number of writers.

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
        }
        on eValue do (value: int) {
            send counter, eWrite, value + 1;
            goto Done;
        }
    }

    state Done { }
}

test param (writers in [2, 3, 4, 5, 6, 7, 8, 10, 15]) tcCounter [main=Counter]: { Counter, Writer };
