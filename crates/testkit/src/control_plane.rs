//! OpenAI's side of the tunnel, strict and full of faults, for tests of the client.
//!
//! A [`FakeControlPlane`] checks every header, key and limit, plays ChatGPT (queues commands, collects answers) and
//! does whatever a script of [`Fault`]s says. It serves any stream of bytes, so that it runs over TCP as well as in
//! memory under a paused clock. [`FakeNetwork`], [`FakeProxy`] and [`Certificates`] are the way to it.

mod book;
mod certificates;
mod check;
mod fault;
mod network;
mod proxy;
mod serve;

pub use book::{Poll, Post};
pub use certificates::Certificates;
pub use fault::{Endpoint, Fault};
pub use network::{FakeNetwork, Place};
pub use proxy::{FakeProxy, ProxyMood};

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use book::Book;

use crate::left;

/// The fake control plane of one tunnel. Clones are the same control plane.
#[derive(Clone)]
pub struct FakeControlPlane {
    book: Arc<Mutex<Book>>,
    changed: Arc<Notify>,
}

impl FakeControlPlane {
    /// A control plane that knows `tunnel` and accepts `key`.
    pub fn new(tunnel: &str, key: &str) -> Self {
        left::planted("the key of a tunnel", key);
        let book = Book::new(tunnel.to_owned(), key.to_owned());
        Self { book: Arc::new(Mutex::new(book)), changed: Arc::new(Notify::new()) }
    }

    /// Serves one connection in the background.
    pub fn serve(&self, io: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let plane = self.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let plane = plane.clone();
                async move { plane.answer(request).await }
            });
            // A connection that ends in the middle is what half of the faults are about.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(io), service).await;
        });
    }

    /// Serves on a TCP port of this computer.
    ///
    /// # Errors
    /// Where no port can be had.
    pub async fn listen(&self) -> anyhow::Result<SocketAddr> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let plane = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                plane.serve(stream);
            }
        });
        Ok(address)
    }

    /// Queues a command as ChatGPT would. `request_id`, `shard_token`, `command_type`, `channel`, `created_at` and
    /// `headers` are filled in where they are missing; gives back the request id.
    pub fn submit(&self, command: Value) -> String {
        let id = self.book().queue(command);
        self.changed.notify_waiters();
        id
    }

    /// Queues a call.
    pub fn call(&self, id: Value, method: &str, params: Value) -> String {
        self.submit(json!({"jsonrpc": {"jsonrpc": "2.0", "id": id, "method": method, "params": params}}))
    }

    /// Puts raw text into the list of commands, unchecked and unknown to the book.
    pub fn submit_raw(&self, command: &str) {
        self.book().queue_raw(command.to_owned());
        self.changed.notify_waiters();
    }

    /// Lets the next request to `endpoint` that has no fault yet meet `fault`.
    pub fn fail(&self, endpoint: Endpoint, fault: Fault) {
        self.book().faults.next(endpoint, fault);
    }

    /// Lets every request to `endpoint` meet `fault`, or none.
    pub fn fail_always(&self, endpoint: Endpoint, fault: Option<Fault>) {
        self.book().faults.always(endpoint, fault);
    }

    /// Lets about one request in `n` to `endpoint` meet one of `faults`, by chance from `seed`.
    pub fn fail_sometimes(&self, endpoint: Endpoint, n: u64, seed: u64, faults: Vec<Fault>) {
        self.book().faults.sometimes(endpoint, n, seed, faults);
    }

    /// Bodies of answers larger than this are refused with 413.
    pub fn limit_bodies(&self, bytes: usize) {
        self.book().max_body = bytes;
    }

    /// Only this many of the last polls, posts and answers are kept from now on.
    pub fn remember_only(&self, entries: usize) {
        self.book().keep = entries;
    }

    /// A text that must not appear in any request.
    pub fn forbid(&self, text: &str) {
        self.book().forbidden.push(text.to_owned());
    }

    /// Waits for the answer that ends the command `request_id`.
    pub async fn ended(&self, request_id: &str) -> Value {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if let Some(answer) = self.book().end_of(request_id) {
                return answer;
            }
            changed.await;
        }
    }

    /// Waits until `wanted` is true of this control plane.
    pub async fn until(&self, wanted: impl Fn(&Self) -> bool) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            if wanted(self) {
                return;
            }
            changed.await;
        }
    }

    /// All answers that were taken for `request_id`, notifications included.
    pub fn taken(&self, request_id: &str) -> Vec<Value> {
        self.book().taken_of(request_id)
    }

    /// How many commands were ended by an answer.
    pub fn ended_count(&self) -> usize {
        self.book().ended
    }

    /// How many commands were handed out in an answer that never arrived whole.
    pub fn lost_count(&self) -> usize {
        self.book().lost
    }

    /// Lets `other`, the control plane of another tunnel, be found at the same place.
    pub fn also_serve(&self, other: &Self) {
        self.book().others.push(other.clone());
    }

    /// Everything that was posted, taken or not.
    pub fn posts(&self) -> Vec<Post> {
        self.book().posts.clone()
    }

    /// Every poll.
    pub fn polls(&self) -> Vec<Poll> {
        self.book().polls.clone()
    }

    /// How many requests there were about the tunnel itself.
    pub fn lookups(&self) -> usize {
        self.book().lookups
    }

    /// What the client did against the rules.
    pub fn breaches(&self) -> Vec<String> {
        self.book().breaches.clone()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        // A test that panicked while it held the book has failed already.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
