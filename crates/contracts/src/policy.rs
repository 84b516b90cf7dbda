//! How long a call may keep its caller waiting, chosen for each request (`contract.md` 3).

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seconds kept back so that the answer reaches the host in time.
const RETURN_ALLOWANCE_SECS: u64 = 5;
/// The deployment's budget where nothing else is set, in seconds.
pub const DEFAULT_BUDGET_SECS: u64 = 55;
/// After this a direct call hands a running command over as a job, in seconds.
const DIRECT_HANDOFF_SECS: u64 = 10;
/// Hand-over and observation slice of Host Code Mode, in seconds.
const CODE_MODE_SLICE_SECS: u64 = 5;
/// Longest wait for readiness, in seconds.
const READINESS_SECS: u64 = 45;

/// How the host drives the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostProfile {
    /// The model calls tools one by one.
    #[default]
    Direct,
    /// The host runs code that calls tools and wants short slices.
    HostCodeMode,
}

/// The waits of one request, in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingPolicy {
    /// The profile that was selected.
    pub profile: HostProfile,
    /// Seconds the host waits at most for an answer.
    pub budget_secs: u64,
    /// Seconds after which a running command is handed over as a job.
    pub handoff_secs: u64,
    /// Longest synchronous wait, in seconds.
    pub max_wait_secs: u64,
    /// Longest single observation of a job, in seconds.
    pub observe_secs: u64,
    /// Longest wait for readiness, in seconds.
    pub readiness_secs: u64,
}

impl WaitingPolicy {
    /// The waits for `profile` when the host waits `budget_secs` at most.
    ///
    /// 5 s are kept for the way back, with a floor of 1 s. At 55 s: direct hands over after 10 s and waits at most
    /// 50 s; Host Code Mode hands over and observes in 5 s slices; readiness waits up to 45 s in both.
    pub fn new(profile: HostProfile, budget_secs: u64) -> Self {
        let usable = budget_secs.saturating_sub(RETURN_ALLOWANCE_SECS).max(1);
        let (handoff, observe) = match profile {
            HostProfile::Direct => (DIRECT_HANDOFF_SECS, usable),
            HostProfile::HostCodeMode => (CODE_MODE_SLICE_SECS, CODE_MODE_SLICE_SECS),
        };
        Self {
            profile,
            budget_secs,
            handoff_secs: handoff.min(usable),
            max_wait_secs: observe.min(usable),
            observe_secs: observe.min(usable),
            readiness_secs: READINESS_SECS.min(usable),
        }
    }

    /// How long a command runs in the foreground.
    pub fn handoff(&self) -> Duration {
        Duration::from_secs(self.handoff_secs)
    }

    /// How long one observation may wait.
    pub fn observe(&self) -> Duration {
        Duration::from_secs(self.observe_secs)
    }

    /// How long one wait for readiness may last.
    pub fn readiness(&self) -> Duration {
        Duration::from_secs(self.readiness_secs)
    }

    /// When a call that reads or searches must have answered, counted from its start.
    pub fn deadline(&self) -> Duration {
        Duration::from_secs(self.budget_secs.saturating_sub(RETURN_ALLOWANCE_SECS).max(1))
    }
}

impl Default for WaitingPolicy {
    fn default() -> Self {
        Self::new(HostProfile::Direct, DEFAULT_BUDGET_SECS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stated_numbers_hold() {
        let direct = WaitingPolicy::new(HostProfile::Direct, 55);
        assert_eq!((direct.handoff_secs, direct.max_wait_secs, direct.readiness_secs), (10, 50, 45));
        let code = WaitingPolicy::new(HostProfile::HostCodeMode, 55);
        assert_eq!((code.handoff_secs, code.observe_secs, code.readiness_secs), (5, 5, 45));
        let short = WaitingPolicy::new(HostProfile::Direct, 20);
        assert_eq!((short.handoff_secs, short.max_wait_secs, short.readiness_secs), (10, 15, 15));
        let floor = WaitingPolicy::new(HostProfile::HostCodeMode, 2);
        assert_eq!((floor.handoff_secs, floor.observe_secs, floor.readiness_secs), (1, 1, 1));
    }
}
