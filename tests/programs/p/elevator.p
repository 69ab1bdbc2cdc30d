// An elevator with a door, a button panel and an emergency stop: mostly states and transitions.

enum Direction { UP = 1, DOWN = 2, NOWHERE = 0 }

event eCall: int;
event eArrived: int;
event eOpenDoor;
event eCloseDoor;
event eDoorOpened;
event eDoorClosed;
event eObstacle;
event eEmergency;
event eResume: (floor: int, direction: Direction);

machine Elevator {
    var door: Door;
    var motor: Motor;
    var calls: set[int];
    var floor: int;
    var direction: Direction;
    var lastStop: (floor: int, direction: Direction);

    start state Init {
        entry {
            door = new Door(this);
            motor = new Motor(this);
            goto Resting;
        }
        defer eCall, eEmergency;
    }

    state Resting {
        entry { direction = NOWHERE; }
        on eCall do (wanted: int) {
            if (wanted == floor) {
                goto Opening;
            }
            calls += (wanted);
            goto Moving, Toward(wanted);
        }
        on eEmergency goto Stopped with Remember;
        ignore eObstacle, eArrived;
    }

    state Moving {
        entry (chosen: Direction) {
            direction = chosen;
            send motor, eCall, NextFloor();
        }
        on eArrived do (reached: int) {
            assert reached >= 0, "below the ground";
            floor = reached;
            if (floor in calls) {
                calls -= (floor);
                goto Opening;
            }
            goto Moving, direction;
        }
        on eCall do (wanted: int) { calls += (wanted); }
        on eEmergency goto Stopped with Remember;
        ignore eObstacle;
    }

    state Opening {
        entry { send door, eOpenDoor; }
        on eDoorOpened goto Open;
        on eCall do AddCall;
        defer eEmergency;
        ignore eObstacle, eArrived;
    }

    state Open {
        entry { send door, eCloseDoor; }
        on eDoorClosed do {
            var goal: int;
            if (sizeof(calls) == 0) goto Resting;
            goal = calls[0];
            if (goal == floor) {
                calls -= (goal);
                goto Opening;
            }
            goto Moving, Toward(goal);
        }
        on eObstacle, eDoorOpened goto Opening;
        on eCall do AddCall;
        defer eEmergency;
        ignore eArrived;
    }

    state Stopped {
        entry {
            print format("stopped at {0}, direction {1}", lastStop.floor, lastStop.direction to int);
            raise eResume, lastStop;
        }
        on eResume do (stop: (floor: int, direction: Direction)) {
            floor = stop.floor;
            if (stop.direction != NOWHERE) {
                goto Moving, stop.direction;
            }
            goto Resting;
        }
        defer eCall, eArrived;
        ignore eEmergency, eObstacle, eDoorClosed, eDoorOpened;
    }

    fun Remember() {
        lastStop = (floor = floor, direction = direction);
    }

    fun AddCall(wanted: int) {
        calls += (wanted);
    }

    fun NextFloor(): int {
        if (direction == UP) {
            return floor + 1;
        } else if (direction == DOWN) {
            return floor - 1;
        }
        return floor;
    }

    fun Toward(wanted: int): Direction {
        if (wanted > floor) { return UP; }
        else { return DOWN; }
    }
}

machine Door {
    var owner: machine;
    start state Closed {
        entry (o: machine) { owner = o; }
        on eOpenDoor goto Opened;
        ignore eCloseDoor;
    }
    state Opened {
        entry { send owner, eDoorOpened; }
        on eCloseDoor do {
            if ($) { send owner, eObstacle; goto Ajar; }
            send owner, eDoorClosed;
            goto Shut;
        }
    }
    state Ajar { on eOpenDoor goto Opened; on eCloseDoor goto Shut with { send owner, eDoorClosed; } }
    state Shut { on eOpenDoor goto Opened; ignore eCloseDoor; }
}

machine Motor {
    var owner: machine;
    start state Still {
        entry (o: machine) { owner = o; }
        on eCall do (target: int) { send owner, eArrived, target; }
    }
}

machine People {
    start state Init {
        entry {
            var lift: Elevator;
            lift = new Elevator();
            send lift, eCall, choose(3);
            send lift, eCall, choose(3);
            if ($) send lift, eEmergency;
        }
    }
}

test tcElevator [main=People]: { People, Elevator, Door, Motor };
