//! What travels between the tunnel and its control plane: tolerant readers, strict writers, no I/O.
//!
//! Every reader takes bytes or text from outside and never panics; what it cannot use it names.

mod answer;
mod body;
mod command;
mod failure;
mod headers;
mod identity;
mod metadata;
mod refusal;
mod reply;
mod retry_after;
mod timeout;

#[cfg(test)]
mod proptests;

pub use answer::{Answer, AnswerKind};
pub use body::BodyError;
pub use command::{Command, Received, Rejected, ShardToken, Work, read_poll};
pub use failure::{Failure, FailureKind, FailureSource};
pub use headers::{ForwardedHeaders, HeaderList, for_service, for_target};
pub use identity::{
    CLIENT_NAME, CLIENT_VERSION, InstanceId, SERVER_INFO, TunnelId, TunnelIdError, USER_AGENT, WIRE_VERSION,
    is_well_formed_key,
};
pub use metadata::read_tunnel_name;
pub use refusal::{MAX_REFUSAL_BYTES, Refusal};
pub use reply::{Reply, ReplyError};
pub use retry_after::{MAX_RETRY_AFTER, read_retry_after};
pub use timeout::read_timeout;

/// The only channel that is served.
pub const MAIN_CHANNEL: &str = "main";
