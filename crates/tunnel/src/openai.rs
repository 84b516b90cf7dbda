//! OpenAI's control plane over HTTP.

mod approach;
mod classify;
mod client;
mod connector;

pub use approach::{Access, HttpApproach};
pub use client::HttpControlPlane;
pub(crate) use client::{POLL_ALLOWANCE, bearer};
