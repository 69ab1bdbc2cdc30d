// A registry of workers: each registers when it is started, and the registry knows at the end of all of them.

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
        }
        on eRegister do (worker: Worker) {
            assert !(worker in known);
            known += (worker);
            assert sizeof(known) <= workers;
        }
    }
}

machine Worker {
    start state Init {
        entry (registry: Registry) { send registry, eRegister, this; }
    }
}

test param (workers in [3, 4, 5, 6, 7, 8, 9, 10]) tcRegistry [main=Registry]: { Registry, Worker };
