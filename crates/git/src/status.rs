//! What differs between a commit, the index and the files on disk, merged to one entry for each path.

mod merge;
mod renames;
mod staged;
mod submodule;
mod tracked;
mod untracked;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Mode;
use webcodex_contracts::tools::read_workspace_changes::ChangeStatus;

pub(crate) use tracked::{Verified, is_settled, seconds_now};
pub(crate) use untracked::{KnownFolders, NewFile, NewKind, walk as new_files};

use crate::filters::Filters;
use crate::repository::Workspace;
use crate::scope::Scope;
use crate::{GitError, Interrupt, trees};

/// One changed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The path from the top of the working tree.
    pub(crate) path: BString,
    /// The path before a rename.
    pub(crate) old_path: Option<BString>,
    /// What happened.
    pub(crate) status: ChangeStatus,
    /// The file before; `None` for a new one.
    pub(crate) old: Option<Side>,
    /// The file now; `None` for one that is gone.
    pub(crate) new: Option<Side>,
    /// Whether git does not track the path.
    pub(crate) untracked: bool,
    /// Whether a part of the change is in the index.
    pub(crate) staged: bool,
}

/// One side of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) mode: Mode,
    pub(crate) content: Content,
}

/// Where the content of a side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// In the object database.
    Stored(ObjectId),
    /// On the disk, different from what is stored.
    OnDisk,
    /// A commit of another repository, with or without changes of its own in it.
    Submodule { commit: ObjectId, dirty: bool },
    /// A repository inside this one that git does not track.
    NestedRepository,
    /// Something that is neither a file nor a link nor a folder.
    Special,
}

/// What the files on disk are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// The commit at HEAD; its tree, or nothing where there is no commit yet.
    Head(Option<ObjectId>),
    /// The tree of another commit.
    Tree(ObjectId),
    /// The index itself, for folders without git.
    Index,
}

/// A path whose content in one place differs from that in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) path: BString,
    pub(crate) old: Option<(Mode, ObjectId)>,
    pub(crate) new: Option<(Mode, ObjectId)>,
}

/// All changes of one comparison, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) list: Vec<Change>,
    /// Things the reader should know about the list.
    pub(crate) notes: Vec<String>,
}

impl Side {
    pub(crate) fn stored((mode, id): (Mode, ObjectId)) -> Self {
        let content = match mode == Mode::COMMIT {
            true => Content::Submodule { commit: id, dirty: false },
            false => Content::Stored(id),
        };
        Self { mode, content }
    }

    /// Whether this is a file or a link, something with content of its own.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.content, Content::Stored(_) | Content::OnDisk)
    }

    /// File, link or submodule; the bit that makes a file executable does not matter.
    fn kind(&self) -> Mode {
        if self.mode == Mode::FILE_EXECUTABLE { Mode::FILE } else { self.mode }
    }
}

/// Compares `base` with the files on disk.
pub(crate) fn of_files(
    workspace: &Workspace,
    scope: &Scope,
    base: Base,
    filters: &Filters,
    interrupt: &Interrupt,
) -> Result<Changes, GitError> {
    let mut changes = without_renames(workspace, scope, base, filters, interrupt)?;
    renames::join(workspace, filters, interrupt, &mut changes)?;
    Ok(changes)
}

/// As [`of_files`], with a file that was renamed as one that went and one that came.
pub(crate) fn without_renames(
    workspace: &Workspace,
    scope: &Scope,
    base: Base,
    filters: &Filters,
    interrupt: &Interrupt,
) -> Result<Changes, GitError> {
    let (tracked, untracked, staged) = look(workspace, scope, base, filters, interrupt)?;
    let mut changes = Changes::default();
    let [unfiltered, unreadable] = [&tracked.unfiltered, &untracked.unreadable].map(|paths| some_of(paths));
    changes.notes.extend(
        unfiltered.map(|some| {
            format!("a filter program did not answer for {some}: shown as changed without proof")
        }),
    );
    changes.notes.extend(
        unreadable.map(|some| format!("{some} could not be read: new files in there are not listed")),
    );
    changes.list = merge::merge(workspace, base, tracked.found, untracked.files, staged, filters)?;
    Ok(changes)
}

/// Compares the trees of two commits; `None` is an empty one.
pub(crate) fn of_trees(
    workspace: &Workspace,
    scope: &Scope,
    base: Option<ObjectId>,
    target: ObjectId,
    filters: &Filters,
    interrupt: &Interrupt,
) -> Result<Changes, GitError> {
    let mut differences = Vec::new();
    trees::compare(&workspace.repo, base, Some(target), scope, interrupt, &mut differences)?;
    let list = differences.into_iter().map(merge::between_commits).collect();
    let mut changes = Changes { list, notes: Vec::new() };
    renames::join(workspace, filters, interrupt, &mut changes)?;
    Ok(changes)
}

/// The paths that differ from HEAD or are new, without looking for renames.
pub(crate) fn changed_paths(
    workspace: &Workspace,
    scope: &Scope,
    interrupt: &Interrupt,
) -> Result<Vec<BString>, GitError> {
    let filters = Filters::of(workspace, interrupt);
    let head = Base::Head(head_tree(&workspace.repo)?);
    let changes = without_renames(workspace, scope, head, &filters, interrupt)?;
    Ok(changes.list.into_iter().map(|change| change.path).collect())
}

/// The tree of the commit at HEAD; `None` before the first commit.
pub(crate) fn head_tree(repo: &gix::Repository) -> Result<Option<ObjectId>, GitError> {
    let mut head = repo.head()?;
    if head.is_unborn() {
        return Ok(None);
    }
    Ok(Some(head.peel_to_commit()?.tree_id()?.detach()))
}

/// Repositories of this size are looked at faster in one thread than in several, in index entries.
const SMALL: usize = 1500;

/// Takes the three looks: tracked files, new files, and what is staged; in parallel where that pays.
fn look(
    workspace: &Workspace,
    scope: &Scope,
    base: Base,
    filters: &Filters,
    interrupt: &Interrupt,
) -> Result<(tracked::Tracked, untracked::Untracked, Vec<Difference>), GitError> {
    let site = &workspace.site;
    let small = workspace.index.entries().len() < SMALL;
    let staged = |repo: &gix::Repository| match base {
        Base::Index => Ok(Vec::new()),
        Base::Head(tree) => staged::compare(repo, &site.index, tree, scope, interrupt),
        Base::Tree(tree) => staged::compare(repo, &site.index, Some(tree), scope, interrupt),
    };
    if small {
        let tracked = tracked::look(workspace, scope, filters, interrupt, tracked::Threads::One)?;
        let untracked = untracked::walk(site, &workspace.repo, scope, interrupt)?;
        return Ok((tracked, untracked, staged(&workspace.repo)?));
    }
    std::thread::scope(|threads| {
        let walking = threads.spawn(|| {
            let repo = site.repo();
            let untracked = untracked::walk(site, &repo, scope, interrupt)?;
            Ok::<_, GitError>((untracked, staged(&repo)?))
        });
        let tracked = tracked::look(workspace, scope, filters, interrupt, tracked::Threads::Many);
        let (untracked, staged) = match walking.join() {
            Ok(walked) => walked?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok((tracked?, untracked, staged))
    })
}

/// Names some of the paths and says how many more there are; `None` for no paths.
fn some_of(paths: &[BString]) -> Option<String> {
    let shown: Vec<_> =
        paths.iter().take(3).map(|path| format!("`{}`", crate::names::text(path.as_bstr()))).collect();
    let more = match paths.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}
