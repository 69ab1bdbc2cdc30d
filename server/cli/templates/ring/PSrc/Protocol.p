// What goes round the ring.

event eNeighbour: Node;
event eRank: int;
event eElected: int;
