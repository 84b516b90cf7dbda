//! Why a planned edit was not carried out, and what that means for the files.

use std::io;

use webcodex_contracts::ProjectPath;

use crate::edit::Current;

/// Why a plan was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// Another program changed a file while the edit was being prepared. Nothing was changed.
    #[error("`{}` was changed by another program just now", .current.path)]
    Changed {
        /// The file's first change, from 0.
        change: usize,
        /// What the file is like now.
        current: Current,
    },
    /// Another program made a file at the path of a new one. Nothing was changed.
    #[error("`{path}` was created by another program just now")]
    Appeared {
        /// The file's first change, from 0.
        change: usize,
        /// Path in the project.
        path: ProjectPath,
    },
    /// The system refused to write.
    #[error("the system refused to {doing} `{path}`: {source}{}", left(.restored))]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Path in the project.
        path: ProjectPath,
        /// What the system said.
        source: io::Error,
        /// What became of the files that had been changed before.
        restored: Restored,
    },
    /// The record that protects against kills could not be written. Nothing was changed.
    #[error("the record of the edit could not be written in WebCodex's data folder: {0}")]
    Journal(#[source] io::Error),
}

/// What became of the files after a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restored {
    /// All are as they were before the edit.
    Everything,
    /// These could not be restored; the next start of the Runner tries again.
    Partly(Vec<ProjectPath>),
}

impl CommitError {
    /// A failure before any file was changed.
    pub(super) fn io(doing: &'static str, path: ProjectPath, source: io::Error) -> Self {
        CommitError::Io { doing, path, source, restored: Restored::Everything }
    }

    /// Whether files were left changed.
    pub fn left_changes(&self) -> bool {
        matches!(self, CommitError::Io { restored: Restored::Partly(_), .. })
    }
}

fn left(restored: &Restored) -> String {
    match restored {
        Restored::Everything => String::new(),
        Restored::Partly(paths) => {
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            format!("; {} could not be restored yet", paths.join(", "))
        }
    }
}
