// For PVerifier: a hub sends notes to its members and counts the receipts. Loops need
// invariants, and the outside world is described by contracts.

type tNote = (from: Hub, text: int);

event eNotify: tNote;
event eReceipt: (from: machine);
event eSpread: int;

pure members(): set[machine];
pure is_hub(m: machine): bool;

init-condition forall (m: machine) :: m in members() ==> m is Member;
init-condition forall (h: Hub) :: h.receipts == default(set[machine]) && is_hub(h);
init-condition forall (m: Member) :: !is_hub(m) && m.notes == 0;

fun Draw(all: set[machine])
    return (drawn: machine);
    requires exists (m: machine) :: m in all;
    ensures drawn in all;

fun Bound(low: int, high: int)
    return (between: int);
    requires low <= high;
    ensures low <= between;
    ensures between <= high;

fun Audit(note: tNote)
    requires note.text >= 0;

machine Hub {
    var receipts: set[machine];
    var favourite: machine;
    var sentNotes: int;

    start state Running {
        on eSpread do (text: int) {
            var m: machine;
            var note: tNote;

            assume text >= 0;
            assume exists (x: machine) :: x in members(), "nobody to tell";
            note = (from = this, text = text);
            Audit(note);
            foreach (m in members())
                invariant forall new (e: event) :: e is eNotify;
                invariant forall new (e: event) :: forall (x: machine) :: e targets x ==> x in members();
            {
                send m, eNotify, (from = this, text = text);
            }
            favourite = Draw(members());
            sentNotes = Bound(0, text);
        }

        on eReceipt do (receipt: (from: machine)) {
            receipts += (receipt.from);
        }
    }
}

machine Member {
    var notes: int;

    start state Listening {
        on eNotify do (note: tNote) {
            notes = notes + 1;
            send note.from, eReceipt, (from = this,);
        }
    }
}

Lemma shape {
    invariant members_listen: forall (m: machine) :: m in members() ==> m is Member;
    invariant hubs: forall (m: machine) :: m is Hub <==> is_hub(m);
    invariant notes_to_members: forall (e: eNotify, m: machine) :: inflight e && e targets m ==> m is Member;
    invariant receipts_to_hub: forall (e: eReceipt, m: machine) :: inflight e && e targets m ==> m is Hub;
    invariant spread_to_hub: forall (e: eSpread, m: machine) :: inflight e && e targets m ==> m is Hub;
    invariant from_hub: forall (e: eNotify) :: inflight e ==> e.from is Hub;
}

Theorem only_members_answer {
    invariant senders: forall (e: eReceipt) :: inflight e ==> e.from is Member;
    invariant counted: forall (h: Hub, m: machine) :: m in h.receipts ==> m is Member;
}

Proof of_shape {
    prove shape;
    prove default using shape;
}

Proof of_answers {
    prove only_members_answer_counted using shape, only_members_answer_senders;
    prove only_members_answer_senders using shape except shape_spread_to_hub;
}
