//! The native client of the OpenAI Secure MCP Tunnel.
//!
//! A [`Connection`] polls OpenAI's control plane for commands, runs each against one [`Target`] (any tower `Service`
//! for HTTP requests) and gives the answer back. Only outgoing connections are made. [`Connections`] holds all of a
//! process.
//!
//! From the outside in: [`wire`] reads and writes what travels, [`route`] makes connections over proxies and
//! encryption, `openai` speaks HTTP over them, `session` polls, `worker` runs commands, [`status`] tells what was
//! observed.
//!
//! ```no_run
//! use std::sync::Arc;
//! use webcodex_settings::Secret;
//! use webcodex_tunnel::route::{ControlPlaneAddress, DEFAULT_ADDRESS, SystemNetwork, SystemProxies};
//! use webcodex_tunnel::wire::InstanceId;
//! use webcodex_tunnel::{Connections, Draft, Ground, Surroundings, SystemClock, SystemRandomness, Target};
//!
//! # async fn example(router: axum::Router, credential: Secret, key: Secret) -> Result<(), Box<dyn std::error::Error>> {
//! let connections = Connections::new(
//!     Surroundings {
//!         ground: Ground {
//!             target: Target::new(router, &credential)?,
//!             clock: Arc::new(SystemClock),
//!             random: Arc::new(SystemRandomness),
//!         },
//!         network: Arc::new(SystemNetwork),
//!         proxies: Arc::new(SystemProxies),
//!         address: ControlPlaneAddress::parse(DEFAULT_ADDRESS)?,
//!         instance: InstanceId::new(&SystemRandomness),
//!     },
//!     Vec::new(),
//! );
//! let draft = Draft { name: "ChatGPT".to_owned(), tunnel: "tunnel_…".to_owned(), key: Some(key), ..Draft::default() };
//! let (settings, _key) = connections.add(draft)?;
//! connections.connection(&settings.id)?.start().await;
//! let mut status = connections.status(&settings.id)?;
//! while status.changed().await.is_ok() {
//!     println!("{:?}", status.borrow_and_update().state);
//! }
//! # Ok(()) }
//! ```
//!
//! **Invariants.** A command runs at most once, whatever is delivered twice or lost. The credential of the Server is
//! set last and never leaves the process; the key goes to the control plane only. Neither is ever logged. A status
//! never claims more than was observed.

mod backoff;
mod clock;
mod connection;
mod connections;
mod control_plane;
mod delivery;
mod exchange;
mod fault;
mod openai;
mod poll_wait;
mod random;
pub mod route;
mod seen;
mod session;
mod sse;
pub mod status;
mod target;
pub mod wire;
mod worker;

pub use clock::{Clock, SystemClock};
pub use connection::{Connection, Ground};
pub use connections::{
    ConnectionId, ConnectionSettings, ConnectionView, Connections, Draft, EditError, Surroundings,
};
pub use control_plane::{Approach, ControlPlane, Delivered, Polled, Reached, TunnelInfo};
pub use fault::{Fault, Retry};
pub use openai::{Access, HttpApproach, HttpControlPlane};
pub use random::{Randomness, SystemRandomness};
pub use target::{CredentialError, Target, ThroughTunnel};
