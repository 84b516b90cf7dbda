//! Errors as callers see them: a closed list of codes, a sentence, and the next step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal,)+) => {
        /// Every error code there is. Programs match on it; the message is for people and models.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $variant,)+
        }

        impl ErrorCode {
            /// All codes with their meaning, in the order of the documentation.
            pub const ALL: &'static [(ErrorCode, &'static str)] =
                &[$((ErrorCode::$variant, concat!($($doc),+)),)+];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $text,)+ }
            }
        }
    };
}

error_codes! {
    /// The arguments do not fit the tool's schema; `field` names the place.
    InvalidArguments = "invalid_arguments",
    /// No tool has this name; the message names the one to use today.
    UnknownTool = "unknown_tool",
    /// The tool has no entry through the gateway; call it directly.
    NotCallableThroughGateway = "not_callable_through_gateway",
    /// The credential lacks the scope that the tool needs.
    ScopeDenied = "scope_denied",
    /// No project has this id, or it is not visible to the credential.
    ProjectNotFound = "project_not_found",
    /// There is no project yet; register a folder first.
    ProjectNotConfigured = "project_not_configured",
    /// The project's private credential is missing or does not match.
    ProjectCredentialInvalid = "project_credential_invalid",
    /// The Server refused the project's credential.
    ProjectCredentialRejected = "project_credential_rejected",
    /// A credential bound to one project may not register or change others.
    ProjectRegistryScopeDenied = "project_registry_scope_denied",
    /// The folder cannot be a project: home or system folder, missing, not a folder, or outside the allowed roots.
    FolderRefused = "folder_refused",
    /// The project's folder is gone or cannot be read.
    WorkspaceUnavailable = "workspace_unavailable",
    /// The path is not allowed: absolute, leaves the project, or not a portable name.
    PathRefused = "path_refused",
    /// There is no such file or folder.
    NotFound = "not_found",
    /// The path already exists.
    AlreadyExists = "already_exists",
    /// The path is a folder, a device or something else that is not a regular file.
    NotAFile = "not_a_file",
    /// The file is binary; it is never shown or edited as text.
    BinaryFile = "binary_file",
    /// The file is larger than the tool handles.
    FileTooLarge = "file_too_large",
    /// The encoding cannot be settled or cannot hold the new text; pass `encoding`.
    EncodingUncertain = "encoding_uncertain",
    /// A character of the new text does not exist in the file's encoding.
    EncodingUnrepresentable = "encoding_unrepresentable",
    /// The revision does not fit the present content; read again.
    StaleRevision = "stale_revision",
    /// The text to replace occurs nowhere.
    MatchNotFound = "match_not_found",
    /// The text to replace occurs more often than asked for.
    MatchAmbiguous = "match_ambiguous",
    /// Two changes of one request touch the same place.
    ChangesConflict = "changes_conflict",
    /// The system refused access to a file or folder, or the person has not allowed this in the project.
    PermissionDenied = "permission_denied",
    /// The person at the computer has refused this edit or command; the message has their word.
    ApprovalDenied = "approval_denied",
    /// The project asks the person first, and nobody has answered in time; nothing was done and nothing will be.
    ApprovalMissing = "approval_missing",
    /// The disk is full.
    DiskFull = "disk_full",
    /// Reading or writing failed.
    IoFailed = "io_failed",
    /// The pattern or glob cannot be read; the message says where it is broken.
    PatternInvalid = "pattern_invalid",
    /// The search ended before it had seen everything; absence is not proven.
    SearchIncomplete = "search_incomplete",
    /// The continuation does not belong to this request or is out of date.
    CursorInvalid = "cursor_invalid",
    /// The folder is not a git repository.
    NotARepository = "not_a_repository",
    /// No commit, branch or tag has this name.
    RevisionNotFound = "revision_not_found",
    /// The repository could not be read.
    GitFailed = "git_failed",
    /// The program could not be started.
    StartFailed = "start_failed",
    /// The command ended with a non-zero exit code or by a signal.
    CommandFailed = "command_failed",
    /// The command was ended because its time was over; effects may have happened.
    CommandTimedOut = "command_timed_out",
    /// The command was stopped on request.
    CommandStopped = "command_stopped",
    /// No job has this id, or it is not visible to the credential.
    JobNotFound = "job_not_found",
    /// The Runner that ran the job ended; how the job ended is not known.
    JobLost = "job_lost",
    /// No session has this id, or it belongs to somebody else.
    SessionNotFound = "session_not_found",
    /// Nothing has been presented in this window yet, or the host does not name its window.
    NotPresented = "not_presented",
    /// The snapshot is not kept any more; the present files are never shown in its place.
    SnapshotExpired = "snapshot_expired",
    /// The entry has no text to show: deleted, binary, not UTF-8, a link or a submodule. `output.reason` says which.
    NoPreview = "no_preview",
    /// The task cannot be closed yet; `output.blocking` says why.
    FinishBlocked = "finish_blocked",
    /// No Runner is linked for this project.
    AgentOffline = "agent_offline",
    /// The Runner does not answer, or the link broke while the call was in flight.
    RunnerUnresponsive = "runner_unresponsive",
    /// The Runner lacks a capability that the call needs; update it.
    RequiredCapabilityUnavailable = "required_capability_unavailable",
    /// The Server cannot be reached.
    ServerUnreachable = "server_unreachable",
    /// The request comes from a page or a name that is neither this machine nor the configured public address.
    ForeignRequest = "foreign_request",
    /// The request carries no credential that is in force here.
    Unauthenticated = "unauthenticated",
    /// The HTTP request is not one this address answers: method, type or size of its body.
    BadRequest = "bad_request",
    /// The call's time was over before it was done.
    DeadlineExceeded = "deadline_exceeded",
    /// Too much is going on at once; try again in a moment.
    Busy = "busy",
    /// A fault of ours; the record of the call has the details.
    Internal = "internal",
}

/// What went wrong, where, what would be right and whether anything was changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolError {
    /// The kind of error.
    pub code: ErrorCode,
    /// One or two sentences: what happened and where.
    pub message: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The argument at fault, as `items[0].path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whether the call changed anything before it failed; absent where it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
}

impl ToolError {
    /// An error with a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, field: None, changed: None }
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the argument at fault.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// States whether anything was changed.
    #[must_use]
    pub fn changed(mut self, changed: bool) -> Self {
        self.changed = Some(changed);
        self
    }

    /// The sentence a model or a person reads: message, hint and whether anything was changed.
    pub fn to_text(&self) -> String {
        let mut text = self.message.clone();
        if !text.ends_with(['.', '!', '?']) {
            text.push('.');
        }
        if let Some(hint) = &self.hint {
            text.push(' ');
            text.push_str(hint);
        }
        match self.changed {
            Some(false) => text.push_str(" Nothing was changed."),
            Some(true) => text.push_str(" Something was changed before the failure."),
            None => {}
        }
        text
    }
}
