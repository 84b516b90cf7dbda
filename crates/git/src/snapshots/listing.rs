//! The changed files between two trees, counted once and kept for the loads that follow.

use std::collections::HashMap;

use gix::ObjectId;
use gix::bstr::BString;
use gix::index::entry::Mode;
use webcodex_contracts::tools::read_workspace_changes::{ChangeStatus, DiffDetail, FileChange};
use webcodex_contracts::tools::review::{NoPreview, ReviewFile};

use super::record::{LeftOut, Seal, SealedFile, WhyLeftOut};
use crate::content::Contents;
use crate::filters::Filters;
use crate::page::{Page, Resume};
use crate::repository::Workspace;
use crate::scope::Scope;
use crate::status::{self, Change, Content};
use crate::{GitError, Interrupt};

/// The changed files of one comparison.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// By path.
    pub(super) entries: Vec<Listed>,
    pub(super) added: u64,
    pub(super) removed: u64,
    /// Things the reader should know.
    pub(super) notes: Vec<String>,
}

/// A changed file with what is told of it.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// Both sides are stored objects.
    pub(super) change: Change,
    pub(super) file: ReviewFile,
}

impl Listing {
    /// Compares two trees as the project sees them.
    pub(super) fn of(
        workspace: &Workspace,
        scope: &Scope,
        base: ObjectId,
        tree: ObjectId,
        left_out: &[LeftOut],
        interrupt: &Interrupt,
    ) -> Result<Self, GitError> {
        let filters = Filters::of(workspace, interrupt);
        let empty = workspace.repo.empty_tree().id;
        let old = (base != empty).then_some(base);
        let changes = status::of_trees(workspace, scope, old, tree, &filters, interrupt)?;
        let mut listing = Listing { notes: changes.notes, ..Self::default() };
        let marks: HashMap<&str, &LeftOut> = left_out.iter().map(|file| (file.mark.as_str(), file)).collect();
        let mut rest = changes.list.as_slice();
        while !rest.is_empty() {
            let mut page = Page::new(Contents::new(workspace, &filters), scope, DiffDetail::Stat, interrupt);
            page.fill(rest, Resume::default())?;
            if page.files.is_empty() {
                break;
            }
            let (now, later) = rest.split_at(page.files.len());
            listing.add(now, page.files, &marks);
            rest = later;
        }
        Ok(listing)
    }

    fn add(&mut self, changes: &[Change], files: Vec<FileChange>, marks: &HashMap<&str, &LeftOut>) {
        for (change, file) in changes.iter().zip(files) {
            let mark = stored(change, |change| change.new.as_ref()).map(|id| id.to_string());
            let file = match mark.as_deref().and_then(|mark| marks.get(mark)) {
                Some(left_out) => without_content(file, left_out),
                None => told(change, file),
            };
            self.added += file.added_lines.unwrap_or(0);
            self.removed += file.removed_lines.unwrap_or(0);
            self.entries.push(Listed { change: change.clone(), file });
        }
    }

    /// Final Changes as they were sealed.
    pub(super) fn sealed(seal: &Seal, prefix: &BString) -> Self {
        let entries = seal.entries.iter().map(|sealed| sealed.listed(prefix)).collect();
        Self { entries, added: seal.added_lines, removed: seal.removed_lines, notes: Vec::new() }
    }

    /// The file that is listed under this path.
    pub(super) fn find(&self, path: &str) -> Option<&Listed> {
        self.entries.iter().find(|entry| entry.file.path == path)
    }

    /// Whether something is missing in the counts.
    pub(super) fn is_partial(&self) -> bool {
        let uncounted =
            |file: &ReviewFile| file.note.as_deref().is_some_and(|note| note.contains("not counted"));
        self.entries.iter().any(|entry| uncounted(&entry.file))
    }
}

impl SealedFile {
    /// The file as it is kept for good.
    pub(super) fn of(listed: &Listed) -> Self {
        let side = |side: Option<&status::Side>| {
            side.map(|side| match side.content {
                Content::Submodule { commit: id, .. } | Content::Stored(id) => {
                    (side.mode.bits(), id.to_string())
                }
                _ => (side.mode.bits(), String::new()),
            })
        };
        let Listed { change, file } = listed;
        Self { file: file.clone(), old: side(change.old.as_ref()), new: side(change.new.as_ref()) }
    }

    fn listed(&self, prefix: &BString) -> Listed {
        let side = |side: &Option<(u32, String)>| {
            let (mode, id) = side.as_ref()?;
            let id = ObjectId::from_hex(id.as_bytes()).ok()?;
            Some(status::Side::stored((Mode::from_bits_truncate(*mode), id)))
        };
        let path = |path: &str| {
            let mut full = prefix.clone();
            full.extend_from_slice(path.as_bytes());
            full
        };
        let change = Change {
            path: path(&self.file.path),
            old_path: self.file.old_path.as_deref().map(path),
            status: self.file.status,
            old: side(&self.old),
            new: side(&self.new),
            untracked: false,
            staged: false,
        };
        Listed { change, file: self.file.clone() }
    }
}

/// The object behind a side of a change.
pub(super) fn stored(change: &Change, side: impl Fn(&Change) -> Option<&status::Side>) -> Option<ObjectId> {
    side(change).and_then(|side| match side.content {
        Content::Stored(id) => Some(id),
        _ => None,
    })
}

fn bare(file: FileChange) -> ReviewFile {
    ReviewFile {
        path: file.path,
        status: file.status,
        old_path: file.old_path,
        added_lines: file.added_lines,
        removed_lines: file.removed_lines,
        size_bytes: file.size_bytes,
        note: file.note,
        no_diff: None,
        no_text: None,
        by: None,
        decision: None,
        accepted_hunks: 0,
    }
}

/// What is told of a file whose content the snapshot does not hold.
fn without_content(file: FileChange, left_out: &LeftOut) -> ReviewFile {
    let reason = match left_out.why {
        WhyLeftOut::TooLarge => NoPreview::TooLarge,
        WhyLeftOut::Special => NoPreview::Special,
        WhyLeftOut::Unreadable | WhyLeftOut::Unfiltered => NoPreview::Binary,
    };
    ReviewFile {
        added_lines: None,
        removed_lines: None,
        size_bytes: Some(left_out.size_bytes),
        note: Some(left_out.why.text().to_owned()),
        no_diff: Some(reason),
        no_text: Some(reason),
        ..bare(file)
    }
}

/// What is told of a file, with the reasons why there is nothing to load.
fn told(change: &Change, file: FileChange) -> ReviewFile {
    let mut file = bare(file);
    let kind = kind_without_text(change);
    let parts: Vec<&str> = file.note.as_deref().unwrap_or_default().split(", ").collect();
    let content = if parts.contains(&"binary") {
        Some(NoPreview::Binary)
    } else if parts.iter().any(|part| part.starts_with("too large") || part.contains("not in this clone")) {
        Some(NoPreview::TooLarge)
    } else {
        None
    };
    // A link is told by its target, which is one line; a submodule by its commit.
    file.no_diff = content;
    let gone = (file.status == ChangeStatus::Deleted).then_some(NoPreview::Deleted);
    file.no_text = gone.or(kind).or(content);
    let said = |part: &&str| !matches!(*part, "binary" | "too large");
    let rest: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).filter(said).collect();
    file.note = (!rest.is_empty()).then(|| rest.join(", "));
    file
}

/// Why the new side is no text file at all, as far as its mode tells.
pub(super) fn kind_without_text(change: &Change) -> Option<NoPreview> {
    let side = change.new.as_ref().or(change.old.as_ref())?;
    match (side.mode, side.content) {
        (Mode::SYMLINK, _) => Some(NoPreview::Symlink),
        (Mode::COMMIT, _) | (_, Content::Submodule { .. } | Content::NestedRepository) => {
            Some(NoPreview::Submodule)
        }
        (_, Content::Special) => Some(NoPreview::Special),
        _ => None,
    }
}
