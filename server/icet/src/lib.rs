//! IceT: what its programs mean and do.
//!
//! | module | |
//! |---|---|
//! | `program` | the resolved program everything else works on |

pub mod program;
pub mod run;
