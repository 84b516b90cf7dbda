//! What differs between the systems: groups of processes, identity of a process, files, code pages.
//!
//! `unix` and `windows` offer the same names; everything above is the same on all systems.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// Name of the environment variable by which a process that left its group is still found. Not a secret.
pub(crate) const MARK_NAME: &str = "__WCJ";

/// Whether a command gets a session of its own, which costs a slower start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Session {
    /// A process group in the Runner's session: right where that has no terminal.
    Shared,
    /// A session of its own: no terminal to ask on, and no hang-up when one closes.
    Own,
}
