//! `GET /control/events`: the whole state, then what changes, for as long as the listener stays.
//!
//! Nothing is queued for a listener. Each compares what is so now with what it said last, whenever its connection takes
//! more; one that cannot follow misses the states in between and nothing else.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use futures_util::stream;
use http::Response;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use webcodex_contracts::control::{ServerMessage, ServerState, StateChange};

use super::reply::{line, lines};
use super::state;
use crate::app::App;

/// A listener hears something at least this often.
const ALIVE: Duration = Duration::from_secs(1);
/// Changes that follow each other closer than this become one message.
const GATHER: Duration = Duration::from_millis(30);

/// Streams until the listener goes or the Server ends.
pub(super) async fn serve(State(app): State<Arc<App>>) -> Response<Body> {
    let listener = Listener::new(app);
    let messages = stream::unfold(listener, |mut listener| async move {
        let bytes = listener.next().await?;
        Some((Ok::<_, Infallible>(bytes), listener))
    });
    lines(Body::from_stream(messages))
}

struct Listener {
    app: Arc<App>,
    news: watch::Receiver<u64>,
    /// What was said last, without calls.
    said: Option<ServerState>,
    spoke: Instant,
}

impl Listener {
    fn new(app: Arc<App>) -> Self {
        let news = app.control.news.subscribe();
        Self { app, news, said: None, spoke: Instant::now() }
    }

    /// The next line; nothing when the Server ends.
    async fn next(&mut self) -> Option<Bytes> {
        let closing = self.app.control.closing.clone();
        loop {
            if closing.is_cancelled() {
                return None;
            }
            if let Some(message) = self.message() {
                self.spoke = Instant::now();
                return Some(line(&message));
            }
            tokio::select! {
                changed = self.news.changed() => {
                    changed.ok()?;
                    sleep(GATHER).await;
                }
                () = sleep_until(self.spoke + ALIVE) => {
                    self.spoke = Instant::now();
                    return Some(line(&ServerMessage::Alive));
                }
                () = closing.cancelled() => return None,
            }
        }
    }

    fn message(&mut self) -> Option<ServerMessage> {
        self.news.mark_unchanged();
        let now = state::without_calls(&self.app);
        match &self.said {
            None => {
                self.said = Some(now.clone());
                Some(ServerMessage::State { state: Box::new(now) })
            }
            Some(said) => {
                let change = StateChange::between(said, &now)?;
                self.said = Some(now);
                Some(ServerMessage::Changed { changed: Box::new(change) })
            }
        }
    }
}
