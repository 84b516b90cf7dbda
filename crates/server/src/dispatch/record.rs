//! The record of one call: shown while the call is in flight, written when its answer is on its way or when nobody
//! waits for it any more.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use webcodex_contracts::control::{Failure, RecordLevel, Step, StepKind};
use webcodex_contracts::{CallId, CanonicalResult, ErrorCode, ProjectId, SessionId, ToolName, table};
use webcodex_store::{CallDetails, CallOutcome, CallRecord, CredentialKind, now_ms};

use super::Incoming;
use crate::app::App;
use crate::control::{Book, subject};

/// A record in the making. Dropping it writes it: as abandoned, unless the outcome is known by then.
pub(crate) struct PendingRecord {
    id: CallId,
    store: webcodex_store::Store,
    book: Arc<Book>,
    level: RecordLevel,
    started: Instant,
    phase: (StepKind, u64),
    record: Option<CallRecord>,
    /// A page that keeps itself up to date: recorded only where it fails.
    refresh: bool,
    /// What the person does, here or on a page, is no work of the session.
    by_person: bool,
}

/// Whether a tool only shows what was done.
fn is_shown_only(tool: ToolName) -> bool {
    is_refresh(tool) || matches!(tool, ToolName::PresentWorkResult | ToolName::WorkResultThreadPanel)
}

/// Whether a page calls the tool again and again by itself.
fn is_refresh(tool: ToolName) -> bool {
    matches!(tool, ToolName::WorkResultState | ToolName::ChangesFileDiff | ToolName::ChangesFileText)
}

impl PendingRecord {
    /// Begins the record of a call that has just arrived.
    pub(crate) fn begin(app: &App, incoming: &Incoming) -> Self {
        let record = CallRecord {
            id: app.call_ids.next(),
            at_ms: now_ms(),
            tool: "unknown",
            gateway: false,
            project: None,
            session: None,
            principal: incoming.caller.id.clone(),
            window: incoming.window,
            client_name: incoming.client_name.as_ref().or(incoming.program.as_ref()).map(Arc::clone),
            door: incoming.door,
            via: incoming.via,
            outcome: CallOutcome::Abandoned,
            duration_us: 0,
            request_bytes: incoming.request_bytes,
            response_bytes: None,
            job: None,
            details: CallDetails::default(),
        };
        Self {
            id: record.id.clone(),
            store: app.store.clone(),
            book: Arc::clone(&app.control.book),
            level: app.settings.read().record,
            started: incoming.arrived,
            phase: (StepKind::Arrived, 0),
            record: Some(record),
            refresh: false,
            by_person: incoming.caller.kind == CredentialKind::Bootstrap,
        }
    }

    /// The call's id.
    pub(crate) fn id(&self) -> &CallId {
        &self.id
    }

    /// The tool is known.
    pub(crate) fn tool(&mut self, tool: ToolName) {
        if let Some(record) = &mut self.record {
            record.tool = tool.as_str();
            if is_shown_only(tool) {
                // Showing work is no work: neither a window nor a session counts as active by it.
                record.window = None;
            }
        }
        self.refresh = is_refresh(tool);
        self.by_person |= table::get(tool).is_app_only();
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
        if self.by_person {
            return;
        }
        if let Some(record) = &mut self.record {
            record.session = Some(session.clone());
        }
    }

    /// The work begins: from now on the call is seen to be in flight.
    pub(crate) fn works(&mut self, tool: ToolName, arguments: &Value) {
        self.enter(StepKind::Worked);
        if self.refresh {
            return;
        }
        let Some(record) = &mut self.record else { return };
        if self.level == RecordLevel::Subjects {
            record.details.subject = Some(subject::of(tool, arguments));
        }
        let running = CallRecord { outcome: CallOutcome::Running, ..record.clone() };
        if self.level != RecordLevel::Off {
            self.store.begin(running.clone());
        }
        self.book.put(running);
    }

    /// The outcome is known.
    pub(crate) fn finish(&mut self, result: &CanonicalResult) {
        self.enter(StepKind::Answered);
        let Some(record) = &mut self.record else { return };
        record.duration_us = self.started.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        record.outcome = match (&result.error, result.success) {
            (_, true) => CallOutcome::Succeeded,
            (Some(error), false) => CallOutcome::Failed(error.code),
            (None, false) => CallOutcome::Failed(ErrorCode::Internal),
        };
        if record.tool == ToolName::WorkOnProject.as_str() {
            name_session(record, result);
        }
        record.job = subject::complete(&mut record.details, result);
        // What the model was told may name paths and commands.
        record.details.failure =
            result.error.as_ref().filter(|_| self.level == RecordLevel::Subjects).map(Failure::from);
    }

    /// The size of the answer is known, in bytes, and it goes to the network now.
    pub(crate) fn response_bytes(&mut self, bytes: usize) {
        if let Some(record) = &mut self.record {
            record.response_bytes = Some(bytes as u64);
            record.details.handed_over_at = Some(now_ms());
        }
    }

    /// Ends a part of the call's time and begins the next.
    fn enter(&mut self, next: StepKind) {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (kind, start_ms) = std::mem::replace(&mut self.phase, (next, now));
        let Some(record) = &mut self.record else { return };
        record.details.steps.push(Step { kind, start_ms, length_ms: now.saturating_sub(start_ms) });
    }
}

/// Notes the session and the project that the result of `work_on_project` names.
fn name_session(record: &mut CallRecord, result: &CanonicalResult) {
    let text = |object: &str, field: &str| result.output.get(object)?.get(field)?.as_str();
    if record.session.is_none() {
        record.session = text("session", "session_id").and_then(|id| SessionId::parse(id).ok());
    }
    if record.project.is_none() {
        record.project = text("project", "project").and_then(|id| ProjectId::parse(id).ok());
    }
}

impl Drop for PendingRecord {
    fn drop(&mut self) {
        self.enter(StepKind::Answered);
        let Some(mut record) = self.record.take() else { return };
        if self.refresh && !matches!(record.outcome, CallOutcome::Failed(_)) {
            return;
        }
        if record.outcome == CallOutcome::Abandoned {
            record.duration_us = self.started.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        }
        self.book.take_person(&mut record, self.level);
        if self.level != RecordLevel::Off {
            self.store.record(record.clone());
        }
        self.book.put(record);
    }
}
