//! Starts, watches, restarts and ends Server and Runner, and owns the one [`Status`].
//!
//! A [`Supervisor`] has a thread of its own and needs no window. It starts the `webcodex` executable twice, hands
//! secrets over on standard input, believes nobody who has not proven to be what it started, and ends both when it
//! ends, in whatever way.
//!
//! **Invariant.** The status never says more than was observed: a part that has not been heard of for 2.5 s is not shown
//! as running.

mod board;
mod clients;
mod clock;
mod commands;
mod connection;
mod desktop_file;
mod failure;
mod keeper;
mod leftovers;
mod logs;
mod preferences;
mod process;
mod report;
mod secrets;
pub mod status;
mod supervisor;
mod truth;
mod tunnels;
mod vault;

pub use board::{Message, Messages};
pub use clients::{ClientSetup, WrittenSetup};
pub use commands::Output;
pub use status::Status;
pub use supervisor::{ShellFacts, StartError, Supervisor, SupervisorConfig};
pub use truth::{Observed, Work, truth};
pub use vault::{VaultError, client_credential};
pub use webcodex_contracts::control;
