//! What the search finds: the same in both modes, and what the reference says.

mod agreement;
mod generate;
mod meaning;
mod programs;
