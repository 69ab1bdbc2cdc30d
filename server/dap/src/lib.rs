//! The debugger: goes through a stored run of a P test, forward and back, over the Debug Adapter Protocol.
//!
//! - [`Session`] is the debugger itself: a program, a trace of it, and a cursor (`session.rs`) over all points of the run
//!   (`recording.rs`). It has no protocol in it. `frames.rs`, `variables.rs` and `evaluate.rs` say what is seen at a point, `stops.rs`
//!   where to stop.
//! - [`serve`] speaks the protocol: `wire.rs` reads and writes messages, `protocol.rs` knows their fields, `adapter.rs` answers them.
//!
//! Nothing here has a meaning of P of its own: every run is one of `lockstep_runtime`, which is only watched. Nothing here finds or reads
//! files; whoever starts it says how a trace is loaded.

mod activation;
mod adapter;
mod evaluate;
mod frames;
mod protocol;
mod recording;
mod session;
mod statements;
mod stops;
#[cfg(test)]
mod tests;
mod variables;
mod wire;

use std::io::{self, BufRead, Write};

use lockstep_base::Text;
use lockstep_runtime::Program;
use lockstep_trace::TraceFile;

pub use evaluate::evaluate;
pub use frames::{FrameView, frames};
pub use protocol::Launch;
pub use recording::{Actor, Kind, Point, Situation};
pub use session::{Cursor, Reason, Session, Stopped};
pub use stops::{Name, Stops, named, statements_from};
pub use variables::{Opens, Row, scopes};

/// Everything that is needed to go through a trace.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub file: TraceFile,
    /// The program that the trace is of.
    pub program: Program,
    /// The texts of `Program::files`, in the same order.
    pub sources: Vec<Source>,
}

/// A file of a program.
#[derive(Clone, Debug)]
pub struct Source {
    /// From the root of the file system on, for editors.
    pub path: String,
    pub text: Text,
}

/// Finds and reads a trace and its program. If that cannot be done, says why and what to do.
pub type Load<'a> = dyn FnMut(&Launch) -> Result<Loaded, String> + 'a;

/// Speaks with a client until it says goodbye or closes the stream. Whether it said goodbye.
pub fn serve(input: &mut dyn BufRead, output: &mut dyn Write, load: &mut Load<'_>) -> io::Result<bool> {
    adapter::serve(input, output, load)
}
