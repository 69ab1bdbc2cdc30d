/*
 * A token ring: stations pass one token on, and only the station that has it may speak.
 * The token can be lost on the wire; an idle ring makes a new one.
 * Indented with tabs.
 */
event eToken: int;
event eSpeak: (station: machine, turn: int);
event eFrame: string;
event eJoin: Station;
event eQuiet;

machine Station {
	var next: Station;
	var name: string;
	var outbox: seq[string];
	var turn: int;

	start state Joining {
		entry (n: string) {
			name = n;
			outbox += (0, name + ": hello");
			outbox += (1, name + ": bye");
		}
		on eJoin goto Listening with (neighbour: Station) {
			next = neighbour;
		}
		defer eToken, eFrame;
	}

	state Listening {
		on eToken goto Speaking;
		on eFrame do (text: string) { print text; }
		exit {
			print name;
		}
	}

	state Speaking {
		entry SpeakUp;
		exit PassOn;
		on eQuiet goto Listening;
		defer eToken, eFrame;
	}

	fun SpeakUp(received: int) {
		turn = received + 1;
		announce eSpeak, (station = this, turn = turn);
		if (sizeof(outbox) != 0) {
			send next, eFrame, outbox[0];
			outbox -= 0;
		}
		raise eQuiet;
	}

	fun PassOn() {
		if (turn < 12 && $$) {
			send next, eToken, turn;
		}
	}
}

machine Wire {
	var first: Station;
	var made: int;

	start state Build {
		entry {
			var a: Station;
			var b: Station;
			first = new Station("a");
			a = new Station("b");
			b = new Station("c");
			send first, eJoin, a;
			send a, eJoin, b;
			send b, eJoin, first;
			goto Watch;
		}
	}

	// Nobody has spoken for a while: a few times, put a new token on the ring.
	state Watch {
		on null do {
			if (made == 2) {
				goto Off;
			}
			made = made + 1;
			send first, eToken, made;
		}
	}

	state Off {
		entry {
			send this, halt;
		}
		on halt goto Gone;
	}

	state Gone { }
}

scenario SpokeThrice observes eSpeak {
	var count: int;
	start state Counting {
		on eSpeak do {
			count = count + 1;
			if (count == 3) goto Seen;
		}
	}
	cold state Seen {
		ignore eSpeak;
	}
}

test tcTokenRing [main = Wire]: { Wire, Station };
