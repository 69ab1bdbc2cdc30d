//! Sequentialization: a program of many processes rewritten into one that does the same in an order of its own.

mod facts;
mod kernel;
mod state;
mod steps;
mod strategy;
mod value;
