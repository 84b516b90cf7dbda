//! Why a request to the control plane did not succeed, and what follows from it.

use std::time::Duration;

use crate::status::{HopKind, Reason};

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Try again after a growing wait.
    Soon,
    /// Try again once a minute: it may get better by itself, but not quickly.
    Slowly,
    /// Do not try again until the user did something.
    Never,
}

impl Retry {
    /// What follows from `reason`.
    pub(crate) fn after(reason: Reason) -> Self {
        match reason {
            Reason::TunnelIdInvalid
            | Reason::KeyMalformed
            | Reason::KeyRejected
            | Reason::OrganizationNeeded
            | Reason::KeyWithoutWorkspace
            | Reason::ClientCertificateNeeded
            | Reason::ProxyAuthNeeded
            | Reason::CertificateFileUnusable
            | Reason::AddressInvalid => Self::Never,
            Reason::KeyCannotUseTunnel
            | Reason::TunnelNotVisible
            | Reason::TunnelNotFound
            // Another route may come back meanwhile.
            | Reason::ProxyUnsupported
            | Reason::TlsFailed
            | Reason::CertificateUntrusted
            | Reason::CertificateExpired
            | Reason::CaptivePortal
            | Reason::ServiceRefuses => Self::Slowly,
            _ => Self::Soon,
        }
    }
}

/// One failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub reason: Reason,
    /// The least time to leave the control plane alone, where it said so.
    pub wait_at_least: Option<Duration>,
    /// Where a poll was cut before any answer: after how long.
    pub cut_after: Option<Duration>,
    /// The status of the answer, where there was one.
    pub status: Option<u16>,
    /// The id of the answer, for support.
    pub request_id: Option<String>,
    /// Whether the request surely was not sent.
    pub unsent: bool,
}

impl Fault {
    /// A failure for `reason`, with nothing else known.
    pub fn new(reason: Reason) -> Self {
        Self { reason, wait_at_least: None, cut_after: None, status: None, request_id: None, unsent: false }
    }

    /// What to do after it.
    pub fn retry(&self) -> Retry {
        Retry::after(self.reason)
    }

    /// Whether the way was broken rather than the control plane unwilling, so that another way may help.
    pub fn is_on_the_way(&self) -> bool {
        self.reason.hop() < HopKind::ControlPlane
            || matches!(
                self.reason,
                Reason::CaptivePortal | Reason::ConnectionCut | Reason::ProxyCutsLongPoll | Reason::NoAnswer
            )
    }
}
