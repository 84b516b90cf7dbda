//! How one part stands: not started, starting, serving, ending, or waiting for its next try.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock;
use crate::process::{Process, Role};
use crate::status::{Part, PartState};

/// First pause before a part is started again.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause before a part is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A part that served so long has recovered.
const STABLE: Duration = Duration::from_secs(60);
/// Starts in a row that may fail before the part is called failed; it is tried on at the longest pause.
const FAILED_AFTER: u32 = 5;
/// A part must serve by then.
const START_WITHIN: Duration = Duration::from_secs(15);
/// A part that is told to end has this long for what is in flight.
const END_WITHIN: Duration = Duration::from_secs(8);
/// A part that has not been heard of for so long is not shown as running.
const SILENT: Duration = Duration::from_millis(2500);
/// A part that has not been heard of for so long hangs, and is ended.
const HANGS: Duration = Duration::from_secs(5);

/// One part.
#[derive(Debug)]
pub(super) struct Life {
    role: Role,
    process: Option<Process>,
    phase: Phase,
    /// Tries since it was last stable; they make the pauses longer.
    tries: u32,
    /// Starts in a row after which it never served.
    failures: u32,
    /// What it said last, or how it ended.
    said: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Nothing runs and nothing is planned.
    Idle,
    /// It was started and does not serve yet.
    Starting { until: Instant },
    /// It serves.
    Serving { since: Instant, heard: Instant },
    /// It was told to end.
    Ending { until: Instant },
    /// It is started again.
    Waiting { until: Instant, retry_at: u64 },
}

impl Life {
    pub(super) fn new(role: Role) -> Self {
        Self { role, process: None, phase: Phase::Idle, tries: 0, failures: 0, said: String::new() }
    }

    /// How the status shows it.
    pub(super) fn part(&self, now: Instant) -> Part {
        let retry = |state, retry_at| Part { state, retry_at: Some(retry_at) };
        let failed = self.failures >= FAILED_AFTER;
        match self.phase {
            Phase::Idle => Part::new(PartState::Stopped),
            Phase::Starting { .. } | Phase::Waiting { .. } if failed => Part::new(PartState::Failed),
            Phase::Starting { .. } | Phase::Ending { .. } => Part::new(PartState::Starting),
            Phase::Waiting { retry_at, .. } => retry(PartState::Backoff, retry_at),
            Phase::Serving { heard, .. } if now - heard >= SILENT => {
                let left = (heard + HANGS).saturating_duration_since(now);
                retry(PartState::Backoff, clock::in_future(left))
            }
            Phase::Serving { .. } => Part::new(PartState::Running),
        }
    }

    /// What it said last, for people.
    pub(super) fn said(&self) -> &str {
        &self.said
    }

    pub(super) fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }

    /// Whether `id` is the process of now.
    pub(super) fn is(&self, id: u64) -> bool {
        self.process.as_ref().is_some_and(|process| process.id == id)
    }

    pub(super) fn serves(&self) -> bool {
        matches!(self.phase, Phase::Serving { .. })
    }

    /// Whether it has ended and nothing is planned.
    pub(super) fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Whether it is time to start it, if it is wanted.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        match self.phase {
            Phase::Idle => true,
            Phase::Waiting { until, .. } => until <= now,
            _ => false,
        }
    }

    /// When something has to be looked at again.
    pub(super) fn next_look(&self) -> Option<Instant> {
        match self.phase {
            Phase::Idle => None,
            Phase::Starting { until } | Phase::Ending { until } | Phase::Waiting { until, .. } => Some(until),
            Phase::Serving { heard, .. } => {
                let silent = heard + SILENT;
                Some(if silent > Instant::now() { silent } else { heard + HANGS })
            }
        }
    }

    pub(super) fn started(&mut self, process: Process, now: Instant) {
        self.process = Some(process);
        self.phase = Phase::Starting { until: now + START_WITHIN };
    }

    /// It serves now.
    pub(super) fn served(&mut self, now: Instant) {
        if matches!(self.phase, Phase::Starting { .. }) {
            self.phase = Phase::Serving { since: now, heard: now };
            self.failures = 0;
        }
    }

    /// It lives but cannot serve, as a Runner without its link; it must within `limit`.
    pub(super) fn no_longer_serves(&mut self, limit: Duration, now: Instant) {
        if self.serves() {
            self.phase = Phase::Starting { until: now + limit };
        }
    }

    /// While it starts, it has at least `limit` from now on.
    pub(super) fn allow(&mut self, limit: Duration, now: Instant) {
        if let Phase::Starting { until } = &mut self.phase {
            *until = (*until).max(now + limit);
        }
    }

    /// It was heard of.
    pub(super) fn heard(&mut self, now: Instant) {
        if let Phase::Serving { since, heard } = &mut self.phase {
            *heard = now;
            if now - *since >= STABLE {
                self.tries = 0;
            }
        }
    }

    /// What it says about itself.
    pub(super) fn says(&mut self, detail: String) {
        self.said = detail;
    }

    /// Tells it to end in order.
    pub(super) fn end(&mut self, now: Instant) {
        match (&self.process, self.phase) {
            (_, Phase::Ending { .. }) => {}
            (Some(process), _) => {
                process.end();
                self.phase = Phase::Ending { until: now + END_WITHIN };
            }
            (None, _) => self.phase = Phase::Idle,
        }
    }

    /// Forgets what went wrong: the person, or the system, says that things are different now.
    pub(super) fn try_at_once(&mut self) {
        (self.tries, self.failures) = (0, 0);
        if matches!(self.phase, Phase::Waiting { .. }) {
            self.phase = Phase::Idle;
        }
    }

    /// Kills what has hung for too long.
    pub(super) fn watch(&mut self, now: Instant) {
        let Some(process) = &self.process else { return };
        let why = match self.phase {
            Phase::Starting { until } if until <= now => "it did not serve in time",
            Phase::Serving { heard, .. } if heard + HANGS <= now => "it did not answer any more",
            Phase::Ending { until } if until <= now => "it did not end in time",
            _ => return,
        };
        tracing::warn!(part = self.role.name(), why, "a part is ended");
        process.kill();
        // Not twice: its end is being told.
        match &mut self.phase {
            Phase::Starting { until } | Phase::Ending { until } => *until = now + END_WITHIN,
            Phase::Serving { .. } => self.phase = Phase::Starting { until: now + END_WITHIN },
            _ => {}
        }
        self.said = why.to_owned();
    }

    /// It has ended. `how` counts only where it said nothing itself.
    pub(super) fn ended(&mut self, how: String, now: Instant) {
        self.process = None;
        if matches!(self.phase, Phase::Ending { .. }) {
            self.phase = Phase::Idle;
            return;
        }
        if self.said.is_empty() {
            self.said = how;
        }
        tracing::warn!(part = self.role.name(), said = self.said, "a part ended by itself");
        self.wait(now);
    }

    /// It could not even be started.
    pub(super) fn not_started(&mut self, why: String, now: Instant) {
        self.said = why;
        self.phase = Phase::Starting { until: now };
        self.wait(now);
    }

    fn wait(&mut self, now: Instant) {
        match self.phase {
            Phase::Serving { since, .. } if now - since >= STABLE => self.tries = 0,
            Phase::Starting { .. } => self.failures += 1,
            _ => {}
        }
        let pause = if self.failures >= FAILED_AFTER { LONGEST_PAUSE } else { pause(self.tries) };
        self.tries += 1;
        self.phase = Phase::Waiting { until: now + pause, retry_at: clock::in_future(pause) };
    }

    /// A new process starts with nothing said.
    pub(super) fn forget_words(&mut self) {
        if self.failures < FAILED_AFTER {
            self.said.clear();
        }
    }

    /// After a sleep nobody could have been heard.
    pub(super) fn be_patient(&mut self, now: Instant) {
        if let Phase::Serving { heard, .. } = &mut self.phase {
            *heard = now;
        }
        self.allow(START_WITHIN, now);
    }
}

fn pause(tries: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << tries.min(16)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_repeated_failures_are_called_so() {
        let mut life = Life::new(Role::Server);
        let mut pauses = Vec::new();
        let mut now = Instant::now();
        for _ in 0..6 {
            life.not_started("no".to_owned(), now);
            let next = life.next_look().unwrap();
            pauses.push((next - now).as_millis());
            assert!(!life.is_due(now));
            assert!(life.is_due(next));
            now = next;
        }
        assert_eq!(pauses, [200, 400, 800, 1600, 30_000, 30_000]);
        assert_eq!(life.part(now), Part::new(PartState::Failed));
        assert_eq!(life.said(), "no");
        life.try_at_once();
        assert!(life.is_due(now));
        life.not_started("no".to_owned(), now);
        assert_eq!(life.part(now).state, PartState::Backoff, "a person's try counts anew");
    }
}
