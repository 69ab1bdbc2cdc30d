// Last zero: an array that writers fill from the left, each cell from the one before, while a reader looks for the last zero from the
// right. It always finds one, since the first cell is never written.

event eGet: (index: int, client: machine);
event eGot: int;
event eSet: (index: int, number: int);

param cells: int;

machine Memory {
    var cell: seq[int];

    start state Serving {
        entry {
            var i: int;
            while (i <= cells) {
                cell += (i, 0);
                i = i + 1;
            }
            new Reader(this);
            i = 1;
            while (i <= cells) {
                new Writer((memory = this, index = i));
                i = i + 1;
            }
        }
        on eGet do (ask: (index: int, client: machine)) { send ask.client, eGot, cell[ask.index]; }
        on eSet do (set_to: (index: int, number: int)) { cell[set_to.index] = set_to.number; }
    }
}

machine Writer {
    var memory: Memory;
    var index: int;

    start state Reading {
        entry (task: (memory: Memory, index: int)) {
            memory = task.memory;
            index = task.index;
            send memory, eGet, (index = index - 1, client = this);
        }
        on eGot do (number: int) {
            send memory, eSet, (index = index, number = number + 1);
            goto Done;
        }
    }

    state Done { }
}

machine Reader {
    var memory: Memory;
    var index: int;

    start state Looking {
        entry (m: Memory) {
            memory = m;
            index = cells;
            send memory, eGet, (index = index, client = this);
        }
        on eGot do (number: int) {
            if (number == 0) { goto Done; }
            index = index - 1;
            assert index >= 0, "there is no zero";
            send memory, eGet, (index = index, client = this);
        }
    }

    state Done { }
}

test param (cells in [2, 3, 4, 5, 6, 7, 8, 10, 15]) tcLastZero [main=Memory]: { Memory, Writer, Reader };
