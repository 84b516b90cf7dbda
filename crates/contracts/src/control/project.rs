//! Registered folders, and what becomes of a folder that a person wants to register.

use serde::{Deserialize, Serialize};

use super::Failure;
use crate::{Permission, ProjectId};

/// A registered folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// The project.
    pub id: ProjectId,
    /// The name people see.
    pub name: String,
    /// The folder.
    pub path: String,
    /// What models may do in it.
    pub permission: Permission,
    /// Whether edits and commands wait for a person.
    pub ask_first: bool,
    /// What is known of the folder.
    pub facts: FolderFacts,
    /// Whether the folder can be reached now.
    pub reachable: bool,
    /// Who used it last.
    pub last_use: Option<LastUse>,
    /// Whether a call or a job is at work in it.
    pub working: bool,
}

/// The last use of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastUse {
    /// What the client calls itself.
    pub client: String,
    /// When.
    pub at: u64,
}

/// What is known of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderFacts {
    /// Nothing for a folder without git.
    pub git: Option<GitFacts>,
    /// Files in it; nothing while they are being counted.
    pub files: Option<u64>,
    /// Their size; nothing while it is being counted.
    pub bytes: Option<u64>,
    /// The name of the registered project that this folder lies in.
    pub inside: Option<String>,
    /// The names of registered projects inside this folder.
    pub contains: Vec<String>,
    /// What kind of place it is.
    pub place: Place,
    /// The path that was given, where a link led from it to the folder.
    pub linked_from: Option<String>,
}

/// The state of a git repository.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GitFacts {
    /// The checked-out branch; nothing where HEAD is detached.
    pub branch: Option<String>,
    /// Files that differ from HEAD or are untracked.
    pub uncommitted: u64,
}

/// What kind of place a folder is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A disk of this computer.
    #[default]
    Local,
    /// Kept in step with a cloud by another program.
    Cloud,
    /// On another computer.
    Network,
}

/// What became of one folder that was dropped, picked or pasted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FolderResult {
    /// It is a project now.
    Added {
        /// The project.
        project: ProjectId,
        /// Its name.
        name: String,
        /// The folder, with links resolved.
        path: String,
        /// What is known so far.
        facts: FolderFacts,
    },
    /// It is not.
    Refused {
        /// The folder's name.
        name: String,
        /// The path that was given.
        path: String,
        /// Why.
        why: FolderRefusal,
    },
}

/// Why a folder was not registered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum FolderRefusal {
    /// It is a project already.
    Duplicate {
        /// The project's name.
        project: String,
    },
    /// The home folder or one that holds it.
    Home,
    /// A folder of the operating system, or of WebCodex itself.
    System,
    /// Nothing is there.
    Missing,
    /// It is a file.
    NotAFolder,
    /// It may not be read.
    Unreadable,
    /// It did not answer.
    NoAnswer {
        /// How long was waited.
        after_ms: u64,
    },
    /// It lies outside the folders that projects are allowed in.
    OutsideAllowed {
        /// Those folders.
        allowed: Vec<String>,
    },
    /// Something else went wrong.
    Failed {
        /// What.
        error: Failure,
    },
}
