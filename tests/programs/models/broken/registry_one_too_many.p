// A registry that waits for one worker more than there are.
// fault: wrong comparison
// expect: deadlock

event eRegister: Worker;

param workers: int;

machine Registry {
    var known: set[Worker];

    start state Open {
        entry {
            var i: int;
            while (i < workers) {
                new Worker(this);
                i = i + 1;
            }
            while (sizeof(known) <= workers) {
                receive {
                    case eRegister: (worker: Worker) { known += (worker); }
                }
            }
        }
    }
}

machine Worker {
    start state Init {
        entry (registry: Registry) { send registry, eRegister, this; }
    }
}

test param (workers in [2]) tcRegistry [main=Registry]: { Registry, Worker };
