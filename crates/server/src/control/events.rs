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
use http::{Response, StatusCode};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use webcodex_contracts::ErrorCode;
use webcodex_contracts::control::{Call, ServerMessage, ServerState, StateChange};

use super::reply::{failure, line, lines};
use super::{state, view};
use crate::app::App;

/// A listener hears something at least this often.
const ALIVE: Duration = Duration::from_secs(1);
/// Changes that follow each other closer than this become one message.
const GATHER: Duration = Duration::from_millis(30);
/// What changes by the passing of time alone is looked at this often.
const LOOK_AGAIN: Duration = Duration::from_secs(15);
/// A listener that missed more changed calls than this is told everything anew.
const MAX_CALLS: usize = 1000;

/// Streams until the listener goes or the Server ends.
pub(super) async fn serve(State(app): State<Arc<App>>) -> Response<Body> {
    if let Err(error) = app.control.book.load(&app.store).await {
        let message = format!("the record of calls cannot be read: {error}");
        let hint = "Look whether the disk is full; otherwise start WebCodex again.";
        return failure(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal, message, hint);
    }
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
    /// The number of the last change of a call that was told.
    told: u64,
    /// Whether something may have changed since the last look.
    stale: bool,
    looked: Instant,
    spoke: Instant,
}

impl Listener {
    fn new(app: Arc<App>) -> Self {
        let news = app.control.news.subscribe();
        app.control.wake.notify_one();
        let now = Instant::now();
        Self { app, news, said: None, told: 0, stale: true, looked: now, spoke: now }
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
                    self.stale = true;
                }
                () = sleep_until(self.spoke + ALIVE) => {
                    self.spoke = Instant::now();
                    self.stale |= self.looked.elapsed() >= LOOK_AGAIN;
                    return Some(line(&ServerMessage::Alive));
                }
                () = closing.cancelled() => return None,
            }
        }
    }

    /// What is to be said now, if anything is.
    fn message(&mut self) -> Option<ServerMessage> {
        if !self.stale {
            return None;
        }
        self.news.mark_unchanged();
        let Some(said) = &self.said else { return Some(self.everything()) };
        match changed_calls(&self.app, self.told) {
            Some((calls, _)) if calls.is_empty() => {}
            Some((calls, told)) => {
                self.told = told;
                return Some(ServerMessage::Calls { calls });
            }
            None => return Some(self.everything()),
        }
        let now = state::without_calls(&self.app);
        (self.stale, self.looked) = (false, Instant::now());
        let change = StateChange::between(said, &now)?;
        self.said = Some(now);
        Some(ServerMessage::Changed { changed: Box::new(change) })
    }

    fn everything(&mut self) -> ServerMessage {
        let (state, told) = state::whole(&self.app);
        self.said = Some(ServerState { calls: Vec::new(), ..state.clone() });
        (self.told, self.stale, self.looked) = (told, false, Instant::now());
        ServerMessage::State { state: Box::new(state) }
    }
}

/// The calls that have changed since `told`, newest first, and the number of the last change; nothing where they are
/// too many.
fn changed_calls(app: &App, told: u64) -> Option<(Vec<Call>, u64)> {
    let folders = app.control.shelf.read();
    let inner = app.control.book.inner.lock();
    let kept = inner.kept.as_ref()?;
    let changed: Vec<_> = kept.calls.iter().filter(|entry| entry.tick > told).collect();
    if changed.len() > MAX_CALLS {
        return None;
    }
    let shown =
        |entry: &&super::book::Entry| view::call(&entry.record, inner.waits(&entry.record.id), &folders);
    Some((changed.iter().map(shown).collect(), inner.tick()))
}
