// Types that contain themselves, and types that only meet again.
type tSelf = tSelf; //! LS0103
type tList = (head: int, tail: tList); //! LS0103
type tTree = seq[tTree]; //! LS0103
type tOdd = map[int, tEven]; //! LS0103
type tEven = set[tOdd]; //! LS0103
type tPair = (int, tTriple); //! LS0103
type tTriple = (tFirst, int, int); //! LS0103
type tFirst = tPair; //! LS0103
type tUser = seq[tTree]; // mentions one that does, but does not itself

type tLeft = (a: tBase, b: tBase);
type tRight = (l: tLeft, b: tBase);
type tBase = map[tKey, seq[int]];
type tKey = (int, string);
type tForeign;
type tHolder = seq[tForeign];

// Machines refer to each other as they like.
machine Ping {
    var peer: Pong;
    var seen: tRight;
    start state Init { entry { peer = new Pong(this); } }
}
machine Pong {
    var peer: Ping;
    var held: tHolder;
    start state Init { entry (from: Ping) { peer = from; } }
}
