//! Connects the Runner to its Server and connects again whenever the link is lost.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self};

use crate::frame::Hello;
use crate::runner_side::{CallHandler, serve_socket};
use crate::socket::{LinkError, config};

/// First pause before dialling again.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Longest pause before dialling again: a Server that comes back is found within seconds.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Time for the connection and the handshake.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);

/// Where the Server is and how to prove who we are.
#[derive(Clone)]
pub struct DialTarget {
    /// The Server's loopback address.
    pub address: SocketAddr,
    /// The Runner's credential.
    pub credential: String,
}

/// How the link stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkState {
    /// A connection is being made.
    Dialling,
    /// The Server has welcomed the Runner.
    Linked,
    /// The next attempt is made at `until`.
    Waiting {
        /// When.
        until: Instant,
        /// Why the last attempt or link ended.
        reason: String,
    },
}

/// Keeps the Runner linked. Ends only if the Server refuses this Runner for good; drop the future to stop.
///
/// `find` is asked before each attempt, since a Server that was started again may have another port; `None` means that
/// no Server runs at the moment.
pub async fn dial<H: CallHandler>(
    find: impl Fn() -> Option<DialTarget>,
    hello: Hello,
    handler: Arc<H>,
    state: watch::Sender<LinkState>,
) -> LinkError {
    let mut pause = FIRST_PAUSE;
    loop {
        state.send_replace(LinkState::Dialling);
        let mut linked = false;
        let welcomed = || {
            linked = true;
            state.send_replace(LinkState::Linked);
        };
        let ended = match find() {
            Some(target) => connect(&target, hello.clone(), Arc::clone(&handler), welcomed).await,
            None => Err(LinkError::NoServer),
        };
        let reason = match ended {
            Ok(()) => LinkError::Closed,
            Err(refused @ LinkError::Refused(_)) => return refused,
            Err(error) => error,
        };
        if linked {
            pause = FIRST_PAUSE;
        }
        tracing::debug!(%reason, pause_ms = pause.as_millis() as u64, "link ended");
        state.send_replace(LinkState::Waiting { until: Instant::now() + pause, reason: reason.to_string() });
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn connect<H: CallHandler>(
    target: &DialTarget,
    hello: Hello,
    handler: Arc<H>,
    linked: impl FnOnce(),
) -> Result<(), LinkError> {
    let unreachable =
        |source: std::io::Error| LinkError::Unreachable { address: target.address.to_string(), source };
    let opening = async {
        // A plain TCP connection: a proxy never touches traffic on the own machine.
        let stream = TcpStream::connect(target.address).await.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let request = request(target)?;
        match client_async_with_config(request, stream, Some(config())).await {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::Error::Http(response)) if matches!(response.status().as_u16(), 401 | 403) => {
                Err(LinkError::Refused(format!(
                    "the Server at {} does not accept this Runner's credential ({})",
                    target.address,
                    response.status()
                )))
            }
            Err(error) => Err(error.into()),
        }
    };
    let socket = tokio::time::timeout(CONNECT_WITHIN, opening).await.map_err(|_| LinkError::Silent)??;
    serve_socket(socket, hello, handler, |_| linked()).await
}

fn request(target: &DialTarget) -> Result<tungstenite::handshake::client::Request, LinkError> {
    let mut request = format!("ws://{}/runner/link", target.address).into_client_request()?;
    let mut bearer = HeaderValue::from_str(&format!("Bearer {}", target.credential)).map_err(|_| {
        LinkError::Protocol("cannot be told this credential: it is not plain text".to_owned())
    })?;
    bearer.set_sensitive(true);
    request.headers_mut().insert("authorization", bearer);
    Ok(request)
}
