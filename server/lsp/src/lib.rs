//! The language server: speaks the protocol and nothing else.
//!
//! Three kinds of threads. The *transport* (tower-lsp on one tokio thread) turns messages into events and posts them, in order, without
//! doing anything else. The *state* thread owns everything that changes: documents, settings, the database; it applies notifications as
//! they come and starts requests. Requests and checks run on a *pool*, each on a snapshot of the state. A change of the state cancels
//! what runs on older snapshots; it is started again. If its own document has changed, it is answered with "content modified", but for
//! what people wait for while they type: that is answered from the later text (`drift.rs`).
//!
//! A panic in a request is answered as an error and told once; everything else goes on.

mod capabilities;
mod commands;
mod convert;
mod documents;
mod drift;
mod event;
mod handlers;
mod icet;
mod input;
mod panics;
mod publish;
mod runs;
mod settings;
mod snapshot;
mod state;
mod stats;
mod transport;
mod verdicts;
mod watch;

pub use panics::last_panic;
pub use stats::last_session;

/// Serves one client on standard input and output until it leaves. Returns whether it said goodbye before.
pub fn serve(version: &'static str) -> std::io::Result<bool> {
    panics::remember();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let was_goodbye = runtime.block_on(transport::serve(version));
    // A thread may still wait for standard input; it must not keep the process.
    runtime.shutdown_background();
    Ok(was_goodbye)
}
