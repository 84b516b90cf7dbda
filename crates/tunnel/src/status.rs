//! What is known about a connection, in words a person can use.
//!
//! **Invariant.** A status never claims more than was observed: `Online` needs a poll that succeeded lately.

mod board;
mod hop;
mod reason;
mod state;
mod texts;

pub(crate) use board::{Board, LocalServer};
pub use hop::{Hop, HopKind, HopState, chain};
pub use reason::Reason;
pub use state::{Call, CallOutcome, Counters, Moment, State, Status};
pub use texts::{Language, Text};
