//! The record of one call, written when its answer is on its way or when nobody waits for it any more.

use std::sync::Arc;
use std::time::Instant;

use webcodex_contracts::{CanonicalResult, ErrorCode, ProjectId, SessionId, ToolName};
use webcodex_store::{CallOutcome, CallRecord, Store, now_ms};

use super::Incoming;

/// A record in the making. Dropping it writes it: as abandoned, unless the outcome is known by then.
pub(crate) struct PendingRecord {
    store: Store,
    started: Instant,
    record: Option<CallRecord>,
}

impl PendingRecord {
    /// Begins the record of a call that has just arrived.
    pub(crate) fn begin(store: &Store, incoming: &Incoming) -> Self {
        let record = CallRecord {
            at_ms: now_ms(),
            tool: "unknown",
            gateway: false,
            project: None,
            session: None,
            principal: incoming.caller.id.clone(),
            window: incoming.window,
            client_name: incoming.client_name.as_ref().map(Arc::clone),
            door: incoming.door,
            outcome: CallOutcome::Abandoned,
            duration_us: 0,
            request_bytes: incoming.request_bytes,
            response_bytes: None,
        };
        Self { store: store.clone(), started: incoming.arrived, record: Some(record) }
    }

    /// The tool is known.
    pub(crate) fn tool(&mut self, tool: ToolName) {
        if let Some(record) = &mut self.record {
            record.tool = tool.as_str();
        }
    }

    /// It came through the gateway.
    pub(crate) fn through_gateway(&mut self) {
        if let Some(record) = &mut self.record {
            record.gateway = true;
        }
    }

    /// The project is known and the caller may see it.
    pub(crate) fn project(&mut self, project: &ProjectId) {
        if let Some(record) = &mut self.record {
            record.project = Some(project.clone());
        }
    }

    /// The session is known and the caller's own.
    pub(crate) fn session(&mut self, session: &SessionId) {
        if let Some(record) = &mut self.record {
            record.session = Some(session.clone());
        }
    }

    /// The outcome is known.
    pub(crate) fn finish(&mut self, result: &CanonicalResult) {
        let elapsed = self.started.elapsed();
        if let Some(record) = &mut self.record {
            record.duration_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
            record.outcome = match (&result.error, result.success) {
                (_, true) => CallOutcome::Succeeded,
                (Some(error), false) => CallOutcome::Failed(error.code),
                (None, false) => CallOutcome::Failed(ErrorCode::Internal),
            };
        }
    }

    /// The size of the answer is known, in bytes.
    pub(crate) fn response_bytes(&mut self, bytes: usize) {
        if let Some(record) = &mut self.record {
            record.response_bytes = Some(bytes as u64);
        }
    }
}

impl Drop for PendingRecord {
    fn drop(&mut self) {
        if let Some(mut record) = self.record.take() {
            if record.outcome == CallOutcome::Abandoned {
                record.duration_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
            }
            self.store.record(record);
        }
    }
}
