// A tank that takes out a share of the number, by its own level, which may be nothing.
// fault: wrong expression
// expect: division

event ePump: int;

param pumps: int;

machine Tank {
    var level: int;
    var most: int;

    start state Open {
        entry {
            var i: int;
            i = 1;
            while (i <= pumps) {
                most = most + i;
                new Pump((tank = this, number = i));
                i = i + 1;
            }
        }
        on ePump do (number: int) {
            if (number / 2 > level) { level = level - number / level; } else { level = level + number; }
            assert level <= most && level >= 0 - most, "more than all of them together";
        }
    }
}

machine Pump {
    start state Init {
        entry (task: (tank: Tank, number: int)) { send task.tank, ePump, task.number; }
    }
}

test param (pumps in [2]) tcTank [main=Tank]: { Tank, Pump };
