//! The Work Result end to end: real processes, real repositories, the calls that its page makes.

mod at_once;
// Elsewhere the time of a folder cannot be set back.
#[cfg(unix)]
mod expiry;
mod flow;
mod support;
mod undo;
mod window;
