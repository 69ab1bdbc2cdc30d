//! IceT: what its programs mean and do.
//!
//! | module | |
//! |---|---|
//! | `program` | the resolved program everything else works on |
//! | `certificate` | what sequentialization did, as a file |
//! | `certify` | an independent check of what sequentialization claims |
//! | `check` | from the typed tree to the resolved program, with everything that is wrong |
//! | `explain` | what the codes of findings mean |
//! | `print` | the resolved program, or a piece of it, as text |
//! | `run` | what its runs do: all of them for a given size, or one |
//! | `shape` | a program apart from where it stands in its text |
//! | `rewrite` | sequentialization |
//! | `analysis` | what is known of a program: proved by sequentialization, refuted by a run, or unknown and why |

pub mod analysis;
pub mod certificate;
pub mod certify;
pub mod check;
pub mod explain;
pub mod print;
pub mod program;
pub mod rewrite;
pub mod run;
pub mod shape;
mod stack;
mod types;
