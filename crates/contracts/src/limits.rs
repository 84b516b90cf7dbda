//! Bounds that several parts share. Each is a promise in the tools' descriptions.

/// Items, queries or jobs in one batch.
pub const MAX_BATCH: usize = 8;
/// Changes in one edit.
pub const MAX_CHANGES: usize = 64;
/// Text in one `read_files` answer, in bytes of UTF-8.
pub const MAX_READ_BYTES: usize = 96 * 1024;
/// Text of one item of a `read_files` answer, in bytes of UTF-8.
pub const MAX_READ_ITEM_BYTES: usize = 48 * 1024;
/// Lines in one item of a `read_files` answer.
pub const MAX_READ_LINES: u64 = 4000;
/// Largest file that is read or edited as text, in bytes.
pub const MAX_TEXT_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Text of matches in one `search_project_texts` answer, in bytes.
pub const MAX_SEARCH_BYTES: usize = 64 * 1024;
/// Matches (or files) of one query in one answer.
pub const MAX_SEARCH_RESULTS: u64 = 1000;
/// One matching line in an answer, in bytes; the rest is cut and marked.
pub const MAX_MATCH_LINE_BYTES: usize = 500;
/// Diff text in one `read_workspace_changes` answer, in bytes.
pub const MAX_DIFF_BYTES: usize = 48 * 1024;
/// Files listed in one `read_workspace_changes` answer.
pub const MAX_CHANGED_FILES: usize = 500;
/// Output of one stream of a command in an answer, in bytes: half from its start, half from its end.
pub const MAX_STREAM_BYTES: usize = 24 * 1024;
/// Output of one stream of a job kept on disk, in bytes.
pub const MAX_JOB_LOG_BYTES: u64 = 8 * 1024 * 1024;
/// Longest time a command may run, in seconds.
pub const MAX_TIMEOUT_SECS: u64 = 24 * 60 * 60;
/// Time a command may run where the caller states none, in seconds.
pub const DEFAULT_TIMEOUT_SECS: u64 = 600;
/// All bodies that `work_on_project` returns, in bytes.
pub const MAX_CONTEXT_BYTES: usize = 20 * 1024;
/// Body of an HTTP request, in bytes.
pub const MAX_REQUEST_BYTES: usize = 4 * 1024 * 1024;
/// Depth of nested arrays and objects in arguments.
pub const MAX_JSON_DEPTH: usize = 64;
/// Files listed in one answer of `work_result_state`.
pub const MAX_REVIEW_FILES: usize = 500;
/// Diff or text in one load of a page, in bytes.
pub const MAX_LOAD_BYTES: usize = 32 * 1024;
/// Diff or text of one file that a page may load in all, in bytes.
pub const MAX_LOADED_BYTES: usize = 256 * 1024;
/// Largest file that a snapshot keeps, in bytes; a larger one is named as left out.
pub const MAX_SNAPSHOT_FILE_BYTES: u64 = 25 * 1024 * 1024;
/// Time that snapshots of a session are kept after its last work, in days.
pub const SNAPSHOT_DAYS: u64 = 14;
/// Outputs that one closing may name.
pub const MAX_OUTPUTS: usize = 32;
