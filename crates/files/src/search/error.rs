//! Why a query was not carried out.

use webcodex_contracts::ProjectPath;
use webcodex_projects::ConfineError;

use super::place::Broken;

/// Why a query was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing to look for.
    #[error("the pattern is empty")]
    EmptyPattern,
    /// The pattern is longer than anybody needs.
    #[error("the pattern is {bytes} bytes long; at most {max} are allowed")]
    PatternTooLong {
        /// Its length in bytes.
        bytes: usize,
        /// What is allowed.
        max: usize,
    },
    /// The pattern is not a regular expression of the documented dialect.
    #[error("{0}")]
    PatternBroken(Broken),
    /// The pattern is right but needs too much memory.
    #[error(
        "the pattern is too large when it is compiled: its repetitions multiply to more than {max_bytes} bytes"
    )]
    PatternTooBig {
        /// What is allowed.
        max_bytes: usize,
    },
    /// A glob cannot be read.
    #[error("`{glob}` is not a valid glob: {reason}")]
    Glob {
        /// The list it stands in.
        list: GlobList,
        /// Its place in the list, from 0.
        index: usize,
        /// The glob.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The cursor was not made for this query, or is damaged.
    #[error("the cursor does not belong to this query")]
    Cursor,
    /// A named path does not exist.
    #[error("there is no `{path}` in the project")]
    Missing {
        /// The path as it was given.
        path: ProjectPath,
        /// Its place in `paths`, from 0.
        index: usize,
    },
    /// A named path is a pipe, a socket or a device.
    #[error("`{path}` is neither a file nor a folder")]
    NotSearchable {
        /// The path as it was given.
        path: ProjectPath,
        /// Its place in `paths`, from 0.
        index: usize,
    },
    /// A named path is the git folder or lies in it.
    #[error("`{path}` is in the git folder, which is never searched")]
    GitFolder {
        /// The path as it was given.
        path: ProjectPath,
        /// Its place in `paths`, from 0.
        index: usize,
    },
    /// A named path is on a file system that has kept an earlier search waiting until now.
    #[error("the file system of `{path}` does not answer: an earlier search still waits for it")]
    NoAnswer {
        /// The path as it was given.
        path: ProjectPath,
        /// Its place in `paths`, from 0.
        index: usize,
    },
    /// A named path leads out of the project or cannot be looked up.
    #[error(transparent)]
    Confine(#[from] ConfineError),
    /// The time was over before the search could begin.
    #[error("the time was over before the search had looked up where to search")]
    Deadline,
    /// Threads of many earlier searches have not come back.
    #[error("too many searches are at work or wait for file systems that do not answer")]
    Busy,
    /// A fault of ours ended the search.
    #[error("the search ended by a fault of the Runner")]
    Fault,
}

/// The two lists of globs of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobList {
    /// `include`
    Include,
    /// `exclude`
    Exclude,
}

impl GlobList {
    /// The name of the field.
    pub fn field(self) -> &'static str {
        match self {
            GlobList::Include => "include",
            GlobList::Exclude => "exclude",
        }
    }
}

/// The part of a search in which it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading the pattern and the globs.
    Pattern,
    /// Finding out where to search.
    Scope,
    /// Listing folders.
    Walk,
    /// Reading files.
    Read,
    /// The time was over.
    Deadline,
}

impl Stage {
    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Pattern => "pattern",
            Stage::Scope => "scope",
            Stage::Walk => "walk",
            Stage::Read => "read",
            Stage::Deadline => "deadline",
        }
    }
}

impl SearchError {
    /// Where the query failed.
    pub fn stage(&self) -> Stage {
        match self {
            SearchError::EmptyPattern
            | SearchError::PatternTooLong { .. }
            | SearchError::PatternBroken(_)
            | SearchError::PatternTooBig { .. }
            | SearchError::Glob { .. } => Stage::Pattern,
            SearchError::Cursor
            | SearchError::Missing { .. }
            | SearchError::NotSearchable { .. }
            | SearchError::GitFolder { .. }
            | SearchError::NoAnswer { .. }
            | SearchError::Confine(_) => Stage::Scope,
            SearchError::Deadline => Stage::Deadline,
            SearchError::Busy | SearchError::Fault => Stage::Walk,
        }
    }

    /// The exact reason, for programs.
    pub fn detail_code(&self) -> &'static str {
        match self {
            SearchError::EmptyPattern => "pattern_empty",
            SearchError::PatternTooLong { .. } => "pattern_too_long",
            SearchError::PatternBroken(_) => "pattern_syntax",
            SearchError::PatternTooBig { .. } => "pattern_too_big",
            SearchError::Glob { .. } => "glob_syntax",
            SearchError::Cursor => "cursor_foreign",
            SearchError::Missing { .. } => "path_missing",
            SearchError::NotSearchable { .. } => "path_not_a_file_or_folder",
            SearchError::GitFolder { .. } => "path_in_git_folder",
            SearchError::NoAnswer { .. } => "path_does_not_answer",
            SearchError::Confine(ConfineError::WorkspaceUnavailable { .. }) => "project_folder_unavailable",
            SearchError::Confine(_) => "path_refused",
            SearchError::Deadline => "deadline_before_start",
            SearchError::Busy => "too_many_searches",
            SearchError::Fault => "internal_fault",
        }
    }
}
