//! Does the calls: one effect file per tool, named like its contract.
//!
//! **Invariant.** Only this side of the link touches project files, git and processes. A call's arguments are decoded
//! once, its project is looked up under the caller's grant, and what it may do comes from the project's access tokens.

mod access;
mod approval;
mod attribution;
mod blocking;
mod call;
mod context;
mod control;
mod error;
mod put_back;
mod runner;
mod tools;

pub use runner::{Runner, RunnerConfig, RunnerError};
