//! Answers `read_workspace_changes`.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use webcodex_contracts::tools::read_workspace_changes::{
    ChangeStatus, DiffDetail, ReadWorkspaceChangesOutput, ReadWorkspaceChangesParams,
};
use webcodex_contracts::{Continuation, ToolName};

use crate::content::{Contents, Which};
use crate::cursor::{Cursor, request_tag};
use crate::filters::Filters;
use crate::page::{Next, Page, Resume};
use crate::repository::Workspace;
use crate::scope::Scope;
use crate::status::{self, Base, Changes};
use crate::store::About;
use crate::summary::{self, Summary, has_conflict_markers};
use crate::{GitError, Interrupt, names, revision};

/// Most files looked through for conflict markers.
const MAX_MARKED: usize = 1000;
/// Most files named as conflicted; each also says so itself in the list of files.
const MAX_CONFLICTED: usize = 200;
/// Largest file looked through for conflict markers, in bytes.
const MAX_MARKED_BYTES: u64 = 2 * 1024 * 1024;

/// Whether a repository or our own store of a folder without git is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Repository,
    Baseline(About),
}

/// What is compared with what.
struct Question {
    base: Base,
    /// The other commit; the files on disk where there is none.
    target: Option<ObjectId>,
    /// The same request with its revisions settled, for the next page.
    settled: ReadWorkspaceChangesParams,
}

/// Reads one page of changes.
pub(crate) fn read(
    workspace: &Workspace,
    kind: &Kind,
    params: &ReadWorkspaceChangesParams,
    interrupt: &Interrupt,
) -> Result<ReadWorkspaceChangesOutput, GitError> {
    let question = Question::of(workspace, kind, params)?;
    let tag = question.tag();
    let cursor = params.cursor.as_deref().map(|cursor| Cursor::parse(cursor, &tag)).transpose()?;
    let scope = Scope::new(workspace.prefix.as_ref(), &params.paths);
    let filters = Filters::of(workspace, interrupt);
    let changes = match (question.base, question.target) {
        (Base::Tree(base), Some(target)) => {
            status::of_trees(workspace, &scope, Some(base), target, &filters, interrupt)?
        }
        (base, _) => status::of_files(workspace, &scope, base, &filters, interrupt)?,
    };
    let mut output = match kind {
        Kind::Repository => about(Summary::of(&workspace.repo)?, summary::notes(workspace)),
        Kind::Baseline(about) => about_baseline(about),
    };
    if question.target.is_none() {
        output.conflicted = conflicted(workspace, &scope, &filters, &changes, output.at.operation.is_some())?;
    }
    output.file_count = changes.list.len() as u64;
    output.notes.extend(changes.notes);

    let (start, resume) = place(&changes.list, cursor.as_ref());
    let contents = Contents::new(workspace, &filters);
    let mut page = Page::new(contents, &scope, params.diff, interrupt);
    let next = page.fill(&changes.list[start..], resume)?;
    output.notes.append(&mut page.notes);
    if params.diff != DiffDetail::None {
        (output.added_lines, output.removed_lines) = (Some(page.counts.added), Some(page.counts.removed));
    }
    output.files = page.files;
    output.continuation = next.and_then(|next| question.continuation(&tag, next));
    Ok(output)
}

/// How many paths differ from HEAD or the first look.
pub(crate) fn count(workspace: &Workspace, kind: &Kind, interrupt: &Interrupt) -> Result<u64, GitError> {
    let scope = Scope::new(workspace.prefix.as_ref(), &[]);
    let filters = Filters::of(workspace, interrupt);
    let base = present_base(workspace, kind)?;
    Ok(status::of_files(workspace, &scope, base, &filters, interrupt)?.list.len() as u64)
}

fn present_base(workspace: &Workspace, kind: &Kind) -> Result<Base, GitError> {
    match kind {
        Kind::Repository => Ok(Base::Head(status::head_tree(&workspace.repo)?)),
        Kind::Baseline(_) => Ok(Base::Index),
    }
}

impl Question {
    fn of(workspace: &Workspace, kind: &Kind, params: &ReadWorkspaceChangesParams) -> Result<Self, GitError> {
        let mut settled = params.clone();
        let repo = &workspace.repo;
        if matches!(kind, Kind::Baseline(_)) && (params.base.is_some() || params.target.is_some()) {
            return Err(GitError::NotARepository { wanted: "there are no commits to compare" });
        }
        let settle = |revision: &mut Option<String>, field| -> Result<Option<ObjectId>, GitError> {
            let Some(given) = revision.as_deref() else { return Ok(None) };
            let commit = revision::commit(repo, given, field)?;
            *revision = Some(commit.to_string());
            Ok(Some(commit))
        };
        let base = settle(&mut settled.base, "base")?;
        let target = settle(&mut settled.target, "target")?;
        let tree = |commit: ObjectId| -> Result<ObjectId, GitError> {
            Ok(repo.find_commit(commit)?.tree_id()?.detach())
        };
        let base = match (base, target) {
            (Some(base), _) => Base::Tree(tree(base)?),
            // A commit alone is compared with HEAD; before the first commit there is no HEAD and no target either.
            (None, Some(_)) => Base::Tree(status::head_tree(repo)?.unwrap_or(repo.empty_tree().id)),
            (None, None) => present_base(workspace, kind)?,
        };
        let target = target.map(tree).transpose()?;
        Ok(Self { base, target, settled })
    }

    /// Names this question; the same for all its pages.
    fn tag(&self) -> String {
        let ReadWorkspaceChangesParams { project, diff, paths, base, target, .. } = &self.settled;
        let detail = format!("{diff:?}");
        let mut parts = vec![project.as_str(), &detail];
        parts.extend([base, target].map(|revision| revision.as_deref().unwrap_or_default()));
        parts.extend(paths.iter().map(|path| path.as_str()));
        request_tag(&parts)
    }

    fn continuation(&self, tag: &str, next: Next) -> Option<Continuation> {
        let mut params = self.settled.clone();
        params.cursor = Some(Cursor::new(tag, next.path, next.hunk, next.content).text());
        Continuation::new(ToolName::ReadWorkspaceChanges, params)
    }
}

fn about(summary: Summary, notes: Vec<String>) -> ReadWorkspaceChangesOutput {
    let Summary { git, at } = summary;
    ReadWorkspaceChangesOutput { git, at, notes, ..ReadWorkspaceChangesOutput::default() }
}

fn about_baseline(about: &About) -> ReadWorkspaceChangesOutput {
    let mut notes =
        vec![format!("the folder is not under git; compared with the first look at it ({})", about.taken_at)];
    if about.without_content > 0 {
        notes.push(format!(
            "{} files were too large or too many to keep their content: their changes are told without lines",
            about.without_content
        ));
    }
    ReadWorkspaceChangesOutput { notes, ..ReadWorkspaceChangesOutput::default() }
}

/// Where in the sorted list the page begins. A file that is no longer there has the next one in its place.
fn place(list: &[status::Change], cursor: Option<&Cursor>) -> (usize, Resume) {
    let Some(cursor) = cursor else { return (0, Resume::default()) };
    let start = list.partition_point(|change| change.path < cursor.path);
    let same = list.get(start).is_some_and(|change| change.path == cursor.path);
    let resume = Resume { hunk: cursor.hunk, content: cursor.content };
    (start, if same { resume } else { Resume::default() })
}

/// Files in conflict, and while an operation is unfinished also those in which markers are left.
fn conflicted(
    workspace: &Workspace,
    scope: &Scope,
    filters: &Filters,
    changes: &Changes,
    unfinished: bool,
) -> Result<Vec<String>, GitError> {
    let mut paths = Vec::new();
    let mut contents = Contents::new(workspace, filters);
    let some = unfinished || changes.list.iter().any(|change| change.status == ChangeStatus::Conflicted);
    for change in changes.list.iter().take(if some { MAX_MARKED } else { 0 }) {
        let marked = change.status == ChangeStatus::Conflicted
            || contents
                .bytes(change, Which::New, MAX_MARKED_BYTES)?
                .is_some_and(|content| has_conflict_markers(&content));
        if marked {
            paths.extend(scope.in_project(change.path.as_bstr()).map(names::text));
        }
        if paths.len() == MAX_CONFLICTED {
            break;
        }
    }
    Ok(paths)
}
