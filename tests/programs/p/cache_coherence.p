// Directory-based cache coherence with the three states of MSI, for a single line of memory.
// The directory handles one request at a time and defers the others.

enum Right { NONE, SHARED, EXCLUSIVE }

type tAsk = (cache: Cache, right: Right);
type tLine = (value: int, right: Right);

event eAsk: tAsk;
event eGrant: tLine;
event eInvalidate: Directory;
event eGaveUp: (cache: Cache, dirty: bool, value: int);
event eLoad: machine;
event eStore: (core: machine, value: int);
event eDone: int;
event eNowHas: (cache: machine, right: Right);

machine Directory {
  var memory: int;
  var sharers: set[Cache];
  var owner: Cache;
  var owned: bool;
  var asking: tAsk;
  var missing: set[Cache];

  start state Ready {
    on eAsk goto Serving;
  }

  state Serving {
    entry (ask: tAsk) {
      var cache: Cache;

      asking = ask;
      missing = default(set[Cache]);
      if (owned && owner != ask.cache) {
        missing += (owner);
      }
      if (ask.right == EXCLUSIVE) {
        foreach (cache in sharers) {
          if (cache != ask.cache) missing += (cache);
        }
      }
      foreach (cache in missing) {
        send cache, eInvalidate, this;
      }
      Answer();
    }

    on eGaveUp do (news: (cache: Cache, dirty: bool, value: int)) {
      if (news.dirty) {
        memory = news.value;
      }
      sharers -= (news.cache);
      if (owned && owner == news.cache) { owned = false; }
      missing -= (news.cache);
      Answer();
    }

    defer eAsk;
  }

  // Grants what was asked for as soon as nobody stands in the way.
  fun Answer() {
    if (sizeof(missing) > 0) {
      return;
    }
    if (asking.right == EXCLUSIVE) {
      owner = asking.cache;
      owned = true;
      sharers = default(set[Cache]);
    } else {
      sharers += (asking.cache);
    }
    send asking.cache, eGrant, (value = memory, right = asking.right);
    goto Ready;
  }
}

machine Cache {
  var directory: Directory;
  var line: tLine;
  var dirty: bool;

  start state Init {
    entry (d: Directory) { directory = d; goto Invalid; }
  }

  state Invalid {
    entry { Set(NONE); dirty = false; }
    on eLoad do (core: machine) {
      Fetch(SHARED);
      send core, eDone, line.value;
      goto Shared;
    }
    on eStore do Write;
    on eInvalidate do GiveUp;
  }

  state Shared {
    on eLoad do (core: machine) { send core, eDone, line.value; }
    on eStore do Write;
    on eInvalidate goto Invalid with GiveUp;
  }

  state Modified {
    on eLoad do (core: machine) { send core, eDone, line.value; }
    on eStore do Write;
    on eInvalidate goto Invalid with GiveUp;
  }

  fun Write(request: (core: machine, value: int)) {
    if (line.right != EXCLUSIVE) {
      Fetch(EXCLUSIVE);
    }
    line.value = request.value;
    dirty = true;
    send request.core, eDone, line.value;
    goto Modified;
  }

  // Asks the directory and waits; in the meantime it may lose what it has.
  fun Fetch(right: Right) {
    var waiting: bool;

    waiting = true;
    send directory, eAsk, (cache = this, right = right);
    while (waiting) {
      receive {
        case eGrant: (granted: tLine) {
          line = granted;
          waiting = false;
        }
        case eInvalidate: (d: Directory) {
          GiveUp(d);
        }
      }
    }
    Set(right);
  }

  fun GiveUp(d: Directory) {
    Set(NONE);
    send d, eGaveUp, (cache = this, dirty = dirty, value = line.value);
    dirty = false;
  }

  fun Set(right: Right) {
    line.right = right;
    announce eNowHas, (cache = this, right = right);
  }
}

machine Core {
  start state Init {
    entry (setup: (cache: Cache, steps: int)) {
      var i: int;
      while (i < setup.steps) {
        if ($) {
          send setup.cache, eLoad, this;
        } else {
          send setup.cache, eStore, (core = this, value = i * 10 + choose(10));
        }
        receive {
          case eDone: (value: int) { print format("step {0}: {1}", i, value); }
        }
        i = i + 1;
      }
    }
  }
}

spec OneWriter observes eNowHas {
  var rights: map[machine, Right];

  start state Watching {
    on eNowHas do (news: (cache: machine, right: Right)) {
      var other: machine;

      rights[news.cache] = news.right;
      if (news.right == NONE) {
        return;
      }
      foreach (other in keys(rights)) {
        if (other != news.cache && rights[other] != NONE) {
          assert news.right == SHARED && rights[other] == SHARED, "a writer is not alone";
        }
      }
    }
  }
}

machine Board {
  start state Init {
    entry {
      var directory: Directory;
      var i: int;

      directory = new Directory();
      while (i < 2) {
        new Core((cache = new Cache(directory), steps = 2));
        i = i + 1;
      }
    }
  }
}

test tcCoherent [main=Board]: assert OneWriter in { Board, Core, Cache, Directory };
