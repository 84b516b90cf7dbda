//! What can go wrong, and when.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// One of the three things a client asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// About the tunnel.
    Tunnel,
    /// For commands.
    Poll,
    /// To take an answer.
    Response,
}

/// What happens to one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Nothing: the request is served.
    None,
    /// It is refused with this status and, where given, an error code and a `Retry-After`.
    Status(u16, Option<&'static str>, Option<&'static str>),
    /// It is answered with this status, content type and body.
    Body(u16, &'static str, String),
    /// It is redirected to another place.
    Redirect(&'static str),
    /// The connection ends after this time without an answer; nothing is handed out or taken.
    Cut(Duration),
    /// The connection ends in the middle of an answer; what was handed out is lost.
    CutInBody,
    /// There is never an answer.
    Hang,
    /// The answer comes this much later.
    Slow(Duration),
    /// The answer's headers come at once, its body this much later.
    SlowBody(Duration),
    /// The request does its work, but the connection ends before the answer.
    LoseAnswer,
    /// The request does its work, but is answered with this status.
    LieAbout(u16),
    /// A poll hands everything out and keeps it to be handed out again.
    Duplicate,
    /// A poll hands out more than was asked for.
    TooMany,
    /// A poll without work is answered with an empty list.
    EmptyList,
}

/// Which fault the next request meets.
#[derive(Default)]
pub(super) struct Faults {
    next: HashMap<Endpoint, VecDeque<Fault>>,
    always: HashMap<Endpoint, Fault>,
    sometimes: HashMap<Endpoint, (u64, u64, Vec<Fault>)>,
}

impl Faults {
    pub(super) fn next(&mut self, endpoint: Endpoint, fault: Fault) {
        self.next.entry(endpoint).or_default().push_back(fault);
    }

    pub(super) fn always(&mut self, endpoint: Endpoint, fault: Option<Fault>) {
        match fault {
            Some(fault) => self.always.insert(endpoint, fault),
            None => self.always.remove(&endpoint),
        };
    }

    pub(super) fn sometimes(&mut self, endpoint: Endpoint, n: u64, seed: u64, faults: Vec<Fault>) {
        self.sometimes.insert(endpoint, (n, seed | 1, faults));
    }

    pub(super) fn take(&mut self, endpoint: Endpoint) -> Fault {
        if let Some(fault) = self.next.get_mut(&endpoint).and_then(VecDeque::pop_front) {
            return fault;
        }
        if let Some((n, state, faults)) = self.sometimes.get_mut(&endpoint) {
            // Any well mixed sequence will do (xorshift), as long as a seed repeats it.
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            if state.is_multiple_of(*n) && !faults.is_empty() {
                let place = usize::try_from(*state / *n).unwrap_or_default() % faults.len();
                return faults[place].clone();
            }
        }
        self.always.get(&endpoint).cloned().unwrap_or(Fault::None)
    }
}
