//! Each feature on small programs. `$0` in a source is the cursor.

mod completion;
mod hover;
mod known;
mod navigation;
mod rename;
mod signature;

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::{Language, Parse};

/// A source without its cursor, parsed, and where the cursor is.
fn at_cursor(source: &str) -> (Parse, TextSize) {
    let cursor = source.find("$0").expect("the source has a cursor");
    let text = source.replacen("$0", "", 1);
    (Parse::new(Language::Icet, text.as_str()), TextSize::try_from(cursor).expect("a short source"))
}

/// `line:column` from 1, and the text there.
fn shown(parse: &Parse, range: TextRange) -> String {
    let at = parse.text().position(range.start(), lockstep_base::Encoding::Utf8);
    format!("{}:{} {}", at.line + 1, at.column + 1, parse.text().slice(range))
}

/// Two processes, a set, an enum, records, loops and claims.
const PROGRAM: &str = "\
set Nodes;                       // whom the server asks
set Trusted subset Nodes;
type Load = (free: int, used: int);
// What a node may say.
enum Reply { Busy, Ready(load: Load, since: int) }

// A question.
message Ask(from_whom: pid, round: int);
message Say(reply: Reply);
const limit: int = 3;
ghost var served: set[Nodes];

process server {
  var reply: Reply;
  var best: Load;
  var since: int;
  ghost var heard: set[Nodes];

  repeat limit as i {
    for n in Nodes done Asked
      invariant known: forall (m: Nodes) :: m in Asked ==> m.asked > i;
    {
      send Ask(server, i) to n;
      recv Say(reply) from n;
      match (reply) {
        case Ready(best, since): {
          heard = heard + {n};
          best.free = best.used - 1;
        }
        default: {
          best = (free = 0, used = limit);
        }
      }
    }
  }
}

process node in Nodes {
  var asked: int = 0;
  var who: pid;

  while (true) {
    recv Ask(_, asked) from who in {server};
    if (node in Trusted && asked < limit) {
      send Say(Ready((free = asked, used = 1), 0)) to who;
    } else {
      send Say(Busy) to who;
    }
  }
}

ensures all: card(server.heard) == card(Nodes) || server.best.free > 0;
";
