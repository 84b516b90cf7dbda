//! Records as people are shown them.

use webcodex_contracts::control::{
    AllowedBy, Answered, Call, CallDetail, CallDoor, ClientKind, Outcome, Subject, Via,
};
use webcodex_contracts::{ErrorCode, ProjectId};
use webcodex_store::{CallOutcome, CallRecord};

use super::folders::Folders;

/// A call for the list.
pub(super) fn call(record: &CallRecord, waits: bool, folders: &Folders) -> Call {
    let outcome = outcome(record, waits);
    Call {
        id: record.id.clone(),
        at: record.at_ms,
        tool: record.tool.to_owned(),
        subject: record.details.subject.clone().unwrap_or(Subject::Other),
        project_name: record.project.as_ref().map(|project| folders.name_of(project)),
        client: client_label(record.client_name.as_deref()),
        outcome,
        took_ms: (!is_open(outcome)).then_some(record.duration_us / 1000),
        lines: record.details.lines,
    }
}

/// A call in detail.
pub(super) fn detail(record: CallRecord, total_ms: u64, folders: &Folders) -> CallDetail {
    let permission = || {
        let needs =
            webcodex_contracts::table::find(record.tool).is_some_and(|tool| tool.effect.is_destructive());
        let permission = folders.permission_of(record.project.as_ref().filter(|_| needs)?)?;
        Some(AllowedBy::Permission { permission })
    };
    let refused = matches!(outcome(&record, false), Outcome::Refused | Outcome::Denied | Outcome::NoAnswer);
    let allowed_by = record.details.allowed_by.or_else(|| if refused { None } else { permission() });
    let answer = record.response_bytes.map(|bytes| Answered {
        bytes,
        cut: record.details.cut,
        handed_over_at: record.details.handed_over_at.unwrap_or(record.at_ms + record.duration_us / 1000),
    });
    CallDetail {
        id: record.id,
        session: record.session,
        door: match record.via {
            Via::Local => CallDoor::Local,
            Via::Public => CallDoor::Public,
            Via::Tunnel => CallDoor::Tunnel,
        },
        allowed_by,
        steps: record.details.steps,
        total_ms,
        answer,
        failure: record.details.failure,
        word: record.details.word,
    }
}

/// Whether a call has not ended yet.
pub(super) fn is_open(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Running | Outcome::Waiting)
}

/// How a call stands.
pub(super) fn outcome(record: &CallRecord, waits: bool) -> Outcome {
    match (record.outcome, record.details.exit_code) {
        (CallOutcome::Running, _) if waits => Outcome::Waiting,
        (CallOutcome::Running, _) => Outcome::Running,
        (CallOutcome::Abandoned | CallOutcome::Interrupted, _) => Outcome::Interrupted,
        (CallOutcome::Succeeded | CallOutcome::Failed(ErrorCode::CommandFailed), Some(code)) => {
            Outcome::Exit { code }
        }
        (CallOutcome::Succeeded, None) => Outcome::Finished,
        (CallOutcome::Failed(code), _) => failed(code),
    }
}

fn failed(code: ErrorCode) -> Outcome {
    match code {
        ErrorCode::ScopeDenied
        | ErrorCode::PathRefused
        | ErrorCode::FolderRefused
        | ErrorCode::PermissionDenied
        | ErrorCode::ProjectRegistryScopeDenied => Outcome::Refused,
        ErrorCode::ApprovalDenied => Outcome::Denied,
        ErrorCode::ApprovalMissing => Outcome::NoAnswer,
        _ => Outcome::Failed,
    }
}

/// Which program a client is, by the name it gives.
pub(super) fn client_kind(name: &str) -> ClientKind {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        name if name.starts_with("openai") || name.starts_with("chatgpt") => ClientKind::ChatGpt,
        name if name.starts_with("claude-code") || name.starts_with("claude code") => ClientKind::ClaudeCode,
        name if name.starts_with("claude") || name.starts_with("anthropic") => ClientKind::ClaudeDesktop,
        _ => ClientKind::Other,
    }
}

/// What a client is called in the window.
pub(super) fn client_label(name: Option<&str>) -> String {
    let name = name.unwrap_or("MCP");
    match client_kind(name) {
        ClientKind::ChatGpt => "ChatGPT".to_owned(),
        ClientKind::ClaudeDesktop => "Claude".to_owned(),
        ClientKind::ClaudeCode => "Claude Code".to_owned(),
        ClientKind::Other => name.to_owned(),
    }
}

/// The last part of a project's id, for one that is not registered any more.
pub(super) fn short_name(project: &ProjectId) -> String {
    project.as_str().rsplit(':').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_by_the_name_they_give() {
        for (name, kind) in [
            ("openai-mcp", ClientKind::ChatGpt),
            ("claude-ai", ClientKind::ClaudeDesktop),
            ("claude-code", ClientKind::ClaudeCode),
            ("cursor", ClientKind::Other),
        ] {
            assert_eq!(client_kind(name), kind, "{name}");
        }
        assert_eq!(client_label(None), "MCP");
        assert_eq!(client_label(Some("Zed")), "Zed");
    }
}
