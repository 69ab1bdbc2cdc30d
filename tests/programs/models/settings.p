/* A node is started with settings that an operator has chosen, one for each of its features, and checks them.
   There is little concurrency and much data: every combination of settings is a state of its own. */

param features: int;

type tSettings = seq[int];

event eConfigure: tSettings;
event eConfigured: int;

machine Operator {
    var settings: tSettings;

    start state Choosing {
        entry {
            var node: Node;
            var feature: int;
            while (feature < features) {
                settings += (feature, choose(4));
                feature = feature + 1;
            }
            node = new Node(this);
            send node, eConfigure, settings;
        }

        on eConfigured do (enabled: int) {
            assert enabled <= features, "more features are enabled than there are";
        }
    }
}

machine Node {
    var operator: machine;
    var own: tSettings;
    var enabled: int;

    start state Starting {
        entry (creator: Operator) {
            operator = creator;
        }

        on eConfigure do (settings: tSettings) {
            var setting: int;
            own = settings;
            foreach (setting in own) {
                assert setting >= 0 && setting < 4, "there is no such setting";
                if (setting > 0) {
                    enabled = enabled + 1;
                }
            }
            send operator, eConfigured, enabled;
        }
    }
}

test param (features in [2, 3, 4, 6]) tcSettings [main=Operator]: { Operator, Node };
