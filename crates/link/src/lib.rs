//! The link between Server and Runner: one connection, dialled by the Runner, that carries many calls at once.
//!
//! The same frames run over a WebSocket on loopback and over an in-memory duplex. The Server side is [`Runners`], the
//! Runner side [`serve`] (one connection) and [`dial()`] (connects again and again).
//!
//! **Invariant.** A call is sent once. If the link breaks while it is in flight the caller learns that the outcome is
//! unknown; nothing is sent again by itself.

mod ask;
pub mod control;
mod dial;
mod frame;
mod liveness;
mod runner_side;
mod runners;
mod socket;

pub use ask::{Caller, Question, Verdict};
pub use dial::{DialTarget, LinkState, dial};
pub use frame::{Call, Frame, FrameError, Hello, PROTOCOL_GENERATION, Welcome};
pub use runner_side::{CallHandler, serve};
pub use runners::{CallError, LinkPolicy, News, RunnerHandle, Runners};
pub use socket::LinkError;
