// For PVerifier: a token travels round a ring of nodes, and there is never a second one.
// All invariants are proven in one go.

event eToken: (turn: int);
event ePass;

pure right(m: machine): machine;
pure beginning(): machine;
pure later(a: int, b: int): bool = a >= b;

axiom forall (m: machine) :: right(m) != m;
axiom forall (a: machine, b: machine) :: right(a) == right(b) ==> a == b;

init-condition forall (n: Node) :: n.holds <==> n == beginning();
init-condition forall (n: Node) :: n.turn == 0;
init-condition forall (m: machine) :: right(m) is Node;

machine Node {
    var holds: bool;
    var turn: int;

    start state Passing {
        on ePass do {
            if (holds) {
                holds = false;
                send right(this), eToken, (turn = turn + 1,);
            }
        }

        on eToken do (token: (turn: int)) {
            holds = true;
            turn = token.turn;
        }
    }
}

invariant neighbours: forall (m: machine) :: right(m) is Node;
invariant one_holder: forall (a: Node, b: Node) :: a.holds && b.holds ==> a == b;
invariant one_token: forall (e: eToken, f: eToken) :: inflight e && inflight f ==> e == f;
invariant not_both: forall (e: eToken, n: Node) :: inflight e ==> !n.holds;
invariant to_nodes: forall (e: event, m: machine) :: inflight e && e targets m ==> m is Node;
invariant turns_grow: forall (e: eToken, n: Node) :: inflight e ==> later(e.turn, n.turn) || !(e targets n);
invariant stays: forall (n: Node) :: n is Passing;

Proof {
    prove *;
    prove default using *;
}
