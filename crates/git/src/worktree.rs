//! Linked worktrees for isolated work: made and removed as a whole, without the git program.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::refs::FullName;
use gix::refs::transaction::PreviousValue;
use gix::sec::Trust;
use gix::worktree::add::Head;
use gix::worktree::remove::Force;

use crate::repository::{Workspace, options};
use crate::scope::Scope;
use crate::smudge;
use crate::{GitError, Interrupt, names, status};

/// A worktree that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeInfo {
    /// The project's folder in the worktree: the worktree itself, or the subfolder that the source project is.
    pub root: PathBuf,
    /// The top of the worktree.
    pub top: PathBuf,
    /// The branch that was made for it, without `refs/heads/`.
    pub branch: String,
    /// The commit it starts from.
    pub head: String,
    /// Things the user should know, such as files whose filter did not answer.
    pub notes: Vec<String>,
}

/// Checks out the commit at HEAD into `destination` on the new branch `branch`. All of it happens, or nothing.
pub(crate) fn create(source: &Workspace, destination: &Path, branch: &str) -> Result<WorktreeInfo, GitError> {
    let interrupt = Interrupt::never();
    let name = branch_name(branch)?;
    if destination.symlink_metadata().is_ok() {
        return Err(GitError::DestinationExists { path: destination.to_owned() });
    }
    let mut repo = without_programs(source.repo.git_dir(), source.repo.git_dir_trust())?;
    // A branch can be made by somebody who has not told git a name yet.
    repo.committer_or_set_generic_fallback()?;
    let Some(head) = repo.head()?.try_into_peeled_id()?.map(gix::Id::detach) else {
        return Err(GitError::NoCommit);
    };
    if repo.try_find_reference(name.as_ref())?.is_some() {
        return Err(GitError::BranchExists { branch: branch.to_owned() });
    }
    repo.reference(name.clone(), head, PreviousValue::MustNotExist, "branch: Created from HEAD")?;
    let head_of_worktree = Head::Attached(name.clone());
    let made = repo.add_worktree(destination, head_of_worktree, gix::progress::Discard, interrupt.flag());
    let made = match made {
        Ok((made, _)) => made,
        Err(error) => {
            delete_branch(&mut repo, name, head);
            return Err(error.into());
        }
    };
    let notes = smudge::fill(&made, source, &interrupt);
    let top = made.workdir().unwrap_or(destination).to_owned();
    let folder = source.prefix.strip_suffix(b"/").unwrap_or(&source.prefix).as_bstr();
    let root = if folder.is_empty() { top.clone() } else { top.join(gix::path::from_bstr(folder)?) };
    Ok(WorktreeInfo { root, top, branch: branch.to_owned(), head: head.to_string(), notes })
}

/// Removes a linked worktree that holds no changes, and its branch if nothing on it would be lost.
pub(crate) fn remove(worktree: Workspace) -> Result<(), GitError> {
    let top = worktree.top.clone();
    if worktree.repo.kind() != gix::repository::Kind::LinkedWorkTree {
        return Err(GitError::NotAWorktree { path: top });
    }
    refuse_changes(&worktree)?;
    let head = worktree.repo.head()?;
    let (branch, tip) = (head.referent_name().map(ToOwned::to_owned), head.id().map(gix::Id::detach));
    let mut main = without_programs(worktree.repo.common_dir(), worktree.repo.git_dir_trust())?;
    drop(worktree);
    main.prepare_remove_worktree(&top)?.remove(Force::DiscardChanges, gix::progress::Discard)?;
    if let (Some(branch), Some(tip)) = (branch, tip)
        && is_ours(&branch)
        && is_kept_elsewhere(&main, &branch, tip)
    {
        delete_branch(&mut main, branch, tip);
    }
    Ok(())
}

/// Work that is nowhere else is not removed.
fn refuse_changes(worktree: &Workspace) -> Result<(), GitError> {
    let in_use = |what: String| GitError::WorktreeInUse { path: worktree.top.clone(), what };
    let changed = status::changed_paths(worktree, &Scope::new("".into(), &[]), &Interrupt::never())?;
    if let Some(first) = changed.first() {
        let first = names::text(first.as_ref());
        return Err(in_use(match changed.len() {
            1 => format!("a change in `{first}`"),
            count => format!("changes in {count} files, such as `{first}`"),
        }));
    }
    match worktree.repo.state() {
        Some(_) => Err(in_use("an unfinished git operation".to_owned())),
        None => Ok(()),
    }
}

/// The repository, opened in a way that no program named in its configuration is run while files are written.
fn without_programs(git_dir: &Path, trust: Trust) -> Result<gix::Repository, GitError> {
    let options = options(trust).filter_config_section(|_| false).open_path_as_is(true);
    Ok(options.open(git_dir)?.to_thread_local())
}

fn branch_name(branch: &str) -> Result<FullName, GitError> {
    let invalid = || GitError::BranchInvalid { branch: branch.chars().take(200).collect() };
    if branch.starts_with('-') {
        return Err(invalid());
    }
    FullName::try_from(format!("refs/heads/{branch}")).map_err(|_| invalid())
}

/// Branches that were made for worktrees.
fn is_ours(branch: &FullName) -> bool {
    branch.as_bstr().starts_with(b"refs/heads/webcodex/")
}

/// Whether the commit is also reached from HEAD or stands at another branch or tag.
fn is_kept_elsewhere(repo: &gix::Repository, branch: &FullName, tip: ObjectId) -> bool {
    let from_head = repo
        .head_id()
        .is_ok_and(|head| repo.merge_base(head, tip).is_ok_and(|base| base.is_some_and(|base| base == tip)));
    let at_another = || {
        let references = repo.references().ok()?;
        let mut all = references.all().ok()?.flatten();
        Some(all.any(|other| other.name() != branch.as_ref() && other.try_id().is_some_and(|id| id == tip)))
    };
    from_head || at_another().unwrap_or(false)
}

/// Takes a branch away again that points to `tip`. What cannot be deleted is left; it holds nothing of its own.
fn delete_branch(repo: &mut gix::Repository, branch: FullName, tip: ObjectId) {
    let deleted = repo
        .find_reference(branch.as_ref())
        .and_then(|found| if found.try_id().is_some_and(|id| id == tip) { found.delete() } else { Ok(()) });
    if let Err(error) = deleted {
        tracing::warn!(branch = %branch.as_bstr(), error = %crate::error::explain(&error), "a branch was left behind");
    }
}
