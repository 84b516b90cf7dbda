//! Errors of searching.

use webcodex_contracts::{ErrorCode, ToolError};
use webcodex_files::search::{SearchError, Shortfall};

use super::projects::confine;

/// Why query number `index` was not carried out.
pub(crate) fn query(error: &SearchError, index: usize) -> ToolError {
    let message = error.to_string();
    let at = |field: &str| format!("queries[{index}].{field}");
    let told = |code: ErrorCode, field: String, hint: &str| {
        ToolError::new(code, message.clone()).field(field).hint(hint)
    };
    match error {
        SearchError::EmptyPattern => told(
            ErrorCode::PatternInvalid,
            at("pattern"),
            "Say what to look for. The regex `.` finds every file with text in it.",
        ),
        SearchError::PatternTooLong { .. } => told(
            ErrorCode::PatternInvalid,
            at("pattern"),
            "Search for a part of it, or split it into several queries.",
        ),
        SearchError::PatternBroken(_) => told(
            ErrorCode::PatternInvalid,
            at("pattern"),
            "The dialect is that of Rust's regex crate. To look for the text as it stands, leave `syntax` out.",
        ),
        SearchError::PatternTooBig { .. } => {
            told(ErrorCode::PatternInvalid, at("pattern"), "Use smaller numbers of repetitions.")
        }
        SearchError::Glob { list, index: place, .. } => told(
            ErrorCode::PatternInvalid,
            at(&format!("{}[{place}]", list.field())),
            "`*` and `?` stop at `/`, `**` crosses folders, `{a,b}` are alternatives, `[a-z]` is a class.",
        ),
        SearchError::Cursor => told(
            ErrorCode::CursorInvalid,
            at("cursor"),
            "Send a continuation's arguments as they are, or leave `cursor` out to begin anew.",
        ),
        SearchError::Missing { index: place, .. } => told(
            ErrorCode::NotFound,
            at(&format!("paths[{place}]")),
            "Check the spelling, or search the folder above it.",
        ),
        SearchError::NotSearchable { index: place, .. } => {
            told(ErrorCode::NotAFile, at(&format!("paths[{place}]")), "Name a regular file or a folder.")
        }
        SearchError::GitFolder { index: place, .. } => told(
            ErrorCode::PathRefused,
            at(&format!("paths[{place}]")),
            "Use read_git_history or git commands for what lies there.",
        ),
        SearchError::NoAnswer { index: place, .. } => told(
            ErrorCode::DeadlineExceeded,
            at(&format!("paths[{place}]")),
            "Search elsewhere until it answers again.",
        ),
        SearchError::Confine(error) => confine(error, &at("paths")),
        SearchError::Deadline => ToolError::new(ErrorCode::DeadlineExceeded, message)
            .hint("A file system may not be answering; name other `paths`, or try again."),
        SearchError::Busy => ToolError::new(ErrorCode::Busy, message).hint("Try again in a moment."),
        SearchError::Fault => ToolError::new(ErrorCode::Internal, message)
            .hint("This is a fault in WebCodex; please report it."),
    }
    .changed(false)
}

/// Why query number `index`, which found nothing, proves nothing.
pub(crate) fn nothing_proven(shortfall: Shortfall, skipped: &[String], index: usize) -> ToolError {
    let place =
        skipped.iter().find(|line| line.contains('`')).map(|line| format!(" ({line})")).unwrap_or_default();
    let message =
        format!("nothing was found, but not everything was searched{place}: a match is not ruled out");
    let hint = match shortfall {
        Shortfall::Deadline => "Go on with `continuation`, or search less: name `paths` or globs.",
        Shortfall::NoAnswer => "Name other `paths`, or `exclude` the place that does not answer.",
        Shortfall::FolderUnreadable | Shortfall::FileUnreadable => {
            "Make it readable, or `exclude` it if it does not matter."
        }
        Shortfall::FileTooLarge => "`exclude` the file if it does not matter, or search it with a command.",
        Shortfall::NameNotUnicode => "`exclude` the folder if it does not matter, or rename what is in it.",
    };
    ToolError::new(shortfall_code(shortfall), message)
        .field(format!("queries[{index}]"))
        .hint(hint)
        .changed(false)
}

/// The code of a shortfall.
pub(crate) fn shortfall_code(shortfall: Shortfall) -> ErrorCode {
    match shortfall {
        Shortfall::Deadline | Shortfall::NoAnswer => ErrorCode::DeadlineExceeded,
        Shortfall::FolderUnreadable
        | Shortfall::FileUnreadable
        | Shortfall::FileTooLarge
        | Shortfall::NameNotUnicode => ErrorCode::SearchIncomplete,
    }
}
