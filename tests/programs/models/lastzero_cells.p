// Last zero, each cell of the array a machine of its own: writers fill the array from the left, each cell from the one before, while a
// reader looks for the last zero from the right. It always finds one, since the first cell is never written.

event eGet: machine;
event eGot: int;
event eSet: int;

param cells: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Cell];
            var i: int;
            while (i <= cells) {
                all += (i, new Cell());
                i = i + 1;
            }
            new Reader(all);
            i = 1;
            while (i <= cells) {
                new Writer((before = all[i - 1], own = all[i]));
                i = i + 1;
            }
        }
    }
}

machine Cell {
    var number: int;

    start state Serving {
        on eGet do (client: machine) { send client, eGot, number; }
        on eSet do (new_number: int) { number = new_number; }
    }
}

machine Writer {
    var own: Cell;

    start state Reading {
        entry (task: (before: Cell, own: Cell)) {
            own = task.own;
            send task.before, eGet, this;
        }
        on eGot do (number: int) {
            send own, eSet, number + 1;
            goto Done;
        }
    }

    state Done { }
}

machine Reader {
    var all: seq[Cell];
    var index: int;

    start state Looking {
        entry (cells_to_read: seq[Cell]) {
            all = cells_to_read;
            index = cells;
            send all[index], eGet, this;
        }
        on eGot do (number: int) {
            if (number == 0) { goto Done; }
            index = index - 1;
            assert index >= 0, "there is no zero";
            send all[index], eGet, this;
        }
    }

    state Done { }
}

test param (cells in [2, 3, 4, 5, 6, 7, 8, 9, 10, 15]) tcLastZeroCells [main=Main]: { Main, Cell, Writer, Reader };
