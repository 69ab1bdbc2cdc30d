// A tank that is filled by guessing: every pump sends its own number once. If half of that number is more than what is in the tank, so
// much is taken out, else the whole number is put in. The order of arrival decides, and nobody waits for anybody. (This is
// what papers on P call `counter`, which is named after the number of its pumps and one.)

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
            if (number / 2 > level) { level = level - number / 2; } else { level = level + number; }
            assert level <= most && level >= 0 - most, "more than all of them together";
        }
    }
}

machine Pump {
    start state Init {
        entry (task: (tank: Tank, number: int)) { send task.tank, ePump, task.number; }
    }
}

test param (pumps in [2, 3, 4, 9, 14]) tcTank [main=Tank]: { Tank, Pump };
