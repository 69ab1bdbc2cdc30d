// Names of types that do not exist, wherever a type can stand.
event eKnown: tKnown;
event eUnknown: tUnknown; //! LS0105
type tKnown = (id: int, server: Server); //! LS0105
type tAlias = seq[tMissing]; //! LS0105
type tMap = map[tMissing, tMissing]; //! LS0105 LS0105
interface Service(tNothing) receives eKnown; //! LS0105
fun Take(value: tGone): tGone; //! LS0105 LS0105
fun Give(): eKnown; // the name of an event is a type too
param limit: tLimit; //! LS0105
enum tColour { RED, GREEN }
eventset sKnown = { eKnown };

spec Safety observes eKnown {
    var last: tknown; //! LS0105
    start state Watch { on eKnown do (value: tKnown) { } }
}

machine Client {
    var service: Service;
    var everyone: sKnown;
    var colour: tColour;
    var own: Client;
    var spied: Safety;
    var wrong: RED; //! LS0105
    start state Init {
        entry (who: tWho) { //! LS0105
            var local: tLocal; //! LS0105
            var fine: (tColour, tAlias);
            if (fine.0 == colour) { return; }
            local = default(tDefault); //! LS0105
            local = default(tKnown) as tCast; //! LS0105
            service = own to tCoerced; //! LS0105
            receive { case eKnown: (value: tReceived) { } } //! LS0105
        }
        on eKnown do (value: tHandled) { } //! LS0105
    }
}
