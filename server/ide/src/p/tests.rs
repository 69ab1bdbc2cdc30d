//! Each feature on small programs. `$0` in a source is the cursor; a line `// file: name.p` begins another file.

mod calls;
mod completion;
mod fields;
mod hints;
mod hover;
mod look;
mod navigation;
mod proofs;
mod rename;
mod signature;

use lockstep_base::{Encoding, TextSize};
use lockstep_program::{Database, Member, Project, ProjectFile, Purpose, SourceFile, project_files};
use lockstep_syntax::{Language, Parse};

use super::FilePlace;

/// A project of one or more files, and where the cursor is.
struct Fixture {
    db: Database,
    project: Project,
    file: SourceFile,
    offset: TextSize,
}

impl Fixture {
    fn new(source: &str) -> Self {
        Self::with(Purpose::Checking, source)
    }

    fn verifying(source: &str) -> Self {
        Self::with(Purpose::Verifying, source)
    }

    /// Without a cursor, the place is the start of the first file.
    fn with(purpose: Purpose, source: &str) -> Self {
        let db = Database::default();
        let mut files = Vec::new();
        let mut cursor = None;
        for (name, text) in split(source) {
            let at = text.find("$0");
            let file = SourceFile::open(&db, name, Parse::new(Language::P, text.replacen("$0", "", 1).as_str()));
            if let Some(at) = at {
                cursor = Some((file, TextSize::try_from(at).expect("a short source")));
            }
            files.push(Member::from(file));
        }
        let (file, offset) = cursor.unwrap_or((files[0].file, TextSize::default()));
        let project = Project::open(&db, "test", files, purpose);
        Self { db, project, file, offset }
    }

    /// The file with the cursor.
    fn here(&self) -> ProjectFile<'_> {
        project_files(&self.db, self.project).find(|file| file.file(&self.db) == self.file).expect("it is a file of the project")
    }

    /// `line:column` from 1, with the file's name if there are several, and the line itself with `<` and `>` around the place.
    fn shown(&self, place: FilePlace) -> String {
        let text = place.file.parse(&self.db).text();
        let at = text.position(place.range.start(), Encoding::Utf8);
        let line = text.to_string().lines().nth(at.line as usize).unwrap_or_default().to_owned();
        let (start, length) = (at.column as usize, usize::from(place.range.len()));
        let marked = format!("{}<{}>{}", &line[..start], &line[start..start + length], &line[start + length..]);
        let file = match self.project.files(&self.db).len() {
            1 => String::new(),
            _ => format!("{}:", place.file.path(&self.db)),
        };
        format!("{file}{}:{} {}\n", at.line + 1, at.column + 1, marked.trim())
    }

    fn shown_all(&self, places: impl IntoIterator<Item = FilePlace>) -> String {
        places.into_iter().map(|place| self.shown(place)).collect()
    }
}

/// The files of a source, each with its name.
fn split(source: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in source.split_inclusive('\n') {
        match line.strip_prefix("// file: ") {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None if files.is_empty() => files.push(("a.p".to_owned(), line.to_owned())),
            None => files.last_mut().expect("there is one").1.push_str(line),
        }
    }
    files
}

/// A server and its clients, watched by a spec; with a test that has parameters.
const PROGRAM: &str = "\
// file: types.p
// What a client asks for.
type tRequest = (client: Client, id: int);
enum tStatus { OK, BUSY }
/* Asks the server
   for something. */
event eRequest: tRequest;
event eResponse: (id: int, status: tStatus);
event eTick;
event eUnused;
eventset sAll = { eRequest, eResponse };
param nClients, nRequests: int;
param isFast: bool;
// file: server.p
// Answers requests.
machine Server {
  var served: int;
  var last: tRequest;
  start state Idle {
    on eRequest do Answer;
    on eTick goto Busy with { served = 0; }
  }
  state Busy {
    defer eRequest;
    ignore eTick;
    entry {
      if (served > nRequests) { raise eTick; }
      goto Idle;
    }
  }
  fun Answer(request: tRequest) {
    var status: tStatus;
    last = request;
    served = Next(served);
    if (served == nRequests) { status = BUSY; } else { status = OK; }
    send request.client, eResponse, (id = request.id, status = status);
  }
}
// One more.
fun Next(n: int): int { return n + 1; }
// file: client.p
interface Asker (Server) receives eResponse;
machine Client {
  var server: Server;
  start state Start {
    entry (to_ask: Server) {
      var number: int;
      server = to_ask;
      number = Next(0);
      send server, eRequest, (client = this, id = number);
      receive {
        case eResponse: (response: (id: int, status: tStatus)) { assert response.id == number; }
      }
      announce eTick;
    }
  }
}
// Nobody waits for ever.
spec Answers observes eRequest, eResponse {
  var open: int;
  start cold state Quiet { on eRequest goto Waiting; ignore eResponse; }
  hot state Waiting { on eResponse do { open = open - 1; goto Quiet; } ignore eRequest; }
}
// file: test.p
machine Driver {
  start state Init { entry { var server: Server; server = new Server(); new Client(server); } }
}
module system = { Server, Client };
module asking = { Client -> Asker };
test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Answers in (union system, { Driver });
test tcOne [main = Driver]: union system, { Driver };
";

/// `PROGRAM` with the cursor in front of the `nth` time that `text` occurs in it, counted from 0.
fn program_at(text: &str, nth: usize) -> String {
    let (at, _) = PROGRAM.match_indices(text).nth(nth).expect("the program has this text");
    format!("{}$0{}", &PROGRAM[..at], &PROGRAM[at..])
}

#[test]
fn the_program_has_no_errors() {
    let fixture = Fixture::new(PROGRAM);
    let errors: Vec<String> = project_files(&fixture.db, fixture.project)
        .flat_map(|file| lockstep_program::file_diagnostics(&fixture.db, file))
        .filter(|found| found.code < "LS1")
        .map(|found| found.message)
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}
