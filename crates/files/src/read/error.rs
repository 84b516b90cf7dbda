//! Why a file could not be read.

use std::io;

use webcodex_contracts::limits::MAX_TEXT_FILE_BYTES;
use webcodex_contracts::{ProjectPath, ReadRevision};
use webcodex_projects::ConfineError;

use crate::ContentHash;
use crate::text::{BinaryKind, LabelError};

/// Why one item was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path cannot be used.
    #[error(transparent)]
    Path(#[from] ConfineError),
    /// There is nothing.
    #[error("`{path}` does not exist")]
    Missing {
        /// The path as it was given.
        path: ProjectPath,
        /// A path that exists and is nearly the same.
        nearest: Option<ProjectPath>,
    },
    /// It is a folder.
    #[error("`{path}` is a folder, not a file")]
    Folder {
        /// The path as it was given.
        path: ProjectPath,
        /// Some of what is in it, folders with a slash at the end.
        entries: Vec<String>,
        /// Whether there is more.
        more: bool,
    },
    /// It is a pipe, a socket or a device.
    #[error("`{path}` is not a regular file but a pipe, a socket or a device")]
    NotRegular {
        /// The path as it was given.
        path: ProjectPath,
    },
    /// It is too large to be handled as text.
    #[error("`{path}` is {size} bytes large; at most {MAX_TEXT_FILE_BYTES} are read as text")]
    TooLarge {
        /// The path as it was given.
        path: ProjectPath,
        /// Its size in bytes.
        size: u64,
    },
    /// It is not text.
    #[error("`{path}` is binary ({kind}, {size} bytes) and is not shown as text")]
    Binary {
        /// The path as it was given.
        path: ProjectPath,
        /// What it seems to be.
        kind: BinaryKind,
        /// Its size in bytes.
        size: u64,
        /// Its hash.
        hash: ContentHash,
        /// The revision with which it may be renamed or deleted.
        revision: ReadRevision,
    },
    /// The range begins after the last line.
    #[error("line {start_line} is past the end: `{path}` has {total_lines} lines")]
    PastEnd {
        /// The path as it was given.
        path: ProjectPath,
        /// The line that was asked for.
        start_line: u64,
        /// How many lines there are.
        total_lines: u64,
    },
    /// The range begins after the end of its first line.
    #[error(
        "column {start_column} is past the end: line {line} of `{path}` has {characters} characters with its line end"
    )]
    PastLineEnd {
        /// The path as it was given.
        path: ProjectPath,
        /// The line.
        line: u64,
        /// The column that was asked for.
        start_column: u64,
        /// How many characters the line has, its end included.
        characters: u64,
    },
    /// The encoding that was named is not known.
    #[error(transparent)]
    Encoding(#[from] LabelError),
    /// The system refused.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The path as it was given.
        path: ProjectPath,
        /// What the system said.
        source: io::Error,
    },
}

impl ReadError {
    /// The next step, where there is one to name.
    pub fn hint(&self) -> Option<String> {
        match self {
            ReadError::Missing { nearest: Some(nearest), .. } => Some(format!("Did you mean `{nearest}`?")),
            ReadError::Missing { nearest: None, .. } => {
                Some("Find files with search_project_texts and `output: files`.".to_owned())
            }
            ReadError::Folder { entries, .. } if entries.is_empty() => Some("It is empty.".to_owned()),
            ReadError::Folder { entries, more, .. } => {
                let and = if *more { ", …" } else { "" };
                Some(format!("It holds {}{and}.", entries.join(", ")))
            }
            ReadError::TooLarge { .. } => Some(
                "Search it with search_project_texts or look at parts of it with run_process.".to_owned(),
            ),
            ReadError::Binary { .. } => {
                Some("Use run_process with a program that understands it.".to_owned())
            }
            ReadError::PastEnd { total_lines: 0, .. } => Some("The file is empty.".to_owned()),
            ReadError::PastEnd { total_lines, .. } => {
                Some(format!("Use a `start_line` from 1 to {total_lines}."))
            }
            ReadError::PastLineEnd { characters, .. } => {
                Some(format!("Use a `start_column` from 1 to {characters}."))
            }
            ReadError::Path(_)
            | ReadError::NotRegular { .. }
            | ReadError::Encoding(_)
            | ReadError::Io { .. } => None,
        }
    }

    /// The argument at fault within its item.
    pub fn argument(&self) -> &'static str {
        match self {
            ReadError::PastEnd { .. } => "start_line",
            ReadError::PastLineEnd { .. } => "start_column",
            ReadError::Encoding(_) => "encoding",
            _ => "path",
        }
    }
}
