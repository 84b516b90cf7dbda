//! What is remembered of one session, as it stands in its file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use webcodex_contracts::SnapshotId;
use webcodex_contracts::tools::review::{Rejection, ReviewBase, ReviewFile};

/// The file, in the folder of the session.
const FILE: &str = "session.json";
/// Looks at the files that are remembered besides the first one and the seals.
const MAX_REVIEWS: usize = 24;
/// Decisions that are remembered.
const MAX_DECISIONS: usize = 20_000;
/// Rejections that are remembered.
const MAX_REJECTIONS: usize = 500;

/// All that is remembered of a session besides its objects and the list of what it changed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The project's folder.
    pub(super) root: PathBuf,
    /// When it last did something, in milliseconds since 1970.
    pub(super) last_used_ms: u64,
    /// The files when it began.
    #[serde(default)]
    pub(super) start: Option<Snapshot>,
    /// Looks at the files, oldest first.
    #[serde(default)]
    pub(super) reviews: Vec<Snapshot>,
    /// How often the task was closed.
    #[serde(default)]
    pub(super) closed: u64,
    /// The last closing, which stands in a file of its own.
    #[serde(default)]
    pub(super) seal: Option<SnapshotId>,
    /// Whether the session changed something after it.
    #[serde(default)]
    pub(super) work_went_on: bool,
    /// Names of accepted files and hunks, see [`super::decide`].
    #[serde(default)]
    pub(super) accepted: Vec<String>,
    /// What was rejected, oldest first.
    #[serde(default)]
    pub(super) rejected: Vec<Rejected>,
}

/// The files of a project at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) id: SnapshotId,
    pub(super) at_ms: u64,
    /// The tree, in hexadecimal.
    pub(super) tree: String,
    /// The tree that it is compared with; absent for the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<String>,
    /// The commit at HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) head: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left_out: Vec<LeftOut>,
    /// Files in conflict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) conflicted: Vec<String>,
}

/// A file that a snapshot does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeftOut {
    /// Path in the project, as it is shown.
    pub(super) path: String,
    pub(super) why: WhyLeftOut,
    pub(super) size_bytes: u64,
    /// The object that stands in its place.
    pub(super) mark: String,
}

/// Why a file is not in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WhyLeftOut {
    TooLarge,
    Unreadable,
    Unfiltered,
    Special,
}

/// Final Changes as they stand in their file: complete in themselves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Seal {
    pub(super) id: SnapshotId,
    pub(super) attempt: u64,
    pub(super) sealed_ms: u64,
    pub(super) base: ReviewBase,
    pub(super) tree: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) head: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    pub(super) added_lines: u64,
    pub(super) removed_lines: u64,
    pub(super) entries: Vec<SealedFile>,
}

/// A file of Final Changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SealedFile {
    pub(super) file: ReviewFile,
    /// Mode and object of the old and the new side.
    pub(super) old: Option<(u32, String)>,
    pub(super) new: Option<(u32, String)>,
}

/// A change that a person rejected.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rejected {
    pub(super) told: Rejection,
    /// What it did to each file: path in the project, content before and after.
    pub(super) steps: Vec<Step>,
}

/// What happened to one file; contents are raw, as they lay on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    /// Path in the project.
    pub(super) path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Side>,
}

/// A content with its mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Side {
    /// The object, in hexadecimal.
    pub(super) id: String,
    /// git's mode of the file.
    pub(super) mode: u32,
}

impl Record {
    /// Reads what is remembered; `None` where there is nothing or it cannot be understood.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Writes it, all or nothing.
    pub(super) fn write(&mut self, folder: &Path) -> io::Result<()> {
        let oldest = |length: usize, limit: usize| length.saturating_sub(limit);
        self.reviews.drain(..oldest(self.reviews.len(), MAX_REVIEWS));
        self.accepted.drain(..oldest(self.accepted.len(), MAX_DECISIONS));
        self.rejected.drain(..oldest(self.rejected.len(), MAX_REJECTIONS));
        write(&folder.join(FILE), self)
    }

    /// The session did something.
    pub(super) fn used(&mut self) {
        self.last_used_ms = now_ms();
    }

    /// Until when its snapshots are kept at least.
    pub(super) fn expires_ms(&self) -> u64 {
        self.last_used_ms + super::KEPT.as_millis() as u64
    }

    /// The last look.
    pub(super) fn last_review(&self) -> Option<&Snapshot> {
        self.reviews.last()
    }

    /// The look called `id`.
    pub(super) fn review(&self, id: &SnapshotId) -> Option<&Snapshot> {
        self.reviews.iter().find(|review| review.id == *id)
    }
}

impl Seal {
    fn file(folder: &Path, id: &SnapshotId) -> PathBuf {
        folder.join(format!("seal-{id}.json"))
    }

    /// Reads Final Changes; `None` where they are not kept.
    pub(super) fn read(folder: &Path, id: &SnapshotId) -> Option<Self> {
        // Ids of callers are no names of files unless they have the alphabet of ours.
        let ours = id.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let bytes = std::fs::read(Self::file(folder, id)).ok().filter(|_| ours)?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes them, all or nothing.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        write(&Self::file(folder, &self.id), self)
    }
}

impl WhyLeftOut {
    /// The reason for people.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::TooLarge => "too large to be kept",
            Self::Unreadable => "could not be read",
            Self::Unfiltered => "its git filter did not answer",
            Self::Special => "neither a file nor a link",
        }
    }
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A new name for a snapshot.
pub(super) fn new_id() -> io::Result<SnapshotId> {
    let random = rand::random::<[u8; 12]>();
    let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    SnapshotId::parse(&format!("{}{hex}", SnapshotId::PREFIX)).map_err(io::Error::other)
}

fn write(file: &Path, value: &impl Serialize) -> io::Result<()> {
    let folder = file.parent().unwrap_or(file);
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(&serde_json::to_vec(value)?)?;
    fresh.persist(file).map(drop).map_err(|error| error.error)
}
