//! What the control plane knows and remembers.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};
use tokio::time::Instant;

use super::fault::Faults;

/// One poll.
#[derive(Debug, Clone, PartialEq)]
pub struct Poll {
    /// When it came.
    pub at: Instant,
    /// How many commands it asked for.
    pub limit: usize,
    /// How long it wanted to wait, in milliseconds.
    pub timeout_ms: u64,
}

/// One posted answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// When it came.
    pub at: Instant,
    /// Of which command.
    pub request_id: String,
    /// `resp_type`.
    pub kind: String,
    /// The body as it came.
    pub body: Vec<u8>,
    /// Whether it was taken.
    pub taken: bool,
}

/// A command that waits to be handed out.
#[derive(Debug, Clone)]
pub(super) struct Queued {
    /// As it goes out.
    pub(super) text: String,
    /// Whether it went out before and is only a copy.
    pub(super) copy: bool,
}

/// A command that was queued in earnest.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) token: String,
    pub(super) channel: String,
    pub(super) ended: bool,
    pub(super) ends_session: bool,
    /// The id of the call; none for notifications.
    pub(super) id: Option<Value>,
    pub(super) taken: Vec<Value>,
}

/// Everything the control plane knows.
pub(super) struct Book {
    pub(super) tunnel: String,
    pub(super) key: String,
    pub(super) max_body: usize,
    pub(super) keep: usize,
    pub(super) forbidden: Vec<String>,
    pub(super) faults: Faults,
    pub(super) queue: VecDeque<Queued>,
    pub(super) known: HashMap<String, Known>,
    pub(super) ended_order: VecDeque<String>,
    pub(super) posts: Vec<Post>,
    pub(super) polls: Vec<Poll>,
    pub(super) breaches: Vec<String>,
    pub(super) open_polls: usize,
    pub(super) lookups: usize,
    pub(super) ended: usize,
    pub(super) lost: usize,
    pub(super) others: Vec<super::FakeControlPlane>,
    pub(super) instance: Option<String>,
    next: u64,
}

impl Book {
    pub(super) fn new(tunnel: String, key: String) -> Self {
        Self {
            tunnel,
            key,
            max_body: 16 * 1024 * 1024,
            keep: usize::MAX,
            forbidden: Vec::new(),
            faults: Faults::default(),
            queue: VecDeque::new(),
            known: HashMap::new(),
            ended_order: VecDeque::new(),
            posts: Vec::new(),
            polls: Vec::new(),
            breaches: Vec::new(),
            open_polls: 0,
            lookups: 0,
            ended: 0,
            lost: 0,
            others: Vec::new(),
            instance: None,
            next: 0,
        }
    }

    /// Fills a command in and queues it.
    pub(super) fn queue(&mut self, mut command: Value) -> String {
        self.next += 1;
        let number = self.next;
        if let Some(fields) = command.as_object_mut() {
            let ends_session = !fields.contains_key("jsonrpc");
            let kind = if ends_session { "session_termination" } else { "jsonrpc" };
            for (key, value) in [
                ("request_id", json!(format!("cmd_{number}"))),
                ("shard_token", json!(format!("tok.shard-secret.{number}"))),
                ("command_type", json!(kind)),
                ("channel", json!("main")),
                ("created_at", json!("2026-10-01T08:00:00.120Z")),
                ("headers", json!({"Accept": ["application/json, text/event-stream"]})),
            ] {
                fields.entry(key).or_insert(value);
            }
        }
        let text = |key: &str| command[key].as_str().unwrap_or_default().to_owned();
        let request_id = text("request_id");
        let known = Known {
            token: text("shard_token"),
            channel: text("channel"),
            ended: false,
            ends_session: command["command_type"] == "session_termination",
            id: command["jsonrpc"].get("id").cloned(),
            taken: Vec::new(),
        };
        self.known.insert(request_id.clone(), known);
        self.queue_raw(command.to_string());
        request_id
    }

    pub(super) fn queue_raw(&mut self, text: String) {
        self.queue.push_back(Queued { text, copy: false });
    }

    /// Takes up to `limit` commands out of the queue, as the body of an answer.
    pub(super) fn hand_out(&mut self, limit: usize) -> String {
        let list: Vec<String> =
            self.queue.drain(..limit.min(self.queue.len())).map(|queued| queued.text).collect();
        format!(r#"{{"commands":[{}]}}"#, list.join(","))
    }

    pub(super) fn end_of(&self, request_id: &str) -> Option<Value> {
        let known = self.known.get(request_id)?;
        known.ended.then(|| known.taken.last().cloned().unwrap_or_default())
    }

    pub(super) fn taken_of(&self, request_id: &str) -> Vec<Value> {
        self.known.get(request_id).map(|known| known.taken.clone()).unwrap_or_default()
    }

    pub(super) fn breach(&mut self, what: impl Into<String>) {
        self.breaches.push(what.into());
    }

    /// Notes that a command ended, and forgets the oldest where only some are to be kept.
    pub(super) fn note_end(&mut self, request_id: &str) {
        self.ended += 1;
        self.ended_order.push_back(request_id.to_owned());
        while self.ended_order.len() > self.keep {
            if let Some(id) = self.ended_order.pop_front() {
                self.known.remove(&id);
            }
        }
        let excess = self.posts.len().saturating_sub(self.keep);
        self.posts.drain(..excess);
        let excess = self.polls.len().saturating_sub(self.keep);
        self.polls.drain(..excess);
    }
}
