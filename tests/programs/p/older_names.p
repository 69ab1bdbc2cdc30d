// A lock table in the style of models written before P had proofs: `exists`, `sent`, `using` and
// other proof words serve as ordinary names. Today's compiler rejects the file on purpose, since
// these words are reserved; a language server should still give it a clean tree and say which
// names to change.

type pure = (using: int, except: bool);

enum targets { requires, ensures }

event sent: int;
event inflight: (is: machine, sent: int);
event axiom;

fun exists(table: map[int, machine], prove: int): bool {
  return prove in table;
}

fun forall(using: seq[int], except: int): bool {
  var is: int;
  foreach (is in using) {
    if (is == except) { return false; }
  }
  return true;
}

machine Table {
  var exists: bool;
  var invariant, targets: int;
  var using: map[int, machine];
  var pure: pure;

  start state Lemma {
    entry {
      exists = false;
      invariant = 0;
      pure = (using = 1, except = true);
      pure.using = pure.using + invariant;
      goto Theorem;
    }
  }

  state Theorem {
    on sent do (except: int) {
      var sent: int;
      sent = except + 1;
      using[sent] = this;
      targets = sizeof(using);
      if (exists(using, sent) && !exists) {
        exists = true;
        raise axiom;
      }
      using -= (sent);
    }
    on inflight do prove;
    on axiom goto Proof;
  }

  state Proof {
    entry {
      assert exists, "exists";
      assert targets > 0 && pure.except;
    }
    ignore sent, inflight, axiom;
  }

  fun prove(is: (is: machine, sent: int)) {
    send is.is, sent, is.sent;
  }
}

machine Main {
  start state Init {
    entry {
      var inflight: machine;
      inflight = new Table();
      send inflight, sent, 3;
      send inflight, axiom;
    }
  }
}
