type tJob = (owner: machine, pages: int);
type tQueue = seq[tJob];
enum tColour { BLACK, CYAN }
