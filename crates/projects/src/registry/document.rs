//! The list as it is written, and the terms that follow from it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use webcodex_contracts::{ClientId, Permission, ProjectId};

use crate::{Terms, TermsChange};

/// Worktrees of worktrees are followed so far.
const MAX_SOURCES: usize = 8;

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Document {
    #[serde(default)]
    pub(super) project: Vec<Entry>,
}

/// One project in it. What a person has not set is absent: then a worktree takes the terms of its source, and
/// everything else the usual ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Last part of the project's id.
    pub(super) slug: String,
    pub(super) name: String,
    pub(super) path: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) worktree_of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permission: Option<Permission>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ask_first: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asks_since: Option<u64>,
}

impl Entry {
    /// An entry in which nothing is set yet.
    pub(super) fn new(slug: &str, name: &str, path: &Path, worktree_of: Option<&ProjectId>) -> Self {
        Self {
            slug: slug.to_owned(),
            name: name.to_owned(),
            path: path.to_path_buf(),
            worktree_of: worktree_of.map(ToString::to_string),
            permission: None,
            ask_first: None,
            asks_since: None,
        }
    }

    /// Writes down the terms of a new project, where they are not the usual ones.
    pub(super) fn begin_with(&mut self, terms: Terms) {
        let asks_since = if terms.ask_first { now_ms() } else { terms.asks_since };
        if terms != Terms::default() {
            self.fix(Terms { asks_since, ..terms });
        }
    }

    /// Writes `terms` down, whatever was set or inherited before.
    pub(super) fn fix(&mut self, terms: Terms) {
        self.permission = Some(terms.permission);
        self.ask_first = Some(terms.ask_first);
        self.asks_since = Some(terms.asks_since);
    }

    /// Writes a change down. Switching asking on or off ends what was allowed for a session.
    pub(super) fn set(&mut self, change: TermsChange) {
        if let Some(permission) = change.permission {
            self.permission = Some(permission);
        }
        if let Some(ask_first) = change.ask_first {
            self.ask_first = Some(ask_first);
            self.asks_since = Some(now_ms());
        }
    }
}

impl Document {
    /// The terms of the entry at `index`.
    pub(super) fn terms(&self, client: &ClientId, index: usize) -> Terms {
        let (mut permission, mut ask_first, mut asks_since) = (None, None, None);
        let mut at = Some(index);
        for _ in 0..MAX_SOURCES {
            let Some(entry) = at.and_then(|at| self.project.get(at)) else { break };
            permission = permission.or(entry.permission);
            if ask_first.is_none() {
                (ask_first, asks_since) = (entry.ask_first, entry.asks_since);
            }
            at = entry.worktree_of.as_deref().and_then(|source| self.position(client, source));
        }
        Terms {
            permission: permission.unwrap_or_default(),
            ask_first: ask_first.unwrap_or_default(),
            asks_since: asks_since.unwrap_or_default(),
        }
    }

    /// What a folder is held to that lies in or around registered ones: a project inside a project is no way around
    /// what is set for that.
    pub(super) fn terms_around(&self, client: &ClientId, root: &Path) -> Terms {
        let overlaps = |entry: &Entry| root.starts_with(&entry.path) || entry.path.starts_with(root);
        let indices = (0..self.project.len()).filter(|index| overlaps(&self.project[*index]));
        indices.map(|index| self.terms(client, index)).fold(Terms::default(), Terms::strictest)
    }

    /// Where the project with this id stands.
    pub(super) fn position(&self, client: &ClientId, id: &str) -> Option<usize> {
        self.project
            .iter()
            .position(|entry| ProjectId::new(client, &entry.slug).is_ok_and(|own| own.as_str() == id))
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
