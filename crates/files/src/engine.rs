//! The engine: what is kept between calls.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use webcodex_contracts::{ProjectId, ProjectPath, ReadRevision};
use webcodex_projects::ReadAccess;

use crate::commit::Journal;
use crate::revision::{ContentHash, RevisionKey, Seen};
use crate::text::{LegacySamples, TextKind};

/// Reads and changes project files. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Files {
    shared: Arc<Shared>,
    region: Option<Arc<str>>,
}

#[derive(Debug)]
struct Shared {
    key: RevisionKey,
    journal: Journal,
    samples: Mutex<HashMap<ProjectId, Arc<LegacySamples>>>,
}

/// Why the engine could not start.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The folder for keys and journals cannot be used.
    #[error("the folder `{}` cannot be used: {source}", .path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Files {
    /// Opens the engine with its folder in `data_dir` and finishes or takes back edits that an earlier process was
    /// killed in.
    pub fn open(data_dir: &Path) -> Result<Self, FilesError> {
        let folder = data_dir.join("files");
        let fault = |path: &Path| {
            let path = path.to_path_buf();
            move |source| FilesError::Folder { path, source }
        };
        std::fs::create_dir_all(&folder).map_err(fault(&folder))?;
        let key_file = folder.join("revision.key");
        let key = RevisionKey::open(&key_file).map_err(fault(&key_file))?;
        let journal = Journal::open(&folder.join("journal")).map_err(fault(&folder))?;
        let shared = Shared { key, journal, samples: Mutex::default() };
        Ok(Self { shared: Arc::new(shared), region: None })
    }

    /// The user's region as a two-letter code (`cn`); decides between guesses at encodings that are equally good.
    #[must_use]
    pub fn with_region(self, region: Option<&str>) -> Self {
        Self { region: region.map(|region| region.to_ascii_lowercase().into()), ..self }
    }

    /// What the files of a project in legacy encodings have told so far.
    pub fn samples(&self, project: &ProjectId) -> Arc<LegacySamples> {
        self.shared.samples.lock().get(project).cloned().unwrap_or_default()
    }

    pub(crate) fn region(&self) -> Option<&str> {
        self.region.as_deref()
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.shared.journal
    }

    pub(crate) fn remember(&self, project: &ProjectId, path: &ProjectPath, bytes: &[u8], kind: TextKind) {
        if kind.is_utf8() || self.samples(project).knows(path.as_str(), bytes) {
            return;
        }
        let mut samples = self.shared.samples.lock();
        let samples = samples.entry(project.clone()).or_default();
        Arc::make_mut(samples).remember(path.as_str(), bytes, kind);
    }

    pub(crate) fn revision(
        &self,
        access: &ReadAccess,
        path: &ProjectPath,
        hash: &ContentHash,
        seen: Seen,
    ) -> ReadRevision {
        self.shared.key.revision(&access.project().id, path, hash, seen)
    }

    pub(crate) fn verify(
        &self,
        access: &ReadAccess,
        sent: ReadRevision,
        path: &ProjectPath,
        hash: &ContentHash,
    ) -> Option<Seen> {
        self.shared.key.verify(sent, &access.project().id, path, hash)
    }
}
