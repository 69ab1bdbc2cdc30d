// A node that adds up its settings instead of counting those that are switched on.
// fault: wrong expression
// expect: assertion
// says: more features are enabled than there are

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
                enabled = enabled + setting;
            }
            send operator, eConfigured, enabled;
        }
    }
}

test param (features in [2]) tcSettings [main=Operator]: { Operator, Node };
