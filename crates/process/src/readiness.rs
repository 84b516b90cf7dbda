//! Waiting until a job is ready for use.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use webcodex_contracts::tools::observe_jobs::StreamName;

use crate::core::Core;
use crate::drive::blocking;
use crate::job::Job;
use crate::output::{STREAMS, index};
use crate::text::{Locale, clean, decode};

/// Between two attempts to connect; a port does not tell when it opens.
const PORT_PAUSE: Duration = Duration::from_millis(100);
/// Longest attempt to connect on this machine.
const PORT_PATIENCE: Duration = Duration::from_secs(1);
/// Raw bytes that are searched at once.
const STEP: u64 = 256 * 1024;

/// When a job counts as ready.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    /// Its output, cleaned, contains this text.
    pub text: Option<String>,
    /// This TCP port of the machine accepts connections.
    pub port: Option<u16>,
}

/// What ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// The output contains the text.
    Text,
    /// The port accepts connections.
    Port,
    /// The job has ended.
    Ended,
    /// The time was over.
    Deadline,
}

impl Reached {
    /// The reason as it is written in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Reached::Text => "text",
            Reached::Port => "port",
            Reached::Ended => "ended",
            Reached::Deadline => "deadline",
        }
    }
}

impl Job {
    /// Waits at most `wait` until the job is ready or has ended; output from before the call counts.
    pub async fn wait_until_ready(&self, readiness: &Readiness, wait: Duration) -> Reached {
        let deadline = Instant::now() + wait;
        let mut search = readiness.text.as_deref().map(|text| Search::new(self, text));
        tokio::select! {
            biased;
            () = found(self, search.as_mut()) => Reached::Text,
            () = accepted(readiness.port) => Reached::Port,
            // The text may have come with the last output.
            () = self.ended() => match in_the_end(search.as_mut()).await {
                true => Reached::Text,
                false => Reached::Ended,
            },
            () = sleep_until(deadline) => Reached::Deadline,
        }
    }
}

async fn found(job: &Job, search: Option<&mut Search>) {
    let Some(search) = search else { return std::future::pending().await };
    loop {
        let before = job.written();
        if search.step().await {
            return;
        }
        if job.written() == before {
            tokio::select! {
                () = job.news() => {}
                // News between the look and the wait.
                () = sleep(Duration::from_millis(250)) => {}
            }
            if job.has_ended() && job.written() == before {
                return std::future::pending().await;
            }
        }
    }
}

async fn in_the_end(search: Option<&mut Search>) -> bool {
    match search {
        Some(search) => search.step().await,
        None => false,
    }
}

async fn accepted(port: Option<u16>) {
    let Some(port) = port else { return std::future::pending().await };
    let addresses: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()];
    loop {
        for address in addresses {
            if let Ok(Ok(_)) = timeout(PORT_PATIENCE, TcpStream::connect(address)).await {
                return;
            }
        }
        sleep(PORT_PAUSE).await;
    }
}

/// A search that goes on where it stopped.
struct Search {
    core: Arc<Core>,
    locale: Locale,
    text: String,
    /// Up to where each stream has been searched.
    searched: [u64; 2],
}

impl Search {
    fn new(job: &Job, text: &str) -> Self {
        let core = Arc::clone(&job.core);
        Self { core, locale: job.shared.locale.clone(), text: text.to_owned(), searched: [0, 0] }
    }

    /// Searches what is new; `true` if the text is there.
    async fn step(&mut self) -> bool {
        for stream in STREAMS {
            let (core, locale, text) = (Arc::clone(&self.core), self.locale.clone(), self.text.clone());
            let from = self.searched[index(stream)];
            let searched = blocking(move || search(&core, &locale, &text, stream, from)).await;
            match searched {
                Some((true, _)) => return true,
                Some((false, until)) => self.searched[index(stream)] = until,
                None => {}
            }
        }
        false
    }
}

/// Searches a stream from a little before `from` on, so that a text across two looks is found.
fn search(core: &Core, locale: &Locale, text: &str, stream: StreamName, from: u64) -> (bool, u64) {
    // Colours between its letters make a text longer than it looks.
    let overlap = 4 * text.len() as u64 + 4096;
    let mut at = from.saturating_sub(overlap);
    loop {
        let (start, bytes, total) = core.output.raw(stream, at, STEP + overlap);
        let decoded = decode(&bytes, &bytes, locale);
        if clean(&decoded.text).contains(text) {
            return (true, total);
        }
        let end = start + bytes.len() as u64;
        if end >= total || bytes.is_empty() {
            return (false, end);
        }
        at = end.saturating_sub(overlap).max(start + 1);
    }
}
